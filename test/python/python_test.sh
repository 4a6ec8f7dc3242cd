#!/bin/bash
# python_test.sh EDGEMILL LIBRARY: tests the Python package with each Python of 3.9 or later that is found. Skips with
# exit code 77 if there is none. EDGEMILL_TEST_PYTHON names one Python in their place.
set -euo pipefail
checks=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export EDGEMILL=$1 EDGEMILL_LIBRARY=$2 PYTHONPATH=$checks/../../python:$checks PYTHONDONTWRITEBYTECODE=1
tested=0
for python in ${EDGEMILL_TEST_PYTHON:-python3 /usr/bin/python3}; do
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2> /dev/null || continue
  "$python" --version
  (cd "$checks" && "$python" -W error::ResourceWarning -m unittest)
  tested=$((tested + 1))
done
[ "$tested" -gt 0 ] || { echo "skipped: there is no Python of version 3.9 or later"; exit 77; }
