#!/bin/bash
# A graph that is replaced stays until the new one is whole. --resume needs the options and inputs of the first command.
. "$(dirname "$0")/lib.sh" "$1"

printf '0 1\n1 2\n' > good.el
printf '0 1\n1 2\n2 3\n' > better.el
printf '1 -2\n' > bad.el
expect 0 ingest good.el g.mill
expect 73 ingest better.el g.mill
says 'graph already'
expect 65 ingest bad.el g.mill --replace
expect 71 generate kron g.mill --scale 5 --replace --memory 33MiB
expect 0 info g.mill --json info.json
[ "$(json_number info.json edges)" = 2 ] || fail "a failed --replace changed the graph"
[ -e g.mill.replacing ] && fail "a failed --replace left something behind"
expect 0 ingest better.el g.mill --replace
expect 0 info g.mill --json info.json
[ "$(json_number info.json edges)" = 3 ] || fail "--replace did not replace"
[ -e g.mill.replacing ] && fail "--replace left something behind"
expect 0 run cc g.mill -v

# After an interrupt the old graph can be used, and --resume puts the new one in its place.
"$edgemill" generate uniform long.mill --scale 16 > out 2> err || fail "$(cat err)"
expect 0 export long.mill long.el
for point in storage.commit.synced ingest.read; do
  EDGEMILL_KILL_POINT=$point "$edgemill" ingest long.el g.mill --replace > out 2> err
  [ $? = 137 ] || fail "was not killed at $point: $(cat err)"
  expect 0 run cc g.mill -v
  expect 0 info g.mill --json info.json
  [ "$(json_number info.json edges)" = 3 ] || fail "killed at $point, the old graph has changed"
done
expect 0 ingest long.el g.mill --resume
expect 0 info g.mill --json info.json
expect 0 info long.mill --json long.json
[ "$(json_number info.json edges)" = "$(json_number long.json edges)" ] ||
  fail "--resume did not put the new graph in its place"

# After a kill between the new graph's commit and the old one's removal, one of both can be used. --resume or the same
# command again puts the new one in its place, and nothing is left behind.
edges() {
  run info "$1" --json info.json
  [ "$code" = 0 ] || fail "$1 is not whole: $(cat err)"
  json_number info.json edges
}
for again in --resume --replace; do
  for point in storage.commit.synced storage.commit.written storage.commit.cleaned replace.inherited replace.marked \
               replace.exchanged replace.removed storage.remove.blocks; do
    for data in '' '--data blocks'; do
      [ -z "$data" ] || [ $again = --resume ] || continue
      # shellcheck disable=SC2086
      expect 0 ingest good.el k.mill $data
      # shellcheck disable=SC2086
      EDGEMILL_KILL_POINT=$point "$edgemill" ingest better.el k.mill --replace $data > out 2> err
      [ $? = 137 ] || fail "was not killed at $point: $(cat err)"
      case $(edges k.mill) in 2 | 3) ;; *) fail "killed at $point: $(edges k.mill) edges" ;; esac
      # shellcheck disable=SC2086
      expect 0 ingest better.el k.mill $again $data
      [ "$(edges k.mill)" = 3 ] || fail "$again after a kill at $point: not the new graph"
      absent k.mill.replacing k.mill/runs/replacing
      expect 0 verify k.mill
      expect 0 remove k.mill
      absent k.mill blocks
    done
  done
done

# Commands that begin while a graph replaces another find one of both, whole.
for data in '' '--data blocks'; do
  # shellcheck disable=SC2086
  expect 0 ingest good.el k.mill $data
  (
    for _ in $(seq 12); do
      # shellcheck disable=SC2086
      "$edgemill" ingest better.el k.mill --replace $data > replace.out 2>&1
      case $? in
        0 | 75) ;;  # 75: a reader still uses the graph that was replaced before
        *) cp replace.out replace.failed ;;
      esac
    done
    echo done > replaced
  ) &
  while [ ! -e replaced ]; do
    expect 0 info k.mill
    expect 0 run cc k.mill
  done
  wait
  [ ! -e replace.failed ] || fail "--replace beside readers: $(cat replace.failed)"
  rm replaced
  expect 0 verify k.mill
  expect 0 remove k.mill
  absent k.mill.replacing k.mill blocks
done

# While a reader uses the old graph, it stays; the next ingest removes it.
expect 0 ingest good.el k.mill
expect 0 generate star wide.mill --vertices 2000
"$edgemill" run pagerank k.mill -i 100000000 -t 0 > /dev/null 2>&1 &
reader=$!
sleep 0.5
expect 0 ingest better.el k.mill --replace
says 'is in use still'
[ "$(edges k.mill)" = 3 ] || fail "--replace beside a reader: not the new graph"
kill -KILL $reader
wait $reader 2> /dev/null
expect 0 ingest good.el k.mill --replace
[ "$(edges k.mill)" = 2 ] || fail "--replace after a reader's end: not the new graph"
absent k.mill.replacing k.mill/runs/replacing

# With a --uuid too the old graph stays until the end; the same uuid on the same data directory is refused.
uuid=01234567-89ab-4cde-8f01-23456789abcd
for data in '' '--data blocks'; do
  # shellcheck disable=SC2086
  expect 0 ingest good.el u.mill --uuid $uuid $data
  if [ -z "$data" ]; then
    expect 65 ingest bad.el u.mill --replace --uuid $uuid
    expect 71 ingest better.el u.mill --replace --uuid $uuid --memory 33MiB
    [ "$(edges u.mill)" = 2 ] || fail "a refused --replace --uuid took the old graph away"
    expect 0 ingest better.el u.mill --replace --uuid $uuid
    [ "$(edges u.mill)" = 3 ] || fail "--replace --uuid did not replace"
  else
    expect 73 ingest better.el u.mill --replace --uuid $uuid
    expect 73 ingest better.el u.mill --replace --uuid $uuid --data blocks
    [ "$(edges u.mill)" = 2 ] || fail "a refused --replace --uuid took the old graph away"
  fi
  expect 0 verify u.mill
  expect 0 remove u.mill
  absent u.mill u.mill.replacing blocks
done

# Outputs that would overwrite an input are refused.
cp good.el input.el
expect 73 ingest input.el x.mill --json input.el
expect 73 ingest input.el x.mill --bad-lines 2 --bad-lines-file input.el
same input.el good.el
mkdir empty
expect 0 ingest good.el empty

# --resume: other options and other inputs are refused.
head -c 300000 long.el > short.el
for delay in 0.05 0.1 0.2 0.4; do
  "$edgemill" ingest long.el r.mill --replace --memory 64MiB > out 2> err &
  process=$!
  sleep $delay
  kill -KILL $process 2> /dev/null
  wait $process 2> /dev/null
  run info r.mill
  [ "$code" = 0 ] && break
  run ingest long.el r.mill --resume --undirected
  [ "$code" = 0 ] && fail "--resume took other options"
  run ingest short.el r.mill --resume
  [ "$code" = 0 ] && fail "--resume took another input"
  rm -rf r.mill
done
finish
