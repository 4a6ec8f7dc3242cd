#!/bin/bash
# Runs scripts/compare_tests on lists of tests.
set -euo pipefail
compare=$(dirname "${BASH_SOURCE[0]}")/../../scripts/compare_tests
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# expect CODE TEXT ARGUMENT...: the script must exit with CODE and print TEXT.
expect() {
  local expected=$1 text=$2 code=0 said
  shift 2
  said=$("$compare" "$@" 2>&1) || code=$?
  [ "$code" = "$expected" ] && [ "$said" = "$text" ] && return
  printf 'compare_tests %s: exit code %s, not %s; it said:\n%s\n' "$*" "$code" "$expected" "$said"
  exit 1
}

printf 'Test project /b\n  Test  #1: A.B\n  Test #10: Seeds/C.D/0\n  Test #11: cli_x\n\nTotal Tests: 3\n' > "$work/ctest"
printf 'Running main() from gtest_main.cc\nA.\n  B\nSeeds/C.\n  D/0  # GetParam() = 7\n  D/1  # GetParam() = 8\n' > "$work/gtest"
printf 'cli_x\nSeeds/C.D/0\nA.B\n' > "$work/names"
printf 'Test project /b\n\nTotal Tests: 0\n' > "$work/none"
printf '  Test #1: A.B\n  Test #2: gpu_tests_NOT_BUILT\n' > "$work/part"
expect 0 '3 tests before, 3 after, 0 lost, 0 new' "$work/ctest" "$work/names"
expect 1 $'lost: cli_x\nnew: Seeds/C.D/1\n3 tests before, 3 after, 1 lost, 1 new' "$work/ctest" "$work/gtest"
head -2 "$work/names" > "$work/fewer"
expect 1 $'lost: A.B\n3 tests before, 2 after, 1 lost, 0 new' "$work/names" "$work/fewer"
expect 0 $'new: A.B\n2 tests before, 3 after, 0 lost, 1 new' "$work/fewer" "$work/names"
expect 66 "compare_tests: $work/none: no tests: build them first" "$work/names" "$work/none"
expect 66 "compare_tests: $work/part: build gpu_tests first" "$work/part" "$work/names"
expect 64 'usage: scripts/compare_tests OLD NEW (build folders, or files with lists of tests)' "$work/names"
