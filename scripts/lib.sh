# What test.sh and nightly.sh share; sourced.
jobs=$(nproc)
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1
export UBSAN_OPTIONS=print_stacktrace=1
# A program that ends waits so long for races of what threads it leaves; tests start many, and it would be a second.
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1:atexit_sleep_ms=100

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
  printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I '{}' bash -c 'run_fuzzer "$0" "$1"' '{}' "$seconds"
}
