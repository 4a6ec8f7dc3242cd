#!/bin/bash
# networkx_suite_test.sh EDGEMILL LIBRARY: runs those tests of NetworkX that call functions which Edgemill has, with
# Edgemill as the backend. Fails unless Edgemill has answered calls of each function. Skips with exit code 77 where
# NetworkX 3.3, pytest, NumPy or SciPy is missing.
set -euo pipefail
checks=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export EDGEMILL=$1 EDGEMILL_LIBRARY=$2 PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export EDGEMILL_COUNT_CALLS=$work/calls.json
[ -w /dev/shm ] && export TMPDIR=/dev/shm  # converted graphs, of a few edges each
algorithms=networkx.algorithms
# 500 tests of one name, which take five minutes since their weighted cases run on NetworkX.
tests="not test_use_bounds_on_off_consistency"
status=0
# Named by module, so that the list needs no paths of NetworkX.
(cd "$work" && "${EDGEMILL_TEST_PYTHON:-python3}" "$checks/networkx_suite.py" -p no:cacheprovider -q -k "$tests" --pyargs \
  $algorithms.bipartite.tests.test_basic \
  $algorithms.centrality.tests.test_{betweenness,closeness,degree,eigenvector,harmonic,katz}_centrality \
  $algorithms.community.tests.test_{leiden,louvain} \
  $algorithms.components.tests.test_{connected,strongly_connected,weakly_connected} \
  $algorithms.link_analysis.tests.test_{hits,pagerank} \
  $algorithms.shortest_paths.tests.test_{generic,unweighted,weighted} \
  $algorithms.tests.test_{cluster,core,dag,distance_measures,isolate,link_prediction,mis} \
  $algorithms.traversal.tests.test_bfs) || status=$?
[ "$status" != 77 ] || exit 77
[ "$status" = 0 ] || { echo "tests of NetworkX fail with Edgemill as the backend"; exit 1; }
cat "$EDGEMILL_COUNT_CALLS"
! grep ': 0,\?$' "$EDGEMILL_COUNT_CALLS" || { echo "these functions were never answered by Edgemill"; exit 1; }
grep -q '"pagerank": [1-9]' "$EDGEMILL_COUNT_CALLS"
