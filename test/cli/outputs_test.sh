#!/bin/bash
# Where answers go: links are followed, no two outputs are one file, nothing lands in a graph, and waiting for a reader
# ends with the first signal.
source "$(dirname "$0")/lib.sh"
small_graph
expect 0 ingest small.el g.mill
printf 'ann bob\nbob "carl c"\n' > named.el
expect 0 ingest named.el named.mill
expect 0 run cc g.mill -o want.txt

# A link to an open descriptor, such as /dev/stdout, stays. The answer is appended to the file that is open.
ln -s /proc/self/fd/1 to_stdout.txt
ln -s /proc/self/fd/2 to_stderr
echo first > got
"$edgemill" run cc g.mill -o to_stdout.txt --quiet 2> err >> got || fail "an output to standard output by a link: $(cat err)"
[ -L to_stdout.txt ] || fail "the link to standard output was replaced"
[ "$(head -1 got)" = first ] || fail "what was in the file before is gone: $(head -3 got)"
sed -n "2,$(($(wc -l < want.txt) + 1))p" got > part
same part want.txt
grep -q '^components' got || fail "the summary is not behind the answer: $(cat got)"
"$edgemill" info g.mill --json to_stderr > out 2> err || fail "--json to standard error by a link"
[ -L to_stderr ] || fail "the link to standard error was replaced"
valid_json err
"$edgemill" info g.mill --json /proc/self/fd/7 7> seven > out 2> err || fail "--json to a descriptor: $(cat err)"
valid_json seven
"$edgemill" run cc g.mill -o /proc/self/fd/7 7> seven > out 2> err || fail "an output to a descriptor: $(cat err)"
same seven want.txt
"$edgemill" run cc g.mill -o to_stdout.txt 2> err | head -1 > part
head -1 want.txt | cmp -s - part || fail "a pipe by a link to standard output: $(cat part err)"
"$edgemill" info g.mill --json /proc/self/fd/7 7< want.txt > out 2> err
[ $? = 73 ] || fail "a descriptor that is open for reading was written: $(cat err)"

# A link to a file stays too. The file is replaced or made as a whole, and no other file is left beside it.
mkdir target
echo old > target/there.txt
ln -s target/there.txt there.txt
ln -s "$work/target/new.txt" new.txt
expect 73 run cc g.mill -o there.txt
expect 0 run cc g.mill -o there.txt --force
expect 0 run cc g.mill -o new.txt
for name in there new; do
  [ -L $name.txt ] || fail "the link $name.txt was replaced"
  same target/$name.txt want.txt
done
[ "$(ls target | tr '\n' ' ')" = 'new.txt there.txt ' ] || fail "beside the targets there is more: $(ls target)"
ln -s circle circle
expect 74 info g.mill --json circle
ln -s nowhere/x.txt lost.txt
expect 73 run cc g.mill -o lost.txt
says 'directory ./nowhere does not exist'

# If two outputs are one file by any names, the code is 64; for an output and an input it is 73. No work is done.
cp want.txt values.txt
cp small.el linked.el
ln linked.el hard.el
ln -s x.txt link.json
mkfifo pipe
refused() {
  expect 64 "$@"
  says 'both want'
}
for other in ./x.txt .//x.txt "$work/x.txt" ../"$(basename "$work")"/x.txt link.json; do
  refused run cc g.mill -o x.txt --json "$other"
  absent x.txt
done
refused run cc g.mill -o x.npy --json x.names
refused run cc g.mill -o x.npy --json ./x.ids.npy
refused run cc g.mill --report x.json --json ./x.json
refused run cc g.mill -o - --json /dev/stdout
refused export g.mill x.el --json ./x.el
refused export g.mill x.el --json ./x.el.v
refused export g.mill x.el --vertices-file ./x.el
expect 0 export g.mill x.el --vertices-file y.v --json x.el.v
rm -f x.el x.el.v y.v
refused ingest small.el h.mill --bad-lines 1 --bad-lines-file r --json ./r
refused ingest small.el h.mill --json ./h.mill
refused ingest small.el h.mill --data d --json d
refused ingest small.el h.mill --vertices-file v --json ./v
refused calibrate --calibration c.json --json ./c.json
refused bench record r.json ./r.json --force
while read -r command; do
  # shellcheck disable=SC2086
  expect 73 $command
  says 'is an input: name another'
done << 'COMMANDS'
ingest linked.el h.mill --bad-lines 1 --bad-lines-file hard.el
ingest pipe h.mill --format el --json ./pipe
run hs g.mill -i 1 --values values.txt -o ./values.txt --force
run cs g.mill -i 1 --fixed values.txt -o ./values.txt --force
COMMANDS
"$edgemill" run cc g.mill --json x.json > x.json 2> err
[ $? = 64 ] || fail "standard output's file was taken for --json: $(cat err)"
same linked.el small.el
same values.txt want.txt
absent h.mill x.txt x.npy
expect 0 run cc g.mill --json /dev/null -o /dev/null
expect 73 ingest small.el h.mill --bad-lines 1 --bad-lines-file pipe
expect 73 ingest small.el h.mill --bad-lines 1 --bad-lines-file /dev/stderr

