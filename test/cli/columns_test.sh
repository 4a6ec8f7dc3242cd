#!/bin/bash
# Edge columns: ingest --column, run --weight, info, verify and export.
source "$(dirname "$0")/lib.sh"
uuid2=01234567-89ab-4cde-8f01-23456789abce
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
says 'run: --weight: path takes weights only with --weighted: add that'
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

# So do trials: the same graph, read as one that has the column as its weight.
for graph in 'w.mill' 'g.mill --weight amount'; do
  # shellcheck disable=SC2086  # words
  expect 0 bench run bfs,sssp $graph -r ada -n 2 --json bench.json
  valid_json bench.json
  tr -d ' \n' < bench.json | grep -o '"last_result":{[^}]*}' > "facts${graph%% *}"
done
same factsg.mill factsw.mill
tr -d ' \n' < bench.json | grep -q '"weight":"amount"' || fail "the result does not name the weight: $(head -c 2000 bench.json)"
expect 64 bench run bfs,cc g.mill --weight amount
says 'bench run: bfs and cc ignore weights: leave --weight out'
expect 64 bench run bfs,degrees g.mill --weight amount
says 'degrees takes weights only with --weighted: add that'
expect 64 bench run sssp g.mill --weight amuont
says 'there are amount, day, kind, units'
expect 64 bench run sssp --rules graph500 --scale 5 --weight amount
says '--weight is decided by --rules graph500'

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
# A note names the line of the value that makes it so. With a type, the value is an error; so it is after the first lines.
printf 'a,b,day,amount\n1,2,2026-01-02,7\n2,3,soon,8\n3,4,2026-01-03,many\n' > mixed.csv
expect 0 ingest mixed.csv mixed.mill --csv-columns a,b --column day --column amount --replace
says 'mixed.csv: column "day" is kept as texts, since "soon" in line 3 is no time, as others are'
says 'mixed.csv: column "amount" is kept as texts, since "many" in line 4 is no number, as others are'
says 'day (text, 3 different), amount (text, 3 different)'
expect 65 ingest mixed.csv mixed.mill --csv-columns a,b --column day:datetime --replace
says 'mixed.csv:3:5: not a date or time of ISO 8601 ("2,3,soon,8")'
expect 0 ingest mixed.csv mixed.mill --csv-columns a,b --column day --column amount --replace --bad-lines all
says 'day (datetime), amount (int32)'
says '2 skipped'
{ echo a,b,day; for i in {1..99}; do echo "$i,2,2026-01-02"; done; echo 100,2,soon; } > late.csv
expect 65 ingest late.csv none.mill --csv-columns a,b --column day
says 'late.csv:101:7: not a date or time of ISO 8601'
absent none.mill

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
for option in '--empty-weight skip' '--empty-weight 1'; do
  # shellcheck disable=SC2086  # words
  refused 64 'needs every value' ingest pay.csv no.mill --csv-columns payer,payee --column day $option
done
refused 64 'say --merge first' ingest pay.csv no.mill --csv-columns payer,payee --column day --merge sum
refused 64 'say --merge first' ingest pay.csv no.mill --csv-columns payer,payee --column kind --merge min
refused 65 'pay.csv:2:24: ' ingest pay.csv no.mill --csv-columns payer,payee --column kind:float
refused 65 'ISO 8601' ingest pay.csv no.mill --csv-columns payer,payee --column kind:datetime
refused 65 'pay.csv:3:' ingest pay.csv no.mill --csv-columns payer,payee --column units:int32
refused 65 'integer' ingest pay.csv no.mill --csv-columns payer,payee --column amount:int64
printf '0 1\n1 2\n' > plain.bin32
refused 64 'cannot act on format' ingest plain.bin32 no.mill --column 3
printf ',a,b\n1,2,3\n' > unnamed.csv
refused 64 'give it a name' ingest unnamed.csv no.mill --csv-columns a,b --column 1
many=()
for i in {3..19}; do many+=(--column "$i"); done
seq -s, 19 > wide.csv
seq -s, 21 39 >> wide.csv
refused 64 'at most 16' ingest wide.csv no.mill --csv-columns 1,2 --header no "${many[@]}"

# Bad lines: one whose id, weight or value of any column is bad is left out by all passes. The graph is that of the good
# lines, for any number of threads, and the bad ones are listed once.
awk 'BEGIN { print "source,target,weight,amount,day,kind" }
  { day = sprintf("2026-01-%02d", 1 + $1 % 28); good = $1 % 997 "," ($1 * 7919) % 991 "," $1 % 13 "," $1 / 4 "," day ",k" $1 % 5
    if ($1 % 50 != 9) { print good; next }
    bad = int($1 / 50) % 6
    print (bad == 0 ? "x" : 1) ",2," (bad == 1 ? "heavy" : 3) "," (bad == 2 ? "much" : 4) "," \
      (bad == 3 ? "soon" : bad == 4 ? "" : day) "," (bad == 5 ? "a\xff" : "k") }' < <(seq 0 3999) > messy.csv
