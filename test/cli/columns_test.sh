#!/bin/bash
# Edge columns: ingest --column, run --weight, info, verify and export.
source "$(dirname "$0")/lib.sh"
cat > pay.csv << 'CSV'
payer,payee,amount,day,kind,units
ada,bob,1.5,2026-01-02,card,3
bob,cy,"1,091.60",2026-01-03T09:30:00,cash,5000000000
ada,cy,7,2026-01-05T10:00:00.5Z,"card, late",1
cy,dee,2.25,1969-12-31,card,-4
dee,ada,0.5,2026-02-01 00:00:00+02:00,,9
ada,bob,3,2026-03-01,cash,2
CSV
columns=(--column amount --column day --column kind --column units:int64)
expect 0 ingest pay.csv g.mill --csv-columns payer,payee "${columns[@]}" --dry-run
says 'source, target, kept, kept, kept, kept'
expect 64 ingest pay.csv g.mill --csv-columns payer,payee --column nothing --dry-run
says "there is no column 'nothing' among 6 (payer, payee, amount, day, kind, units)"
expect 0 ingest pay.csv g.mill --csv-columns Payer,PAYEE --column Amount --dry-run  # in any case
says 'source, target, kept, ignored, ignored, ignored'
expect 0 ingest pay.csv g.mill --csv-columns payer,payee "${columns[@]}" --json ingest.json
valid_json ingest.json
says 'amount (float64), day (datetime), kind (text, 4 different), units (float32)'
expect 0 info g.mill --json info.json
valid_json info.json
[ "$(grep -c '"kind": ' info.json)" = 4 ] || fail "info.json has not four edge columns: $(cat info.json)"
says 'out-column-1'
says 'in-column-4'
expect 0 verify g.mill
says 'all good'

# All values come back beside their edges, parallel ones too.
expect 0 export g.mill back.csv
sort > want << 'CSV'
ada,bob,1.5,2026-01-02,card,3
ada,bob,3,2026-03-01,cash,2
ada,cy,7,2026-01-05T10:00:00.500000,"card, late",1
bob,cy,1091.6,2026-01-03T09:30:00,cash,5000000000
cy,dee,2.25,1969-12-31,card,-4
dee,ada,0.5,2026-01-31T22:00:00,,9
CSV
tail -n +2 back.csv | sort > got
same got want
[ "$(head -1 back.csv)" = source,target,amount,day,kind,units ] || fail "the header: $(head -1 back.csv)"
grep -n 'ada,bob' back.csv | sed 's/^[0-9]*://' > got
grep 'ada,bob' want > parallel
same got parallel  # in the input's order
expect 0 ingest back.csv again.mill --column amount --column day --column kind --column units
expect 0 export again.mill back2.csv
same back2.csv back.csv

# A column as the weight: the same as a graph that has it as its weight.
expect 0 ingest pay.csv w.mill --csv-columns payer,payee,amount
expect 0 run sssp w.mill -r ada -o want.txt
expect 0 run sssp g.mill -r ada --weight amount -o got.txt --verify
same got.txt want.txt
expect 0 run sssp g.mill -r ada -o steps.txt
cmp -s steps.txt want.txt && fail "without --weight the amounts are weights"
expect 64 run path g.mill -r ada --target dee --weight amount
says 'path takes weights only with --weighted: add that'
expect 0 run path g.mill -r ada --target dee --weight amount --weighted --bottom 9 --json path.json
tr -d ' \n' < path.json | grep -q '"bottom":\[{"id":"ada","step":0},' || fail "the path is not in order: $(cat path.json)"
tr -d ' \n' < path.json | grep -q '"path":\["ada",.*"dee"\],"histogram"' || fail "no path: $(cat path.json)"
expect 64 run bfs g.mill -r ada --weight amount
says 'bfs ignores weights'
expect 64 run sssp g.mill -r ada --weight amuont
says 'there are amount, day, kind, units'
expect 64 run sssp g.mill -r ada --weight kind
says 'holds texts'
expect 64 run sssp w.mill -r ada --weight amount
says 'ingest it with --column'
expect 64 run sssp g.mill -r ada --weight units
says negative

