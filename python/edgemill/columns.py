"""Columns: numbers and names in the library's memory, for NumPy and Python."""

import array
import ctypes
from typing import Any, Dict, List, Tuple

from . import library
from .library import COUNT, LONG_COUNT, REAL, VERTEX, check, lib

# By type: the code of the module array, and the type of NumPy's array interface. Counts are below
# 2^63, so that "no value" is -1.
_TYPES = {COUNT: ("q", "<i8"), LONG_COUNT: ("Q", "<u8"), VERTEX: ("Q", "<u8"), REAL: ("d", "<f8")}


def typestr_of(kind: int) -> str:
    return _TYPES[kind][1]


def missing(package: str, what: str) -> ImportError:
    return ImportError(f"{what} needs {package}, which is not installed: pip install {package}")


def numpy_or_none():
    """NumPy, or None where it is not installed."""
    try:
        import numpy
    except ImportError:
        return None
    return numpy


class Memory:
    """Numbers in the memory of `owner`, which stays as long as they are used."""

    def __init__(self, owner: Any, address: int, count: int, kind: int):
        self._owner = owner
        self._address = address
        self._count = count
        self._kind = kind
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
        numpy = numpy_or_none()
        if self._count == 0:
            empty = array.array(self._code)
            return memoryview(empty) if numpy is None else numpy.array(empty)
        if numpy is not None:
            return numpy.asarray(self)
        raw = (ctypes.c_char * (8 * self._count)).from_address(self._address)
        raw._owner = self._owner
        return memoryview(raw).toreadonly().cast("B").cast(self._code)


def numbers(count: int, kind: int) -> Tuple[Any, int]:
    """Memory for `count` numbers, an array of NumPy or of the module array, and its address."""
    code, typestr = _TYPES[kind]
    numpy = numpy_or_none()
    if numpy is None:
        values = array.array(code, bytes(8 * count))
        return values, values.buffer_info()[0]
    values = numpy.zeros(count, dtype=typestr)
    return values, values.ctypes.data


def names_of_struct(pointer: Any) -> List[str]:
    """The texts of a struct Names, which is freed."""
    try:
        names = pointer[0]
        offsets = names.offsets[: names.count + 1]
        text = ctypes.string_at(names.text, offsets[-1]) if names.count else b""
        return [text[begin:end].decode() for begin, end in zip(offsets, offsets[1:])]
    finally:
        lib.names_free(pointer)


def read_names(graph_pointer: int, ids=None) -> List[str]:
    """The names of all vertices of a graph, or of those with these ids."""
    names = ctypes.POINTER(library.Names)()
    given = None if ids is None else (ctypes.c_uint64 * len(ids))(*ids)
    check(lib.graph_names(graph_pointer, given, 0 if ids is None else len(ids),
                          ctypes.byref(names)))
    return names_of_struct(names)
