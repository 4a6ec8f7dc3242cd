#!/bin/bash
# Which ids are vertices. Isolated vertices come back from an export.
source "$(dirname "$0")/lib.sh"

printf '# FromNodeId ToNodeId\r\n30\t1412\r\n30\t3352\r\n3\t28\r\n28\t30\r\n' > snap.txt

# In text formats, the ids that occur are vertices.
expect 0 ingest snap.txt occur.mill --json occur.json
says 'vertices        5 (3,347 unused ids between them; --ids dense keeps them)'
[ "$(json_number occur.json unused_ids)" = 3347 ] || fail "unused ids: $(cat occur.json)"
expect 0 run cc occur.mill
says 'components      1'
expect 0 ingest snap.txt dense.mill --ids dense
says 'vertices        3,352, ids 1 to 3352'
expect 0 ingest snap.txt all.mill --vertices 4000
says 'vertices        4,000, ids 0 to 3999'
expect 0 ingest snap.txt last.mill --vertices 3352
says 'ids 1 to 3352'
expect 65 ingest snap.txt few.mill --vertices 3000
says 'vertex id 3352 is outside the 3000 vertices that --vertices declares'
absent few.mill
expect 64 ingest snap.txt both.mill --vertices 4000 --ids sparse
expect 64 ingest snap.txt none.mill --vertices 0

# If a format declares a range of ids, all of them are vertices, unless --ids asks for those that occur.
expect 0 ingest "$data/gapbs/4.gr" range.mill
says 'vertices        14, ids 1 to 14'
printf '%%%%MatrixMarket matrix coordinate pattern general\n9 9 2\n1 5\n5 9\n' > some.mtx
expect 0 ingest some.mtx range-mtx.mill
says 'vertices        9, ids 1 to 9'
expect 0 ingest some.mtx sparse-mtx.mill --ids sparse
says 'vertices        3 (6 unused ids between them'
printf '\1\0\0\0\5\0\0\0\5\0\0\0\11\0\0\0' > some.bin32
expect 0 ingest some.bin32 range-bin.mill
says 'vertices        9, ids 1 to 9'
expect 0 ingest some.bin32 sparse-bin.mill --ids sparse
says 'vertices        3 (6 unused ids between them'

# A list of vertices, some without edges.
printf '# more\n7\n30\n5000\n' > more.v
expect 0 ingest snap.txt more.mill --vertices-file more.v --uuid 00000000-0000-4000-8000-000000000001
says 'vertices        7 (4,993 unused ids between them'
expect 0 export more.mill back.el
says 'all vertices, 2 of them without edges, are in back.el.v'
printf '3\n7\n28\n30\n1412\n3352\n5000\n' > want.v
same back.el.v want.v
expect 0 ingest back.el again.mill --vertices-file back.el.v --uuid 00000000-0000-4000-8000-000000000001
expect 0 run cc more.mill --output more.txt
expect 0 run cc again.mill --output again.txt
same more.txt again.txt
expect 73 export more.mill other.el --vertices-file back.el.v
absent other.el
expect 73 export more.mill back.el
expect 0 export more.mill back.el --force
expect 0 export more.mill -
says '2 vertices without edges are left out'
expect 0 export occur.mill whole.el
absent whole.el.v
expect 0 export occur.mill whole.el --vertices-file whole.ids --force
[ "$(wc -l < whole.ids)" = 5 ] || fail "not all vertices are in the file: $(cat whole.ids)"
expect 64 export occur.mill same.el --vertices-file same.el
printf '7\n-7\n' > bad.v
expect 65 ingest snap.txt bad.mill --vertices-file bad.v
says 'bad.v:2:'
absent bad.mill
expect 66 ingest snap.txt bad.mill --vertices-file none.v
cp more.v kept.v
expect 73 ingest snap.txt bad.mill --vertices-file more.v --bad-lines 1 --bad-lines-file more.v
same more.v kept.v
absent bad.mill

# The vertices with the largest values.
expect 0 run pr occur.mill --top 2 --json top.json
says 'top ranks'
tr -d ' \n' < top.json | grep -qE '"top":\[\{"id":[0-9]+,"rank":0\.[0-9]{7}\},\{"id":[0-9]+,"rank":0\.[0-9]{7}\}\]' ||
  fail "no list of two: $(grep -A9 '"top"' top.json)"
expect 0 run cc more.mill --top 2 --json top.json
tr -d ' \n' < top.json | grep -qF '"top":[{"id":3,"vertices":5},{"id":7,"vertices":1}]' || fail "$(cat top.json)"
for source in alice -1 18446744073709551616; do
  expect 64 run bfs occur.mill -r "$source"
  says "--source: \"$source\" is not valid: vertices of occur.mill have numbers as ids"
done
expect 0 run bfs occur.mill -r 3 --top 3 --json top.json
tr -d ' \n' < top.json | grep -qF '"top":[{"id":1412,"level":3},{"id":3352,"level":3},{"id":30,"level":2}]' ||
  fail "$(cat top.json)"
expect 64 run bfs occur.mill -r 3 --top 3 --parents
expect 0 run bfs occur.mill -r 3 --top 0
expect 0 run bfs occur.mill -r 3 --bottom 1 --json bottom.json
tr -d ' \n' < bottom.json | grep -qF '"bottom":[{"id":3,"level":0}]' || fail "--bottom 1: $(cat bottom.json)"
grep -q '"path": null' bottom.json || fail "levels are no path: $(grep '"path"' bottom.json)"

# The path in --json: whole, in order, of up to 1,000 vertices; empty where the target is not reached.
seq 0 1500 | awk '{ print $1, $1 + 1 }' > line.el
expect 0 ingest line.el line.mill --renumber degree
path_of() { tr -d ' \n' < path.json | grep -o '"path":[^]n]*.' | head -n 1; }
expect 0 run path line.mill -r 5 --target 1004 --json path.json
[ "$(path_of)" = "\"path\":[$(seq -s , 5 1004)]" ] || fail "a path of 1,000 vertices: $(path_of)"
expect 0 run path line.mill -r 5 --target 1005 --json path.json
[ "$(path_of)" = '"path":n' ] || fail "a path of 1,001 vertices: $(path_of)"
expect 0 run path line.mill -r 5 --target 4 --json path.json
[ "$(path_of)" = '"path":[]' ] || fail "no path: $(path_of)"
finish
