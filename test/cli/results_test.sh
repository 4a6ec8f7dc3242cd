#!/bin/bash
# Answers, summaries, reports and JSON. Standard output may be a file, a pipe or closed.
source "$(dirname "$0")/lib.sh"
small_graph
expect 0 ingest small.el small.mill --ids dense --weights random:1:9:1 --json ingest.json
valid_json ingest.json
[ "$(json_number ingest.json edges)" = 8 ] || fail "ingest.json has no edge count"
expect 0 info small.mill --json -
valid_json out
[ "$(json_number out vertices)" = 8 ] || fail "info counts $(json_number out vertices) vertices"
[ "$(json_number out self_loops)" = 1 ] || fail "info counts loops wrongly"
[ "$(json_number out duplicates)" = 1 ] || fail "info counts duplicates wrongly"
expect 0 info small.mill
says 'out-neighbors'
expect 0 verify small.mill --json -
valid_json out
expect 0 verify small.mill
says 'all good'

unreached=9223372036854775807
for algorithm in 'bfs -r 0' 'sssp -r 0' 'sswp -r 0' 'ssnsp -r 0' cc pagerank; do
  # shellcheck disable=SC2086
  set -- $algorithm
  name=$1
  shift
  expect 0 run "$name" small.mill "$@" -v --json "$name.json" --report "$name.html" \
    --output "$name.txt"
  tail -6 out | grep -q '^bytes read' || fail "$name: the summary does not end standard output"
  valid_json "$name.json"
  # The facts of an answer are JSON numbers, not text.
  sed -n '/"result": {/,/}/p' "$name.json" > numbers
  grep -q ': [0-9]' numbers || fail "$name.json gives no numbers: $(cat numbers)"
  ! grep -q ': "' numbers || fail "$name.json gives numbers as text: $(cat numbers)"
  grep -q '<svg' "$name.html" || fail "$name.html draws nothing"
  [ "$name" != pagerank ] || grep -qE '<td class="l">[0-9]+</td><td>0\.[0-9]+</td>' "$name.html" || fail "no ranks in $name.html"
  ! grep -qE '(src|href)=' "$name.html" || fail "$name.html needs other files"
  [ "$(wc -l < "$name.txt")" = 8 ] || fail "$name.txt has $(wc -l < "$name.txt") lines"
  expect 0 run "$name" small.mill "$@" --report "$name.report.json" --json -
  valid_json "$name.report.json"
  valid_json out
  expect 0 run "$name" small.mill "$@" --output "$name.csv"
  expect 0 run "$name" small.mill "$@" --output "$name.tsv"
  tail -n +2 "$name.csv" | tr , ' ' > a; tr '\t' ' ' < "$name.tsv" > b
  same a "$name.txt"; same b "$name.txt"
  expect 0 run "$name" small.mill "$@" --output "$name.npy"
  [ "$(head -c 6 "$name.npy" | tail -c 5)" = NUMPY ] || fail "$name.npy is no NumPy file"
  [ "$(stat -c %s "$name.npy")" = 192 ] || fail "$name.npy has $(stat -c %s "$name.npy") bytes"
  expect 0 run "$name" small.mill "$@" --threads 1 --output one.txt --force
  same one.txt "$name.txt"
done
[ "$(json_number bfs.json reached_vertices)" = 5 ] || fail "bfs reached: $(cat bfs.json)"
[ "$(json_number cc.json largest_component_vertices)" = 5 ] || fail "the largest: $(cat cc.json)"
[ "$(json_number cc.json components)" = 3 ] || fail "components: $(cat cc.json)"
for key in iterations last_change_l1 sum_of_ranks rank; do
  [ -n "$(json_number pagerank.json $key)" ] || fail "pagerank.json has no $key"
done

# A list for each vertex: a line has its values in the order of the sources.
printf '1 2\n2 3\n3 4\n9 9\n' > lists.el
expect 0 ingest lists.el lists.mill
for suffix in txt tsv csv npy; do expect 0 run msbfs lists.mill -r 1 -r 3 -v -o "lists.$suffix"; done
says 'reached pairs   6'
printf '1 0 inf\n2 1 inf\n3 2 0\n4 3 1\n9 inf inf\n' > want
same lists.txt want
tr '\t' ' ' < lists.tsv > got; same got want
[ "$(head -1 lists.csv)" = id,1,3 ] || fail "the header of lists: $(head -1 lists.csv)"
tail -n +2 lists.csv | tr , ' ' > got; same got want
head -c 128 lists.npy | grep -qaF "'shape': (5, 2)" || fail "the shape of lists: $(head -c 128 lists.npy)"
[ "$(stat -c %s lists.npy)" = $((128 + 5 * 2 * 8)) ] || fail "lists.npy has $(stat -c %s lists.npy) bytes"
[ "$(stat -c %s lists.ids.npy)" = $((128 + 5 * 8)) ] || fail "lists.ids.npy has $(stat -c %s lists.ids.npy) bytes"
# Ids or names beside the array are those of its rows: others are not left there, nor taken over without a word.
: > dense.names
expect 73 run cc small.mill -o dense.npy
says dense.names
printf 'old' > dense.ids.npy
expect 0 run cc small.mill -o dense.npy --force
absent dense.names dense.ids.npy
# Files in memory are files, whose suffix names the format.
shm=$(mktemp -d /dev/shm/edgemill-XXXXXX)
expect 0 run cc small.mill -o "$shm/a.csv"
head -n 1 "$shm/a.csv" | grep -qx 'id,component' || fail "/dev/shm: $(head -n 1 "$shm/a.csv")"
rm -r "$shm"
[ "$(od -An -t d8 -j 128 lists.npy | tr -s ' \n' ' ')" = " 0 $unreached 1 $unreached 2 0 3 1 $unreached $unreached " ] ||
  fail "the values of lists: $(od -An -t d8 -j 128 lists.npy)"
