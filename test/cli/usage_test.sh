#!/bin/bash
# Wrong command lines, help and version.
source "$(dirname "$0")/lib.sh"

expect 0
cat > want << 'HELP'
Graph algorithms on graphs larger than memory: edgemill COMMAND ...
Make a graph
  ingest         read edges from files and write a graph
  generate       make a synthetic graph, straight to disk

Ask it
  run            run an algorithm: edgemill run bfs GRAPH -r 42
  info           vertices, edges, sizes, data directories
  stats          degrees, components, clustering, diameter
  pairs, truss   similarities of given pairs; truss numbers of edges
  walks, sample  random walks; some neighbours, and theirs

Keep it
  export         write a graph's edges to a file
  verify         read and check every block and the catalog
  remove         delete a graph, and nothing else

Measure
  calibrate      measure this machine once, for faster runs
  bench WHAT     disks, memory, links, algorithms: edgemill help bench
edgemill help COMMAND explains a command, edgemill help run bfs an algorithm.
HELP
# The lines below `run` name the algorithms by their groups, as their files declare them.
without_names() { sed -E '/^ {17}[a-z]+: /d' out > told; }
without_names
same told want
[ "$(wc -l < out)" -le 24 ] || fail "help takes more than a screen"
grep -qE '^ {17}paths: ([a-z]+ )*bfs\b' out || fail "bfs is not among the paths: $(cat out)"
expect 0 help
without_names
same told want
# An algorithm in the place of a command gives advice. Commands that remove are never suggested.
expect 64 pr a.mill
says 'pr is an algorithm: edgemill run pr GRAPH'
expect 64 bfs a.mill
says 'edgemill run bfs GRAPH -r ID'
for word in remov reomve rmove; do
  expect 64 "$word" a.mill
  ! grep -q 'did you mean' err || fail "$word leads to: $(cat err)"
done
for option in --replce --repalce; do
  expect 64 ingest a.el a.mill "$option"
  ! grep -q 'did you mean' err || fail "$option leads to: $(cat err)"
done
for alias in pr wcc sssp-delta widest-path path-count; do
  expect 0 help run "$alias"
  says "Also called $alias."
done
expect 64 ingset
says 'did you mean ingest?'
expect 64 --json - info a.mill
says 'command comes before options'
expect 64 run a.mill cc
says 'edgemill run cc a.mill'
expect 64 run ccc a.mill
says 'did you mean cc?'
for command in info stats verify 'run cc' export; do
  # shellcheck disable=SC2086
  expect 66 $command none.mill $([ "$command" = export ] && echo none.el)
  says 'none.mill: there is no such graph directory'
done
expect 64 frobnicate
expect 64 info
says 'GRAPH is missing'
expect 64 info a.mill b.mill
says 'one argument too many'
expect 64 info a.mill --memroy 1G
says 'did you mean --memory?'
expect 64 info a.mill --memory
expect 64 info a.mill --memory 12parsecs
expect 64 info a.mill --memory -5
expect 64 info a.mill --memory 1G --memory 2G
says 'more than once'
expect 64 run bfs a.mill --threads 0
expect 64 run bfs a.mill --threads 1e3
expect 64 run pagerank a.mill -t nan
expect 64 run pagerank a.mill --damping 2
expect 64 run pagerank a.mill -i 0
says 'from 1 to'
expect 64 run pagerank a.mill --dangling sprad
says 'did you mean spread?'
expect 64 run sssp a.mill -r 1 --sync --async
says 'exclude each other'
expect 64 run sssp a.mill -r 1 --async-passes 3
says 'is for --async'
expect 64 run pagerank a.mill --output ranks.xls
expect 64 run pagerank a.mill --report ranks.pdf
expect 64 run pagerank a.mill --output - --json -
expect 64 ingest only.el
expect 64 ingest a.el b.mill --format elx
expect 64 ingest a.el b.mill --directed --undirected
expect 64 ingest a.el b.mill --resume --replace
expect 64 ingest a.el b.mill --weights random:9:1:1
expect 64 ingest a.el b.mill --weights heavy
expect 64 ingest a.el b.mill --block-edges 1000
expect 64 ingest a.el b.mill --block-edges 1024 --page-edges 1000
expect 64 ingest a.el b.mill --block-edges 1024 --page-edges 67109888
says 'from 1024 to 67108864'
expect 64 ingest a.el b.mill --page-edges 0
expect 64 ingest a.el b.mill --uuid 12
expect 64 ingest a.el b.mill --base 2
expect 64 ingest a.el -
expect 64 generate galaxy out.mill
expect 64 help frobnicate
expect 64 help run bsf
says 'did you mean bfs?'
expect 64 run bsf --help
expect 64 help info bfs
absent b.mill out.mill