# Weights and columns together; undirected, merged, renumbered, with little memory.
seq 0 3999 | awk 'BEGIN { print "source,target,weight,first,second" }
  { print $1 % 997, ($1 * 7919) % 991, $1 % 13, $1, ($1 * 31) % 256 }' OFS=, > many.csv
for options in '' '--undirected' '--renumber degree' '--merge first' '--columns in' '--columns out' \
  '--weights none' '--weights-in in' '--drop-loops' '--block-edges 128 --page-edges 1024' '--ids strings'; do
  rm -rf many.mill
  # shellcheck disable=SC2086
  expect 0 ingest many.csv many.mill $options --column first --column second --memory 80MiB
  expect 0 verify many.mill
  expect 0 export many.mill many.out.csv --force
  # The first column is the number of the line, so it tells what the others must be.
  first=$([ "$options" = '--weights none' ] && echo 3 || echo 4)
  awk -F, -v f="$first" -v options="$options" 'NR > 1 {
      n = $f; s = n % 997; t = (n * 7919) % 991
      if ($(f + 1) != (n * 31) % 256 || (f == 4 && $3 != n % 13)) bad = 1
      if (!(($1 == s && $2 == t) || (options == "--undirected" && $1 == t && $2 == s))) bad = 1
    }
    END { exit bad || NR < 3000 }' many.out.csv || fail "$options: values beside other edges: $(head -3 many.out.csv)"
done
expect 0 ingest many.csv whole.mill --column first --column second --uuid 01234567-89ab-4cde-8f01-23456789abcd
expect 0 ingest many.csv small.mill --column first --column second --uuid 01234567-89ab-4cde-8f01-23456789abcd \
  --memory 64MiB --threads 1
for segment in whole.mill/data/*/*.seg; do
  same "$segment" "small.mill/data/01234567-89ab-4cde-8f01-23456789abcd/$(basename "$segment")"
done

# Empty cells at the end of a line of tabs are empty texts.
printf 'a\tb\tkind\tnote\n1\t2\tcard\tx\n2\t3\t\t\n3\t4\tcash\n' > tabs.tsv
expect 0 ingest tabs.tsv tabs.mill --csv-columns a,b --column kind --column note
expect 0 export tabs.mill tabs.csv
printf '%s\n' a,b,kind,note 1,2,card,x 2,3,, 3,4,cash, | sed '1s/.*/source,target,kind,note/' > want
same tabs.csv want

# A column of numbers and times is one of texts.
printf 'a,b,c\n1,2,7\n2,3,2026-01-02\n' > mixed.csv
expect 0 ingest mixed.csv mixed.mill --csv-columns a,b --column c
says 'c (text, 2 different)'

# Sums of columns, each by itself.
printf 'a,b,n,x\n1,2,2000000000,0.5\n1,2,2000000000,0.25\n' > sums.csv
expect 0 ingest sums.csv sums.mill --csv-columns a,b --column n:int64 --column x --merge sum
expect 0 export sums.mill sums.out.csv
[ "$(tail -1 sums.out.csv)" = 1,2,4000000000,0.75 ] || fail "sums: $(cat sums.out.csv)"

# Inputs that are compressed, several inputs, and vertices of a list.
gzip -k many.csv
{ head -1 many.csv; tail -n 2000 many.csv; } > second.csv
{ head -1 many.csv; head -2001 many.csv | tail -n +2; } | gzip > first.csv.gz
echo 5000 > more.v
expect 0 ingest many.csv one.mill --column first --column second --vertices-file more.v
expect 0 export one.mill one.csv
for inputs in many.csv.gz 'first.csv.gz second.csv'; do
  # shellcheck disable=SC2086  # words
  expect 0 ingest $inputs other.mill --column first --column second --vertices-file more.v --replace
  expect 0 export other.mill other.csv --force
  same other.csv one.csv
done

