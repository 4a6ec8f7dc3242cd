#!/bin/bash
# The names in "Two ways through the code" of docs/ARCHITECTURE.md must exist in the code. A line has NAME FOLDER. The
# class or function must be defined in that folder or below.
set -euo pipefail
cd "$(dirname "$0")/../.."
page=${1:-docs/ARCHITECTURE.md}
failures=0 names=0
while read -r name folder _; do
  [[ $folder == */* ]] || continue
  names=$((names + 1))
  class=${name%%::*} function=${name##*::}
  for word in "$class" "$function"; do
    # Looks for a class of this name, or for the name before a parameter list.
    grep -rqE "(class|struct) $word\b|\b$word\(|\b$word<" "$folder" && continue
    echo "$page: $name: $folder has no $word"
    failures=$((failures + 1))
  done
done < <(awk '/^## /{ inside = /Two ways/ } /^```/{ code = !code; next } inside && code' "$page")
[ "$names" -ge 20 ] || { echo "$page: the ways name $names steps only"; failures=$((failures + 1)); }
exit $((failures > 0))
