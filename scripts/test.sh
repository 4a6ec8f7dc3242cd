#!/bin/bash
# Builds and passes all tests: test.sh [release|address|thread]... (default: all three).
#   release  everything, optimised: unit tests, the program's tests, the rules of style
#   address  unit tests under the address and undefined sanitizers, and short fuzz runs; compiled by clang with
#            its thread safety analysis, whose warnings are errors
#   thread   the unit tests that use threads, under the thread sanitizer
# FUZZ_SECONDS (default 5) is how long each fuzz target runs.
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=$(nproc)
stages=("$@")
[ ${#stages[@]} -gt 0 ] || stages=(address thread release)

configure_and_build() {  # PRESET TARGET...
  local preset=$1
  shift
  echo "== $preset: build"
  cmake --preset "$preset" > /dev/null
  cmake --build "build/$preset" -j "$jobs" --target "$@"
}

run_ctest() {  # PRESET ARGUMENT...
  local preset=$1
  shift
  echo "== $preset: test"
  # Twice as many as there are processors: half of the time tests wait for the disk.
  ctest --test-dir "build/$preset" --output-on-failure --no-tests=error -j "$((2 * jobs))" "$@" < /dev/null
}

run_fuzzer() {  # PROGRAM
  local name corpus seeds log
  name=$(basename "$1")
  corpus=build/address/fuzz/corpus/$name
  mkdir -p "$corpus"
  seeds=test/fuzz/corpus/${name%_fuzz}
  [ -d "$seeds" ] || seeds=$corpus
  log=build/address/fuzz/$name.log
  if ! "$1" -max_total_time="${FUZZ_SECONDS:-5}" -rss_limit_mb=2048 -timeout=30 \
       -artifact_prefix="build/address/fuzz/$name-" "$corpus" "$seeds" > "$log" 2>&1 < /dev/null; then
    echo "== fuzz: $name: $(tail -40 "$log")"
    return 1
  fi
  echo "== fuzz: $name for ${FUZZ_SECONDS:-5} s: $(tail -1 "$log")"
}
export -f run_fuzzer

run_fuzzers() {
  printf '%s\n' build/address/fuzz/*_fuzz | xargs -P "$jobs" -n 1 bash -c 'run_fuzzer "$0"'
}

export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1
# A program that ends waits so long for races of what threads it leaves; tests start many, and it would be a second.
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:atexit_sleep_ms=100

for stage in "${stages[@]}"; do
  case "$stage" in
    address)
      configure_and_build address tests fuzzers
      run_ctest address -L 'unit|fuzz'
      run_fuzzers
      ;;
    thread)
      configure_and_build thread thread_tests
      run_ctest thread -L threads
      ;;
    release)
      configure_and_build release edgemill tests
      run_ctest release
      ;;
    *) echo "usage: scripts/test.sh [release|address|thread]..." >&2; exit 64 ;;
  esac
done
