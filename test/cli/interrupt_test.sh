#!/bin/bash
# Ctrl-C (exit code 130) and kill -9 at any time leave nothing incomplete, and --resume gives the same graph.
source "$(dirname "$0")/lib.sh"
uuid=01234567-89ab-4cde-8f01-23456789abcd
seq 0 800000 | awk '{print $1, ($1 * 104729) % 800000; print ($1 * 31) % 800000, $1}' > many.el
ingest=(ingest many.el --uuid "$uuid" --memory 80MiB --threads 2)
"$edgemill" "${ingest[@]:0:2}" whole.mill "${ingest[@]:2}" > out 2> err || fail "ingest: $(cat err)"

digest() { (cd "$1" && find . -type f \( -name '*neighbors*' -o -name '*offsets*' \) -exec sha256sum {} + | sort -k 2); }
digest whole.mill > want

# interrupted SIGNAL SECONDS NAME: starts the ingest and stops it.
interrupted() {
  "$edgemill" "${ingest[@]:0:2}" "$3" "${ingest[@]:2}" > out 2> err &
  local process=$!
  sleep "$2"
  kill -s "$1" "$process" 2> /dev/null
  wait "$process"
  code=$?
}

for delay in 0.05 0.3 0.8; do
  rm -rf stopped.mill
  interrupted INT $delay stopped.mill
  if [ "$code" = 130 ]; then
    if [ -e stopped.mill ]; then
      says -- '--resume'
      run info stopped.mill
      [ "$code" != 0 ] || fail "a half-made graph opens"
      "$edgemill" "${ingest[@]:0:2}" stopped.mill "${ingest[@]:2}" --resume > out 2> err ||
        fail "resume after Ctrl-C: $(cat err)"
      digest stopped.mill > got
      same got want
    fi
  elif [ "$code" != 0 ]; then
    fail "Ctrl-C after $delay s: exit code $code: $(cat err)"
  fi
  rm -rf killed.mill
  interrupted KILL $delay killed.mill
  if [ "$code" = 137 ] && [ -e killed.mill ]; then
    run info killed.mill
    if [ "$code" != 0 ]; then
      "$edgemill" "${ingest[@]:0:2}" killed.mill "${ingest[@]:2}" --resume > out 2> err || {
        # The ingest was killed before its first record was on disk. There is nothing to resume, so --replace starts
        # over.
        "$edgemill" "${ingest[@]:0:2}" killed.mill "${ingest[@]:2}" --replace > out 2> err ||
          fail "neither --resume nor --replace after kill -9: $(cat err)"
      }
    fi
    digest killed.mill > got
    same got want
  fi
done

# ends_soon WHAT: waits for $process, which a signal has reached; kills it after 5 s.
ends_soon() {
  for _ in {1..25}; do
    kill -0 "$process" 2> /dev/null || break
    sleep 0.2
  done
  kill -0 "$process" 2> /dev/null && fail "$1 goes on after Ctrl-C" && kill -KILL "$process"
  wait "$process"
  code=$?
}

# One Ctrl-C ends an ingest that waits for a pipe: before the first byte, after some bytes, and without any writer.
mkfifo silent nobody
for start in '' '0 1'; do
  { [ -z "$start" ] || echo "$start"; sleep 20; } > silent &
  writer=$!
  "$edgemill" ingest - piped.mill --format el < silent > out 2> err &
  process=$!
  interrupt "$process" 0.4
  ends_soon "an ingest from a silent pipe"
  [ "$code" = 130 ] || fail "Ctrl-C while a pipe is silent: exit code $code: $(cat err)"
  kill "$writer" 2> /dev/null
  wait "$writer" 2> /dev/null
  rm -rf piped.mill
done
"$edgemill" ingest nobody piped.mill --format el > out 2> err &
process=$!
interrupt "$process" 0.4
ends_soon "an ingest from a pipe without a writer"
rm -rf piped.mill
{ sleep 0.3; printf '0 1\n1 2\n'; sleep 0.3; printf '2 3\n'; } > nobody &
expect 0 ingest nobody piped.mill --format el --json piped.json
[ "$(json_number piped.json edges)" = 3 ] || fail "edges through a named pipe were lost: $(cat piped.json)"

# A run that is stopped leaves no output.
"$edgemill" run pagerank whole.mill -i 1000000 -t 0 --output ranks.txt > out 2> err &
process=$!
interrupt "$process" 0.7
wait "$process"
code=$?
[ "$code" = 130 ] || fail "Ctrl-C during run: exit code $code: $(cat err)"
absent ranks.txt
[ "$(grep -c '^edgemill: ' err)" = 1 ] || fail "Ctrl-C is not explained in one line: $(cat err)"
expect 0 verify whole.mill

# verify --resume goes on where a verify was stopped. If none was stopped, it is an error.
expect 66 verify whole.mill --resume
for delay in 0.02 0.05 0.1; do
  "$edgemill" verify whole.mill --threads 1 > out 2> err &
  process=$!
  interrupt "$process" $delay
  wait "$process"
  code=$?
  if [ "$code" = 130 ]; then
    says 'verify'
    [ -e whole.mill/runs/verify.json ] || continue
    expect 0 verify whole.mill --resume
    says 'all good'
  elif [ "$code" != 0 ]; then
    fail "Ctrl-C during verify: exit code $code: $(cat err)"
  fi
done
finish
