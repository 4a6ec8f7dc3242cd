#!/bin/bash
# Every option against every format, algorithm, device and kind of graph: it acts, or it is refused before work.
source "$(dirname "$0")/lib.sh"
printf '0 1 4\n1 2 5\n2 3 6\n' > small.wel
expect 0 ingest small.wel small.mill -s

# refused OPTION ARGUMENT...: the command line is refused in one line that names the option.
refused() {
  local option=$1
  shift
  expect 64 "$@"
  says "$option"
}

# Formats. loaders_tests checks which options act on which format; here the program must use that table.
printf '10 20 30 40\n11 21 31 41\n' > four.txt
expect 0 ingest four.txt four.mill --csv-columns 2,1,4
expect 0 export four.mill -  --format wel
printf '20 10 40\n21 11 41\n' > want
same out want
printf 'a b\n1 2\n2 3\n' > head.el
expect 0 ingest head.el head.mill --header yes
expect 0 export head.mill -
printf '1 2\n2 3\n' > want
same out want
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n' > m.mtx
printf '\1\0\0\0\2\0\0\0' > pairs.bin32
for input in m.mtx pairs.bin32; do
  for option in '--csv-columns 2,1' '--header yes' '--comment #' '--header no'; do
    # shellcheck disable=SC2086
    refused "$input: ${option%% *} cannot act on format ${input##*.}: leave it out" ingest $input no.mill $option
  done
done
refused 'small.wel: --header cannot act on format el' ingest small.wel no.mill --format el --header yes
refused 'standard input: --bad-lines cannot act on format bin64' ingest - no.mill --format bin64 --bad-lines 1
absent no.mill

# Ids.
printf '0 9\n9 5\n' > nine.el
for ids in auto sparse dense; do
  expect 65 ingest nine.el no.mill --max-vertex-id 5 --ids $ids
  says 'nine.el:1:1: vertex id 9 is beyond --max-vertex-id 5: correct it, or raise --max-vertex-id'
  expect 0 ingest nine.el nine.mill --max-vertex-id 9 --ids $ids --replace
done
refused '--max-vertex-id cannot act with --ids strings' ingest nine.el no.mill --max-vertex-id 9 --ids strings
refused '--vertices cannot act with --ids sparse' ingest nine.el no.mill --vertices 10 --ids sparse
refused '--name-seed is for names' ingest nine.el no.mill --name-seed 3
refused '--columns out is for directed graphs' ingest nine.el no.mill --columns out --undirected
refused '--columns in is for directed graphs' generate grid no.mill --scale 4 --columns in
printf '0 9 2\n9 5 3\n' > nine.wel
refused '--weights-in out is for graphs with weights, and this one has none: leave it out' ingest nine.el no.mill --weights-in out
refused '--weights-in in is for graphs with weights' ingest nine.wel no.mill --weights-in in --weights none
refused '--weights-in out is for directed graphs, and this one is symmetric: leave it out' ingest nine.wel no.mill --weights-in out --undirected
refused '--weights-in in is for directed graphs' generate grid no.mill --scale 4 --weights random:1:9:1 --weights-in in
refused '--weights-in in cannot act with --columns out, which stores no in-lists: leave one of them out' ingest nine.wel no.mill --weights-in in --columns out
refused '--weights-in out cannot act with --columns in' ingest nine.wel no.mill --weights-in out --columns in
refused '--weights-in: "none" is none of both, out, in' ingest nine.wel no.mill --weights-in none
refused '--decimal cannot act on format el' ingest nine.el no.mill --decimal comma
refused '--empty-weight cannot act on format bin64' ingest - no.mill --format bin64 --empty-weight 1
refused '--bad-lines: "many" is not valid: give skip, all or a number' ingest nine.el no.mill --bad-lines many
refused '--sql takes the place of nine.el' ingest nine.el no.mill --sql 'SELECT 1, 2'
refused '--bad-lines-file is for --bad-lines' ingest nine.el no.mill --bad-lines-file bad
absent no.mill bad

