#!/bin/bash
# Times the papers' algorithms on a GPU by pushes alone, by pulls alone, and as the engine chooses:
#   bench/strategies.sh EDGEMILL OUT_DIR GRAPH.mill...
# Each graph is timed twice: with all edges on the GPU, and with memory for the run's arrays and a
# quarter of the graph's bytes. Caches are warm. OUT_DIR gets a result file and a table for each
# graph, memory and algorithm. TRIALS (default 3) is the number of trials.
source "$(dirname "$0")/lib.sh"
usage 3 "$@"
edgemill=$1 out=$2
shift 2

# Adds a quarter of the graph's bytes to the least --gpu-memory that a run names when it is refused.
quarter_memory() {  # GRAPH ARGUMENT...
  local graph=$1 least
  shift
  least=$("$edgemill" bench run "$@" --gpu-memory 1MiB 2>&1 |
    sed -n 's/.*at least --gpu-memory \([0-9]*\)MiB.*/\1/p' | head -n 1)
  echo "$((${least:-0} + $(du -sm "$graph" | cut -f1) / 4))MiB"
}

measure() {  # GRAPH MEMORY NAME ALGORITHM OPTION...
  local graph=$1 memory=$2 name=$3 algorithm=$4
  shift 4
  local run=("$algorithm" "$graph" "$@" --in-turn "push,pull,dual" --device gpu --start warm
    -n "${TRIALS:-3}" --skip-verify --quiet)
  if [ "$memory" = resident ]; then
    run+=(--transfer resident)
  else
    run+=(--gpu-memory "$(quarter_memory "$graph" "${run[@]}")")
  fi
  "$edgemill" bench run "${run[@]}" --json "$out/$name-$algorithm.json" > "$out/$name-$algorithm.txt" ||
    echo "$name: $algorithm: failed" >&2
}
for graph; do
  for memory in resident quarter; do
    name=$(basename "$graph" .mill)-$memory
    for algorithm in bfs sssp sswp ssnsp; do measure "$graph" $memory "$name" $algorithm; done
    measure "$graph" $memory "$name" cc --method labels
    for algorithm in pagerank delta; do
      measure "$graph" $memory "$name" $algorithm -i 20 -t 0
    done
    for algorithm in hs cs; do measure "$graph" $memory "$name" $algorithm -i 10; done
    measure "$graph" $memory "$name" nn -i 10 --gain 0.001
  done
done
