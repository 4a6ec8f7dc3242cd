#!/usr/bin/env python3
"""Makes graphs, and what NetworkX says of them: make_cases.py DIR COUNT.

Writes DIR/COUNT files, one a graph, which check_cases.py reads without NetworkX. The same files each time.
"""
import collections
import json
import math
import os
import random
import sys

import networkx as nx
from networkx.algorithms.link_analysis.hits_alg import _hits_python
from networkx.algorithms.link_analysis.pagerank_alg import _pagerank_python


def shapes(random_):
    """Pairs of a name and the edges of a graph; vertices are 0, 1, 2, ..."""
    n = random_.randrange(2, 60)
    path = [(v, v + 1) for v in range(n)]
    star = [(0, v + 1) for v in range(n)]
    clique = [(u, v) for u in range(min(n, 12)) for v in range(u)]
    grid = [(v, v + 1) for v in range(n) if v % 7 < 6] + [(v, v + 7) for v in range(n)]
    # Chains of diamonds have 2^k shortest paths between their ends.
    diamonds = [e for k in range(n) for e in ((3 * k, 3 * k + 1), (3 * k, 3 * k + 2),
                                              (3 * k + 1, 3 * k + 3), (3 * k + 2, 3 * k + 3))]
    barbell = clique + [(u + 20, v + 20) for u, v in clique] + [(0, 15), (15, 16), (16, 20)]
    sparse = [(random_.randrange(n), random_.randrange(n)) for _ in range(n)]
    dense = [(random_.randrange(n), random_.randrange(n)) for _ in range(8 * n)]
    large = [(random_.randrange(600), random_.randrange(600)) for _ in range(random_.randrange(300, 4000))]
    hub = [(0, random_.randrange(400)) for _ in range(700)] + large[:200]
    layers = [(u, v) for u, v in dense if u < v]  # without cycles
    apart = path + [(u + 100, v + 100) for u, v in clique] + [(u + 200, v + 200) for u, v in star]
    return [("path", path), ("star", star), ("clique", clique), ("grid", grid), ("diamonds", diamonds),
            ("barbell", barbell), ("sparse", sparse), ("dense", dense), ("random", large), ("hub", hub),
            ("apart", apart), ("layers", layers or path)]


def label_propagation(vertices, edges, directed, iterations):
    """Graphalytics' CDLP: each vertex takes the most frequent label of its neighbours, of several the least."""
    votes_of = collections.Counter((v, u) for u, v in edges)
    turned = collections.Counter(edges)
    if directed:
        votes_of += turned
    else:  # ingest -s adds the directions that are missing
        votes_of |= turned
    labels = {v: v for v in vertices}
    for _ in range(iterations):
        votes = {v: collections.Counter() for v in vertices}
        for (v, u), count in votes_of.items():
            votes[v][labels[u]] += count
        labels = {v: min(votes[v], key=lambda label: (-votes[v][label], label)) if votes[v] else labels[v]
                  for v in vertices}
    return labels


def topological_levels(graph):
    """Infinite on cycles, and behind them."""
    on_cycles = {v for v in graph if graph.has_edge(v, v)}
    on_cycles |= {v for part in nx.strongly_connected_components(graph) if len(part) > 1 for v in part}
    behind = on_cycles.union(*(nx.descendants(graph, v) for v in on_cycles))
    levels = {v: float("inf") for v in behind}
    for level, members in enumerate(nx.topological_generations(graph.subgraph(set(graph) - behind))):
        levels.update({v: level for v in members})
    return levels


def directed_clustering(graph, simple):
    """Graphalytics' LCC. NetworkX has another definition for directed graphs."""
    found = {}
    for v in simple:
        near = set(simple[v])
        links = sum(1 for u in near for w in graph.successors(u) if w in near and w != u)
        found[v] = links / (len(near) * (len(near) - 1)) if len(near) > 1 else 0
    return found