# Damage in a column is found.
segment=$(echo whole.mill/data/*/out-column-2.0000.seg)
printf '\xff' | dd of="$segment" bs=1 seek=200 conv=notrunc status=none
expect 65 verify whole.mill
says 'out-column-2'

# What cannot be: one line each, and nothing is left.
refused() { # CODE TEXT ARGUMENT...
  local want=$1 text=$2
  shift 2
  expect "$want" "$@"
  says "$text"
  absent no.mill
}
refused 64 "there is no column 'amuont'" ingest pay.csv no.mill --csv-columns payer,payee --column amuont
refused 64 'is the source or the target' ingest pay.csv no.mill --csv-columns payer,payee --column payer
refused 64 'is given twice' ingest pay.csv no.mill --csv-columns payer,payee --column day --column 4
refused 64 'NAME:TYPE' ingest pay.csv no.mill --column :int32
for option in '--bad-lines all' '--empty-weight skip' '--empty-weight 1'; do
  # shellcheck disable=SC2086  # words
  refused 64 'needs every value' ingest pay.csv no.mill --csv-columns payer,payee --column day $option
done
refused 64 'say --merge first' ingest pay.csv no.mill --csv-columns payer,payee --column day --merge sum
refused 64 'say --merge first' ingest pay.csv no.mill --csv-columns payer,payee --column kind --merge min
refused 65 'pay.csv:2:24: ' ingest pay.csv no.mill --csv-columns payer,payee --column kind:float
refused 65 'ISO 8601' ingest pay.csv no.mill --csv-columns payer,payee --column kind:datetime
refused 65 'pay.csv:3:' ingest pay.csv no.mill --csv-columns payer,payee --column units:int32
refused 65 'integer' ingest pay.csv no.mill --csv-columns payer,payee --column amount:int64
refused 64 'can be read only once' ingest - no.mill --format csv --column 3 < pay.csv
printf '0 1\n1 2\n' > plain.bin32
refused 64 'cannot act on format' ingest plain.bin32 no.mill --column 3
mkfifo fifo
refused 64 'can be read only once' ingest pay.csv no.mill --csv-columns payer,payee --column day --vertices-file fifo
printf ',a,b\n1,2,3\n' > unnamed.csv
refused 64 'give it a name' ingest unnamed.csv no.mill --csv-columns a,b --column 1
many=()
for i in {3..19}; do many+=(--column "$i"); done
seq -s, 19 > wide.csv
seq -s, 21 39 >> wide.csv
refused 64 'at most 16' ingest wide.csv no.mill --csv-columns 1,2 --header no "${many[@]}"

# A resume must read the input as the first pass did.
EDGEMILL_KILL_POINT=ingest.page:2 "$edgemill" ingest many.csv killed.mill --column first --column second \
  --block-edges 128 --page-edges 128 > out 2> err
[ $? = 137 ] || fail "the ingest was not killed"
expect 64 ingest many.csv killed.mill --resume
says 'the same --column'
expect 0 ingest many.csv killed.mill --column first --column second --block-edges 128 --page-edges 128 --resume
expect 0 export killed.mill killed.csv
expect 0 ingest many.csv plain.mill --column first --column second --block-edges 128 --page-edges 128
expect 0 export plain.mill plain.csv
same killed.csv plain.csv

# Nothing is lost when the ingest is stopped between columns.
seq 0 800000 | awk 'BEGIN { print "source,target,first,second" } { print $1 % 99991, ($1 * 104729) % 80021, $1, $1 % 7 }' \
  OFS=, > large.csv
uuid=fedcba98-7654-4321-8fed-cba987654321
ingest=(ingest large.csv --uuid $uuid --memory 80MiB --column first --column second)
expect 0 "${ingest[@]:0:2}" all.mill "${ingest[@]:2}"
for delay in 0.3 0.9 1.5; do
  rm -rf stopped.mill
  "$edgemill" "${ingest[@]:0:2}" stopped.mill "${ingest[@]:2}" > out 2> err &
  process=$!
  interrupt "$process" $delay
  wait "$process"
  code=$?
  if [ "$code" = 130 ] && [ -e stopped.mill ]; then
    expect 0 "${ingest[@]:0:2}" stopped.mill "${ingest[@]:2}" --resume
  elif [ "$code" != 0 ] && [ "$code" != 130 ]; then
    fail "Ctrl-C after $delay s: exit code $code: $(cat err)"
  fi
  [ ! -e stopped.mill ] || for segment in all.mill/data/$uuid/*.seg; do
    same "$segment" "stopped.mill/data/$uuid/$(basename "$segment")"
  done
done
finish
