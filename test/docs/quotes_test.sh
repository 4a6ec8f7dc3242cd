#!/bin/bash
# The code in docs/WRITING_ALGORITHMS.md is compiled code, and so is that in docs/LIBRARY.md. The lines of each block
# fenced by ```cpp or ```c are consecutive in one file of test/docs, engine/algorithms, examples/library or examples/c.
# Indents do not count. Messages of the compiler, in blocks fenced by ```text, are those that test/compile_failures
# expects.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
page=${1:-$root/docs/WRITING_ALGORITHMS.md}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# flat FILE: prints the file as one line. Lines have no indents, and a mark at both ends.
flat() { sed -E 's/^ +//; s/.*/<&>/' "$1" | tr -d '\n'; }

for source in "$root"/test/docs/*.{h,cc} "$root"/engine/algorithms/*.cc "$root"/examples/library/*.cc \
              "$root"/examples/c/*.c; do
  flat "$source"
  echo
done > "$work/sources"
awk -v work="$work" '/^```/ {inside = $0 == "```cpp" || $0 == "```c"; if (inside) ++count; next}
                     inside {print > (work "/block." count)}' "$page" "$root/docs/LIBRARY.md"
blocks=0
for block in "$work"/block.*; do
  blocks=$((blocks + 1))
  flat "$block" > "$work/quoted"
  grep -qF -f "$work/quoted" "$work/sources" || fail "no source holds: $(cat "$block")"
done
[ "$blocks" -ge 10 ] || fail "only $blocks blocks of code were found"

sed -nE 's/.*error: static assertion failed: //p' "$page" > "$work/messages"
[ -s "$work/messages" ] || fail "no compile error is quoted"
while IFS= read -r message; do
  grep -qF -- ": $message" "$root"/test/compile_failures/*.cc || fail "no case of compile_failures expects: $message"
done < "$work/messages"
[ "$failures" = 0 ] || exit 1
echo "$blocks blocks of code are quoted as they are"
