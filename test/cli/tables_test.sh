#!/bin/bash
# Parquet and SQL in, Parquet out: the same graph as of text, bad files, and answers that other programs read. Skipped
# without DuckDB's library.
source "$(dirname "$0")/lib.sh"
uuid=00000000-0000-4000-8000-000000000067
"$edgemill" ingest --sql 'SELECT 0, 1' first.mill > out 2> err < /dev/null
if [ $? = 66 ] && grep -qF "DuckDB's library" err; then
  echo "skipped: DuckDB's library is not there: scripts/setup.sh test gets it"
  exit 77
fi
[ -d first.mill ] || fail "--sql makes no graph: $(cat err)"
tables=$data/parquet

# digest GRAPH: hashes of what the graph stores, by column. Graphs with one uuid and the same contents have the same.
digest() { (cd "$1" && find . -type f -name '*-*' ! -name '*.log' ! -path './catalog*' -exec sha256sum {} + | sort -k 2); }

# alike ARGUMENT...: ingests, and expects the graph of `want`.
alike() {
  rm -rf other.mill
  expect 0 ingest "$@" other.mill --uuid $uuid
  digest other.mill > got
  [ -s got ] || fail "no segments were found"
  same got want
}

# 1. One graph from text, CSV, Parquet and SQL.
expect 0 ingest "$data/gapbs/4.wel" text.mill --uuid $uuid
digest text.mill > want
{ echo source,target,weight; tr ' ' , < "$data/gapbs/4.wel"; } > edges.csv
alike edges.csv
for writer in hyparquet polars duckdb; do
  alike "$tables/$writer.parquet"
  alike "$tables/$writer.parquet" --threads 1
  cp "$tables/$writer.parquet" nosuffix
  alike nosuffix
  alike "$tables/$writer.parquet" --csv-columns 1,2,WEIGHT
  alike --sql "SELECT * FROM '$tables/$writer.parquet'"
  alike --sql "SELECT weight, target, source FROM '$tables/$writer.parquet';" --threads 3
  alike --sql "SELECT target AS b, source AS a, weight AS c FROM '$tables/$writer.parquet' -- a comment" --csv-columns a,b,c
done
alike --sql "SELECT * FROM 'edges.csv'"
mkdir parts
head -100 "$data/gapbs/4.wel" > first.wel
"$edgemill" ingest --sql "SELECT 1, 2" x.mill --replace > /dev/null 2>&1
cp "$tables/hyparquet.parquet" parts/a.parquet
cp "$tables/polars.parquet" parts/b.parquet
cat "$data/gapbs/4.wel" "$data/gapbs/4.wel" > twice.wel
expect 0 ingest twice.wel text.mill --uuid $uuid --replace
digest text.mill > want
alike parts/a.parquet parts/b.parquet
alike parts
alike 'parts/*.parquet'
expect 66 ingest 'parts/*.pq' other.mill --replace
says 'no such file'

# Rows that meet a condition, from one file and from several.
expect 0 ingest --sql "SELECT * FROM '$tables/hyparquet.parquet' WHERE weight > 100" text.mill --uuid $uuid --replace
digest text.mill > want
alike "$tables/hyparquet.parquet" --where 'weight > 100'
alike "$tables/hyparquet.parquet" --where 'weight > 100 -- heavy ones' --threads 1
expect 0 ingest --sql "SELECT * FROM '$tables/hyparquet.parquet' WHERE source = 3" text.mill --uuid $uuid --replace --merge first
digest text.mill > want
alike "$tables/hyparquet.parquet" "$tables/polars.parquet" --where 'source = 3' --merge first
expect 64 ingest edges.csv no.mill --where 'weight > 100'
says '--where selects rows of Parquet files'
expect 64 ingest "$tables/hyparquet.parquet" no.mill --where 'wait > 100'
says wait
expect 64 ingest --sql 'SELECT 1, 2' no.mill --where 'true'
says 'put the condition into the query'
absent no.mill

