#!/bin/bash
# Temporary files go to the directories of --spill and are removed with the ingest. The graph is the same.
source "$(dirname "$0")/lib.sh"
uuid=00000000-0000-4000-8000-000000000034
kron=(--scale 18 --weights random:1:255:1 --uuid $uuid)
expect 0 generate kron in-memory.mill "${kron[@]}"
expect 0 generate kron beside.mill "${kron[@]}" --memory 64MiB --json beside.json
[ "$(json_number beside.json spill_bytes_written)" -gt 0 ] || fail "nothing was spilled: $(cat beside.json)"
expect 0 generate kron apart.mill "${kron[@]}" --memory 64MiB --spill a --spill b/c --threads 3 --json apart.json
[ "$(json_number apart.json spill_bytes_written)" -gt 0 ] || fail "nothing was spilled: $(cat apart.json)"
absent a b/c
for made in beside apart; do
  for segment in in-memory.mill/data/$uuid/*.seg; do
    same "$segment" "${segment/in-memory/$made}"
  done
done
absent beside.mill/data/$uuid/spill

# A killed ingest goes on in the same directories, or is removed with all its files there.
for action in resume remove; do
  killed=(generate kron killed.mill "${kron[@]}" --memory 64MiB --spill a)
  EDGEMILL_KILL_POINT=ingest.prepared "$edgemill" "${killed[@]}" > out 2> err
  code=$?
  [ $code = 137 ] || fail "not killed: exit code $code: $(cat err)"
  [ -s a/$uuid.spill/pages.spill ] || fail "no temporary files in a: $(ls -R a)"
  if [ $action = resume ]; then
    expect 0 "${killed[@]:0:3}" --scale 18 --weights random:1:255:1 --uuid $uuid --memory 80MiB --resume
    for segment in in-memory.mill/data/$uuid/*.seg; do same "$segment" "${segment/in-memory/killed}"; done
  fi
  expect 0 remove killed.mill
  absent a
done

# A copy of a killed ingest can neither remove its temporary files nor go on with them.
EDGEMILL_KILL_POINT=ingest.prepared "$edgemill" "${killed[@]}" > out 2> err
cp -r killed.mill copy.mill
for command in 'remove copy.mill' "${killed[*]/killed/copy} --resume"; do
  # shellcheck disable=SC2086
  expect 65 $command
  says "copy.mill: is a copy of $work/killed.mill, to which $work/a/$uuid.spill belongs"
done
expect 0 "${killed[@]}" --resume
for segment in in-memory.mill/data/$uuid/*.seg; do same "$segment" "${segment/in-memory/killed}"; done
expect 0 remove killed.mill
absent a
# Once the temporary files are gone, the error does not advise --resume. The copy can be removed then.
expect 65 "${killed[@]/killed/copy}" --resume
says 'temporary files of the ingest are gone: bring them back and give the same command again, or start over with'
expect 0 remove copy.mill
absent a

# Parallel edges keep the input's order, also if the log of edges is packed before vertices are renumbered.
awk 'BEGIN { for (i = 0; i < 1500000; i++) print i * 7919 % 2003, i * 104729 % 1999, i }' > parallel.wel
for memory in 66MiB 1GiB; do
  expect 0 ingest parallel.wel parallel-$memory.mill --undirected --renumber degree --merge first --weights int \
    --uuid $uuid --memory $memory --json parallel-$memory.json
done
[ "$(json_number parallel-66MiB.json spill_bytes_written)" -gt 0 ] || fail "nothing was spilled"
for segment in parallel-1GiB.mill/data/$uuid/*.seg; do same "$segment" "${segment/1GiB/66MiB}"; done

expect 64 generate kron inside.mill --scale 8 --spill inside.mill/temporary
absent inside.mill
expect 64 generate kron twice.mill --scale 8 --spill a --spill ./a
grep -q 'named twice' err || fail "$(cat err)"
absent twice.mill
mkdir -m 500 closed
if [ "$(id -u)" != 0 ]; then
  expect 77 generate kron closed.mill --scale 8 --spill closed
  absent closed.mill
fi
expect 0 ingest /dev/null --dry-run none.mill --spill a --format el --json dry.json
grep -q spill_free_bytes dry.json || fail "no free bytes of --spill: $(cat dry.json)"
finish