# Nothing is written into a graph, or beside its blocks.
expect 0 ingest small.el far.mill --data far
for place in g.mill g.mill/data g.mill/runs far.mill far/*-*; do
  expect 73 run cc named.mill -o "$place/x.txt"
  says 'holds a graph and nothing else'
  expect 73 info named.mill --json "$place/x.json"
  absent "$place/x.json"
done
expect 73 ingest named.el g.mill/data/h.mill
says 'holds a graph and nothing else'
expect 0 run cc named.mill -o far/x.txt
expect 0 verify g.mill

# If a user's file is in a graph, remove takes nothing, and names the file.
for place in g.mill g.mill/data g.mill/data/*-*; do
  touch "$place/mine"
  expect 65 remove g.mill
  says '/mine: is not part of the graph, so nothing was removed'
  expect 65 ingest named.el g.mill --replace
  expect 0 verify g.mill
  rm "$place/mine"
done
expect 0 verify g.mill --quiet

# Output names may have the file system's maximum length. Longer names are refused before the work.
name=$(printf 'n%.0s' {1..300})
for bytes in 237 238 241 242 251; do
  expect 0 run cc g.mill -o "${name:0:$bytes}.txt"
  same "${name:0:$bytes}.txt" want.txt
  expect 0 info g.mill --json "${name:0:$bytes}.jso"
done
umlauts=$(printf '\303\274%.0s' {1..125})
expect 0 run cc g.mill -o "$umlauts.txt"
same "$umlauts.txt" want.txt
for command in 'run cc none.mill -o' 'export none.mill' 'info none.mill --json'; do
  # shellcheck disable=SC2086
  expect 73 $command "${name:0:252}.txt"
  says 'is too long for a file'
done
expect 73 export none.mill "${name:0:252}.el"
says '.el.v: is too long'
ls -a | grep -q edgemill-part && fail "a temporary file was left: $(ls -a)"

# Waiting for a reader ends with one signal: in a full pipe, blocking or not, and before a named pipe has a reader.
# stops SIGNAL CODE WHAT: $process must end within a second of SIGNAL, with CODE.
stops() {
  sleep 0.3
  kill -0 "$process" 2> /dev/null || fail "$3: ended by itself"
  kill -s "$1" "$process"
  for _ in {1..20}; do
    kill -0 "$process" 2> /dev/null || break
    sleep 0.1
  done
  kill -0 "$process" 2> /dev/null && fail "$3: goes on after SIG$1" && kill -KILL "$process"
  wait "$process"
  code=$?
  [ "$code" = "$2" ] || fail "$3: exit code $code after SIG$1: $(cat err)"
}
seq 0 30000 | awk '{print $1, ($1 * 7919) % 30000}' > many.el
expect 0 ingest many.el many.mill
mkfifo full full.txt unread
exec 8<> full 9<> full.txt  # nobody reads from it
for signal in 'TERM 143' 'INT 130' 'HUP 129'; do
  read -r name want <<< "$signal"
  "$edgemill" export many.mill - > full 2> err & process=$!
  stops "$name" "$want" "export to a full pipe"
  "$edgemill" run cc many.mill -o full.txt > out 2> err & process=$!
  stops "$name" "$want" "run to a full named pipe"
  "$edgemill" export many.mill unread --format el > out 2> err & process=$!
  stops "$name" "$want" "export to a pipe without a reader"
  "$edgemill" run cc many.mill --json unread > out 2> err & process=$!
  stops "$name" "$want" "--json to a pipe without a reader"
  "$edgemill" export many.mill - > full 2>&1 & process=$!
  stops "$name" "$want" "export with errors in the same full pipe"
done
# Where the pipe is non-blocking, waiting takes no processor time.
if command -v python3 > /dev/null; then
  python3 - "$edgemill" > got 2> err << 'PYTHON' || fail "a full non-blocking pipe: $(cat got err)"
import os, subprocess, sys, time
reader, writer = os.pipe()
os.set_blocking(writer, False)
process = subprocess.Popen([sys.argv[1], "export", "many.mill", "-"], stdout=writer)
time.sleep(1.5)
fields = open(f"/proc/{process.pid}/stat").read().rsplit(")", 1)[1].split()
seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
os.close(writer)
read = b""
while part := os.read(reader, 65536):
    read += part
assert process.wait() == 0, process.returncode
assert read.count(b"\n") == 30001, read.count(b"\n")
assert seconds < 0.7, f"{seconds} s of processor time"
PYTHON
fi
# A reader that opens the pipe late gets all data.
expect 0 export many.mill want.el
{ sleep 0.4; cat unread > got.el; } &
expect 0 export many.mill unread --format el
wait $!
same got.el want.el
exec 8>&- 9>&-

# --replace of a graph that is named by a link replaces the graph, and the link stays.
expect 0 ingest small.el a.mill
ln -s a.mill link.mill
expect 0 ingest many.el link.mill --replace
[ -L link.mill ] || fail "the link to the graph was replaced"
absent link.mill.replacing a.mill.replacing
expect 0 info a.mill --json a.json
[ "$(json_number a.json edges)" = 30001 ] || fail "the graph behind the link is the old one"
EDGEMILL_KILL_POINT=replace.exchanged "$edgemill" ingest small.el link.mill --replace > out 2> err
[ $? = 137 ] || fail "was not killed: $(cat err)"
expect 0 ingest small.el link.mill --resume
absent a.mill.replacing
expect 65 remove link.mill
says 'symbolic link'
expect 0 verify link.mill
expect 0 remove a.mill
finish