for command in ingest generate info stats verify run export remove version help; do
  expect 0 help "$command"
  says "edgemill $command"
  expect 0 "$command" --help
done
for algorithm in bfs sssp sswp ssnsp cc pagerank; do
  expect 0 help run "$algorithm"
  [ "$(wc -l < out)" -gt 5 ] || fail "help run $algorithm says little"
  for word in 'Its options:' '--mode' 'Example:' "edgemill run $algorithm web.mill"; do says "$word"; done
  mv out helped
  expect 0 run "$algorithm" --help
  same out helped
done
expect 0 help
expect 0 --help
expect 0 version
expect 0 --version
says 'edgemill '
expect 0 version --json -
valid_json out
expect 0 version --json version.json
valid_json version.json
expect 0 help run bfs --json help.json
valid_json help.json
grep -q '"text": "edgemill run bfs' help.json || fail "the JSON of help holds no text"
# The error for a file name with a line end is one line.
expect 66 info $'no\nsuch.mill'

# Messages say what users would not expect.
: > empty.el
run ingest empty.el empty.mill --format el --quiet
[ "$code" = 0 ] || fail "an empty input: exit code $code"
says 'warning         the input holds no edges'
run generate grid grid.mill --vertices 1000
grep -q '1,000 vertices make no whole rectangle: this one has 1,023' err ||
  fail "a grid of other vertices than asked for is not explained: $(cat err)"
[ "$(grep -c seconds out)" = 0 ] || fail "stages without -v: $(cat out)"
run generate grid grid.mill --vertices 1024 --replace -v
grep -q 'rectangle' err && fail "a whole rectangle is explained: $(cat err)"
grep -q 'read and partition' out || fail "no stages with -v: $(cat out)"
run ingest "$data/cnr-2000/cnr-2000-2010order.el.zst" cnr.mill --dry-run
grep -Eq '^time +[0-9.]+ to [0-9.]+ s$' out || fail "--dry-run gives no range of time: $(cat out)"
absent cnr.mill

# The free space of a file system counts once for all its data directories.
free_bytes() {  # PLACE
  echo $(($(stat -fc '%a * %S' "$1")))
}
printf '0 1\n' > one.el
mkdir first
expect 0 ingest one.el one.mill --dry-run --data first --data second --json dry.json
says 'first and second share a file system'
free=$(json_number dry.json free_bytes)
[ "$free" -lt $((3 * $(free_bytes .) / 2)) ] || fail "$free bytes are free of $(free_bytes .)"
if [ "$(stat -c %d /dev/shm)" != "$(stat -c %d .)" ]; then
  expect 0 ingest one.el one.mill --dry-run --data second --data /dev/shm/edgemill --json dry.json
  ! grep -q 'share a file system' out || fail "two file systems are taken for one: $(cat out)"
  both=$(($(free_bytes .) + $(free_bytes /dev/shm)))
  free=$(json_number dry.json free_bytes)
  [ "$free" -gt $((both * 9 / 10)) ] && [ "$free" -lt $((both * 11 / 10)) ] ||
    fail "$free bytes are free of $both on two file systems"
fi
absent one.mill second /dev/shm/edgemill
finish
