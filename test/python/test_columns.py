"""Columns for other libraries: DLPack, chunks."""

import ctypes
import gc
import sys

import edgemill
from support import TestCase, needs, values


class _Versioned(ctypes.Structure):
    """DLManagedTensorVersioned, of DLPack 1.0."""

    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
        ("deleter", ctypes.CFUNCTYPE(None, ctypes.c_void_p)), ("flags", ctypes.c_uint64),
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64),
    ]


_VERSIONED = b"dltensor_versioned"
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype = ctypes.c_void_p
_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


def tensor_in(capsule) -> _Versioned:
    return _Versioned.from_address(_pointer(capsule, _VERSIONED))


class DlpackTest(TestCase):
    def setUp(self):
        super().setUp()
        self.graph = self.ingest(([10, 20, 30], [20, 30, 40]))

    def test_a_new_consumer_gets_the_memory_itself(self):
        answer = self.graph.pagerank()
        self.assertEqual(answer.__dlpack_device__(), (1, 0))
        capsule = answer.__dlpack__(max_version=(1, 0))
        tensor = tensor_in(capsule)
        self.assertEqual((tensor.major, tensor.flags, tensor.code, tensor.bits, tensor.lanes),
                         (1, 1, 2, 64, 1))  # read-only reals of 64 bits
        self.assertEqual((tensor.ndim, tensor.shape[0], tensor.strides[0]), (1, 4, 1))
        self.assertEqual(list((ctypes.c_double * 4).from_address(tensor.data)),
                         values(answer.values))
        again = answer.__dlpack__(max_version=(1, 1))
        self.assertEqual(tensor_in(again).data, tensor.data)

    def test_memory_stays_as_long_as_tensors(self):
        answer = self.graph.bfs(20)
        wanted = values(answer.values)
        users = sys.getrefcount(answer)
        capsule = answer.__dlpack__(max_version=(1, 0))
        self.assertEqual(sys.getrefcount(answer), users + 1)
        # A consumer renames the capsule, and deletes the tensor in the end.
        tensor = tensor_in(capsule)
        name = ctypes.create_string_buffer(b"used_dltensor_versioned")
        rename = ctypes.pythonapi.PyCapsule_SetName
        rename.argtypes = [ctypes.py_object, ctypes.c_char_p]
        rename(capsule, ctypes.cast(name, ctypes.c_char_p))
        del answer, capsule
        gc.collect()
        self.assertEqual(list((ctypes.c_int64 * 4).from_address(tensor.data)), wanted)
        tensor.deleter(ctypes.addressof(tensor))
        from edgemill import dlpack

        self.assertEqual(dlpack._given, {})

    def test_a_capsule_that_nobody_takes_is_freed(self):
        answer = self.graph.bfs(20)
        users = sys.getrefcount(answer)
        for version in (None, (1, 0)):
            answer.__dlpack__(max_version=version)
            self.assertEqual(sys.getrefcount(answer), users)

    def test_several_columns(self):
        answer = self.graph.msbfs([10, 20])
        capsule = answer.__dlpack__(max_version=(1, 0))
        tensor = tensor_in(capsule)
        self.assertEqual((tensor.shape[0], tensor.shape[1]), (4, 2))
        self.assertEqual((tensor.strides[0], tensor.strides[1]), (1, 4))
        self.assertEqual(tensor.code, 0)

    def test_what_cannot_be(self):
        answer = self.graph.cc()
        for keywords in ({"stream": 1}, {"dl_device": (2, 0)}, {"copy": False}):
            with self.assertRaises(BufferError):
                answer.__dlpack__(**keywords)
        self.assertEqual(tensor_in(answer.__dlpack__(max_version=(1, 0), copy=True)).flags, 2)
        empty = edgemill.ingest(([], []), self.file("empty.mill"))
        self.addCleanup(empty.close)
        self.assertIsNone(tensor_in(empty.cc().__dlpack__(max_version=(1, 0))).data)

    @needs("numpy")
    def test_numpy(self):
        import numpy

        for answer in (self.graph.pagerank(), self.graph.cc(), self.graph.msbfs([10, 20])):
            array = numpy.from_dlpack(answer)
            self.assertEqual(array.dtype, answer.values.dtype)
            self.assertEqual(array.tolist(), answer.values.tolist())


class ChunksTest(TestCase):
    def test_chunks_of_an_answer(self):
        graph = self.ingest(([10, 20, 30], [20, 30, 40]))
        answer = graph.bfs(20)
        for size in (1, 3, 100):
            found = list(answer.chunks(size))
            self.assertEqual([vertex for part, _ in found for vertex in values(part)],
                             [10, 20, 30, 40])
            self.assertEqual([level for _, part in found for level in values(part)],
                             [-1, 0, 1, 2])
        several = list(graph.msbfs([10, 20]).chunks(3))
        self.assertEqual([len(vertices) for vertices, _ in several], [3, 1])
