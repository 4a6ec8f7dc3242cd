#!/bin/bash
# edgemill walks and sample: outputs by ids and names, the same bytes in any memory, and what is refused before work.
source "$(dirname "$0")/lib.sh"
printf '10 20 1\n20 30 2\n30 20 0\n30 10 4\n' > a.wel
expect 0 ingest a.wel a.mill

# A cycle has one walk; a walk ends at a vertex without edges.
printf '7 8\n8 9\n9 7\n9 7\n' > cycle.el
expect 0 ingest cycle.el cycle.mill
printf '# starts\n8\n\n7\n8\n' > starts
printf '8 9 7 8\n7 8 9 7\n8 9 7 8\n' > want
expect 0 walks cycle.mill --from starts -n 1 --length 3 -o -
same out want
"$edgemill" walks cycle.mill --from - -n 1 -l 3 -o out.csv < starts > /dev/null || fail 'no starts from standard input'
tr ' ' , < want | cmp - out.csv || fail "$(cat out.csv)"
expect 73 walks cycle.mill --from starts -o out.csv
expect 0 walks cycle.mill -n 2 -l 1 -o out.tsv -p .5 -q 2
printf '7\t8\n7\t8\n8\t9\n8\t9\n9\t7\n9\t7\n' | cmp - out.tsv || fail "$(cat out.tsv)"
printf '1 2\n' > edge.el
expect 0 ingest edge.el edge.mill
expect 0 walks edge.mill -n 1 -o -
printf '1 2\n2\n' > want
same out want
# An edge of weight 0 is never taken: 30 leads to 10.
expect 0 walks a.mill --weighted -n 50 -l 9 -o -
! grep -q '30 20' out || fail 'an edge of weight 0 was taken'
grep -q '30 10 20 30' out || fail "$(cat out)"
expect 0 walks a.mill -n 50 -l 9 -o -
grep -q '30 20' out || fail 'no edge of weight 0 without --weighted'
expect 0 walks a.mill --json -
valid_json out
grep -q '"walks": 30' out || fail "$(cat out)"
grep -q '"steps": 2400' out || fail "$(cat out)"

# Names.
printf 'ann,bob\nbob,"cy d"\n' > n.csv
expect 0 ingest n.csv n.mill --header no --undirected --ids strings
printf '"cy d"\nann\n' > named
expect 0 walks n.mill --from named -n 1 -l 1 -o -
printf '"cy d" bob\nann bob\n' > want
same out want
expect 0 sample n.mill --from named --fanout 1,9 -o out2.csv
printf 'sample,hop,vertex,neighbor\n0,1,"cy d",bob\n0,2,bob,ann\n0,2,bob,"cy d"\n1,1,ann,bob\n1,2,bob,ann\n1,2,bob,"cy d"\n' |
  cmp - out2.csv || fail "$(cat out2.csv)"
# Long names: a line takes more than the text that a thread makes at a time.
for name in a b c; do head -c 60000 /dev/zero | tr '\0' $name; echo; done > long
{ sed -n 2,3p long; head -1 long; } | paste -d , long - > long.csv
expect 0 ingest long.csv long.mill --header no --ids strings
expect 0 walks long.mill --from long -n 1 -l 20 --threads 2 -o long.txt
tr -s abc < long.txt > some
printf '%s\n' 'a b c a b c a b c a b c a b c a b c a b c' 'b c a b c a b c a b c a b c a b c a b c a' \
  'c a b c a b c a b c a b c a b c a b c a b' > want
same some want
[ "$(wc -c < long.txt)" = 3780063 ] || fail "walks of long names have $(wc -c < long.txt) bytes"
printf 'ann\nbo\n' > wrong
for command in walks sample; do
  expect 65 $command n.mill --from wrong -o no.txt
  says 'wrong:2: vertex "bo" is not in n.mill'
done

# The same bytes in any memory, on any threads; another seed gives others.
expect 0 generate kron k.mill --scale 14 --edge-factor 8 --seed 3 --block-edges 1024 --weights random:1:9:1
for command in 'walks -n 1 -l 10' 'walks -n 1 -l 5 -p .25 -q 4' 'walks -n 1 -l 6 --weighted' 'sample --fanout 3,2' 'sample --fanout 2,2 --replace'; do
  # shellcheck disable=SC2086
  set -- $command
  expect 0 "$1" k.mill "${@:2}" --seed 5 -o right.txt --threads 1 --force
  expect 0 "$1" k.mill "${@:2}" --seed 5 -o few.txt --threads 3 --force
  cmp right.txt few.txt || fail "$command: other bytes on 3 threads"
  run "$1" k.mill "${@:2}" --seed 5 -o no.txt --threads 2 --memory 1MiB
  [ "$code" = 71 ] || fail "$command: exit code $code with 1 MiB"
  says 'needs at least --memory'
  least=$(sed -E 's/.*--memory ([0-9.]+ ?[MG]iB).*/\1/; s/ //' err)
  expect 0 "$1" k.mill "${@:2}" --seed 5 -o few.txt --threads 2 --memory "$least" --force --json least.json
  cmp right.txt few.txt || fail "$command: other bytes in $least"
  expect 0 "$1" k.mill "${@:2}" --seed 6 -o few.txt --force
  ! cmp -s right.txt few.txt || fail "$command: the seed does not count"
