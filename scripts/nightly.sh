#!/bin/bash
# Runs the checks that take too long for every change: nightly.sh [PART...] (default: all, one after the other). Each
# part takes under an hour on two cores and can be run by itself.
#   alone      each source compiled by itself, for all GPU architectures; then all tests
#   cases      all cases of the tests of which every change runs only a sample (EDGEMILL_TEST_ALL), random
#              sequences of operators on the model and the engine (EDGEMILL_TRIALS), graphs for NetworkX, messy texts
#              for Python's csv module, and a Debian package
#   address    the whole suite under the address and undefined sanitizers
#   thread     the whole suite under the thread sanitizer
#   fuzz-1, fuzz-2  each fuzz target for FUZZ_SECONDS (default 360): the first half of the targets, and the second
#   budget     measures how long the algorithms take to compile
#   bare       the README's two commands on a bare Debian, in a chroot that debootstrap makes (as root)
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh
parts=("$@")
[ ${#parts[@]} -gt 0 ] || parts=(alone cases address thread fuzz-1 fuzz-2 budget bare)

fuzz_half() {  # FIRST STEP
  configure_and_build address fuzz
  local targets
  mapfile -t targets < <(build/address/test/fuzz/fuzz | awk -v first="$1" 'NR % 2 == first')
  run_fuzzers "${FUZZ_SECONDS:-360}" "${targets[@]}"
}

# Runs each test in a process of its own, several at a time: tests share no state, and take long.
all_cases() {
  local build=build/release/test program
  for program in end_to_end_tests:PromiseTest loaders_tests:IngestCrashTest.*Damaged loaders_tests:IngestRandomTest \
                 storage_tests:Faults.TheNthFile engine_tests:Verifiers; do
    "$build/${program%:*}" --gtest_list_tests --gtest_filter="*${program#*:}*" |
      awk -v program="$build/${program%:*}" '/^[^ ]/ { suite = $1 } /^  / { print program, suite $1 }'
    # shellcheck disable=SC2016
  done | EDGEMILL_TEST_ALL=1 xargs -P "$jobs" -L 1 bash -c '"$0" --gtest_brief=1 --gtest_filter="$1" < /dev/null'
}

bare() {
  local root
  root=$(mktemp -d)
  trap 'umount "$root/proc" || true; umount -R "$root/dev" || true; rm -rf --one-file-system "$root"' RETURN
  debootstrap --variant=minbase --include=ca-certificates,git bookworm "$root" ${MIRROR:+"$MIRROR"} > /dev/null
  mount -t proc proc "$root/proc"
  mount --rbind --make-rslave /dev "$root/dev"
  cp /etc/resolv.conf "$root/etc/"
  [ ! -d /etc/apt/apt.conf.d ] || cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
  git clone -q . "$root/edgemill"
  chroot "$root" bash -c 'cd /edgemill && scripts/setup.sh test && scripts/test.sh && scripts/quickstart.sh' < /dev/null
}

for part in "${parts[@]}"; do
  started=$SECONDS
  case "$part" in
    alone)
      configure_and_build alone all tests
      run_ctest alone
      ;;
    cases)
      configure_and_build release edgemill end_to_end_tests engine_tests loaders_tests storage_tests model_tests hybrid_tests
      all_cases
      EDGEMILL_TEST_FILES=5000 test/messes/messes_test.sh build/release/edgemill
      EDGEMILL_TEST_GRAPHS=2000 test/networkx/networkx_test.sh build/release/edgemill
      test/package/debian_test.sh build/release
      EDGEMILL_TRIALS=100000 build/release/test/model_tests --gtest_filter='Engine*Test.RandomSequences'
      EDGEMILL_TRIALS=20000 build/release/test/hybrid_tests --gtest_filter='Hybrid*Test.RandomSequences'
      ;;
    address)
      configure_and_build address tests
      run_ctest address -LE '^(cli|tidy)$'
      ;;
    thread)
      configure_and_build thread tests
      run_ctest thread -LE '^(cli|tidy|fuzz)$'
      ;;
    fuzz-1) fuzz_half 1 ;;
    fuzz-2) fuzz_half 0 ;;
    budget) scripts/compile_budget.sh ;;
    bare) bare ;;
    *) echo "usage: scripts/nightly.sh [alone|cases|address|thread|fuzz-1|fuzz-2|budget|bare]..." >&2; exit 64 ;;
  esac
  echo "== nightly: $part passed in $((SECONDS - started)) s"
done
