#!/bin/sh
# Incremental developer build of mlx-core: sh ci/dev.sh [BUILD_DIR] [cmake options...]
# The Python to build for is $PYTHON (default: python3); it needs the build requirements
# (pip install --group dev). Then: PYTHONPATH=BUILD_DIR/python python -c "import mlx.core"
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build/core
case "${1:-}" in
  "" | -*) ;;
  *) build=$1; shift ;;
esac
python=$(command -v "${PYTHON:-python3}")
PATH=$(dirname "$python"):$PATH  # cmake and ninja come from pip, beside python
launcher=
if command -v ccache > /dev/null; then
  export CCACHE_BASEDIR="${CCACHE_BASEDIR:-$root}" CCACHE_NOHASHDIR=1
  launcher=-DCMAKE_CXX_COMPILER_LAUNCHER=ccache
fi
if [ ! -f "$build/build.ninja" ] || [ $# -gt 0 ]; then
  cmake -S "$root/packages/mlx-core" -B "$build" -G Ninja -DPython_EXECUTABLE="$python" \
    -DMLX_WERROR=ON $launcher "$@"
fi
cmake --build "$build"
echo "PYTHONPATH=$build/python"
