// Launches that merge what others have of parts of the keys: there is no product, and warps have iterations of their own. With a
// GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-schedule-launches=cluster-blocks=1 | FileCheck %s --check-prefix=SCHEDULE
// RUN: mirage-opt %s --mirage-print-schedule=cluster-blocks=1 -o /dev/null | FileCheck %s --check-prefix=WHY
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=parts | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=few | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=large | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=joined_sums | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0 unbounded=0
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill

module attributes {mirage.target = #mirage.target<sm_90a>} {

// SCHEDULE-LABEL: func.func @parts
// SCHEDULE: #mirage.schedule<row_warps = 1, column_warps = 1, loop_groups = 2, stages = 5>
// WHY: loop_groups = 2: there are 8 iterations; warps that have some of them each exchange nothing until the loop ends
func.func @parts(%x: tensor<32x2x8xf32>, %parts: tensor<32x2x8x64xf32>, %maxima: tensor<32x2x8xf32>) -> tensor<2x8x64xf16> {
  %sums = mirage_kernel.exp %x : (tensor<32x2x8xf32>) -> tensor<32x2x8xf32>
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%sa = %sums : tensor<32x2x8xf32>, %pa = %parts : tensor<32x2x8x64xf32>, %ma = %maxima : tensor<32x2x8xf32>) -> tensor<2x8x64xf16> {
    %f:2 = mirage_block.for %i = 0 to 8 -> (tensor<1x1x4xf32>, tensor<1x1x4x64xf32>) {
      %s = mirage_block.load %sa imap(x -> 1, y -> 2) fmap(%i -> 0) : tensor<32x2x8xf32> to tensor<4x1x4xf32>
      %p = mirage_block.load %pa imap(x -> 1, y -> 2) fmap(%i -> 0) : tensor<32x2x8x64xf32> to tensor<4x1x4x64xf32>
      %m = mirage_block.load %ma imap(x -> 1, y -> 2) fmap(%i -> 0) : tensor<32x2x8xf32> to tensor<4x1x4xf32>
      %most = mirage_block.reduce max %m dim(0) keep : (tensor<4x1x4xf32>) -> tensor<1x1x4xf32>
      %less = mirage_block.sub %m, %most : (tensor<4x1x4xf32>, tensor<1x1x4xf32>) -> tensor<4x1x4xf32>
      %e = mirage_block.exp %less : (tensor<4x1x4xf32>) -> tensor<4x1x4xf32>
      %se = mirage_block.mul %s, %e : (tensor<4x1x4xf32>, tensor<4x1x4xf32>) -> tensor<4x1x4xf32>
      %ls = mirage_block.reduce sum %se dim(0) keep : (tensor<4x1x4xf32>) -> tensor<1x1x4xf32>
      %ec = mirage_block.reshape %e : tensor<4x1x4xf32> to tensor<4x1x4x1xf32>
      %pe = mirage_block.mul %p, %ec : (tensor<4x1x4x64xf32>, tensor<4x1x4x1xf32>) -> tensor<4x1x4x64xf32>
      %lp = mirage_block.reduce sum %pe dim(0) keep : (tensor<4x1x4x64xf32>) -> tensor<1x1x4x64xf32>
      %mc = mirage_block.reshape %most : tensor<1x1x4xf32> to tensor<1x1x4x1xf32>
      %as = mirage_block.accumulate rescaled_sum %ls shift %most : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
      %ap = mirage_block.accumulate rescaled_sum %lp shift %mc : (tensor<1x1x4x64xf32>, tensor<1x1x4x1xf32>) -> tensor<1x1x4x64xf32>
      mirage_block.yield %as, %ap : tensor<1x1x4xf32>, tensor<1x1x4x64xf32>
    }
    %all = mirage_block.reshape %f#0 : tensor<1x1x4xf32> to tensor<1x1x4x1xf32>
    %d = mirage_block.div %f#1, %all : (tensor<1x1x4x64xf32>, tensor<1x1x4x1xf32>) -> tensor<1x1x4x64xf32>
    %r = mirage_block.reshape %d : tensor<1x1x4x64xf32> to tensor<1x4x64xf32>
    %h = mirage_block.cast %r : tensor<1x4x64xf32> to tensor<1x4x64xf16>
    %w = mirage_block.store %h omap(x -> 0, y -> 1) : tensor<1x4x64xf16> to tensor<2x8x64xf16>
    mirage_block.yield %w : tensor<2x8x64xf16>
  }
  return %o : tensor<2x8x64xf16>
}

