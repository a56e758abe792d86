// Errors of the dialect's attributes.

// RUN: mirage-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{'func.func' op 'mirage.target' belongs on a module and holds a #mirage.target (target_c1)}}
func.func private @target_c1() attributes {mirage.target = #mirage.target<sm_90a>}

// -----

// expected-error @+1 {{'builtin.module' op 'mirage.target' belongs on a module and holds a #mirage.target (target_c1)}}
module attributes {mirage.target = "sm_90a"} {}

// -----

module attributes {mirage.target = #mirage.target<sm_80>} {
  func.func @target_c2(%x: tensor<512x256xf16>) {
    // expected-error @+1 {{needs 262144 bytes of shared memory per block, but the target sm_80 has 166912 (launch_c6, target_c2)}}
    mirage_kernel.launch grid(x = 1) (%a = %x : tensor<512x256xf16>) {
      %t = mirage_block.load %a imap(x -> phi) : tensor<512x256xf16> to tensor<512x256xf16>
      mirage_block.yield
    }
    return
  }
}

// -----

// expected-error @+1 {{the dialect mirage has no attribute 'mirage.targets'; known are 'mirage.target', 'mirage.num_inputs', 'mirage.superoptimize', 'mirage.superoptimized', 'mirage.primitive_class', 'mirage.schedule', 'mirage.copy_way', 'mirage.product_instruction', 'mirage.equivalent_to', 'mirage.equivalence' and 'mirage.load'}}
module attributes {mirage.targets = #mirage.target<sm_80>} {}

// -----

// expected-error @+1 {{unknown target 'sm_75'; known are sm_80, sm_90a}}
module attributes {mirage.target = #mirage.target<sm_75>} {}

// -----

// expected-error @+1 {{a target has no quantity 'cores'; it has multiprocessors, shared_memory_per_block,}}
module attributes {mirage.target = #mirage.target<sm_80, cores = 4>} {}

// -----

// expected-error @+1 {{clock must be positive}}
module attributes {mirage.target = #mirage.target<sm_80, clock = 0>} {}

// -----

// Zero says that there are no clusters.
// expected-error @+1 {{cluster_per_clock must not be negative}}
module attributes {mirage.target = #mirage.target<sm_90a, cluster_per_clock = -1>} {}

// -----

// expected-error @+1 {{second value for clock}}
module attributes {mirage.target = #mirage.target<sm_80, clock = 1, clock = 2>} {}

// -----

// expected-error @+1 {{integer value too large}}
module attributes {mirage.target = #mirage.target<sm_80, clock = 99999999999999999999>} {}

// -----

func.func @kind(%x: tensor<4xf32>) {
  // expected-error @+2 {{expected one of [sum, max, mean] for how elements are combined, got: product}}
  // expected-error @+1 {{failed to parse Mirage_ReduceKindAttr}}
  %0 = mirage_kernel.reduce product %x dim(0) : (tensor<4xf32>) -> tensor<f32>
}

// -----

// expected-error @+1 {{'builtin.module' op 'mirage.num_inputs' belongs on a function and holds an integer}}
module attributes {mirage.num_inputs = 3 : i64} {}

// -----

// expected-error @+1 {{'builtin.module' op 'mirage.superoptimize' belongs on a function and has no value}}
module attributes {mirage.superoptimize} {}

// -----

// expected-error @+1 {{'func.func' op 'mirage.superoptimized' belongs on a function and holds a dictionary}}
func.func private @f() attributes {mirage.superoptimized}

// -----

// expected-error @+1 {{'builtin.module' op 'mirage.primitive_class' holds a #mirage.primitive_class}}
module attributes {mirage.primitive_class = "linear"} {}

// -----

func.func @schedule_c1(%x: tensor<64xf32>) {
  // expected-error @+1 {{a schedule has positive numbers of warps, groups and blocks, and at least two stages (schedule_c1)}}
  mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64xf32>) attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 1, stages = 1>} {
    mirage_block.yield
  }
  return
}

// -----

func.func @schedule_c2(%x: tensor<64xf32>) {
  // expected-error @+1 {{a schedule of 8 x 4 x 2 + 0 warps has more than a block (schedule_c2)}}
  mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64xf32>) attributes {mirage.schedule = #mirage.schedule<row_warps = 8, column_warps = 4, loop_groups = 2, stages = 2>} {
    mirage_block.yield
  }
  return
}

// -----

// expected-error @+1 {{'mirage.schedule' belongs on a mirage_kernel.launch and holds a #mirage.schedule (schedule_c3)}}
func.func @schedule_c3_place() attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 1, stages = 2>} {
  return
}

// -----

func.func @schedule_c3_groups(%x: tensor<64x48xf32>) -> tensor<64x16xf32> {
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64x48xf32>) -> tensor<64x16xf32> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 2, stages = 2>} {
    // expected-error @+1 {{has extent 3, which the schedule's 2 groups cannot share (schedule_c3)}}
    %s = mirage_block.for %i = 0 to 3 -> tensor<64x16xf32> {
      %t = mirage_block.load %a imap(x -> phi) fmap(%i -> 1) : tensor<64x48xf32> to tensor<64x16xf32>
      %c = mirage_block.accumulate sum %t : (tensor<64x16xf32>) -> tensor<64x16xf32>
      mirage_block.yield %c : tensor<64x16xf32>
    }
    %r = mirage_block.store %s omap(x -> phi) : tensor<64x16xf32> to tensor<64x16xf32>
    mirage_block.yield %r : tensor<64x16xf32>
  }
  return %0 : tensor<64x16xf32>
}

// -----

func.func @schedule_c3_blocks(%x: tensor<64x96xf32>) -> tensor<64x16xf32> {
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64x96xf32>) -> tensor<64x16xf32> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 2, stages = 2, cluster_blocks = 2>} {
    // expected-error @+1 {{has extent 6, which the schedule's 2 groups of each of 2 blocks cannot share (schedule_c3)}}
    %s = mirage_block.for %i = 0 to 6 -> tensor<64x16xf32> {
      %t = mirage_block.load %a imap(x -> phi) fmap(%i -> 1) : tensor<64x96xf32> to tensor<64x16xf32>
      %c = mirage_block.accumulate sum %t : (tensor<64x16xf32>) -> tensor<64x16xf32>
      mirage_block.yield %c : tensor<64x16xf32>
    }
    %r = mirage_block.store %s omap(x -> phi) : tensor<64x16xf32> to tensor<64x16xf32>
    mirage_block.yield %r : tensor<64x16xf32>
  }
  return %0 : tensor<64x16xf32>
}

