"""Tensors of DLPack in the memory of answers: https://dmlc.github.io/dlpack/latest/."""

import ctypes
from typing import Any, Dict, Optional, Tuple

from .library import COUNT, LONG_COUNT, REAL, VERTEX, python

CPU, GPU = 1, 2  # kDLCPU, kDLCUDA
_INTEGER, _UNSIGNED, _FLOAT = 0, 1, 2
_CODES = {COUNT: _INTEGER, LONG_COUNT: _UNSIGNED, VERTEX: _UNSIGNED, REAL: _FLOAT}
_READ_ONLY, _IS_COPIED = 1, 2
_NAME, _NAME_OF_VERSIONED = b"dltensor", b"dltensor_versioned"


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64),
    ]


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _ManagedVersioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", _Tensor),
    ]


_given: Dict[int, Tuple] = {}  # what tensors need, by their addresses, until they are deleted


def _delete(address: int) -> None:
    _given.pop(address, None)


_DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_delete)


def _release(capsule: int) -> None:
    """Deletes a tensor that nobody has taken. Who takes one renames the capsule."""
    for name in (_NAME, _NAME_OF_VERSIONED):
        if python.PyCapsule_IsValid(capsule, name):
            _delete(python.PyCapsule_GetPointer(capsule, name))


_RELEASE = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(_release)


def capsule_of(owner: Any, address: int, shape: Tuple[int, ...], kind: int,
               max_version: Optional[Tuple[int, int]], copy: Optional[bool]) -> Any:
    """A capsule with the numbers at `address`, column by column, which `owner` keeps there. They
    are copied where `copy` says so, or the consumer is too old to know of read-only memory."""
    is_versioned = max_version is not None and max_version[0] >= 1
    if copy is False and not is_versioned:
        raise BufferError("the memory is read-only, which DLPack before 1.0 cannot say: copy=True")
    count = 1
    for length in shape:
        count *= length
    is_copied = bool(copy) or not is_versioned
    if is_copied:
        owner = (ctypes.c_uint64 * max(count, 1))()
        ctypes.memmove(owner, address, 8 * count)
        address = ctypes.addressof(owner)
    return _capsule(owner, address if count else None, (CPU, 0), shape, kind, is_versioned,
                    _IS_COPIED if is_copied else _READ_ONLY)


def capsule_on_gpu(owner: Any, address: int, gpu: int, shape: Tuple[int, ...], kind: int,
                   max_version: Optional[Tuple[int, int]]) -> Any:
    """The same of numbers in the memory of a GPU, which the consumer may change."""
    is_versioned = max_version is not None and max_version[0] >= 1
    return _capsule(owner, address or None, (GPU, gpu), shape, kind, is_versioned, 0)


def _capsule(owner: Any, address: Optional[int], device: Tuple[int, int], shape: Tuple[int, ...],
             kind: int, is_versioned: bool, flags: int) -> Any:
    lengths = (ctypes.c_int64 * len(shape))(*shape)
    strides = (ctypes.c_int64 * len(shape))(1, *shape[:-1])
    managed = _ManagedVersioned() if is_versioned else _Managed()
    managed.deleter = ctypes.cast(_DELETER, ctypes.c_void_p)
    if is_versioned:
        managed.major = 1
        managed.flags = flags
    managed.tensor = _Tensor(address, *device, len(shape), _CODES[kind], 64, 1, lengths, strides, 0)
    at = ctypes.addressof(managed)
    _given[at] = (managed, owner, lengths, strides)
    name = _NAME_OF_VERSIONED if is_versioned else _NAME
    return python.PyCapsule_New(at, name, ctypes.cast(_RELEASE, ctypes.c_void_p))
