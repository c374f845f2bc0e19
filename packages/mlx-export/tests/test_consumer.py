"""A C++ program that finds the installed package with CMake and calls what Python exported."""

import subprocess
from pathlib import Path

import mlx.core as mx
import mlx.export

CONSUMER = Path(__file__).parent / "consumer"


def run(*command):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_a_cmake_project_imports_and_exports(tmp_path):
    x, y = mx.array([5.0, 7.0]), mx.array([1.0, 2.0])
    mx.export_function(tmp_path / "difference.mlxfn", lambda x, y: x - y, x=x, y=y)

    build = tmp_path / "build"
    packages = f"-DMLXCore_DIR={mx.cmake_dir()}", f"-DMLXExport_DIR={mlx.export.cmake_dir()}"
    run("cmake", "-S", CONSUMER, "-B", build, "-G", "Ninja", *packages)
    run("cmake", "--build", build)
    lines = run(build / "consumer", tmp_path / "difference.mlxfn").splitlines()

    assert lines[:2] == ["9", "9"]
    assert "x" in lines[2] and "y" in lines[2]
    assert lines[3:] == ["Abs", "Log"]