// -----

func.func @schedule_c4_blocks(%x: tensor<64xf32>) {
  // expected-error @+1 {{a cluster of 16 blocks has more than 8 (schedule_c4)}}
  mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64xf32>) attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 1, stages = 2, cluster_blocks = 16>} {
    mirage_block.yield
  }
  return
}

// -----

func.func @schedule_c4_loops(%x: tensor<64x16xf32>) -> tensor<64x16xf32> {
  // expected-error @+1 {{has 0 loops; the blocks of a cluster share the iterations of some (schedule_c4)}}
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64x16xf32>) -> tensor<64x16xf32> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 1, stages = 2, cluster_blocks = 2>} {
    %t = mirage_block.load %a imap(x -> phi) : tensor<64x16xf32> to tensor<64x16xf32>
    %r = mirage_block.store %t omap(x -> phi) : tensor<64x16xf32> to tensor<64x16xf32>
    mirage_block.yield %r : tensor<64x16xf32>
  }
  return %0 : tensor<64x16xf32>
}

// -----

func.func @schedule_c4_inner(%x: tensor<64x64xf32>) -> tensor<64x16xf32> {
  // expected-error @+1 {{has loops in loops; the blocks of a cluster share the iterations of loops one after another (schedule_c4)}}
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64x64xf32>) -> tensor<64x16xf32> attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 1, stages = 2, cluster_blocks = 2>} {
    %s = mirage_block.for %i = 0 to 2 -> tensor<64x16xf32> {
      %n = mirage_block.for %j = 0 to 2 -> tensor<64x16xf32> {
        %t = mirage_block.load %a imap(x -> phi) fmap(%i -> 1, %j -> 1) : tensor<64x64xf32> to tensor<64x16xf32>
        %c = mirage_block.accumulate sum %t : (tensor<64x16xf32>) -> tensor<64x16xf32>
        mirage_block.yield %c : tensor<64x16xf32>
      }
      %d = mirage_block.accumulate sum %n : (tensor<64x16xf32>) -> tensor<64x16xf32>
      mirage_block.yield %d : tensor<64x16xf32>
    }
    %r = mirage_block.store %s omap(x -> phi) : tensor<64x16xf32> to tensor<64x16xf32>
    mirage_block.yield %r : tensor<64x16xf32>
  }
  return %0 : tensor<64x16xf32>
}

