#!/bin/bash
# The disk space that ingest --dry-run foretells is at least what the ingest takes, and at most 1.3 times as much. This
# holds over formats, options and budgets; EDGEMILL_TEST_ALL tries over 200 ingests. An ingest is refused if its disks
# are too full.
source "$(dirname "$0")/lib.sh"
seed=${EDGEMILL_SEED:-1}
RANDOM=$seed

# edges KIND EDGES VERTICES SEED: lines of source and target. near: ends are close, as in a crawl; skewed: with hubs.
edges() {
  awk -v kind="$1" -v edges="$2" -v vertices="$3" -v seed="$4" 'BEGIN {
    srand(seed)
    for (i = 0; i < edges; ++i) {
      source = kind == "near" ? int(i * vertices / edges) : int(rand() * vertices)
      target = kind == "near" ? (source + int(rand() * 50)) % vertices : int(rand() * vertices)
      if (kind == "skewed") target = int(vertices * rand() ^ 4)
      print source, target
    }
  }'
}

# make FILE: makes an input by its name, which is KIND-EDGES-VERTICES.FORMAT.
make() {
  local kind edges vertices
  [ -e "$1" ] && return
  IFS=- read -r kind edges vertices <<< "${1%%.*}"
  edges "$kind" "$edges" "$vertices" "$seed" > lines
  case $1 in
    *.el) mv lines "$1" ;;
    *.el.gz) gzip -1 < lines > "$1" ;;
    *.wel) awk '{print $1, $2, $1 % 100 + 1}' lines > "$1" ;;
    *.wide) awk '{printf "%.0f %.0f\n", $1 * 7919123457 + 5000000000, $2 * 7919123457 + 5000000000}' lines > "$1" ;;
    *.csv) awk '{printf "user%07d,user%07d\n", $1 * 7919 % 10000000, $2 * 7919 % 10000000}' lines > "$1" ;;
    *.bin32) make "${1%.bin32}.el" && "$edgemill" ingest "${1%.bin32}.el" bin.mill --replace --progress none > /dev/null &&
      "$edgemill" export bin.mill "$1" --progress none > /dev/null ;;
  esac
}

# within NAME ESTIMATE ACTUAL SLACK: ACTUAL <= ESTIMATE <= 1.3 * ACTUAL + SLACK. ACTUAL may be 64 KiB more, for ends of
# files.
within() {
  awk -v estimate="$2" -v actual="$3" -v slack="$4" 'BEGIN { exit actual <= estimate + 65536 && estimate <= 1.3 * actual + slack ? 0 : 1 }' ||
    fail "$1: $2 bytes are foretold, and $3 are taken"
}

# try INPUT OPTION...: runs --dry-run and the ingest, and compares their numbers.
try() {
  local input=$1
  make "$input"
  "$edgemill" ingest "$input" graph.mill "${@:2}" --threads 2 --dry-run --json told.json > out 2> err ||
    { fail "$*: $(cat err)"; return; }
  "$edgemill" ingest "$input" graph.mill "${@:2}" --threads 2 --replace --json made.json > out 2> err ||
    { fail "$*: $(cat err)"; return; }
  within "$* (stored)" "$(json_number told.json stored_bytes)" "$(json_number made.json stored_bytes)" 65536
  within "$* (edges)" "$(json_number told.json edges)" "$(json_number made.json edges)" 0
  # If little is spilled, the estimate also counts pages that may stay in memory. How many do depends on when threads
  # fill theirs: equal ingests have spilled from 4.2 to 6.8 MB.
  local bytes taken
  bytes=$(json_number told.json memory_bytes)
  taken=$(json_number made.json spill_bytes_written)
  within "$* (temporary)" "$(json_number told.json temporary_bytes)" "$taken" "$((taken < bytes / 4 ? bytes / 6 : 0))"
}

inputs=(uniform-800000-200000.el near-1000000-100000.el skewed-700000-150000.wel uniform-500000-60000.csv
  uniform-600000-300000.el.gz uniform-900000-100000.bin32 uniform-500000-100000.wide)
options=('' --undirected '--columns out' '--ids sparse' '--renumber degree')
memory=(64MiB 72MiB 96MiB 512MiB)
if [ -n "${EDGEMILL_TEST_ALL:-}" ]; then
  tries=200
else
  tries=28
fi
for ((i = 0; i < tries; ++i)); do
  input=${inputs[i % ${#inputs[@]}]}
  if ((i >= 60)); then  # other sizes of each kind
    stem=${input%%.*}
    IFS=- read -r kind edges vertices <<< "$stem"
    input=$kind-$((edges / 2 + RANDOM * 20))-$((vertices / 2 + RANDOM * 10)).${input#*.}
  fi
  option=${options[i / ${#inputs[@]} % ${#options[@]}]}
  [[ $input != *.csv || $option != '--ids sparse' ]] || option=
  [[ $input != *.wel || -n $option ]] || option='--weights-in in'
  # shellcheck disable=SC2086
  try "$input" $option --memory "${memory[(i + i / ${#inputs[@]}) % ${#memory[@]}]}"
  ((i < 60)) || rm -f "$input"
done

# Inputs much larger than the memory.
try uniform-3000000-600000.el --memory 64MiB
try uniform-1000000-400000.csv --memory 64MiB
try skewed-2000000-300000.wel --memory 80MiB
rm -f uniform-3000000-600000.el uniform-1000000-400000.csv skewed-2000000-300000.wel

# More memory needs no temporary files; dry runs say how much.
make uniform-800000-200000.el
expect 0 ingest uniform-800000-200000.el graph.mill --memory 64MiB --dry-run --json little.json
[ "$(json_number little.json temporary_bytes)" -gt 0 ] || fail "no temporary files in 64 MiB: $(cat little.json)"
says 'no temporary files from about --memory'
ample=$(($(json_number little.json ample_memory_bytes) / 1048576))
expect 0 ingest uniform-800000-200000.el graph.mill --memory "${ample}MiB" --replace --json ample.json
[ "$(json_number ample.json spill_bytes_written)" = 0 ] || fail "--memory ${ample}MiB needs temporary files"

# Disks that are nearly full.
mkdir small large
if mount -t tmpfs -o size=1m tmpfs small 2> /dev/null; then
  trap 'umount small large 2> /dev/null; rm -rf "$work"' EXIT
  mount -t tmpfs -o size=300m tmpfs large || fail "no second tmpfs"
  # One of two disks has little space, so it gets few blocks.
  expect 0 ingest uniform-800000-200000.el two.mill --data small --data large
  expect 0 verify two.mill
  expect 0 remove two.mill
  # The small disk without the large one is refused before any work, with numbers.
  expect 74 ingest uniform-800000-200000.el one.mill --data small
  says 'are free, and the graph takes'
  absent one.mill
  expect 74 ingest uniform-800000-200000.el one.mill --memory 64MiB --spill small
  says 'temporary files take'
  says 'give a larger --memory'
  absent one.mill
fi
finish
