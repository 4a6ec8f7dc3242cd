"""Functions of NetworkX for the structure of graphs: components, orders, distances, communities."""

from typing import Any, Dict, Iterator, List, Set

import networkx

from .answer import Answer
from .networkx_backend import backend
from .networkx_graphs import degrees_of, is_node, levels_from, refuse_type

# ---- Components ----


def _groups(G, algorithm: str, **options) -> List[Set[Any]]:
    """The nodes by their common value."""
    if not len(G):
        return []
    groups: Dict[int, Set[Any]] = {}
    for node, group in zip(G.nodes, G.run(algorithm, **options).values.tolist()):
        groups.setdefault(group, set()).add(node)
    return list(groups.values())


def _number_of_components(G) -> int:
    return int(G.run("cc").facts["components"]) if len(G) else 0


@backend.function()
def connected_components(G) -> Iterator[Set[Any]]:
    refuse_type(G.is_directed(), "directed")
    return iter(_groups(G, "cc"))


@backend.function()
def number_connected_components(G) -> int:
    refuse_type(G.is_directed(), "directed")
    return _number_of_components(G)


@backend.function()
def is_connected(G) -> bool:
    refuse_type(G.is_directed(), "directed")
    if not len(G):
        raise networkx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return _number_of_components(G) == 1


@backend.function()
def node_connected_component(G, n) -> Set[Any]:
    refuse_type(G.is_directed(), "directed")
    if n not in G:
        raise KeyError(n)
    return set(levels_from(G, n))


@backend.function()
def weakly_connected_components(G) -> Iterator[Set[Any]]:
    refuse_type(not G.is_directed(), "undirected")
    return iter(_groups(G, "cc"))


@backend.function()
def number_weakly_connected_components(G) -> int:
    refuse_type(not G.is_directed(), "undirected")
    return _number_of_components(G)


@backend.function()
def is_weakly_connected(G) -> bool:
    refuse_type(not G.is_directed(), "undirected")
    if not len(G):
        raise networkx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return _number_of_components(G) == 1


@backend.function()
def strongly_connected_components(G) -> Iterator[Set[Any]]:
    return iter(_groups(G, "scc"))


@backend.function()
def number_strongly_connected_components(G) -> int:
    return int(G.run("scc").facts["components"]) if len(G) else 0


@backend.function()
def is_strongly_connected(G) -> bool:
    if not len(G):
        raise networkx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return G.run("scc").facts["components"] == 1


# ---- Orders of directed graphs ----


@backend.function()
def is_directed_acyclic_graph(G) -> bool:
    return G.is_directed() and (not len(G) or G.run("toposort").facts["acyclic"] == 1)


def _generations(G) -> Iterator[List[Any]]:
    """Errors come where NetworkX has them: with the first item, and behind the last one."""
    if not G.is_directed():
        raise networkx.NetworkXError("Topological sort not defined on undirected graphs.")
    levels = G.by_node(G.run("toposort")) if len(G) else {}
    generations: List[List[Any]] = [[] for _ in range(max(levels.values(), default=-1) + 1)]
    for node, level in levels.items():
        generations[level].append(node)
    yield from generations
    if len(levels) < len(G):
        raise networkx.NetworkXUnfeasible(
            "Graph contains a cycle or graph changed during iteration")


@backend.function()
def topological_generations(G) -> Iterator[List[Any]]:
    return _generations(G)


@backend.function()
def topological_sort(G) -> Iterator[Any]:
    return (node for generation in _generations(G) for node in generation)


# ---- Distances ----


def _bounds(G, **options) -> Answer:
    """The answer of `diameter`. NetworkXError where the graph is not connected."""
    answer = G.run("diameter", **options)
    if answer.facts["components"] > 1:
        raise networkx.NetworkXError(
            "Found infinite path length because the graph is not connected")
    return answer


def _eccentricities(G) -> Dict[Any, int]:
    return G.by_node(_bounds(G, eccentricity=True)) if len(G) else {}


@backend.function(quadratic=True, undirected=True, sp=None, weight=None)
def eccentricity(G, v=None, sp=None, weight=None):
    found = _eccentricities(G)
    if v is None:
        return found
    if is_node(G, v):
        return found[v]
    if not hasattr(v, "__iter__"):
        raise networkx.NetworkXError(f"Node {v} is not in the graph.")
    return {node: found[node] for node in v if is_node(G, node)}


@backend.function(quadratic=True, undirected=True, e=None, weight=None)
def diameter(G, e=None, usebounds=False, weight=None) -> int:
    if not len(G):
        raise ValueError("the graph has no nodes")
    return int(_bounds(G).facts["diameter"])


@backend.function(quadratic=True, undirected=True, e=None, weight=None)
def radius(G, e=None, usebounds=False, weight=None) -> int:
    return min(_eccentricities(G).values())


@backend.function(quadratic=True, undirected=True, e=None, weight=None)
def center(G, e=None, usebounds=False, weight=None) -> List[Any]:
    found = _eccentricities(G)
    least = min(found.values())
    return [node for node, value in found.items() if value == least]


@backend.function(quadratic=True, undirected=True, e=None, weight=None)
def periphery(G, e=None, usebounds=False, weight=None) -> List[Any]:
    found = _eccentricities(G)
    greatest = max(found.values())
    return [node for node, value in found.items() if value == greatest]


# ---- Two sides, independent sets ----


@backend.function()
def is_bipartite(G) -> bool:
    return not len(G) or G.run("bipartite").facts["bipartite"] == 1


@backend.function(undirected=True)
def color(G) -> Dict[Any, int]:
    """Of networkx.bipartite. The first node of each component has 1, and nodes without edges 0."""
    if not len(G):
        return {}
    answer = G.run("bipartite")
    if answer.facts["bipartite"] != 1:
        raise networkx.NetworkXError("Graph is not bipartite.")
    return {node: 1 - side if degree else 0
            for node, side, degree in zip(G.nodes, answer.values.tolist(), degrees_of(G))}


@backend.function(undirected=True, top_nodes=None)
def sets(G, top_nodes=None):
    """Of networkx.bipartite."""
    if not len(G):
        raise networkx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    if _number_of_components(G) > 1:
        raise networkx.AmbiguousSolution(
            "Disconnected graph: Ambiguous solution for bipartite sets.")
    colors = color.unchecked(G)
    return ({node for node, one in colors.items() if one},
            {node for node, one in colors.items() if not one})


@backend.function(nodes=None)
def maximal_independent_set(G, nodes=None, seed=None) -> List[Any]:
    if not len(G):
        raise IndexError("the graph has no nodes")
    answer = G.run("mis", order_seed=seed.getrandbits(32))
    return [node for node, chosen in zip(G.nodes, answer.values.tolist()) if chosen]


# ---- Communities ----


def _communities(G, algorithm: str, weight: Any, resolution: float, seed: Any) -> List[Set[Any]]:
    if weight is None and G.has_weights:
        raise NotImplementedError(f"{algorithm} counts edges by the weights that a graph has")
    if not len(G):
        return []
    return _groups(G, algorithm, resolution=resolution, order_seed=seed.getrandbits(32))


@backend.function(undirected=True, threshold=1e-7, max_level=None)
def louvain_communities(G, weight="weight", resolution=1, threshold=1e-7, max_level=None,
                        seed=None) -> List[Set[Any]]:
    return _communities(G, "louvain", weight, resolution, seed)


@backend.function(undirected=True, max_level=None)
def leiden_communities(G, weight="weight", resolution=1, max_level=None,
                       seed=None) -> List[Set[Any]]:
    return _communities(G, "leiden", weight, resolution, seed)
