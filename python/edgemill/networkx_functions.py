"""Functions of NetworkX on graphs of Edgemill. Results are dictionaries, as those of NetworkX."""

import contextlib
import math
import operator
import tempfile
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Set

import networkx

from .networkx_backend import backend


def _refuse_type(is_wrong: bool, kind: str) -> None:
    if is_wrong:
        raise networkx.NetworkXNotImplemented(f"not implemented for {kind} type")


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
    if answer.warnings:
        raise networkx.PowerIterationFailedConvergence(max_iter)
    return G.by_node(answer)


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
    if nbunch is not None and _is_node(G, nbunch):
        return {nbunch: values[nbunch]}
    return _of_some(G, values, nbunch)


def _is_node(G, node: Any) -> bool:
    try:
        return node in G
    except TypeError:  # what has no hash is no node
        return False


def _of_some(G, values: Dict[Any, Any], nodes: Optional[Iterable[Any]]) -> Dict[Any, Any]:
    """The values of those of `nodes` that are in the graph; of all where it is None."""
    if nodes is None:
        return values
    return {node: values[node] for node in nodes if _is_node(G, node)}


@backend.function(quadratic=True, weight=None, endpoints=False)
def betweenness_centrality(G, k=None, normalized=True, weight=None, endpoints=False, seed=None):
    count = len(G)
    sampled = None
    if k is not None and k != count:
        sampled = seed.sample(list(G.nodes), k)
    if count == 0:
        return {}
    nodes = G.nodes if sampled is None else sampled
    if nodes:
        answer = G.run("betweenness", source=[G.place_of(node) for node in nodes])
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


@backend.function()
def core_number(G):
    _refuse_type(G.is_multigraph(), "multigraph")
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


def _degrees(G) -> List[int]:
    """In and out, as NetworkX's degree."""
    if not len(G):
        return []
    out = G.degrees("out")
    return list(map(operator.add, out, G.degrees("in"))) if G.is_directed() else out


@backend.function()
def degree_centrality(G):
    _refuse_loops(G)
    return _degree_centrality(G, _degrees(G))


@backend.function()
def in_degree_centrality(G):
    _refuse_type(not G.is_directed(), "undirected")
    return _degree_centrality(G, G.degrees("in") if len(G) else [])


@backend.function()
def out_degree_centrality(G):
    _refuse_type(not G.is_directed(), "undirected")
    return _degree_centrality(G, G.degrees("out") if len(G) else [])


@backend.function()
def isolates(G) -> Iterator[Any]:
    return iter([node for node, degree in zip(G.nodes, _degrees(G)) if degree == 0])


@backend.function()
def number_of_isolates(G) -> int:
    return sum(1 for degree in _degrees(G) if degree == 0)


# ---- Triangles ----


def _values_at(G, algorithm: str, nodes: Any) -> Any:
    """A dictionary, or the value of `nodes` where that is one node."""
    if not len(G):
        return {}
    answer = G.run(algorithm)
    if nodes is not None and _is_node(G, nodes):
        return G.value_of(answer, nodes)
    return _of_some(G, G.by_node(answer), nodes)


def _refuse_directions(G) -> None:
    _refuse_type(G.is_multigraph(), "multigraph")
    if G.is_directed():
        raise NotImplementedError("NetworkX has another definition for directed graphs")


@backend.function()
def triangles(G, nodes=None):
    _refuse_type(G.is_directed(), "directed")
    _refuse_type(nodes is not None and G.is_multigraph(), "multigraph")
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


# ---- Components ----


def _components(G) -> List[Set[Any]]:
    if not len(G):
        return []
    components: Dict[int, Set[Any]] = {}
    for node, component in zip(G.nodes, G.run("cc").values.tolist()):
        components.setdefault(component, set()).add(node)
    return list(components.values())


def _number_of_components(G) -> int:
    return int(G.run("cc").facts["components"]) if len(G) else 0


@backend.function()
def connected_components(G) -> Iterator[Set[Any]]:
    _refuse_type(G.is_directed(), "directed")
    return iter(_components(G))