# Kinds of graphs.
acting() {  # KIND
  case $1 in
    kron) echo --scale --edges --edge-factor --seed ;;
    rmat) echo --scale --edges --edge-factor --seed --a --b --c ;;
    uniform) echo --scale --vertices --edges --edge-factor --seed ;;
    web) echo --scale --vertices --edge-factor --seed ;;
    road) echo --scale --vertices --seed ;;
    *) echo --scale --vertices ;;
  esac
}
for kind in kron rmat uniform web grid road path star; do
  expect 0 generate $kind plain.mill --uuid 00000000-0000-4000-8000-000000000001 --scale 6 --replace
  expect 0 info plain.mill --json plain.json
  for option in --scale --vertices --edges --edge-factor --seed --a --b --c; do
    value=5
    [ $option = --vertices ] && value=49
    case $option in --a | --b | --c) value=.2 ;; esac
    scale='--scale 6'
    [ $option = --scale ] || [ $option = --vertices ] && scale=
    if [[ " $(acting $kind) " == *" $option "* ]]; then
      # shellcheck disable=SC2086
      expect 0 generate $kind other.mill --uuid 00000000-0000-4000-8000-000000000001 $scale $option $value --replace
      cmp -s plain.mill/data/*/out-neighbors.* other.mill/data/*/out-neighbors.* && fail "$kind: $option does nothing"
    else
      # shellcheck disable=SC2086
      refused "generate: $option cannot act with KIND $kind: leave it out" generate $kind no.mill $scale $option $value
    fi
  done
done
refused 'exclude each other' generate uniform no.mill --scale 4 --vertices 9
refused 'exclude each other' generate uniform no.mill --edges 4 --edge-factor 9
refused 'did you mean grid?' generate gird no.mill
absent no.mill

# Algorithms: an option is taken where help run ALGORITHM has it, and refused elsewhere.

# value_of OPTION HELP: a value that OPTION takes according to its line in HELP; none for a flag.
value_of() {
  local takes
  takes=$(sed -nE "s/^  (-., )?$1 ?([^ ]*).*/\2/p" <<< "$2" | head -1)
  case $1,$takes in
    --mode,*) echo push ;;
    --scale,* | --alpha,*) echo .01 ;;
    *,ID) echo 0 ;;
    *,FILE) echo values.txt ;;
    *,X) echo .5 ;;
    *,N) echo 1 ;;
    *) echo "${takes##*|}" ;;  # the last choice
  esac
}
printf '0 1\n1 5\n2 7\n3 2\n' > values.txt
all=$("$edgemill" help run)
options=$(grep -oE '^  (-.,? ?)?--[a-z-]+' <<< "$all" | grep -oE -- '--[a-z-]+' | sort -u)
tops=$(sed -n '/^  --top N /,/^  --bottom/p' <<< "$all" | tr -s ' \n' ' ')
machine='--sync --async-passes --mode-threshold --device --cpu-share --gpu-memory --transfer --cost-model
  --priority --kernel --no-combining --plugin --calibration --streams --io --queue-depth --top --bottom --histogram --output --unreachable --force --report --verify --trials --warm
  --checkpoint-every --checkpoint-dir --resume --dry-run --memory --threads --data --json --progress --quiet'
