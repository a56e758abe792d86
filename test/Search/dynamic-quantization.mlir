// Rows are divided by a scale that is made of their own maximum, multiplied by a matrix, and scaled
// back: so serving engines quantize. The scale is gone from the exact result, so that a launch may
// take any other number for it as far as exact arithmetic goes: the maximum of a tile, which is zero
// where the row's is not, or none, with which a large element overflows.
//
// What is found is right on zero rows, zero tiles and one huge element.

// RUN: mirage-opt %s --mirage-optimize='keep-original best=1' -o %t
// RUN: mirage-opt %t --mirage-verify-equivalence -o /dev/null | FileCheck %s --check-prefix=ANSWER
// RUN: %python %mirage_src_root/scripts/hostile_inputs.py %t --tools %mirage_tools_dir --arguments=1 \
// RUN:   | FileCheck %s --check-prefix=RESULTS

// ANSWER-COUNT-2: computes what {{.*}} does: {{proved|equivalent}}
// RESULTS-NOT: with {{.*}} in argument
// RESULTS: 2 functions run, 0 wrong when run

func.func @quantized_linear(%x: tensor<16x512xf16>, %w: tensor<512x128xf16>, %columns: tensor<128xf16>)
    -> tensor<16x128xf16> {
  %infinity = arith.constant 0xFF800000 : f32
  %range = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<16x512xf32>
  %absolute = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m, k)>],
                              iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16x512xf16>) outs(%e0 : tensor<16x512xf32>) {
  ^bb0(%a: f16, %o: f32):
    %b = arith.extf %a : f16 to f32
    %c = math.absf %b : f32
    linalg.yield %c : f32
  } -> tensor<16x512xf32>
  %e1 = tensor.empty() : tensor<16xf32>
  %e2 = linalg.fill ins(%infinity : f32) outs(%e1 : tensor<16xf32>) -> tensor<16xf32>
  %largest = linalg.reduce ins(%absolute : tensor<16x512xf32>) outs(%e2 : tensor<16xf32>) dimensions = [1]
      (%a: f32, %o: f32) {
    %b = arith.maximumf %a, %o : f32
    linalg.yield %b : f32
  }
  %e3 = tensor.empty() : tensor<16x512xf16>
  %quantized = linalg.generic {indexing_maps = [affine_map<(m, k) -> (m, k)>, affine_map<(m, k) -> (m)>,
                                                affine_map<(m, k) -> (m, k)>],
                               iterator_types = ["parallel", "parallel"]}
      ins(%x, %largest : tensor<16x512xf16>, tensor<16xf32>) outs(%e3 : tensor<16x512xf16>) {
  ^bb0(%a: f16, %m: f32, %o: f16):
    %b = arith.extf %a : f16 to f32
    %scale = arith.divf %m, %range : f32
    %c = arith.divf %b, %scale : f32
    %d = arith.truncf %c : f32 to f16
    linalg.yield %d : f16
  } -> tensor<16x512xf16>
  %e4 = tensor.empty() : tensor<16x128xf32>
  %e5 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<16x128xf32>) -> tensor<16x128xf32>
  %product = linalg.matmul ins(%quantized, %w : tensor<16x512xf16>, tensor<512x128xf16>)
      outs(%e5 : tensor<16x128xf32>) -> tensor<16x128xf32>
  %e6 = tensor.empty() : tensor<16x128xf16>
  %y = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m)>,
                                        affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%product, %largest, %columns : tensor<16x128xf32>, tensor<16xf32>, tensor<128xf16>)
      outs(%e6 : tensor<16x128xf16>) {
  ^bb0(%a: f32, %m: f32, %n: f16, %o: f16):
    %scale = arith.divf %m, %range : f32
    %b = arith.mulf %a, %scale : f32
    %c = arith.extf %n : f16 to f32
    %d = arith.mulf %b, %c : f32
    %e = arith.truncf %d : f32 to f16
    linalg.yield %e : f16
  } -> tensor<16x128xf16>
  return %y : tensor<16x128xf16>
}

// Rows that are longer than a tile.
func.func @long_rows(%x: tensor<32x2048xf16>, %w: tensor<2048x64xf16>, %columns: tensor<1x64xf16>)
    -> tensor<32x64xf16> {
  %range = mirage_kernel.constant dense<127.0> : tensor<1x1xf32>
  %wide = mirage_kernel.cast %x : tensor<32x2048xf16> to tensor<32x2048xf32>
  %absolute = mirage_kernel.abs %wide : (tensor<32x2048xf32>) -> tensor<32x2048xf32>
  %largest = mirage_kernel.reduce max %absolute dim(1) keep : (tensor<32x2048xf32>) -> tensor<32x1xf32>
  %scale = mirage_kernel.div %largest, %range : (tensor<32x1xf32>, tensor<1x1xf32>) -> tensor<32x1xf32>
  %divided = mirage_kernel.div %wide, %scale : (tensor<32x2048xf32>, tensor<32x1xf32>) -> tensor<32x2048xf32>
  %quantized = mirage_kernel.cast %divided : tensor<32x2048xf32> to tensor<32x2048xf16>
  %product = mirage_kernel.matmul %quantized, %w
      : (tensor<32x2048xf16>, tensor<2048x64xf16>) -> tensor<32x64xf32>
  %scaled = mirage_kernel.mul %product, %scale : (tensor<32x64xf32>, tensor<32x1xf32>) -> tensor<32x64xf32>
  %factors = mirage_kernel.cast %columns : tensor<1x64xf16> to tensor<1x64xf32>
  %result = mirage_kernel.mul %scaled, %factors : (tensor<32x64xf32>, tensor<1x64xf32>) -> tensor<32x64xf32>
  %y = mirage_kernel.cast %result : tensor<32x64xf32> to tensor<32x64xf16>
  return %y : tensor<32x64xf16>
}
