"""CUDA's driver through ctypes: modules, functions and launches.

Nothing here allocates or waits once a function is loaded, so launches can be captured
into CUDA graphs.
"""

from __future__ import annotations

import ctypes
import functools
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p

from .manifest import Kernel, TensorMap

# From cuda.h.
_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
_NON_PORTABLE_CLUSTER_SIZE_ALLOWED = 14
_ERROR_LOG_BUFFER = 5
_ERROR_LOG_BUFFER_SIZE_BYTES = 6
_LOG_BYTES = 1 << 14
# Attributes of launches, from cuda.h as well.
CLUSTER_DIMENSION = 4
PROGRAMMATIC_STREAM_SERIALIZATION = 6
# CUtensorMap: its bytes, and of which multiple it begins.
TENSOR_MAP_BYTES = 128
TENSOR_MAP_ALIGNMENT = 64
_TENSOR_MAP_TYPES = {"f16": 6, "bf16": 9}
# By the elements of 16 bits in a row of the box.
_TENSOR_MAP_SWIZZLES = {16: 1, 32: 2, 64: 3}
_TENSOR_MAP_L2_PROMOTION_128B = 2
# Clusters of so many blocks need no attribute.
_PORTABLE_CLUSTER = 8


class CudaError(RuntimeError):
    """The driver refused a call; the message has the call and the driver's reason."""


class _Attribute(ctypes.Structure):
    _fields_ = [("id", c_int), ("pad", c_int), ("numbers", c_uint * 3),
                ("rest", c_uint * 13)]


class LaunchConfig(ctypes.Structure):
    """CUlaunchConfig."""

    _fields_ = [("grid", c_uint * 3), ("block", c_uint * 3), ("shared", c_uint),
                ("stream", c_void_p), ("attributes", POINTER(_Attribute)),
                ("attribute_count", c_uint)]


SIGNATURES = {
    "cuInit": [c_uint],
    "cuDeviceGet": [POINTER(c_int), c_int],
    "cuDevicePrimaryCtxRetain": [POINTER(c_void_p), c_int],
    "cuCtxPushCurrent_v2": [c_void_p],
    "cuCtxPopCurrent_v2": [POINTER(c_void_p)],
    "cuGetErrorString": [c_int, POINTER(c_char_p)],
    "cuModuleLoadDataEx": [POINTER(c_void_p), c_char_p, c_uint, POINTER(c_int),
                           POINTER(c_void_p)],
    "cuModuleUnload": [c_void_p],
    "cuModuleGetFunction": [POINTER(c_void_p), c_void_p, c_char_p],
    "cuFuncSetAttribute": [c_void_p, c_int, c_int],
    "cuLaunchKernel": [c_void_p, *[c_uint] * 7, c_void_p, c_void_p, c_void_p],
    "cuTensorMapEncodeTiled": [c_void_p, c_int, c_uint, c_void_p, POINTER(c_uint64),
                               POINTER(c_uint64), POINTER(c_uint), POINTER(c_uint), c_int,
                               c_int, c_int, c_int],
    "cuLaunchKernelEx": [POINTER(LaunchConfig), c_void_p, c_void_p, c_void_p],
}


