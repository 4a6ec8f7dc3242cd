#!/bin/bash
# Ingests and exports one graph in every text and binary format.
source "$(dirname "$0")/lib.sh"
small_graph

expect 0 ingest small.el small.mill
says '8, directed'
expect 0 run bfs small.mill -r 0 --output want.txt
printf '0 0\n1 1\n2 1\n3 2\n4 3\n5 inf\n7 inf\n' > levels.txt
same want.txt levels.txt

# check NAME ARGUMENT...: ingests NAME with these arguments, and expects the same levels of bfs.
check() {
  local name=$1
  shift
  expect 0 ingest "$name" other.mill --replace "$@"
  expect 0 run bfs other.mill -r 0 --output got.txt --force
  same got.txt levels.txt
}
edges=$(grep -v '#' small.el)
sed 's/$/\r/' small.el > crlf.el && check crlf.el
printf '%s' "$edges" > unfinished.el && check unfinished.el
{ printf '\xef\xbb\xbf'; cat small.el; } > bom.el && check bom.el
{ echo 'from,to'; echo "$edges" | tr ' ' ','; } > small.csv && check small.csv
{ echo 'to;x;from'; echo "$edges" | awk '{print $2 ";q;" $1}'; } > named.csv
check named.csv --csv-columns from,to
echo "$edges" | awk '{print $1 + 1, $2 + 1}' > one.el
expect 0 ingest one.el other.mill --replace --base 1
expect 0 run bfs other.mill -r 0 --output got.txt --force
same got.txt levels.txt
gzip -k small.el && check small.el.gz
if command -v zstd > /dev/null; then zstd -q small.el && check small.el.zst; fi
if command -v bzip2 > /dev/null; then bzip2 -k small.el && check small.el.bz2; fi
if command -v xz > /dev/null; then xz -k small.el && check small.el.xz; fi
head -5 small.el > first.el; tail -n +6 small.el > second.el
expect 0 ingest first.el second.el other.mill --replace
expect 0 run bfs other.mill -r 0 --output got.txt --force
same got.txt levels.txt
"$edgemill" ingest - other.mill --replace < small.el > out 2> err || fail "stdin: $(cat err)"
expect 0 run bfs other.mill -r 0 --output got.txt --force
same got.txt levels.txt
cp small.el "a b'\$(x)*.el"; check "a b'\$(x)*.el"
cp small.el $'line\nend.el'; check $'line\nend.el'
cp small.el ./-dash.el; check ./-dash.el
cp small.el 'grüße.el'; check 'grüße.el'

# Exports the graph, and ingests what was exported.
for suffix in el bin32 bin64; do
  expect 0 export small.mill back.$suffix
  check back.$suffix --ids sparse  # binary pairs keep unused ids otherwise
  expect 73 export small.mill back.$suffix
  expect 0 export small.mill back.$suffix --force
done
"$edgemill" export small.mill - > piped.el 2> err || fail "export to stdout: $(cat err)"
same piped.el back.el
echo "$edges" | sort > a; sort back.el > b; same a b
expect 64 export small.mill weights.wel
says 'no weights'
expect 64 export small.mill back.xml
expect 64 export small.mill u.el --undirected

printf '0 1 5\n1 2 -7\n2 0 2147483647\n' > w.wel
expect 0 ingest w.wel w.mill
expect 0 export w.mill wback.wel
same w.wel wback.wel
printf '0 1 0.1\n1 2 1e-300\n2 0 12345.678901234\n' > f.wel
expect 0 ingest f.wel f.mill
expect 0 export f.mill fback.wel
expect 0 ingest fback.wel f2.mill
expect 0 export f2.mill fback2.wel
same fback.wel fback2.wel
# Integer weights are exported as integers, also from a graph that stores floating point.
printf '0 1 1e5\n1 2 3e5\n2 0 1600000000\n' > int.wel
printf '0 1 100000\n1 2 300000\n2 0 1600000000\n' > digits.wel
for weights in int float float32; do
  expect 0 ingest int.wel int.mill --replace --weights $weights
  expect 0 export int.mill intback.wel --force
  same digits.wel intback.wel
done
expect 0 run sssp int.mill -r 0 -o lengths.txt
printf '0 0\n1 100000\n2 400000\n' > want.lengths
same want.lengths lengths.txt
says 400000
expect 0 ingest int.wel int.mill --dry-run
says '       1       2      300000'
printf '0 1 1048576.25\n1 2 9007199254740992\n2 0 -0.5\n' > single.wel
expect 0 ingest single.wel single.mill
expect 0 export single.mill singleback.wel
same single.wel singleback.wel
awk '{print $3 + 0}' f.wel > a; awk '{print $3 + 0}' fback.wel > b; same a b

