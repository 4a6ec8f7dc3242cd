"""Answers in the memory of a GPU: where there is one, its contents are read back by the driver."""

import ctypes
import os

import edgemill
from support import TestCase, values


def read_back(address: int, count: int) -> list:
    driver = ctypes.CDLL("libcuda.so.1")
    context = ctypes.c_void_p()
    values = (ctypes.c_int64 * count)()
    for result in (
        driver.cuInit(0),
        driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0),
        driver.cuCtxSetCurrent(context),
        driver.cuMemcpyDtoH_v2(values, ctypes.c_uint64(address), ctypes.c_size_t(8 * count)),
    ):
        assert result == 0, f"CUDA error {result}"
    return list(values)


class GpuValuesTest(TestCase):
    def setUp(self):
        super().setUp()
        self.graph = self.ingest(([10, 20, 30], [20, 30, 40]))

    def copy_of(self, answer):
        try:
            return answer.to_gpu()
        except edgemill.GpuError as error:
            if os.environ.get("EDGEMILL_REQUIRE_GPU"):
                raise
            self.skipTest(str(error))

    def test_the_values_are_on_the_gpu(self):
        answer = self.graph.bfs(20, device="cpu")
        copy = self.copy_of(answer)
        described = copy.__cuda_array_interface__
        self.assertEqual(described["typestr"], "<i8")
        self.assertEqual(described["shape"], (len(answer),))
        self.assertEqual(copy.__dlpack_device__(), (2, 0))
        wanted = values(answer.values)
        self.assertEqual(read_back(described["data"][0], len(wanted)), wanted)
        with self.assertRaises(BufferError):
            copy.__dlpack__(dl_device=(1, 0))
        capsule = copy.__dlpack__(max_version=(1, 0))
        del copy, answer  # the tensor keeps the memory
        self.assertEqual(read_back(described["data"][0], len(wanted)), wanted)
        self.assertIn("dltensor_versioned", repr(capsule))

    def test_a_gpu_that_is_not_there(self):
        answer = self.graph.cc(device="cpu")
        with self.assertRaises(edgemill.GpuError):
            answer.to_gpu(99)
        with self.assertRaises((edgemill.UsageError, edgemill.GpuError)):
            answer.to_gpu(-1)