# A damaged file beside a good one is named, whether its end or its pages are damaged. A wrong condition is another error.
for bytes in 4 500 2000; do
  head -c $bytes "$tables/hyparquet.parquet" > cut.parquet
  expect 65 ingest "$tables/polars.parquet" cut.parquet no.mill --where 'weight > 1'
  says 'edgemill: cut.parquet: '
  says 'cut short or damaged: write it again'
done
cp "$tables/hyparquet.parquet" flip.parquet
printf '\xff\xff\xff\xff' | dd of=flip.parquet bs=1 seek=300 conv=notrunc status=none
expect 65 ingest "$tables/polars.parquet" flip.parquet no.mill --where 'weight > 1'
says 'edgemill: flip.parquet: '
expect 65 ingest "$tables/polars.parquet" no.mill --where "CAST('x' || weight AS INTEGER) > 1"
says 'edgemill: --where: Conversion Error'
absent no.mill

# Edge columns of a table: numbers, dates, times and texts. Rows of a query may come in any order: the values of each
# row stay together, also those of parallel edges.
query="SELECT range % 50000 AS a, (range % 50000 * 7) % 101 AS b, DATE '2026-01-01' + CAST(range % 3 AS INTEGER) AS day,
  'k' || (range % 3) AS kind, range / 8 AS part, range AS number,
  TIMESTAMP '2026-01-01 10:00:00.25' + to_seconds(range % 60) AS moment FROM range(300000)"
columns=(--csv-columns a,b --column day --column kind --column part --column number:int32 --column moment)
for sql in "$query" "SELECT * FROM ($query) WHERE hash(number) % 2 < 5" \
  "SELECT a, b, day, kind, part, number, moment FROM ($query) GROUP BY ALL"; do
  rm -rf columns.mill
  expect 0 ingest --sql "$sql" columns.mill "${columns[@]}" --threads 2
  says 'day (datetime), kind (text, 3 different), part (float32), number (int32), moment (datetime)'
  expect 0 export columns.mill columns.csv --force
  awk -F, 'NR > 1 { n = $6; s = sprintf("%02d", n % 60)
      if ($1 != n % 50000 || $2 != ($1 * 7) % 101 || $3 != "2026-01-0" 1 + n % 3 || $4 != "k" n % 3 || $5 != n / 8 ||
          $7 != "2026-01-01T10:00:" s ".250000") bad = 1 }
    END { exit bad || NR != 300001 }' columns.csv || fail "values beside other edges: $(head -3 columns.csv)"
done
expect 0 verify columns.mill
# Instants do not depend on the machine's time zone; a missing time is an error, a missing text an empty one.
for zone in UTC America/New_York; do
  TZ=$zone expect 0 ingest --sql "SELECT 1 a, 2 b, TIMESTAMPTZ '2026-01-01 10:00:00+00' AS moment, NULL::VARCHAR AS note" zone.mill \
    --csv-columns a,b --column moment --column note --replace
  expect 0 export zone.mill zone.csv --force
  [ "$(tail -1 zone.csv)" = 1,2,2026-01-01T10:00:00, ] || fail "in $zone: $(cat zone.csv)"
done
expect 65 ingest --sql "SELECT 1 a, 2 b, NULL::DATE AS day" no.mill --csv-columns a,b --column day
says 'NAME:text'
absent no.mill
expect 0 ingest "$tables/hyparquet_names.parquet" named.mill --csv-columns payer,payee --column amount
expect 0 ingest "$tables/hyparquet_names.parquet" weighted.mill --csv-columns payer,payee,amount
expect 0 run degrees named.mill --weight amount --weighted -o got.txt
expect 0 run degrees weighted.mill --weighted -o want.txt
same got.txt want.txt

