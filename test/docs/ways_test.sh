#!/bin/bash
# The names in "Two ways through the code" of docs/ARCHITECTURE.md are those of the code: NAME FOLDER, a line each.
# Classes and functions must be defined in that folder or below.
set -euo pipefail
cd "$(dirname "$0")/../.."
page=${1:-docs/ARCHITECTURE.md}
failures=0 names=0
while read -r name folder _; do
  [[ $folder == */* ]] || continue
  names=$((names + 1))
  class=${name%%::*} function=${name##*::}
  for word in "$class" "$function"; do
    # A definition or a declaration: a class of the name, or the name before a parameter list.
    grep -rqE "(class|struct) $word\b|\b$word\(|\b$word<" "$folder" && continue
    echo "$page: $name: $folder has no $word"
    failures=$((failures + 1))
  done
done < <(awk '/^## /{ inside = /Two ways/ } /^```/{ code = !code; next } inside && code' "$page")
[ "$names" -ge 20 ] || { echo "$page: the ways name $names steps only"; failures=$((failures + 1)); }
exit $((failures > 0))
