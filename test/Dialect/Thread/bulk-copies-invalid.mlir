// Tensor maps and copies by the copy engine: each constraint, broken.

// RUN: mirage-opt %s -split-input-file -verify-diagnostics

// -----

// expected-error @+1 {{a tensor map describes no 'memref<64x60xf16>': a buffer in device memory of one to five dimensions has elements of 16 bits, those along its last dimension are neighbours, and the other strides are multiples of 16 bytes (tensor_map_c1)}}
func.func private @tensor_map_c1(!mirage_thread.tensor_map<memref<64x60xf16>, box = [64, 16]>)

// -----

// expected-error @+1 {{a tensor map describes no 'memref<64x64xf32>': a buffer in device memory}}
func.func private @tensor_map_c1_type(!mirage_thread.tensor_map<memref<64x64xf32>, box = [64, 32]>)

// -----

// expected-error @+1 {{a tensor map has the box [64, 8]: there is an entry from 1 to 256 for each of 2 dimensions, and the last is 16, 32 or 64 (tensor_map_c2)}}
func.func private @tensor_map_c2(!mirage_thread.tensor_map<memref<64x64xf16>, box = [64, 8]>)

// -----

// expected-error @+1 {{a tensor map has the box [257, 64]: there is an entry from 1 to 256 for each of 2 dimensions, and the last is 16, 32 or 64 (tensor_map_c2)}}
func.func private @tensor_map_c2_size(!mirage_thread.tensor_map<memref<512x64xf16>, box = [257, 64]>)

// -----

#shared = #gpu.address_space<workgroup>
#chunks = #mirage_thread.chunked<[4096, 64, 1], chunk = 64, chunk_stride = 4096, swizzled>
gpu.module @kernels {
gpu.func @bulk_copy_c1(%map: !mirage_thread.tensor_map<memref<64x64xf16>, box = [64, 64]>) kernel {
  %i = arith.constant 0 : index
  %r = mirage_thread.ring offset(0) : <stages = 2, groups = 1, warps = 4>
  %a = mirage_thread.shared_buffer offset(1024) : memref<2x64x64xf16, #chunks, #shared>
  mirage_thread.loader warps(1) {
    // expected-error @+1 {{has 1 and 3 offsets and 2 sizes, which are not one offset for each dimension of a side and at most as many sizes (bulk_copy_c1)}}
    mirage_thread.bulk_copy %map[%i] to %a[%i, %i, %i] sizes [64, 64] for %r[%i] group(0) : <memref<64x64xf16>, box = [64, 64]> to memref<2x64x64xf16, #chunks, #shared> for <stages = 2, groups = 1, warps = 4>
  }
  gpu.return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#chunks = #mirage_thread.chunked<[4096, 64, 1], chunk = 64, chunk_stride = 4096, swizzled>
gpu.module @kernels {
gpu.func @bulk_copy_c2(%map: !mirage_thread.tensor_map<memref<64x64xf16>, box = [48, 64]>) kernel {
  %i = arith.constant 0 : index
  %r = mirage_thread.ring offset(0) : <stages = 2, groups = 1, warps = 4>
  %a = mirage_thread.shared_buffer offset(1024) : memref<2x64x64xf16, #chunks, #shared>
  mirage_thread.loader warps(1) {
    // expected-error @+1 {{copies [64, 64], which is no multiple of the map's box [48, 64] (bulk_copy_c2)}}
    mirage_thread.bulk_copy %map[%i, %i] to %a[%i, %i, %i] sizes [64, 64] for %r[%i] group(0) : <memref<64x64xf16>, box = [48, 64]> to memref<2x64x64xf16, #chunks, #shared> for <stages = 2, groups = 1, warps = 4>
  }
  gpu.return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#chunks = #mirage_thread.chunked<[4096, 64, 1], chunk = 64, chunk_stride = 4096, swizzled>
gpu.module @kernels {
gpu.func @bulk_copy_c2_before(%map: !mirage_thread.tensor_map<memref<2x64x64xf16>, box = [2, 64, 64]>) kernel {
  %i = arith.constant 0 : index
  %r = mirage_thread.ring offset(0) : <stages = 2, groups = 1, warps = 4>
  %a = mirage_thread.shared_buffer offset(1024) : memref<2x64x64xf16, #chunks, #shared>
  mirage_thread.loader warps(1) {
    // expected-error @+1 {{copies one index along dimensions of which the map's box [2, 64, 64] has more (bulk_copy_c2)}}
    mirage_thread.bulk_copy %map[%i, %i, %i] to %a[%i, %i, %i] sizes [64, 64] for %r[%i] group(0) : <memref<2x64x64xf16>, box = [2, 64, 64]> to memref<2x64x64xf16, #chunks, #shared> for <stages = 2, groups = 1, warps = 4>
  }
  gpu.return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#chunks = #mirage_thread.chunked<[4096, 64, 1], chunk = 32, chunk_stride = 2048, swizzled>
gpu.module @kernels {
gpu.func @bulk_copy_c3(%map: !mirage_thread.tensor_map<memref<64x64xf16>, box = [64, 64]>) kernel {
  %i = arith.constant 0 : index
  %r = mirage_thread.ring offset(0) : <stages = 2, groups = 1, warps = 4>
  %a = mirage_thread.shared_buffer offset(1024) : memref<2x64x64xf16, #shared>
  mirage_thread.loader warps(1) {
    // expected-error @+1 {{which is not in shared memory, has other elements, or is not swizzled in chunks of 64 that follow each other along a box (bulk_copy_c3)}}
    mirage_thread.bulk_copy %map[%i, %i] to %a[%i, %i, %i] sizes [64, 64] for %r[%i] group(0) : <memref<64x64xf16>, box = [64, 64]> to memref<2x64x64xf16, #shared> for <stages = 2, groups = 1, warps = 4>
  }
  gpu.return
}
}

// -----

#shared = #gpu.address_space<workgroup>
#chunks = #mirage_thread.chunked<[4096, 64, 1], chunk = 64, chunk_stride = 4096, swizzled>
gpu.module @kernels {
gpu.func @bulk_copy_c4(%map: !mirage_thread.tensor_map<memref<64x64xf16>, box = [64, 64]>) kernel {
  %i = arith.constant 0 : index
  %r = mirage_thread.ring offset(0) : <stages = 2, groups = 1, warps = 4>
  %a = mirage_thread.shared_buffer offset(1024) : memref<2x64x64xf16, #chunks, #shared>
  mirage_thread.loader warps(1) {
    // expected-error @+1 {{does not stand in a loader, or its ring of 1 groups has no group 1 (bulk_copy_c4)}}
    mirage_thread.bulk_copy %map[%i, %i] to %a[%i, %i, %i] sizes [64, 64] for %r[%i] group(1) : <memref<64x64xf16>, box = [64, 64]> to memref<2x64x64xf16, #chunks, #shared> for <stages = 2, groups = 1, warps = 4>
  }
  gpu.return
}
}
