#!/bin/bash
# The table of memory in docs/OPERATIONS.md has the bytes a vertex that runs need, without and with --verify. They are
# the difference of two graphs, undirected or directed, of different size. `memory_table_test.sh PROGRAM rewrite`, which
# scripts/algorithm_lists.sh calls, writes rows that are wrong or missing.
source "$(dirname "$0")/lib.sh"
task=${2:-compare}
mend='scripts/algorithm_lists.sh PROGRAM writes it anew'
page=$(realpath "$checks/../../docs/OPERATIONS.md")
# Graphs are so large that memory that does not grow with the vertices is never the largest part of a phase.
small=18 large=20

for scale in $small $large; do
  expect 0 generate path "undirected$scale.mill" --scale "$scale" --weights random:1:9:1
  expect 0 export "undirected$scale.mill" path.bin32 --force
  expect 0 ingest path.bin32 "directed$scale.mill" --directed --weights random:1:9:1
done

# least GRAPH ALGORITHM OPTION...: the least memory of a run, in bytes.
least() {
  local needs=()
  "$edgemill" help run "$2" | grep -qE -- '--source ID' && needs=(-r 0)
  "$edgemill" help run "$2" | grep -qE -- '--target ID' && needs+=(--target 1)
  "$edgemill" run "$2" "$1" "${@:3}" "${needs[@]}" --dry-run --device cpu --threads 1 --memory 4GiB --json least.json > out 2> err ||
    { echo none; return; }
  sed -n 's/.*"least_memory_bytes": \([0-9]*\).*/\1/p' least.json
}

# a_vertex KIND ALGORITHM OPTION...: the bytes of that memory for each vertex.
a_vertex() {
  local few many
  few=$(least "$1$small.mill" "${@:2}")
  many=$(least "$1$large.mill" "${@:2}")
  awk -v few="$few" -v many="$many" -v less=$small -v more=$large \
    'BEGIN { if (few == "none") print "-"; else printf "%.2f\n", (many - few) / (2 ^ more - 2 ^ less) }'
}

# numbers RUN: its bytes a vertex on both kinds of graphs, without and with --verify, in the order of the columns.
numbers() {
  local words verify kind
  read -r -a words <<< "$1"
  for verify in '' --verify; do
    # shellcheck disable=SC2086
    for kind in undirected directed; do a_vertex $kind "${words[@]}" $verify; done
  done
}

# add_row RUN: adds it to the file table, with the numbers of the file found.
add_row() {
  awk -v run="$1" 'BEGIN { printf "| `%s` |", run }
    { printf $1 == "-" ? " - |" : " %.1f |", $1 } END { print "" }' found >> table
}

sed -n '/^| run | undirected /,/^$/p' "$page" | sed '1,2d; /^$/d' > rows
while IFS= read -r line; do
  IFS='|' read -r _ run told <<< "$line"
  run=$(tr -d '\140' <<< "$run" | xargs)
  echo "$run" >> runs
  numbers "$run" > found
  if tr -d ' ' <<< "$told" | tr '|' '\n' | sed '/^$/d' | paste found - |
    awk '{ wrong += !($1 == $2 || ($1 + 0 > 0 && ($1 - $2) ^ 2 < .0101)) } END { exit wrong > 0 || NR != 4 }'; then
    echo "$line" >> table
  else
    add_row "$run"
    [ "$task" = rewrite ] ||
      fail "$run takes $(paste -sd ' ' found) bytes a vertex, and OPERATIONS.md says ${told//|/}: $mend"
  fi
done < rows
for name in $(algorithm_names); do
  grep -qE "^$name( |\$)" runs && continue
  [ "$task" = rewrite ] || fail "OPERATIONS.md has no row for $name: $mend"
  numbers "$name" > found
  add_row "$name"
done
[ "$task" = rewrite ] && awk '
  /^\| run \| undirected / { print; getline; print; while ((getline line < "table") > 0) print line; inside = 1 }
  $0 == "" { inside = 0 } !inside' "$page" > rewritten && cp rewritten "$page"
finish
