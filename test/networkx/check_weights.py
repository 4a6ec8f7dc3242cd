#!/usr/bin/env python3
"""Compares betweenness by weights with NetworkX: check_weights.py EDGEMILL.

Graphs are seeded: few and many kinds of weights, whole and real, with parallel edges, loops and several components.
ingest keeps the lightest of parallel edges, which is the one that NetworkX takes. Each graph runs in a mode of its own,
with all sources and with some, and the verifier checks each answer. Prints what differs; exit code 1 if anything does.
"""
import os
import random
import subprocess
import sys
import tempfile

import networkx as nx

TOLERANCE = 1e-9
GRAPHS = 24


def shape(chance, number):
    """Pairs of vertices. Each vertex has an edge."""
    size = chance.choice([6, 25, 60])
    kind = ("random", "dense", "grid", "star", "layers", "parts")[number % 6]
    if kind == "grid":
        side = round(size ** 0.5)
        return kind, [(v, v + step) for v in range(side * side) for step in (1, side)
                      if v + step < side * side and (step > 1 or v % side < side - 1)]
    if kind == "star":
        return kind, [(0, v) for v in range(1, size)] + [(v, chance.randrange(1, size)) for v in range(1, size)]
    if kind == "layers":  # many paths of one length
        return kind, [(v, w) for v in range(size) for w in range(v // 4 * 4 + 4, v // 4 * 4 + 8) if w < size]
    if kind == "parts":
        half = size // 2
        return kind, [(part * half + chance.randrange(half), part * half + chance.randrange(half))
                      for part in (0, 1) for _ in range(2 * half)]
    edges = chance.choice([1, 2]) * size if kind == "random" else 8 * size
    return kind, [(chance.randrange(size), chance.randrange(size)) for _ in range(edges)]


def says(edgemill, *words):
    done = subprocess.run([edgemill, *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"exit code {done.returncode} of {' '.join(words)}: {done.stderr}")
    return done.stdout


def differences(edgemill, number, folder):
    chance = random.Random(number)
    directed = number // 6 % 2 == 0
    kind, pairs = shape(chance, number)
    pairs += chance.choices(pairs, k=len(pairs) // 4)
    pairs += [(v, v) for v, _ in pairs[:3]]
    values = chance.choice([[5], [1, 2], range(1, 8), range(1, 10**6), [0.25, 0.5, 1.75], [0.1, 0.2, 0.3, 1e-3]])
    edges = [(u, v, chance.choice(values)) for u, v in pairs]
    text, stored, answer = (os.path.join(folder, name) for name in ("g.wel", "g.mill", "answer.tsv"))
    with open(text, "w", encoding="ascii") as file:
        file.writelines(f"{u} {v} {w}\n" for u, v, w in edges)
    says(edgemill, "ingest", text, stored, "--quiet", "--replace", "--block-edges", "128", "--merge", "min",
         "--weights", "float64" if isinstance(values[0], float) else "int", *([] if directed else ["-s"]))
    graph = (nx.MultiDiGraph if directed else nx.MultiGraph)()
    graph.add_weighted_edges_from(edges)
    some = chance.sample(sorted(graph), min(3, len(graph)))
    both = 1 if directed else 2  # NetworkX counts a pair of vertices of an undirected graph only once
    wanted = {
        "--normalized": nx.betweenness_centrality(graph, weight="weight"),
        " ".join(f"-r {v}" for v in some): {
            v: value * both for v, value in
            nx.betweenness_centrality_subset(graph, some, list(graph), weight="weight").items()},
    }
    for options, scores in wanted.items():
        words = ["run", "betweenness", stored, "--weighted", *options.split(), "--verify", "--quiet", "--force",
                 "--output", answer, "--threads", str(chance.choice([1, 3])),
                 "--mode", chance.choice(["auto", "push", "pull"])]
        says(edgemill, *words)
        with open(answer, encoding="ascii") as lines:
            given = {int(v): float(value) for v, value in (line.split() for line in lines)}
        if given.keys() != scores.keys():
            yield f"{kind}, seed {number}: {len(given)} vertices, not {len(scores)}"
            continue
        for v, score in scores.items():
            if not abs(given[v] - score) <= TOLERANCE * (1 + score):
                yield f"{kind}, seed {number}: {' '.join(words)}: vertex {v}: {given[v]}, not {score}"


def main():
    edgemill = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        wrong = [line for number in range(GRAPHS) for line in differences(edgemill, number, folder)]
    for line in wrong[:20]:
        print(line)
    print(f"{GRAPHS} graphs with weights: {len(wrong)} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
