// A launch is tuned as its function lowers it: its mask is computed of indices, whose constant is no memory that it reads,
// and a schedule that is written says so.

// RUN: rm -rf %t && mkdir %t
// RUN: mirage-opt %s --convert-linalg-to-mirage -o %t/masks.mlir
// RUN: %python %S/Inputs/record-launches.py mirage-opt %t/masks.mlir causal %t/times.json 'grid 2x4 loop 8=2' 'grid 2x8 loop 8=1'
// RUN: mirage-opt %t/masks.mlir --mirage-tune-launches='measure=recorded measurements=%t/times.json' -o %t/tuned.mlir
// RUN: FileCheck %s --input-file=%t/tuned.mlir
// RUN: mirage-run %t/tuned.mlir --entry=causal --device=threads | FileCheck %s --check-prefix=RIGHT
// RIGHT: over_bound=0

// Another mask of the same type makes another launch, which has no times here.
// RUN: sed -e 's/arith.cmpi ule/arith.cmpi uge/' %s > %t/other-mask.mlir
// RUN: mirage-opt %t/other-mask.mlir --convert-linalg-to-mirage -o %t/others.mlir
// RUN: not mirage-opt %t/others.mlir --mirage-tune-launches='measure=recorded measurements=%t/times.json' 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: tilings of @causal cannot be measured as measure=recorded asks: {{.*}}times.json has no measurements of this program

// By instructions, iterations that the mask leaves to some blocks alone are counted as well.
// RUN: mirage-opt %t/masks.mlir --mirage-lower-to-nvvm='measure=instructions' --remark-policy=all --remarks-filter=mirage-tune-launches -o /dev/null 2>&1 | FileCheck %s --check-prefix=COUNTED
// COUNTED: remark: [Analysis] priced {{.*}}Remark="grid 2x4 loop 8"

module attributes {mirage.target = #mirage.target<sm_90a>} {
// CHECK-LABEL: func.func @causal
// CHECK: mirage_kernel.constant
// CHECK: mirage_kernel.launch grid(x = 2, y = 8)
// CHECK-SAME: = %{{[a-z0-9_]*}} : tensor<1x512x512xf32>)
// CHECK-SAME: index_masks = true
func.func @causal(%q: tensor<2x512x64xf16>, %k: tensor<2x512x64xf16>, %v: tensor<2x512x64xf16>) -> tensor<2x512x64xf16> {
  %inside = arith.constant 0.0 : f32
  %outside = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<1x512x512xf32>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%empty : tensor<1x512x512xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi ule, %j, %i : index
    %m = arith.select %c, %inside, %outside : f32
    linalg.yield %m : f32
  } -> tensor<1x512x512xf32>
  %o = mirage_kernel.launch grid(x = 2, y = 4) (%ql = %q : tensor<2x512x64xf16>, %kl = %k : tensor<2x512x64xf16>, %vl = %v : tensor<2x512x64xf16>, %ml = %mask : tensor<1x512x512xf32>) -> tensor<2x512x64xf16> {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<2x512x64xf16> to tensor<1x128x64xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 8 -> (tensor<1x128x1xf32>, tensor<1x128x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x512x64xf16> to tensor<1x64x64xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x512x64xf16> to tensor<1x64x64xf16>
      %mt = mirage_block.load %ml imap(x -> phi, y -> 1) fmap(%t -> 2) : tensor<1x512x512xf32> to tensor<1x128x64xf32>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x128x64xf16>, tensor<1x64x64xf16>) -> tensor<1x128x64xf32>
      %scaled = mirage_block.scale %s by 0.125 : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %masked = mirage_block.add %mt, %scaled : (tensor<1x128x64xf32>, tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %top = mirage_block.reduce max %masked dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<1x128x1xf32>, tensor<1x1x1xf32>) -> tensor<1x128x1xf32>
      %less = mirage_block.sub %masked, %shift : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
      %p = mirage_block.exp %less : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %sum = mirage_block.reduce sum %p dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
      %ph = mirage_block.cast %p : tensor<1x128x64xf32> to tensor<1x128x64xf16>
      %pv = mirage_block.matmul %ph, %vt : (tensor<1x128x64xf16>, tensor<1x64x64xf16>) -> tensor<1x128x64xf32>
      %a = mirage_block.accumulate rescaled_sum %sum shift %shift : (tensor<1x128x1xf32>, tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
      %b = mirage_block.accumulate rescaled_sum %pv shift %shift : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
      mirage_block.yield %a, %b : tensor<1x128x1xf32>, tensor<1x128x64xf32>
    }
    %y = mirage_block.div %r#1, %r#0 : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
    %c = mirage_block.cast %y : tensor<1x128x64xf32> to tensor<1x128x64xf16>
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x128x64xf16> to tensor<2x512x64xf16>
    mirage_block.yield %w : tensor<2x512x64xf16>
  }
  return %o : tensor<2x512x64xf16>
}
}