grep -avE '^x|heavy|much|soon|,,|\xff' messy.csv > good.csv
LC_ALL=C grep -av $'\xff' good.csv > good2.csv && mv good2.csv good.csv
[ "$(wc -l < good.csv)" = 3921 ] || fail "messy.csv has $(wc -l < good.csv) good lines"
columns=(--column amount --column day:datetime --column kind --uuid $uuid2)
expect 0 ingest good.csv good.mill "${columns[@]}"
for threads in 1 4; do
  rm -rf messy.mill
  expect 0 ingest messy.csv messy.mill "${columns[@]}" --bad-lines all --bad-lines-file bad.txt --threads $threads
  says '80 bad lines'
  [ "$(wc -l < bad.txt)" = 80 ] || fail "the file of bad lines has $(wc -l < bad.txt)"
  for segment in good.mill/data/$uuid2/*.seg; do
    same "$segment" "messy.mill/data/$uuid2/$(basename "$segment")"
  done
done
grep -q 'messy.csv:161:9: not a date or time of ISO 8601: 1,2,3,4,soon,k' bad.txt || fail "the reason: $(head -5 bad.txt)"
rm -rf messy.mill
expect 65 ingest messy.csv messy.mill "${columns[@]}" --bad-lines 79
absent messy.mill
# Tabs at the end of a line, which stand for empty texts, but for no numbers.
printf 'a\tb\tamount\tkind\n1\t2\t5\tcard\n2\t3\t6\n3\t4\n4\t5\t\tx\n' > ends.tsv
expect 0 ingest ends.tsv ends.mill --csv-columns a,b --column amount --column kind --bad-lines 2
expect 0 export ends.mill ends.csv
printf '%s\n' source,target,amount,kind 1,2,5,card 2,3,6, > want
same ends.csv want

# A pipe is copied for the passes, to a file without a name, and gives the graph of the file. So do several.
expect 0 ingest many.csv file.mill --column first --column second --uuid $uuid2
alike_pipe() { # GRAPH: it has the blocks of file.mill
  local segment
  for segment in file.mill/data/$uuid2/*.seg; do
    same "$segment" "$1/data/$uuid2/$(basename "$segment")"
  done
  rm -rf "$1"
}
options=(--column first --column second --uuid $uuid2)
mkdir spills
for command in 'cat many.csv' 'gzip -c many.csv' 'xz -c many.csv'; do
  $command | "$edgemill" ingest - pipe.mill --format csv "${options[@]}" --spill spills > out 2> err ||
    fail "$command in a pipe: $(cat err)"
  [ -z "$(ls spills)" ] || fail "$(ls spills) is left in the spill directory"
  alike_pipe pipe.mill
done
"$edgemill" ingest <(cat many.csv) pipe.mill --format csv "${options[@]}" > out 2> err || fail "a substitution: $(cat err)"
alike_pipe pipe.mill
mkfifo fifo
echo 5000 > fifo &
expect 0 ingest many.csv fifo.mill --column first --column second --vertices-file fifo
expect 0 export fifo.mill fifo.csv
same fifo.csv one.csv
wait
# Edges of a pipe that cannot be are named by their line. A pipe that breaks off, or has no such column, leaves nothing.
{ cat many.csv; echo '1,2,3,x,5'; } | "$edgemill" ingest - no.mill --format csv "${options[@]}" > out 2> err
[ $? = 65 ] || fail "a bad value in a pipe: $(cat err)"
says 'standard input:4002:7: '
gzip -c many.csv | head -c 3000 | "$edgemill" ingest - no.mill --format csv "${options[@]}" > out 2> err
[ $? = 65 ] || fail "a pipe that is cut: $(cat err)"
says 'standard input'
"$edgemill" ingest - no.mill --format csv --column third < many.csv > out 2> err
[ $? = 64 ] || fail "a column that is missing in a pipe: $(cat err)"
says "no column 'third'"
absent no.mill
if ! touch /proc/self/nothing 2> /dev/null; then
  cat many.csv | "$edgemill" ingest - /proc/self/no.mill --format csv --column first > out 2> err
  code=$?
  [ "$code" = 73 ] || [ "$code" = 77 ] || [ "$code" = 74 ] || fail "a place without files: $code: $(cat err)"
fi
# A pipe that fills the disk stops the ingest. Ctrl-C ends the wait for a pipe.
(ulimit -f 100; yes 1,2,3 | "$edgemill" ingest - no.mill --format csv --header no --column 3 > out 2> err)
code=$?
[ "$code" = 74 ] || fail "a pipe larger than a file may be: exit code $code: $(cat err)"
says 'standard input, which --column reads again, is copied to'
absent no.mill
{ head -1 many.csv; exec sleep 20 2> /dev/null; } | "$edgemill" ingest - no.mill --format csv --column first > out 2> err &
process=$!
interrupt "$process" 0.5
wait "$process"
[ $? = 130 ] || fail "Ctrl-C while a pipe is copied: $(cat err)"
absent no.mill

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
