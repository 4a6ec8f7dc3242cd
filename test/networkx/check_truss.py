#!/usr/bin/env python3
"""Compares edgemill truss with NetworkX's k_truss: check_truss.py EDGEMILL [COUNT].

Each graph runs with ample memory and little, with one, two and seven threads; all runs must give the same bytes. Prints
what differs; exit code 1 if anything does.
"""
import os
import random
import subprocess
import sys
import tempfile

import networkx as nx


def edges_of(random_, seed):
    """Random edges, cliques that share vertices, a star, hubs, graphs with many triangles; some loops and duplicates."""
    n = random_.randrange(2, 60)
    kind = seed % 6
    if kind == 0:
        edges = [(random_.randrange(n), random_.randrange(n)) for _ in range(random_.randrange(1, 500))]
    elif kind == 1:
        edges, first = [], 0
        for _ in range(random_.randrange(1, 6)):
            size = random_.randrange(2, 13)
            edges += [(first + v, first + u) for v in range(size) for u in range(v)]
            first += random_.randrange(1, size + 1)
    elif kind == 2:
        edges = [(0, v) for v in range(1, n)]
    elif kind == 3:
        edges = [(hub, v) for hub in range(3) for v in range(3, 2 * n)]
        edges += [(random_.randrange(2 * n), random_.randrange(2 * n)) for _ in range(3 * n)]
    elif kind == 4:
        edges = list(nx.powerlaw_cluster_graph(n + 6, 5, 0.8, seed=seed).edges())
    else:
        edges = list(nx.gnp_random_graph(n, 0.5, seed=seed).edges()) or [(0, 1)]
    edges += [(v, u) for u, v in random_.choices(edges, k=len(edges) // 4)] + [(v, v) for v in range(0, n, 5)]
    ids = random_.sample(range(1000), 200)
    return [(ids[u], ids[v]) for u, v in edges]


def trusses_of(edges):
    graph = nx.Graph((u, v) for u, v in edges if u != v)
    trusses = {(min(edge), max(edge)): 2 for edge in graph.edges()}
    for k in range(3, len(graph) + 2):
        graph = nx.k_truss(graph, k)
        trusses.update({(min(edge), max(edge)): k for edge in graph.edges()})
    return trusses


def run(edgemill, graph, output, *options):
    words = [edgemill, "truss", graph, "--output", output, "--force", "--quiet", "--verify", *options]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return f"{' '.join(words[1:])}: {done.stderr.strip()}"
    with open(output, encoding="ascii") as file:
        return file.read()


def check(edgemill, seed, folder):
    random_ = random.Random(seed)
    edges = edges_of(random_, seed)
    text, graph, output = (os.path.join(folder, name) for name in ("g.el", "g.mill", "out.txt"))
    with open(text, "w", encoding="ascii") as file:
        file.writelines(f"{u} {v}\n" for u, v in edges)
    subprocess.run([edgemill, "ingest", text, graph, "--quiet", "--replace", "--block-edges",
                    random_.choice(["128", "1024"]), "--renumber", random_.choice(["none", "degree"]),
                    *([] if seed % 2 == 1 else ["--undirected"])], check=True, stdout=subprocess.DEVNULL)
    right = trusses_of(edges)
    outputs = {run(edgemill, graph, output, "--memory", memory, "--threads", threads)
               for memory, threads in (("1GiB", "1"), ("40MiB", "2"), ("1GiB", "7"))}
    if len(outputs) != 1:
        return [f"seed {seed}: {len(outputs)} different outputs: {[text[:200] for text in outputs]}"]
    wrong = []
    k = random_.randrange(3, 7)
    for least, text in ((2, outputs.pop()), (k, run(edgemill, graph, output, "--k", str(k)))):
        lines = [tuple(map(int, line.split())) for line in text.splitlines()] if "edgemill" not in text else []
        given = {(u, v): truss for u, v, truss in lines}
        expected = {edge: truss for edge, truss in right.items() if truss >= least}
        if given != expected or len(given) != len(lines):
            wrong.append(f"seed {seed}, k {least}: {len(given)} edges, not {len(expected)}, or other numbers: {text[:200]}")
    return wrong


def main():
    edgemill = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(count):
            wrong += check(edgemill, seed, folder)
    print("\n".join(wrong) if wrong else f"{count} graphs have the truss numbers of NetworkX")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
