#!/bin/bash
# The commands of benchmarks: short runs, result files and wrong command lines. They leave nothing behind.
source "$(dirname "$0")/lib.sh"
mkdir one two
quick=(--sizes 64K --depths 4 --duration 0.05 -n 2 --file-size 16M)

# bench io: two directories, each alone and both together.
expect 0 bench io one two "${quick[@]}" --json io.json
for text in 'one: plain O_DIRECT reads' 'all: plain O_DIRECT reads' 'random 64 KiB x 4' 'one device'; do
  says "$text"
done
valid_json io.json
grep -q '"verified": true' io.json || fail "io.json is not verified"
grep -q '"name": "all, write 64 KiB x 4: rate"' io.json || fail "io.json has no rate of writes"
expect 0 bench io one "${quick[@]}" --engine pread --operations random --json -
valid_json out
[ -z "$(find one two -type f)" ] || fail "files were left: $(find one two)"

for suffix in html svg; do
  expect 0 bench io one "${quick[@]}" --plot io.$suffix
  grep -q 'Rate, GB/s: random, one' io.$suffix || fail "io.$suffix shows no rates"
done
grep -q '<p class="lead">The fastest reads, ' io.html || fail "io.html has no first sentence"
for line in 'machine  ' 'disk     one: ' 'commit   '; do says "$line"; done
expect 64 bench io one "${quick[@]}" --plot io.png
says 'bench io: --plot io.png: the suffix names no format: end the name in .html or .svg'
expect 73 bench io one "${quick[@]}" --plot nowhere/io.svg
# A bench io that is stopped in any way leaves no file.
for signal in INT KILL; do
  "$edgemill" bench io one > out 2> err &
  process=$!
  if [ $signal = INT ]; then interrupt "$process" 0.5; else sleep 0.5; kill -s KILL "$process"; fi
  wait "$process"
  code=$?
  [ "$signal" = KILL ] || [ "$code" = 130 ] || fail "Ctrl-C during bench io: exit code $code: $(cat err)"
  [ -z "$(ls -A one)" ] || fail "files were left after $signal: $(ls -A one)"
done

expect 64 bench
says 'edgemill help bench lists'
expect 64 bench oi
says 'did you mean bench io?'
expect 64 bench io
expect 64 bench io one --sizes 5000
expect 64 bench io one --sizes 16M
expect 64 bench io one --depths 0
expect 64 bench io one --depths 1,,2
expect 64 bench io one --operations read
expect 64 bench io one --sizes 4K --duration 0
expect 64 bench io one one "${quick[@]}"
says 'more than once'
touch file
expect 66 bench io nowhere
expect 66 bench io file
expect 71 bench io one --sizes 8M --depths 256 --memory 256MiB
says '2.00 GiB'
expect 74 bench io one --file-size 4096T
says 'needed'
if [ "$(id -u)" != 0 ]; then
  chmod 500 two
  expect 77 bench io two "${quick[@]}"
  chmod 700 two
fi
# bench run: trials in turn, verified.
expect 0 generate kron g.mill --scale 10 --weights random:1:255:1
expect 0 bench run bfs,cc g.mill -n 3 --start both --memory 80MiB --json run.json
valid_json run.json
says 'bfs, cold'
says 'cc, warm'
grep -q '"verified": true' run.json || fail "run.json is not verified"
expect 0 bench run sssp,pagerank g.mill --rules gap -n 2 --json -
valid_json out
grep -q '"rules": "gap"' out || fail "the rules are not in the result"
expect 0 bench run bfs g.mill -r 1 -n 1 --skip-verify --json skipped.json
grep -q '"verified": false' skipped.json || fail "what was not verified says so"
expect 64 bench run bsf g.mill
says 'did you mean bfs?'
expect 64 bench run bfs,bfs g.mill
expect 0 bench run cc,labels,delta,pagerank g.mill -n 1 --in-turn sync,async --json turns.json
for name in 'cc sync' 'labels sync' 'labels async' 'delta sync' 'delta async' 'pagerank sync'; do says "$name, cold"; done
grep -q '"delta sync method": "delta"' turns.json || fail "delta is no method of pagerank"
grep -q '"labels sync method": "labels"' turns.json || fail "labels is no method of cc"
expect 0 bench run cc,bfs g.mill -n 1 --in-turn cpu
says 'bfs cpu, cold'
expect 64 bench run cc g.mill --in-turn cpu --device cpu
says 'leave one of the two out'
expect 64 bench run cc g.mill --in-turn cpu,tpu
says 'there are cpu, gpu, hybrid, sync, async, pull, push, notify-pull, dual, resident, filter'
expect 64 bench run cc g.mill --in-turn cpu,filter
says 'none of the algorithms can run so'
expect 64 bench run sssp g.mill --in-turn push --mode pull
says 'leave one of the two out'
# Iterations side by side: those of each way and algorithm, whose numbers go on.
expect 0 bench run bfs,sssp g.mill -n 2 --device cpu --in-turn push,pull,dual --by-iteration --json iterations.json
for row in '1 +bfs push, cold +push' '1 +bfs pull, cold +pull' '2 +bfs dual, cold +pu' '1 +sssp push, cold +push'; do
  grep -Eq "^$row" out || fail "no row with $row: $(cat out)"
