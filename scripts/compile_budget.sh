#!/bin/bash
# Measures how long the algorithms take to compile: compile_budget.sh [OUT.json]. Each file of engine/algorithms is
# compiled by itself, without a cache, for the host and for one GPU architecture. User seconds are scaled by those of a
# reference source on the same machine, so that figures of different machines compare. The budget is 5 s an
# instantiation, and 30 s an algorithm on average.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-}
cmake --preset alone -DCMAKE_CUDA_ARCHITECTURES=90-real -DEDGEMILL_TESTS=OFF -B build/budget > /dev/null
export CCACHE_DISABLE=1
reference_seconds=18.3  # of ten compilations of common/threads/parallel.cc, on the two cores of the first figures

# user_seconds COMMAND...: prints the user time of COMMAND and its children.
user_seconds() {
  local TIMEFORMAT=%U
  { time "$@" > /dev/null 2>&1 < /dev/null; } 2>&1
}

compile() {  # OBJECT
  rm -f "build/budget/$1"
  ninja -C build/budget "$1"
}

compile_ten_times() {
  for _ in 1 2 3 4 5 6 7 8 9 10; do compile common/CMakeFiles/edgemill_common.dir/threads/parallel.cc.o; done
}

compile common/CMakeFiles/edgemill_common.dir/threads/parallel.cc.o > /dev/null
reference=$(user_seconds compile_ten_times)
scale=$(awk -v a="$reference_seconds" -v b="$reference" 'BEGIN {printf "%.3f", a / b}')
echo "reference: $reference s of user time; figures are times $scale"
total=0
rows=""
for name in $(basename -s .cc engine/algorithms/*.cc); do
  for file in "algorithms/$name.cc" "${name}_for_gpu.cu"; do
    object=engine/CMakeFiles/edgemill_engine.dir/$file.o
    ninja -C build/budget -t query "$object" > /dev/null 2>&1 || continue  # no CUDA toolkit
    seconds=$(awk -v s="$scale" -v t="$(user_seconds compile "$object")" 'BEGIN {printf "%.1f", s * t}')
    total=$(awk -v a="$total" -v b="$seconds" 'BEGIN {printf "%.1f", a + b}')
    printf '%-40s %6s s\n' "$file" "$seconds"
    rows+="${rows:+,}
    {\"source\": \"$file\", \"user_seconds\": $seconds}"
  done
done
printf '%-40s %6s s\n' "all together" "$total"
[ -z "$out" ] || cat > "$out" <<EOF
{
  "command": "scripts/compile_budget.sh",
  "commit": "$(git rev-parse HEAD)",
  "reference_user_seconds": $reference,
  "scale": $scale,
  "all_user_seconds": $total,
  "sources": [$rows
  ]
}
EOF