// A warp would have fewer than four iterations.
// SCHEDULE-LABEL: func.func @few
// SCHEDULE: column_warps = 2, loop_groups = 1
func.func @few(%x: tensor<24x2x8xf32>, %parts: tensor<24x2x8x64xf32>, %maxima: tensor<24x2x8xf32>) -> tensor<2x8x64xf16> {
  %sums = mirage_kernel.exp %x : (tensor<24x2x8xf32>) -> tensor<24x2x8xf32>
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%sa = %sums : tensor<24x2x8xf32>, %pa = %parts : tensor<24x2x8x64xf32>, %ma = %maxima : tensor<24x2x8xf32>) -> tensor<2x8x64xf16> {
    %f:2 = mirage_block.for %i = 0 to 6 -> (tensor<1x1x4xf32>, tensor<1x1x4x64xf32>) {
      %s = mirage_block.load %sa imap(x -> 1, y -> 2) fmap(%i -> 0) : tensor<24x2x8xf32> to tensor<4x1x4xf32>
      %p = mirage_block.load %pa imap(x -> 1, y -> 2) fmap(%i -> 0) : tensor<24x2x8x64xf32> to tensor<4x1x4x64xf32>
      %m = mirage_block.load %ma imap(x -> 1, y -> 2) fmap(%i -> 0) : tensor<24x2x8xf32> to tensor<4x1x4xf32>
      %most = mirage_block.reduce max %m dim(0) keep : (tensor<4x1x4xf32>) -> tensor<1x1x4xf32>
      %less = mirage_block.sub %m, %most : (tensor<4x1x4xf32>, tensor<1x1x4xf32>) -> tensor<4x1x4xf32>
      %e = mirage_block.exp %less : (tensor<4x1x4xf32>) -> tensor<4x1x4xf32>
      %se = mirage_block.mul %s, %e : (tensor<4x1x4xf32>, tensor<4x1x4xf32>) -> tensor<4x1x4xf32>
      %ls = mirage_block.reduce sum %se dim(0) keep : (tensor<4x1x4xf32>) -> tensor<1x1x4xf32>
      %ec = mirage_block.reshape %e : tensor<4x1x4xf32> to tensor<4x1x4x1xf32>
      %pe = mirage_block.mul %p, %ec : (tensor<4x1x4x64xf32>, tensor<4x1x4x1xf32>) -> tensor<4x1x4x64xf32>
      %lp = mirage_block.reduce sum %pe dim(0) keep : (tensor<4x1x4x64xf32>) -> tensor<1x1x4x64xf32>
      %mc = mirage_block.reshape %most : tensor<1x1x4xf32> to tensor<1x1x4x1xf32>
      %as = mirage_block.accumulate rescaled_sum %ls shift %most : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
      %ap = mirage_block.accumulate rescaled_sum %lp shift %mc : (tensor<1x1x4x64xf32>, tensor<1x1x4x1xf32>) -> tensor<1x1x4x64xf32>
      mirage_block.yield %as, %ap : tensor<1x1x4xf32>, tensor<1x1x4x64xf32>
    }
    %all = mirage_block.reshape %f#0 : tensor<1x1x4xf32> to tensor<1x1x4x1xf32>
    %d = mirage_block.div %f#1, %all : (tensor<1x1x4x64xf32>, tensor<1x1x4x1xf32>) -> tensor<1x1x4x64xf32>
    %r = mirage_block.reshape %d : tensor<1x1x4x64xf32> to tensor<1x4x64xf32>
    %h = mirage_block.cast %r : tensor<1x4x64xf32> to tensor<1x4x64xf16>
    %w = mirage_block.store %h omap(x -> 0, y -> 1) : tensor<1x4x64xf16> to tensor<2x8x64xf16>
    mirage_block.yield %w : tensor<2x8x64xf16>
  }
  return %o : tensor<2x8x64xf16>
}

