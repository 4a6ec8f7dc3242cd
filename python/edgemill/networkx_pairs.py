"""Functions of NetworkX that predict links: similarities of pairs of nodes by their neighbours."""

import math
import operator
from typing import Any, Callable, Dict, Iterable, Iterator, List, Set, Tuple

import networkx

from .networkx_backend import backend

_EDGES = 1 << 22  # whose lists are in memory at a time, unless one vertex has more
Pair = Tuple[Any, Any]


class _Neighbors:
    """Neighbours of vertices, each once, read in batches."""

    def __init__(self, G):
        self._graph = G.opened
        self._degrees: Dict[Any, int] = {}

    def sets_of(self, vertices: Iterable[Any]) -> Iterator[Tuple[Any, Set[Any]]]:
        """Each of the vertices with the set of its neighbours."""
        wanted = list(dict.fromkeys(vertices))
        for first, last in _batches(self._graph.out_degree(wanted).tolist() if wanted else []):
            batch = wanted[first:last]
            for vertex, (_, found) in zip(batch, self._graph.neighbors(batch)):
                yield vertex, set(found if isinstance(found, list) else found.tolist())

    def degrees_of(self, vertices: Iterable[Any]) -> Dict[Any, int]:
        """The degrees, of which NetworkX counts a loop twice. They are kept for later calls."""
        unknown = [vertex for vertex in vertices if vertex not in self._degrees]
        for vertex, found in self.sets_of(unknown):
            self._degrees[vertex] = len(found) + (vertex in found)
        return self._degrees


def _batches(degrees: List[int]) -> Iterator[Tuple[int, int]]:
    """Ranges of lists that have at most _EDGES edges, or one list."""
    first, edges = 0, 0
    for place, degree in enumerate(degrees):
        if place > first and edges + degree > _EDGES:
            yield first, place
            first, edges = place, 0
        edges += degree
    if first < len(degrees):
        yield first, len(degrees)


def _checked(G, ebunch: Iterable[Pair]) -> Tuple[List[Pair], List[Pair]]:
    """The pairs, and the same pairs as vertices."""
    pairs = [(u, v) for u, v in ebunch]
    for node in (node for pair in pairs for node in pair):
        if node not in G:
            raise networkx.NodeNotFound(f"Node {node} not in G.")
    return pairs, [(G.place_of(u), G.place_of(v)) for u, v in pairs]


# The score of two vertices with these neighbours. Those in common are without the two themselves.
Score = Callable[[Set[Any], Set[Any], Set[Any], Dict[Any, int]], float]


def _scores(G, ebunch: Iterable[Pair], score: Score, with_degrees: bool = False
            ) -> Iterator[Tuple[Any, Any, float]]:
    """What is no node is an error now; the lists of a batch are read when its scores are asked."""
    pairs, vertices = _checked(G, ebunch)

    def scores() -> Iterator[Tuple[Any, Any, float]]:
        near = _Neighbors(G)
        degrees = G.opened.out_degree([one for pair in vertices for one in pair]).tolist()
        for first, last in _batches(list(map(operator.add, degrees[::2], degrees[1::2]))):
            batch = vertices[first:last]
            sets = dict(near.sets_of(one for pair in batch for one in pair))
            common = [sets[u] & sets[v] - {u, v} for u, v in batch]
            known = near.degrees_of(set().union(*common)) if with_degrees else {}
            for pair, (u, v), shared in zip(pairs[first:last], batch, common):
                yield (*pair, score(sets[u], sets[v], shared, known))

    return scores() if pairs else iter(())


@backend.function("ebunch")
def jaccard_coefficient(G, ebunch=None):
    def score(of_u, of_v, common, _degrees):
        return len(common) / len(of_u | of_v) if of_u or of_v else 0

    return _scores(G, ebunch, score)


@backend.function("ebunch")
def adamic_adar_index(G, ebunch=None):
    def score(_of_u, _of_v, common, degrees):
        return sum(1 / math.log(degrees[node]) for node in common)

    return _scores(G, ebunch, score, with_degrees=True)


@backend.function("ebunch")
def resource_allocation_index(G, ebunch=None):
    def score(_of_u, _of_v, common, degrees):
        return sum(1 / degrees[node] for node in common)

    return _scores(G, ebunch, score, with_degrees=True)


@backend.function("ebunch")
def preferential_attachment(G, ebunch=None):
    pairs, vertices = _checked(G, ebunch)

    def products() -> Iterator[Tuple[Any, Any, int]]:
        degrees = _Neighbors(G).degrees_of(one for pair in vertices for one in pair)
        for pair, (u, v) in zip(pairs, vertices):
            yield (*pair, degrees[u] * degrees[v])

    return products() if pairs else iter(())
