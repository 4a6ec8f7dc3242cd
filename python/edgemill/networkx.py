"""A backend for NetworkX: `networkx.pagerank(G, backend="edgemill")`.

The graph is written to a temporary directory once, and NetworkX keeps it for later calls. Results
are dictionaries, as those of NetworkX.
"""

import array
import contextlib
import functools
import inspect
import shutil
import tempfile
import warnings
import weakref
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Set

import networkx

from .answer import Answer
from .errors import Cancelled, Error, InternalError, Warning
from .graph import Graph
from .ingest import ingest


@contextlib.contextmanager
def _next_backend_instead() -> Iterator[None]:
    """What Edgemill refuses, NetworkX tries on the next backend."""
    try:
        yield
    except (Cancelled, InternalError):
        raise
    except Error as error:
        raise NotImplementedError(str(error)) from error


class NetworkXGraph:
    """A graph of NetworkX as a graph of Edgemill, whose vertices are 0, 1, 2, ... in the order of
    the nodes. It lasts as long as this object."""

    __networkx_backend__ = "edgemill"

    def __init__(self, graph: "networkx.Graph", attribute: Any, default: Any):
        self.nodes: List[Any] = list(graph)
        self.places: Dict[Any, int] = {node: place for place, node in enumerate(self.nodes)}
        self._directed: bool = graph.is_directed()
        self._multigraph: bool = graph.is_multigraph()
        self.has_loops = any(networkx.selfloop_edges(graph))
        self.has_weights = False
        self.opened: Optional[Graph] = None
        if not self.nodes:
            return
        sources, targets, weights = array.array("I"), array.array("I"), []
        for source, target, weight in graph.edges(data=attribute, default=default):
            sources.append(self.places[source])
            targets.append(self.places[target])
            weights.append(weight)
        self.has_weights = attribute is not None and any(weight != 1 for weight in weights)
        folder = tempfile.mkdtemp(prefix="edgemill-networkx-")
        self._finalizer = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self.opened = ingest(
            (sources, targets, weights) if self.has_weights else (sources, targets),
            folder + "/graph.mill", vertices=len(self.nodes), undirected=not self._directed,
            progress=False,
        )

    def is_directed(self) -> bool:
        return self._directed

    def is_multigraph(self) -> bool:
        return self._multigraph

    def __len__(self) -> int:
        return len(self.nodes)

    def run(self, algorithm: str, **options) -> Answer:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Warning)
            return self.opened.run(algorithm, **options)

    def by_node(self, answer: Answer) -> Dict[Any, Any]:
        """The values of the nodes that have one."""
        values = answer.to_dict().values()
        return {node: value for node, value in zip(self.nodes, values) if value is not None}

    def place_of(self, node: Any) -> int:
        if node not in self.places:
            raise networkx.NodeNotFound(f"Node {node} is not in G")
        return self.places[node]


class _Backend:
    """What NetworkX calls: a method for each function, and how graphs are converted."""

    def __init__(self):
        self.only: Dict[str, Dict[str, Any]] = {}

    def function(self, **only):
        """Adds a function of NetworkX. The parameters in `only` must have these values."""

        def add(function: Callable) -> Callable:
            name = function.__name__
            self.only[name] = only

            @functools.wraps(function)
            def checked(*arguments, **keywords):
                reason = self.can_run(name, arguments, keywords)
                if reason is not True:
                    raise NotImplementedError(f"{name}: {reason}")
                with _next_backend_instead():
                    return function(*arguments, **keywords)

            setattr(self, name, checked)
            return checked

        return add

    def can_run(self, name: str, arguments, keywords):
        """True, or why not."""
        if name not in self.only:
            return "Edgemill does not have it"
        bound = inspect.signature(getattr(self, name)).bind(*arguments, **keywords)
        bound.apply_defaults()
        for parameter, value in self.only[name].items():
            if bound.arguments[parameter] != value:
                return f"Edgemill only has {parameter}={value!r}"
        if callable(bound.arguments.get("weight")):
            return "Edgemill has no functions as weights"
        return True

    def should_run(self, name: str, arguments, keywords):
        return self.can_run(name, arguments, keywords)

    @staticmethod
    def convert_from_nx(graph, *, edge_attrs=None, preserve_edge_attrs=False, **_others):
        if preserve_edge_attrs or len(edge_attrs or {}) > 1:
            raise NotImplementedError("a graph of Edgemill has one attribute of edges")
        attribute, default = next(iter((edge_attrs or {None: 1}).items()))
        with _next_backend_instead():
            return NetworkXGraph(graph, attribute, default)

    @staticmethod
    def convert_to_nx(result, *, name=None):
        return result


