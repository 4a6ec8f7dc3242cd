#!/bin/bash
# The table of memory in docs/OPERATIONS.md has what runs need: bytes a vertex of undirected and directed graphs, without
# and with --verify, from two graphs of different size.
source "$(dirname "$0")/lib.sh"
page=$(realpath "$checks/../../docs/OPERATIONS.md")
# So large that what does not grow with the vertices is not the most of any phase of a run.
small=18 large=20

for scale in $small $large; do
  expect 0 generate path "undirected$scale.mill" --scale "$scale" --weights random:1:9:1
  expect 0 export "undirected$scale.mill" path.bin32 --force
  expect 0 ingest path.bin32 "directed$scale.mill" --directed --weights random:1:9:1
done

# least GRAPH ALGORITHM OPTION...: the least memory of a run, in bytes.
least() {
  local needs=()
  case $2 in
    bfs | sssp | sswp | ssnsp | betweenness) needs=(-r 0) ;;
    hs | nn | cs) needs=(-i 3) ;;
  esac
  "$edgemill" run "$2" "$1" "${@:3}" "${needs[@]}" --dry-run --device cpu --threads 1 --memory 4GiB --json least.json > out 2> err ||
    { echo none; return; }
  sed -n 's/.*"least_memory_bytes": \([0-9]*\).*/\1/p' least.json
}

# a_vertex KIND ALGORITHM OPTION...: the same a vertex.
a_vertex() {
  local few many
  few=$(least "$1$small.mill" "${@:2}")
  many=$(least "$1$large.mill" "${@:2}")
  awk -v few="$few" -v many="$many" -v less=$small -v more=$large \
    'BEGIN { if (few == "none") print "-"; else printf "%.2f\n", (many - few) / (2 ^ more - 2 ^ less) }'
}

sed -n '/^| run | undirected /,/^$/p' "$page" | sed '1,2d; /^$/d' | tr -d '`' > rows
while IFS='|' read -r _ run undirected directed undirected_verified directed_verified _; do
  read -r -a words <<< "$run"
  echo "${words[0]}" >> told
  for column in "undirected $undirected" "directed $directed" "undirected $undirected_verified --verify" \
    "directed $directed_verified --verify"; do
    read -r kind bytes verify <<< "$column"
    # shellcheck disable=SC2086
    found=$(a_vertex "$kind" "${words[@]}" $verify)
    awk -v a="$found" -v b="$bytes" 'BEGIN { exit a == b || (a + 0 > 0 && (a - b) ^ 2 < .0101) ? 0 : 1 }' ||
      fail "${words[*]} $verify on $kind graphs takes $found bytes a vertex, and OPERATIONS.md says $bytes"
  done
done < rows
expect 0
sed -n '/^  run /,/^  info /s/^ \{17\}//p' out | tr -s '; ' '\n' | grep -v ':$' | sort -u > names
sort -u told > told.sorted
same names told.sorted
finish
