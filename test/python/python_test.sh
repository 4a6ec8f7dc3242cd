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

  # pip installs the package, here without the network: what it builds with must be there.
  [ "$installed" = 0 ] || continue
  "$python" -c 'import pip, setuptools, wheel' 2> "$work/missing" || continue
  cp -r "$package" "$work/source"  # a build leaves files
  "$python" -m pip install -q --no-index --no-deps --no-build-isolation --root-user-action=ignore \
    --target "$work/installed" "$work/source"
  said=$(cd "$work" && PYTHONPATH=$work/installed "$python" -c 'import edgemill, _edgemill_networkx; print(edgemill.__file__)')
  [ "$said" = "$work/installed/edgemill/__init__.py" ] || { echo "pip installs it at: $said"; exit 1; }
  grep -q 'edgemill = edgemill.networkx:backend' "$work"/installed/edgemill-*.dist-info/entry_points.txt
  installed=1
done
[ "$tested" -gt 0 ] || { echo "skipped: there is no Python of version 3.9 or later"; exit 77; }
