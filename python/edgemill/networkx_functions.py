"""Functions of NetworkX on graphs of Edgemill. Results are dictionaries, as those of NetworkX."""

import contextlib
import math
import numbers
import tempfile
from typing import Any, Dict, Iterator, List, Mapping, Optional

import networkx

from .networkx_backend import backend
from .networkx_graphs import degrees_of, is_node, of_some, refuse_type


# ---- Ranks and centralities ----


@contextlib.contextmanager
def _restarts(G, shares: Optional[Mapping[Any, float]]) -> Iterator[Dict[str, Any]]:
    """The seeds of ppr as its options. Other nodes have no share of the restarts."""
    if shares is None:
        yield {}
        return
    if not sum(shares.values()):
        raise ZeroDivisionError
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as file:
        for node, share in shares.items():
            place = G.place_of(node)
            name = '"' + place.replace('"', '""') + '"' if isinstance(place, str) else place
            file.write(f"{name} {share!r}\n")
        file.flush()
        yield {"seeds": file.name}


def _settled(G, answer, max_iter: int) -> Dict[Any, float]:
    """The values, unless iterations ended before values settled."""
    if answer.warnings:
        raise networkx.PowerIterationFailedConvergence(max_iter)
    return G.by_node(answer)


@backend.function(nstart=None, dangling=None)
def pagerank(G, alpha=0.85, personalization=None, max_iter=100, tol=1.0e-6, nstart=None,
             weight="weight", dangling=None):
    if not len(G):
        return {}
    options = {"damping": alpha, "iterations": max_iter, "tolerance": tol * len(G)}
    by_weight = weight is not None and G.has_weights
    if by_weight or personalization is not None:
        with _restarts(G, personalization) as seeds:
            answer = G.run("ppr", weighted=by_weight, **seeds, **options)
    else:
        answer = G.run("pagerank", **options)
    return _settled(G, answer, max_iter)


@backend.function(quadratic=True, distance=None, wf_improved=True)
def closeness_centrality(G, u=None, distance=None, wf_improved=True):
    if u is not None:
        G.place_of(u)
    if not len(G):
        return {}
    answer = G.run("closeness")
    return G.by_node(answer) if u is None else G.value_of(answer, u)


@backend.function(quadratic=True, distance=None, sources=None)
def harmonic_centrality(G, nbunch=None, distance=None, sources=None):
    if not len(G):
        return {}
    values = G.by_node(G.run("closeness", harmonic=True))
    if nbunch is not None and is_node(G, nbunch):
        return {nbunch: values[nbunch]}
    return of_some(G, values, nbunch)


@backend.function(quadratic=True, endpoints=False)
def betweenness_centrality(G, k=None, normalized=True, weight=None, endpoints=False, seed=None):
    count = len(G)
    sampled = None
    if k is not None and k != count:
        sampled = seed.sample(list(G.nodes), k)
    if count == 0:
        return {}
    nodes = G.nodes if sampled is None else sampled
    if nodes:
        answer = G.run("betweenness", source=[G.place_of(node) for node in nodes],
                       weighted=weight is not None and G.has_weights)
        values = G.by_node(answer)
    else:
        values = dict.fromkeys(G.nodes, 0.0)
    pairs = count - 2  # that go through a node, from a source
    if pairs < 1:
        return values

    def scale_of(sources: int) -> float:
        both = 1 if G.is_directed() else 2
        return 1 / (sources * pairs) if normalized else (count - 1) / (sources * both)

    if sampled is None:
        scale = scale_of(count - 1)
        return {node: value * scale for node, value in values.items()}
    of_others = scale_of(k)
    of_sources = scale_of(k - 1) if k > 1 else math.nan  # a node is not between itself and others
    sources = set(sampled)
    return {node: value * (of_sources if node in sources else of_others)
            for node, value in values.items()}


@backend.function(nstart=None)
def eigenvector_centrality(G, max_iter=100, tol=1.0e-6, nstart=None, weight=None):
    if not len(G):
        raise networkx.NetworkXPointlessConcept("cannot compute centrality for the null graph")
    by_weight = weight is not None and G.has_weights
    answer = G.run("eigenvector", iterations=max_iter, tolerance=tol, weighted=by_weight)
    return _settled(G, answer, max_iter)


