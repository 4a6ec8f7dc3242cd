#!/bin/bash
# docs/ALGORITHMS.md and the table of algorithms in README.md are what scripts/algorithm_lists.sh makes of the
# declarations. The page has a section for each algorithm, with the required parts.
source "$(dirname "$0")/lib.sh"
root=$(realpath "$checks/../..")
mkdir -p docs
"$root/scripts/algorithm_lists.sh" "$edgemill" "$work" || fail "scripts/algorithm_lists.sh: exit code $?"
for document in docs/ALGORITHMS.md README.md; do
  cmp -s "$document" "$root/$document" ||
    fail "$document is not what the declarations say; scripts/algorithm_lists.sh PROGRAM writes it anew:" \
      "$(diff "$root/$document" "$document" | head -20)"
done

# section NAME: the lines of the section of algorithm NAME.
section() { awk -v title="## $1" '/^## / {inside = $0 == title; next} inside' docs/ALGORITHMS.md; }

names=$(algorithm_names)
[ "$(wc -w <<< "$names")" -ge 8 ] || fail "only these algorithms: $names"
titles=$(sed -n 's/^## //p' docs/ALGORITHMS.md | tr '\n' ' ')
[ "$names " = "$titles" ] || fail "ALGORITHMS.md has sections for $titles, but there are $names"
for name in $names; do
  grep -qF "(docs/ALGORITHMS.md#$name)" README.md || fail "README.md does not name $name"
  section "$name" > section
  for fact in formula direction 'duplicates, loops' weights ends passes result memory paper; do
    grep -qE "^\| $fact \| [^ ].* \|$" section ||
      fail "engine/algorithms/$name.cc: no $fact; AlgorithmFacts in engine/api/algorithm.h lists what to declare"
  done
  # The algorithm's own options, which its help lists before those of all algorithms.
  expect 0 help run "$name"
  sed -n '/^Its options:/,/^Its result:/p' out | grep -oE '^  (-., )?--[a-z-]+' |
    grep -vE -- '--(mode|async|async-passes)$' > own
  while IFS= read -r option; do
    grep -qF -- "| \`${option:2}" section || fail "ALGORITHMS.md, $name: no option ${option:2}"
  done < own
done
finish