# Sparse ids up to the largest id allowed, with each kind of renumbering.
printf '18446744073709551614 5\n5 4294967296\n4294967296 4294967295\n' > wide.el
for renumber in none degree hub random; do
  expect 0 ingest wide.el wide.mill --replace --renumber $renumber
  says "ids up to 18446744073709551614"
  expect 0 export wide.mill wide.back.el --force
  sort wide.el > a; sort wide.back.el > b; same a b
  expect 0 run bfs wide.mill -r 18446744073709551614 --output - 
  printf '5 1\n4294967295 3\n4294967296 2\n18446744073709551614 0\n' > want
  same out want
  expect 0 run cc wide.mill --output cc.npy --force
  [ -s cc.npy ] && [ -s cc.ids.npy ] || fail "no .npy files"
  expect 65 export wide.mill wide.bin32
  absent wide.bin32
done

# Graphs without edges export no edges, whichever directions are stored.
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 2 0\n' > two.mtx
: > zero.el
for input in two.mtx zero.el; do
  for columns in out in both; do
    expect 0 ingest $input edgeless.mill --columns $columns --replace --quiet
    expect 0 export edgeless.mill edgeless.el --force
    [ ! -s edgeless.el ] || fail "$input, $columns: edges from nowhere: $(cat edgeless.el)"
  done
done

# Weights in the lists of one direction: the same edges, weights and answers, in fewer columns.
printf '0 1 5\n0 2 2.5\n2 1 1.5\n1 3 -4\n3 0 7\n' > real.wel
printf '0 1 5\n0 2 2\n2 1 1\n1 3 4\n3 0 7\n' > whole.wel
for input in real.wel whole.wel; do
  for lists in both out in; do
    expect 0 ingest $input oneside.mill --weights-in $lists --replace --renumber none
    expect 0 verify oneside.mill
    expect 0 info oneside.mill --json oneside.json
    grep -q "\"weights_in\": \"$lists\"" oneside.json || fail "$input: weights_in is not $lists"
    for column in out in; do
      want=1
      [ $lists = both ] || [ $lists = $column ] || want=0
      [ "$(grep -c "\"name\": \"$column-weights\"" oneside.json)" = $want ] || fail "$input, $lists: $column-weights"
    done
    expect 0 info oneside.mill
    [ $lists = both ] || says ", of $lists-lists alone"
    expect 0 export oneside.mill oneside.wel --force
    sort $input > a; sort oneside.wel > b; same a b
    expect 0 export oneside.mill oneside.el --force
    cut -d ' ' -f 1,2 $input | sort > a; sort oneside.el > b; same a b
    expect 0 run nn oneside.mill -i 3 --verify --output nn.$lists.txt --force
    same nn.both.txt nn.$lists.txt
    [ $input = whole.wel ] || continue
    expect 0 run sssp oneside.mill -r 2 --verify --output -
    printf '0 12\n1 1\n2 0\n3 5\n' > want
    same out want
  done
done
expect 64 run sssp oneside.mill -r 2 --mode push
says 'oneside.mill lacks the weights for --mode push: ingest it with --weights-in both'
expect 64 ingest whole.wel nothing.mill --weights-in out --undirected
absent nothing.mill
for lists in out in; do  # what is stored anyway
  expect 0 ingest whole.wel oneside.mill --weights-in $lists --columns $lists --replace
  expect 0 run sssp oneside.mill -r 2 --verify --quiet
done

# Undirected graphs: export writes each edge once, and ingest gives the same graph again.
printf '0 1\n1 2\n2 2\n4 0\n' > u.el
expect 0 ingest u.el u.mill --undirected
says symmetric
expect 0 export u.mill uback.el --undirected
expect 0 ingest uback.el u2.mill --undirected
expect 0 export u.mill both.el
expect 0 export u2.mill both2.el
same both.el both2.el
expect 0 ingest both.el u3.mill --symmetric
expect 0 export u3.mill both3.el
same both.el both3.el
printf '0 1\n' > oneway.el
expect 65 ingest oneway.el oneway.mill --symmetric
absent oneway.mill

