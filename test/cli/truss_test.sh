#!/bin/bash
# edgemill truss: outputs by ids and names, the same bytes in any memory, and what is refused before work.
source "$(dirname "$0")/lib.sh"
# A clique of four, a triangle at one of its edges, an edge beside; duplicates and loops do not count.
printf '10 20\n20 30\n30 10\n10 40\n20 40\n30 40\n40 30\n30 50\n40 50\n50 60\n60 60\n10 20\n' > a.el
expect 0 ingest a.el a.mill --block-edges 128
expect 0 ingest a.el both.mill --undirected
printf '10 20 4\n10 30 4\n10 40 4\n20 30 4\n20 40 4\n30 40 4\n30 50 3\n40 50 3\n50 60 2\n' > want
for graph in a.mill both.mill; do
  expect 0 truss $graph --verify -o out.txt --force
  says 'largest k       4'
  says 'verified        yes, 9 edges'
  sort -n out.txt | cmp - want || fail "$graph: $(cat out.txt)"
  expect 0 truss $graph -k 4 --verify -o - --quiet
  sort -n out | cmp - <(head -6 want) || fail "$graph: $(cat out)"
done
expect 73 truss a.mill -o out.txt
expect 0 truss a.mill -o out.tsv
sort -n out.tsv | cmp - <(tr ' ' '\t' < want) || fail "$(cat out.tsv)"
expect 0 truss a.mill -k 3 -o out.csv --json counts.json
says 'in 3-truss      8'
[ "$(head -1 out.csv)" = source,target,truss ] || fail "$(head -1 out.csv)"
tail -n +2 out.csv | sort -n | cmp - <(head -8 want | tr ' ' ,) || fail "$(cat out.csv)"
valid_json counts.json
tr -d ' \n' < counts.json > compact
grep -qF '"edges":9,"k":3,"edges_in_truss":8,"largest_truss":4,"classes":[{"truss":3,"edges":2},{"truss":4,"edges":6}]' compact ||
  fail "$(cat counts.json)"
expect 0 truss a.mill -k 5 -o none.txt
says 'largest k       0'
[ ! -s none.txt ] || fail "edges in no truss: $(cat none.txt)"
expect 0 truss a.mill --json -
valid_json out

# Parquet, which is read back where DuckDB is.
expect 0 truss a.mill -o out.parquet
[ "$(head -c 4 out.parquet)$(tail -c 4 out.parquet)" = PAR1PAR1 ] || fail 'out.parquet is no Parquet file'
expect 0 truss a.mill -o out.arrow
[ "$(head -c 6 out.arrow)" = ARROW1 ] || fail 'out.arrow is no Arrow file'
run ingest out.parquet back.mill --csv-columns source,target,truss
if [ "$code" = 0 ]; then
  expect 0 export back.mill back.wel
  sort -n back.wel | cmp - want || fail "$(cat back.wel)"
fi

# Names; the order of names decides which is first.
printf 'cy d,bob\nbob,ann\nann,"cy d"\n' > n.csv
expect 0 ingest n.csv n.mill --header no --undirected --ids strings
expect 0 truss n.mill -o names.txt
printf 'ann "cy d" 3\nann bob 3\nbob "cy d" 3\n' | LC_ALL=C sort > want
LC_ALL=C sort names.txt | cmp - want || fail "$(cat names.txt)"
expect 0 truss n.mill -o names.parquet
grep -qa 'cy d' names.parquet || fail 'no name in names.parquet'

# The same bytes in any memory, on any threads.
expect 0 generate kron k.mill --scale 11 --edge-factor 8 --seed 3 --block-edges 1024
expect 0 truss k.mill -o right.txt --threads 1 --verify
[ "$(wc -l < right.txt)" = "$(sort -u right.txt | wc -l)" ] || fail 'an edge comes twice'
for threads in 2 7; do
  expect 0 truss k.mill -o few.txt --threads $threads --force
  cmp right.txt few.txt || fail "other bytes on $threads threads"
done
run truss k.mill -o no.txt --threads 2 --memory 1MiB
[ "$code" = 71 ] || fail "exit code $code with 1 MiB"
says 'truss needs at least --memory'
least=$(sed -E 's/.*--memory ([0-9.]+ ?[MG]iB).*/\1/; s/ //' err)
expect 0 truss k.mill -o few.txt --threads 2 --memory "$least" --force --verify
cmp right.txt few.txt || fail "other bytes in $least"
awk '$3 >= 9' right.txt > want
expect 0 truss k.mill -k 9 -o few.txt --threads 2 --memory "$least" --force --verify
cmp want few.txt || fail "other bytes of the 9-truss in $least"
# A reader that has enough.
"$edgemill" truss k.mill -o - --quiet 2> err | head -1 > first
cmp first <(head -1 right.txt) || fail "$(cat first err)"

# A graph without edges, and what is refused, before work.
printf '1 1\n' > loop.el
expect 0 ingest loop.el loop.mill
expect 0 truss loop.mill -o loop.txt --verify
says 'edges           0'
[ ! -s loop.txt ] || fail "$(cat loop.txt)"
for k in 1 0 -1 x 99999999999; do
  expect 64 truss a.mill --k $k -o no.txt
  says '--k'
done
expect 64 truss a.mill -o no.npy
says '--output no.npy'
expect 64 truss a.mill -o no.mtx
expect 66 truss nothing.mill
expect 64 truss
expect 64 run ktruss a.mill
says 'edgemill truss'
expect 0 ingest a.el out.mill --columns out
expect 64 truss out.mill -o no.txt
[ ! -e no.txt ] || fail 'a file of a run that was refused'
finish