for algorithm in $(algorithm_names); do
  own=$("$edgemill" help run $algorithm | sed -n '/^Its options:/,/^Its result:/p')
  needs=
  run run $algorithm small.mill
  grep -q 'needs a source' err && needs='--source 0'
  # shellcheck disable=SC2086
  run run $algorithm small.mill $needs
  grep -q 'needs a target' err && needs+=' --target 1'
  # shellcheck disable=SC2086
  run run $algorithm small.mill $needs
  runs=$code  # 64 where the algorithm needs another kind of graph
  for option in $options; do
    [[ " ${machine//$'\n'/ } " == *" $option "* ]] && continue
    [ $option = --async-passes ] && continue
    # shellcheck disable=SC2046
    set -- $option $(value_of $option "$own"$'\n'"$all")
    [[ " $needs " == *" $option "* ]] && set --
    if grep -qE -- "(^| )$option( |\$)" <<< "$own"; then
      # shellcheck disable=SC2086
      run run $algorithm small.mill $needs "$@"
      # Some options are for one method, or for graphs with weights, and the error says so.
      [ $code = $runs ] || grep -q -- "$option is for --method" err || grep -q -- "$option: the graph has no weights" err ||
        fail "$algorithm: help has $option, and the run says: $(cat err)"
    else
      # shellcheck disable=SC2086
      expect 64 run $algorithm small.mill $needs "$@"
      says "$option"
    fi
  done
  # --unreachable is only for answers that have unreachable vertices, and for outputs as text.
  want=64
  "$edgemill" help run $algorithm | grep -q '^Its result: [^;]*inf for none' && want=$runs
  # shellcheck disable=SC2086
  run run $algorithm small.mill $needs --unreachable graphalytics --output answer.txt --force
  [ "$code" = "$want" ] || fail "$algorithm --unreachable: $code, $(cat err)"
  # --top is only for the algorithms that its help names.
  want=64
  grep -qE "[( ]$algorithm: " <<< "$tops" && want=$runs
  # shellcheck disable=SC2086
  run run $algorithm small.mill $needs --top 2
  [ "$code" = "$want" ] || fail "$algorithm --top: $code, $(cat err)"
done
refused '--unreachable cannot act with --output a.npy' run bfs small.mill -r 0 --unreachable inf --output a.npy
refused '--unreachable is for --output' run bfs small.mill -r 0 --unreachable inf
refused '--delta cannot act with --iterations' run sssp small.mill -r 0 --delta 2 -i 3
refused '--parents needs final distances' run sssp small.mill -r 0 --parents -i 3
refused '--async cannot act with --mode pull' run bfs small.mill -r 0 --async --mode pull
refused '--async-passes is for --async' run bfs small.mill -r 0 --async-passes 4

# Devices.
for option in '--gpu-memory 1GiB' '--transfer filter' '--cost-model hytgraph' '--streams 2'; do
  # shellcheck disable=SC2086
  refused "run: ${option%% *} cannot act with --device cpu: leave it out" run cc small.mill --device cpu $option
  # shellcheck disable=SC2086
  refused "bench run: ${option%% *} cannot act with --device cpu" bench run cc small.mill --device cpu $option
done
for gpus in 0 -1 x 0,0 0,x 1,, 99; do
  refused "--gpus $gpus: " run cc small.mill --device gpu --gpus $gpus
done
refused 'GPU 1 is named twice' run cc small.mill --gpus 1,0,1
for device in auto cpu gpu; do
  refused "--cpu-share cannot act with --device $device: leave it out, or give --device hybrid" \
    run cc small.mill --device $device --cpu-share .5
done
refused '--cost-model cannot act with --transfer filter' run cc small.mill --cost-model hytgraph --transfer filter
refused '--seed chooses sources, and cc has none' bench run cc small.mill --seed 3
refused 'exclude each other' bench run bfs small.mill --seed 3 -r 1
refused 'exclude each other' calibrate --show --scratch .
refused 'exclude each other' bench compare a.json b.json --paired --least-change 2

# Inputs must differ from each other and from outputs.
printf '0 1\n' > edges
"$edgemill" ingest - no.mill --format el --vertices-file - < edges > out 2> err
[ $? = 64 ] || fail "standard input is read twice"
says 'standard input (-) can be read only once, and INPUT... OUT.mill and --vertices-file both read it'
mkfifo pipe
refused 'pipe is given twice, and can be read only once' ingest pipe ./pipe no.mill
refused 'both read it' ingest pipe no.mill --format el --vertices-file "$PWD/pipe"
refused 'standard input (-) is given twice' ingest - - no.mill --format el
expect 0 ingest edges edges twice.mill --format el
expect 73 run cs small.mill -i 1 --values values.txt --output ./values.txt --force
says 'is an input: name another --output'
printf '{}' > old.json
expect 73 bench compare old.json old.json --json old.json
says 'old.json: is an input: name another --json'
[ "$(cat old.json)" = '{}' ] || fail "an input was written over"
absent no.mill