def structure(seed, edges, weights, directed):
    """What NetworkX says of the algorithms that look for structure. Properties are for check_cases.py."""
    graph = nx.DiGraph(edges) if directed else nx.Graph(edges)
    whole = nx.Graph(edges)  # without directions
    parts = list(nx.connected_components(whole))
    lightest = {}
    for (u, v), weight in zip(edges, weights):
        ends = (min(u, v), max(u, v))
        lightest[ends] = min(weight, lightest.get(ends, weight))
    weighted = nx.Graph()
    weighted.add_weighted_edges_from((u, v, weight) for (u, v), weight in lightest.items())
    tree_weight = sum(data["weight"] for _, _, data in nx.minimum_spanning_edges(weighted))
    strong = nx.strongly_connected_components(graph) if directed else parts
    expected = {"scc": {v: min(part) for part in strong for v in part},
                "diameter --eccentricity": {v: e for part in parts
                                            for v, e in nx.eccentricity(whole.subgraph(part)).items()}}
    simple = nx.Graph(whole)
    simple.remove_edges_from(list(nx.selfloop_edges(simple)))
    expected["triangles"] = nx.triangles(simple)
    if directed:
        expected["toposort"] = topological_levels(graph)
        expected["lcc"] = directed_clustering(graph, simple)
    else:
        expected["lcc"] = nx.clustering(simple)
    iterations = 1 + seed % 5
    expected[f"cdlp -i {iterations}"] = label_propagation(sorted(graph), edges, directed, iterations)
    properties = {"mis": 0, "coloring": max(d for _, d in whole.degree()), "mst": tree_weight,
                  "bipartite": [v for part in parts if not nx.is_bipartite(whole.subgraph(part)) for v in part]}
    if not directed and set(weights) == {1}:
        properties.update(communities(edges))
    return expected, properties


def communities(edges):
    """The best modularity of three runs of NetworkX, and by how much less is good enough."""
    counts = collections.Counter(edges)
    graph = nx.Graph()
    for (u, v), count in counts.items():
        graph.add_edge(u, v, weight=max(count, counts[v, u]))
    found = max(nx.community.modularity(graph, nx.community.louvain_communities(graph, seed=seed)) for seed in range(3))
    return {"louvain": (found, 0.02), "leiden": (found, 0.01)}


def by_all_edges(edges, directed, sources):
    """Expected values of algorithms for which duplicates and loops count."""
    graph = nx.DiGraph() if directed else nx.Graph()
    counts = collections.Counter(edges)
    for (u, v), count in counts.items():
        # ingest -s adds the directions that are missing: an edge that is there both ways stays.
        graph.add_edge(u, v, weight=count if directed else max(count, counts[v, u]))
    expected = {"degrees": {v: sum(w for _, _, w in graph.edges(v, data="weight")) for v in graph}}
    if directed:
        for v in graph:
            expected["degrees"][v] += sum(w for _, _, w in graph.in_edges(v, data="weight"))
    seeds = {s: 1 for s in sources}
    expected["ppr -t 1e-10 -i 1000"] = _pagerank_python(graph, personalization=seeds, dangling=seeds,
                                                        tol=1e-13, max_iter=1000)
    expected["katz --alpha 0.005 -t 1e-12"] = nx.katz_centrality(graph, 0.005, tol=1e-12, weight="weight")
    try:
        expected["eigenvector -t 1e-11 -i 3000"] = nx.eigenvector_centrality(
            graph, tol=1e-11, max_iter=3000, weight="weight")
        hubs, authorities = _hits_python(graph, tol=1e-13, max_iter=3000)
        expected["hits -t 1e-13 -i 3000"] = authorities
        expected["hits --hubs -t 1e-13 -i 3000"] = hubs
    except (nx.PowerIterationFailedConvergence, ZeroDivisionError):
        pass  # two eigenvalues are nearly the same, or there are no edges
    return expected