@backend.function(nstart=None)
def katz_centrality(G, alpha=0.1, beta=1.0, max_iter=1000, tol=1.0e-6, nstart=None,
                    normalized=True, weight=None):
    if not len(G):
        return {}
    if not isinstance(beta, numbers.Real):
        raise NotImplementedError("katz_centrality: Edgemill has one beta for all nodes")
    by_weight = weight is not None and G.has_weights
    answer = G.run("katz", alpha=alpha, beta=beta, iterations=max_iter, tolerance=tol,
                   raw=not normalized, weighted=by_weight)
    return _settled(G, answer, max_iter)


@backend.function(nstart=None)
def hits(G, max_iter=100, tol=1.0e-8, nstart=None, normalized=True):
    if not len(G):
        return {}, {}
    if max_iter <= 0:
        raise networkx.PowerIterationFailedConvergence(max_iter)
    if not normalized:
        raise NotImplementedError("hits: NetworkX leaves the length of the values to a solver")
    found = []
    for hubs in (True, False):
        answer = G.run("hits", hubs=hubs, iterations=max_iter, tolerance=tol,
                       weighted=G.has_weights)
        if answer.warnings:  # the solver of NetworkX takes fewer iterations
            raise NotImplementedError(f"hits: {answer.warnings[0]}")
        found.append(G.by_node(answer))
    return found[0], found[1]


@backend.function()
def core_number(G):
    refuse_type(G.is_multigraph(), "multigraph")
    if G.has_loops:
        raise networkx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )
    return G.by_node(G.run("kcore")) if len(G) else {}


def _degree_centrality(G, degrees: List[int]) -> Dict[Any, float]:
    if len(G) <= 1:
        return {node: 1 for node in G.nodes}
    scale = 1.0 / (len(G) - 1.0)
    return {node: degree * scale for node, degree in zip(G.nodes, degrees)}


def _refuse_loops(G) -> None:
    if G.has_loops and not G.is_directed():
        raise NotImplementedError("a loop counts twice in a degree of NetworkX, and once here")


@backend.function()
def degree_centrality(G):
    _refuse_loops(G)
    return _degree_centrality(G, degrees_of(G))


@backend.function()
def in_degree_centrality(G):
    refuse_type(not G.is_directed(), "undirected")
    return _degree_centrality(G, G.degrees("in") if len(G) else [])


@backend.function()
def out_degree_centrality(G):
    refuse_type(not G.is_directed(), "undirected")
    return _degree_centrality(G, G.degrees("out") if len(G) else [])


@backend.function()
def isolates(G) -> Iterator[Any]:
    return iter([node for node, degree in zip(G.nodes, degrees_of(G)) if degree == 0])


@backend.function()
def number_of_isolates(G) -> int:
    return sum(1 for degree in degrees_of(G) if degree == 0)


# ---- Triangles ----


def _values_at(G, algorithm: str, nodes: Any) -> Any:
    """A dictionary, or the value of `nodes` where that is one node."""
    if not len(G):
        return {}
    answer = G.run(algorithm)
    if nodes is not None and is_node(G, nodes):
        return G.value_of(answer, nodes)
    return of_some(G, G.by_node(answer), nodes)


def _refuse_directions(G) -> None:
    refuse_type(G.is_multigraph(), "multigraph")
    if G.is_directed():
        raise NotImplementedError("NetworkX has another definition for directed graphs")


@backend.function()
def triangles(G, nodes=None):
    refuse_type(G.is_directed(), "directed")
    refuse_type(nodes is not None and G.is_multigraph(), "multigraph")
    return _values_at(G, "triangles", nodes)


@backend.function(weight=None)
def clustering(G, nodes=None, weight=None):
    _refuse_directions(G)
    return _values_at(G, "lcc", nodes)


@backend.function(nodes=None, weight=None, count_zeros=True)
def average_clustering(G, nodes=None, weight=None, count_zeros=True):
    _refuse_directions(G)
    if not len(G):
        raise ZeroDivisionError("division by zero")
    return G.run("lcc").facts["mean_clustering"]


@backend.function()
def transitivity(G):
    _refuse_directions(G)
    return G.run("lcc").facts["transitivity"] if len(G) else 0