# The field's names of algorithms that Edgemill lacks, or has by another name.
for name in bridges biconnected-components node2vec infomap walktrap matching dfs simrank; do
  expect 64 run $name small.mill
  says "there is no algorithm $name: Edgemill has no algorithm for"
  ! grep -q 'did you mean' err || fail "$name leads to: $(cat err)"
  expect 64 help run $name
  says 'Edgemill has no algorithm for'
done
expect 64 bridges small.mill
says 'cc gives connected ones'
expect 64 run infomap small.mill
says 'leiden gives those by modularity'
for pair in dijkstra:sssp closeness_centrality:closeness Connected_Components:cc breadth-first-search:bfs \
  strongly-connected-components:scc label_propagation:cdlp Minimum_Spanning_Tree:mst graph-coloring:coloring \
  maximal-independent-set:mis topological_sort:toposort is-bipartite:bipartite link-prediction:similarity triangle-count:triangles transitivity:lcc communities:leiden PageRnak:pagerank bsf:bfs; do
  expect 64 run ${pair%:*} small.mill
  says "did you mean ${pair#*:}?"
done
expect 64 run zzz small.mill
says 'edgemill help run lists them'

# --progress json: every line of standard error is JSON, errors of the command line too.
for line in 'ingest a.el --progress json' 'run --progress=json' 'frobnicate --progress json' \
  'info nothing.mill --progress json --quiet' 'ingest a.el b.mill --nonsense --progress json'; do
  # shellcheck disable=SC2086
  run $line
  [ "$code" = 64 ] || [ "$code" = 66 ] || fail "$line: $code"
  [ "$(wc -l < err)" = 1 ] || fail "$line: not one line: $(cat err)"
  valid_json err
  grep -q '^{"error":".*"exit_code":6[46]' err || fail "$line: $(cat err)"
done

# Errors have keys in JSON.
printf '0 1\n1 2\n2 x\n' > bad.el
run ingest bad.el no.mill --ids sparse --json - --progress json
for key in '"exit_code": 65' '"file": "bad.el"' '"line": 3' '"column": 3'; do
  grep -qF "$key" out || fail "the JSON has no $key: $(cat out)"
done
grep -qF '"file":"bad.el","line":3,"column":3' err || fail "no place by keys: $(cat err)"
printf '\1\0\0\0\2\0' > odd.bin32
run ingest odd.bin32 no.mill --json -
grep -qF '"offset": 0' out || fail "no offset by key: $(cat out)"
cp -r small.mill hurt.mill
printf 'x' | dd of="$(echo hurt.mill/data/*/out-neighbors.*)" bs=1 seek=70 conv=notrunc 2> dd.log
run run cc hurt.mill --json - --device cpu
for key in '"exit_code": 65' '"block": 0' '"block_of": "out-neighbors"' '"offset": 0'; do
  grep -qF "$key" out || fail "the JSON of damage has no $key: $(cat out)"
done
run verify hurt.mill --json -
grep -qF '"block_of": "out-neighbors"' out || fail "verify names no block by keys: $(cat out)"

# If --memory is more than the machine has, there is a warning, also in JSON.
run info small.mill --memory 900TiB --json -
grep -q '"warnings": \[' out || fail "no warning in JSON: $(cat out)"
[ "$(grep -c -- '--memory 900.0 TiB is more than the ' err)" = 1 ] || fail "no warning: $(cat err)"
run info small.mill --memory 64MiB --json -
! grep -q warnings out || fail "a warning of little memory: $(cat out)"

# Every command that meets an unfinished ingest ends with 76.
awk 'BEGIN {for (i = 0; i < 200000; ++i) print i % 5000, (i * 7919) % 5000}' > many.el
{ EDGEMILL_KILL_POINT=ingest.read "$edgemill" ingest many.el half.mill --memory 64MiB --quiet; } > out 2> err
for command in 'info half.mill' 'verify half.mill' 'run cc half.mill' 'export half.mill half.el' \
  'bench run cc half.mill' 'ingest many.el half.mill'; do
  # shellcheck disable=SC2086
  expect 76 $command
  says 'half.mill: is an unfinished ingest: go on with --resume'
done
expect 0 ingest many.el half.mill --memory 64MiB --resume --quiet
expect 0 info half.mill
finish
