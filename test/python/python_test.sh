#!/bin/bash
# python_test.sh EDGEMILL LIBRARY: tests the Python package with each Python of 3.9 or later that is found. Skips with
# exit code 77 if there is none. EDGEMILL_TEST_PYTHON names one Python in their place.
set -euo pipefail
checks=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
package=$checks/../../python
export EDGEMILL=$1 EDGEMILL_LIBRARY=$2 PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tested=0
installed=0
for python in ${EDGEMILL_TEST_PYTHON:-python3 /usr/bin/python3}; do
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2> /dev/null || continue
  "$python" --version
  (cd "$checks" && PYTHONPATH=$package:$checks "$python" -W error::ResourceWarning -m unittest)
  tested=$((tested + 1))

  # A wheel has the library in it, and pip installs it for any Python: here without the network.
  [ "$installed" = 0 ] || continue
  "$python" -c 'import setuptools, wheel, pip' 2> /dev/null || continue
  EDGEMILL_PYTHON=$python "$package/../scripts/wheel.sh" "$EDGEMILL_LIBRARY" "$work/wheels" > /dev/null
  "$python" -m pip install -q --no-index --no-deps --root-user-action=ignore --target "$work/installed" \
    "$work"/wheels/edgemill-*-py3-none-*.whl
  said=$(cd "$work" && env -u EDGEMILL_LIBRARY PYTHONPATH="$work/installed" "$python" -c '
import edgemill, _edgemill_networkx
mapped = {line.split()[-1] for line in open("/proc/self/maps") if "/" in line}
print(edgemill.__file__, *sorted(path for path in mapped if "libedgemill" in path or "rocksdb" in path))')
  at=$work/installed/edgemill
  [[ $said == "$at/__init__.py $at/libedgemill.so."*" $at/libs/librocksdb.so."* ]] || { echo "a wheel has: $said"; exit 1; }
  [ -e "$at/_declared.pyi" ] && [ -e "$at/py.typed" ] || { echo "the wheel lacks its types"; exit 1; }
  grep -q 'edgemill = edgemill.networkx:backend' "$work"/installed/edgemill-*.dist-info/entry_points.txt
  installed=1
done
[ "$tested" -gt 0 ] || { echo "skipped: there is no Python of version 3.9 or later"; exit 77; }
