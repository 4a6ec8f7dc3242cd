"""Graphs that the backend for NetworkX runs on: those of NetworkX, and open graphs of Edgemill."""

import array
import operator
import shutil
import tempfile
import warnings
import weakref
from typing import Any, Dict, Iterable, List, Optional, Union

import networkx

from .answer import Answer
from .errors import Warning
from .graph import Graph
from .ingest import ingest
from .limits import check_limit

# What a graph of NetworkX 3.6 takes on Python 3.11, by tracemalloc with 100,000 nodes and 400,000
# edges: most of it are dictionaries, one for each edge's attributes.
_NODE_BYTES = 400
_EDGE_BYTES = 210
_WEIGHT_BYTES = 210


class RunnableGraph:
    """A graph as the backend's functions see it: nodes of NetworkX, runs of Edgemill."""

    opened: Graph  # missing where there are no nodes
    nodes: Iterable[Any]
    has_weights: bool
    has_loops: bool

    def __len__(self) -> int:
        raise NotImplementedError

    def place_of(self, node: Any) -> Any:
        """What a run takes for a node. NodeNotFound for what is none."""
        raise NotImplementedError

    def run(self, algorithm: str, **options) -> Answer:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Warning)
            return self.opened.run(algorithm, **options)

    def by_node(self, answer: Answer) -> Dict[Any, Any]:
        """The values of the nodes that have one."""
        missing = float("inf") if answer.is_real else -1
        return {node: value for node, value in zip(self.nodes, answer.values.tolist())
                if value != missing}

    def value_of(self, answer: Answer, node: Any) -> Any:
        """The value of one node; None where it has none."""
        return answer.of(self.place_of(node))

    def nodes_of(self, vertices: Iterable[Any]) -> List[Any]:
        """The nodes of vertices, as the open graph has these."""
        return list(vertices)

    def nodes_or_none(self, answer: Answer) -> List[Any]:
        """The values of a column of vertices as nodes; None where there is no value."""
        return list(answer.to_dict().values())

    def degrees(self, direction: str) -> List[int]:
        """The degrees of all nodes, "out" or "in". A loop of an undirected graph counts once."""
        if direction == "in":
            return self.opened.in_degree().tolist()
        return self.opened.out_degree().tolist()


class NetworkXGraph(RunnableGraph):
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

    def nodes_of(self, vertices: Iterable[Any]) -> List[Any]:
        return [self.nodes[place] for place in vertices]

    def nodes_or_none(self, answer: Answer) -> List[Any]:
        return [None if place is None else self.nodes[place]
                for place in super().nodes_or_none(answer)]

    def __len__(self) -> int:
        return len(self.nodes)

    def __contains__(self, node: Any) -> bool:
        return node in self.places

    def place_of(self, node: Any) -> int:
        if node not in self.places:
            raise networkx.NodeNotFound(f"Node {node} is not in G")
        return self.places[node]


class StoredGraph(RunnableGraph):
    """An open graph of Edgemill, whose nodes are its vertices."""

    has_loops = False  # whether there are some is not known; core numbers ignore them

    def __init__(self, graph: Graph):
        self.opened = graph
        self.has_weights = graph.weights is not None

    @property
    def nodes(self) -> Iterable[Any]:
        vertices = self.opened.vertices()
        return vertices if isinstance(vertices, list) else vertices.tolist()

    def is_directed(self) -> bool:
        return self.opened.directed

    def is_multigraph(self) -> bool:
        return False

    def __len__(self) -> int:
        return self.opened.num_vertices

    def __contains__(self, node: Any) -> bool:
        return node in self.opened

    def place_of(self, node: Any) -> Any:
        if node not in self.opened:
            raise networkx.NodeNotFound(f"Node {node} is not in G")
        return node


def refuse_type(is_wrong: bool, kind: str) -> None:
    """Refuses a kind of graph in NetworkX's words."""
    if is_wrong:
        raise networkx.NetworkXNotImplemented(f"not implemented for {kind} type")


def is_node(G: RunnableGraph, node: Any) -> bool:
    try:
        return node in G
    except TypeError:  # what has no hash is no node
        return False


def of_some(G: RunnableGraph, values: Dict[Any, Any], nodes: Optional[Iterable[Any]]
            ) -> Dict[Any, Any]:
    """The values of those of `nodes` that are in the graph; of all where it is None."""
    if nodes is None:
        return values
    return {node: values[node] for node in nodes if is_node(G, node)}


def degrees_of(G: RunnableGraph) -> List[int]:
    """In and out, as NetworkX's degree."""
    if not len(G):
        return []
    out = G.degrees("out")
    return list(map(operator.add, out, G.degrees("in"))) if G.is_directed() else out


def levels_from(G: RunnableGraph, source: Any) -> Dict[Any, int]:
    """How many edges away from the source the nodes are that are reached."""
    return G.by_node(G.run("bfs", source=G.place_of(source)))


def runnable(graph: Any) -> RunnableGraph:
    return StoredGraph(graph) if isinstance(graph, Graph) else graph


def to_networkx(graph: Union[Graph, NetworkXGraph], limit: Union[int, str]) -> "networkx.Graph":
    """A graph of NetworkX. BudgetError, with the estimate, where it takes more than `limit`."""
    is_converted = isinstance(graph, NetworkXGraph)
    opened: Optional[Graph] = getattr(graph, "opened", None) if is_converted else graph
    is_multigraph = graph.is_multigraph()
    if graph.is_directed():
        made = networkx.MultiDiGraph() if is_multigraph else networkx.DiGraph()
    else:
        made = networkx.MultiGraph() if is_multigraph else networkx.Graph()
    if opened is None:
        return made
    num_edges = opened.num_edges // (1 if opened.directed else 2)
    edge_bytes = _EDGE_BYTES + (_WEIGHT_BYTES if opened.weights else 0)
    check_limit(f"{opened.path}: the graph of NetworkX with {opened.num_vertices:,} nodes and "
                f"{num_edges:,} edges", opened.num_vertices * _NODE_BYTES + num_edges * edge_bytes,
                limit, "networkx.config.backends.edgemill.limit")
    nodes = list(graph.nodes if is_converted else StoredGraph(opened).nodes)
    made.add_nodes_from(nodes)
    for columns in opened.edges(once=not opened.directed):
        rows = [column if isinstance(column, list) else column.tolist() for column in columns]
        if is_converted:
            rows[:2] = [[nodes[place] for place in ends] for ends in rows[:2]]
        if len(rows) == 3:
            made.add_weighted_edges_from(zip(*rows))
        else:
            made.add_edges_from(zip(*rows))
    return made