# A KONECT file declares its own format. Its column of times is ignored, and a message says so.
printf '%% sym unweighted\n%% 3 4 4\n1 2\n2\t3 \r\n\n 3  4' > out.sym
expect 0 ingest out.sym konect.mill
says '6, symmetric, from 3 read'
printf '%% asym positive\n1 2 5 100\n2 9 1.5 200\n' > out.asym
expect 0 ingest out.asym konect.mill --replace
says "column 4 is ignored"
says '2, directed, from 2 read'
expect 0 ingest out.asym none.mill --dry-run
says 'format          konect'
says '   3       2       9     1.5'
absent none.mill
printf '%% bip unweighted\n1 1\n' > out.bip
expect 65 ingest out.bip none.mill
says 'out.bip:1:3: a bipartite network'
# Columns after the weight are ignored, and a message says so.
printf '# Directed graph\n# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n1\t2\t3\t4\t5\n2 3 4 5 6\n' > snap.txt
expect 0 ingest snap.txt konect.mill --replace
says 'columns 4 and 5 are ignored'
{ seq -s ' ' 12; seq -s ' ' 12; } > wide.txt
expect 0 ingest wide.txt konect.mill --replace --format el
says 'columns 4, 5, 6, 7, 8, 9, 10, 11 and others are ignored'
printf 'source,target,kind,amount\nann,bo,x,1\n' > titled.csv
expect 0 ingest titled.csv konect.mill --replace
says 'titled.csv: columns 3 ("kind") and 4 ("amount") are ignored'

# Text of another encoding: with --bad-lines, such a line does not decide what ids are, and its reason is the encoding.
# Marks of missing values are noted in all first lines.
printf 'source,target,weight\nJos\xe9,M\xe9l,2\nada,bob,1\ncy,nan,3\n' > latin.csv
expect 0 ingest latin.csv konect.mill --replace --bad-lines skip
says 'ids are names ("ada" in line 3 is not a number)'
says '"nan" in line 4 is taken as a name'
says '1 of 1 bad lines skipped: a name that is not UTF-8'
printf 'source,target\nJos\xe9,M\xe9l\n' > latin.csv
expect 0 ingest latin.csv konect.mill --replace --bad-lines skip
says '1 of 1 bad lines skipped: a name that is not UTF-8'
expect 65 ingest latin.csv none.mill
says 'latin.csv:2:4: a name that is not UTF-8'
says 'iconv -f LATIN1 -t UTF-8'
absent none.mill

# A file without edges is a graph without vertices, and a warning says so, whatever the suffix.
for suffix in el wel csv tsv txt; do
  : > "empty.$suffix"
  expect 0 ingest "empty.$suffix" konect.mill --replace
  says 'the input holds no edges: the graph has no vertices'
done
echo source,target > empty.csv
expect 0 ingest empty.csv konect.mill --replace
says 'the input holds no edges: the graph has no vertices'
expect 0 ingest out.asym none.mill --dry-run --json look.json
valid_json look.json
for text in '"format": "konect"' '"line": 2' '"weight": 1.5' '"skipped_lines": 1' 'column 4 is ignored'; do
  grep -qF -- "$text" look.json || fail "look.json does not hold $text: $(cat look.json)"
