#!/bin/bash
# Runs tests of the GPU under compute-sanitizer: sanitize_gpu.sh GPU_TESTS [TOOL]...
#   GPU_TESTS  the program gpu_tests
#   TOOL       memcheck, racecheck, initcheck or synccheck (default: all four)
# GPU_TEST_FILTER selects tests, in gtest's form (default: each operator by itself, the atomic operations, the decoder,
# small runs of every engine and loop, and of the papers' kernels). Tools make kernels a hundred times slower: all tests
# would take a day. All tools run. Exit code 1 when a tool found something, a test failed, or there was no test to run.
set -euo pipefail
[ $# -gt 0 ] || { sed -n '2,7s/^# //p' "$0" >&2; exit 64; }
program=$1
shift
tools=("$@")
[ ${#tools[@]} -gt 0 ] || tools=(memcheck racecheck initcheck synccheck)
operators='Steps/GpuSteps.*:DeviceAtomics/*:DeviceBits.*:WarpDecode.*'
engines=GpuAlgorithms.AskedEnginesAreTaken:GpuAlgorithms.WeightsOfZero:GpuAlgorithms.JacobiIsTheSameBitForBit
both=Hybrid.ReportsBothProcessors:Asynchronous.FewerBlocksCross
loops=GpuLoops.BlocksThatFitAreBroughtOnce:GpuLoops.SmallStepsAreALoopOnTheGpu
papers=PaperKernels.SegmentsAndShardsOfOneKronecker
filter=${GPU_TEST_FILTER:-$operators:$engines:$both:$loops:$papers}
"$program" --gtest_list_tests --gtest_filter="$filter" | grep -q '^  ' || { echo "no test is called $filter" >&2; exit 1; }
export EDGEMILL_REQUIRE_GPU=1  # a test that is skipped has found nothing
failed=()
for tool in "${tools[@]}"; do
  echo "== $tool"
  compute-sanitizer --tool "$tool" --error-exitcode 1 "$program" --gtest_brief=1 --gtest_filter="$filter" ||
    failed+=("$tool")
done
[ ${#failed[@]} = 0 ] || { echo "found something, or failed: ${failed[*]}" >&2; exit 1; }