// -----

func.func @schedule_c2_loader(%x: tensor<64xf32>) {
  // expected-error @+1 {{a schedule of 8 x 1 x 2 + 20 warps has more than a block (schedule_c2)}}
  mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64xf32>) attributes {mirage.schedule = #mirage.schedule<row_warps = 8, column_warps = 1, loop_groups = 2, stages = 2, loader_warps = 20>} {
    mirage_block.yield
  }
  return
}

// -----

func.func @schedule_c6(%x: tensor<64xf32>) {
  // expected-error @+1 {{a schedule has -1 warps that load (schedule_c6)}}
  mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64xf32>) attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 1, stages = 2, loader_warps = -1>} {
    mirage_block.yield
  }
  return
}

// -----

func.func @schedule_c7(%x: tensor<64xf32>) {
  // expected-error @+1 {{a schedule whose loader prepares operands has no warps that load (schedule_c7)}}
  mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64xf32>) attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 1, stages = 2, loader_prepares = true>} {
    mirage_block.yield
  }
  return
}

// -----

func.func @schedule_c8(%x: tensor<64xf32>) {
  // expected-error @+1 {{a schedule with bulk copies has no warps that load (schedule_c8)}}
  mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64xf32>) attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, bulk_copies = true>} {
    mirage_block.yield
  }
  return
}

// -----

func.func @schedule_c5(%x: tensor<64xf32>) {
  // expected-error @+1 {{a schedule with wgmma has 2 x 1 warps along rows and columns, where neither the rows nor the columns alone have the four of a warpgroup (schedule_c5)}}
  mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64xf32>) attributes {mirage.schedule = #mirage.schedule<row_warps = 2, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true>} {
    mirage_block.yield
  }
  return
}

// -----

func.func @schedule_c10(%x: tensor<64xf32>) {
  // expected-error @+1 {{a schedule with 4 persistent blocks has no such number, no warps that load, or a cluster (schedule_c10)}}
  mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64xf32>) attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, persistent_blocks = 4>} {
    mirage_block.yield
  }
  return
}

// -----

func.func @schedule_c11(%x: tensor<64xf32>) {
  // expected-error @+1 {{a schedule with 236 registers for each thread of the warps that do not load has no such number, or warps that are no whole warpgroups or have too few left (schedule_c11)}}
  mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64xf32>) attributes {mirage.schedule = #mirage.schedule<row_warps = 8, column_warps = 1, loop_groups = 1, stages = 2, loader_warps = 4, worker_registers = 236>} {
    mirage_block.yield
  }
  return
}

// -----

// Three warpgroups leave none to the loader.
func.func @schedule_c11_too_many(%x: tensor<64xf32>) {
  // expected-error @+1 {{have too few left (schedule_c11)}}
  mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64xf32>) attributes {mirage.schedule = #mirage.schedule<row_warps = 12, column_warps = 1, loop_groups = 1, stages = 2, loader_warps = 4, worker_registers = 168>} {
    mirage_block.yield
  }
  return
}

