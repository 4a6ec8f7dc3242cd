"""What NetworkX's own tests need of the backend."""

import atexit
import json
import os
from typing import Any, Dict, Iterable

_DRAW = "the seed draws another order of nodes, and so another result"
# Tests that ask for more than NetworkX documents, by their module and name.
_DIFFERENT = {
    ("test_mis", "test_random_seed"): _DRAW,
    ("test_louvain", "test_karate_club_partition"): _DRAW,
    ("test_louvain", "test_undirected_selfloops"): _DRAW,
    ("test_louvain", "test_none_weight_param"): _DRAW,
    ("test_strongly_connected", "test_condensation_mapping_and_members"): (
        "components come in the order of their first nodes, and NetworkX has no order of its own"),
    ("test_dag", "test_topological_sort6"): "the graph is changed after it was converted",
}


def mark(tests: Iterable[Any]) -> None:
    """Marks the tests that must fail. One that passes is an error, too."""
    import pytest

    for test in tests:
        name = getattr(test, "originalname", None) or test.name
        reason = _DIFFERENT.get((test.module.__name__.rpartition(".")[2], name))
        if reason is not None:
            test.add_marker(pytest.mark.xfail(reason=reason, strict=True))


def _write(path: str, calls: Dict[str, int], names: Iterable[str]) -> None:
    with open(path, "w", encoding="utf-8") as file:
        json.dump({name: calls.get(name, 0) for name in sorted(names)}, file, indent=2)
        file.write("\n")


def count_calls(calls: Dict[str, int], names: Iterable[str]) -> None:
    """Writes the number of calls by function to the file EDGEMILL_COUNT_CALLS when Python ends."""
    path = os.environ.get("EDGEMILL_COUNT_CALLS")
    if path:
        atexit.register(_write, path, calls, names)
