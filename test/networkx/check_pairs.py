#!/usr/bin/env python3
"""Compares edgemill pairs with NetworkX: check_pairs.py EDGEMILL [COUNT].

Each graph runs with each measure, with ample memory and little, with one to three threads; all runs must give the same
bytes. Prints what differs; exit code 1 if anything does.
"""
import math
import os
import random
import subprocess
import sys
import tempfile

import networkx as nx

MEASURES = ("jaccard", "sorensen", "overlap", "cosine", "common", "adamic-adar", "allocation")
TOLERANCE = 1e-12


def graph_of(random_, seed):
    """Edges, some of them duplicates or loops: random ones, a star, or hubs whose lists are long."""
    n = random_.randrange(2, 300)
    edges = [(random_.randrange(n), random_.randrange(n)) for _ in range(random_.randrange(1, 6 * n))]
    if seed % 3 == 1:
        edges = [(0, v) for v in range(1, n)]
    if seed % 3 == 2:
        n = 3000
        edges = [(u, random_.randrange(n)) for u in range(4) for _ in range(2 * n)] + edges
    edges += random_.choices(edges, k=len(edges) // 4) + [(v, v) for v in random_.sample(range(n), n // 5)]
    ids = random_.sample(range(10 * n), n)
    return [(ids[u], ids[v]) for u, v in edges]


def by_definition(graph, pairs, measure, near, holders):
    for u, v in pairs:
        a, b = near[u].keys(), near[v].keys()
        both = a & b
        if not both:
            yield 0
        elif measure == "jaccard":
            yield len(both) / len(a | b)
        elif measure == "sorensen":
            yield 2 * len(both) / (len(a) + len(b))
        elif measure == "overlap":
            yield len(both) / min(len(a), len(b))
        elif measure == "cosine":
            yield len(both) / math.sqrt(len(a) * len(b))
        elif measure == "common":
            yield len(both)
        else:
            numbers = [len(holders[w]) for w in both]
            yield sum((1 / math.log(h) if measure == "adamic-adar" else 1 / h) for h in numbers if h > 1)


def expected(graph, pairs, measure, neighbors):
    """NetworkX's own values where it has them: of undirected graphs, and of two different vertices."""
    own = {"jaccard": nx.jaccard_coefficient, "adamic-adar": nx.adamic_adar_index,
           "allocation": nx.resource_allocation_index}
    if graph.is_directed():
        ways = (graph.adj, graph.pred) if neighbors == "out" else (graph.pred, graph.adj)
        return list(by_definition(graph, pairs, measure, *ways))
    values = list(by_definition(graph, pairs, measure, graph.adj, graph.adj))
    if measure in own:
        of_two = [i for i, (u, v) in enumerate(pairs) if u != v]
        for i, (_, _, value) in zip(of_two, own[measure](graph, [pairs[i] for i in of_two])):
            values[i] = value
    return values


def check(edgemill, seed, folder):
    random_ = random.Random(seed)
    edges = graph_of(random_, seed)
    directed = seed % 2 == 1
    paths = {name: os.path.join(folder, name) for name in ("g.el", "g.mill", "pairs.txt", "out.tsv")}
    with open(paths["g.el"], "w", encoding="ascii") as file:
        file.writelines(f"{u} {v}\n" for u, v in edges)
    subprocess.run([edgemill, "ingest", paths["g.el"], paths["g.mill"], "--quiet", "--replace", "--block-edges",
                    random_.choice(["128", "1024"]), *([] if directed else ["-s"])], check=True,
                   stdout=subprocess.DEVNULL)
    graph = nx.DiGraph(edges) if directed else nx.Graph(edges)
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    vertices = sorted(graph)
    hubs = sorted(vertices, key=graph.degree)[-4:]
    pairs = [(random_.choice(vertices), random_.choice(vertices)) for _ in range(400)]
    pairs += [(random_.choice(hubs), random_.choice(hubs + vertices)) for _ in range(100)]
    with open(paths["pairs.txt"], "w", encoding="ascii") as file:
        file.writelines(f"{u}{random_.choice(' ,')}{v}\n" for u, v in pairs)
    wrong = []
    for measure in MEASURES:
        neighbors = random_.choice(["out", "in"])
        outputs = set()
        for memory, threads in (("1GiB", 1), ("36MiB", 2), ("35MiB", 3)):
            words = [edgemill, "pairs", paths["g.mill"], paths["pairs.txt"], "--measure", measure, "--neighbors",
                     neighbors, "--memory", memory, "--threads", str(threads), "--output", paths["out.tsv"], "--force",
                     "--quiet", "--verify"]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                wrong.append(f"seed {seed}: {' '.join(words[1:])}: {done.stderr.strip()}")
                continue
            with open(paths["out.tsv"], encoding="ascii") as file:
                outputs.add(file.read())
        if len(outputs) != 1:
            wrong.append(f"seed {seed}, {measure}: {len(outputs)} different outputs")
            continue
        lines = [line.split("\t") for line in outputs.pop().splitlines()]
        if [(int(u), int(v)) for u, v, _ in lines] != pairs:
            wrong.append(f"seed {seed}, {measure}: other pairs")
        for (u, v, value), right in zip(lines, expected(graph, pairs, measure, neighbors)):
            if not abs(float(value) - right) <= TOLERANCE * max(1, right):
                wrong.append(f"seed {seed}, {measure}, {neighbors}: {u} {v}: {value}, not {right}")
    return wrong


def main():
    edgemill, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 12
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(count):
            wrong += check(edgemill, seed, folder)
    for line in wrong[:20]:
        print(line)
    print(f"pairs of {count} graphs: {len(wrong)} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
