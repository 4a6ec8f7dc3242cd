#!/bin/bash
# What runs say of a graph's structure beside values: how degrees at the ends of edges correlate, and the largest
# communities of labels.
source "$(dirname "$0")/lib.sh"

# The correlations are those of the 6 edges, and of the 12 pairs of ends, as numpy.corrcoef has them.
printf '%s %s\n' 1 2 2 3 3 4 3 5 5 6 6 3 > edges.el
expect 0 ingest edges.el directed.mill
expect 0 ingest edges.el both.mill -s
expect 0 run degrees directed.mill --assortativity --verify --json directed.json
says 'assortativity   -0.5'
grep -q '"assortativity": -0.[45]' directed.json || fail "no assortativity in $(cat directed.json)"
expect 0 run degrees both.mill --assortativity --verify --output degrees.tsv
says 'assortativity   -0.46666'
[ "$(cut -f 2 degrees.tsv | tr '\n' ' ')" = '1 2 4 1 2 2 ' ] || fail "degrees: $(cat degrees.tsv)"
expect 64 run degrees both.mill --weighted --assortativity
printf '%s %s\n' 1 2 2 3 3 1 > ring.el
expect 0 ingest ring.el ring.mill
expect 0 run degrees ring.mill --assortativity --verify --json ring.json
says 'assortativity   none: all ends of edges have equal degrees'
! grep -q '"assortativity": [0-9-]' ring.json || fail "a number in $(cat ring.json)"
expect 0 ingest edges.el out.mill --columns out
expect 64 run degrees out.mill --direction out --assortativity
says 'columns'

# Two cliques, and a pair whose labels go to and fro; ids are renumbered, and labels are input ids.
for first in 10 20; do
  for u in 0 1 2 3; do for v in 0 1 2 3; do [ $u -ge $v ] || echo $((first + u)) $((first + v)); done; done
done > cliques.el
echo 30 31 >> cliques.el
expect 0 ingest cliques.el cliques.mill -s --renumber degree
expect 0 run cdlp cliques.mill -i 5 --top 2 --verify --json top.json --output labels.tsv
says 'communities     4'
says 'top labels      10: 4'
says '20: 4'
grep -q '"id": 20' top.json || fail "top: $(cat top.json)"
[ "$(cut -f 2 labels.tsv | tr '\n' ' ')" = '10 10 10 10 20 20 20 20 31 30 ' ] || fail "labels: $(cat labels.tsv)"
expect 0 run cdlp cliques.mill -i 6 --histogram
finish
