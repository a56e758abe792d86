// Eight heads that share their keys, with eight queries of each a block, become sixteen: blocks of 64 rows are one
// warpgroup that has a multiprocessor alone, and multiplies and computes exponentials one after another, where those of
// 128 rows defer their products. The model says so by what both take, and the instructions by what warps wait for.

// RUN: rm -rf %t && mkdir %t
// RUN: mirage-opt %s --convert-linalg-to-mirage -o %t/rows.mlir
// RUN: mirage-opt %t/rows.mlir --mirage-lower-to-nvvm -o /dev/null --remark-policy=all --remarks-filter=mirage-tune-launches 2>&1 | FileCheck %s
// CHECK: remark: [Analysis] priced {{.*}}"grid 4x128 loop 16", microseconds={{[5-9][0-9]\.}}
// CHECK: remark: [Analysis] priced {{.*}}"grid 4x64 loop 16", microseconds={{4[0-9]\.}}
// CHECK: remark: [Passed] tuned {{.*}}as grid 4x64 loop 16 by its instructions

// RUN: mirage-opt %t/rows.mlir --mirage-schedule-launches | FileCheck %s --check-prefix=BEFORE
// BEFORE-NOT: deferred_products = true
// BEFORE: mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1,
// BEFORE-NOT: deferred_products = true
// RUN: %python %S/Inputs/record-launches.py mirage-opt %t/rows.mlir attention %t/times.json 'grid 4x128 loop 16=2' 'grid 4x64 loop 16=1'
// RUN: mirage-opt %t/rows.mlir --mirage-tune-launches='measure=recorded measurements=%t/times.json' | FileCheck %s --check-prefix=BEHIND
// BEHIND: mirage.schedule = #mirage.schedule<row_warps = 8, {{.*}}deferred_products = true

module attributes {mirage.target = #mirage.target<sm_90a>} {
  func.func @attention(%q: tensor<4x8x1024x128xf16>, %k: tensor<4x1024x128xf16>, %v: tensor<4x1024x128xf16>) -> tensor<4x8x1024x128xf16> {
    %inside = arith.constant 0.0 : f32
    %outside = arith.constant 0xFF800000 : f32
    %empty = tensor.empty() : tensor<1x1x1024x1024xf32>
    %m = linalg.generic {indexing_maps = [affine_map<(b, h, i, j) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
        outs(%empty : tensor<1x1x1024x1024xf32>) {
    ^bb0(%out: f32):
      %i = linalg.index 2 : index
      %j = linalg.index 3 : index
      %c = arith.cmpi ule, %j, %i : index
      %element = arith.select %c, %inside, %outside : f32
      linalg.yield %element : f32
    } -> tensor<1x1x1024x1024xf32>
    %0 = mirage_kernel.launch grid(x = 4, y = 128) (%qa = %q : tensor<4x8x1024x128xf16>, %ka = %k : tensor<4x1024x128xf16>, %va = %v : tensor<4x1024x128xf16>, %ma = %m : tensor<1x1x1024x1024xf32>) -> tensor<4x8x1024x128xf16> {
      %ql = mirage_block.load %qa imap(x -> 0, y -> 2) : tensor<4x8x1024x128xf16> to tensor<1x8x8x128xf16>
      %qr = mirage_block.reshape %ql : tensor<1x8x8x128xf16> to tensor<1x64x128xf16>
      %r:2 = mirage_block.for %i = 0 to 16 -> (tensor<1x8x8x1xf32>, tensor<1x64x128xf32>) {
        %kl = mirage_block.load %ka imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<4x1024x128xf16> to tensor<1x64x128xf16>
        %vl = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<4x1024x128xf16> to tensor<1x64x128xf16>
        %ml = mirage_block.load %ma imap(x -> phi, y -> 2) fmap(%i -> 3) : tensor<1x1x1024x1024xf32> to tensor<1x1x8x64xf32>
        %s = mirage_block.matmul %qr, %kl transpose_rhs : (tensor<1x64x128xf16>, tensor<1x64x128xf16>) -> tensor<1x64x64xf32>
        %sr = mirage_block.reshape %s : tensor<1x64x64xf32> to tensor<1x8x8x64xf32>
        %a = mirage_block.add %sr, %ml : (tensor<1x8x8x64xf32>, tensor<1x1x8x64xf32>) -> tensor<1x8x8x64xf32>
        %top = mirage_block.reduce max %a dim(3) keep : (tensor<1x8x8x64xf32>) -> tensor<1x8x8x1xf32>
        %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1x1xf32>
        %shift = mirage_block.max %top, %lowest : (tensor<1x8x8x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x8x8x1xf32>
        %d = mirage_block.sub %a, %shift : (tensor<1x8x8x64xf32>, tensor<1x8x8x1xf32>) -> tensor<1x8x8x64xf32>
        %e = mirage_block.exp %d : (tensor<1x8x8x64xf32>) -> tensor<1x8x8x64xf32>
        %n = mirage_block.reduce sum %e dim(3) keep : (tensor<1x8x8x64xf32>) -> tensor<1x8x8x1xf32>
        %er = mirage_block.reshape %e : tensor<1x8x8x64xf32> to tensor<1x64x64xf32>
        %ec = mirage_block.cast %er : tensor<1x64x64xf32> to tensor<1x64x64xf16>
        %p = mirage_block.matmul %ec, %vl : (tensor<1x64x64xf16>, tensor<1x64x128xf16>) -> tensor<1x64x128xf32>
        %x = mirage_block.accumulate rescaled_sum %n shift %shift : (tensor<1x8x8x1xf32>, tensor<1x8x8x1xf32>) -> tensor<1x8x8x1xf32>
        %tr = mirage_block.reshape %shift : tensor<1x8x8x1xf32> to tensor<1x64x1xf32>
        %y = mirage_block.accumulate rescaled_sum %p shift %tr : (tensor<1x64x128xf32>, tensor<1x64x1xf32>) -> tensor<1x64x128xf32>
        mirage_block.yield %x, %y : tensor<1x8x8x1xf32>, tensor<1x64x128xf32>
      }
      %xr = mirage_block.reshape %r#0 : tensor<1x8x8x1xf32> to tensor<1x64x1xf32>
      %z = mirage_block.div %r#1, %xr : (tensor<1x64x128xf32>, tensor<1x64x1xf32>) -> tensor<1x64x128xf32>
      %zr = mirage_block.reshape %z : tensor<1x64x128xf32> to tensor<1x8x8x128xf32>
      %zc = mirage_block.cast %zr : tensor<1x8x8x128xf32> to tensor<1x8x8x128xf16>
      %o = mirage_block.store %zc omap(x -> 0, y -> 2) : tensor<1x8x8x128xf16> to tensor<4x8x1024x128xf16>
      mirage_block.yield %o : tensor<4x8x1024x128xf16>
    }
    return %0 : tensor<4x8x1024x128xf16>
  }
}
