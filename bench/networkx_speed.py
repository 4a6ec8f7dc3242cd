"""Times functions of NetworkX on Edgemill beside NetworkX itself, on one graph in one run:

    networkx_speed.py EDGEMILL [--scale N] [--trials N] [--functions A,B] [--k N] [--json FILE]

EDGEMILL is the program. It generates a Kronecker graph of 2^N vertices and about 16 edges each. The
Python package, NetworkX 3.3 or later, NumPy and SciPy must be importable. Both give the same
results, which is checked. A trial of Edgemill includes the result's conversion to a dictionary; the
graph is on disk, and opened before. Betweenness is from --k sources. FILE is written anew after each
function. Times on processors say more than those by the clock where other work runs beside.
"""

import argparse
import json
import math
import os
import platform
import statistics
import subprocess
import tempfile
import time
from typing import Iterator

import networkx

import edgemill

FUNCTIONS = {
    "pagerank": {"weight": None, "max_iter": 200},  # and tol, for a change of 1e-6 in all
    "number_connected_components": {},
    "betweenness_centrality": {"k": 100, "seed": 7, "normalized": True},
}


def seconds_of(call, trials: int):
    """The times of a call, those of all its threads on processors, and its last result."""
    times, processor_times = [], []
    for _ in range(trials):
        start, processor_start = time.perf_counter(), time.process_time()
        result = call()
        times.append(time.perf_counter() - start)
        processor_times.append(time.process_time() - processor_start)
    return times, processor_times, result


def difference(given, wanted) -> float:
    """The sum of differences, of dictionaries over all nodes."""
    if not isinstance(wanted, dict):
        return abs(given - wanted)
    assert given.keys() == wanted.keys()
    # With one source, betweenness of the source is NaN.
    return sum(abs(given[node] - value) for node, value in wanted.items()
               if not (math.isnan(value) and math.isnan(given[node])))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("edgemill")
    parser.add_argument("--scale", type=int, default=15)
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--functions", default=",".join(FUNCTIONS))
    parser.add_argument("--k", type=int, default=100)
    parser.add_argument("--memory", help="of Edgemill")
    parser.add_argument("--json")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "kron.mill")
        subprocess.run([options.edgemill, "generate", "kron", path, "--scale", str(options.scale),
                        "--quiet"], check=True)
        for record in compare(path, options):
            text = json.dumps(record, indent=2)
            if options.json:
                with open(options.json, "w", encoding="utf-8") as file:
                    file.write(text + "\n")
    print(text)


def compare(path: str, options: argparse.Namespace) -> Iterator[dict]:
    """The record after each function."""
    opened = time.perf_counter()
    graph = edgemill.open(path, memory=options.memory)
    opened = time.perf_counter() - opened
    loaded = time.perf_counter()
    rival = networkx.Graph()
    rival.add_nodes_from(graph.vertices().tolist())
    for sources, targets in graph.edges(once=True):
        rival.add_edges_from(zip(sources.tolist(), targets.tolist()))
    loaded = time.perf_counter() - loaded
    record = {
        "vertices": len(rival), "edges": rival.number_of_edges(), "cores": os.cpu_count(),
        "machine": platform.processor() or platform.machine(), "python": platform.python_version(),
        "networkx": networkx.__version__, "edgemill": edgemill.__version__,
        "open_seconds": round(opened, 4), "networkx_load_seconds": round(loaded, 2),
        "load_average": os.getloadavg()[0], "functions": {},
    }
    record["command"] = (f"bench/networkx_speed.py EDGEMILL --scale {options.scale} --trials "
                         f"{options.trials} --functions {options.functions} --k {options.k}")
    for name in options.functions.split(","):
        keywords = dict(FUNCTIONS[name])
        if name == "pagerank":
            keywords["tol"] = 1e-6 / len(rival)
        if "k" in keywords:
            keywords["k"] = options.k
        function = getattr(networkx, name)
        ours, our_processor, given = seconds_of(lambda: function(graph, **keywords), options.trials)
        theirs, their_processor, wanted = seconds_of(
            lambda: function(rival, backend="networkx", **keywords),
            1 if name == "betweenness_centrality" else options.trials)
        record["functions"][name] = {
            "keywords": keywords,
            "edgemill_seconds": [round(one, 3) for one in ours],
            "networkx_seconds": [round(one, 3) for one in theirs],
            "ratio": round(statistics.median(theirs) / statistics.median(ours), 1),
            "edgemill_processor_seconds": [round(one, 3) for one in our_processor],
            "networkx_processor_seconds": [round(one, 3) for one in their_processor],
            "processor_ratio": round(
                statistics.median(their_processor) / statistics.median(our_processor), 1),
            "difference": difference(given, wanted),
        }
        del given, wanted  # dictionaries of all nodes
        yield record


if __name__ == "__main__":
    main()