# 2. Names, and which column is what.
awk '{printf "v%02d,v%02d,%s\n", $1, $2, $3}' "$data/gapbs/4.wel" > names.csv
expect 0 ingest names.csv text.mill --uuid $uuid --replace --name-seed 1
digest text.mill > want
alike "$tables/hyparquet_names.parquet" --csv-columns payer,payee,amount
says 'ids are names (column "payer" holds VARCHAR)'
expect 64 ingest "$tables/hyparquet_names.parquet" x.mill --replace
says 'has 4 columns (payer, day, payee, amount): say with --csv-columns'
expect 64 ingest "$tables/hyparquet_names.parquet" x.mill --replace --csv-columns payer,payed
says "there is no column 'payed' among 4 (payer, day, payee, amount)"
expect 64 ingest "$tables/hyparquet_names.parquet" x.mill --replace --csv-columns payer,1
says 'names a column twice'
expect 64 ingest "$tables/polars.parquet" x.mill --replace --skip-lines 1
says '--skip-lines cannot act on format parquet'
expect 0 ingest "$tables/hyparquet_names.parquet" x.mill --replace --csv-columns payer,payee,amount --dry-run
says 'columns         source, ignored, target, weight'
says 'v00'
expect 0 ingest "$tables/polars.parquet" "$tables/hyparquet_names.parquet" x.mill --replace --ids strings \
  --csv-columns 1,2 --weights none
expect 0 export x.mill -
grep -qx '0 13' out || fail "numbers beside names are no names"

# 3. What is wrong is named, and leaves nothing behind.
bad() {  # CODE TEXT ARGUMENT...
  local code=$1 text=$2
  shift 2
  expect "$code" ingest "$@" bad.mill
  says "$text"
  absent bad.mill
}
mess=$tables/mess.parquet
bad 65 'mess.parquet: row 6 (row group 1), column "holes": no id (NULL' "$mess" --csv-columns a,holes
bad 65 'row 8 (row group 1), column "negative": a negative id ("7, -7")' "$mess" --csv-columns a,negative
bad 65 'row 7 (row group 1), column "real": a weight that is not a number (NaN) ("6, 7, nan")' "$mess" --csv-columns a,b,real
bad 65 'column "day" holds TIMESTAMP' "$mess" --csv-columns a,day
bad 65 'column "yes" holds BOOLEAN' "$mess" --csv-columns a,b,yes
bad 65 'column "real" holds DOUBLE' "$mess" --csv-columns a,real
bad 65 'column "friends" holds INTEGER[]' "$tables/nested.parquet"
bad 65 'row 4 (row group 0), column "amount": a missing weight' "$mess" --csv-columns a,b,amount
"$edgemill" ingest - bad.mill < "$tables/polars.parquet" > out 2> err
[ $? = 64 ] || fail "Parquet from standard input: $(cat err)"
says 'Parquet is read from a plain file'
absent bad.mill
bad 65 'no Parquet file' names.csv --format parquet
bad 64 'Parser Error' --sql 'SELEC 1, 2'
bad 64 'No files found' --sql "SELECT * FROM 'absent.parquet'"
bad 64 'gives no rows: give one SELECT' --sql "CREATE TABLE t (a INT)"
bad 64 'takes the place of names.csv' names.csv --sql 'SELECT 1, 2'
bad 65 'column "b" holds STRUCT' --sql "SELECT 1 AS a, {'x': 1} AS b"
bad 65 'row 2, column "b": no id (NULL' --sql 'SELECT * FROM (VALUES (1, 2), (3, NULL)) AS t(a, b)'
bad 65 'an integer weight beyond 2^53' --sql 'SELECT 1, 2, 9007199254740993'
bad 65 'an integer weight beyond 2^53' --sql 'SELECT 1, 2, 340282366920938463463374607431768211455::UHUGEINT'
bad 65 'no id (NULL, or a number beyond 64 bits)' --sql 'SELECT 1, 36893488147419103232::HUGEINT'
bad 65 "id 0 where ids start from 1" --sql 'SELECT 0, 1' --base 1
bad 65 'Conversion Error' --sql "SELECT 1, CAST('x' || range AS INTEGER) FROM range(3)"
bad 64 'there is no input'
bad 71 'DuckDB, which reads tables' "$mess" --csv-columns a,b --memory 100MiB
# The memory that a refusal names is enough, for DuckDB and for the ingest behind it: of numbers, names and queries, for
# any number of threads.
"$edgemill" ingest --sql "SELECT 1, 2" x.mill --replace > /dev/null 2>&1
seq 0 199999 | awk 'BEGIN { print "payer,payee,amount" } { printf "acct%012d,m%08d,%d\n", $1 * 7 % 99991, $1 * 7919 % 99667, $1 % 13 }' > many.csv
enough() {  # ARGUMENT...
  local least
  expect 71 ingest "$@" least.mill --memory 1MiB
  least=$(grep -oE 'at least --memory [0-9]+MiB' err | grep -oE '[0-9]+MiB')
  [ -n "$least" ] || fail "no number for $*: $(cat err)"
  expect 0 ingest "$@" least.mill --memory "$least"
  rm -rf least.mill
}
for threads in 1 8; do
  enough "$tables/hyparquet.parquet" --threads $threads
  enough "$tables/hyparquet_names.parquet" --csv-columns payer,payee,amount --threads $threads
  enough "$tables/hyparquet.parquet" --where 'weight > 3' --threads $threads
  enough --sql "SELECT range % 1000, range % 777 FROM range(300000)" --threads $threads
  enough --sql "SELECT * FROM 'many.csv'" --csv-columns payer,payee,amount --threads $threads
  enough many.csv --csv-columns payer,payee --column amount --threads $threads
