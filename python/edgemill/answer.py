"""Answers of runs: columns in the user's ids or names."""

import bisect
import ctypes
import operator
from typing import (TYPE_CHECKING, Any, Callable, Dict, Iterator, List, NoReturn, Optional, Tuple,
                    Union)

from . import library
from .columns import Memory, missing, numpy_or_none, read_names
from .dlpack import CPU, capsule_of
from .gpu import GpuValues
from .errors import UsageError
from .groups import groups_of
from .library import COUNT, NO_VALUE, REAL, VERTEX, check, lib, python

if TYPE_CHECKING:
    from .graph import Graph

_GROUPS = ("component", "community", "label")  # columns whose values are groups of vertices
_streams: Dict[int, Any] = {}  # those that nobody has taken yet, by their addresses


def _release_stream(capsule: int) -> None:
    stream = _streams.pop(python.PyCapsule_GetPointer(capsule, b"arrow_array_stream"))
    if stream.release:  # whoever takes a stream sets it to null
        library.RELEASE_STREAM(stream.release)(ctypes.addressof(stream))


_RELEASE = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(_release_stream)


class Answer:
    """The answer of a run: a value for each vertex, in the order of rising ids or names.

    Indexing with the name of a column gives that column. So do `values` and, for NumPy,
    `numpy.asarray(answer)`, without a copy. Vertices without a value have -1 in a column of levels
    or other counts, 2**64 - 1 in one of vertices, and infinity in one of real numbers. For Arrow,
    an answer is a stream: `pyarrow.table(answer)`, `polars.from_arrow(answer)`.
    """

    def __init__(self, graph: "Graph", algorithm: str, pointer: int, say: Callable[[str], str]):
        self._pointer = pointer
        self._graph = graph
        self.algorithm = algorithm
        info = lib.answer_describe(pointer)[0]
        self._info = info
        self.column: str = info.column.decode()
        self.columns: Tuple[str, ...] = tuple(
            info.headings[i].decode() for i in range(info.num_headings)
        )
        self.warnings: Tuple[str, ...] = tuple(
            say(info.warnings[i].decode()) for i in range(info.num_warnings)
        )
        self.iterations: int = info.iterations
        self.seconds: float = info.seconds
        self.bytes_read: int = info.bytes_read
        # The file that has the values, in the place of this answer.
        self.output: Optional[str] = None

    def __del__(self):
        if getattr(self, "_pointer", None):
            lib.answer_free(self._pointer)

    def __reduce__(self):
        raise TypeError("an answer cannot be copied or pickled: take its values")

    def __len__(self) -> int:
        return self._info.num_vertices

    def __repr__(self) -> str:
        return (
            f"<edgemill.Answer of {self.algorithm}: {self.column} of {len(self):,} vertices, "
            f"{self.iterations:,} iterations, {self.seconds:.3f} s>"
        )

    @property
    def _shape(self) -> Tuple[int, ...]:
        return (len(self),) if len(self.columns) == 1 else (len(self), len(self.columns))

    def _need_values(self) -> None:
        if self.output is not None:
            raise UsageError(f"the values are in the file {self.output}, and not in memory")

    def _refuse(self, *_item) -> NoReturn:
        raise TypeError("an answer is neither a sequence nor a dictionary: use values, vertices, "
                        "of(vertex), to_dict() or to_pandas()")

    # pandas and dict() ask for keys. The values without their vertices would mislead there.
    __iter__ = __contains__ = __reversed__ = keys = _refuse

    def of(self, vertex: Any) -> Any:
        """The value of the vertex with this id or name; None where it has none. A dictionary by
        column where there are several. KeyError for what is no vertex."""
        place = self._place_of(vertex)
        found = {column: self._shown(self[column][place : place + 1].tolist()[0])
                 for column in self.columns}
        return found if len(found) > 1 else found[self.columns[0]]

    def _place_of(self, vertex: Any) -> int:
        self._need_values()
        if self._graph.has_names:
            keys, key = self._graph.names(), vertex  # in the order of their code points
            is_key = isinstance(vertex, str)
        else:
            keys = self.ids
            try:
                key = operator.index(vertex)
            except TypeError:
                key = -1
            is_key = 0 <= key < NO_VALUE
        place = bisect.bisect_left(keys, key) if is_key else len(self)
        if place == len(self) or keys[place] != key:
            kind = "name" if self._graph.has_names else "id"
            raise KeyError(f"{vertex!r} is the {kind} of none of the vertices of {self._graph.path}")
        return place

    def __getitem__(self, column: str) -> Any:
        self._need_values()
        try:
            place = self.columns.index(column)
        except ValueError:
            raise KeyError(f"{column!r} is none of the columns {', '.join(self.columns)}") from None
        count = len(self)
        address = (self._info.values or 0) + 8 * count * place
        return Memory(self, address, count, self._info.type).view()

    def shown_vertices(self, ids: List[int]) -> List[Any]:
        """Vertices by their ids as the input has them: names where the graph has some."""
        if not self._graph.has_names or not ids:
            return list(ids)
        with self._graph.used() as pointer:
            return read_names(pointer, ids)

    @property
    def has_whole_weights(self) -> bool:
        """Whether the weights of the graph are whole numbers."""
        return self._graph.weights == "int"

    @property
    def is_real(self) -> bool:
        """Whether the values are real numbers, of which infinity is no value."""
        return self._info.type == REAL

    @property
    def facts(self) -> Dict[str, Union[int, float]]:
        """What the run found out about the graph as a whole: {"reached_vertices": 1234}."""
        found = {}
        for fact in self._info.facts[: self._info.num_facts]:
            for number in fact.numbers[: fact.num_numbers]:
                found[number.name.decode()] = number.real if number.is_real else number.whole
        return found

    @property
    def ids(self) -> Any:
        """The ids of the vertices; those of vertices with names are the ranks of their names."""
        self._need_values()
        if self._info.ids:
            return Memory(self, self._info.ids, len(self), VERTEX).view()
        numpy = numpy_or_none()
        return range(len(self)) if numpy is None else numpy.arange(len(self), dtype="u8")

    @property
    def vertices(self) -> Any:
        """The vertices as the input has them: a list of names, or the ids."""
        self._need_values()
        return self._graph.names() if self._graph.has_names else self.ids

    @property
    def values(self) -> Any:
        """The values. Several columns are the columns of a two-dimensional array of NumPy, or a
        list without NumPy."""
        self._need_values()
        if len(self.columns) == 1:
            return self[self.columns[0]]
        numpy = numpy_or_none()
        if numpy is None:
            return [self[column] for column in self.columns]
        count = len(self) * len(self.columns)
        flat = Memory(self, self._info.values or 0, count, self._info.type).view()
        return flat.reshape(len(self.columns), len(self)).T

    def __array__(self, dtype=None, copy=None):
        numpy = numpy_or_none()
        if numpy is None:
            raise missing("numpy", "an array")
        values = self.values
        if dtype is not None and numpy.dtype(dtype) != values.dtype:
            if copy is False:
                raise ValueError(f"{values.dtype} as {dtype} needs a copy")
            return values.astype(dtype)
        return values.copy() if copy else values

    def __dlpack_device__(self) -> Tuple[int, int]:
        return CPU, 0

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        """The values as a tensor of DLPack: `torch.from_dlpack(answer)`. Nothing is copied for
        consumers of DLPack 1.0 or later, which are told that the memory is read-only. Others get a
        copy. Several columns are the columns of the tensor."""
        if stream is not None or dl_device not in (None, (CPU, 0)):
            raise BufferError("the values are in the memory of the CPU")
        return capsule_of(self, self._info.values or 0, self._shape, self._info.type, max_version,
                          copy)

    def to_gpu(self, gpu: int = 0) -> GpuValues:
        """A copy of the values in the memory of a GPU, for PyTorch, CuPy and Numba."""
        self._need_values()
        pointer = ctypes.c_void_p()
        check(lib.answer_copy_to_gpu(self._pointer, gpu, ctypes.byref(pointer)))
        return GpuValues(pointer.value, gpu, self._shape, self._info.type)

    def to_numpy(self):
        """The values as an array of NumPy, without a copy."""
        return self.__array__()

    def to_pandas(self):
        """A DataFrame with the vertices as its index. A vertex without a value has <NA> in a
        column of whole numbers, and NaN in one of real numbers, so that means and sums leave it
        out."""
        try:
            import pandas
        except ImportError:
            raise missing("pandas", "a DataFrame") from None
        columns = {}
        for name in self.columns:
            values = self[name]
            if self._info.type == VERTEX and self._graph.has_names:
                names = self._graph.names()
                columns[name] = [None if at == NO_VALUE else names[at] for at in values.tolist()]
                continue
            if self._info.type in (COUNT, VERTEX):
                mask = values == values.dtype.type(-1 if self._info.type == COUNT else NO_VALUE)
                values = pandas.arrays.IntegerArray(values, mask) if mask.any() else values
            elif self._info.type == REAL:
                mask = values == float("inf")
                if mask.any():
                    values = values.copy()
                    values[mask] = float("nan")
            columns[name] = values
        index = pandas.Index(self.vertices, name="vertex")
        return pandas.DataFrame(columns, index=index, copy=False)

    def to_arrow(self):
        """A table of pyarrow: the column "vertex", and the values."""
        try:
            import pyarrow
        except ImportError:
            raise missing("pyarrow", "a table") from None
        return pyarrow.table(self)

    def to_dict(self) -> Dict[Any, Any]:
        """The value of each vertex by its id or name; None where it has none. Slow, and large: a
        hundred bytes or more a vertex."""
        if len(self.columns) > 1:
            raise UsageError("to_dict: the answer has several columns: take them by their names")
        values = [self._shown(value) for value in self.values.tolist()]
        vertices = self.vertices
        return dict(zip(vertices if isinstance(vertices, (list, range)) else vertices.tolist(),
                        values))

    def _shown(self, value: Any) -> Any:
        """A value of the first column in the user's terms."""
        kind = self._info.type
        if value == (float("inf") if kind == REAL else -1 if kind == COUNT else NO_VALUE):
            return None
        return self._graph.names()[value] if kind == VERTEX and self._graph.has_names else value

    def chunks(self, size: int = 1 << 20) -> Iterator[Tuple[Any, Any]]:
        """Pairs of vertices, as `vertices` has them, and their values, `size` at a time: for names
        and conversions of large answers, which then take the memory of a chunk."""
        size = max(operator.index(size), 1)
        ids, values = self.ids, self.values
        for start in range(0, len(self), size):
            part = slice(start, start + size)
            vertices = ids[part]
            if self._graph.has_names:
                vertices = self._graph.names_of(vertices)
            several = isinstance(values, list)
            yield vertices, [one[part] for one in values] if several else values[part]

    def top(self, count: int = 10) -> List[Tuple[Any, Union[int, float]]]:
        """The `count` vertices of greatest value with their values; in a column of components,
        the largest components with their numbers of vertices."""
        self._need_values()
        most = min(max(count, 0), len(self))
        top = (library.Top * most)()
        found = ctypes.c_uint64(most)
        check(lib.answer_top(self._pointer, top, ctypes.byref(found)))
        is_real = self._info.type == REAL
        entries = [(one.id, one.real if is_real else one.whole) for one in top[: found.value]]
        vertices = self.shown_vertices([vertex for vertex, _ in entries])
        return list(zip(vertices, [value for _, value in entries]))

    def groups(self) -> Iterator[List[Any]]:
        """The vertices by their common value, as lists of ids or names: the members of each
        component or community, the largest first. Only for answers of components, communities and
        labels."""
        self._need_values()
        if self.column not in _GROUPS:
            raise UsageError(f"groups: a {self.column} is no group of vertices: of "
                             f"{', '.join(_GROUPS[:-1])} and {_GROUPS[-1]} alone")
        return groups_of(self)

    def __arrow_c_stream__(self, requested_schema=None):
        """The answer as an Arrow stream (PyCapsule interface): "vertex", and the values, with a
        null for a vertex without a value. `requested_schema` is not followed."""
        self._need_values()
        stream = library.ArrowArrayStream()
        check(lib.answer_export_stream(self._pointer, ctypes.byref(stream)))
        _streams[ctypes.addressof(stream)] = stream
        return python.PyCapsule_New(ctypes.addressof(stream), b"arrow_array_stream",
                                    ctypes.cast(_RELEASE, ctypes.c_void_p))
