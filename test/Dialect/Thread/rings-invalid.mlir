// Rings of stages and the warps that fill them: each constraint, broken.

// RUN: mirage-opt %s -split-input-file -verify-diagnostics

// -----

// expected-error @+1 {{a ring of 2 stages for 0 groups of 4 warps has a number that is not positive (ring_c1)}}
func.func private @ring_c1(!mirage_thread.ring<stages = 2, groups = 0, warps = 4>)

// -----

// expected-error @+1 {{a ring is released by 2 lanes of a warp, neither by one nor by all (ring_c1)}}
func.func private @ring_c1_lanes(!mirage_thread.ring<stages = 2, groups = 1, warps = 4, lanes = 2>)

// -----

gpu.module @kernels {
gpu.func @ring_c2(%i: index) kernel {
  // expected-error @+1 {{has the offset 12, which is no multiple of the 8 bytes of an mbarrier (ring_c2)}}
  %r = mirage_thread.ring offset(12) : <stages = 2, groups = 1, warps = 4>
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @ring_c3(%i: index) kernel {
  mirage_thread.loader warps(4) {}
  // expected-error @+1 {{does not stand in the body of a kernel before its loader, where all threads meet (ring_c3)}}
  %r = mirage_thread.ring offset(0) : <stages = 2, groups = 1, warps = 4>
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @loader_c1_many(%i: index) kernel {
  // expected-error @+1 {{has 32 warps, not between 1 and 31 (loader_c1)}}
  mirage_thread.loader warps(32) {}
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @loader_c1_all() kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
  // expected-error @+1 {{has 4 warps of a block of 128 threads, which leaves none (loader_c1)}}
  mirage_thread.loader warps(4) {}
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @loader_c2(%i: index) kernel {
  // expected-error @+1 {{is not the only loader in the body of a kernel (loader_c2)}}
  mirage_thread.loader warps(4) {}
  mirage_thread.loader warps(4) {}
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @loader_c3(%i: index) kernel {
  mirage_thread.loader warps(4) {
    // expected-error @+1 {{stands in a loader, which only begins asynchronous copies and prepares what they bring (loader_c3)}}
    mirage_thread.cluster_barrier
  }
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @loader_c4(%i: index) kernel {
  mirage_thread.loader warps(4) {}
  // expected-error @+1 {{stands behind a loader, whose warps never reach it (loader_c4)}}
  gpu.barrier
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @thread_registers_c1(%i: index) kernel attributes {known_block_size = array<i32: 384, 1, 1>} {
  mirage_thread.loader warps(4) {
    // expected-error @+1 {{gives a thread 20 registers, no multiple of 8 from 24 to 256 (thread_registers_c1)}}
    mirage_thread.thread_registers 20
  }
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @thread_registers_c2(%i: index) kernel attributes {known_block_size = array<i32: 320, 1, 1>} {
  mirage_thread.loader warps(2) {
    // expected-error @+1 {{executed by warps that are no whole warpgroups (thread_registers_c2)}}
    mirage_thread.thread_registers 40
  }
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @thread_registers_before(%i: index) kernel attributes {known_block_size = array<i32: 384, 1, 1>} {
  // expected-error @+1 {{does not stand in or behind the kernel's loader}}
  mirage_thread.thread_registers 232
  mirage_thread.loader warps(4) {}
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @barrier_c1(%i: index) kernel {
  // expected-error @+1 {{does not stand behind the kernel's loader (barrier_c1)}}
  mirage_thread.barrier
  mirage_thread.loader warps(4) {}
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @ring_acquire_c1(%i: index) kernel {
  %r = mirage_thread.ring offset(0) : <stages = 2, groups = 1, warps = 4>
  mirage_thread.loader warps(4) {
    // expected-error @+1 {{its ring of 1 groups has no group 1 (ring_acquire_c1)}}
    mirage_thread.ring_acquire %r[%i] group(1) : <stages = 2, groups = 1, warps = 4>
  }
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @ring_publish_c1(%i: index) kernel {
  %r = mirage_thread.ring offset(0) : <stages = 2, groups = 1, warps = 4>
  // expected-error @+1 {{does not stand in a loader, or its ring of 1 groups has no group 0 (ring_publish_c1)}}
  mirage_thread.ring_publish %r[%i] group(0) : <stages = 2, groups = 1, warps = 4>
  mirage_thread.loader warps(4) {}
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @ring_receive_c1(%i: index) kernel {
  %r = mirage_thread.ring offset(0) : <stages = 2, groups = 1, warps = 4>
  // expected-error @+1 {{does not stand in a loader, or its ring of 1 groups has no group 0 (ring_receive_c1)}}
  mirage_thread.ring_receive %r[%i] group(0) : <stages = 2, groups = 1, warps = 4>
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @ring_await_c1(%i: index) kernel {
  %r = mirage_thread.ring offset(0) : <stages = 2, groups = 1, warps = 4>
  // expected-error @+1 {{does not stand behind the kernel's loader (ring_await_c1)}}
  mirage_thread.ring_await %r[%i] : <stages = 2, groups = 1, warps = 4>
  mirage_thread.loader warps(4) {}
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @ring_release_c1(%i: index) kernel {
  %r = mirage_thread.ring offset(0) : <stages = 2, groups = 1, warps = 4>
  // expected-error @+1 {{does not stand behind the kernel's loader (ring_release_c1)}}
  mirage_thread.ring_release %r[%i] : <stages = 2, groups = 1, warps = 4>
  mirage_thread.loader warps(4) {}
  gpu.return
}
}

// -----

// expected-error @+1 {{a sequence of 1 groups of 4 warps has no warps, or other than 2 to 13 groups (sequence_c1)}}
func.func private @sequence_c1(!mirage_thread.sequence<groups = 1, warps = 4>)

// -----

gpu.module @kernels {
gpu.func @sequence_c2(%i: index) kernel {
  // expected-error @+1 {{has the offset 12, which is no multiple of the 8 bytes of an mbarrier (sequence_c2)}}
  %s = mirage_thread.sequence offset(12) : <groups = 2, warps = 4>
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @sequence_c3(%i: index) kernel {
  mirage_thread.loader warps(4) {}
  // expected-error @+1 {{does not stand in the body of a kernel before its loader, where all threads meet (sequence_c3)}}
  %s = mirage_thread.sequence offset(0) : <groups = 2, warps = 4>
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @sequence_await_c1(%i: index) kernel {
  %s = mirage_thread.sequence offset(0) : <groups = 2, warps = 4>
  // expected-error @+1 {{does not stand behind the kernel's loader (sequence_await_c1)}}
  mirage_thread.sequence_await %s[%i] : <groups = 2, warps = 4>
  mirage_thread.loader warps(4) {}
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @sequence_await_c2(%i: index) kernel {
  %s = mirage_thread.sequence offset(0) : <groups = 2, warps = 4>
  mirage_thread.loader warps(4) {}
  // expected-error @+1 {{has a barrier of all groups behind it before the turn is passed on (sequence_await_c2)}}
  mirage_thread.sequence_await %s[%i] : <groups = 2, warps = 4>
  // expected-note @+1 {{one group waits here for others that wait for their turns}}
  mirage_thread.barrier
  mirage_thread.sequence_pass %s[%i] : <groups = 2, warps = 4>
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @sequence_pass_c2(%i: index, %x: tensor<64x1xf16>) kernel {
  %s = mirage_thread.sequence offset(0) : <groups = 2, warps = 4>
  mirage_thread.loader warps(4) {}
  // expected-error @+1 {{passes values on that are not of f32 or have no layout, or has results of other types (sequence_pass_c2)}}
  %0 = mirage_thread.sequence_pass %s[%i] after %x : <groups = 2, warps = 4>, tensor<64x1xf16> to tensor<64x1xf16>
  gpu.return
}
}

// -----

gpu.module @kernels {
gpu.func @sequence_pass_c1(%i: index) kernel {
  %s = mirage_thread.sequence offset(0) : <groups = 2, warps = 4>
  // expected-error @+1 {{does not stand behind the kernel's loader (sequence_pass_c1)}}
  mirage_thread.sequence_pass %s[%i] : <groups = 2, warps = 4>
  mirage_thread.loader warps(4) {}
  gpu.return
}
}
