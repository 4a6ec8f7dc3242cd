#!/bin/bash
# remove takes only the graph's own blocks. The next command removes what killed commands left.
. "$(dirname "$0")/lib.sh" "$1"
small_graph
seq 0 3000 | awk '{print $1, ($1 * 7919) % 3000}' > other.el

# The blocks of this graph lie outside of its directory. A copy of the directory cannot remove them.
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

# A graph directory that was moved can, also by a relative name with a slash.
mv g.mill moved.mill
expect 0 verify moved.mill
expect 0 remove ./moved.mill/
absent moved.mill a b

# The original removes its blocks although there is a copy, and the copy then says that its blocks are gone.
expect 0 ingest small.el g.mill --data a
cp -r g.mill copy.mill
expect 0 remove g.mill
absent g.mill a
expect 66 run cc copy.mill
expect 66 remove copy.mill
rm -r copy.mill

# A graph that was made by --replace is as safe.
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

# A moved graph can be removed also if another graph is in its old place.
expect 0 ingest small.el g.mill --data a
mv g.mill moved.mill
expect 0 ingest other.el g.mill --data a
expect 0 remove moved.mill
expect 0 verify g.mill
expect 0 remove g.mill
rmdir a || fail "blocks were left in a"

# A copy of an unfinished ingest can neither be resumed nor removed.
EDGEMILL_KILL_POINT=storage.commit.synced "$edgemill" ingest other.el g.mill --data a > out 2> err
[ $? = 137 ] || fail "was not killed"
cp -r g.mill copy.mill
expect 65 ingest other.el copy.mill --data a --resume
expect 65 remove copy.mill
expect 0 ingest other.el g.mill --data a --resume
expect 0 verify g.mill
expect 0 remove g.mill
rm -r copy.mill

# remove takes also what a killed --replace left.
for point in ingest.read storage.commit.synced storage.remove.begun storage.remove.blocks; do
  expect 0 ingest small.el g.mill --data a
  EDGEMILL_KILL_POINT=$point "$edgemill" ingest other.el g.mill --data a --replace > out 2> err
  [ $? = 137 ] || fail "was not killed at $point"
  expect 0 verify g.mill
  [ -e g.mill.replacing ] || fail "killed at $point, nothing was left: the check checks nothing"
  expect 0 remove g.mill
  absent g.mill g.mill.replacing a
done

# An export writes over what a killed export left, but leaves alone an output that another process is writing.
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

# Damage to the graph's identity file is reported. Runs and removal still work.
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
# A data directory was copied to the place of a missing one, whose blocks would be left behind.
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