done
valid_json iterations.json
[ "$(grep -c '"last_iterations"' iterations.json)" = 6 ] || fail "not all six ways have iterations"
grep -q '"active_vertices"' iterations.json || fail "iterations.json has no iterations"
expect 0 bench run cc g.mill -n 1 --json without.json
! grep -q last_iterations without.json || fail "iterations that nobody asked for"
expect 64 bench run bfs, g.mill
expect 64 bench run pagerank g.mill -r 1
expect 64 bench run pagerank g.mill -t 0.1 --rules gap
expect 64 bench run bfs g.mill -n 0
expect 66 bench run bfs none.mill
expect 71 bench run bfs g.mill --memory 20MiB

# bench papers: rows and columns of the papers, what is left out and why, and plots.
mkdir plots
expect 0 bench papers g.mill -n 1 --only garaph-t2,garaph-10,subway-t1,subway-7 --plots plots --json papers.json
for row in 'Algo\. +Garaph-C s +Garaph-G s' '(PR|SSSP|NN|HS|CS) +[0-9]' 'Iter +notify-pull ms +pull ms +Garaph-C ms +its mode' \
  '1 +[0-9.]+ +[0-9.]+ +[0-9.]+ +pu' 'Algo\. +V-avg % +V-max % +E-avg % +E-max %' 'SSWP +[0-9.]+ +[0-9.]+'; do
  grep -Eq "^$row" out || fail "no row with $row: $(cat out)"
done
grep -q '^  subway-7 .*unified memory' out || fail "what is left out has no reason: $(cat out)"
grep -q '<svg' plots/g-garaph-10.svg || fail "no plot of garaph-10"
valid_json papers.json
grep -q '"name": "g.mill: bfs, CPU push: time"' papers.json || fail "papers.json has no times to compare"
expect 0 bench compare papers.json papers.json
expect 0 generate uniform bare.mill --scale 8
expect 0 bench papers bare.mill -n 1 --only garaph-t2
says 'is left out: '
expect 0 bench papers --list
says 'hytgraph-6ab'
expect 64 bench papers --only garaph-10
says 'GRAPH is missing'
expect 64 bench papers g.mill --only garaph-12
says 'garaph-t2'
expect 66 bench papers g.mill --plots nowhere
expect 66 bench papers none.mill

# bench run --rules graph500: makes its graph, checks all trees, prints the statistics, and leaves nothing.
mkdir scratch
expect 0 bench run bfs,sssp --rules graph500 --scale 8 --scratch scratch --json graph500.json
for text in 'SCALE: +8$' 'edgefactor: +16$' 'NBFS: +64$' 'construction_time: +0\.' 'bfs stddev_nedge: ' \
  'bfs harmonic_mean_TEPS: ' 'sssp harmonic_stddev_TEPS: ' 'sssp max_validate: '; do
  grep -Eq "^$text" out || fail "no line with $text: $(cat out)"
done
valid_json graph500.json
grep -q '"sssp thirdquartile_TEPS"' graph500.json || fail "graph500.json has no statistics"
grep -q '"name": "bfs: TEPS"' graph500.json || fail "graph500.json has no TEPS"
grep -q '"verified": true' graph500.json || fail "graph500.json is not verified"
expect 0 bench run bfs --rules graph500 --scale 3 --scratch scratch --seed 3 --start cold
says 'vertices have an edge'
for arguments in 'bfs g.mill --scale 8' 'bfs --scale 8 -n 3' 'bfs --scale 8 -r 1' 'bfs --scale 8 --skip-verify' \
  'bfs --scale 8 --in-turn cpu' 'bfs --scale 8 --by-iteration' 'bfs --scale 8 --data one' 'bfs --scale 8 --parents' 'bfs --scale 8 --start both' \
  'bfs,cc --scale 8' 'bfs' 'bfs --scale 0' 'bfs --scale 32' 'bfs --scale 8.5'; do
  # shellcheck disable=SC2086  # words
  expect 64 bench run $arguments --rules graph500 --scratch scratch
  [ "$(wc -l < err)" = 1 ] || fail "$arguments: not one line: $(cat err)"
