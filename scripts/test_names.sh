#!/bin/bash
# The names of all unit tests that are built in a build folder: test_names.sh BUILD. With two folders, those that only
# one has ("<" the first, ">" the second), and exit code 1 when there are any: test_names.sh OLD NEW.
set -euo pipefail
[ $# = 1 ] || [ $# = 2 ] || { echo "usage: scripts/test_names.sh BUILD [NEW_BUILD]" >&2; exit 64; }

names() {  # BUILD
  local program
  for program in "$1"/test/*_test "$1"/test/*_tests; do
    [ ! -x "$program" ] || "$program" --gtest_list_tests | awk '/^[^ ]/ {suite = $1} /^  / {print suite $1}'
  done | sort
}

if [ $# = 1 ]; then names "$1"; else diff <(names "$1") <(names "$2"); fi