@backend.function()
def number_connected_components(G) -> int:
    _refuse_type(G.is_directed(), "directed")
    return _number_of_components(G)


@backend.function()
def is_connected(G) -> bool:
    _refuse_type(G.is_directed(), "directed")
    if not len(G):
        raise networkx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return _number_of_components(G) == 1


@backend.function()
def node_connected_component(G, n) -> Set[Any]:
    _refuse_type(G.is_directed(), "directed")
    if n not in G:
        raise KeyError(n)
    return set(_levels(G, n))


@backend.function()
def weakly_connected_components(G) -> Iterator[Set[Any]]:
    _refuse_type(not G.is_directed(), "undirected")
    return iter(_components(G))


@backend.function()
def number_weakly_connected_components(G) -> int:
    _refuse_type(not G.is_directed(), "undirected")
    return _number_of_components(G)


@backend.function()
def is_weakly_connected(G) -> bool:
    _refuse_type(not G.is_directed(), "undirected")
    if not len(G):
        raise networkx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return _number_of_components(G) == 1


# ---- Shortest paths ----


def _levels(G, source: Any) -> Dict[Any, int]:
    return G.by_node(G.run("bfs", source=G.place_of(source)))


def _distances(G, source: Any, weight: Any) -> Dict[Any, Any]:
    # NetworkX may give a graph with weights, converted for another call, where it needs none.
    if weight is None or not G.has_weights:
        return _levels(G, source)
    return G.by_node(G.run("sssp", source=G.place_of(source)))


def _within(lengths: Dict[Any, Any], cutoff) -> Dict[Any, Any]:
    """The lengths up to `cutoff`, the shortest first."""
    pairs: Iterable = lengths.items()
    if cutoff is not None:
        pairs = ((node, length) for node, length in pairs if length <= cutoff)
    return dict(sorted(pairs, key=lambda pair: pair[1]))


def _length(G, source: Any, target: Any, weight: Any, absent: type = networkx.NodeNotFound) -> Any:
    """The length of a shortest path, or NetworkXNoPath; `absent` for a target that is no node."""
    place = G.place_of(source)
    if target not in G:
        raise absent(f"Target {target} is not in G")
    is_weighted = weight is not None and G.has_weights
    length = G.value_of(G.run("sssp" if is_weighted else "bfs", source=place), target)
    if length is None:
        raise networkx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return length


@backend.function()
def single_source_shortest_path_length(G, source, cutoff=None):
    return _within(_levels(G, source), cutoff)


@backend.function()
def single_source_dijkstra_path_length(G, source, cutoff=None, weight="weight"):
    return _within(_distances(G, source, weight), cutoff)


@backend.function()
def single_source_bellman_ford_path_length(G, source, weight="weight"):
    return _within(_distances(G, source, weight), None)


@backend.function()
def dijkstra_path_length(G, source, target, weight="weight"):
    return _length(G, source, target, weight, networkx.NetworkXNoPath)


@backend.function()
def bellman_ford_path_length(G, source, target, weight="weight"):
    return _length(G, source, target, weight, networkx.NetworkXNoPath)


@backend.function()
def shortest_path_length(G, source=None, target=None, weight=None, method="dijkstra"):
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    if source is None and (target is None or G.is_directed()):
        raise NotImplementedError("shortest_path_length: give a source")
    if source is None:
        return _within(_distances(G, target, weight), None)
    if target is None:
        return _within(_distances(G, source, weight), None)
    absent = networkx.NodeNotFound if weight is None else networkx.NetworkXNoPath
    return _length(G, source, target, weight, absent)


@backend.function()
def has_path(G, source, target) -> bool:
    try:
        _length(G, source, target, None)
    except networkx.NetworkXNoPath:
        return False
    return True


@backend.function()
def descendants(G, source) -> Set[Any]:
    if source not in G:
        raise networkx.NetworkXError(f"The node {source} is not in the graph.")
    return set(_levels(G, source)) - {source}


@backend.function()
def descendants_at_distance(G, source, distance) -> Set[Any]:
    if source not in G:
        raise networkx.NetworkXError(f"The node {source} is not in the graph.")
    return {node for node, level in _levels(G, source).items() if level == distance}