backend = _Backend()


@backend.function(personalization=None, nstart=None, dangling=None)
def pagerank(G, alpha=0.85, personalization=None, max_iter=100, tol=1.0e-6, nstart=None,
             weight="weight", dangling=None):
    if not G.nodes:
        return {}
    if weight is not None and G.has_weights:
        raise NotImplementedError("pagerank: Edgemill's ranks ignore weights: give weight=None")
    answer = G.run("pagerank", damping=alpha, iterations=max_iter, tolerance=tol * len(G))
    if answer.warnings:
        raise networkx.PowerIterationFailedConvergence(max_iter)
    return G.by_node(answer)


def _components(G) -> List[Set[Any]]:
    if not G.nodes:
        return []
    components: Dict[int, Set[Any]] = {}
    for node, component in zip(G.nodes, G.run("cc").values.tolist()):
        components.setdefault(component, set()).add(node)
    return list(components.values())


@backend.function()
def connected_components(G) -> Iterator[Set[Any]]:
    if G.is_directed():
        raise networkx.NetworkXNotImplemented("not implemented for directed type")
    return iter(_components(G))


@backend.function()
def number_connected_components(G) -> int:
    return sum(1 for _ in connected_components(G))


@backend.function()
def weakly_connected_components(G) -> Iterator[Set[Any]]:
    if not G.is_directed():
        raise networkx.NetworkXNotImplemented("not implemented for undirected type")
    return iter(_components(G))


@backend.function()
def number_weakly_connected_components(G) -> int:
    return sum(1 for _ in weakly_connected_components(G))


def _within(lengths: Dict[Any, Any], cutoff) -> Dict[Any, Any]:
    """The lengths up to `cutoff`, the shortest first."""
    pairs: Iterable = lengths.items()
    if cutoff is not None:
        pairs = ((node, length) for node, length in pairs if length <= cutoff)
    return dict(sorted(pairs, key=lambda pair: pair[1]))


@backend.function()
def single_source_shortest_path_length(G, source, cutoff=None):
    return _within(G.by_node(G.run("bfs", source=G.place_of(source))), cutoff)


@backend.function()
def single_source_dijkstra_path_length(G, source, cutoff=None, weight="weight"):
    # NetworkX may give a graph with weights, converted for another call, where it needs none.
    algorithm = "sssp" if weight is not None and G.has_weights else "bfs"
    return _within(G.by_node(G.run(algorithm, source=G.place_of(source))), cutoff)


@backend.function(distance=None, wf_improved=True)
def closeness_centrality(G, u=None, distance=None, wf_improved=True):
    if u is not None:
        G.place_of(u)
    values = G.by_node(G.run("closeness")) if G.nodes else {}
    return values if u is None else values[u]


@backend.function(nbunch=None, distance=None, sources=None)
def harmonic_centrality(G, nbunch=None, distance=None, sources=None):
    return G.by_node(G.run("closeness", harmonic=True)) if G.nodes else {}


@backend.function()
def core_number(G):
    if G.is_directed():
        raise NotImplementedError("core_number: Edgemill has core numbers of undirected graphs")
    if G.has_loops:
        raise networkx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )
    return G.by_node(G.run("kcore")) if G.nodes else {}


@backend.function(k=None, weight=None, endpoints=False)
def betweenness_centrality(G, k=None, normalized=True, weight=None, endpoints=False, seed=None):
    count = len(G)
    if count == 0:
        return {}
    values = G.by_node(G.run("betweenness", source=range(count)))
    scale = 1.0 if G.is_directed() else 0.5
    if normalized and count > 2:
        scale = 1 / ((count - 1) * (count - 2))
    return {node: value * scale for node, value in values.items()}
