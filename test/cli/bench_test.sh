#!/bin/bash
# The benchmarks' commands: short runs, their result files, wrong command lines, nothing left behind.
source "$(dirname "$0")/lib.sh"
mkdir one two
quick=(--sizes 64K --depths 4 --duration 0.05 -n 2 --file-size 16M)

# bench io: two directories, alone and together.
expect 0 bench io one two "${quick[@]}" --json io.json
for text in 'one: plain O_DIRECT reads' 'all: plain O_DIRECT reads' 'random 64 KiB x 4' 'one device'; do
  says "$text"
done
valid_json io.json
grep -q '"verified": true' io.json || fail "io.json is not verified"
grep -q '"name": "all, write 64 KiB x 4: rate"' io.json || fail "io.json has no rate of writes"
expect 0 bench io one "${quick[@]}" --engine pread --operations random --json -
valid_json out
[ -z "$(find one two -type f)" ] || fail "files were left: $(find one two)"

# Stopped in any way, it leaves nothing.
for signal in INT KILL; do
  "$edgemill" bench io one > out 2> err &
  process=$!
  sleep 0.5
  kill -s $signal "$process"
  wait "$process"
  code=$?
  [ "$signal" = KILL ] || [ "$code" = 130 ] || fail "Ctrl-C during bench io: exit code $code: $(cat err)"
  [ -z "$(ls -A one)" ] || fail "files were left after $signal: $(ls -A one)"
done

expect 64 bench
says 'edgemill help bench lists'
expect 64 bench oi
says 'did you mean bench io?'
expect 64 bench io
expect 64 bench io one --sizes 5000
expect 64 bench io one --sizes 16M
expect 64 bench io one --depths 0
expect 64 bench io one --depths 1,,2
expect 64 bench io one --operations read
expect 64 bench io one --sizes 4K --duration 0
expect 64 bench io one one "${quick[@]}"
says 'more than once'
touch file
expect 66 bench io nowhere
expect 66 bench io file
expect 71 bench io one --sizes 8M --depths 256 --memory 256MiB
says '2.00 GiB'
expect 74 bench io one --file-size 4096T
says 'needed'
if [ "$(id -u)" != 0 ]; then
  chmod 500 two
  expect 77 bench io two "${quick[@]}"
  chmod 700 two
fi
expect 0 help bench
says 'bench io'
finish
