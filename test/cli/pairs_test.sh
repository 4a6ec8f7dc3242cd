#!/bin/bash
# edgemill pairs: files of pairs by ids and names, all outputs, and what is refused before work.
source "$(dirname "$0")/lib.sh"
printf '10 20\n10 30\n40 20\n40 50\n50 30\n50 30\n50 50\n' > a.el
expect 0 ingest a.el a.mill

# Values in the order of the file, whatever is between the vertices.
printf '\xef\xbb\xbf# pairs\n40 10\n\n10,50\r\n"10"\t40\n10 10\n' > pairs
expect 0 pairs a.mill pairs --output -
printf '40 10 0.3333333333333333\n10 50 0.5\n10 40 0.3333333333333333\n10 10 1\n' > want
same out want
"$edgemill" pairs a.mill - --output out.tsv < pairs > /dev/null || fail 'no pairs from standard input'
tr ' ' '\t' < want | cmp - out.tsv || fail "$(cat out.tsv)"
expect 73 pairs a.mill pairs --output out.tsv
expect 0 pairs a.mill pairs --measure common --neighbors in --output out.csv --force
printf 'u,v,similarity\n40,10,0\n10,50,0\n10,40,0\n10,10,0\n' | cmp - out.csv || fail "$(cat out.csv)"
expect 0 pairs a.mill pairs --output out.parquet --verify
says 'verified        yes, 4 pairs'
expect 0 pairs a.mill pairs --measure adamic-adar --neighbors in --verify
[ "$(head -c 4 out.parquet)$(tail -c 4 out.parquet)" = PAR1PAR1 ] || fail 'no Parquet file'
expect 0 pairs a.mill pairs --top 1 --json -
valid_json out
grep -q '"pairs": 4' out || fail "$(cat out)"
[ "$(grep -c '"similarity"' out)" = 1 ] || fail "$(cat out)"

# A header is left out, with a note.
printf 'from,to\n10,40\n' > header.csv
expect 0 pairs a.mill header.csv --output -
says 'header.csv:1: is left out as a header'
printf '10 40 0.3333333333333333\n' > want
same out want

# Names.
printf 'ann,bob\nbob,"cy d"\nann,"cy d"\n' > n.csv
expect 0 ingest n.csv n.mill --header no --undirected --ids strings
printf '"cy d" bob\nann,bob\n' > named
expect 0 pairs n.mill named --measure allocation --output -
printf '"cy d" bob 0.5\nann bob 0.5\n' > want
same out want
printf 'ann bob\nann bo\n' > wrong
expect 65 pairs n.mill wrong --output no.txt
says 'wrong:2: vertex "bo" is not in n.mill'

# What is no pair of vertices is refused, with its line.
for line in '10' '10 20 30' '"10 20' '10 x'; do
  printf '10 40\n%s\n' "$line" > wrong
  expect 65 pairs a.mill wrong --output no.txt
  says 'wrong:2: '
done
printf '10 40\n20 11\n99 10\n' > wrong
expect 65 pairs a.mill wrong --output no.txt
says 'wrong:2: vertex 11 is not in a.mill'
: > empty
expect 65 pairs a.mill empty --output no.txt
says 'empty: no pairs of vertices'
expect 66 pairs a.mill nothing
expect 64 pairs a.mill
says 'PAIRS is missing'
expect 64 pairs a.mill pairs --output no.npy
says '--output no.npy'
expect 64 pairs a.mill pairs --measure simrank
says '--measure: "simrank" is none of jaccard'
expect 71 pairs a.mill pairs --memory 1MiB --output no.txt
says 'needs at least --memory'
expect 0 ingest a.el o.mill --columns out
expect 64 pairs o.mill pairs --neighbors in --output no.txt
absent no.txt no.npy
finish
