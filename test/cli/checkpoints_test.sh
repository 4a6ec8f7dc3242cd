#!/bin/bash
# A run that is killed, or stopped by SIGTERM, goes on from its checkpoint. info lists checkpoints, remove removes them.
. "$(dirname "$0")/lib.sh" "$1"
expect 0 generate kron g.mill --scale 15 --seed 3
long=(run closeness g.mill --sample 6000)
expect 0 "${long[@]}" --output want.txt

# killed SIGNAL SECONDS ARGUMENT...: starts a run and sends the signal. Sets $code.
killed() {
  local signal=$1 seconds=$2
  shift 2
  "$edgemill" "$@" > out 2> err < /dev/null &
  local process=$!
  sleep "$seconds"
  kill -s "$signal" "$process" 2> /dev/null
  wait "$process" 2> /dev/null
  code=$?
}

# kill -9 at random: again and again, until the run ends.
resume=
for round in {1..40}; do
  # shellcheck disable=SC2086
  killed KILL "0.$((RANDOM % 8 + 1))" "${long[@]}" --checkpoint-every 5 --output got.txt --force $resume
  case $code in
    0) break ;;
    137) ls g.mill/runs/*.checkpoint > listed 2> /dev/null && resume=--resume ;;
    *) fail "round $round: exit code $code: $(cat err)"; break ;;
  esac
done
[ "$code" = 0 ] || expect 0 "${long[@]}" --output got.txt --force $resume
same got.txt want.txt
ls g.mill/runs/*.checkpoint > listed 2> /dev/null && fail "a run that is done left $(cat listed)"

# SIGTERM: one last checkpoint, 143, and the command that goes on.
resumable=
for delay in 0.3 0.2 0.5 0.1 0.8; do
  killed TERM $delay "${long[@]}" --checkpoint-dir elsewhere --output got.txt --force
  [ "$code" = 143 ] && [ -n "$(ls elsewhere 2> /dev/null)" ] && resumable=yes && break
done
[ -n "$resumable" ] || fail "SIGTERM never left a checkpoint; the last code is $code: $(cat err)"
command=$(sed -n 's/.*go on with edgemill //p' err)
[[ "$command" == "${long[*]} --checkpoint-dir elsewhere --output got.txt --force --resume" ]] ||
  fail "the command that goes on is not said: $(cat err)"
expect 0 info g.mill
says "$work/elsewhere/"
says "of closeness --sample 6000 on graph"
expect 0 info g.mill --json info.json
valid_json info.json
grep -q '"run": "closeness --sample 6000 on graph' info.json || fail "info --json lacks the checkpoint"

# Another run is refused, and both are named.
expect 64 run closeness g.mill --sample 50 --checkpoint-dir elsewhere --resume
says "closeness --sample 6000 on graph"
says "closeness --sample 50 on graph"
expect 64 run cc g.mill --checkpoint-dir elsewhere --resume
says "of cc on graph"
expect 66 run cc g.mill --resume
says "no checkpoint of cc"
# shellcheck disable=SC2086
expect 0 $command --threads 1 --memory 200MiB --json run.json
says "resumed"
same got.txt want.txt
valid_json run.json
[ "$(json_number run.json resumed_passes)" -gt 0 ] || fail "the report lacks the passes before"
[ -z "$(ls elsewhere)" ] || fail "the run left $(ls elsewhere)"

# remove takes checkpoints in other directories too, and nothing else there.
EDGEMILL_KILL_POINT=checkpoint.renamed run "${long[@]}" --checkpoint-every 1 --checkpoint-dir elsewhere
[ "$code" = 137 ] || fail "not killed: $code"
[ -n "$(ls elsewhere)" ] || fail "no checkpoint"
touch elsewhere/other
expect 0 remove g.mill
[ "$(ls elsewhere)" = other ] || fail "remove left $(ls elsewhere)"
finish
