"""What an open graph says of its vertices: neighbours, degrees, samples, edges in chunks."""

import array
import ctypes
import operator
from typing import (TYPE_CHECKING, Any, ContextManager, Iterator, List, Optional, Sequence, Tuple,
                    Union)

from .columns import names_of_struct, numbers, numpy_or_none
from .errors import UsageError
from .library import COUNT, VERTEX, Draw, Names, Neighbors
from .lists import IN, ONCE, SOURCES, WEIGHTS, Lists

_ID_RULE = "ids are whole numbers from 0 to 2^64 - 2"
_LARGEST_ID = 2**64 - 2


def is_one(vertex: Any) -> bool:
    """Whether this is one vertex, and not several."""
    return isinstance(vertex, (str, bytes, float)) or (
        hasattr(vertex, "__index__") and not hasattr(vertex, "__len__"))


class ListMethods:
    """The methods of an open graph that read lists. The first call reads the ids and an index."""

    if TYPE_CHECKING:
        from .graph import GraphPath

        @property
        def path(self) -> GraphPath: ...

        has_names: bool
        directed: bool
        num_vertices: int
        num_edges: int
        weights: Optional[str]

        def used(self) -> ContextManager[int]: ...

        def names(self) -> Optional[List[str]]: ...

        def _on_lists(self, name: str, *arguments: Any) -> None: ...

    def _ids_of(self, vertices: Any) -> Tuple[Any, int]:
        """The ids of vertices as the user has them: for the library, and their number."""
        if self.has_names:
            return self._ids_of_names(vertices)
        numpy = numpy_or_none()
        kind = getattr(getattr(vertices, "dtype", None), "kind", None)
        if numpy is not None and kind in ("i", "u"):
            given = numpy.asarray(vertices).ravel()
            low = (given < 0).nonzero()[0]
            if len(low):
                raise UsageError(f"vertex {low[0]} of the array is {given[low[0]]}: {_ID_RULE}")
            ids = (ctypes.c_uint64 * max(len(given), 1))()
            numpy.frombuffer(ids, dtype="u8")[: len(given)] = given
            return ids, len(given)
        wanted = []
        for vertex in [vertices] if is_one(vertices) else vertices:
            try:
                wanted.append(operator.index(vertex))
            except TypeError:
                raise UsageError(f"{vertex!r} is no vertex of {self.path}: {_ID_RULE}") from None
            if not 0 <= wanted[-1] <= _LARGEST_ID:
                raise UsageError(f"{vertex!r} is no vertex of {self.path}: {_ID_RULE}")
        return (ctypes.c_uint64 * max(len(wanted), 1))(*wanted), len(wanted)

    def _ids_of_names(self, names: Any) -> Tuple[Any, int]:
        wanted = []
        for name in [names] if is_one(names) else names:
            if not isinstance(name, str) or "\0" in name:
                raise UsageError(f"{name!r} is no vertex of {self.path}: its vertices have names")
            wanted.append(name.encode(errors="surrogateescape"))
        ids = (ctypes.c_uint64 * max(len(wanted), 1))()
        texts = (ctypes.c_char_p * max(len(wanted), 1))(*wanted)
        self._on_lists("find", texts, len(wanted), ids)
        return ids, len(wanted)

    def names_of(self, ids: Any) -> List[str]:
        """The names of the vertices with these ids, which are the ranks of their names."""
        numpy = numpy_or_none()
        if numpy is None:
            given = (ctypes.c_uint64 * max(len(ids), 1))(*ids)
        else:
            contiguous = numpy.ascontiguousarray(ids, dtype="u8")
            given = contiguous.ctypes.data
        names = ctypes.POINTER(Names)()
        self._on_lists("names", given, len(ids), ctypes.byref(names))
        return names_of_struct(names)

    def __contains__(self, vertex: Any) -> bool:
        """Whether this is the id or the name of a vertex."""
        if not is_one(vertex):
            return False
        with self.used():  # raises where the graph is closed
            for flags in (0, IN):  # the graph may have the lists of one direction alone
                try:
                    self._degrees(vertex, flags)
                    return True
                except UsageError:
                    pass
        return False

    def vertices(self) -> Any:
        """All vertices in the order of answers: an array of rising ids, or a list of names."""
        if self.has_names:
            return self.names()
        ids, address = numbers(self.num_vertices, VERTEX)
        self._on_lists("vertices", address)
        return ids

    def _degrees(self, vertices: Any, flags: int) -> Any:
        if vertices is None:
            degrees, address = numbers(self.num_vertices, COUNT)
            self._on_lists("degrees", None, 0, flags, address)
            return degrees
        ids, count = self._ids_of(vertices)
        degrees, address = numbers(count, COUNT)
        self._on_lists("degrees", ids, count, flags, address)
        return int(degrees[0]) if is_one(vertices) else degrees

    def out_degree(self, vertices: Any = None) -> Any:
        """The number of edges that leave a vertex; an array for several vertices, or for all, in
        the order of `vertices()`, where none are given."""
        return self._degrees(vertices, 0)

    def in_degree(self, vertices: Any = None) -> Any:
        """As `out_degree`, of the edges that lead to a vertex."""
        return self._degrees(vertices, IN)

    def degree(self, vertices: Any = None) -> Any:
        """The number of neighbours of a vertex of a symmetric graph, as the lists have them; of a
        directed one, the sum of `out_degree` and `in_degree`."""
        out = self._degrees(vertices, 0)
        if not self.directed:
            return out
        into = self._degrees(vertices, IN)
        if isinstance(out, array.array):
            return array.array(out.typecode, map(operator.add, out, into))
        return out + into

    def _read(self, name: str, flags: int, *arguments: Any) -> Lists:
        """The lists that a function of the library gives."""
        pointer = ctypes.POINTER(Neighbors)()
        self._on_lists(name, *arguments, ctypes.byref(pointer))
        return Lists(self, pointer, flags)

    @staticmethod
    def _flags(direction: str, weights: bool) -> int:
        if direction not in ("out", "in"):
            raise UsageError(f'direction={direction!r}: give "out" or "in"')
        return (IN if direction == "in" else 0) | (WEIGHTS if weights else 0)

    def neighbors(self, vertices: Any, *, direction: str = "out", weights: bool = False) -> Any:
        """The neighbours of a vertex: an array of ids, or a list of names; `Lists` for several
        vertices.

        direction: "out" for the vertices to which edges lead; "in" for those from which they come
        weights: True for a pair of the neighbours and the weights of the edges
        """
        ids, count = self._ids_of(vertices)
        flags = self._flags(direction, weights)
        lists = self._read("read", flags, ids, count, flags)
        if not is_one(vertices):
            return lists
        return (lists.neighbors, lists.weights) if weights else lists.neighbors

    def sample(self, vertices: Any, count: Union[int, Sequence[int]], *, seed: int = 0,
               direction: str = "out", weights: bool = False) -> Any:
        """Of each of the vertices `count` neighbours, or all where it has fewer. They are drawn
        uniformly, no edge twice. The draw depends on the seed and the vertex alone.

        count: several numbers sample as many hops, and give a list of `Lists`: those of the given
            vertices, then those of their sampled neighbours, each once, and so on
        """
        flags = self._flags(direction, weights)
        is_one_hop = hasattr(count, "__index__") or not hasattr(count, "__iter__")
        hops = [count] if is_one_hop else list(count)
        for hop in hops:
            if not hasattr(hop, "__index__") or not 0 <= operator.index(hop) < 2**63:
                raise UsageError(f"count={hop!r}: give a whole number, or several, from 0 on")
        ids, length = self._ids_of(vertices)
        layers: List[Lists] = []
        for hop in hops:
            if layers:
                found = sorted(set(layers[-1].neighbor_ids.tolist()))
                ids, length = (ctypes.c_uint64 * max(len(found), 1))(*found), len(found)
            layers.append(self._drawn(ids, length, operator.index(hop), seed + len(layers), flags))
        return layers[0] if is_one_hop else layers

    def _drawn(self, ids: Any, length: int, count: int, seed: int, flags: int) -> Lists:
        """What is drawn of the lists of vertices, which are an array of ids."""
        seed = operator.index(seed) % 2**64
        draw = Draw(ctypes.addressof(ids), length, count, seed, flags)
        return self._read("sample", flags, ctypes.byref(draw))

    def _sampled(self, ids: Any, count: int, seed: int, direction: str) -> Lists:
        """The same of an array of NumPy."""
        given = (ctypes.c_uint64 * max(len(ids), 1)).from_buffer_copy(
            ids.tobytes() if len(ids) else bytes(8))
        return self._drawn(given, len(ids), count, seed, self._flags(direction, False))

    def lists(self, *, direction: str = "out", weights: bool = False,
              chunk: int = 1 << 20) -> Iterator[Lists]:
        """The lists of all vertices that have edges, as `Lists` of at most `chunk` edges, in the
        order in which they are stored. A list that is longer than a chunk goes on in the next."""
        return self._chunks(self._flags(direction, weights), chunk)

    def _chunks(self, flags: int, chunk: int) -> Iterator[Lists]:
        if not hasattr(chunk, "__index__") or operator.index(chunk) < 1:
            raise UsageError(f"chunk={chunk!r}: give the edges of a chunk, 1 or more")

        def chunks() -> Iterator[Lists]:
            place = 0
            while place < self.num_edges:
                lists = self._read("edges", flags, place, operator.index(chunk), flags)
                place = lists.next
                yield lists

        return chunks()

    def edges(self, *, weights: Optional[bool] = None, once: bool = False,
              chunk: int = 1 << 20) -> Iterator[Tuple[Any, ...]]:
        """All edges in chunks: pairs of sources and targets, arrays of ids or lists of names, with
        the weights where the graph has some.

        weights: False leaves them out
        once: of a symmetric graph, each edge once instead of once in each direction
        chunk: edges of a chunk
        """
        with_weights = self.weights is not None if weights is None else bool(weights)
        flags = SOURCES | (WEIGHTS if with_weights else 0) | (ONCE if once else 0)
        chunks = self._chunks(flags, chunk)

        def edges() -> Iterator[Tuple[Any, ...]]:
            swapped, parts = False, chunks
            try:
                first = next(parts, None)
            except UsageError as error:
                if not self.directed:
                    raise
                # The graph has only the lists of the other direction, or weights there.
                swapped, parts = True, self._chunks(flags | IN, chunk)
                try:
                    first = next(parts, None)
                except UsageError:
                    raise error from None
            while first is not None:
                ends = (first.neighbors, first.sources) if swapped else (first.sources,
                                                                         first.neighbors)
                yield ends + ((first.weights,) if with_weights else ())
                first = next(parts, None)

        return edges()

    def to_scipy(self, *, weights: Optional[bool] = None, limit: Union[int, str] = "4GiB") -> Any:
        """The adjacency matrix, a `scipy.sparse.csr_array`: row and column i are vertex i of
        `vertices()`. An edge that occurs several times has as many entries.

        weights: False for entries of 1 where the graph has weights
        limit: BudgetError, with the estimate, where the matrix takes more
        """
        from .sparse import matrix_of

        with_weights = self.weights is not None if weights is None else bool(weights)
        return matrix_of(self, with_weights, limit)
