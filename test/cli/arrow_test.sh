#!/bin/bash
# Answers as Arrow files, read back by Apache Arrow's library for JavaScript: numbers, names, missing values, lists, and
# several batches. Skipped without the library.
source "$(dirname "$0")/lib.sh"
library=
for place in "$HOME/.local/lib" /usr/local/lib/edgemill; do
  [ ! -e "$place/Arrow.es2015.min.js" ] || library=$place/Arrow.es2015.min.js
done
if [ -z "$library" ] || ! command -v node > /dev/null; then
  echo "skipped: node or Apache Arrow's library is not there: scripts/setup.sh test gets the library"
  exit 77
fi

# alike COLUMN:TYPE... -- ARGUMENT...: the run's answer as .arrow and as .txt, for several numbers of threads.
alike() {
  local columns=() threads
  while [ "$1" != -- ]; do columns+=("$1"); shift; done
  shift
  expect 0 "$@" --output answer.txt --force
  for threads in 1 4; do
    expect 0 "$@" --output answer$threads.arrow --threads $threads --force
    node "$checks/arrow_rows.js" "$library" "$PWD/answer$threads.arrow" "$PWD/answer.txt" "${columns[@]}" 2> err ||
      fail "$*, $threads threads: $(cat err)"
  done
  cmp answer1.arrow answer4.arrow || fail "$*: threads change the file"
}

small_graph
expect 0 ingest small.el small.mill --weights random:1:9:1
alike id:Uint64 level:Int64 -- run bfs small.mill -r 0
grep -q inf answer.txt || fail "all vertices were reached: $(cat answer.txt)"
alike id:Uint64 component:Uint64 -- run cc small.mill
alike id:Uint64 rank:Float64 -- run pagerank small.mill
alike id:Uint64 0:Int64 2:Int64 3:Int64 -- run msbfs small.mill -r 0 -r 2 -r 3
alike id:Uint64 degree:Int64 -- run degrees small.mill

# More rows than a batch has, of which the rows of whole batches are missing.
expect 0 generate path path.mill --vertices 500000
alike id:Uint64 level:Int64 -- run bfs path.mill -r 7 -i 140000
alike id:Uint64 parent:Uint64 -- run bfs path.mill -r 7 -i 140000 --parents

printf 'ann bob\nbob carl\nzoë 日本\nx y\n' > named.el
expect 0 ingest named.el named.mill
alike name:Utf8 component:Utf8 -- run cc named.mill
alike name:Utf8 parent:Utf8 -- run bfs named.mill -r ann --parents
alike name:Utf8 rank:Float64 -- run pagerank named.mill
awk 'BEGIN { for (i = 0; i < 100000; ++i) printf "name-%d-%s name-%d\n", i * 7919 % 100003, i % 5 ? "a" : "longer_than_others", i % 999 }' > names.el
expect 0 ingest names.el names.mill --ids strings
alike name:Utf8 component:Utf8 -- run cc names.mill

printf 'ann bob\nbob carl\nann carl\n' > pairs.txt
alike u:Utf8 v:Utf8 similarity:Float64 -- pairs named.mill pairs.txt
printf '0 1\n1 2\n0 2\n' > pairs.txt
alike u:Uint64 v:Uint64 similarity:Float64 -- pairs small.mill pairs.txt

# What is no table of answers or pairs is refused before work.
expect 64 walks small.mill --output walks.arrow
says '.txt, .tsv or .csv'
expect 64 run bfs small.mill -r 0 --output x.arrow --unreachable graphalytics
says '--unreachable cannot act with --output x.arrow'
finish
