#!/bin/bash
# Compares what ingest reads from messy text with Python's csv module and NetworkX: messes_test.sh EDGEMILL.
# EDGEMILL_TEST_FILES is the number of files (default: 60). Skips with exit code 77 if no Python has NetworkX.
set -euo pipefail
checks=$(dirname "${BASH_SOURCE[0]}")
for python in python3 /usr/bin/python3 ""; do
  [ -n "$python" ] || { echo "skipped: no Python has NetworkX (scripts/setup.sh test installs it)"; exit 77; }
  "$python" -c 'import networkx' 2> /dev/null && break
done
"$python" "$checks/check_messes.py" "$1" "${EDGEMILL_TEST_FILES:-60}"

# The comparison must detect a program that loses an edge.
wrong=$(mktemp)
trap 'rm -f "$wrong"' EXIT
printf '#!/bin/bash\n[ "$1" = ingest ] && exec %q "$@"\n%q "$@" | sed 1d\n' "$1" "$1" > "$wrong"
chmod +x "$wrong"
if "$python" "$checks/check_messes.py" "$wrong" 3 > "$wrong.out" || ! grep -q 'not read: \[(' "$wrong.out"; then
  echo "an edge that was lost was not found: $(cat "$wrong.out")"
  exit 1
fi
rm "$wrong.out"
