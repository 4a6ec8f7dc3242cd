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
# README.md has a row for each group, with the names of its algorithms.
table=$(sed -n '/^| group | algorithm /,/^$/p' <<< "$page" | sed '1,2d; /^$/d; s|](#|](docs/ALGORITHMS.md#|' |
  awk -F ' *[|] *' '
    BEGIN { print "| group | algorithms |\n| --- | --- |" }
    $2 != group { if (group != "") print row " |"; group = $2; row = "| " group " | " $3; next }
    { row = row ", " $3 }
    END { print row " |" }')
readme=$(awk -v table="$table" '
  /^\| group \| algorithms? / { print table; inside = 1 }
  $0 == "" { inside = 0 }
  !inside' "$root/README.md")
printf '%s\n' "$page" > "$folder/docs/ALGORITHMS.md"
printf '%s\n' "$readme" > "$folder/README.md"
[ $# = 2 ] || "$root/test/cli/memory_table_test.sh" "$program" rewrite