done
expect 64 bench run bfs g.mill --scale 8
expect 64 bench run bfs g.mill --scratch scratch
expect 64 bench run bfs --seed 3
says 'GRAPH is missing'
expect 74 bench run bfs --rules graph500 --scale 31 --scratch scratch
expect 66 bench run bfs --rules graph500 --scale 8 --scratch nowhere
[ -z "$(ls -A scratch)" ] || fail "files were left: $(ls -A scratch)"
expect 0 generate path scratch/edgemill-graph500-8.mill --scale 4
expect 73 bench run bfs --rules graph500 --scale 8 --scratch scratch
[ -d scratch/edgemill-graph500-8.mill ] || fail "a graph of the user was removed"

# bench record: makes one result file of reports of other commands.
printf '0 1\n1 0\n1 2\n2 1\n' > both.el
for trial in 1 2; do
  expect 0 ingest both.el r.mill --symmetric --replace --json ingest$trial.json
  expect 0 verify r.mill --json verify$trial.json
  expect 0 run cc r.mill -v --json cc$trial.json
done
expect 0 bench record old.json {ingest,verify,cc}{1,2}.json --setting cold=no --name recorded
says 'verified'
valid_json old.json
expect 73 bench record old.json cc1.json
expect 0 bench record old.json {ingest,verify,cc}{1,2}.json --setting cold=no --force
expect 65 bench record new.json both.el
# no_report TEXT WHAT: a file of TEXT is refused with the message WHAT, without words of the JSON library.
no_report() {
  printf '%b' "$1" > odd.json
  expect 65 bench record new.json odd.json
  says "odd.json: $2"
  says 'give files that'
  ! grep -q exception err || fail "the JSON library's own words: $(cat err)"
  absent new.json
}
no_report '' 'line 1, byte 1: is not JSON'
no_report '{"command": "run",\n "seconds" 3}' 'line 2, byte 12: is not JSON'
no_report '[1]' 'is not a JSON object'
no_report '{"command": "ingest"}' 'is not a report (has no "graph")'
no_report '{"command": 1, "graph": "g"}' 'is not a report ("command" is not text)'
no_report '{"command": "ingest", "graph": "g", "seconds": "1"}' 'is not a report ("seconds" is not a number)'
no_report '{"command": "run", "graph": "g", "algorithm": "cc", "verified": 1}' 'is not a report ("verified" is neither true nor false)'
expect 64 bench record new.json cc1.json --setting cold
absent new.json

# bench compare: equal results are no regression, slower ones are. Other files are refused.
expect 0 bench compare io.json io.json --all
says '0 worse and 0 better'
for speed in fast:200 slow:1000; do
  sed -E "s/^( +)\"seconds\": .*/\1\"seconds\": ${speed#*:},/" cc1.json | tee ${speed%:*}1.json > ${speed%:*}2.json
done
# All times are given: those of other metrics say what noise is usual, and a busy machine has much.
for kind in ingest verify; do
  sed -E 's/^( +"seconds": )[0-9.e+-]+/\12/' ${kind}1.json | tee given-${kind}1.json > given-${kind}2.json
done
expect 0 bench record new.json {given-ingest,given-verify,slow}{1,2}.json --setting cold=yes
expect 0 bench record before.json {given-ingest,given-verify,cc}{1,2}.json --setting cold=no
expect 1 bench compare before.json new.json --json compare.json
says 'cc: time'
says 'WORSE'
says 'setting "cold" differs: no before, yes'
valid_json compare.json
[ "$(json_number compare.json worse)" = 1 ] || fail "compare counts $(json_number compare.json worse)"
expect 0 bench record fast.json {given-ingest,given-verify,fast}{1,2}.json
expect 1 bench compare fast.json new.json --least-change 300
expect 0 bench compare fast.json new.json --least-change 500
expect 0 bench compare new.json old.json
says 'better'
expect 65 bench compare old.json io.json
expect 65 bench compare old.json cc1.json
says 'holds no results'
expect 65 bench compare both.el old.json
expect 66 bench compare none.json old.json
expect 64 bench compare old.json

# bench decode: every instruction set gives the same sums.
expect 0 bench decode g.mill -n 2 --lists 100 --memory 80MiB --json decode.json
valid_json decode.json
for text in 'blocks in order' 'with a gather' 'random lists' 'bits an edge packed'; do
  says "$text"
done
grep -q '"verified": true' decode.json || fail "decode.json is not verified"
expect 64 bench decode
expect 64 bench decode g.mill -n 0
expect 66 bench decode nowhere.mill
expect 71 bench decode g.mill --memory 32MiB

