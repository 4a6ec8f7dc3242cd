"""Makes graphs: of files, arrays, data frames, Arrow streams, and iterators of these."""

import array
import ctypes
import inspect
import itertools
import os
from typing import Any, Iterator, List, Optional, Tuple

from . import library
from .call import Call, OptionHelp, arguments_of, path_of
from .errors import BadData, UsageError
from .graph import Graph, Path, options_text, parameters_of
from .library import declared, lib, python

_OPTIONS = {
    of_files: [OptionHelp(option) for option in declared(lib.ingest_options, int(of_files))]
    for of_files in (False, True)
}
_ID_RULE = "ids are whole numbers from 0 to 2^64 - 2"

# By what a number is, and its bytes: Arrow's format.
_FORMATS = {
    **{(code, size): name for code in "bhilqn" for size, name in zip((1, 2, 4, 8), "csil")},
    **{(code, size): name for code in "BHILQN" for size, name in zip((1, 2, 4, 8), "CSIL")},
    ("f", 4): "f",
    ("d", 8): "g",
}


class _PyBuffer(ctypes.Structure):
    """Py_buffer: where the bytes of an object are, also of one that is read-only."""

    _fields_ = [
        ("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int), ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
        ("suboffsets", ctypes.c_void_p), ("internal", ctypes.c_void_p),
    ]


def _address_of(view: memoryview) -> int:
    """The address of a contiguous view, valid as long as the view is."""
    buffer = _PyBuffer()
    python.PyObject_GetBuffer(view, ctypes.byref(buffer), 0)
    address = buffer.buf
    python.PyBuffer_Release(ctypes.byref(buffer))
    return address or 0


def _array_of_list(values: List[Any], what: str, first_edge: int) -> array.array:
    """Python's numbers as an array. BadData names the first edge that has none."""
    for code in "Qqd":
        try:
            return array.array(code, values)
        except (OverflowError, TypeError):
            pass
    is_weight = what == "weight"
    for i, value in enumerate(values):
        try:
            array.array("d" if is_weight or isinstance(value, float) else "Q", [value])
        except (OverflowError, TypeError):
            rule = "weights are finite numbers" if is_weight else _ID_RULE
            raise BadData(f"edge {first_edge + i}: the {what} is {value!r}: {rule}") from None
    return array.array("d", values)


def _names_of_list(values: List[Any], what: str, first_edge: int) -> Tuple[array.array, bytes]:
    """Python's texts as their offsets in UTF-8, as Arrow has them."""
    texts = []
    offsets = array.array("q", [0])
    for i, value in enumerate(values):
        if not isinstance(value, str):
            raise BadData(f"edge {first_edge + i}: the {what} is {value!r}: names are texts")
        texts.append(value.encode(errors="surrogatepass"))  # the library refuses surrogates
        offsets.append(offsets[-1] + len(texts[-1]))
    return offsets, b"".join(texts)


class _Column:
    """An array of numbers of any kind, or of names, as the library reads it."""

    named = False
    text: Optional[memoryview] = None  # of names

    def __init__(self, values: Any, what: str, first_edge: int):
        if hasattr(values, "to_numpy"):
            values = values.to_numpy()
        try:
            view = memoryview(values)
        except (TypeError, ValueError, BufferError):
            view = None
        if view is None or view.format[-1] in "Ow":  # Python's objects, or texts of NumPy
            values = values.tolist() if hasattr(values, "tolist") else list(values)
            if what != "weight" and values and isinstance(values[0], str):
                self._set_names(values, what, first_edge)
                return
            view = memoryview(_array_of_list(values, what, first_edge))
        if view.ndim != 1:
            raise UsageError(f"ingest: {what}s have {view.ndim} dimensions: give arrays of one")
        self.format = _FORMATS.get((view.format.lstrip("@=<"), view.itemsize))
        if self.format is None:
            raise UsageError(
                f"ingest: {what}s have the type {view.format!r}: give whole numbers as ids, and "
                "numbers as weights"
            )
        self.count = view.shape[0]
        self.view = view if view.c_contiguous else memoryview(view.tobytes())

    def _set_names(self, values: List[str], what: str, first_edge: int) -> None:
        offsets, text = _names_of_list(values, what, first_edge)
        self.format, self.named = "U", True
        self.count = len(values)
        self.view, self.text = memoryview(offsets), memoryview(text)

    def struct(self) -> library.Array:
        text = None if self.text is None else _address_of(self.text)
        return library.Array(_address_of(self.view), self.format.encode(), None, 0, text)


Columns = Tuple[_Column, ...]


def _columns_of(edges: Any, first_edge: int) -> Columns:
    """The two or three columns of a tuple of arrays, of a data frame, or of an array with two
    dimensions."""
    if hasattr(edges, "iloc") and hasattr(edges, "columns"):
        edges = tuple(edges.iloc[:, i] for i in range(len(edges.columns)))
    elif getattr(edges, "ndim", 1) == 2:
        edges = tuple(edges[:, i] for i in range(edges.shape[1]))
    if not isinstance(edges, (tuple, list)) or len(edges) not in (2, 3):
        what = f"{len(edges)} columns" if hasattr(edges, "__len__") else repr(type(edges).__name__)
        raise UsageError(f"ingest: {what}: give sources and targets, and perhaps weights")
    names = ("source", "target", "weight")
    columns = tuple(_Column(one, what, first_edge) for one, what in zip(edges, names))
    counts = [column.count for column in columns]
    if len(set(counts)) > 1:
        weights = f" and {counts[2]} weights" if len(counts) == 3 else ""
        raise UsageError(
            f"ingest: {counts[0]} sources, {counts[1]} targets{weights}: give arrays of one length"
        )
    return columns


class _Source:
    """Gives chunks of edges to the library."""

    def __init__(self, chunks: Iterator[Any]):
        self._first_edge = 0
        self._chunks = chunks
        self._current: Columns = ()
        first = self._next()
        self.weighted = first is not None and len(first) == 3
        self.named = first is not None and first[0].named
        self._pending: Optional[Columns] = first

    def _next(self) -> Optional[Columns]:
        """The next chunk that has edges."""
        for chunk in self._chunks:
            columns = _columns_of(chunk, self._first_edge)
            self._first_edge += columns[0].count
            if columns[0].count > 0:
                return columns
        return None

    def fill(self, edges) -> None:
        """Puts the next edges into a struct; none at the end."""
        columns, self._pending = self._pending, None
        if columns is None:
            columns = self._next()
        self._current = columns or ()  # stays until the next call
        edges.count = self._current[0].count if self._current else 0
        for name, column in zip(("sources", "targets", "weights"), self._current):
            setattr(edges, name, column.struct())


def _files_of(edges: Any) -> Optional[List[bytes]]:
    """The paths, where `edges` is one or several."""
    if isinstance(edges, (str, os.PathLike)):
        edges = [edges]
    if not isinstance(edges, (tuple, list)) or not edges:
        return None
    return [path_of(one) for one in edges] if all(
        isinstance(one, (str, os.PathLike)) for one in edges
    ) else None


def _ingest_stream(stream: Any, out: bytes, call: Call) -> None:
    capsule = stream.__arrow_c_stream__()
    pointer = python.PyCapsule_GetPointer(id(capsule), b"arrow_array_stream")
    call.run(lib.ingest_stream, pointer, out, call.struct, None)


def _ingest_edges(edges: Any, out: bytes, call: Call) -> None:
    is_iterator = hasattr(edges, "__next__")
    source = _Source(edges if is_iterator else iter([edges]))

    def give(_user, struct) -> int:
        call.users(source.fill, struct[0])
        return 1 if call.failed else 0

    struct = library.EdgeSource(None, int(source.weighted), int(source.named), library.NEXT(give))
    call.run(lib.ingest_edges, struct, out, call.struct, None)


def _make_ingest():
    head = [
        inspect.Parameter("edges", inspect.Parameter.POSITIONAL_OR_KEYWORD),
        inspect.Parameter("out", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Path),
    ]
    signature = inspect.Signature(head + parameters_of(_OPTIONS[True]), return_annotation=Graph)

    def ingest(*arguments, **keywords):
        values = signature.bind(*arguments, **keywords).arguments
        edges, out = values["edges"], path_of(values["out"])
        files = _files_of(edges)
        options = _OPTIONS[files is not None]
        for option in _OPTIONS[True]:
            if values.get(option.parameter) not in (None, False) and all(
                option.name != known.name for known in options
            ):
                raise UsageError(
                    f"ingest: {option.parameter} is for files, and these are edges: leave it out"
                )
        call = Call(arguments_of(options, values), values.get("progress"))
        is_frame = hasattr(edges, "iloc")  # of pandas, whose streams may have the index too
        if files is not None:
            paths = (ctypes.c_char_p * len(files))(*files)
            call.run(lib.ingest_files, paths, len(files), out, call.struct, None)
        elif hasattr(edges, "__arrow_c_stream__") and not is_frame:
            _ingest_stream(edges, out, call)
        else:
            _ingest_edges(edges, out, call)
        return Graph(values["out"], values.get("memory"), values.get("threads"), None,
                     values.get("progress"))

    ingest.__signature__ = signature
    ingest.__doc__ = f"""Makes the graph directory `out`, and opens it.

edges: what to read, one of
    a path, or a list of paths: files in any format of `edgemill ingest`
    (sources, targets) or (sources, targets, weights): arrays, lists or columns of numbers;
        sources and targets may be texts, the names of vertices
    a data frame, or an array of NumPy, with two or three columns
    an object with an Arrow stream (pyarrow.Table, polars.DataFrame) of two or three columns
    an iterator of tuples or data frames as above, a chunk at a time
out: the graph directory

After an error, or Ctrl-C, nothing is left.

Options:
{options_text(_OPTIONS[True])}"""
    return ingest


ingest = _make_ingest()
