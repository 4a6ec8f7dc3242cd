#!/bin/bash
# Writes the parts of documents that describe all algorithms, from the declarations in engine/algorithms. They are
# docs/ALGORITHMS.md, the table in README.md and the rows of memory in docs/OPERATIONS.md.
#   scripts/algorithm_lists.sh [PROGRAM]          all three, with PROGRAM (default: build/release/edgemill)
#   scripts/algorithm_lists.sh PROGRAM FOLDER     the first two, into FOLDER, for the test that compares them
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
program=$(realpath "${1:-$root/build/release/edgemill}")
folder=${2:-$root}

page=$("$program" help algorithms)
table=$(sed -n '/^| group | algorithm /,/^$/p' <<< "$page" | sed '/^$/d; s|](#|](docs/ALGORITHMS.md#|')
readme=$(awk -v table="$table" '
  /^\| group \| algorithm / { print table; inside = 1 }
  $0 == "" { inside = 0 }
  !inside' "$root/README.md")
printf '%s\n' "$page" > "$folder/docs/ALGORITHMS.md"
printf '%s\n' "$readme" > "$folder/README.md"
[ $# = 2 ] || "$root/test/cli/memory_table_test.sh" "$program" rewrite