def similarities(graph, source):
    """Of all vertices with the source. NetworkX has those of undirected graphs."""
    pairs = [(source, v) for v in graph if v != source]
    if not graph.is_directed():
        found = {"jaccard": nx.jaccard_coefficient(graph, pairs), "adamic-adar": nx.adamic_adar_index(graph, pairs),
                 "allocation": nx.resource_allocation_index(graph, pairs),
                 "common": ((s, v, len(list(nx.common_neighbors(graph, s, v)))) for s, v in pairs)}
        return {f"similarity --measure {name} -r {source}": {source: 0} | {v: score for _, v, score in scores}
                for name, scores in found.items()}
    expected = {}
    for way, near, holders in (("out", graph.adj, graph.pred), ("in", graph.pred, graph.adj)):
        shared = {v: near[source].keys() & near[v].keys() for v in graph if v != source}
        scores = {
            "jaccard": lambda both, a, b: len(both) / len(a.keys() | b.keys()),
            "sorensen": lambda both, a, b: 2 * len(both) / (len(a) + len(b)),
            "overlap": lambda both, a, b: len(both) / min(len(a), len(b)),
            "cosine": lambda both, a, b: len(both) / (len(a) * len(b)) ** 0.5,
            "adamic-adar": lambda both, a, b: sum(1 / math.log(len(holders[w])) for w in both)}
        for name, score in scores.items():
            expected[f"similarity --measure {name} --neighbors {way} -r {source}"] = {source: 0} | {
                v: score(both, near[source], near[v]) if both else 0 for v, both in shared.items()}
    return expected


def case(seed):
    random_ = random.Random(seed)
    all_shapes = shapes(random_)
    name, edges = all_shapes[seed % len(all_shapes)]
    directed = seed // len(all_shapes) % 2 == 1
    # Ids are sparse. Edges have any order and direction, some are duplicates, and there are loops.
    vertices = sorted({v for edge in edges for v in edge})
    ids = dict(zip(vertices, random_.sample(range(10 * len(vertices) + 10), len(vertices))))
    turned = 0 if name == "layers" else 0.3
    edges = [(ids[v], ids[u]) if random_.random() < turned else (ids[u], ids[v]) for u, v in edges]
    edges += random_.choices(edges, k=len(edges) // 4)
    if name != "layers" or random_.random() < 0.5:
        edges += [(v, v) for v in random_.sample(sorted(ids.values()), len(vertices) // 5)]
    random_.shuffle(edges)
    weighted = directed or seed % 2 == 1
    if weighted and not directed:  # ingest refuses edges each way of an undirected graph with several weights
        edges = [(min(edge), max(edge)) for edge in edges]
    weights = [random_.randrange(-3, 9) if weighted else 1 for _ in edges]
    graph = nx.DiGraph(edges) if directed else nx.Graph(edges)
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    sources = random_.sample(sorted(graph), min(len(graph), random_.choice([1, 2, 3, 5])))
    if seed % 10 == 0:
        sources = sorted(graph)[:60]
    scores = nx.betweenness_centrality_subset(graph, sources, list(graph), normalized=False)
    # NetworkX counts a pair of vertices of an undirected graph only once.
    expected = {"betweenness": {v: s * (1 if directed else 2) for v, s in scores.items()}}
    if seed % 2 == 0:
        expected["closeness"] = nx.closeness_centrality(graph)
    else:
        expected["closeness --harmonic"] = nx.harmonic_centrality(graph)
    if len(graph) < 100:
        expected["betweenness --normalized"] = nx.betweenness_centrality(graph)
    expected["kcore"] = nx.core_number(graph)
    k = random_.choice([1, 2, 3, 5, 9])
    members = nx.k_core(graph, k)
    expected[f"kcore -k {k}"] = {v: k if v in members else 0 for v in graph}
    expected.update(by_all_edges(edges, directed, sources))
    expected.update(similarities(graph, max(graph.degree, key=lambda of_one: of_one[1])[0]))
    expected.update(similarities(graph, sources[0]))
    more, properties = structure(seed, edges, weights, directed)
    return {"name": name, "seed": seed, "directed": directed, "weighted": weighted, "edges": edges, "weights": weights,
            "sources": sources, "expected": expected | more, "properties": properties}


def main():
    directory, count = sys.argv[1], int(sys.argv[2])
    os.makedirs(directory, exist_ok=True)
    for seed in range(count):
        with open(os.path.join(directory, f"{seed:04}.json"), "w", encoding="ascii") as file:
            json.dump(case(seed), file)


if __name__ == "__main__":
    main()
