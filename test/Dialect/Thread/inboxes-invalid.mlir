// Inboxes and what is pushed to them: each constraint, broken.

// RUN: mirage-opt %s -split-input-file -verify-diagnostics

// -----

// expected-error @+1 {{an inbox counts 0 bytes, not between 1 and 2^20 - 1 (inbox_c1)}}
func.func private @inbox_c1(!mirage_thread.inbox<bytes = 0>)

// -----

// expected-error @+1 {{an inbox counts 1048576 bytes, not between 1 and 2^20 - 1 (inbox_c1)}}
func.func private @inbox_c1_many(!mirage_thread.inbox<bytes = 1048576>)

// -----

gpu.module @kernels {
gpu.func @inbox_c2() kernel {
  // expected-error @+1 {{has the offset 12, which is no multiple of the 8 bytes of an mbarrier (inbox_c2)}}
  %inbox = mirage_thread.inbox offset(12) : <bytes = 64>
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @inbox_c3() kernel {
  mirage_thread.loader warps(4) {}
  // expected-error @+1 {{does not stand in the body of a kernel before its loader (inbox_c3)}}
  %inbox = mirage_thread.inbox offset(0) : <bytes = 64>
  gpu.return
}
}

// -----

func.func @inbox_open_c1(%inbox: !mirage_thread.inbox<bytes = 64>) {
  // expected-error @+1 {{does not stand in the body of a kernel, where all threads of the cluster come (inbox_open_c1)}}
  mirage_thread.inbox_open %inbox : <bytes = 64>
  return
}

// -----

func.func @inbox_meet_c1(%inbox: !mirage_thread.inbox<bytes = 64>) {
  // expected-error @+1 {{does not stand in the body of a kernel, where all threads of the cluster come (inbox_meet_c1)}}
  mirage_thread.inbox_meet %inbox : <bytes = 64>
  return
}

// -----

func.func @inbox_await_c1(%inbox: !mirage_thread.inbox<bytes = 64>) {
  // expected-error @+1 {{does not stand in the body of a kernel, where all threads of the cluster come (inbox_await_c1)}}
  mirage_thread.inbox_await %inbox : <bytes = 64>
  return
}

// -----

#row = #mirage_thread.layout<registers = [], lanes = [16 d0:1, 2 phi], warps = []>
func.func @push_fragment_c1(%i: index, %value: tensor<16xf32, #row>, %c: memref<2x16xf32, #mirage_thread.cluster_memory>, %inbox: !mirage_thread.inbox<bytes = 64>) {
  // expected-error @+1 {{has 1 offsets for 2 dimensions (push_fragment_c1)}}
  mirage_thread.push_fragment %value to %c[%i] for %inbox : tensor<16xf32, #row> to memref<2x16xf32, #mirage_thread.cluster_memory> for <bytes = 64>
  return
}

// -----

#row = #mirage_thread.layout<registers = [], lanes = [16 d0:1, 2 phi], warps = []>
func.func @push_fragment_c2(%i: index, %value: tensor<16xf32, #row>, %c: memref<2x8xf32, #mirage_thread.cluster_memory>, %inbox: !mirage_thread.inbox<bytes = 64>) {
  // expected-error @+1 {{which is no tile in registers of 'memref<2x8xf32, #mirage_thread.cluster_memory>' (push_fragment_c2)}}
  mirage_thread.push_fragment %value to %c[%i, %i] for %inbox : tensor<16xf32, #row> to memref<2x8xf32, #mirage_thread.cluster_memory> for <bytes = 64>
  return
}

// -----

#row = #mirage_thread.layout<registers = [], lanes = [16 d0:1, 2 phi], warps = []>
func.func @push_fragment_c3(%i: index, %value: tensor<16xf32, #row>, %c: memref<2x16xf32>, %inbox: !mirage_thread.inbox<bytes = 64>) {
  // expected-error @+1 {{which is not the memory of a cluster, or elements of other than 32 or 64 bits (push_fragment_c3)}}
  mirage_thread.push_fragment %value to %c[%i, %i] for %inbox : tensor<16xf32, #row> to memref<2x16xf32> for <bytes = 64>
  return
}

// -----

#row = #mirage_thread.layout<registers = [], lanes = [16 d0:1, 2 phi], warps = []>
func.func @push_fragment_c3_bits(%i: index, %value: tensor<16xf16, #row>, %c: memref<2x16xf16, #mirage_thread.cluster_memory>, %inbox: !mirage_thread.inbox<bytes = 64>) {
  // expected-error @+1 {{or elements of other than 32 or 64 bits (push_fragment_c3)}}
  mirage_thread.push_fragment %value to %c[%i, %i] for %inbox : tensor<16xf16, #row> to memref<2x16xf16, #mirage_thread.cluster_memory> for <bytes = 64>
  return
}
