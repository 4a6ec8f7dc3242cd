#!/bin/bash
# Finds what became slower: runs two programs in turns and compares each figure pair by pair.
#   bench/paired.sh OLD NEW [OPTION...]
#     --gpu            take figures of a GPU instead of the CPU
#     --rounds N       measure each figure N times, six at least (default: 9)
#     --worse RATIO    call a figure worse if its median ratio is above this (default: 1.03)
#     --scale N        make graphs of 2^N vertices (default: by the number of processors)
#     --one-graph      both read the graph that NEW makes, so that the place of files on the disk
#                      makes no difference; OLD must know the format
#     --work DIR       keep graphs there while it runs (default: the current directory)
#     --json PREFIX    write PREFIX-old.json and PREFIX-new.json (default: paired)
# In each round OLD and NEW run every command one after the other, and the order changes from round
# to round. A figure is worse when the median of the ratios NEW / OLD is above --worse and its 95 %
# band lies wholly above 1: `edgemill bench compare --paired` decides. On a noisy machine, one
# figure in fifty looks worse only by chance. So a figure that looks worse is measured once more,
# and the second verdict counts. Exit code 1 when a figure is worse.
# A command that fails ends the script with the command's own message and exit code. Options that
# one of the programs lacks are left out for both. OLD may be of another version, because only NEW
# reads the reports. Only the JSON files stay, even after a failure.
#
# Each program reads Kronecker graphs that it generated itself (except with --one-graph), with
# shuffled ids and weights from 1 to 255. Both ingest the same files, which NEW exported. Times are
# those of the programs' reports.
# The figures:
#   Kronecker        generate, with half as many vertices (a quarter on six processors or more)
#   pairs            ingest of such a graph's edges, both directions, from pairs of 32-bit ids
#   spilled          the same in so little memory that edges are sorted on disk
#   text             ingest of the same edges from an edge list
#   in RAM           bfs, sssp, cc and ten iterations of pagerank; the median of three trials in one
#                    process, all blocks cached after the first
#   out of core      bfs, cc and pagerank in 24 bytes a vertex, which hold a part of the blocks;
#                    each with an empty cache (reads bypass the kernel's cache)
# With --gpu:
#   resident         bfs, sssp, cc and pagerank, all edges in the GPU's memory; the median of five
#                    trials
#   streamed         the same in 64 bytes a vertex of the GPU's memory, all blocks in RAM; the median of
#                    three
#   from disk        the same, from an empty cache in as much RAM; one trial, five iterations
# Before the rounds, each program runs each command once. These runs verify all answers and do not
# count.
# shellcheck disable=SC2317  # $device chooses what is called
set -euo pipefail

fail() { echo "paired.sh: $2" >&2; exit "$1"; }  # CODE MESSAGE
usage() { sed -n '2,11s/^# \{0,1\}//p' "$0" >&2; exit 64; }

cores=$(nproc)
device=cpu rounds=9 worse=1.03 work=. json=paired scale='' makers=(old new)
programs=()
while [ $# -gt 0 ]; do
  case $1 in
    --gpu) device=gpu ;;
    --one-graph) makers=(new) ;;
    --rounds | --worse | --scale | --work | --json)
      [ $# -ge 2 ] || usage
      declare "${1#--}=$2"
      shift ;;
    -*) usage ;;
    *) programs+=("$1") ;;
  esac
  shift
