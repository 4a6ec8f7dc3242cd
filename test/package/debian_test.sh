#!/bin/bash
# debian_test.sh BUILD: makes the Debian package of BUILD, unpacks it elsewhere, and uses what is in it.
set -euo pipefail
checks=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
package=$("$checks/../../scripts/package.sh" "$1" | tail -1)
cd "$checks/../.."

dpkg-deb -f "$package" Depends | grep -q 'librocksdb.*libzstd' || { echo "it depends on: $(dpkg-deb -f "$package" Depends)"; exit 1; }
dpkg-deb -f "$package" Suggests | grep -q 'libisal-dev, libbz2-dev' || { echo "it suggests: $(dpkg-deb -f "$package" Suggests)"; exit 1; }
dpkg-deb -x "$package" "$work/root"
usr=$work/root/usr
export LD_LIBRARY_PATH=$usr/lib PKG_CONFIG_PATH=$usr/lib/pkgconfig
"$usr/bin/edgemill" version | grep -q '^edgemill 0'
for file in share/man/man1/edgemill-run.1 share/bash-completion/completions/edgemill share/doc/edgemill/copyright \
            share/zsh/vendor-completions/_edgemill; do
  [ -s "$usr/$file" ] || { echo "the package has no $file"; exit 1; }
done
# shellcheck disable=SC2046 # several words
g++ -std=c++20 examples/library/distances.cc -o "$work/distances" $(pkg-config --cflags --libs edgemill)
"$work/distances" "$work/ring.mill" | grep -q '^vertices 1000$'
if command -v python3 > /dev/null; then
  PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$usr/lib/python3/dist-packages python3 - "$work/ring.mill" << 'END'
import sys, edgemill
assert len(edgemill.open(sys.argv[1]).cc(device="cpu")) == 1000
END
fi
echo "$package works"
