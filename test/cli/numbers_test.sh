#!/bin/bash
# Numbers that are true: sums and products of any size.
source "$(dirname "$0")/lib.sh"
# What passes all floating-point numbers is an error, never a value that means something else.
printf '0 1 1.7e308\n0 1 1.7e308\n' > twice.wel
expect 65 ingest twice.wel twice.mill --merge sum
says 'twice.wel:1:1: the weights of edge 0 -> 1 add up to inf, more than floating-point numbers hold: scale the weights'
printf '0 1 3e38\n0 1 3e38\n' > twice.wel
expect 65 ingest twice.wel twice.mill --merge sum --weights float32
says 'more than 32-bit floating-point numbers hold: use --weights float64'
expect 0 ingest twice.wel twice.mill --merge sum --weights float64

# Numbers of paths beyond doubles: the shares of paths are right.
expect 0 generate grid grid.mill --scale 20
expect 0 run betweenness grid.mill -r 0 --threads 1 --output grid.txt
[ "$(grep -c nan grid.txt)" = 0 ] || fail "betweenness of a grid is nan"
grep -qx '1 524286.[45][0-9]*' grid.txt || fail "betweenness of a grid: $(sed -n 2p grid.txt)"
finish