// A lane would have more than 32 elements.
// SCHEDULE-LABEL: func.func @large
// SCHEDULE: column_warps = 4, loop_groups = 1
func.func @large(%x: tensor<128x2x4xf32>, %parts: tensor<128x2x4x64xf32>, %maxima: tensor<128x2x4xf32>) -> tensor<2x4x64xf16> {
  %sums = mirage_kernel.exp %x : (tensor<128x2x4xf32>) -> tensor<128x2x4xf32>
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%sa = %sums : tensor<128x2x4xf32>, %pa = %parts : tensor<128x2x4x64xf32>, %ma = %maxima : tensor<128x2x4xf32>) -> tensor<2x4x64xf16> {
    %f:2 = mirage_block.for %i = 0 to 8 -> (tensor<1x1x4xf32>, tensor<1x1x4x64xf32>) {
      %s = mirage_block.load %sa imap(x -> 1, y -> 2) fmap(%i -> 0) : tensor<128x2x4xf32> to tensor<16x1x4xf32>
      %p = mirage_block.load %pa imap(x -> 1, y -> 2) fmap(%i -> 0) : tensor<128x2x4x64xf32> to tensor<16x1x4x64xf32>
      %m = mirage_block.load %ma imap(x -> 1, y -> 2) fmap(%i -> 0) : tensor<128x2x4xf32> to tensor<16x1x4xf32>
      %most = mirage_block.reduce max %m dim(0) keep : (tensor<16x1x4xf32>) -> tensor<1x1x4xf32>
      %less = mirage_block.sub %m, %most : (tensor<16x1x4xf32>, tensor<1x1x4xf32>) -> tensor<16x1x4xf32>
      %e = mirage_block.exp %less : (tensor<16x1x4xf32>) -> tensor<16x1x4xf32>
      %se = mirage_block.mul %s, %e : (tensor<16x1x4xf32>, tensor<16x1x4xf32>) -> tensor<16x1x4xf32>
      %ls = mirage_block.reduce sum %se dim(0) keep : (tensor<16x1x4xf32>) -> tensor<1x1x4xf32>
      %ec = mirage_block.reshape %e : tensor<16x1x4xf32> to tensor<16x1x4x1xf32>
      %pe = mirage_block.mul %p, %ec : (tensor<16x1x4x64xf32>, tensor<16x1x4x1xf32>) -> tensor<16x1x4x64xf32>
      %lp = mirage_block.reduce sum %pe dim(0) keep : (tensor<16x1x4x64xf32>) -> tensor<1x1x4x64xf32>
      %mc = mirage_block.reshape %most : tensor<1x1x4xf32> to tensor<1x1x4x1xf32>
      %as = mirage_block.accumulate rescaled_sum %ls shift %most : (tensor<1x1x4xf32>, tensor<1x1x4xf32>) -> tensor<1x1x4xf32>
      %ap = mirage_block.accumulate rescaled_sum %lp shift %mc : (tensor<1x1x4x64xf32>, tensor<1x1x4x1xf32>) -> tensor<1x1x4x64xf32>
      mirage_block.yield %as, %ap : tensor<1x1x4xf32>, tensor<1x1x4x64xf32>
    }
    %all = mirage_block.reshape %f#0 : tensor<1x1x4xf32> to tensor<1x1x4x1xf32>
    %d = mirage_block.div %f#1, %all : (tensor<1x1x4x64xf32>, tensor<1x1x4x1xf32>) -> tensor<1x1x4x64xf32>
    %r = mirage_block.reshape %d : tensor<1x1x4x64xf32> to tensor<1x4x64xf32>
    %h = mirage_block.cast %r : tensor<1x4x64xf32> to tensor<1x4x64xf16>
    %w = mirage_block.store %h omap(x -> 0, y -> 1) : tensor<1x4x64xf16> to tensor<2x4x64xf16>
    mirage_block.yield %w : tensor<2x4x64xf16>
  }
  return %o : tensor<2x4x64xf16>
}


// Sums of rows that a loop puts beside each other are whole in each iteration; those that it accumulates may be
// added between lanes behind it.
func.func @joined_sums(%x: tensor<16x512xf16>) -> (tensor<16x8xf32>, tensor<16x1xf32>) {
  %r:2 = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<16x512xf16>) -> (tensor<16x8xf32>, tensor<16x1xf32>)
      attributes {mirage.schedule = #mirage.schedule<row_warps = 2, column_warps = 1, loop_groups = 1, stages = 4>} {
    %f:2 = mirage_block.for %i = 0 to 8 -> (tensor<8x8xf32>, tensor<8x1xf32>) {
      %l = mirage_block.load %a imap(x -> 0) fmap(%i -> 1) : tensor<16x512xf16> to tensor<8x64xf16>
      %c = mirage_block.cast %l : tensor<8x64xf16> to tensor<8x64xf32>
      %abs = mirage_block.abs %c : (tensor<8x64xf32>) -> tensor<8x64xf32>
      %joined = mirage_block.reduce sum %abs dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
      %summed = mirage_block.reduce sum %c dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
      %j = mirage_block.accumulate concat %joined dim(1) : (tensor<8x1xf32>) -> tensor<8x8xf32>
      %s = mirage_block.accumulate sum %summed : (tensor<8x1xf32>) -> tensor<8x1xf32>
      mirage_block.yield %j, %s : tensor<8x8xf32>, tensor<8x1xf32>
    }
    %0 = mirage_block.store %f#0 omap(x -> 0) : tensor<8x8xf32> to tensor<16x8xf32>
    %1 = mirage_block.store %f#1 omap(x -> 0) : tensor<8x1xf32> to tensor<16x1xf32>
    mirage_block.yield %0, %1 : tensor<16x8xf32>, tensor<16x1xf32>
  }
  return %r#0, %r#1 : tensor<16x8xf32>, tensor<16x1xf32>
}
}