done

# What is refused, before work.
for option in '-p 0' '-p -1' '-q 0' '-q nan' '-q 1e9' '--length 0' '--length 9999999' '-n 0' '--neighbors both'; do
  # shellcheck disable=SC2086
  expect 64 walks a.mill $option -o no.txt
done
expect 64 walks cycle.mill --weighted -o no.txt
says '--weighted: the graph has no weights'
for fanout in 0 x 2,,3 5, 9999999; do
  expect 64 sample a.mill --fanout $fanout -o no.txt
  says '--fanout: '
done
expect 71 sample a.mill --fanout 1000000,1000000,1000000,1000000 -o no.txt
says 'needs at least --memory'
for command in walks sample; do
  for line in 11 x '10 20'; do
    printf '10\n%s\n' "$line" > wrong
    expect 65 $command a.mill --from wrong -o no.txt
    says 'wrong:2: '
  done
  : > empty
  expect 65 $command a.mill --from empty -o no.txt
  says 'empty: no vertices'
  expect 66 $command nothing.mill
  expect 64 $command a.mill -o no.npy
  says '--output no.npy'
done
printf '1 2 -1\n2 1 1\n' > negative.wel
expect 0 ingest negative.wel negative.mill
expect 64 walks negative.mill --weighted -o no.txt
says 'weights below 0'
# Walks that no disk holds: 10^17 vertices.
expect 0 ingest cycle.el pair.mill --undirected
yes 7 | head -100000 > many
expect 74 walks pair.mill --from many -n 1000000 -l 1000000 -o no.txt
says 'are free, and the walks take'
absent no.txt no.npy
if [ -d /dev/shm ] && [ -w /dev/shm ]; then
  shared=/dev/shm/edgemill-walks-test.$$.txt
  expect 74 walks pair.mill --from many -n 1000000 -l 1000000 -o "$shared"
  says 'are free, and the walks take'
  absent "$shared"
fi
# A pipe takes no space. Its reader takes a little.
mkfifo pipe.txt
head -c 10 pipe.txt > some &
run walks pair.mill --from many -n 1000000 -l 1000 -o pipe.txt --memory 128MiB
wait
! grep -q 'are free' err || fail 'the space of a pipe was checked'
[ "$(head -c 4 some)" = '7 8 ' ] || [ "$(head -c 4 some)" = '7 9 ' ] || fail "the pipe got $(cat some)"

# Work ends once the reader of standard output has gone.
for command in 'walks -n 1000000 -l 1000' 'sample --fanout 3,2'; do
  # shellcheck disable=SC2086
  set -- $command
  lines=many
  [ "$1" = walks ] || { yes 7 | head -3000000 > more; lines=more; }
  timeout -s KILL 60 "$edgemill" "$1" pair.mill --from $lines "${@:2}" --memory 512MiB -o - 2> err | head -3 > some
  codes=("${PIPESTATUS[@]}")
  [ "${codes[0]}" = 0 ] || fail "$command: exit code ${codes[0]} without a reader: $(cat err)"
  [ "$(wc -l < some)" = 3 ] || fail "$command: $(head -c 200 some)"
done

# The least memory counts what --from takes.
seq 0 4095 > ids
sed 's/.*/v&,v0/' ids > names.csv
expect 0 ingest names.csv names.mill --header no --undirected --ids strings
awk 'BEGIN { for (i = 0; i < 100000; ++i) print i * 7919 % 4096 }' > starts
sed 's/^/v/' starts > named
for list in 'k.mill starts' 'names.mill named'; do
  for command in 'walks -n 1 -l 2' 'sample --fanout 1'; do
    # shellcheck disable=SC2086
    set -- $list $command
    run "$3" "$1" "${@:4}" --from "$2" --threads 2 --memory 1MiB -o least.txt --force
    [ "$code" = 71 ] || fail "$command $1: exit code $code with 1 MiB"
    least=$(sed -E 's/.*--memory ([0-9.]+ ?[MG]iB).*/\1/; s/ //' err)
    expect 0 "$3" "$1" "${@:4}" --from "$2" --threads 2 --memory "$least" -o least.txt --force
  done
done
finish
