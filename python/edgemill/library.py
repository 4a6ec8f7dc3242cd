"""The shared library, by the C interface that <edgemill/c_api.h> declares."""

import ctypes
import os
from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

from .errors import error_of

_ABI_VERSION = 1
_SONAME = "libedgemill.so.0.1"


def _struct(struct, /, **fields):
    return type(struct, (ctypes.Structure,), {"_fields_": list(fields.items())})


Option = _struct("Option", name=c_char_p, short_name=c_char_p, value=c_char_p, help=c_char_p,
                 section=c_char_p, default_value=c_char_p, required=c_int32, repeatable=c_int32)
Column = _struct("Column", name=c_char_p, option=c_char_p, may_miss=c_int32)
Property = _struct("Property", name=c_char_p, text=c_char_p)
Algorithm = _struct("Algorithm", name=c_char_p, group=c_char_p, summary=c_char_p, text=c_char_p,
                    aliases=POINTER(c_char_p), num_aliases=c_size_t, options=POINTER(Option),
                    num_options=c_size_t, columns=POINTER(Column), num_columns=c_size_t,
                    properties=POINTER(Property), num_properties=c_size_t)
ProgressReport = _struct("ProgressReport", stage=c_char_p, unit=c_char_p, done=c_uint64,
                         total=c_uint64, iteration=c_uint64)
PROGRESS = ctypes.CFUNCTYPE(c_int32, c_void_p, POINTER(ProgressReport))
NOTE = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)
Call = _struct("Call", arguments=POINTER(c_char_p), num_arguments=c_size_t, user=c_void_p,
               progress=PROGRESS, note=NOTE)
GraphInfo = _struct("GraphInfo", path=c_char_p, uuid=c_char_p, num_vertices=c_uint64,
                    num_edges=c_uint64, weights=c_char_p, directed=c_int32, has_names=c_int32)
Names = _struct("Names", count=c_uint64, offsets=POINTER(c_int64), text=c_void_p)
Neighbors = _struct("Neighbors", num_lists=c_uint64, num_edges=c_uint64, vertices=c_void_p,
                    offsets=c_void_p, neighbors=c_void_p, weights=c_void_p, sources=c_void_p,
                    next=c_uint64)
Draw = _struct("Draw", ids=c_void_p, count=c_uint64, most=c_uint64, seed=c_uint64, flags=c_int32)
NEIGHBORS = POINTER(POINTER(Neighbors))
Walks = _struct("Walks", first=c_uint64, count=c_uint64, offsets=c_void_p, vertices=c_void_p)
TAKE_WALKS = ctypes.CFUNCTYPE(c_int32, c_void_p, POINTER(Walks))
PairList = _struct("PairList", count=c_uint64, ones=c_void_p, others=c_void_p)
WalkRequest = _struct("WalkRequest", starts=c_void_p, num_starts=c_uint64, user=c_void_p,
                      take=TAKE_WALKS)
Number = _struct("Number", name=c_char_p, is_real=c_int32, whole=c_uint64, real=c_double)
Fact = _struct("Fact", name=c_char_p, text=c_char_p, numbers=POINTER(Number),
               num_numbers=c_size_t)
AnswerInfo = _struct("AnswerInfo", column=c_char_p, type=c_int32, num_vertices=c_uint64,
                     ids=c_void_p, headings=POINTER(c_char_p), num_headings=c_size_t,
                     values=c_void_p, facts=POINTER(Fact), num_facts=c_size_t,
                     warnings=POINTER(c_char_p), num_warnings=c_size_t, iterations=c_uint64,
                     seconds=c_double, bytes_read=c_uint64)
Top = _struct("Top", id=c_uint64, whole=c_uint64, real=c_double)
Array = _struct("Array", values=c_void_p, format=c_char_p, valid=c_void_p, offset=c_int64,
                text=c_void_p)
Edges = _struct("Edges", count=c_uint64, sources=Array, targets=Array, weights=Array)
NEXT = ctypes.CFUNCTYPE(c_int32, c_void_p, POINTER(Edges))
EdgeSource = _struct("EdgeSource", user=c_void_p, weighted=c_int32, named=c_int32, next=NEXT)
IngestReport = _struct("IngestReport", num_vertices=c_uint64, num_edges=c_uint64,
                       input_edges=c_uint64, stored_bytes=c_uint64, bad_lines=c_uint64,
                       notes=POINTER(c_char_p), num_notes=c_size_t)
REPORT = POINTER(POINTER(IngestReport))
RELEASE_STREAM = ctypes.CFUNCTYPE(None, c_void_p)
ArrowArrayStream = _struct("ArrowArrayStream", get_schema=c_void_p, get_next=c_void_p,
                           get_last_error=c_void_p, release=c_void_p, private_data=c_void_p)

COUNT, LONG_COUNT, VERTEX, REAL = range(4)
NO_VALUE = 2**64 - 1

