#!/bin/bash
# GraphML, Pajek and SciPy's matrices: the same graph as an edge list, errors, and what is refused by name.
source "$(dirname "$0")/lib.sh"

uuid=6a1f7a3c-5f7e-4f0e-9d1a-2f6f1d0c8e57
# digest GRAPH: hashes of what the graph stores, by column. Graphs with one uuid and the same contents have the same.
digest() { (cd "$1" && find . -type f -name '*-*' ! -name '*.log' ! -path './catalog*' -exec sha256sum {} + | sort -k 2); }
# alike FILE ARGUMENT...: ingests FILE, and expects the graph whose digest is in `want`.
alike() {
  expect 0 ingest "$@" other.mill --replace --uuid $uuid
  digest other.mill > got
  [ -s got ] || fail "$1: the graph has no files"
  same got want
}
# bad CODE TEXT ARGUMENT...: fails with this exit code and text, and leaves nothing.
bad() {
  local code=$1 text=$2
  shift 2
  expect "$code" ingest "$@" bad.mill
  says "$text"
  absent bad.mill
}

# One graph, whoever wrote it.
printf '0 1 2\n0 2 1.5\n1 3 -4\n2 3 0.25\n3 3 7\n4 0 3\n' > sample.wel
expect 0 ingest sample.wel text.mill --vertices 6 --uuid $uuid
digest text.mill > want
for file in networkx/numbers.graphml networkx/numbers.net scipy/coo.npz scipy/csr.npz scipy/csc.npz; do
  alike "$data/$file"
  alike "$data/$file" --threads 1
  cp "$data/$file" nosuffix
  alike nosuffix
done
for file in networkx/numbers.graphml networkx/numbers.net; do
  for pack in gzip bzip2 xz zstd; do
    command -v $pack > /dev/null || continue
    $pack -c "$data/$file" > packed
    alike packed
  done
  "$edgemill" ingest - other.mill --replace --uuid $uuid < "$data/$file" > out 2> err || fail "a pipe: $(cat err)"
  digest other.mill > got
  same got want
done
awk '{print $1, $2}' sample.wel > sample.el
expect 0 ingest sample.el text.mill --vertices 6 --replace --uuid $uuid
digest text.mill > want
for file in scipy/bool.npz scipy/ones.npz; do alike "$data/$file"; done
for file in networkx/numbers.graphml networkx/numbers.net scipy/csr.npz; do alike "$data/$file" --weights none; done
expect 0 ingest "$data/scipy/ones.npz" other.mill --replace --weights int
says 'weights         int'
expect 0 ingest "$data/networkx/undirected.graphml" other.mill --replace
says '11, symmetric, from 6 read'
expect 0 ingest "$data/networkx/undirected.net" other.mill --replace
says '11, symmetric, from 6 read'
expect 0 ingest "$data/networkx/names.graphml" other.mill --replace
says 'vertices        6, by name'
expect 0 run bfs other.mill -r 'Ada & Bob' --output -
says 'Zoë'
expect 0 ingest "$data/networkx/names.net" other.mill --dry-run
says 'format          pajek'
says 'Ada Bob'
expect 0 ingest "$data/networkx/names.net" other.mill --replace --ids sparse
says 'labels of vertices are ignored'
expect 0 ingest "$data/scipy/wide.npz" other.mill --replace
says 'column j is vertex 6 + j'

# What is wrong is said with its place, and nothing stays.
head -c 900 "$data/networkx/numbers.graphml" > cut.graphml
bad 65 'cut.graphml:' cut.graphml
sed 's/target="3"/target=3/' "$data/networkx/numbers.graphml" > wrong.graphml
bad 65 'wrong.graphml:17:29:' wrong.graphml
sed 's/^4 4 7.0/4 44 7.0/' "$data/networkx/numbers.net" > wrong.net
bad 65 'wrong.net:13:3: a vertex that is not among those of *Vertices' wrong.net
sed 's/^\*arcs/*matrix/' "$data/networkx/numbers.net" > matrix.net
bad 65 'matrix.net:8:1: *Matrix, which is not read' matrix.net
head -c 500 "$data/scipy/csr.npz" > cut.npz
bad 65 'cut.npz: byte 500: no directory at the end' cut.npz
bad 64 'matrix.tocsr()' "$data/scipy/bsr.npz"
"$edgemill" ingest - bad.mill --format npz < "$data/scipy/csr.npz" > out 2> err
[ $? = 64 ] || fail "a matrix from a pipe: $(cat err)"
gzip -c "$data/scipy/csr.npz" > packed.npz.gz
bad 64 'give a file that is not compressed' packed.npz.gz
for pack in bzip2 xz; do
  command -v $pack > /dev/null || continue
  suffix=${pack/bzip2/bz2}
  $pack -c sample.wel > "whole.wel.$suffix"
  head -c 60 "whole.wel.$suffix" > "cut.wel.$suffix"
  bad 65 "cut.wel.$suffix: byte " "cut.wel.$suffix"
done
printf '0,1,1,0\n1,0,0,1\n1,0,0,1\n0,1,1,0\n' > adjacency.csv
bad 64 'looks like an adjacency matrix of 4 rows and columns' adjacency.csv
printf 'ARROW1\0\0' > table.arrow
bad 64 'write it as Parquet' table.arrow

# Headers of Neo4j's import, in a file of their own.
printf ':START_ID,amount:int,weight:float,:END_ID,:TYPE\n' > header.csv
printf '1,5,0.5,2,PAYS\n2,6,1.5,3,PAYS\n' > payments.csv
expect 0 ingest header.csv payments.csv neo.mill
expect 0 export neo.mill - --format wel
printf '1 2 0.5\n2 3 1.5\n' > want
same out want

# Names of a file for the vertices of a format with numbers: the same graph as an edge list of these names.
awk '{ print "http://example.com/page-" ($1 * 5) % 14 }' < <(seq 0 13) > pages.urls
{ echo '%%MatrixMarket matrix coordinate integer general'; echo "14 14 $(wc -l < "$data/gapbs/4.wel")"
  awk '{ print $1 + 1, $2 + 1, $3 }' "$data/gapbs/4.wel"; } > pages.mtx
awk 'FNR == NR { name[FNR - 1] = $0; next } { print name[$1] "," name[$2] "," $3 }' pages.urls "$data/gapbs/4.wel" > pages.csv
expect 0 ingest pages.csv pages.mill --uuid $uuid --header no --vertices-file pages.urls  # one is isolated
digest pages.mill > want
alike pages.mtx --names-file pages.urls
gzip -k pages.urls
alike pages.mtx --names-file pages.urls.gz --threads 1 --memory 80MiB
expect 0 ingest pages.mtx dry.mill --names-file pages.urls --dry-run
says names
expect 0 run bfs other.mill -r 'http://example.com/page-5' --top 0 -o levels.txt
grep -qE '^"?http://example.com/page-5"? 0$' levels.txt || fail "levels by name: $(head -3 levels.txt)"
head -13 pages.urls > few.urls
bad 65 'few.urls: has 13 names, and pages.mtx has 14 vertices' pages.mtx --names-file few.urls
{ head -13 pages.urls; head -1 pages.urls; } > twice.urls
bad 65 'twice.urls:14:1: the name of line 1 again' pages.mtx --names-file twice.urls
bad 64 'formats that declare how many vertices there are' sample.wel --names-file pages.urls
bad 64 'leave out --ids' pages.mtx --names-file pages.urls --ids dense
bad 66 'none.urls' pages.mtx --names-file none.urls
bad 64 'read twice: give a file, and no pipe' pages.mtx --names-file -

finish
