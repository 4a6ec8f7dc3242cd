#!/bin/bash
# bench graphalytics: the examples of the benchmark's specification, with their references.
source "$(dirname "$0")/lib.sh"
data=$data/graphalytics
mkdir graphs
cp "$data"/example-*.{properties,v,e} "$data"/validation/example/* graphs
expect 0 bench graphalytics graphs -n 1 --output-dir answers --json g.json
valid_json g.json
[ "$(grep -c ' reference$' out)" = 12 ] || fail "not 12 answers were compared: $(cat out)"
says 'example-directed: loaded in'
grep -q '"name": "example-undirected, cdlp: EVPS"' g.json || fail "g.json has no EVPS"
grep -q '"example-directed, lcc: checked by": "reference"' g.json || fail "g.json does not say what checked an answer"
[ "$(ls answers | wc -l)" = 12 ] || fail "there are not 12 answers: $(ls answers)"
for answer in example-directed-BFS example-directed-CDLP example-undirected-BFS example-undirected-CDLP; do
  diff "answers/$answer" "graphs/$answer" > diff.txt || fail "$answer differs: $(head -3 diff.txt)"
done
grep -q Infinity answers/example-directed-SSSP || fail "unreachable vertices have no Infinity"
ls edgemill-*.mill > left 2> errors && fail "graphs were left: $(cat left)"
expect 0 bench compare g.json g.json

# Answers are not replaced unless asked, and some algorithms alone run.
expect 73 bench graphalytics graphs --output-dir answers
expect 0 bench graphalytics graphs -n 1 --algorithms bfs,wcc --output-dir answers --force
[ "$(grep -c ' reference$' out)" = 4 ] || fail "not 4 answers were compared: $(cat out)"

# Without references, the verifiers decide. Components may have any names.
mkdir bare
cp "$data"/example-directed.{properties,v,e} bare
sed 's/ 1$/ 77/' graphs/example-directed-WCC > bare/example-directed-WCC
expect 0 bench graphalytics bare -n 2
[ "$(grep -c ' definition$' out)" = 5 ] || fail "not 5 answers were checked: $(cat out)"
[ "$(grep -c ' reference$' out)" = 1 ] || fail "components were not compared: $(cat out)"

# Wrong answers are errors, with the vertex: another level, a component split, a rank 2 % off, a missing line.
# wrong ALGORITHM CODE SED MESSAGE
wrong() {
  sed "$3" "graphs/example-directed-$1" > "bare/example-directed-$1"
  cmp -s "graphs/example-directed-$1" "bare/example-directed-$1" && fail "$1: nothing was changed"
  expect "$2" bench graphalytics bare -n 1
  says "$4"
  rm "bare/example-directed-$1"
}
rm bare/example-directed-WCC
wrong BFS 70 's/^3 .*/3 7/' 'example-directed, bfs: vertex 3 has '
wrong WCC 70 '2s/ .*/ 99/' 'example-directed, wcc: vertex '
wrong PR 70 's/^4 .*/4 0.5/' 'example-directed, pr: vertex 4 has '
wrong SSSP 70 's/Infinity/3/' 'example-directed, sssp: vertex '
wrong LCC 65 5d 'has no line for vertex 5'
wrong CDLP 65 '$s/ .*/ many/' 'not a vertex and its value'
wrong BFS 65 '$p' 'more lines than the graph has vertices'

# Bad input: before work.
expect 66 bench graphalytics nowhere
mkdir none
expect 66 bench graphalytics none
expect 64 bench graphalytics graphs --algorithms bfs,pagerank
expect 64 bench graphalytics
sed -i '/bfs.source-vertex/d' bare/example-directed.properties
expect 65 bench graphalytics bare
says 'graph.example-directed.bfs.source-vertex is missing: add it'
echo 'graph.example-directed.bfs.source-vertex = one' >> bare/example-directed.properties
expect 65 bench graphalytics bare
says 'not a number'
echo 'graph.example-directed.bfs.source-vertex = 999' >> bare/example-directed.properties
expect 65 bench graphalytics bare
says 'source-vertex = 999, which is not a vertex of the graph'
sed -i 's/^graph.example-directed.algorithms.*/graph.example-directed.algorithms = wcc, pagerankish/' \
  bare/example-directed.properties
expect 0 bench graphalytics bare -n 1
says 'pagerankish left out'
ls edgemill-*.mill > left 2> errors && fail "graphs were left: $(cat left)"
finish
