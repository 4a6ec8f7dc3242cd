#!/bin/bash
# True numbers: tolerances that are not reached, weights that are ignored, sums and products of any size.
source "$(dirname "$0")/lib.sh"
# A run that stops before its tolerance says so, and is not verified. -i without -t asks for that many iterations.
printf '0 1\n1 0\n2 0\n' > swing.el
expect 0 ingest swing.el swing.mill
unsettled='have not settled: the last change is '
for options in '--damping .99' '--damping .999 --method delta' '-i 3 -t 1e-6' '-i 3 -t 1e-6 --method delta'; do
  # shellcheck disable=SC2086
  expect 0 run pagerank swing.mill $options -v --json swing.json
  says "warning         ranks $unsettled"
  says 'verified        no: right for its iterations, but not to the tolerance, in '
  grep -q '"verified": false' swing.json || fail "pagerank $options is verified: $(cat swing.json)"
  grep -q "ranks $unsettled" swing.json || fail "pagerank $options has no warning in JSON: $(cat swing.json)"
done
for options in '' '-i 3' '-i 3 --damping .99' '-i 3 --method delta' '-i 9999 --damping .99 -t 1e-4'; do
  # shellcheck disable=SC2086
  expect 0 run pagerank swing.mill $options -v --json swing.json
  says 'verified        yes, in '
  ! grep -q 'settled' out swing.json || fail "pagerank $options warns: $(cat out)"
done
for algorithm in hs cs; do
  expect 0 run "$algorithm" swing.mill -i 1 -t 1e-6 -v
  says "warning         values $unsettled"
  says 'verified        no: '
done

# A message says that weights are ignored if users may expect that they count.
printf '0 1 5\n1 2 5\n' > weights.wel
expect 0 ingest weights.wel weights.mill
for algorithm in pagerank 'betweenness -r 0' 'ssnsp -r 0'; do
  # shellcheck disable=SC2086
  expect 0 run $algorithm weights.mill -n 2
  [ "$(grep -c 'weights are ignored: ' err)" = 1 ] || fail "$algorithm does not say once that it ignores weights: $(cat err)"
  # shellcheck disable=SC2086
  expect 0 run $algorithm swing.mill
  ! grep -q weights err || fail "$algorithm speaks of weights where there are none: $(cat err)"
done
for algorithm in 'bfs -r 0' cc hs; do
  # shellcheck disable=SC2086
  expect 0 run $algorithm weights.mill
  ! grep -q weights err || fail "$algorithm speaks of weights: $(cat err)"
done

# A result above all floating-point numbers is an error, never a value with another meaning.
printf '0 1 1.7e308\n1 2 1.7e308\n' > large.wel
expect 0 ingest large.wel large.mill
for options in '' '--async' '-i 5' '--mode push'; do
  # shellcheck disable=SC2086
  expect 65 run sssp large.mill -r 0 $options
  says 'the distance of vertex 2 is above 1.7976931348623157e+308'
done
printf '0 1 1.7e308\n0 1 1.7e308\n' > twice.wel
expect 65 ingest twice.wel twice.mill --merge sum
says 'twice.wel:1:1: the weights of edge 0 -> 1 add up to inf, more than floating-point numbers hold: scale the weights'
printf '0 1 3e38\n0 1 3e38\n' > twice.wel
expect 65 ingest twice.wel twice.mill --merge sum --weights float32
says 'more than 32-bit floating-point numbers hold: use --weights float64'
expect 0 ingest twice.wel twice.mill --merge sum --weights float64

# Weights of any size: by the formula vertex 1 has the value 2, and vertex 2 has 5.
printf '0 2\n1 5\n2 7\n' > values.txt
for weights in '1e-300 3e-300' '1 3' '1e300 1.7e308'; do
  read -r first second <<< "$weights"
  printf '0 1 %s\n1 2 %s\n' "$first" "$second" > sizes.wel
  expect 0 ingest sizes.wel sizes.mill --replace
  expect 0 run cs sizes.mill -i 1 --values values.txt -v --output sizes.txt --force
  printf '0 2\n1 2\n2 5\n' > want
  same want sizes.txt
done
expect 0 generate grid grid.mill --scale 20
expect 0 run betweenness grid.mill -r 0 --threads 1 --output grid.txt
[ "$(grep -c nan grid.txt)" = 0 ] || fail "betweenness of a grid is nan"
grep -qx '1 524286.[45][0-9]*' grid.txt || fail "betweenness of a grid: $(sed -n 2p grid.txt)"
finish