# bench memory: every number of threads. If there is too little memory, the error names an amount that works.
expect 0 bench memory --threads 2 -n 2 --copy-bytes 2MiB --gather-bytes 1MiB --memory 64MiB --json memory.json
valid_json memory.json
says 'random gathers'
grep -q '"name": "copy, 1 thread: rate"' memory.json || fail "memory.json has no copy on one thread"
grep -q '"name": "first touch, small pages, 2 threads: rate"' memory.json ||
  fail "memory.json has no first touch on two threads"
expect 71 bench memory --copy-bytes 32MiB --gather-bytes 1MiB --memory 95MiB
says 'give at least --memory 96MiB'
expect 64 bench memory --gather-bytes 4K
expect 64 bench memory -n 0
expect 64 bench memory somewhere

# bench record and bench scaling: figures for each number of threads, beside the rates of memory.
for threads in 1 2; do
  expect 0 bench run bfs,pagerank g.mill -n 2 --start warm --threads $threads --json run$threads.json
done
expect 0 bench record scaling.json memory.json "small@1=run1.json" "small@2=run2.json" "both@2=ingest1.json"
expect 0 bench scaling scaling.json --json rows.json
valid_json rows.json
for text in 'bfs, warm, small, first search' 'bfs, warm, small, next searches' 'ingest, both' 'random gathers' cores; do
  says "$text"
done
expect 0 bench compare scaling.json scaling.json
cp run1.json again.json
expect 0 bench compare run1.json again.json --all --markdown --plot compare.html
grep -qE '^\| metric \| unit \| old \| new \| ratio \| noise \|  \|$' out || fail "no table in Markdown: $(head -3 out)"
grep -qE '^\| bfs, warm: time \| s \| [0-9.]+ \| [0-9.]+ \| [0-9.]+ \| .* \| same \|$' out || fail "no row of bfs: $(head out)"
says 'old commit   '
grep -q 'class="reference"' compare.html || fail "compare.html has no ratio of 1"
grep -q 'bfs, warm: time' compare.html || fail "compare.html has no row of bfs"
expect 0 bench run bfs,pagerank g.mill -n 2 --start warm --plot run.svg
[ "$(grep -c 'class="range' run.svg)" = 4 ] || fail "run.svg has $(grep -c 'class="range' run.svg) ranges"
expect 64 bench run bfs g.mill --plot run.gif
expect 65 bench scaling old.json
says 'has no times by the number of threads'
expect 66 bench scaling none.json
expect 66 bench record none-yet.json "small@1=none.json"

# bench scales: small scales, their plot, and a series that adds scales. Too large a scale is refused at once.
mkdir scales
expect 0 bench scales scales --from 8 --to 10 -n 2 --json scales.json --plot scales.svg
valid_json scales.json
says 'plain CSR'
grep -q '"verified": true' scales.json || fail "scales.json is not verified"
for metric in 'engine, pagerank: time an edge' 'engine, bfs: read an edge' 'plain CSR, sssp: peak memory'; do
  grep -q "\"name\": \"scale 10, $metric\"" scales.json || fail "scales.json has no $metric"
done
[ "$(grep -c '<circle ' scales.svg)" = 60 ] && [ "$(tail -1 scales.svg)" = '</svg>' ] ||
  fail "scales.svg has $(grep -c '<circle ' scales.svg) points"
expect 0 bench scales scales --from 11 --to 11 -n 1 --csr-memory 40MiB --add scales.json --json both.json
says 'plain CSR left out'
valid_json both.json
grep -q '"name": "scale 8, engine, bfs: time"' both.json || fail "both.json has not the earlier scales"
grep -q '"name": "scale 11, engine, bfs: time"' both.json || fail "both.json has not the new scale"
expect 0 bench compare scales.json scales.json
expect 64 bench scales scales --from 10 --to 12 --add scales.json
says 'scale 10 is in'
expect 64 bench scales scales --from 11 --to 11 --bytes-per-vertex 40 --add scales.json
expect 64 bench scales scales --from 11 --to 11 --add io.json
expect 64 bench scales scales --from 9 --to 8
expect 66 bench scales nowhere
expect 71 bench scales scales --from 8 --to 8 --csr-memory 4096T
expect 74 bench scales scales --from 8 --to 31 --bytes-per-vertex 1048576
says 'free'
[ -z "$(ls -A scales)" ] || fail "files were left: $(ls -A scales)"
mkdir scales/edgemill-scale-8.mill
touch scales/edgemill-scale-8.mill/mine
expect 73 bench scales scales --from 8 --to 8

expect 0 help bench
says 'bench io'
finish
