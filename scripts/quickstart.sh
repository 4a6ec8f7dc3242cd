#!/bin/bash
# From a fresh Debian 12 to answers: installs the packages that the program needs, and builds only the program. Ingests
# a real web crawl, and generates a Kronecker graph of 4 million vertices. Runs PageRank, BFS, components and shortest
# paths on both graphs, on the second within less memory than its packed edges take. The graphs stay in $EDGEMILL_DEMO
# (default: build/demo).
set -euo pipefail
cd "$(dirname "$0")/.."
started=$SECONDS
demo=${EDGEMILL_DEMO:-build/demo}
jobs=$(nproc)

step() { printf '\n== %s (%d s since the start)\n' "$1" $((SECONDS - started)); }
edgemill() {
  printf '$ edgemill %s\n' "$*"
  build/program/edgemill "$@"
}

step "packages"
scripts/setup.sh run

step "build"
cmake --preset program > /dev/null
cmake --build build/program --target edgemill -j "$jobs"
mkdir -p "$demo"

step "ingest a web crawl: 325,557 pages, 3,216,152 links, with random weights for the shortest paths"
edgemill ingest test/data/cnr-2000/cnr-2000-2010order.el.zst "$demo/cnr-2000.mill" --replace \
  --weights random:1:255:1

step "generate a Kronecker graph: 2^22 vertices, 16 edges each, stored both ways"
edgemill generate kron "$demo/kron-22.mill" --scale 22 --edge-factor 16 --weights random:1:255:1 \
  --replace --memory 1GiB

for graph in cnr-2000 kron-22; do
  # The sources: a page that reaches the whole crawl, and the Kronecker graph's vertex of highest rank.
  source=20000
  memory=()
  if [ "$graph" = kron-22 ]; then
    source=2740907
    memory=(--memory 192MiB)
  fi
  step "$graph"
  edgemill info "$demo/$graph.mill"
  edgemill run pagerank "$demo/$graph.mill" "${memory[@]}"
  edgemill run bfs "$demo/$graph.mill" -r "$source" "${memory[@]}"
  edgemill run cc "$demo/$graph.mill" "${memory[@]}"
  edgemill run sssp "$demo/$graph.mill" -r "$source" "${memory[@]}"
done

step "done"
echo "the program: build/program/edgemill; the graphs: $demo; what next: edgemill help"