done

size=$(stat -c %s "$tables/hyparquet.parquet")
for ((cut = 4; cut < size; cut += 1 + size / 60)); do
  head -c $cut "$tables/hyparquet.parquet" > cut.parquet
  bad 65 'cut.parquet: ' cut.parquet
done
# The footer says 100 rows of the first row group, or pages are damaged: an error, or the same graph where the bytes do
# not matter.
expect 0 ingest "$data/gapbs/4.wel" text.mill --uuid $uuid --replace
digest text.mill > want
for ((at = 4; at < size; at += 1 + size / 150)); do
  cp "$tables/hyparquet.parquet" flip.parquet
  byte=$(od -An -tu1 -j$at -N1 flip.parquet)
  printf "$(printf '\\%03o' $((byte ^ 255)))" | dd of=flip.parquet bs=1 seek=$at conv=notrunc status=none
  run ingest flip.parquet bad.mill --uuid $uuid
  case $code in
    0) rm -r bad.mill ;;
    64 | 65 | 71) absent bad.mill ;;
    *) fail "byte $at flipped: exit code $code: $(cat err)" ;;
  esac
done

# 4. Bad rows and empty weights by rule.
expect 0 ingest "$mess" x.mill --replace --csv-columns a,holes --bad-lines 1 --bad-lines-file bad.txt
grep -q 'mess.parquet: row 6 (row group 1), column "holes": no id (NULL, or a number beyond 64 bits): 5, NULL$' bad.txt ||
  fail "the file of bad rows: $(cat bad.txt)"
expect 0 ingest "$mess" x.mill --replace --csv-columns a,b,amount --empty-weight skip
says '2 edges without a weight are left out'
says '8 weights have separators of thousands'
expect 0 export x.mill - --format wel
printf '0 1 0.5\n1 2 1.5\n2 3 1091.6\n5 6 5.5\n6 7 6.5\n7 8 7.5\n8 9 8.5\n9 10 9.5\n' > levels
same out levels
expect 0 ingest "$mess" x.mill --replace --csv-columns a,b,amount --empty-weight 1
expect 0 export x.mill - --format wel
grep -qx '3 4 1' out || fail "--empty-weight 1 gives no weight 1"

# Bad rows with edge columns: all passes leave out the same ones, those with a bad id, weight or value of any column.
query="SELECT range % 97 AS a, CASE WHEN range % 50 = 1 THEN NULL ELSE range * 7 % 101 END AS b,
  CASE WHEN range % 50 = 2 THEN 'heavy' ELSE CAST(range % 9 AS VARCHAR) END AS weight,
  CASE WHEN range % 50 = 3 THEN NULL ELSE range / 4 END AS part,
  CASE WHEN range % 50 = 4 THEN 'soon' ELSE '2026-01-01' END AS day, 'k' || range % 3 AS kind FROM range(5000)"
