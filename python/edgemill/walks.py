"""Random walks, and samples of neighbourhoods for learning."""

import ctypes
import inspect
import operator
import queue
import threading
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, NamedTuple, Optional

from . import library
from .algorithms import bound, options_text, parameters_of
from .call import WALK_OPTIONS, Call
from .columns import missing, numbers, numpy_or_none
from .errors import UsageError
from .library import COUNT, VERTEX, lib

if TYPE_CHECKING:
    from .graph import Graph

_WAITING_CHUNKS = 2  # that are made before they are asked for
_POLL_SECONDS = 0.1


class WalkChunk:
    """Some of the walks, one after the other: walk i is
    `vertices[offsets[i]:offsets[i + 1]]`, from its start on. Iterating gives the walks."""

    def __init__(self, graph: "Graph", walks: Any):
        self._graph = graph
        self.first: int = walks.first  # the number of the first of them
        self.offsets, address = numbers(walks.count + 1, COUNT)
        ctypes.memmove(address, walks.offsets, 8 * (walks.count + 1))
        length = int(self.offsets[-1])
        self.vertex_ids, address = numbers(length, VERTEX)  # of vertices with names, their ranks
        if length > 0:
            ctypes.memmove(address, walks.vertices, 8 * length)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __repr__(self) -> str:
        return f"<edgemill.WalkChunk: {len(self):,} walks, {len(self.vertex_ids):,} vertices>"

    @property
    def vertices(self) -> Any:
        """The vertices of all walks: an array of ids, or a list of names."""
        if self._graph.has_names:
            return self._graph.names_of(self.vertex_ids)
        return self.vertex_ids

    def __iter__(self) -> Iterator[Any]:
        vertices, offsets = self.vertices, self.offsets.tolist()
        for begin, end in zip(offsets, offsets[1:]):
            yield vertices[begin:end]


class Walks:
    """Random walks. Iterating makes them, and gives one after the other: an array of ids, or a list
    of names. Each time it makes the same walks again. They are never all in memory."""

    def __init__(self, graph: "Graph", starts: Any, values: Dict[str, Any], progress: Any):
        self._graph = graph
        self._starts, self._num_starts = (None, 0) if starts is None else graph._ids_of(starts)
        self._values = values
        self._progress = progress
        Call(WALK_OPTIONS, values, False)  # raises where a value cannot be one

    def __iter__(self) -> Iterator[Any]:
        for chunk in self.chunks():
            yield from chunk

    def chunks(self) -> Iterator[WalkChunk]:
        """The walks in chunks of about 130,000 vertices."""
        call = Call(WALK_OPTIONS, self._values, self._progress)
        made: "queue.Queue[Any]" = queue.Queue(_WAITING_CHUNKS)
        ended = threading.Event()

        def give(item: Any) -> bool:
            """Whether it was taken. Else nobody waits for it any more."""
            while not ended.is_set() and threading.main_thread().is_alive():
                try:
                    made.put(item, timeout=_POLL_SECONDS)
                    return True
                except queue.Full:
                    pass
            return False

        def work() -> None:
            try:
                self._make(call, give)
                give(None)
            except BaseException as error:  # it is raised where chunks are asked for
                give(error)

        thread = threading.Thread(target=work, name="edgemill-walks")
        thread.start()
        try:
            while True:
                item = made.get()
                if item is None:
                    return
                if isinstance(item, BaseException):
                    raise item
                yield item
        except KeyboardInterrupt as error:
            call.cancel(error)
            raise
        finally:
            ended.set()
            thread.join()

    def _make(self, call: Call, give: Callable[[WalkChunk], bool]) -> None:
        def take(_user, walks) -> int:
            return 0 if call.users(lambda: give(WalkChunk(self._graph, walks[0]))) else 1

        starts = None if self._starts is None else ctypes.addressof(self._starts)
        request = library.WalkRequest(starts, self._num_starts, None, library.TAKE_WALKS(take))
        with self._graph.used() as graph:
            call.run(lib.walk, graph, request, call.struct)