// -----

func.func @schedule_c12(%x: tensor<64xf32>) {
  // expected-error @+1 {{a schedule that defers products has no warps that load, or no wgmma (schedule_c12)}}
  mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64xf32>) attributes {mirage.schedule = #mirage.schedule<row_warps = 8, column_warps = 1, loop_groups = 1, stages = 2, loader_warps = 4, deferred_products = true>} {
    mirage_block.yield
  }
  return
}

// -----

func.func @schedule_c15(%x: tensor<64xf32>) {
  // expected-error @+1 {{a schedule whose products add up rows has no wgmma (schedule_c15)}}
  mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64xf32>) attributes {mirage.schedule = #mirage.schedule<row_warps = 8, column_warps = 1, loop_groups = 1, stages = 2, product_sums = true>} {
    mirage_block.yield
  }
  return
}

// -----

func.func @schedule_c16(%x: tensor<64xf32>) {
  // expected-error @+1 {{a schedule that keeps tiles has warps that load, or computes masks (schedule_c16)}}
  mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64xf32>) attributes {mirage.schedule = #mirage.schedule<row_warps = 8, column_warps = 1, loop_groups = 1, stages = 2, loader_warps = 4, kept_tiles = true>} {
    mirage_block.yield
  }
  return
}

// -----

func.func @schedule_c16_masks(%x: tensor<64xf32>) {
  // expected-error @+1 {{a schedule that keeps tiles has warps that load, or computes masks (schedule_c16)}}
  mirage_kernel.launch grid(x = 1) (%a = %x : tensor<64xf32>) attributes {mirage.schedule = #mirage.schedule<row_warps = 8, column_warps = 1, loop_groups = 1, stages = 2, index_masks = true, kept_tiles = true>} {
    mirage_block.yield
  }
  return
}

// -----

// expected-error @+1 {{'func.func' op 'mirage.constant' of argument 0 belongs on an argument of a function and has no value (load_c1)}}
func.func private @load_c1(tensor<4xf32> {mirage.constant = 1})

// -----

// expected-error @+1 {{the dialect mirage has no attribute 'mirage.constants' of arguments; known is 'mirage.constant'}}
func.func private @load_c1_unknown(tensor<4xf32> {mirage.constants})

// -----

// expected-error @+1 {{'func.func' op 'mirage.load' belongs on a function and names another one of its module (load_c2)}}
func.func private @load_c2(tensor<4xf32> {mirage.constant}) attributes {mirage.load = @nowhere}

// -----

// expected-error @+1 {{'func.func' op 'mirage.load' belongs on a function and names another one of its module (load_c2)}}
func.func private @load_c2_itself() attributes {mirage.load = @load_c2_itself}

// -----

func.func private @makes_two() -> (tensor<4xf32>, tensor<8xf32>)
// expected-error @+1 {{'func.func' op has no constant arguments at its end of the types of the results of @makes_two (load_c3)}}
func.func private @load_c3(tensor<4xf32> {mirage.constant}, tensor<4xf32> {mirage.constant})
    attributes {mirage.load = @makes_two}

// -----

func.func private @makes_one() -> tensor<4xf32>
// expected-error @+1 {{'func.func' op has no constant arguments at its end of the types of the results of @makes_one (load_c3)}}
func.func private @load_c3_varies(tensor<4xf32>) attributes {mirage.load = @makes_one}

// -----

func.func private @takes_another(tensor<8xf32>) -> tensor<4xf32>
// expected-error @+1 {{'func.func' op has other constant arguments than @takes_another takes (load_c4)}}
func.func private @load_c4(tensor<6xf32> {mirage.constant}, tensor<4xf32> {mirage.constant})
    attributes {mirage.load = @takes_another}