_FUNCTIONS = {
    "abi_version": (c_uint32,),
    "version": (c_char_p,),
    "error_code": (c_int32, c_void_p),
    "error_message": (c_char_p, c_void_p),
    "error_free": (None, c_void_p),
    "algorithms": (POINTER(Algorithm), POINTER(c_size_t)),
    "ingest_options": (POINTER(Option), c_int32, POINTER(c_size_t)),
    "graph_open": (c_void_p, c_char_p, POINTER(Call), POINTER(c_void_p)),
    "graph_close": (None, c_void_p),
    "graph_describe": (POINTER(GraphInfo), c_void_p),
    "graph_names": (c_void_p, c_void_p, POINTER(c_uint64), c_uint64, POINTER(POINTER(Names))),
    "names_free": (None, POINTER(Names)),
    "graph_remove": (c_void_p, c_char_p, POINTER(Call)),
    "lists_open": (c_void_p, c_void_p, POINTER(Call), POINTER(c_void_p)),
    "lists_close": (None, c_void_p),
    "lists_vertices": (c_void_p, c_void_p, c_void_p),
    "lists_find": (c_void_p, c_void_p, POINTER(c_char_p), c_uint64, c_void_p),
    "lists_names": (c_void_p, c_void_p, c_void_p, c_uint64, POINTER(POINTER(Names))),
    "lists_degrees": (c_void_p, c_void_p, c_void_p, c_uint64, c_int32, c_void_p),
    "lists_read": (c_void_p, c_void_p, c_void_p, c_uint64, c_int32, NEIGHBORS),
    "lists_sample": (c_void_p, c_void_p, POINTER(Draw), NEIGHBORS),
    "lists_edges": (c_void_p, c_void_p, c_uint64, c_uint64, c_int32, NEIGHBORS),
    "neighbors_free": (None, POINTER(Neighbors)),
    "walk_options": (POINTER(Option), POINTER(c_size_t)),
    "walk": (c_void_p, c_void_p, POINTER(WalkRequest), POINTER(Call)),
    "pair_options": (POINTER(Option), POINTER(c_size_t)),
    "pairs": (c_void_p, c_void_p, POINTER(PairList), POINTER(Call), c_void_p),
    "run": (c_void_p, c_void_p, c_char_p, POINTER(Call), POINTER(c_void_p)),
    "answer_free": (None, c_void_p),
    "answer_describe": (POINTER(AnswerInfo), c_void_p),
    "answer_top": (c_void_p, c_void_p, POINTER(Top), POINTER(c_uint64)),
    "answer_copy_to_gpu": (c_void_p, c_void_p, c_int32, POINTER(c_void_p)),
    "gpu_values_address": (c_void_p, c_void_p),
    "gpu_values_free": (None, c_void_p),
    "answer_export_stream": (c_void_p, c_void_p, POINTER(ArrowArrayStream)),
    "ingest_report_free": (None, POINTER(IngestReport)),
    "edge_columns": (c_void_p, POINTER(c_char_p), c_size_t, POINTER(c_size_t)),
    "ingest_files": (c_void_p, POINTER(c_char_p), c_size_t, c_char_p, POINTER(Call), REPORT),
    "ingest_edges": (c_void_p, POINTER(EdgeSource), c_char_p, POINTER(Call), REPORT),
    "ingest_stream": (c_void_p, c_void_p, c_char_p, POINTER(Call), REPORT),
}


def _load_needed(folder: str) -> None:
    """Loads the libraries that a wheel brings along, so that the loader finds them by their names.
    One that needs another of them can only be loaded after it."""
    waiting = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    for _ in range(len(waiting)):
        failed = []
        for path in waiting:
            try:
                ctypes.CDLL(path)
            except OSError:
                failed.append(path)
        waiting = failed


def _open() -> ctypes.CDLL:
    folder = os.path.dirname(os.path.abspath(__file__))
    named = os.environ.get("EDGEMILL_LIBRARY")
    beside = os.path.join(folder, _SONAME)
    is_beside = not named and os.path.exists(beside)
    if is_beside and os.path.isdir(os.path.join(folder, "libs")):
        _load_needed(os.path.join(folder, "libs"))
    try:
        return ctypes.CDLL(named or (beside if is_beside else _SONAME))
    except OSError as error:
        raise ImportError(
            f"the library of Edgemill cannot be loaded: {error}: install it (cmake --install), or "
            "set EDGEMILL_LIBRARY to the path of libedgemill.so"
        ) from None


class _Library:
    """The functions of the library, without the prefix `edgemill_`."""

    def __init__(self):
        library = _open()
        for name, (result, *arguments) in _FUNCTIONS.items():
            try:
                function = getattr(library, "edgemill_" + name)
            except AttributeError:
                raise ImportError(f"{library._name}: is another version of the library") from None
            function.restype = result
            function.argtypes = arguments
            setattr(self, name, function)
            if name == "abi_version" and function() != _ABI_VERSION:
                raise ImportError(
                    f"{library._name}: has version {function()} of the C interface, and this "
                    f"package needs {_ABI_VERSION}: install the two of one version"
                )


lib = _Library()

# Functions of Python itself. Those of ctypes.pythonapi are shared with other packages, which may
# declare other types.
python = ctypes.PyDLL(None)
python.PyCapsule_New.restype = ctypes.py_object
python.PyCapsule_New.argtypes = [c_void_p, c_char_p, c_void_p]
python.PyCapsule_GetPointer.restype = c_void_p
python.PyCapsule_GetPointer.argtypes = [c_void_p, c_char_p]  # the object by its address
python.PyCapsule_IsValid.argtypes = [c_void_p, c_char_p]
python.PyObject_GetBuffer.argtypes = [ctypes.py_object, c_void_p, ctypes.c_int]
python.PyBuffer_Release.argtypes = [c_void_p]


def check(error, say=str) -> None:
    """Raises the exception for an error that a function has returned, with its text as `say`
    gives it."""
    if not error:
        return
    message = lib.error_message(error).decode(errors="replace")
    exception = error_of(lib.error_code(error), say(message))
    lib.error_free(error)
    raise exception


def declared(function, *arguments) -> list:
    """The structs of an array that a function declares."""
    count = c_size_t()
    first = function(*arguments, ctypes.byref(count))
    return [first[i] for i in range(count.value)]
