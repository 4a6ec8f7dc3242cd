#!/bin/bash
# Passes tests of the GPU under compute-sanitizer: sanitize_gpu.sh GPU_TESTS [TOOL]...
#   GPU_TESTS  the program gpu_tests
#   TOOL       memcheck, racecheck, initcheck or synccheck (default: all four)
# GPU_TEST_FILTER says which tests (gtest's form; default: small runs of every engine, kernel and loop). A tool
# slows kernels down a hundredfold: all tests would take a day.
set -euo pipefail
[ $# -gt 0 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 64; }
program=$1
shift
tools=("$@")
[ ${#tools[@]} -gt 0 ] || tools=(memcheck racecheck initcheck synccheck)
engines=GpuAlgorithms.AskedEnginesAreTaken:GpuAlgorithms.WeightsOfZero:GpuAlgorithms.JacobiIsTheSameBitForBit
both=Hybrid.ReportsBothProcessors:Asynchronous.FewerBlocksCross
loops=GpuLoops.WhatFitsStays:GpuLoops.SmallStepsAreALoopOnTheCard
filter=${GPU_TEST_FILTER:-$engines:$both:$loops:WarpDecode.*}
for tool in "${tools[@]}"; do
  echo "== $tool"
  compute-sanitizer --tool "$tool" --error-exitcode 1 "$program" --gtest_filter="$filter"
done
