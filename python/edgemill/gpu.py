"""Values in the memory of a GPU."""

from typing import Any, Dict, Tuple

from .columns import typestr_of
from .dlpack import GPU, capsule_on_gpu
from .library import lib


class GpuValues:
    """A copy of an answer's values in the memory of a GPU. Several columns are the columns of a
    two-dimensional array. Nothing is copied by `torch.from_dlpack(values)`, `cupy.asarray(values)`
    and `numba.cuda.as_cuda_array(values)`. The memory is freed with the last of them."""

    def __init__(self, pointer: int, gpu: int, shape: Tuple[int, ...], kind: int):
        self._pointer = pointer
        self._address = lib.gpu_values_address(pointer) or 0
        self._kind = kind
        self.gpu = gpu
        self.shape = shape

    def __del__(self):
        if getattr(self, "_pointer", None):
            lib.gpu_values_free(self._pointer)

    def __reduce__(self):
        raise TypeError("values on a GPU cannot be copied or pickled")

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<edgemill.GpuValues on GPU {self.gpu}: {' x '.join(map(str, self.shape))}>"

    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]:
        strides = tuple(8 * stride for stride in (1, *self.shape[:-1]))
        return {
            "version": 3,
            "shape": self.shape,
            "typestr": typestr_of(self._kind),
            "data": (self._address, False),  # may be changed
            "strides": None if len(self.shape) == 1 else strides,
            "stream": None,  # the copy is complete
        }

    def __dlpack_device__(self) -> Tuple[int, int]:
        return GPU, self.gpu

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if copy or dl_device not in (None, (GPU, self.gpu)):
            raise BufferError(f"the values are in the memory of GPU {self.gpu}")
        return capsule_on_gpu(self, self._address, self.gpu, self.shape, self._kind, max_version)