class Driver:
    """The functions of libcuda, of which each takes and returns what cuda.h says.
    `library` has them as attributes."""

    def __init__(self, library) -> None:
        self.functions = {}
        for name, arguments in SIGNATURES.items():
            function = getattr(library, name)
            if not hasattr(function, "errcheck") or isinstance(library, ctypes.CDLL):
                function.argtypes = arguments
                function.restype = c_int
            self.functions[name] = function
        self._contexts: dict[int, c_void_p] = {}
        self.call("cuInit", 0)

    def call(self, name: str, *arguments) -> None:
        """Calls a function; CudaError if it does not return CUDA_SUCCESS."""
        if code := self.functions[name](*arguments):
            text = c_char_p()
            self.functions["cuGetErrorString"](code, ctypes.byref(text))
            reason = text.value.decode() if text.value else "unknown"
            raise CudaError(f"{name}: {reason} (CUDA error {code})")

    def context(self, ordinal: int) -> c_void_p:
        """The primary context of a device, which PyTorch uses as well."""
        if ordinal not in self._contexts:
            device, context = c_int(), c_void_p()
            self.call("cuDeviceGet", ctypes.byref(device), ordinal)
            self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
            self._contexts[ordinal] = context
        return self._contexts[ordinal]

    def load(self, ptx: str) -> c_void_p:
        """A module of the current context. CudaError has the log of the driver's
        compiler."""
        log = ctypes.create_string_buffer(_LOG_BYTES)
        options = (c_int * 2)(_ERROR_LOG_BUFFER, _ERROR_LOG_BUFFER_SIZE_BYTES)
        values = (c_void_p * 2)(ctypes.cast(log, c_void_p), c_void_p(_LOG_BYTES - 1))
        module = c_void_p()
        try:
            self.call("cuModuleLoadDataEx", ctypes.byref(module), ptx.encode(), 2, options,
                      values)
        except CudaError as error:
            raise CudaError(f"{error} {log.value.decode(errors='replace')}".strip()) from None
        return module

    def function(self, module: c_void_p, kernel: Kernel) -> c_void_p:
        """The kernel's entry, allowed to use its shared memory and cluster."""
        function = c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, kernel.name.encode())
        self.call("cuFuncSetAttribute", function, _MAX_DYNAMIC_SHARED_SIZE_BYTES,
                  kernel.shared_memory_bytes)
        x, y, z = kernel.cluster
        if x * y * z > _PORTABLE_CLUSTER:
            self.call("cuFuncSetAttribute", function, _NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1)
        return function

    def prepare_map(self, tensor_map: TensorMap, place: int):
        """A function of a buffer's address that makes the tensor map of the buffer at
        `place`, an address in this process. CudaError if the driver refuses it."""
        rank = len(tensor_map.shape)
        # The driver's dimensions begin with the innermost, whose stride is implicit.
        sizes = (c_uint64 * rank)(*reversed(tensor_map.shape))
        strides = (c_uint64 * rank)(*tensor_map.strides[-2::-1])
        box = (c_uint * rank)(*reversed(tensor_map.box))
        steps = (c_uint * rank)(*[1] * rank)
        return lambda address: self.call(
            "cuTensorMapEncodeTiled", place, _TENSOR_MAP_TYPES[tensor_map.type], rank, address,
            sizes, strides, box, steps, 0, _TENSOR_MAP_SWIZZLES[tensor_map.box[-1]],
            _TENSOR_MAP_L2_PROMOTION_128B, 0)

    def prepare(self, function: c_void_p, kernel: Kernel, parameters, early: bool = False):
        """A function of a stream that launches the kernel with `parameters`, an array of
        addresses of parameters. It returns a CUresult. An early launch may begin while the
        kernel before it on the stream runs (programmatic dependent launch)."""
        attributes = []
        if kernel.cluster != (1, 1, 1):
            attributes.append(_Attribute(CLUSTER_DIMENSION, 0, (c_uint * 3)(*kernel.cluster)))
        if early:
            attributes.append(_Attribute(PROGRAMMATIC_STREAM_SERIALIZATION, 0,
                                         (c_uint * 3)(1)))
        if not attributes:
            launch = self.functions["cuLaunchKernel"]
            sizes = (*kernel.grid, *kernel.block, kernel.shared_memory_bytes)
            return lambda stream: launch(function, *sizes, stream, parameters, None)
        config = LaunchConfig((c_uint * 3)(*kernel.grid), (c_uint * 3)(*kernel.block),
                              kernel.shared_memory_bytes, None,
                              (_Attribute * len(attributes))(*attributes), len(attributes))
        launch = self.functions["cuLaunchKernelEx"]

        def run(stream):
            config.stream = stream
            return launch(ctypes.byref(config), function, parameters, None)
        return run


@functools.lru_cache(maxsize=None)
def cuda() -> Driver:
    """The driver of this machine. OSError where there is none."""
    return Driver(ctypes.CDLL("libcuda.so.1"))