done
[ ${#programs[@]} = 2 ] || usage
if [ -z "$scale" ]; then
  # A GPU and many processors need more work to be busy for a measurable time.
  scale=20
  [ $device = cpu ] && [ "$cores" -lt 6 ] || scale=22
fi
[[ $rounds =~ ^[0-9]{1,3}$ && $rounds -ge 6 ]] || fail 64 "--rounds $rounds: give 6 to 999"
[[ $scale =~ ^[0-9]{1,2}$ && $scale -ge 4 && $scale -le 31 ]] || fail 64 "--scale $scale: give 4 to 31"
[[ $worse =~ ^[0-9]+(\.[0-9]+)?$ ]] || fail 64 "--worse $worse: give a ratio such as 1.03"

declare -A path
for which in old new; do
  program=${programs[$([ $which = old ] && echo 0 || echo 1)]}
  path[$which]=$(realpath "$(command -v "$program" || true)" 2> /dev/null) ||
    fail 66 "$program: there is no such program"
done
"${path[new]}" help bench compare | grep -q -e --paired ||
  fail 64 "${programs[1]} has no bench compare --paired: give the newer program as the second"
[ -d "$work" ] || fail 66 "$work: there is no such directory"
[ -d "$(dirname "$json")" ] || fail 73 "$json: its directory does not exist"
json=$(realpath -m "$json")
for made in "$(dirname "$json")" "$work"; do [ -w "$made" ] || fail 77 "$made: cannot be written"; done

# The cleaner removes the work directory when nothing can write to its pipe any more. This script
# and all that it starts can write to it, so the cleaner runs last, even after a kill.
work=$(realpath "$(mktemp -d "$work/edgemill-paired.XXXXXX")")
# shellcheck disable=SC2034  # nothing is written to it
exec {alive}> >(trap '' HUP INT TERM; cat; rm -rf "$work")
cleaner=$!
trap 'exec {alive}>&-; wait "$cleaner"' EXIT
child=
stop() {
  [ -z "$child" ] || { kill "$child" && wait "$child"; } 2> /dev/null || true
  exit 130
}
trap stop HUP INT TERM
mkdir "$work/old" "$work/new"

# execute old|new ARGUMENT...: in the program's own folder, and in the background, because bash does
# not act on a signal before a command in the foreground has ended.
execute() {
  (cd "$work/$1" && exec "${path[$1]}" "${@:2}" < /dev/null > /dev/null) &
  child=$!
  wait "$child"
  child=
}

# both_have COMMAND OPTION: whether the help of both programs has the option.
declare -A help had
both_have() {
  local which
  [ -z "${had[$1 $2]-}" ] || { [ "${had[$1 $2]}" = yes ]; return; }
  had[$1 $2]=yes
  for which in old new; do
    : "${help[$which $1]:=$("${path[$which]}" help "$1" 2> /dev/null || true)}"
    grep -qE -e "(^|[ ,])$2([ ,]|\$)" <<< "${help[$which $1]}" && continue
    echo "$1 $2 is left out: the $which program lacks it" >&2
    had[$1 $2]=no
  done
  [ "${had[$1 $2]}" = yes ]
}

# keep_known ARGUMENT...: sets `known` to the arguments. Leaves out options that one of the programs
# lacks, and their values. Positional arguments come before all options.
keep_known() {
  local command=$1 argument keep=yes
  [ "$1" != bench ] || command="$1 $2"
  known=()
  for argument; do
    [[ $argument != -* ]] || { both_have "$command" "$argument" && keep=yes || keep=no; }
    [ $keep = no ] || known+=("$argument")
  done
}

# measure FIGURE ARGUMENT...: measures one pair. Reports of round 0 are not kept. Once there is a
# table, only figures that look worse in it are measured, and the new reports replace the old ones.
table=
reports=()
measure() {
  local report=/dev/null which order=(old new)
  [ -z "$table" ] || grep -q "^$1, .*WORSE\$" <<< "$table" || return 0
  ((round % 2 == 0)) || order=(new old)
  keep_known "${@:2}"
  if ((round > 0)); then
    report=reports/$1/$round.json
    [ -n "$table" ] || reports+=("$report")
    ((round > 1)) || mkdir -p "$work/"{old,new}"/reports/$1"
  fi
  for which in "${order[@]}"; do
    echo "round $round of $rounds: $1, $which" >&2
    execute "$which" "${known[@]}" --quiet --json "$report"
  done
}

# time_runs FIGURE TRIALS ALGORITHMS OPTION...
time_runs() {
  local trials=(-n "$2" --skip-verify)
  ((round > 0)) || trials=(-n 1)
  measure "$1" bench run "$3" kron.mill "${trials[@]}" --device "$device" "${@:4}"
}

# Memory limits by bytes a vertex, with 64 MiB for the process itself.
declare -A memory
for bytes in 16 24 64 512 1024; do memory[$bytes]=$((64 + (bytes << scale >> 20)))MiB; done
all=bfs,sssp,cc,pagerank
weights=(--weights random:1:255:1)
plain=(--renumber none --symmetric --ids dense --replace)
measure_cpu() {
  local much=${memory[1024]}
  measure Kronecker generate kron small.mill --scale "$small_scale" "${weights[@]}" --renumber none --replace \
    --memory "$much"
  measure pairs ingest ../edges.bin32 pairs.mill "${plain[@]}" --memory "$much"
  measure spilled ingest ../edges.bin32 pairs.mill "${plain[@]}" --memory "${memory[16]}"
  measure text ingest ../edges.el text.mill "${plain[@]}" --memory "$much"
  time_runs 'in RAM' 3 "$all" -i 10 --start warm --memory "$much"
  time_runs 'out of core' 1 bfs,cc,pagerank -i 10 --memory "${memory[24]}"
}
measure_gpu() {
  local much=${memory[512]}
  time_runs resident 5 "$all" -i 10 --start warm --memory "$much" --transfer resident
  time_runs streamed 3 "$all" -i 10 --start warm --memory "$much" --gpu-memory "${memory[64]}"
  time_runs 'from disk' 1 "$all" -i 5 --memory "${memory[64]}" --gpu-memory "${memory[64]}"
}

[ ${#makers[@]} = 2 ] || ln -s ../new/kron.mill "$work/old/kron.mill"
for which in "${makers[@]}"; do
  echo "$which makes its graph" >&2
  keep_known generate kron kron.mill --scale "$scale" "${weights[@]}" --renumber none --quiet
  execute "$which" "${known[@]}"
done
if [ $device = cpu ]; then
  small_scale=$((scale - (cores >= 6 ? 2 : 1)))
  echo "new makes the files to ingest" >&2
  execute new generate kron ../edges.mill --scale "$small_scale" --renumber none --quiet
  for suffix in bin32 el; do execute new export ../edges.mill ../edges.$suffix --quiet; done
  execute new remove ../edges.mill --quiet
fi
sync  # so that pending writes disturb no figure

# measure_rounds FIRST
measure_rounds() {
  local which gpu=
  for ((round = $1; round <= rounds; ++round)); do "measure_$device"; done
  [ $device = cpu ] || gpu='--gpu '
  for which in old new; do
    (cd "$work/$which" && "${path[new]}" bench record "$json-$which.json" "${reports[@]}" \
      --by-folder --force --name "paired, $device" --setting "rounds=$rounds" \
      --how "bench/paired.sh OLD NEW $gpu--rounds $rounds --scale $scale") > /dev/null
  done
}
compare() {
  "${path[new]}" bench compare "$json-old.json" "$json-new.json" --paired --worse "$worse" \
    --kind time --all
}
measure_rounds 0
code=0
table=$(compare) || code=$?
if [ $code = 1 ]; then
  printf '%s\nfigures that look worse are measured once more\n' "$table" >&2
  code=0
  measure_rounds 1
  table=$(compare) || code=$?
fi
[ -z "$table" ] || echo "$table"
echo "$((SECONDS / 60)) min $((SECONDS % 60)) s" >&2
exit "$code"
