#!/bin/bash
# Each wrong program gets one compile error, which says what is wrong: fails_once.sh COMPILER FLAG...
#
# The sources beside this script hold cases: `//! NAME: TEXT`. Each is compiled with NAME defined. The compiler must
# print one error, with TEXT in it or around it; where TEXT is `compiles`, it must print nothing.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
compile=("$@" -std=c++20 -I "$here/../..")

# All cases include this header, so it is compiled once for all of them.
printf '#include "engine/api/engine.h"\n#include "engine/compile/for_cpu.h"\n' > "$work/surface.h"
"${compile[@]}" -x c++-header "$work/surface.h" -o "$work/surface.h.gch" || exit 1

# check SOURCE NAME TEXT: prints what is wrong with the case, or nothing.
check() {
  local said=$work/$2.said
  if "${compile[@]}" -fsyntax-only -include "$work/surface.h" -D "$2" "$1" > "$said" 2>&1; then
    [ "$3" = compiles ] || echo "FAILED: $2 compiles"
  elif [ "$3" = compiles ]; then
    echo "FAILED: $2 does not compile: $(cat "$said")"
  elif [ "$(grep -cE '(^|[: ])error:' "$said")" != 1 ]; then
    echo "FAILED: $2: more than one error: $(grep -E '(^|[: ])error:' "$said")"
  elif ! grep -qF -- "$3" "$said"; then
    echo "FAILED: $2: it does not say '$3' but: $(cat "$said")"
  fi
}

cases=0
for source in "$here"/*.cc; do
  while IFS= read -r line; do
    line=${line#'//! '}
    check "$source" "${line%%: *}" "${line#*: }" > "$work/${line%%: *}.result" &
    cases=$((cases + 1))
    [ $((cases % $(nproc))) != 0 ] || wait
  done < <(grep '^//! ' "$source")
done
wait
cat "$work"/*.result > "$work/failed"
cat "$work/failed"
[ "$cases" -ge 40 ] || { echo "only $cases cases were found"; exit 1; }
[ ! -s "$work/failed" ] || exit 1
echo "$cases cases behave as told"
