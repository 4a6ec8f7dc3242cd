#!/bin/bash
# Builds a wheel of the Python package with the library in it, and the libraries that it needs besides those of every
# system: wheel.sh LIBRARY FOLDER. LIBRARY is libedgemill.so of a build. One wheel serves Python 3.9 and later.
# EDGEMILL_PYTHON names the Python that builds it (default: python3), which needs pip, setuptools and wheel.
set -euo pipefail
library=$(realpath "${1:?usage: wheel.sh LIBRARY FOLDER}")
out=$(realpath -m "${2:?usage: wheel.sh LIBRARY FOLDER}")
python=${EDGEMILL_PYTHON:-python3}
cd "$(dirname "$0")/.."
"$python" -c 'import setuptools, wheel, pip' 2> /dev/null ||
  { echo "wheel: $python lacks pip, setuptools or wheel: install them, or set EDGEMILL_PYTHON" >&2; exit 69; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r python "$work/source"
package=$work/source/edgemill
mkdir "$package/libs"
soname=$(objdump -p "$library" | sed -n 's/^ *SONAME *//p')
cp "$library" "$package/$soname"
strip --strip-unneeded "$package/$soname"
# The package loads these before the library.
ldd "$library" | sed -n 's/^\t\([^ ]*\) => \(\/[^ ]*\) .*/\1 \2/p' | while read -r name path; do
  case $name in
    libc.so.*|libm.so.*|libpthread.so.*|libdl.so.*|librt.so.*|libstdc++.so.*|libgcc_s.so.*) ;;
    *) cp "$path" "$package/libs/$name" ;;
  esac
done
platform=$("$python" -c 'import sysconfig; print(sysconfig.get_platform().replace("-", "_"))')
printf '[bdist_wheel]\nplat_name = %s\n' "$platform" > "$work/source/setup.cfg"
"$python" -m pip wheel -q --no-index --no-deps --no-build-isolation --wheel-dir "$out" "$work/source"
ls "$out"/edgemill-*.whl
