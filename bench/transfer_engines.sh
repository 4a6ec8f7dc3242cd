#!/bin/bash
# Times every transfer engine, auto, and auto by HyTGraph's constants on one graph, and says how far
# predictions were off: edgemill bench run, warm, once for each, results in OUT-NAME.json.
#   transfer_engines.sh EDGEMILL GRAPH GPU_MEMORY TRIALS OUT [MORE OPTIONS]
set -eu
if [ $# -lt 5 ]; then
  sed -n '2,4s/^# *//p' "$0" >&2
  exit 64
fi
edgemill=$1 graph=$2 gpu_memory=$3 trials=$4 out=$5
shift 5
run() {
  local name=$1
  shift
  "$edgemill" bench run bfs,cc,pagerank,sssp "$graph" --device gpu --gpu-memory "$gpu_memory" \
    --start warm -n "$trials" -i 5 --json "$out-$name.json" "$@"
}
for transfer in auto filter compaction zero-copy; do
  run "$transfer" --transfer "$transfer" "$@"
done
run hytgraph --cost-model hytgraph "$@"
