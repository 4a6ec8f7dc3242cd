#!/bin/bash
# Compares centralities (also by weights), structure, similarities of pairs, truss numbers and the figures of stats
# with NetworkX: networkx_test.sh EDGEMILL [DEVICE]...
# EDGEMILL_TEST_GRAPHS is the number of graphs (default: 30). Skips with exit code 77 if no Python has NetworkX.
set -euo pipefail
checks=$(dirname "${BASH_SOURCE[0]}")
for python in python3 /usr/bin/python3 ""; do
  [ -n "$python" ] || { echo "skipped: no Python has NetworkX (scripts/setup.sh test installs it)"; exit 77; }
  "$python" -c 'import networkx' 2> /dev/null && break
done
cases=$(mktemp -d)
trap 'rm -rf "$cases"' EXIT
"$python" "$checks/make_cases.py" "$cases/all" "${EDGEMILL_TEST_GRAPHS:-30}"
"$python" "$checks/check_cases.py" "$1" "$cases/all" "${@:2}"
"$python" "$checks/check_stats.py" "$1"
"$python" "$checks/check_pairs.py" "$1"
"$python" "$checks/check_truss.py" "$1"
"$python" "$checks/check_weights.py" "$1"

# The comparison must detect a wrong answer.
mkdir "$cases/wrong"
sed -E 's/("kcore": \{"[0-9]+": )[0-9]+/\19/' "$cases/all/0000.json" > "$cases/wrong/0000.json"
if "$python" "$checks/check_cases.py" "$1" "$cases/wrong" > "$cases/out" || ! grep -q 'not 9' "$cases/out"; then
  echo "a wrong core number was not found: $(cat "$cases/out")"
  exit 1
fi
