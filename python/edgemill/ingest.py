"""Makes graphs: of files, arrays, data frames, Arrow streams, and iterators of these."""

import array
import ctypes
import inspect
import itertools
import os
import re
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple

from . import library
from .algorithms import Path, bound, options_text, parameters_of
from .call import INGEST_OPTIONS, Call, path_of
from .errors import BadData, UsageError, Warning
from .forms import FORMS, WHAT_TO_GIVE, plain_edges
from .graph import Graph, IngestReport
from .library import check, lib, python

_ID_RULE = "ids are whole numbers from 0 to 2^64 - 2"
_TRUTH_VALUES = {"bool", "bool_"}  # types of Python and of NumPy
_ROWS = 1 << 16  # edges of a chunk that is made of single ones

_GUESS = re.compile(r"\btaken as\b|--[a-z]")

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


def _is_number(value: Any, what: str) -> bool:
    if what != "weight" and type(value).__name__ in _TRUTH_VALUES:
        return False
    try:
        array.array("d" if what == "weight" or isinstance(value, float) else "Q", [value])
    except (OverflowError, TypeError):
        return False
    return True


def _array_of_list(values: List[Any], what: str, first_edge: int) -> array.array:
    """Python's numbers as an array. BadData names the first edge that has none."""
    kinds = {kind.__name__ for kind in set(map(type, values))}
    if what == "weight" or not kinds & _TRUTH_VALUES:
        for code in "Qqd":
            try:
                return array.array(code, values)
            except (OverflowError, TypeError):
                pass
    for i, value in enumerate(values):
        if not _is_number(value, what):
            text = "the text " if isinstance(value, str) else ""
            rule = "weights are finite numbers" if what == "weight" else _ID_RULE
            raise BadData(f"edge {first_edge + i}: the {what} is {text}{value!r}: {rule}")
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
        if hasattr(values, "isna"):
            _check_none_is_missing(values, what, first_edge)
        if hasattr(values, "to_numpy"):
            values = values.to_numpy()
        if getattr(getattr(values, "dtype", None), "kind", "") in tuple("mM"):
            raise UsageError(f"ingest: {what}s are dates or times: give numbers or texts")
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
            kind = "are truth values" if view.format == "?" else f"have the type {view.format!r}"
            raise UsageError(
                f"ingest: {what}s {kind}: give whole numbers as ids, and numbers as weights"
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


def _check_none_is_missing(series: Any, what: str, first_edge: int) -> None:
    """BadData where a column of pandas has no value in some row."""
    missing = series.isna()
    if missing.any():
        name = getattr(series, "name", None)
        column = "" if name is None else f" (column {name!r})"
        raise BadData(
            f"edge {first_edge + int(missing.to_numpy().argmax())}: the {what}{column} is "
            "missing: dropna() leaves such rows out"
        )


Columns = Tuple[_Column, ...]


class _Rows(list):
    """Single edges, which become columns."""


def _is_frame(edges: Any) -> bool:
    return hasattr(edges, "iloc") and hasattr(edges, "columns")


def _is_matrix(edges: Any) -> bool:
    return getattr(edges, "ndim", 1) == 2


def _is_single(value: Any) -> bool:
    """Whether it is one id, name or weight."""
    return isinstance(value, str) or not (hasattr(value, "__iter__") or hasattr(value, "__len__"))


def _is_edge(item: Any) -> bool:
    return isinstance(item, (tuple, list)) and len(item) in (2, 3) and _is_single(item[0])


def _are_columns(edges: List[Any]) -> bool:
    """Whether a list is one of columns, not of edges or chunks."""
    if len(edges) not in (2, 3):
        return False
    if all(isinstance(one, list) and _is_edge(one) for one in edges):
        raise UsageError(
            f"ingest: {len(edges)} lists of two or three could be edges or columns: write edges as "
            "tuples, [(0, 1), (5, 6)], and columns as a tuple of lists, ([0, 5], [1, 6])"
        )
    return not any(
        _is_single(one) or _is_frame(one) or _is_matrix(one)
        or (isinstance(one, (tuple, list)) and len(one) in (2, 3))
        for one in edges
    )


def _chunks_of(edges: Any) -> Iterator[Any]:
    """Tuples of columns, frames, matrices and rows, of what a user gives as edges."""
    if isinstance(edges, tuple) or _is_frame(edges) or _is_matrix(edges):
        yield edges
    elif isinstance(edges, list) and _are_columns(edges):
        yield tuple(edges)
    elif _is_single(edges) or isinstance(edges, (bytes, Mapping)):
        raise TypeError(f"ingest: an item is {edges!r}, and no edge: {WHAT_TO_GIVE}")
    else:
        items = iter(edges)
        for first in items:
            if _is_edge(first):
                yield _Rows(itertools.chain([first], itertools.islice(items, _ROWS - 1)))
            else:
                yield from _chunks_of(first)


def _columns_of_rows(rows: _Rows, first_edge: int) -> Tuple[List[Any], ...]:
    width = len(rows[0])
    for i, row in enumerate(rows):
        if not _is_edge(row) or len(row) != width:
            shape = "(source, target)" if width == 2 else "(source, target, weight)"
            raise BadData(f"edge {first_edge + i}: is {row!r}: the edges before are {shape}")
    return tuple(map(list, zip(*rows)))


def _columns_of_frame(frame: Any) -> Tuple[Any, ...]:
    count = len(frame.columns)
    if count not in (2, 3):
        raise UsageError(
            f'ingest: a frame with {count} columns: take two or three: df[["from", "to"]] or '
            'df[["from", "to", "weight"]]'
        )
    titles = [title if isinstance(title, str) else "" for title in frame.columns]
    texts = (ctypes.c_char_p * count)(*(title.encode(errors="replace") for title in titles))
    places = (ctypes.c_size_t * count)()
    check(lib.edge_columns(texts, count, places))
    return tuple(frame.iloc[:, place] for place in places)


def _columns_of(edges: Any, first_edge: int) -> Columns:
    """The two or three columns of a chunk."""
    if isinstance(edges, _Rows):
        edges = _columns_of_rows(edges, first_edge)
    elif _is_frame(edges):
        edges = _columns_of_frame(edges)
    elif _is_matrix(edges):
        edges = tuple(edges[:, i] for i in range(edges.shape[1]))
    if any(map(_is_single, edges)):
        raise UsageError(
            f"ingest: {edges!r}: give edges as a list, [(0, 1), (5, 6)], or columns as a tuple of "
            "lists, ([0, 5], [1, 6])"
        )
    if len(edges) not in (2, 3):
        raise UsageError(
            f"ingest: {len(edges)} columns: give sources and targets, and perhaps weights"
        )
    names = ("source", "target", "weight")
    columns = tuple(_Column(one, what, first_edge) for one, what in zip(edges, names))
    if columns[0].named != columns[1].named:
        raise UsageError("ingest: sources are {} and targets are {}: give numbers or texts for both"
                         .format(*("names" if one.named else "numbers" for one in columns)))
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


def _ingest_stream(stream: Any, out: bytes, call: Call, report) -> None:
    capsule = stream.__arrow_c_stream__()
    pointer = python.PyCapsule_GetPointer(id(capsule), b"arrow_array_stream")
    call.run(lib.ingest_stream, pointer, out, call.struct, report)


def _ingest_edges(edges: Any, out: bytes, call: Call, report) -> None:
    source = _Source(_chunks_of(edges))

    def give(_user, struct) -> int:
        call.users(source.fill, struct[0])
        return 1 if call.failed else 0

    struct = library.EdgeSource(None, int(source.weighted), int(source.named), library.NEXT(give))
    call.run(lib.ingest_edges, struct, out, call.struct, report)


def _report_of(made, call: Call) -> IngestReport:
    """The library's report, which is freed."""
    of = made[0]
    notes = tuple(call.say(of.notes[i].decode(errors="replace")) for i in range(of.num_notes))
    report = IngestReport(of.num_vertices, of.num_edges, of.input_edges, of.bad_lines, notes)
    lib.ingest_report_free(made)
    return report


def _warn(report: IngestReport, out: str, values: Dict[str, Any]) -> None:
    """Warns of lines that are left out, and of guesses: notes that say what something is taken as,
    or with which option it is read otherwise."""
    found = [note for note in report.notes if _GUESS.search(note)]
    if report.bad_lines > 0:
        lines = "1 bad line was" if report.bad_lines == 1 else f"{report.bad_lines} bad lines were"
        listed = values.get("bad_lines_file")
        where = f"{listed} lists them" if listed else "bad_lines_file=... lists them"
        found.append(f"{out}: {lines} skipped: {where}")
    for text in found:
        warnings.warn(text, Warning, stacklevel=3)  # at the caller of ingest


def _make_ingest():
    head = [
        inspect.Parameter("edges", inspect.Parameter.POSITIONAL_OR_KEYWORD),
        inspect.Parameter("out", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Path),
    ]
    parameters = head + parameters_of(INGEST_OPTIONS[True])
    signature = inspect.Signature(parameters, return_annotation=Graph)

    def ingest(*arguments, **keywords):
        values = bound("ingest", signature, arguments, keywords)
        edges, out = values["edges"], path_of(values["out"])
        if isinstance(edges, (list, tuple)) and not edges:
            raise UsageError("ingest: an empty list or tuple: give files or edges")
        files = _files_of(edges)
        if files is None:
            edges = plain_edges(edges, values)
        options = INGEST_OPTIONS[files is not None]
        for option in INGEST_OPTIONS[True]:
            if values.get(option.parameter) not in (None, False) and all(
                option.name != known.name for known in options
            ):
                raise UsageError(
                    f"ingest: {option.parameter} is for files, and these are edges: leave it out"
                )
        call = Call(options, values, values.get("progress"))
        made = ctypes.POINTER(library.IngestReport)()
        report = ctypes.byref(made)
        if files is not None:
            paths = (ctypes.c_char_p * len(files))(*files)
            call.run(lib.ingest_files, paths, len(files), out, call.struct, report)
        elif hasattr(edges, "__arrow_c_stream__") and not _is_frame(edges):
            _ingest_stream(edges, out, call, report)  # streams of pandas may have the index too
        else:
            _ingest_edges(edges, out, call, report)
        ingested = _report_of(made, call)
        graph = Graph(values["out"], values.get("memory"), values.get("threads"), None,
                      values.get("progress"))
        graph.ingested = ingested
        _warn(ingested, os.fsdecode(out), values)
        return graph

    ingest.__signature__ = signature
    ingest.__doc__ = f"""Makes the graph directory `out`, and opens it.

{FORMS}out: the graph directory

After an error, or Ctrl-C, nothing is left. The graph's `ingested` has the numbers and notes of the
ingest. edgemill.Warning comes for bad lines that were skipped, and for guesses about the input.
{options_text(INGEST_OPTIONS[True])}"""
    return ingest


if TYPE_CHECKING:
    from ._declared import ingest
else:
    ingest = _make_ingest()
