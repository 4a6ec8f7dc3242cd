# Functions that test.sh and nightly.sh share. They source this file.
jobs=$(nproc)
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1
# atexit_sleep_ms: at its end, a program waits for races in threads that still run, for one second by default. Tests
# start many programs, so this setting shortens the wait.
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:atexit_sleep_ms=100:suppressions=$PWD/test/thread_sanitizer.txt

configure_and_build() {  # PRESET TARGET...
  local preset=$1
  shift
  echo "== $preset: build"
  cmake --preset "$preset" > /dev/null
  cmake --build "build/$preset" -j "$jobs" --target "$@"
}

# Whether a commit of the last week, or one that is still to be made, changes FOLDER... True where git cannot tell.
changed_lately() {
  [ "$(git rev-parse --is-shallow-repository 2> /dev/null)" = false ] || return 0
  ! git diff --quiet HEAD -- "$@" || [ -n "$(git log -1 --since='7 days ago' --format=%h -- "$@")" ]
}

run_ctest() {  # PRESET ARGUMENT...
  local preset=$1
  shift
  echo "== $preset: test"
  # Two tests for each processor, because tests wait for the disk half of their time.
  ctest --test-dir "build/$preset" --output-on-failure --no-tests=error -j "$((2 * jobs))" "$@" < /dev/null
}

# Runs one of four parts of a program's tests. Shows the log of the part if it fails.
run_part() {  # PRESET FILTER PROGRAM PART
  local log
  log=$(realpath "build/$1/test")/$3-$4.log
  if ! (cd "build/$1/test" && GTEST_TOTAL_SHARDS=4 GTEST_SHARD_INDEX=$4 \
          timeout 600 "./$3" --gtest_filter="$2" > "$log" 2>&1 < /dev/null); then
    echo "== $1: $3 failed: $(tail -200 "$log")"
    return 1
  fi
}
export -f run_part

# Runs the tests that FILTER selects. One process runs many, because a sanitizer makes its start slow.
run_filtered() {  # PRESET FILTER PROGRAM...
  local preset=$1 filter=$2 program
  shift 2
  echo "== $preset: test"
  rm -f "build/$preset"/test/*_tests-?.log
  for program in "$@"; do printf '%s\n' "$program "{0..3}; done |
    xargs -P "$((2 * jobs))" -L 1 bash -c 'run_part "$0" "$1" "$2" "$3"' "$preset" "$filter"
  for program in "$@"; do
    awk -v program="$program" '$1 == "[==========]" && / ran\. / { ran += $2 }
      END { print ran + 0 " tests of " program " passed"; exit ran == 0 }' "build/$preset/test/$program"-?.log
  done
}

run_fuzzer() {  # TARGET SECONDS
  local name=$1 seconds=$2 corpus=build/address/fuzz/corpus/$1 seeds=test/fuzz/corpus/$1 log=build/address/fuzz/$1.log
  mkdir -p "$corpus"
  [ -d "$seeds" ] || seeds=$corpus
  if ! build/address/test/fuzz/fuzz "$name" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=30 \
       -artifact_prefix="build/address/fuzz/$name-" "$corpus" "$seeds" > "$log" 2>&1 < /dev/null; then
    echo "== fuzz: $name: $(tail -40 "$log")"
    return 1
  fi
  echo "== fuzz: $name for $seconds s: $(tail -1 "$log")"
}
export -f run_fuzzer

run_fuzzers() {  # SECONDS [TARGET...]
  local seconds=$1
  shift
  if [ $# = 0 ]; then mapfile -t targets < <(build/address/test/fuzz/fuzz); else targets=("$@"); fi
  [ ${#targets[@]} -gt 0 ] || { echo "== fuzz: no targets"; return 1; }
  printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I '{}' bash -c 'run_fuzzer "$0" "$1"' '{}' "$seconds"
}
