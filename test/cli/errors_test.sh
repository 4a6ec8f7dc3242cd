#!/bin/bash
# Exit codes of every kind. Failures leave nothing behind.
source "$(dirname "$0")/lib.sh"
small_graph
expect 0 ingest small.el small.mill --weights random:1:9:1

# 65: bad input. The error names file, line and column.
printf '0 1\n1 2\n2 x\n' > bad.el
expect 65 ingest bad.el bad.mill --ids sparse
says 'bad.el:3:3: not a number'
absent bad.mill
expect 0 ingest bad.el bad.mill --bad-lines 1 --bad-lines-file rejects
grep -q '^bad.el:3:3: ' rejects || fail "the reject is not listed"
for text in '0\n' '0 1.5\n' '-1 2\n' '0x10 2\n' '18446744073709551616 1\n' '1 2\n\x00\n'; do
  printf -- "$text" > odd.el
  expect 65 ingest odd.el odd.mill
  absent odd.mill
done
printf '0 1 nan\n' > nan.wel
expect 65 ingest nan.wel nan.mill
printf '0 1\n' | gzip | head -c 15 > cut.el.gz
expect 65 ingest cut.el.gz cut.mill
printf '1 2 -3\n2 1 1\n' > negative.wel
expect 0 ingest negative.wel negative.mill
for algorithm in sssp sswp; do
  expect 64 run $algorithm negative.mill -r 1
  says "negative.mill has negative weights, and $algorithm takes none: shift or drop them"
done
# If there are more paths than 64 bits can count, the error names the vertex by its id or its name.
awk 'BEGIN {for (i = 5; i < 200; i += 3) {print i, i + 1; print i, i + 2; print i + 1, i + 3; print i + 2, i + 3}}' > diamonds.el
expect 0 ingest diamonds.el diamonds.mill
expect 65 run ssnsp diamonds.mill -r 5
says 'edgemill: vertex 197 has more shortest paths from the source than 64 bits count, 18446744073709551615 or more:'
says 'stop before it, with -i 127'
expect 0 run ssnsp diamonds.mill -r 5 -i 127 --verify --output -
grep -qx '194 9223372036854775808' out || fail "2^63 paths are counted as: $(grep '^194 ' out)"
sed 's/[0-9][0-9]*/v&/g' diamonds.el > named.el
expect 0 ingest named.el named.mill
expect 65 run ssnsp named.mill -r v5
says 'vertex "v197" has more shortest paths'

# 66: a file or graph does not exist.
expect 66 ingest missing.el x.mill
expect 66 info missing.mill
expect 66 run cc missing.mill
expect 66 remove missing.mill
absent x.mill
# Each message ends with what to do.
says_on() {  # CODE TEXT ARGUMENT...
  local code=$1 text=$2
  shift 2
  expect "$code" "$@"
  says "$text"
}
says_on 66 'missing.el: there is no such file: check the name' ingest missing.el x.mill
says_on 66 'missing.json: there is no such file: give a file that' bench compare missing.json missing.json
says_on 73 'nowhere is not a directory: make it first' ingest small.el nowhere/x.mill
says_on 73 'small.el is not a directory: make it first' ingest small.el small.el/x.mill
says_on 73 'small.el: is there already, and is not a directory: give another name' ingest small.el x.mill --data small.el
says_on 66 'give the NAME.mill that ingest made' info .
says_on 65 'restore it from a copy' info small.mill/catalog
"$edgemill" ingest - x.mill <&- > out 2> err
[ $? = 74 ] || fail "a closed standard input is taken for an empty one: $(cat err)"
absent x.mill
mkdir one two
expect 0 ingest small.el apart.mill --data one --data two --block-edges 128
mv two moved
run run cc apart.mill
[ "$code" = 66 ] || fail "a missing data directory: exit code $code"
expect 0 run cc apart.mill --data moved
expect 0 remove apart.mill --data moved
absent apart.mill

