#!/bin/bash
# Times the papers' algorithms on a GPU by pushes alone, by pulls alone, and as the engine chooses:
#   bench/strategies.sh EDGEMILL OUT_DIR GRAPH.mill...
# Each graph is timed twice: with all edges on the GPU, and with a quarter of the graph's bytes as
# --gpu-memory. Caches are warm. OUT_DIR gets result files and their tables, GRAPH-resident-*.json
# and GRAPH-quarter-*.json. TRIALS (default 3) is the number of trials.
source "$(dirname "$0")/lib.sh"
usage 3 "$@"
edgemill=$1 out=$2
shift 2

measure() {  # GRAPH NAME ALGORITHMS OPTION...
  local graph=$1 name=$2 algorithms=$3
  shift 3
  echo "$name: $algorithms" >&2
  "$edgemill" bench run "$algorithms" "$graph" "$@" --in-turn push,pull,dual --device gpu \
    --start warm -n "${TRIALS:-3}" --skip-verify --quiet --json "$out/$name-${algorithms%%,*}.json" \
    > "$out/$name-${algorithms%%,*}.txt" || echo "$name: $algorithms: failed" >&2
}
for graph; do
  name=$(basename "$graph" .mill)
  quarter=$(($(du -sm "$graph" | cut -f1) / 4))MiB
  for memory in resident quarter; do
    ways=(--transfer resident)
    [ "$memory" = resident ] || ways=(--gpu-memory "$quarter")
    measure "$graph" "$name-$memory" bfs,sssp,sswp,ssnsp "${ways[@]}"
    measure "$graph" "$name-$memory" cc --method labels "${ways[@]}"
    measure "$graph" "$name-$memory" pagerank,delta -i 20 -t 0 "${ways[@]}"
    measure "$graph" "$name-$memory" hs,cs -i 10 "${ways[@]}"
    measure "$graph" "$name-$memory" nn -i 10 --gain 0.02 "${ways[@]}"
  done
done