printf 'ann bob\nbob "carl, c"\n' > named.el
expect 0 ingest named.el named.mill
expect 0 run msbfs named.mill -r ann -r 'carl, c' -o named.csv
printf 'id,ann,"carl, c"\nann,0,inf\nbob,1,inf\n"carl, c",2,0\n' > want
same named.csv want
expect 64 run msbfs named.mill -r ann -r bob -r ann
says 'msbfs: --source number 3 is the same vertex as number 1: give each vertex once'
# shellcheck disable=SC2046
expect 64 run msbfs lists.mill $(seq 1 513 | sed 's/^/-r /')
says 'msbfs: --source was given 513 times, and searches at once are at most 512'
expect 64 run msbfs lists.mill -r 1 -r 77
says 'vertex 77 is not in lists.mill'
# --histogram: levels and components of the small graph, and ranks, add up to all vertices.
expect 0 run bfs small.mill -r 0 --histogram --json h.json --report h.html
valid_json h.json
[ "$(grep -c '#' out)" = "$(sort -u -k 2 bfs.txt | grep -cv inf)" ] || fail "the levels have other bins: $(cat out)"
says 'no value: '
grep -q 'Histogram' h.html || fail "the page has no histogram"
bins=$(tr -d ' \n' < h.json | sed 's/.*"histogram":{"counts":"values","bins":\[//; s/\].*//')
[[ $bins == '{"first":0,"last":0,"values":1},'* ]] || fail "the source is not alone at level 0: $bins"
expect 0 run cc small.mill --histogram --json h.json
tr -d ' \n' < h.json | grep -q '"histogram":{"counts":"groups","bins":\[{"first":1,"last":1,"groups":' ||
  fail "components have no sizes: $(cat h.json)"
expect 0 run pagerank small.mill --histogram --json h.json
valid_json h.json
sum=$(awk '/^ *"values": /{ sum += $2 } END { print sum }' h.json)
[ "$sum" = 8 ] || fail "$sum ranks are in the histogram"
expect 0 run bfs small.mill -r 0 --json h.json
grep -q '"histogram": null' h.json || fail "a histogram that was not asked for: $(grep histogram h.json)"

expect 0 run bfs small.mill -r 0 --unreachable graphalytics --output g.txt
grep -qx '5 9223372036854775807' g.txt || fail "graphalytics' unreachable is missing: $(cat g.txt)"
expect 0 run cc small.mill -n 3
says 'trials'
expect 0 run cc small.mill --quiet
[ ! -s err ] || fail "--quiet is not quiet: $(cat err)"

# Places to which outputs may not go.
expect 73 run cc small.mill --output cc.txt
expect 0 run cc small.mill --output cc.txt --force
expect 73 run cc small.mill --output nowhere/cc.txt
expect 73 run cc small.mill --json nowhere/cc.json
mkdir folder.txt
expect 73 run cc small.mill --output folder.txt
expect 74 run cc small.mill --output /dev/full
expect 0 run cc small.mill --output /dev/null
[ -c /dev/null ] || fail "/dev/null was replaced"
"$edgemill" run cc small.mill > /dev/full 2> err; [ $? = 74 ] || fail "a full stdout goes unnoticed"

# Readers that end early, and standard streams that are closed.
printf '%s\n' 0 | awk '{for (i = 0; i < 200000; ++i) print i, i + 1}' > path.el
expect 0 ingest path.el path.mill
set -o pipefail
"$edgemill" run cc path.mill --output - 2> err | head -1 > out || fail "a closed pipe: $(cat err)"
[ "$(cat out)" = '0 0' ] || fail "head got $(cat out)"
! grep -q '^edgemill' err || fail "a closed pipe is called an error: $(cat err)"
"$edgemill" export path.mill - 2> err | head -1 > out || fail "a closed pipe: $(cat err)"
"$edgemill" info small.mill >&- 2> err || fail "closed standard output: $(cat err)"
"$edgemill" run cc small.mill <&- >&- 2>&- || fail "all streams closed"
expect 0 verify small.mill
expect 0 remove path.mill
absent path.mill
# A source that reaches no other vertex gives an answer, with a warning.
printf '0 1\n1 2\n2 2\n' > chain.el
expect 0 ingest chain.el chain.mill
for algorithm in bfs sssp sswp ssnsp; do
  expect 0 run $algorithm chain.mill -r 2 --json warned.json
  says 'warning         no edge leads from the source'
  grep -q '"no edge leads' warned.json || fail "$algorithm: no warning in the JSON"
  expect 0 run $algorithm chain.mill -r 1 --json fine.json
  ! grep -q warning out || fail "$algorithm warns of a source with an edge"
  grep -q '"warnings": \[\]' fine.json || fail "$algorithm: warnings are not empty"
done
finish