# 64: an algorithm or its method lacks the option, or does not accept the value.
says_on 64 'betweenness has no option --iterations' run betweenness small.mill -r 1 -i 3
says_on 64 '--iterations is for --method labels' run cc small.mill -i 3
says_on 64 'cc has no option --source' run cc small.mill -r 1
says_on 64 'bfs has no option --async' run bfs small.mill -r 1 --async
says_on 64 '--mode is for --method labels' run cc small.mill --mode push
says_on 64 '--async is for --method delta' run pagerank small.mill --async
says_on 64 '-t 1e-08: must be at least 1e-07' run pagerank small.mill --method delta -t 1e-8
says_on 64 '--method jacobi: is none of auto, hang, hubs, afforest, link, labels' run cc small.mill --method jacobi
says_on 64 '--damping 1: give a number of at least 0 and below 1' run pagerank small.mill --damping 1
says_on 64 '--delta 0: give a number above 0' run sssp small.mill -r 1 --delta 0
says_on 64 'sssp needs a source: give it with -r ID' run sssp small.mill
says_on 64 'sswp needs a source: give it with -r ID' run sswp small.mill
says_on 64 'ssnsp needs a source: give it with -r ID' run ssnsp small.mill
says_on 64 '--top is for values that have an order' run bfs small.mill -r 1 --parents --top 3
says_on 64 '--bottom is for values that have an order' run bfs small.mill -r 1 --parents --bottom 3
says_on 64 '--bottom is for values of vertices' run cc small.mill --bottom 3
says_on 64 '--histogram is for numbers' run bfs small.mill -r 1 --parents --histogram
says_on 64 'has option --iterations' bench run bfs,cc small.mill -i 3

# 64, 69: sources, devices, columns.
run run bfs small.mill -r 99
[ "$code" = 64 ] || [ "$code" = 66 ] || fail "an unknown source: exit code $code"
says 99
expect 69 run cc small.mill --device gpu
says ', or run with --device cpu'
expect 69 run cc small.mill --device gpu --gpus 2
expect 69 run cc small.mill --device gpu --gpus 0,1
expect 69 run cc small.mill --device gpu --gpus auto
expect 69 run cc small.mill --device hybrid
expect 64 run cc small.mill --device hybrid --cpu-share 1.5
expect 69 run cc small.mill --device gpu --dry-run
expect 69 bench gpu small.mill
expect 66 bench gpu none.mill
expect 0 run cc small.mill --device cpu
for useless in '--transfer filter' '--gpu-memory 1GiB' '--cpu-share .5'; do
  # shellcheck disable=SC2086
  expect 64 run cc small.mill --device cpu $useless
done
# SubCSRs serve both processors, and pushes alone.
expect 0 run bfs small.mill -r 0 --device cpu --transfer subcsr --mode push --verify
expect 64 run bfs small.mill -r 0 --device cpu --transfer subcsr --mode pull
says '--transfer subcsr serves pushes, and --mode pull pulls'
expect 64 run cc small.mill --device cpu --transfer subcsr
says '--transfer subcsr serves pushes, and cc has none'
expect 64 run sssp small.mill -r 0 --async --priority delta --device gpu
says '--priority delta: sssp does not say how much its vertices have to pass on: take --priority hub'
expect 64 run sssp small.mill -r 0 --transfer subcsr --async
expect 64 run cc small.mill --kernel dense --device gpu
says '--kernel dense serves passes in which every vertex takes 4-byte messages of all its neighbors, and cc has none'
expect 64 run pagerank small.mill --kernel dense --mode push
says '--kernel dense serves pulls, and --mode push has none'
expect 66 run cc small.mill --plugin none.so
says 'none.so: there is no such plugin: check the name'
echo 'not a plugin' > text.so
expect 65 run cc small.mill --plugin=text.so
says 'text.so: not a plugin: build it by edgemill_add_plugin'
expect 65 help run cc --plugin text.so
expect 64 run cc small.mill --memory 0
expect 64 run cc small.mill --json same.json --report same.json
says '--report and --json both want the file same.json'
for empty in --output --report --json --data; do
  expect 64 run cc small.mill $empty ''
done
expect 64 run cc ''
expect 64 generate star empty.mill --uuid ''
expect 64 generate kron chances.mill --a .5
says 'give KIND rmat'
expect 64 ingest small.el out.mill --bad-lines 1 --bad-lines-file rejected --json ./rejected
expect 64 export small.mill same.el --json same.el
expect 64 export small.mill - --json - --format el
absent empty.mill chances.mill out.mill rejected same.el same.json

# Calibrations: 66 if there is no file, 73 if another file is in its place. Both are found before a measurement.
expect 66 run cc small.mill --calibration missing.json
says 'edgemill calibrate'
expect 66 calibrate --scratch missing --calibration new.json
printf 'notes\n' > notes.txt
expect 73 calibrate --calibration notes.txt
grep -q notes notes.txt || fail "notes were replaced"
expect 73 calibrate --calibration /dev/full
expect 73 calibrate --calibration missing/new.json
absent new.json