good="SELECT * FROM ($query) WHERE b IS NOT NULL AND weight != 'heavy' AND part IS NOT NULL AND day != 'soon'"
columns=(--csv-columns a,b,weight --column part --column day:datetime --column kind)
expect 0 ingest --sql "$good" good.mill "${columns[@]}" --uuid $uuid
expect 0 ingest --sql "$query" all.mill "${columns[@]}" --uuid $uuid --bad-lines 400 --bad-lines-file bad.txt
says '400 bad lines'
[ "$(wc -l < bad.txt)" = 400 ] || fail "the file of bad rows has $(wc -l < bad.txt)"
digest good.mill > want
digest all.mill > got
same got want
bad 65 'column "day": not a date or time' --sql "$query" "${columns[@]}" --bad-lines 3

# 5. Answers as Parquet, read back.
back() {  # COLUMNS: the rows of answer.parquet in the order of the file, as text
  expect 0 ingest --sql "SELECT row_number() OVER () - 1 AS source, 0 AS target, $1 FROM 'answer.parquet'" back.mill --replace
  expect 0 export back.mill - --format wel
  awk '{print $3}' out
}
expect 0 ingest "$data/gapbs/4.wel" g.mill --replace
expect 0 run pagerank g.mill --output ranks.txt
expect 0 run pagerank g.mill --output answer.parquet
back 'id' > ids; back '"rank"' > ranks
paste -d ' ' ids ranks > got
same got ranks.txt
expect 73 run pagerank g.mill --output answer.parquet
expect 64 run bfs g.mill -r 0 --output x.parquet --unreachable graphalytics
small_graph
expect 0 ingest small.el s.mill
expect 0 run bfs s.mill -r 0 --output answer.parquet --force
back 'coalesce(level, 99)' > got
printf '0\n1\n1\n2\n3\n99\n99\n' > levels
same got levels
expect 0 ingest names.csv n.mill --replace
expect 0 run cc n.mill --output components.csv
expect 0 run cc n.mill --output answer.parquet --force
expect 0 ingest --sql "SELECT name, component FROM 'answer.parquet'" back.mill --replace
says 'ids are names (column "name" holds VARCHAR)'
expect 0 export back.mill -
tail -n +2 components.csv | tr , ' ' | sort > levels
sort out > got
same got levels

# 6. An output of another suffix is refused before any work, with the list.
expect 64 run pagerank g.mill --output ranks.xlsx
says '.txt, .tsv, .csv, .npy, .parquet or .arrow'
absent ranks.xlsx

# Ctrl-C ends a query that would take hours, and leaves nothing.
"$edgemill" ingest --sql "SELECT a.range, b.range FROM range(10000000) a, range(10000000) b
  WHERE hash(a.range, b.range) % 1000000007 = 0" endless.mill > out 2> err &
process=$!
interrupt "$process" 1
for _ in {1..100}; do
  kill -0 "$process" 2> /dev/null || break
  sleep 0.1
done
kill -0 "$process" 2> /dev/null && fail "a query goes on after Ctrl-C" && kill -KILL "$process"
wait "$process"
code=$?
[ "$code" = 130 ] || fail "Ctrl-C during --sql: exit code $code: $(cat err)"
absent endless.mill.duckdb
rm -rf endless.mill

# 7. Without the library, the message says how to get it.
export EDGEMILL_DUCKDB=/nonexistent/libduckdb.so
bad 66 'EDGEMILL_DUCKDB=/nonexistent/libduckdb.so' "$mess" --csv-columns a,b
says '@duckdb/node-bindings-linux-x64'
expect 0 ingest "$data/gapbs/4.wel" g.mill --replace
expect 0 run pagerank g.mill --output answer.parquet --force
finish
