"""The package as installed: C++ consumers, stubs, other packages' names, the other project."""

import importlib
import inspect
import os
import subprocess
import sys
from pathlib import Path

import mlx.core as mx
import pytest

PACKAGE = Path(mx._core.__file__).parent
CONSUMER = Path(__file__).parent.parent / "consumer"


def run(*command, **options):
    result = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, **options
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def python(code, *paths, options=()):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths))}
    if not paths:
        environment["PYTHONPATH"] = os.environ.get("PYTHONPATH", "")
    return run(sys.executable, *options, "-c", code, env=environment)


@pytest.fixture
def core_alone(tmp_path):
    """A folder for PYTHONPATH that has mlx.core and what it needs, but nothing else of ours."""
    (tmp_path / "mlx").mkdir()
    (tmp_path / "mlx" / "core").symlink_to(Path(mx.__file__).parent)
    for name in ("nanobind_backend", "scipy_openblas32"):
        source = Path(importlib.import_module(name).__file__)
        source = source.parent if source.name.startswith("__init__") else source
        (tmp_path / source.name).symlink_to(source)
    return tmp_path


def test_a_cmake_project_finds_the_engine(tmp_path):
    run("cmake", "-S", CONSUMER, "-B", tmp_path, "-G", "Ninja", f"-DMLXCore_DIR={mx.cmake_dir()}")
    run("cmake", "--build", tmp_path)
    total, error = run(tmp_path / "consumer").splitlines()
    assert total == "66"
    assert error.startswith("[add]") and "(3,)" in error and "(2,)" in error


def test_module_prints_the_cmake_directory():
    assert run(sys.executable, "-m", "mlx.core", "--cmake-dir").strip() == mx.cmake_dir()


def mypy(folder, text):
    """What mypy says of a program that uses the installed package."""
    program = folder / "program.py"
    program.write_text(text)
    command = [sys.executable, "-m", "mypy", "--strict", f"--cache-dir={folder}", program]
    # mypy takes packages from site-packages by itself, a build tree's only by MYPYPATH; and it
    # complains of what it finds by MYPYPATH, which is nothing that a user would see.
    environment = {**os.environ, "MYPYPATH": os.environ.get("PYTHONPATH", "")}
    result = subprocess.run(command, capture_output=True, text=True, env=environment)
    return [line for line in result.stdout.splitlines() if "program.py:" in line]


def test_type_checkers_know_every_public_name(tmp_path):
    assert (PACKAGE / "py.typed").exists()
    names = [name for name in vars(mx) if not name.startswith("_")]
    text = "import mlx.core as mx\n" + "".join(f"mx.{name}\n" for name in names)
    assert mypy(tmp_path, text) == []


def test_type_checkers_know_the_types(tmp_path):
    text = """
from typing import assert_type
import mlx.core as mx
x = mx.array([1.0, 2.0])
assert_type(x, mx.array)
assert_type(1 + x[0] * 2 ** -x, mx.array)
assert_type(x == None, mx.array)
assert_type(mx.sin(x).sum(axis=0, keepdims=True), mx.array)
assert_type(x.shape, tuple[int, ...])
assert_type(mx.bool_, mx.Dtype)
assert_type(mx.bool, mx.Dtype)
assert_type(mx.fft.fft(x), mx.array)
assert_type(mx.linalg.inv(x), mx.array)
assert_type(mx.random.uniform(shape=(2,)), mx.array)
mx.sin(x, no_such_argument=1)
mx.no_such_function(x)
mx.sin(object())
"""
    errors = mypy(tmp_path, text)
    assert [line.split(":")[1] for line in errors if "error" in line] == ["15", "16", "17"], errors


SUBMODULES = [
    name for name, value in vars(mx).items() if inspect.ismodule(value) and not name.startswith("_")
]


@pytest.mark.parametrize("name", SUBMODULES)
def test_submodules_import_by_name(name):
    module = importlib.import_module(f"mlx.core.{name}")
    assert module is getattr(mx, name)
    assert module.__name__ == f"mlx.core.{name}"


def test_types_and_functions_say_mlx_core():
    assert mx.array.__module__ == "mlx.core"
    assert mx.Dtype.__module__ == "mlx.core"
    assert mx.add.__module__ == "mlx.core"


def test_import_brings_no_other_package():
    loaded = python("import sys, mlx.core; print(*sys.modules)").split()
    assert not {"numpy", "scipy_openblas32", "mlx.interop", "mlx.export"} & set(loaded)


def test_names_of_packages_that_are_not_installed(core_alone):
    code = """
import mlx.core as mx
x = mx.array([1.0])
for owner, name in (mx, "export_function"), (mx, "exporter"), (x, "__array_namespace__"):
    assert not hasattr(owner, name)
    assert name in dir(x) or name not in dir(owner)
    try:
        getattr(owner, name)
    except AttributeError as error:
        print(error)
assert not hasattr(mx.array, "__array_namespace__")
try:
    mx.no_such_name
except AttributeError as error:
    print(error)
"""
    lines = python(code, core_alone, options=["-S"]).splitlines()
    assert len(lines) == 4
    assert lines[0].endswith("pip install mlx-export") and "'export_function'" in lines[0]
    assert lines[1].endswith("pip install mlx-export")
    assert lines[2].endswith("pip install mlx-interop") and "'__array_namespace__'" in lines[2]
    assert lines[3] == "module 'mlx.core' has no attribute 'no_such_name'"


def test_names_of_installed_packages_need_no_import(core_alone):
    package = core_alone / "mlx" / "export"
    package.mkdir()
    (package / "__init__.py").write_text("def export_function(): return 'exported'\n")
    code = "import mlx.core as mx; print('export_function' in dir(mx), mx.export_function())"
    assert python(code, core_alone, options=["-S"]).split() == ["True", "exported"]


def test_array_namespace_comes_with_the_package(core_alone):
    package = core_alone / "mlx" / "interop"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "methods.py").write_text(
        "def __array_namespace__(self, /, *, api_version=None): return api_version\n"
    )
    code = """
import sys
import mlx.core as mx
x = mx.array([1.0])
assert hasattr(x, "__array_namespace__") and "mlx.interop" not in sys.modules
print(x.__array_namespace__(api_version="first"), x.__array_namespace__(api_version="second"))
"""
    assert python(code, core_alone, options=["-S"]).split() == ["first", "second"]


def test_the_other_project_is_told_at_import(core_alone):
    (core_alone / "mlx-0.99.1.dist-info").mkdir()
    code = """
try:
    import mlx.core
except ImportError as error:
    print(error)
"""
    message = python(code, core_alone, options=["-S"])
    assert "'mlx' 0.99.1" in message and "pip uninstall mlx" in message
    assert str(core_alone) in message
