#!/bin/bash
# docs/rivals.svg is the picture that bench/rivals_picture.sh draws from the recorded figures. Other figures change it.
source "$(dirname "$0")/lib.sh"
picture=$checks/../../bench/rivals_picture.sh
results=$checks/../../bench/results

"$picture" > drawn.svg 2> err || fail "bench/rivals_picture.sh: $(cat err)"
cmp -s drawn.svg "$checks/../../docs/rivals.svg" ||
  fail "docs/rivals.svg is not what is recorded: bench/rivals_picture.sh > docs/rivals.svg"
valid_json "$results/rivals.json"

# draws_other FILE SED: the change SED to a file of figures changes the picture.
draws_other() {
  rm -rf figures && mkdir figures
  cp "$results/rivals.json" figures
  sed -i "$2" "figures/$1"
  ! cmp -s "$results/$1" "figures/$1" || fail "$2 changes nothing in $1"
  "$picture" figures > other.svg 2> err || fail "$2: $(cat err)"
  ! cmp -s drawn.svg other.svg || fail "$2 in $1 does not change the picture"
}
draws_other rivals.json '/"Edgemill".*"bfs"/s/"seconds": 0.070/"seconds": 0.071/'
draws_other rivals.json '/"GridGraph".*"cc"/s/"seconds": 25.0/"seconds": 24.0/'
draws_other rivals.json '/"HyTGraph".*"sssp"/s/"seconds": 0.475/"seconds": null/'
draws_other rivals.json '/"bench gpu, kronecker-25", "algorithm": "bfs"/s/0.0382/0.0392/'

# Every bar, a program and its seconds, is a line of rivals.json.
sed -nE 's/.*class="name">([^<]*)<.*/\1/p' "$checks/../../docs/rivals.svg" > programs
sed -nE '/<rect .*class="(own|turn|apart)"/{n;s/.*>([0-9.e+-]*)<.*/\1/p}' "$checks/../../docs/rivals.svg" > seconds
bars=$(wc -l < programs)
[ "$bars" -ge 20 ] && [ "$bars" = "$(wc -l < seconds)" ] || fail "$bars bars, $(wc -l < seconds) figures"
sed -nE 's/.*"program": "([^"]*)".*"seconds": ([0-9.e+-]*),.*/\1 \2/p' "$results/rivals.json" |
  awk '{seconds = $NF; sub(/ [^ ]*$/, ""); printf "%s %.3g\n", $0, seconds}' | sort -u > figures.txt
paste -d ' ' programs seconds | while IFS= read -r bar; do
  grep -qxF -- "$bar" figures.txt || echo "$bar"
done > missing
[ ! -s missing ] || fail "bars that rivals.json does not have: $(cat missing)"
# Edgemill's figures on the GPU are those that its run recorded.
for algorithm in bfs sssp cc delta; do
  recorded=$(grep -A 5 "\"$algorithm, Edgemill auto: time\"" "$results/gpu-kronecker-25-shuffled.json" |
    grep -oE '^ *[0-9.e-]+' | tr -d ' ')
  grep '"run": "bench gpu, kronecker-25"' "$results/rivals.json" | grep -qF -- "\"seconds\": $recorded," ||
    fail "$algorithm on the GPU: rivals.json does not have the recorded $recorded"
done

# A figure of Edgemill's own that is missing is an error, not an empty place.
sed '/"Edgemill".*"sssp"/s/"seconds": [0-9.]*/"seconds": null/' "$results/rivals.json" > figures/rivals.json
! "$picture" figures > out 2> err || fail "a figure that is missing goes unnoticed"
says 'a figure of sssp is missing'
finish
