#!/bin/bash
# docs/ALGORITHMS.md has a section for each algorithm, and none for others. Each says what the declaration says: the
# summary, other names, options, results, bytes a vertex and the reference.
source "$(dirname "$0")/lib.sh"
page=$(realpath "$checks/../../docs/ALGORITHMS.md")

# section NAME: its lines as one, without marks of code.
section() { awk -v title="## $1" '/^## / {inside = $0 == title; next} inside' "$page" | tr -d '`' | tr '\n' ' '; }

# holds NAME TEXT: the section of NAME, in the file section, has TEXT.
holds() { grep -qF -- "$2" section || fail "ALGORITHMS.md, $1: it does not say '$2'"; }

names=$(algorithm_names)
[ "$(wc -w <<< "$names")" -ge 8 ] || fail "only these algorithms: $names"
titles=$(sed -n 's/^## //p' "$page" | tr '\n' ' ')
[ "$names " = "$titles" ] || fail "ALGORITHMS.md has sections for $titles, but there are $names"
for name in $names; do
  section "$name" > section
  expect 0 help run "$name"
  mv out helped
  summary=$(sed -n "1s/^edgemill run $name GRAPH: //p" helped)
  holds "$name" "${summary:1}"
  while IFS= read -r alias; do holds "$name" "$alias"; done < <(sed -n 's/^Also called \(.*\)\.$/\1/p' helped)
  # Of options, the algorithm's own stand before those of all.
  sed -n '/^Its options:/,/ --mode /p' helped | grep -o -- ' --[a-z-]*' | grep -v -- '--mode' | sort -u > options
  while IFS= read -r option; do holds "$name" "${option:1}"; done < options
  for result in $(sed -n 's/^Its result: //p' helped | grep -o '[a-z]* (' | tr -d '('); do holds "$name" "$result, "; done
  while IFS= read -r bytes; do holds "$name" "$bytes"; done < <(
    sed -n '/^Memory, in bytes a vertex/,/^Paper: /p' helped | sed -nE 's/^  (with --[a-z-]*( [a-z]*)?( also)?: )?//p')
  holds "$name" "$(sed -n '/^Paper: /,/^$\|^Also called/p' helped | sed '/^$/d; /^Also called/d; s/^Paper: //' |
    tr '\n' ' ' | sed 's/\. *$//')"
done
finish
