#!/bin/bash
# Builds and runs the tests of every change: test.sh [release|address|thread]... (default: all three, or release alone
# if nothing of the others has changed for a week).
#   release  everything, optimised: unit tests, the program's tests, the rules of style
#   address  tests of code that reads bytes from outside (storage, kernels, loaders) under the address and undefined
#            sanitizers, and short fuzz runs; compiled by clang with thread safety analysis, whose warnings are errors
#   thread   tests of code on several threads below the engine (common, storage, loaders) under the thread sanitizer
# scripts/nightly.sh runs what the sanitizer stages leave out: tests that take long, and tests of the engine, which
# compile longest. The stage `thread` also leaves out tests with one thread. FUZZ_SECONDS (default 1) is how long each
# fuzz target runs.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/lib.sh
. scripts/lib.sh
stages=("$@")
if [ ${#stages[@]} = 0 ]; then
  # What sanitizers have passed for a week they pass again at night.
  sanitized=(common storage kernels loaders test/{common,storage,kernels,loaders,graphs,fuzz,*.h} CMakeLists.txt
             CMakePresets.json scripts)
  if changed_lately "${sanitized[@]}"; then stages=(address thread release); else stages=(release); fi
fi

# Filters in GoogleTest's form.
long_tests='EdgeColumns*.*:Crash.*:DamagedCatalogTest.*:Faults.*:GeneratorTest.*:Ingest?*Test.*:BlockReaderTest.E*'
long_tests+=':GraphLockTest.*:GraphWriter.WhatA*:IngestTest.Ma*:IngestTest.NamesGive*:IngestTest.Renumbers*'
long_tests+=':IngestTest.Treats*:RangeArena.*'
long_tests+=':RecordHashTest.*:Seeds/IngestRandomTest.*:SegmentWriterTest.Many*:SegmentWriterTest.What*'
long_tests+=':SpillSpaceTest.PageTables*'
thread_tests='BlockReaderTest.*:EdgeReader.FirstBad*:EdgeReader.Parallel*:Engines/IoEngineTest.*:ForEachChunk.*'
thread_tests+=':IngestTest.Names*:NamesIngest.*:ParallelFor.*:PhaseTimer.*:RunThreads.*:SharedSeconds.*:SpillSpaceTest.*'
thread_tests+=':Stored/BlockCacheTest.*'

for stage in "${stages[@]}"; do
  case "$stage" in
    address)
      configure_and_build address storage_tests kernels_tests loaders_tests fuzz fuzz_replay
      run_filtered address "-$long_tests" storage_tests kernels_tests loaders_tests
      run_ctest address -L fuzz
      run_fuzzers "${FUZZ_SECONDS:-1}"
      ;;
    thread)
      configure_and_build thread common_tests storage_tests loaders_tests
      run_filtered thread "$thread_tests-$long_tests" common_tests storage_tests loaders_tests
      ;;
    release)
      configure_and_build release edgemill tests
      run_ctest release
      ;;
    *) echo "usage: scripts/test.sh [release|address|thread]..." >&2; exit 64 ;;
  esac
done
