#!/bin/bash
# run --dry-run: what it says, within which memory, and how far it is from the run.
source "$(dirname "$0")/lib.sh"
expect 0 generate kron kron.mill --scale 14 --quiet
expect 0 run closeness kron.mill --dry-run --memory 1GiB
least=$(sed -n 's/^least memory *--memory \([0-9]*\)MiB$/\1/p' out)
says 'memory          1.00 GiB: the run fits'
grep -Eq '^edges +[0-9.]+ KiB, which stay in memory once read$' out || fail "edges: $(cat out)"
grep -Eq '^iterations +about [0-9,]+, as on graphs like kron$' out || fail "iterations: $(cat out)"
grep -Eq '^time +about [0-9.]+ (s|minutes)' out || fail "time: $(cat out)"

# What does not fit is an answer, not an error, if the graph itself can be opened. The least is the same.
expect 0 run closeness kron.mill --dry-run --memory $((least - 1))MiB
says "memory          $((least - 1)).0 MiB: the run does not fit"
says "least memory    --memory ${least}MiB"
grep -q '^time' out && fail "a run that does not fit has a time: $(cat out)"
expect 71 run closeness kron.mill --dry-run --memory 20MiB
grep -q "at least --memory ${least}MiB" err || fail "20 MiB: $(cat err)"
expect 71 run closeness kron.mill --memory $((least - 1))MiB
expect 0 run closeness kron.mill --sample 64 --memory "${least}MiB"

# -i decides, also in JSON; less memory means more bytes; unknown runs are said to be unknown.
json() { sed -n "s/.*\"$1\": \([0-9.]*\).*/\1/p" told.json; }
expect 0 run pagerank kron.mill --dry-run -i 7 --json told.json
[ "$(json iterations)" = 7 ] || fail "-i 7: $(cat told.json)"
bytes=$(json bytes_read)
grep -q '"fits": true' told.json || fail "fits: $(cat told.json)"
expect 0 run pagerank kron.mill --dry-run -i 7 --json told.json --memory "$(json least_memory_bytes)"
[ "$(json bytes_read)" -gt $((3 * bytes)) ] || fail "little memory: $bytes, $(cat told.json)"
expect 0 run katz kron.mill --alpha 0.0001 --dry-run
says 'time            not known: no run of this algorithm on such a graph was measured'
[ "$(ls kron.mill/runs 2> /dev/null)" = "" ] || fail "a dry run leaves $(ls kron.mill/runs)"
finish