def walk_method() -> Callable[..., Walks]:
    """The method `walks` of graphs."""
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    starts = inspect.Parameter("starts", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None)
    signature = inspect.Signature([own, starts] + parameters_of(WALK_OPTIONS),
                                  return_annotation=Walks)

    def walks(*arguments, **keywords):
        values = bound("walks", signature, arguments, keywords)
        progress = values.get("progress")
        return Walks(values["self"], values.get("starts"), values,
                     False if progress is None else progress)

    walks.__qualname__ = "Graph.walks"
    walks.__module__ = "edgemill.graph"
    walks.__signature__ = signature
    walks.__doc__ = f"""Random walks, as DeepWalk and node2vec take them: an iterable of walks.

    starts: where they begin; a vertex may come several times. By default all vertices

A seed gives the same walks for any threads and memory. Blocks of edges are kept in memory, as many
as fit, and walks wait for the others. A walk ends before `length` at a vertex without edges.
{options_text(WALK_OPTIONS)}"""
    return walks


class SampledGraph(NamedTuple):
    """The sampled neighbourhood of some vertices, as layers of a graph neural network take it.

    Edge i leads from nodes[row[i]] to nodes[col[i]], and against it in the graph for
    `direction="in"`: messages go from a neighbour, the row, to the vertex that was sampled for.
    """

    nodes: Any  # ids: first the given vertices, then those of each hop
    row: Any  # of each edge: the neighbour, as a place in `nodes`
    col: Any  # of each edge: the vertex whose neighbour was taken, as a place in `nodes`
    num_nodes: List[int]  # that each hop has added; first the given vertices
    num_edges: List[int]  # of each hop


class NeighborSampler:
    """Samples neighbourhoods on disk for mini-batches, with the fan-outs of GraphSAGE. It gives
    what samplers of PyG and DGL give: `row`, `col` and `nodes` of one graph for the whole batch, in
    which each vertex is sampled once.

        sampler = edgemill.NeighborSampler(g, [25, 10])
        batch = sampler([17, 4, 99], seed=epoch)

    graph: an open graph
    fanouts: how many neighbours are taken of a vertex, by hop; all where it has fewer
    direction: "in" takes vertices from which edges come, "out" those to which they lead
    """

    def __init__(self, graph: "Graph", fanouts: Any, *, direction: str = "in"):
        if numpy_or_none() is None:
            raise missing("numpy", "NeighborSampler")
        self.graph = graph
        self.fanouts = [operator.index(fanout) for fanout in fanouts]
        self.direction = direction
        if not self.fanouts or min(self.fanouts) < 1:
            raise UsageError(f"fanouts={fanouts!r}: give a number for each hop, from 1 on")
        graph._flags(direction, False)  # raises where it is none

    def __call__(self, vertices: Any, *, seed: int = 0) -> SampledGraph:
        """Samples for these vertices, which are ids or names. The same seed gives the same sample."""
        import numpy

        ids, count = self.graph._ids_of(vertices)
        frontier = numpy.array(ids[:count], dtype="u8")
        nodes, first = numpy.unique(frontier, return_index=True)
        nodes = frontier[numpy.sort(first)]  # each once, in the order in which they were given
        frontier, rows, cols = nodes, [], []
        num_nodes, num_edges = [len(nodes)], []
        for hop, fanout in enumerate(self.fanouts):
            layer = self.graph._sampled(frontier, fanout, seed + hop, self.direction)
            neighbors = numpy.asarray(layer.neighbor_ids)
            fresh = numpy.setdiff1d(neighbors, nodes)
            first_col = len(nodes) - len(frontier)
            nodes = numpy.concatenate([nodes, fresh])
            by_id = numpy.argsort(nodes)
            rows.append(by_id[numpy.searchsorted(nodes, neighbors, sorter=by_id)])
            degrees = numpy.diff(numpy.asarray(layer.offsets))
            cols.append(first_col + numpy.repeat(numpy.arange(len(frontier)), degrees))
            num_nodes.append(len(fresh))
            num_edges.append(len(neighbors))
            frontier = fresh
        return SampledGraph(nodes, numpy.concatenate(rows), numpy.concatenate(cols), num_nodes,
                            num_edges)
