#!/usr/bin/env python3
"""Compares the exact figures of `edgemill stats` with NetworkX on random graphs: check_stats.py EDGEMILL. Prints what
differs; exit code 1 if anything does."""
import json
import os
import random
import subprocess
import sys
import tempfile

import networkx

GRAPHS = 12


def random_graph(seed):
    numbers = random.Random(seed)
    graph = networkx.DiGraph() if seed % 2 else networkx.Graph()
    graph.add_nodes_from(range(numbers.choice([12, 40, 90])))
    for _ in range(numbers.choice([20, 100, 300])):
        edge = numbers.randrange(len(graph)), numbers.randrange(len(graph))
        if edge[0] != edge[1]:
            graph.add_edge(*edge)
    return graph


def measured(edgemill, graph, folder):
    edges, stored = os.path.join(folder, "g.el"), os.path.join(folder, "g.mill")
    with open(edges, "w", encoding="ascii") as file:
        file.writelines(f"{u} {v}\n" for u, v in graph.edges)
    options = ["--vertices", str(len(graph))] + ([] if graph.is_directed() else ["-s"])
    subprocess.run([edgemill, "ingest", edges, stored, *options, "--quiet"], check=True, capture_output=True)
    done = subprocess.run([edgemill, "stats", stored, "--sample", "1000000", "--sources", "1000", "--json", "-", "--quiet"],
                          check=True, capture_output=True)
    return json.loads(done.stdout)


def figures(stats):
    """The figures of edgemill, in the form of `expected`."""
    share = {name: stats[name]["value"] if stats[name] else 0 for name in ("clustering", "transitivity", "reciprocity")}
    share["components"] = [size for size, count in stats["components"]["size_and_components"] for _ in range(count)]
    share["mean"], share["diameter"] = stats["distances"]["mean"], stats["distances"]["diameter_low"]
    share["degrees"] = stats["out_degrees"]["degree_and_vertices"]
    return share


def expected(graph):
    plain = graph.to_undirected()
    lengths = [d for _, row in networkx.all_pairs_shortest_path_length(graph) for d in row.values() if d > 0]
    degrees = [d for _, d in (graph.out_degree if graph.is_directed() else graph.degree)]
    return {"clustering": networkx.average_clustering(plain), "transitivity": networkx.transitivity(plain),
            "reciprocity": networkx.overall_reciprocity(graph) if graph.is_directed() else 0,
            "components": sorted(len(part) for part in networkx.connected_components(plain)),
            "mean": sum(lengths) / len(lengths), "diameter": max(lengths),
            "degrees": [[d, degrees.count(d)] for d in sorted(set(degrees))]}


def main(edgemill):
    failures = 0
    for seed in range(GRAPHS):
        graph = random_graph(seed)
        with tempfile.TemporaryDirectory() as folder:
            given = figures(measured(edgemill, graph, folder))
        for name, right in expected(graph).items():
            same = given[name] == right if isinstance(right, list) else abs(given[name] - right) < 1e-9
            if not same:
                print(f"seed {seed}: {name}: {given[name]}, not {right}")
                failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