done
# A KONECT file gives the same levels as an edge list with the same edges.
printf '%% asym unweighted\n%% 9 8 8\n' > out.small
awk '!/#/ {print $1 + 1 "\t" $2 + 1}' small.el >> out.small
expect 0 ingest out.small konect.mill --replace
expect 0 run bfs konect.mill -r 1 --output got.txt --force
awk '{print $1 - 1, $2}' got.txt > got && same got levels.txt
# If a third column is taken as the weight, the summary and the JSON file say so.
printf '1\t2\t1217567877\n' > times.txt
expect 0 ingest times.txt konect.mill --replace --json noted.json
says 'times.txt: column 3 is taken as the weight (is it a time? --weights none leaves it out)'
grep -qF 'taken as the weight' noted.json || fail "no note in JSON: $(cat noted.json)"
expect 0 ingest times.txt konect.mill --replace --weights none
says 'times.txt: column 3 is ignored'
# A comment of a SNAP file may call its graph undirected. Then a note names --undirected, unless it is given.
printf '# Undirected graph: a.txt\n1\t2\n' > undirected.txt
expect 0 ingest undirected.txt konect.mill --replace
says '--undirected stores both ways'
expect 0 ingest undirected.txt konect.mill --replace --undirected
grep -q 'calls it' out && fail "--undirected, and a note about it"
# --dry-run shows the first edges of standard input and of binary pairs too.
"$edgemill" ingest - none.mill --dry-run < small.el > out 2> err || fail "dry run: $(cat err)"
says '   2       0       1'
"$edgemill" export small.mill pairs.bin32 --force > /dev/null 2>&1
expect 0 ingest pairs.bin32 none.mill --dry-run
says 'format          bin32'
says '     0       1'
absent none.mill
# Text between columns, lines to skip, quotes, and what other programs write.
printf 'a report\n\n1::2::3\n2::3::4\n' > ratings.dat
expect 0 ingest ratings.dat messy.mill --delimiter :: --skip-lines 2
expect 0 export messy.mill - --format wel
printf '1 2 3\n2 3 4\n' > want
same out want
expect 0 ingest ratings.dat none.mill --delimiter :: --skip-lines 2 --dry-run
says "'::'"
expect 64 ingest ratings.dat none.mill --skip-lines 2
says "give --delimiter '::'"
expect 64 ingest ratings.dat none.mill --delimiter 12
expect 64 ingest ratings.dat none.mill --quote single
printf '"Heroes"\tx\nHeroes\tx\n' > heroes.tsv
expect 0 ingest heroes.tsv messy.mill --replace
says 'vertices        3, by name'
expect 0 ingest heroes.tsv messy.mill --replace --quote '"'
says 'vertices        2, by name'
printf "0 1 {'weight': 4}\n1 2 {'weight': 0.5}\n" > networkx.edgelist
expect 0 ingest networkx.edgelist messy.mill --replace
expect 0 export messy.mill - --format wel
printf '0 1 4\n1 2 0.5\n' > want
same out want
printf '<http://x/a> <http://p> <http://x/b> .\n<http://x/a> <http://p> "A"@en .\n' > triples.nt
expect 0 ingest triples.nt messy.mill --replace
says 'triples.nt: 1 line with a literal for an object left out'
expect 0 export messy.mill - --format el
printf 'http://x/a http://x/b\n' > want
same out want
# A line with a missing value among numbers is a bad line, and is counted.
printf '1,2\nNULL,3\n4,\\N\n5,6\n' > missing.csv
expect 65 ingest missing.csv none.mill
says 'missing.csv:2:1: a missing value where an id should be ("NULL,3"): skip such lines with --bad-lines'
expect 0 ingest missing.csv messy.mill --replace --bad-lines 2
says 'missing.csv: 2 of 2 bad lines have no id, or a mark of a missing value such as NULL'
says 'edges           2, directed'
# Times are not ids. Integer weights above 2^53 are rounded only if --weights float is given.
printf '2024-01-05,1,2\n' > when.csv
expect 64 ingest when.csv none.mill
says 'when.csv: column 1 looks like a time ("2024-01-05"): say with --csv-columns'
printf '1 2 1000000000000000001\n' > wei.txt
expect 65 ingest wei.txt none.mill
says 'wei.txt:1:5: an integer weight beyond 2^53 ("1 2 1000000000000000001"): give --weights float'
expect 0 ingest wei.txt messy.mill --replace --weights float
absent none.mill
# UTF-16 is refused, with a message that says what to do.
printf '\xff\xfe1\x00 \x002\x00\n\x00' > wide16.el
expect 65 ingest wide16.el none.mill
says 'wide16.el:1:1: UTF-16 text: convert it first'
# One file extension may stand for several formats or shapes. Then the contents decide.
printf 'c x\np edge 3 2\ne 1 2\ne 2 3\n' > colours.gr
expect 0 ingest colours.gr named.mill --replace
says '4, symmetric, from 2 read'
printf '%%MatrixMarket matrix coordinate integer general\n2 3 2\n1 1 4\n2 3 5\n' > wide.mtx
expect 0 ingest wide.mtx named.mill --replace
says 'row i is vertex i, column j is vertex 2 + j'
expect 0 export named.mill sides.wel
printf '1 3 4\n2 5 5\n' > want; same sides.wel want
printf 'WeightedAdjacencyGraph\n3\n2\n0\n1\n2\n1\n2\n5\n6\n' > rows.adj
expect 0 ingest rows.adj named.mill --replace
expect 0 export named.mill rows.wel
printf '0 1 5\n1 2 6\n' > want; same rows.wel want
expect 0 ingest rows.adj named.mill --dry-run
says 'format          ligra'
{ printf '\1\0\0\0\0\0\0\0\4\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0'
  printf '\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0'
  printf '\1\0\0\0\2\0\0\0\5\0\0\0\6\0\0\0'; } > rows.gr
expect 0 ingest rows.gr named.mill --replace
says 'is read as integers'
expect 0 export named.mill rows.wel --force
same rows.wel want
head -c 70 rows.gr > cut.gr
expect 65 ingest cut.gr cut.mill
says 'cut.gr: byte 70: a file of 70 bytes where'
absent cut.mill
cat rows.gr | "$edgemill" ingest - pipe.mill --format galois > out 2> err && fail "a pipe of rows is taken"
says 'give a file'

finish
