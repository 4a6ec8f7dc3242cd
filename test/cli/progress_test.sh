#!/bin/bash
# Progress as JSON, exit codes after signals, messages of a resume, and figures only where they mean something.
source "$(dirname "$0")/lib.sh"
small_graph
expect 0 ingest small.el small.mill --progress json
[ "$(wc -l < err)" -ge 4 ] || fail "too few lines of progress: $(cat err)"
while read -r line; do
  printf '%s\n' "$line" > line.json
  valid_json line.json
done < err
tail -n +2 small.el > bare.el
expect 0 ingest bare.el bare.mill --progress json
grep -q '"stage":"reading".*"total_bytes":32,"stage_share":1.0' err || fail "reading is not told to its end: $(cat err)"
expect 0 run pr small.mill -i 3 --progress json
grep -q '"stage":"pagerank".*"iteration":3,"expected_iterations":3' err || fail "no iterations: $(cat err)"

# shares: those of the command in the file err rise from 0 to nearly all, stage by stage.
shares() {
  sed -nE 's/.*,"share":([0-9.e-]+),.*/\1/p' err > shares
  awk 'NR > 1 && $1 < last { exit 1 } { last = $1 } END { exit NR >= 4 && last >= 0.8 && last <= 1 ? 0 : 1 }' shares ||
    fail "$1: the shares of the command are $(paste -sd ' ' shares)"
}
shares pagerank
expect 0 ingest small.el planned.mill --progress json
shares ingest
expect 0 ingest small.el planned.mill --replace --undirected --progress json
shares 'ingest --undirected'
expect 0 generate uniform planned.mill --replace --scale 10 --progress json
shares generate
expect 0 run bfs planned.mill -r 1 --verify --trials 2 --output levels.txt --progress json
shares 'bfs, twice'
expect 0 verify planned.mill --progress json
shares verify
expect 0 export planned.mill planned.el --progress json
shares export
# A tolerance ends a run before its limit of iterations. The last expected number is the number that was run.
expect 0 run pagerank planned.mill -t 1e-6 --progress json --json ranks.json
foretold=$(sed -nE 's/.*"stage":"pagerank".*"expected_iterations":([0-9]+).*/\1/p' err | tail -1)
[ "$foretold" = "$(json_number ranks.json num_iterations)" ] ||
  fail "$foretold iterations are foretold at the end, and there were $(json_number ranks.json num_iterations)"
run info none.mill --progress json
[ "$code" = 66 ] || fail "exit code $code, not 66"
tail -1 err > error.json
valid_json error.json
grep -q '"error":"none.mill: there is no such graph directory' err || fail "no error as JSON: $(cat err)"
expect 64 run cc small.mill --progress loud
for progress in '--progress none' --quiet; do
  # shellcheck disable=SC2086
  expect 0 run cc small.mill $progress
  [ ! -s err ] || fail "$progress is not quiet: $(cat err)"
done

# A graph of a few edges has no rates.
expect 0 ingest small.el small.mill --replace
! grep -q 'bits an edge\|edges/s' out || fail "tiny graphs have no rates: $(cat out)"
expect 0 run bfs small.mill -r 5
! grep -q 'edges/s' out || fail "a search of two vertices has no rate: $(cat out)"
expect 0 run cc small.mill --json cc.json
[ -n "$(json_number cc.json edges_per_second)" ] || fail "cc.json has no rate"
# On a machine without a GPU driver, no message mentions a GPU, unless the user asks for one.
[ -e /dev/nvidiactl ] || ! grep -qi 'driver\|gpu\|processor  ' out err || fail "a GPU is spoken of: $(cat out err)"

# SIGTERM ends with the shells' exit code, and the ingest can be resumed.
mkfifo pipe
# terminated FILE ARGUMENT...: ingests FILE through a pipe that stays open, and ends the ingest by SIGTERM.
terminated() {
  "$edgemill" ingest pipe "${@:2}" > out 2> err &
  local process=$!
  exec 3> pipe
  cat "$1" >&3
  sleep 0.3
  kill -s TERM "$process"
  wait "$process"
  code=$?
  exec 3>&-
  [ "$code" = 143 ] || fail "SIGTERM: exit code $code: $(cat err)"
}
terminated small.el stopped.mill
if [ -e stopped.mill ]; then
  says '--resume'
  (cat small.el > pipe) &
  expect 0 ingest pipe stopped.mill --resume
  says 'resuming: no edge that was read had been kept: reading starts over'
  says 'since it was resumed; other figures are of the whole graph'
  wait
fi

# Data that was spilled before the signal is kept. The figures after a resume are those of the whole graph.
seq 0 1000000 | awk '{print $1, ($1 * 104729) % 800000; print ($1 * 31) % 800000, $1}' > many.el
ingest=(--format el --memory 64MiB --threads 2)
expect 0 ingest many.el whole.mill "${ingest[@]}" --json whole.json
terminated many.el kept.mill "${ingest[@]}"
(cat many.el > pipe) &
expect 0 ingest pipe kept.mill "${ingest[@]}" --resume --json kept.json
grep -q 'resuming: [1-9][0-9,]* edges are kept; .* are read again' err || fail "it does not say what is kept: $(cat err)"
for key in input_edges edges input_bytes stored_bytes bits_per_edge; do
  [ "$(json_number whole.json $key)" = "$(json_number kept.json $key)" ] ||
    fail "$key after a resume: $(json_number kept.json $key), not $(json_number whole.json $key)"
done
wait
finish
