#!/bin/bash
# stats: exact figures of small graphs, estimates with their bands, pictures, what is refused.
source "$(dirname "$0")/lib.sh"
# line NAME: the text behind NAME in the summary.
line() { sed -nE "s/^$1 +//p" out; }

printf '0 1\n1 0\n1 2\n2 0\n3 3\n' > five.el
expect 0 ingest five.el five.mill --vertices 6
expect 0 stats five.mill --json five.json
valid_json five.json
[ "$(line vertices)" = '6, 2 without edges' ] || fail "vertices: $(line vertices)"
[ "$(line edges)" = '5, directed' ] || fail "edges: $(line edges)"
[ "$(line out-degrees)" = 'mean 0.8333, median 1, 99 % up to 2, most 2' ] || fail "degrees: $(line out-degrees)"
[ "$(line components)" = '4, weakly connected; the largest has 3 vertices, 50.0 %' ] || fail "$(line components)"
[ "$(line reciprocity)" = '0.5000, exact, of 4 edges' ] || fail "reciprocity: $(line reciprocity)"
[ "$(line clustering)" = '0.5000, exact, of 6 vertices' ] || fail "clustering: $(line clustering)"
[ "$(line transitivity)" = '1.0000, exact, of 3 paths of two edges' ] || fail "transitivity: $(line transitivity)"
[ "$(line 'mean distance')" = '1.33, exact, from all 6 vertices' ] || fail "distance: $(line 'mean distance')"
[ "$(line diameter)" = '2, exact: the longest shortest path' ] || fail "diameter: $(line diameter)"
[ "$(wc -l < out)" -le 40 ] || fail "more than a page"
grep -q '"isolated_vertices": 2' five.json || fail "five.json has no isolated vertices"
expect 0 stats five.mill --sources 0
! grep -q distance out || fail "distances without sources: $(cat out)"

# A sample says how large it is, and what it leaves open. The seed decides, and nothing else.
expect 0 generate kron kron.mill --scale 12
expect 0 stats kron.mill --sample 500 --sources 4 --seed 9
grep -qE '^clustering +0\.[0-9]+, between 0\.[0-9]+ and 0\.[0-9]+ \(95 %, 500 vertices sampled\)$' out || fail "$(line clustering)"
grep -qE '^mean distance +2\.[0-9]+, between .* \(95 %, 4 sources sampled\)$' out || fail "$(line 'mean distance')"
grep -qE '^diameter +from [0-9] to [0-9]+, of the largest component$' out || fail "$(line diameter)"
grep -v '^time' out > first
expect 0 stats kron.mill --sample 500 --sources 4 --seed 9 --threads 3 --memory 64MiB
grep -v '^time' out > again
same first again
expect 0 stats kron.mill --sample 500 --sources 4 --seed 10
! cmp -s <(line clustering) <(sed -nE 's/^clustering +//p' first) || fail "another seed changes nothing"

# Pictures.
expect 0 stats kron.mill --plot kron.html --sources 3
grep -q '<svg' kron.html || fail "kron.html draws nothing"
expect 0 stats kron.mill --plot kron.svg --sources 3
[ "$(tail -1 kron.svg)" = '</svg>' ] || fail "kron.svg is cut short"
expect 0 stats five.mill --plot kron.svg

# Graphs without edges, with names, of one direction.
printf '' > none.el
expect 0 ingest none.el none.mill --format el
expect 0 stats none.mill --plot none.html
says 'vertices        0, 0 without edges'
printf 'ada,bob\nbob,eve\n' > names.csv
expect 0 ingest names.csv names.mill --ids strings
expect 0 stats names.mill
[ "$(line diameter)" = '2, exact: the longest shortest path' ] || fail "names: $(line diameter)"
expect 0 ingest five.el out.mill --columns out
expect 0 stats out.mill
says 'left out        clustering and vertices without edges need the lists of both directions'

# Bad input.
expect 66 stats nothing.mill
says 'there is no such graph directory'
expect 64 stats five.mill --plot five.png
says '--plot five.png: the suffix names no format: end the name in .html or .svg'
expect 64 stats five.mill --sample 0
says 'from 1 to'
expect 64 stats five.mill --sources -1
expect 64 stats five.mill --seed x
expect 73 stats five.mill --plot nowhere/five.svg
expect 73 stats five.mill --plot five.mill/five.svg
expect 71 stats kron.mill --memory 8MiB
says 'stats needs at least --memory'
least=$(grep -oE 'least --memory [0-9]+MiB' err | grep -oE '[0-9]+MiB')
expect 0 stats kron.mill --memory "$least" --sources 2
chmod 000 five.mill
[ "$(id -u)" = 0 ] || expect 77 stats five.mill
chmod 700 five.mill
finish
