#!/bin/bash
# Times algorithms from the command to the answer, with all caches empty:
#   bench/cold_start.sh EDGEMILL GRAPH.mill SOURCE OUT.json [OPTION...]
# It runs TRIALS (default 3) rounds. OPTIONs, such as --device gpu --gpu-memory 1GiB, go to
# `edgemill run`. Caches are dropped before each run where that is allowed; the setting "cold" says
# whether it was. SSSP is left out where the graph has no weights. OUT.json is a result file for
# `edgemill bench compare`.
source "$(dirname "$0")/lib.sh"
usage 4 "$@"
edgemill=$1 graph=$2 source=$3 out=$4
shift 4
trials=${TRIALS:-3}

measure() {  # ALGORITHM OPTION...
  drop_caches
  new_report
  "$edgemill" run "$1" "$graph" "${@:2}" --quiet --json "$report" > /dev/null
}
weights=$("$edgemill" info "$graph" | grep '^weights' | grep -vc 'none' || true)
for ((trial = 0; trial < trials; ++trial)); do
  measure bfs -r "$source" "$@"
  [ "$weights" = 0 ] || measure sssp -r "$source" "$@"
  measure cc "$@"
  measure pagerank -i 10 "$@"
done
"$edgemill" bench record "$out" "${results[@]}" --force --name 'cold start' \
  --how "TRIALS=$trials bench/cold_start.sh edgemill $(basename "$graph") $source OUT.json $*" \
  --setting "cold=$cold" --setting "trials=$trials" --setting "source=$source"
