// #mirage.target: presets, overridden quantities and what is printed of them.

// RUN: mirage-opt %s -split-input-file -verify-roundtrip | FileCheck %s
// RUN: mirage-opt %s -split-input-file -mlir-print-op-generic | mirage-opt -split-input-file | FileCheck %s

// CHECK: module attributes {mirage.target = #mirage.target<sm_80>}
module attributes {mirage.target = #mirage.target<sm_80>} {}

// -----

// Quantities print in one order, and only where they differ from the preset.
// CHECK: #mirage.target<sm_90a, multiprocessors = 114, hbm_bandwidth = 2000>
module attributes {mirage.target = #mirage.target<sm_90a, clock = 1980, hbm_bandwidth = 2000, multiprocessors = 114>} {}

// -----

// CHECK: #mirage.target<sm_90a, cluster_per_clock = 0>
module attributes {mirage.target = #mirage.target<sm_90a, cluster_per_clock = 0>} {}

// -----

// CHECK: #mirage.target<sm_90a, multiprocessors = 1, shared_memory_per_block = 2, shared_memory_per_sm = 3, registers_per_sm = 4, l2_bytes = 5, threads_per_sm = 6, hbm_bandwidth = 7, hbm_write_bandwidth = 8, l2_bandwidth = 9, sm_bandwidth = 10, sm_copy_bandwidth = 11, sm_bulk_bandwidth = 12, hbm_latency = 13, l2_latency = 14, tensor_throughput = 15, mma_sync_throughput = 16, fma_per_clock = 17, special_per_clock = 116, shared_per_clock = 19, cluster_per_clock = 20, barrier_clocks = 21, cluster_barrier_clocks = 22, cluster_merge_time = 23, cluster4_multiprocessors = 24, cluster16_multiprocessors = 25, clock = 26, launch_time = 27, block_time = 28, start_time = 9223372036854775807>
module attributes {mirage.target = #mirage.target<sm_90a, multiprocessors = 1, shared_memory_per_block = 2, shared_memory_per_sm = 3, registers_per_sm = 4, l2_bytes = 5, threads_per_sm = 6, hbm_bandwidth = 7, hbm_write_bandwidth = 8, l2_bandwidth = 9, sm_bandwidth = 10, sm_copy_bandwidth = 11, sm_bulk_bandwidth = 12, hbm_latency = 13, l2_latency = 14, tensor_throughput = 15, mma_sync_throughput = 16, fma_per_clock = 17, special_per_clock = 116, shared_per_clock = 19, cluster_per_clock = 20, barrier_clocks = 21, cluster_barrier_clocks = 22, cluster_merge_time = 23, cluster4_multiprocessors = 24, cluster16_multiprocessors = 25, clock = 26, launch_time = 27, block_time = 28, start_time = 9223372036854775807>} {}

// -----

// The enumerations as attributes of their own.
// CHECK: #mirage<accumulate_kind rescaled_sum>, #mirage<conv_layout nhwc>, #mirage<gelu_form tanh>, #mirage<reduce_kind mean>
module attributes {test.enums = [#mirage<accumulate_kind rescaled_sum>, #mirage<conv_layout nhwc>, #mirage<gelu_form tanh>, #mirage<reduce_kind mean>]} {}

// -----

// CHECK: attributes {mirage.num_inputs = 2 : i64}
func.func private @host() attributes {mirage.num_inputs = 2 : i64}
