#!/bin/bash
# Removing takes the graph's own blocks and nobody else's; what killed commands left goes with the next one.
. "$(dirname "$0")/lib.sh" "$1"
small_graph
seq 0 3000 | awk '{print $1, ($1 * 7919) % 3000}' > other.el

# A copy of a graph directory whose blocks lie elsewhere cannot take them along.
expect 0 ingest small.el g.mill --data a --data b
cp -r g.mill copy.mill
expect 0 run cc copy.mill
for command in 'remove copy.mill' 'ingest other.el copy.mill --replace' 'remove copy.mill --data a --data b'; do
  # shellcheck disable=SC2086
  expect 65 $command
  says "$work/g.mill"
  absent copy.mill.replacing
done
ln -s g.mill link.mill
expect 0 verify g.mill
expect 0 verify link.mill
rm -r copy.mill

# A moved one can, also by a relative name with a slash.
mv g.mill moved.mill
expect 0 verify moved.mill
expect 0 remove ./moved.mill/
absent moved.mill a b

# So does the rightful one when a copy is there, and the copy then says that its blocks are gone.
expect 0 ingest small.el g.mill --data a
cp -r g.mill copy.mill
expect 0 remove g.mill
absent g.mill a
expect 66 run cc copy.mill
expect 66 remove copy.mill
rm -r copy.mill

# A graph that came by --replace is as safe.
expect 0 ingest small.el g.mill --data a
expect 0 ingest other.el g.mill --data a --replace
absent g.mill.replacing
cp -r g.mill copy.mill
expect 65 remove copy.mill
says "$work/g.mill"
expect 0 verify g.mill
expect 0 remove g.mill
absent a
rm -r copy.mill

# Another graph where the home was is no hindrance.
expect 0 ingest small.el g.mill --data a
mv g.mill moved.mill
expect 0 ingest other.el g.mill --data a
expect 0 remove moved.mill
expect 0 verify g.mill
expect 0 remove g.mill
rmdir a || fail "blocks were left in a"

# An unfinished ingest's copy cannot be resumed, nor removed.
EDGEMILL_KILL_POINT=storage.commit.synced "$edgemill" ingest other.el g.mill --data a > out 2> err
[ $? = 137 ] || fail "was not killed"
cp -r g.mill copy.mill
expect 65 ingest other.el copy.mill --data a --resume
expect 65 remove copy.mill
expect 0 ingest other.el g.mill --data a --resume
expect 0 verify g.mill
expect 0 remove g.mill
rm -r copy.mill

# What a killed --replace left goes with the graph.
for point in ingest.read storage.commit.synced storage.remove.begun storage.remove.blocks; do
  expect 0 ingest small.el g.mill --data a
  EDGEMILL_KILL_POINT=$point "$edgemill" ingest other.el g.mill --data a --replace > out 2> err
  [ $? = 137 ] || fail "was not killed at $point"
  expect 0 verify g.mill
  [ -e g.mill.replacing ] || fail "killed at $point, nothing was left: the check checks nothing"
  expect 0 remove g.mill
  absent g.mill g.mill.replacing a
done

# What a killed export left is written over by the next one, and an output that is being written is left alone.
expect 0 ingest small.el g.mill
EDGEMILL_KILL_POINT=cli.output.written "$edgemill" export g.mill back.el > out 2> err
[ $? = 137 ] || fail "export was not killed"
absent back.el
[ "$(ls -d back.el.* | wc -l)" = 1 ] || fail "a killed export left $(ls -d back.el.*)"
yes 'much more than the graph has' | head -100 >> back.el.edgemill-part
expect 0 export g.mill back.el
[ "$(wc -l < back.el)" = 8 ] || fail "an export after a killed one: $(head back.el)"
absent back.el.edgemill-part
mkfifo hold
"$edgemill" export g.mill hold --format el > /dev/null 2>&1 &
expect 0 export g.mill again.el
cat hold > /dev/null
wait

# The graph's own identity file: damage is reported, does not keep runs from working, and removal finds its way.
for damage in 'sed -i s/count/mount/ g.mill/IDENTITY' 'rm g.mill/IDENTITY'; do
  $damage
  expect 0 run cc g.mill
  run verify g.mill --json verify.json
  [ "$code" != 0 ] || fail "verify says nothing of: $damage"
  says 'g.mill/IDENTITY'
  grep -q '"good": false' verify.json || fail "the JSON calls a damaged identity good"
done
expect 0 remove g.mill
absent g.mill
# A copy of one data directory where another is missing: whose blocks would be left behind.
expect 0 ingest small.el copied.mill --data one --data two
mv two away
cp -r one two
expect 66 info copied.mill
expect 65 remove copied.mill
says 'is a copy of another data directory of the graph, so nothing was removed'
rm -r two
mv away two
expect 0 run cc copied.mill
expect 0 remove copied.mill
absent one two

finish
