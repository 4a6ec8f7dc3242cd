#!/bin/bash
# Measures how Edgemill's times fall with threads, and the rates of the machine in the same call:
#   bench/scaling.sh EDGEMILL OUT.json [WORK_DIR]
# It measures on graphs that it generates in WORK_DIR (default: a folder beside OUT.json):
#   generate kron SCALE_GENERATE (default 23);
#   ingest of pairs of kron SCALE_INGEST (24), and of a text list of kron TEXT_SCALE (22), both
#     directions of each edge, from a cold cache where that is allowed (setting "cold" says so);
#   six searches (bfs) on kron SCALE_RUN (25), with shuffled ids and by degree. The first search of
#     the process has its own figure, because it reads the edges for the next five;
#   components, three iterations of PageRank, and SSSP with weights 1 to 255, after a search that
#     reads the edges. The first SSSP reads the weights.
# THREADS (default: those of 1 2 4 8 16 that the machine has) are the thread counts. Long trials run
# once on fewer than eight threads, and TRIALS times (default 3) on eight or more. Answers are not
# verified. Removes WORK_DIR at the end. With the defaults it takes some 10 GB of disk, and about
# twelve minutes on 16 cores.
#
# OUT.json is a result file for `edgemill bench compare`. The script prints the table of
# `edgemill bench scaling OUT.json`, with the nearest bound of each figure and thread count. This is
# the largest of the following times, which come from rates on as many threads:
#   cores           the time on one thread / threads: all figures
#   disk            bytes of the list / rate of plain O_DIRECT reads (bench io): ingest
#   copy            bytes of the list / rate of copying (bench memory): ingest
#   first touch     peak of resident memory / rate of first touch, huge pages: generate, ingest
#   random gathers  edges * iterations / rate of 4-byte gathers from an array of as many values as
#                   the graph has vertices: PageRank. Values of hubs stay in caches, which the
#                   rate leaves out, so PageRank may be faster than this bound.
source "$(dirname "$0")/lib.sh"
usage 2 "$@"
edgemill=$(realpath "$1") out=$(realpath "$2")
work=$(realpath "${3:-$(dirname "$out")/scaling-work}")
processors=$(nproc)
threads=(${THREADS:-$(for t in 1 2 4 8 16; do [ $t -gt "$processors" ] || echo $t; done)})
most=$(printf '%s\n' "${threads[@]}" | sort -n | tail -1)
scale_generate=${SCALE_GENERATE:-23} scale_ingest=${SCALE_INGEST:-24} text_scale=${TEXT_SCALE:-22}
scale_run=${SCALE_RUN:-25}
trials=${TRIALS:-3}

mkdir "$work"
trap 'rm -rf "$reports" "$work"' EXIT
cd "$work"  # so that names of figures and settings do not contain its path

say() { echo "$SECONDS s: $*" >&2; }
em() { "$edgemill" "$@" --quiet > /dev/null; }
long_trials() { echo $(($1 < 8 ? 1 : trials)); }  # THREADS

each_threads() {  # COMMAND ARGUMENT...: calls COMMAND with each thread count first
  for t in "${threads[@]}"; do "$1" "$t" "${@:2}"; done
}
generate() {  # THREADS
  for ((trial = 0; trial < $(long_trials "$1"); ++trial)); do
    new_report "kron $scale_generate@$1="
    em generate kron g.mill --scale "$scale_generate" --renumber none --threads "$1" --replace --json "$report"
  done
}
ingest() {  # THREADS LABEL LIST
  for ((trial = 0; trial < $(long_trials "$1"); ++trial)); do
    drop_caches
    new_report "$2@$1="
    em ingest "$3" g.mill --symmetric --threads "$1" --replace --json "$report"
  done
}
ingest_list() {  # LABEL SUFFIX SCALE
  say "list of $1, kron $3"
  em generate kron g.mill --scale "$3" --renumber none --replace
  em export g.mill "list.$2"
  say "ingest of $1"
  each_threads ingest "$1 of kron $3" "list.$2"
  rm "list.$2"
}
algorithms() {  # THREADS NAMES GRAPH LABEL TRIALS OPTION...
  new_report "$4@$1="
  em bench run "$2" "$3" --threads "$1" -n "$5" --start warm --skip-verify --device cpu \
    --json "$report" "${@:6}"
}
in_turn() { algorithms "$1" bfs,cc,pagerank,sssp "$2" "$3" "$(long_trials "$1")" -i 3; }

say 'memory and disk'
new_report
"$edgemill" bench memory --threads "$most" -n 3 --copy-bytes 512MiB \
  --gather-bytes $((scale_run < 18 ? 1 << 20 : 4 << scale_run)) --quiet --json "$report"
new_report
em bench io . --operations sequential --sizes 1M --depths 32 --duration 0.5 -n 3 --json "$report"
say "generate kron $scale_generate"
each_threads generate
ingest_list pairs bin32 "$scale_ingest"
ingest_list text el "$text_scale"
say "kron $scale_run"
em generate kron g.mill --scale "$scale_run" --weights random:1:255:1 --renumber none --replace
say 'searches, shuffled'
each_threads algorithms bfs g.mill "kron $scale_run shuffled" 6
say 'components, PageRank, SSSP'
each_threads in_turn g.mill "kron $scale_run shuffled, in turn"
say "kron $scale_run by degree"
em generate kron g.mill --scale "$scale_run" --renumber degree --replace
say 'searches, by degree'
each_threads algorithms bfs g.mill "kron $scale_run by degree" 6
say 'done'
"$edgemill" bench record "$out" "${results[@]}" --force --name scaling \
  --how "THREADS='${threads[*]}' SCALE_GENERATE=$scale_generate SCALE_INGEST=$scale_ingest \
TEXT_SCALE=$text_scale SCALE_RUN=$scale_run TRIALS=$trials bench/scaling.sh edgemill OUT.json" \
  --setting "cold=$cold" --setting "threads=${threads[*]}" --setting "trials=$trials"
"$edgemill" bench scaling "$out"
