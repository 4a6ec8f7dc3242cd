#!/bin/bash
# Installs the Debian packages that Edgemill needs: setup.sh [run|test]. `run` (default) installs what
# the program needs to be built and run. `test` adds what its tests need, among it DuckDB's library, which reads Parquet
# and SQL, and a reader of Arrow files. Packages that are there are not installed again. The script needs root only if a
# package is missing.
set -euo pipefail

run_packages=(g++ cmake ninja-build ccache librocksdb-dev liburing-dev libxxhash-dev libzstd-dev
              libisal-dev libbz2-dev liblzma-dev libexpat1-dev nlohmann-json3-dev libhwy-dev)
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

# DuckDB's library, and the reader of Arrow files that tests use, are no Debian packages. Npm packages have each as one
# file, which goes to a folder where Edgemill or the test looks for it. Without npm, the tests that need it are skipped.
folder=$HOME/.local/lib
[ "$(id -u)" != 0 ] || folder=/usr/local/lib/edgemill
install_npm_file() {  # PACKAGE FILE WHAT TESTS
  local package=$1 file=$2 what=$3 tests=$4 work
  if ! command -v npm > /dev/null; then
    echo "setup: there is no npm: tests of $tests are skipped without $file"
    return
  fi
  work=$(mktemp -d)
  if (cd "$work" && npm pack --silent "$package" && tar -xzf ./*.tgz "package/$file") > "$work/log" 2>&1 < /dev/null; then
    mkdir -p "$folder"
    # The name appears with the whole file.
    mv "$work/package/$file" "$folder/$file.new" && mv "$folder/$file.new" "$folder/$file"
    echo "setup: $what is in $folder"
  else
    echo "setup: $what cannot be fetched, and tests of $tests are skipped: $(tail -1 "$work/log")"
  fi
  rm -r "$work"
}
install_duckdb() {
  local library=libduckdb.so place
  for place in "${EDGEMILL_DUCKDB:-}" {"$HOME/.local",/usr/local}/lib/$library /usr/local/lib/edgemill/$library; do
    if [ -n "$place" ] && [ -e "$place" ]; then return; fi
  done
  if [ "$(uname -m)" != x86_64 ]; then
    echo "setup: there is no $library for this machine: tests of Parquet and SQL are skipped"
    return
  fi
  install_npm_file @duckdb/node-bindings-linux-x64@1.5.6-r.1 $library "DuckDB's library" "Parquet and SQL"
}
install_arrow() {
  local reader=Arrow.es2015.min.js
  [ -e "$folder/$reader" ] || install_npm_file apache-arrow@21.2.0 $reader "the reader of Arrow files" "Arrow files"
}

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${Status}' "$package" 2> /dev/null || true)
  [ "$status" = "install ok installed" ] || missing+=("$package")
done
if [ ${#missing[@]} = 0 ]; then
  echo "setup: all ${#packages[@]} packages are installed"
  [ "${1:-run}" != test ] || { install_duckdb; install_arrow; }
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
[ "${1:-run}" != test ] || { install_duckdb; install_arrow; }
echo "setup: done"
