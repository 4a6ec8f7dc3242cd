"""Answers of runs: columns in the user's ids or names."""

import array
import bisect
import ctypes
import operator
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NoReturn, Tuple, Union

from . import library
from .errors import UsageError
from .library import COUNT, LONG_COUNT, NO_VALUE, REAL, VERTEX, check, lib, python

if TYPE_CHECKING:
    from .graph import Graph

# By type: the code of the module array, and the type of NumPy's array interface. Counts are below
# 2^63, so that "no value" is -1.
_TYPES = {COUNT: ("q", "<i8"), LONG_COUNT: ("Q", "<u8"), VERTEX: ("Q", "<u8"), REAL: ("d", "<f8")}


def _missing(package: str, what: str) -> ImportError:
    return ImportError(f"{what} needs {package}, which is not installed: pip install {package}")


def _numpy():
    """NumPy, or None where it is not installed."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy


class _Memory:
    """Numbers in the memory of an answer, which stays as long as they are used."""

    def __init__(self, owner: "Answer", address: int, count: int, kind: int):
        self._owner = owner
        self._address = address
        self._count = count
        self._code, self._typestr = _TYPES[kind]

    @property
    def __array_interface__(self) -> Dict[str, Any]:
        return {
            "version": 3,
            "shape": (self._count,),
            "typestr": self._typestr,
            "data": (self._address or 0, True),  # read-only
        }

    def view(self) -> Any:
        """A read-only array of NumPy or, without NumPy, a memoryview. Nothing is copied."""
        numpy = _numpy()
        if self._count == 0:
            empty = array.array(self._code)
            return memoryview(empty) if numpy is None else numpy.array(empty)
        if numpy is not None:
            return numpy.asarray(self)
        raw = (ctypes.c_char * (8 * self._count)).from_address(self._address)
        raw._owner = self._owner
        return memoryview(raw).toreadonly().cast("B").cast(self._code)


def _names_of(names: Any) -> List[str]:
    """The texts of a struct Names."""
    count = names.count
    offsets = names.offsets[: count + 1]
    text = ctypes.string_at(names.text, offsets[count]) if count else b""
    return [text[offsets[i] : offsets[i + 1]].decode() for i in range(count)]


def read_names(graph_pointer: int, ids=None) -> List[str]:
    """The names of all vertices of a graph, or of those with these ids."""
    names = ctypes.POINTER(library.Names)()
    given = None if ids is None else (ctypes.c_uint64 * len(ids))(*ids)
    check(lib.graph_names(graph_pointer, given, 0 if ids is None else len(ids),
                          ctypes.byref(names)))
    try:
        return _names_of(names[0])
    finally:
        lib.names_free(names)


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
        try:
            place = self.columns.index(column)
        except ValueError:
            raise KeyError(f"{column!r} is none of the columns {', '.join(self.columns)}") from None
        count = len(self)
        address = (self._info.values or 0) + 8 * count * place
        return _Memory(self, address, count, self._info.type).view()

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
        if self._info.ids:
            return _Memory(self, self._info.ids, len(self), VERTEX).view()
        numpy = _numpy()
        return range(len(self)) if numpy is None else numpy.arange(len(self), dtype="u8")

    @property
    def vertices(self) -> Any:
        """The vertices as the input has them: a list of names, or the ids."""
        return self._graph.names() if self._graph.has_names else self.ids

    @property
    def values(self) -> Any:
        """The values. Several columns are the columns of a two-dimensional array of NumPy, or a
        list without NumPy."""
        if len(self.columns) == 1:
            return self[self.columns[0]]
        numpy = _numpy()
        if numpy is None:
            return [self[column] for column in self.columns]
        count = len(self) * len(self.columns)
        flat = _Memory(self, self._info.values or 0, count, self._info.type).view()
        return flat.reshape(len(self.columns), len(self)).T

    def __array__(self, dtype=None, copy=None):
        numpy = _numpy()
        if numpy is None:
            raise _missing("numpy", "an array")
        values = self.values
        if dtype is not None and numpy.dtype(dtype) != values.dtype:
            if copy is False:
                raise ValueError(f"{values.dtype} as {dtype} needs a copy")
            return values.astype(dtype)
        return values.copy() if copy else values

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
            raise _missing("pandas", "a DataFrame") from None
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
            raise _missing("pyarrow", "a table") from None
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

    def top(self, count: int = 10) -> List[Tuple[Any, Union[int, float]]]:
        """The `count` vertices of greatest value with their values; in a column of components,
        the largest components with their numbers of vertices."""
        most = min(max(count, 0), len(self))
        top = (library.Top * most)()
        found = ctypes.c_uint64(most)
        check(lib.answer_top(self._pointer, top, ctypes.byref(found)))
        is_real = self._info.type == REAL
        entries = [(one.id, one.real if is_real else one.whole) for one in top[: found.value]]
        if not self._graph.has_names:
            return entries
        with self._graph.used() as pointer:
            names = read_names(pointer, [vertex for vertex, _ in entries])
        return list(zip(names, [value for _, value in entries]))

    def __arrow_c_stream__(self, requested_schema=None):
        """The answer as an Arrow stream (PyCapsule interface): "vertex", and the values, with a
        null for a vertex without a value. `requested_schema` is not followed."""
        stream = library.ArrowArrayStream()
        check(lib.answer_export_stream(self._pointer, ctypes.byref(stream)))
        _streams[ctypes.addressof(stream)] = stream
        return python.PyCapsule_New(ctypes.addressof(stream), b"arrow_array_stream",
                                    ctypes.cast(_RELEASE, ctypes.c_void_p))
