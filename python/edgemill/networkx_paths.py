"""Functions of NetworkX for lengths of shortest paths, and for the paths."""

from typing import Any, Dict, Iterable, List, Set, Tuple

import networkx

from .networkx_backend import backend
from .networkx_graphs import levels_from
from .path import ShortestPath

# ---- Lengths ----


def _distances(G, source: Any, weight: Any) -> Dict[Any, Any]:
    # NetworkX may give a graph with weights, converted for another call, where it needs none.
    if weight is None or not G.has_weights:
        return levels_from(G, source)
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
    return _within(levels_from(G, source), cutoff)


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
    return set(levels_from(G, source)) - {source}


@backend.function()
def descendants_at_distance(G, source, distance) -> Set[Any]:
    if source not in G:
        raise networkx.NetworkXError(f"The node {source} is not in the graph.")
    return {node for node, level in levels_from(G, source).items() if level == distance}


# ---- Paths ----


def _path(G, source: Any, target: Any, weight: Any, absent: type = networkx.NodeNotFound
          ) -> ShortestPath:
    """A shortest path, or NetworkXNoPath; `absent` for a target that is no node."""
    if source not in G:
        raise networkx.NodeNotFound(f"Source {source} is not in G")
    if target not in G:
        raise absent(f"Target {target} is not in G")
    is_weighted = weight is not None and G.has_weights
    path = ShortestPath(G.run("path", source=G.place_of(source), target=G.place_of(target),
                              weighted=is_weighted))
    if not path:
        raise networkx.NetworkXNoPath(f"No path between {source} and {target}.")
    return path


@backend.function()
def bidirectional_shortest_path(G, source, target) -> List[Any]:
    return G.nodes_of(_path(G, source, target, None))


@backend.function()
def dijkstra_path(G, source, target, weight="weight") -> List[Any]:
    return G.nodes_of(_path(G, source, target, weight, networkx.NetworkXNoPath))


@backend.function()
def bellman_ford_path(G, source, target, weight="weight") -> List[Any]:
    return G.nodes_of(_path(G, source, target, weight, networkx.NetworkXNoPath))


@backend.function()
def bidirectional_dijkstra(G, source, target, weight="weight") -> Tuple[Any, List[Any]]:
    path = _path(G, source, target, weight)
    return path.length, G.nodes_of(path)


def _paths_from(G, source: Any, weight: Any, cutoff: Any = None) -> Dict[Any, List[Any]]:
    """Paths to all nodes that are reached, over at most `cutoff` edges."""
    is_weighted = weight is not None and G.has_weights
    answer = G.run("sssp" if is_weighted else "bfs", source=G.place_of(source), parents=True)
    followers: Dict[Any, List[Any]] = {}
    for node, parent in zip(G.nodes, G.nodes_or_none(answer)):
        if parent is not None and node != source:
            followers.setdefault(parent, []).append(node)
    paths = {source: [source]}
    waiting = [source]
    while waiting:
        reached, waiting = waiting, []
        for node in reached:
            path = paths[node]
            if cutoff is not None and len(path) > cutoff:
                continue
            for follower in followers.get(node, ()):
                paths[follower] = path + [follower]
                waiting.append(follower)
    return paths


@backend.function()
def single_source_shortest_path(G, source, cutoff=None) -> Dict[Any, List[Any]]:
    return _paths_from(G, source, None, cutoff)


@backend.function(cutoff=None)
def single_source_dijkstra_path(G, source, cutoff=None, weight="weight") -> Dict[Any, List[Any]]:
    return _paths_from(G, source, weight)


@backend.function()
def single_source_bellman_ford_path(G, source, weight="weight") -> Dict[Any, List[Any]]:
    return _paths_from(G, source, weight)


@backend.function()
def shortest_path(G, source=None, target=None, weight=None, method="dijkstra"):
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    if source is None and (target is None or G.is_directed()):
        raise NotImplementedError("shortest_path: give a source")
    if source is None:
        paths = _paths_from(G, target, weight)
        return {node: path[::-1] for node, path in paths.items()}
    if target is None:
        return _paths_from(G, source, weight)
    is_bellman_ford = weight is not None and method == "bellman-ford"
    absent = networkx.NetworkXNoPath if is_bellman_ford else networkx.NodeNotFound
    return G.nodes_of(_path(G, source, target, weight, absent))
