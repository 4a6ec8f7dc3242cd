"""Lists of neighbours as arrays."""

from typing import TYPE_CHECKING, Any, Iterator, Tuple

from .columns import Memory
from .library import COUNT, REAL, VERTEX, lib

if TYPE_CHECKING:
    from .graph import Graph

IN, WEIGHTS, SOURCES, ONCE = 1, 2, 4, 8  # edgemill_list_flags


class Lists:
    """Lists of neighbours, one after the other, as arrays. Iterating gives pairs of a vertex and its
    neighbours. The neighbours of list i are `neighbors[offsets[i]:offsets[i + 1]]`.

    Nothing is copied: arrays look into the memory of this object, which stays as long as they do.
    """

    def __init__(self, graph: "Graph", pointer: Any, flags: int):
        self._graph = graph
        self._flags = flags
        self._pointer = pointer
        self._info = pointer[0]

    def __del__(self):
        if getattr(self, "_pointer", None):
            lib.neighbors_free(self._pointer)

    def __reduce__(self):
        raise TypeError("lists cannot be copied or pickled: take their arrays")

    def __len__(self) -> int:
        return self._info.num_lists

    def __repr__(self) -> str:
        return f"<edgemill.Lists: {len(self):,} lists, {self.num_edges:,} edges>"

    @property
    def num_edges(self) -> int:
        return self._info.num_edges

    def _column(self, address: Any, count: int, kind: int) -> Any:
        return Memory(self, address or 0, count, kind).view()

    @property
    def vertex_ids(self) -> Any:
        """The ids of the vertices whose lists these are; of vertices with names, their ranks."""
        return self._column(self._info.vertices, len(self), VERTEX)

    @property
    def neighbor_ids(self) -> Any:
        """The ids of all neighbours; of vertices with names, their ranks."""
        return self._column(self._info.neighbors, self.num_edges, VERTEX)

    @property
    def vertices(self) -> Any:
        """The vertices whose lists these are: an array of ids, or a list of names."""
        return self._shown(self.vertex_ids)

    @property
    def neighbors(self) -> Any:
        """All neighbours: an array of ids, or a list of names."""
        return self._shown(self.neighbor_ids)

    @property
    def offsets(self) -> Any:
        """Where each list begins among the neighbours, and where the last one ends."""
        return self._column(self._info.offsets, len(self) + 1, COUNT)

    @property
    def weights(self) -> Any:
        """The weights of the edges to the neighbours; None where they were not asked for."""
        if not self._flags & WEIGHTS:
            return None
        return self._column(self._info.weights, self.num_edges, REAL)

    @property
    def sources(self) -> Any:
        """Of a chunk of `edges`: the vertex of each edge, as `vertices` has it."""
        if not self._flags & SOURCES:
            return None
        return self._shown(self._column(self._info.sources, self.num_edges, VERTEX))

    @property
    def next(self) -> int:
        """Of a chunk: the number of the first edge after these."""
        return self._info.next

    def _shown(self, ids: Any) -> Any:
        return self._graph.names_of(ids) if self._graph.has_names else ids

    def __iter__(self) -> Iterator[Tuple[Any, Any]]:
        neighbors, offsets = self.neighbors, self.offsets.tolist()
        vertices = self.vertices
        vertices = vertices if isinstance(vertices, list) else vertices.tolist()
        for place, vertex in enumerate(vertices):
            yield vertex, neighbors[offsets[place] : offsets[place + 1]]