# 71: too little memory. The error names an amount with which the command works.
seq 0 300000 | awk '{print $1, ($1 * 7919) % 300000}' > wide.el
expect 0 ingest wide.el wide.mill
for command in 'run pagerank wide.mill' 'run cc wide.mill' 'run bfs wide.mill -r 0'; do
  # shellcheck disable=SC2086
  expect 71 $command --memory 1MiB
  cp err too_little
  least=$(grep -oE -- '--memory [0-9]+MiB' too_little | tail -1 | cut -d ' ' -f 2)
  # shellcheck disable=SC2086
  expect 0 $command --memory "$least" --json least.json
  peak=$(json_number least.json peak_resident_bytes)
  [ "$peak" -le $((${least%MiB} << 20)) ] || fail "$command took $peak bytes of $least"
done
for command in 'verify wide.mill' 'export wide.mill wide.bin64 --force' 'info small.mill'; do
  # shellcheck disable=SC2086
  expect 71 $command --memory 1MiB
  # shellcheck disable=SC2086
  expect 0 $command --memory "$(grep -oE -- 'least --memory [0-9]+MiB' err | cut -d ' ' -f 3)"
done
# A later stage of an ingest may need more memory, and name a larger number. The last one suffices.
least=33MiB
for _ in 1 2 3 4; do
  run ingest wide.el little.mill --memory "$least" --json least.json
  [ "$code" = 71 ] || break
  absent little.mill
  least=$(grep -oE -- '--memory [0-9]+MiB' err | tail -1 | cut -d ' ' -f 2)
done
[ "$code" = 0 ] || fail "ingest with --memory $least: exit code $code: $(cat err)"
peak=$(json_number least.json peak_resident_bytes)
[ "$peak" -le $((${least%MiB} << 20)) ] || fail "ingest took $peak bytes of $least"

# 73: files, folders and graphs that exist are not replaced.
expect 73 ingest small.el small.mill
mkdir plain.mill
echo mine > plain.mill/note
expect 73 ingest small.el plain.mill
[ -f plain.mill/note ] || fail "a folder that is not a graph went"
run remove plain.mill
[ "$code" != 0 ] && [ -f plain.mill/note ] || fail "remove took a folder that is not a graph"
expect 0 run cc small.mill

# 74: the disk is full, here by a limit on file sizes; --resume goes on once there is room.
seq 0 400000 | awk '{print $1, ($1 * 104729) % 400000}' > many.el
(ulimit -f 200; "$edgemill" ingest many.el full.mill --uuid 01234567-89ab-4cde-8f01-23456789abcd \
  > out 2> err); code=$?
[ "$code" = 74 ] || fail "a full disk: exit code $code: $(cat err)"

# 75: another process uses the graph.
"$edgemill" run pagerank wide.mill -i 1000000 -t 0 > /dev/null 2>&1 &
reader=$!
sleep 1
expect 75 remove wide.mill
expect 0 run cc wide.mill
interrupt "$reader" 0
wait "$reader"
expect 0 info wide.mill

# 77: no permission. Permissions do not hold for root, so root runs the program as another user.
as_user=()
if [ "$(id -u)" = 0 ]; then
  as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  chmod 755 "$work"
  chmod -R a+rX small.mill small.el
fi
if [ ${#as_user[@]} = 0 ] || "${as_user[@]}" test -x "$edgemill" 2> /dev/null; then
  mkdir -p closed && chmod 555 closed
  "${as_user[@]}" "$edgemill" ingest small.el closed/g.mill > out 2> err; code=$?
  [ "$code" = 77 ] || fail "a folder without permission: exit code $code: $(cat err)"
  says closed
  "${as_user[@]}" "$edgemill" run cc small.mill --output closed/cc.txt > out 2> err; code=$?
  [ "$code" = 77 ] || fail "an output without permission: exit code $code: $(cat err)"
  "${as_user[@]}" "$edgemill" run cc small.mill > out 2> err ||
    fail "another user cannot read a graph that may be read: $(cat err)"
  chmod 755 closed
  chmod 000 small.el
  "${as_user[@]}" "$edgemill" ingest small.el closed/g.mill > out 2> err; code=$?
  [ "$code" = 77 ] || fail "an input without permission: exit code $code: $(cat err)"
else
  echo "skipped: another user cannot run the program where it lies"
fi
finish
