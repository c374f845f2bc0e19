#!/bin/sh
# Incremental developer build of all three packages: sh ci/dev.sh [BUILD_DIR] [cmake options...]
# The Python to build for is $PYTHON (default: that of .venv, which ci/develop.py makes).
# Then all of it is importable: PYTHONPATH=BUILD_DIR/python
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/core
case "${1:-}" in
  "" | -*) ;;
  /*) build=$1; shift ;;
  *) build=$PWD/$1; shift ;;
esac
python=$(command -v "${PYTHON:-$root/.venv/bin/python}")
PATH=$(dirname "$python"):$PATH  # cmake and ninja come from pip, beside python
launcher=
if command -v ccache > /dev/null; then
  export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$root}" CCACHE_NOHASHDIR=1
  launcher=-DCMAKE_CXX_COMPILER_LAUNCHER=ccache
fi

configure() {  # package, build directory, cmake options
  package=$1 directory=$2
  shift 2
  cmake -S "$root/packages/$package" -B "$directory" -G Ninja -DPython_EXECUTABLE="$python" \
    -DMLX_WERROR=ON $launcher "$@"
}

[ -f "$build/build.ninja" ] && [ $# -eq 0 ] || configure mlx-core "$build" "$@"
cmake --build "$build"

tree=$build/python
ln -sfn "$root/packages/mlx-interop/src/mlx/interop" "$tree/mlx/interop"

[ -f "$build/export/build.ninja" ] && [ $# -eq 0 ] || configure mlx-export "$build/export" \
  -DMLX_PYTHON_TREE="$tree" -DMLXCore_DIR="$tree/mlx/core/share/cmake/MLXCore" "$@"
cmake --build "$build/export"
echo "PYTHONPATH=$tree"
