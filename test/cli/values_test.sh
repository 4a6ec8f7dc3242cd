#!/bin/bash
# Files of --values and --fixed: --output's files are read back. Headers and wrong numbers are distinguished. Long lines
# and long names stay within --memory.
source "$(dirname "$0")/lib.sh"
printf '0 1\n1 2\n2 3\n3 4\n' > p.el
expect 0 ingest p.el p.mill --undirected

# peak ARGUMENT...: runs the program. Sets $code, and $most to the peak of its memory in KiB.
peak() {
  "$edgemill" "$@" > out 2> err & local process=$! now
  most=0
  while kill -0 $process 2> /dev/null; do
    now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\) kB/\1/p' /proc/$process/status 2> /dev/null)
    [ "${now:-0}" -gt $most ] && most=$now
    sleep 0.01
  done
  wait $process
  code=$?
  [ $most -gt 0 ] || fail "the memory of $* was not seen"
}

# A wrong number is an error in the first line as in any other.
for wrong in 0.0V 1e400 O 0x10 '"0"' -; do
  for order in '0 %s\n4 1\n' '4 1\n0 %s\n'; do
    # shellcheck disable=SC2059
    printf "$order" "$wrong" > fixed.txt
    expect 65 run cs p.mill --fixed fixed.txt -i 10
    says 'is not a number'
  done
done
says 'fixed.txt:2: '
# A header has neither a vertex nor a number. A message says that it was left out.
printf '0,0\n1,1\n2,2\n3,3\n4,4\n' > rows.csv
expect 0 run hs p.mill -i 1 --values rows.csv -o plain.txt
for header in 'id,value' 'vertex value' 'Knoten	Wert'; do
  { echo "$header"; cat rows.csv; } > headed.csv
  expect 0 run hs p.mill -i 1 --values headed.csv -o headed.txt --force
  says 'headed.csv:1: is left out as a header'
  same headed.txt plain.txt
  { head -2 rows.csv; echo "$header"; tail -3 rows.csv; } > headed.csv
  expect 65 run hs p.mill -i 1 --values headed.csv
  says 'headed.csv:3: '
done
# A byte-order mark, line ends of Windows, comments, blank lines.
{ printf '\357\273\277'; printf '# by hand\r\n\r\n'; sed 's/$/\r/' rows.csv; } > odd.csv
expect 0 run hs p.mill -i 1 --values odd.csv -o odd.txt
same odd.txt plain.txt

# Names that need quotes come back as --output has written them, in all of its text formats.
printf '%s\n' 'alice,"Carol, PhD"' '"Carol, PhD","5"" disk"' '"5"" disk","#tag"' '"#tag",bob smith' 'bob smith,"a;b"' \
  '"a;b","inf"' '"inf","//x"' > n.csv
expect 0 ingest n.csv n.mill --ids strings --header no
for suffix in txt tsv csv; do
  expect 0 run hs n.mill -i 3 -o "v.$suffix"
  expect 0 run hs n.mill -i 3 --values "v.$suffix" -o "again.$suffix"
  expect 0 run hs n.mill -i 6 -o "six.$suffix"
  same "again.$suffix" "six.$suffix"
done
{ printf '\357\273\277'; sed 's/$/\r/' v.csv; } > odd.csv
expect 0 run hs n.mill -i 3 --values odd.csv -o odd.out.csv
same odd.out.csv six.csv
printf '"alice 1\n' > open.txt
expect 65 run cs n.mill -i 1 --fixed open.txt
says 'open.txt:1: give a vertex and a number'
printf 'alice 1\nbob smith 2\n' > fixed.txt  # without quotes: the number comes last
expect 0 run cs n.mill -i 1 --fixed fixed.txt
printf 'alice 1\nalcie 2\nbbo 3\n' > fixed.txt
expect 65 run cs n.mill -i 1 --fixed fixed.txt
says 'fixed.txt:2: vertex "alcie" is not in n.mill: did you mean "alice"?'
printf 'alice one\nbob smith 2\n' > fixed.txt
expect 65 run cs n.mill -i 1 --fixed fixed.txt
says 'fixed.txt:1: "one" is not a number'
printf 'bob smith 2\nalice 1\n"bob smith" 3\n' > fixed.txt
expect 65 run cs n.mill -i 1 --fixed fixed.txt
says 'vertex "bob smith" comes twice'

# One line without an end is refused before it is in memory.
truncate -s 400M zeros
for file in zeros /dev/zero; do
  peak run cs p.mill -i 1 --fixed $file --memory 128MiB
  [ $code = 65 ] || fail "a line of 400 MB: exit code $code: $(cat err)"
  says ':1: longer than 1 MiB'
  [ $most -le $((128 << 10)) ] || fail "a line of 400 MB took $most KiB of 128 MiB"
done
rm zeros

# The program looks many names up together.
seq 1 200000 | awk '{printf "name-%06d name-%06d\n", ($1 * 7919) % 200000, $1}' > m.el
expect 0 ingest m.el m.mill
expect 0 run hs m.mill -i 1 -o sorted.txt --quiet
sort -t- -k 2.4 sorted.txt > mixed.txt
since=$SECONDS
expect 0 run hs m.mill -i 1 --values mixed.txt -o from_mixed.txt --memory 64MiB
expect 0 run hs m.mill -i 1 --values sorted.txt -o from_sorted.txt --memory 64MiB
[ $((SECONDS - since)) -le 20 ] || fail "400,000 names took $((SECONDS - since)) s"
same from_mixed.txt from_sorted.txt

# --top with names of 20,000 bytes prints as many as fit, and says so. With more memory it prints all.
awk 'BEGIN { for (i = 0; i < 20000; i += 10) long = long "xxxxxxxxxx"
             for (i = 0; i < 1000; ++i) printf "%04d%s %04d%s\n", i, long, (i + 1) % 1000, long }' > long.el
expect 0 ingest long.el long.mill --ids strings --memory 512MiB
expect 0 run pagerank long.mill --top 1000 --memory 64MiB --json top.json
says 'the names of the others do not fit in --memory'
valid_json top.json
peak run pagerank long.mill --top 1000 --memory 64MiB --json top.json --report top.html
[ $code = 0 ] || fail "--top: $(cat err)"
[ $most -le $((64 << 10)) ] || fail "--top took $most KiB of 64 MiB"
expect 0 run pagerank long.mill --top 1000 --memory 2GiB --json top.json
[ "$(grep -c '"rank":' top.json)" = 1000 ] || fail "--top 1000 lists $(grep -c '"rank":' top.json)"
finish
