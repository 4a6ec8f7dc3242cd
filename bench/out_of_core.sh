#!/bin/bash
# Ingests a binary list of both directions of a graph's edges and runs the algorithms on it within a
# memory budget:
#   bench/out_of_core.sh EDGEMILL LIST.bin32 MEMORY SOURCE OUT.json [WORK_DIR]
# Caches are dropped before each run where that is allowed ("cold" says so). OUT.json holds the
# commit, the machine, and each command's own JSON report. The graph stays in WORK_DIR (default:
# beside LIST) and is replaced by the next run.
set -euo pipefail
[ $# -ge 5 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 64; }
edgemill=$1 list=$2 memory=$3 source=$4 out=$5
graph=${6:-$(dirname "$list")}/out-of-core.mill
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cold=true
drop_caches() { sync; echo 3 > /proc/sys/vm/drop_caches 2> /dev/null || cold=false; }

commands=()
results=()
measure() {  # ARGUMENT...
  drop_caches
  echo "edgemill $*" >&2
  "$edgemill" "$@" --memory "$memory" --quiet --json "$scratch/${#results[@]}.json" > /dev/null
  commands+=("edgemill ${*//"$(dirname "$graph")/"/} --memory $memory")
  results+=("$scratch/${#results[@]}.json")
}
measure ingest "$list" "$graph" --symmetric --replace
measure run pagerank "$graph" -i 10
measure run cc "$graph"
measure run bfs "$graph" -r "$source"

{
  printf '{"commit": "%s", "cpu": "%s", "threads": %s, "kernel": "%s", "cold": %s,\n "runs": [' \
    "$(git -C "$(dirname "$0")" describe --always --dirty)" \
    "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)" "$(nproc)" "$(uname -r)" "$cold"
  for i in "${!results[@]}"; do
    [ "$i" = 0 ] || printf ','
    printf '\n  {"command": "%s",\n   "report": ' "${commands[$i]}"
    cat "${results[$i]}"
    printf '}'
  done
  printf '\n ]}\n'
} > "$out"
