#!/bin/bash
# Installs the Debian packages that Edgemill needs: setup.sh [run|test]. `run` (default) installs what
# the program needs to be built and run. `test` adds what its tests need. Packages that are there are not installed
# again. The script needs root only if a package is missing.
set -euo pipefail

run_packages=(g++ cmake ninja-build ccache librocksdb-dev liburing-dev libxxhash-dev libzstd-dev
              libisal-dev nlohmann-json3-dev libhwy-dev)
test_packages=(zlib1g-dev libgtest-dev libbenchmark-dev clang clang-14 libclang-rt-14-dev lld zstd
               python3-networkx python3-numpy python3-pandas python3-scipy python3-pytest
               python3-setuptools python3-wheel mypy chromium)

case "${1:-run}" in
  run) packages=("${run_packages[@]}") ;;
  test) packages=("${run_packages[@]}" "${test_packages[@]}") ;;
  *) echo "usage: scripts/setup.sh [run|test]" >&2; exit 64 ;;
esac

if ! command -v apt-get > /dev/null || ! command -v dpkg-query > /dev/null; then
  echo "setup: this is not Debian (there is no apt-get): install the equivalents of these Debian packages" >&2
  echo "  ${packages[*]}" >&2
  exit 69
fi

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2> /dev/null || true)
  [ "$status" = "install ok installed" ] || missing+=("$package")
done
if [ ${#missing[@]} = 0 ]; then
  echo "setup: all ${#packages[@]} packages are installed"
  exit 0
fi

as_root=()
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo > /dev/null; then
    echo "setup: these packages are missing, and there is no sudo to install them: as root, run" >&2
    echo "  apt-get install -y --no-install-recommends ${missing[*]}" >&2
    exit 77
  fi
  as_root=(sudo)
fi
echo "setup: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
install() {
  "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" < /dev/null
}
# The package lists may be old or absent, so a second try updates them first.
install > /dev/null 2>&1 || { "${as_root[@]}" apt-get update -qq < /dev/null; install; }
echo "setup: done"
