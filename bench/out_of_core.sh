#!/bin/bash
# Ingests a binary list with both directions of a graph's edges, and runs the algorithms on it
# within a memory budget. Verifies the graph and each answer:
#   bench/out_of_core.sh EDGEMILL LIST.bin32 MEMORY SOURCE OUT.json [WORK_DIR]
# It runs TRIALS (default 3) rounds, so that disturbances of the machine affect all commands. Caches
# are dropped before each command where that is allowed; the setting "cold" says whether it was.
# OUT.json is a result file for `edgemill bench compare`, with each command's own report in it. The
# graph stays in WORK_DIR (default: beside LIST), and the next round replaces it.
source "$(dirname "$0")/lib.sh"
usage 5 "$@"
edgemill=$1 list=$2 memory=$3 source=$4 out=$5
graph=${6:-$(dirname "$list")}/out-of-core.mill
trials=${TRIALS:-3}

measure() {  # ARGUMENT...
  drop_caches
  echo "edgemill $*" >&2
  new_report
  "$edgemill" "$@" --memory "$memory" --quiet --json "$report" > /dev/null
}
for ((trial = 0; trial < trials; ++trial)); do
  measure ingest "$list" "$graph" --symmetric --replace
  measure verify "$graph"
  measure run pagerank "$graph" -i 10 -v
  measure run cc "$graph" -v
  measure run bfs "$graph" -r "$source" -v
done
"$edgemill" bench record "$out" "${results[@]}" --force --name 'out of core' \
  --how "TRIALS=$trials bench/out_of_core.sh edgemill $(basename "$list") $memory $source OUT.json" \
  --setting "cold=$cold" --setting "trials=$trials" --setting "source=$source" \
  --setting "list=$(basename "$list")"
