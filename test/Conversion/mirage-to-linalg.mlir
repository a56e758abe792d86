// Every kind of compute operator. Operators are the same at every level, so each is tested at one;
// mirage-to-linalg-run.test executes all of them.

// RUN: mirage-opt %s --convert-mirage-to-linalg | FileCheck %s
// RUN: mirage-opt %s --convert-mirage-to-linalg | mlir-opt -o /dev/null

// CHECK-DAG: #[[ID:.+]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.+]] = affine_map<(d0, d1) -> (0, d1)>
// CHECK-DAG: #[[COLUMN:.+]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-DAG: #[[LHS:.+]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[RHS_T:.+]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[OUT:.+]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[BATCH_LHS:.+]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
// CHECK-DAG: #[[ONE_RHS_T:.+]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>
// CHECK-DAG: #[[BATCH_OUT:.+]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[WINDOW:.+]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1 * 2 + d5, d2 + d6 * 3, d3, d7)>

// The target means nothing outside of Mirage.
// CHECK: module {
module attributes {mirage.target = #mirage.target<sm_90a>} {

// Narrow floats are computed with in f32; a dimension of size one is a constant in the map.
// CHECK-LABEL: func @elementwise(
// CHECK-SAME: %[[A:.+]]: tensor<5x24xf16>, %[[B:.+]]: tensor<1x24xf16>
// CHECK: %[[EMPTY:.+]] = tensor.empty() : tensor<5x24xf16>
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[ROW]], #[[ID]]], iterator_types = ["parallel", "parallel"]}
// CHECK-SAME: ins(%[[A]], %[[B]] : {{.*}}) outs(%[[EMPTY]] :
// CHECK: %[[X:.+]] = arith.extf %{{.+}} : f16 to f32
// CHECK: %[[Y:.+]] = arith.extf %{{.+}} : f16 to f32
// CHECK: %[[SUB:.+]] = arith.subf %[[X]], %[[Y]] : f32
// CHECK: %[[ROUNDED:.+]] = arith.truncf %[[SUB]] : f32 to f16
// CHECK: linalg.yield %[[ROUNDED]] : f16
func.func @elementwise(%a: tensor<5x24xf16>, %b: tensor<1x24xf16>) -> tensor<5x24xf16> {
  %0 = mirage_kernel.sub %a, %b : (tensor<5x24xf16>, tensor<1x24xf16>) -> tensor<5x24xf16>
  return %0 : tensor<5x24xf16>
}

// CHECK-LABEL: func @functions(
// CHECK: math.exp %{{.+}} : f32
// CHECK: math.exp2
// CHECK: math.log
// CHECK: math.sqrt
// CHECK: math.rsqrt
// CHECK: math.erf
// CHECK: math.tanh
// CHECK: arith.maximumf
// CHECK: math.powf
// CHECK: arith.negf
func.func @functions(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mirage_kernel.exp2 %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = mirage_kernel.log %1 : (tensor<4xf32>) -> tensor<4xf32>
  %3 = mirage_kernel.sqrt %2 : (tensor<4xf32>) -> tensor<4xf32>
  %4 = mirage_kernel.rsqrt %3 : (tensor<4xf32>) -> tensor<4xf32>
  %5 = mirage_kernel.gelu erf %4 : (tensor<4xf32>) -> tensor<4xf32>
  %6 = mirage_kernel.gelu tanh %5 : (tensor<4xf32>) -> tensor<4xf32>
  %7 = mirage_kernel.relu %6 : (tensor<4xf32>) -> tensor<4xf32>
  %8 = mirage_kernel.pow %7 to 1.7 : (tensor<4xf32>) -> tensor<4xf32>
  %9 = mirage_kernel.sigmoid %8 : (tensor<4xf32>) -> tensor<4xf32>
  return %9 : tensor<4xf32>
}

// Conditions are numbers.
// CHECK-LABEL: func @conditions(
// CHECK: %[[LESS:.+]] = arith.cmpf olt, %{{.+}}, %{{.+}} : f32
// CHECK: arith.select %[[LESS]], %{{.+}}, %{{.+}} : f32
// CHECK: %[[HOLDS:.+]] = arith.cmpf une, %{{.+}}, %{{.+}} : f32
// CHECK: arith.select %[[HOLDS]], %{{.+}}, %{{.+}} : f32
func.func @conditions(%x: tensor<4x3xf32>, %y: tensor<4x1xf32>) -> tensor<4x3xf32> {
  %0 = mirage_kernel.compare lt %x, %y : (tensor<4x3xf32>, tensor<4x1xf32>) -> tensor<4x3xf32>
  %1 = mirage_kernel.select %0, %x, %y
      : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x1xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// One rounding, also from f64 and between types of one width.
// CHECK-LABEL: func @casts(
// CHECK: arith.truncf %{{.+}} : f64 to f16
// CHECK: %[[WIDE:.+]] = arith.extf %{{.+}} : f16 to f32
// CHECK: arith.truncf %[[WIDE]] : f32 to bf16
// CHECK: %[[WIDE:.+]] = arith.extf %{{.+}} : bf16 to f32
// CHECK: arith.truncf %[[WIDE]] : f32 to f8E4M3FN
func.func @casts(%x: tensor<4xf64>) -> tensor<4xf8E4M3FN> {
  %0 = mirage_kernel.cast %x : tensor<4xf64> to tensor<4xf16>
  %1 = mirage_kernel.cast %0 : tensor<4xf16> to tensor<4xbf16>
  %2 = mirage_kernel.cast %1 : tensor<4xbf16> to tensor<4xf8E4M3FN>
  return %2 : tensor<4xf8E4M3FN>
}

// CHECK-LABEL: func @constant(
// CHECK: arith.constant dense<[1.000000e+00, 2.500000e+00]> : tensor<2xbf16>
func.func @constant() -> tensor<2xbf16> {
  %0 = mirage_kernel.constant dense<[1.0, 2.5]> : tensor<2xbf16>
  return %0 : tensor<2xbf16>
}

// CHECK-LABEL: func @layout(
// CHECK-SAME: %[[X:.+]]: tensor<4x6xf16>, %[[Y:.+]]: tensor<4x2xf16>, %[[Z:.+]]: tensor<1x6xf16>
// CHECK: %[[COPIES:.+]] = linalg.broadcast ins(%[[X]] : {{.*}}) outs({{.*}} : tensor<2x4x3x6xf16>) dimensions = [0, 2]
// CHECK: tensor.collapse_shape %[[COPIES]] {{\[\[}}0, 1], [2, 3]]
// CHECK: %[[THIN:.+]] = tensor.collapse_shape %[[Z]]
// CHECK: linalg.broadcast ins(%[[THIN]] : {{.*}}) outs({{.*}}) dimensions = [0]
// CHECK: %[[FLAT:.+]] = tensor.collapse_shape %[[X]] {{.*}} into tensor<24xf16>
// CHECK: tensor.expand_shape %[[FLAT]] {{.*}} into tensor<3x8xf16>
// CHECK: linalg.transpose ins(%[[X]] : {{.*}}) permutation = [1, 0]
// CHECK: tensor.extract_slice %[[X]][1, 0] [2, 3] [2, 2]
// CHECK: tensor.extract_slice %[[X]][0, 0] [4, 3] [1, 1]
// CHECK: tensor.extract_slice %[[X]][0, 3] [4, 3] [1, 1]
// CHECK: %[[LEFT:.+]] = tensor.insert_slice %[[X]] into %{{.+}}[0, 0] [4, 6] [1, 1]
// CHECK: tensor.insert_slice %[[Y]] into %[[LEFT]][0, 6] [4, 2] [1, 1]
// CHECK: tensor.pad %[[X]] low[1, 0] high[2, 1]
func.func @layout(%x: tensor<4x6xf16>, %y: tensor<4x2xf16>, %z: tensor<1x6xf16>)
    -> (tensor<8x18xf16>, tensor<4x6xf16>, tensor<3x8xf16>, tensor<6x4xf16>, tensor<2x3xf16>,
        tensor<4x3xf16>, tensor<4x3xf16>, tensor<4x8xf16>, tensor<7x7xf16>) {
  %0 = mirage_kernel.repeat %x times [2, 3] : (tensor<4x6xf16>) -> tensor<8x18xf16>
  %1 = mirage_kernel.broadcast %z : tensor<1x6xf16> to tensor<4x6xf16>
  %2 = mirage_kernel.reshape %x : tensor<4x6xf16> to tensor<3x8xf16>
  %3 = mirage_kernel.transpose %x [1, 0] : (tensor<4x6xf16>) -> tensor<6x4xf16>
  %4 = mirage_kernel.slice %x[1, 0] [2, 3] [2, 2] : (tensor<4x6xf16>) -> tensor<2x3xf16>
  %5:2 = mirage_kernel.split %x dim(1) parts(2)
      : (tensor<4x6xf16>) -> (tensor<4x3xf16>, tensor<4x3xf16>)
  %6 = mirage_kernel.concat dim(1) %x, %y
      : (tensor<4x6xf16>, tensor<4x2xf16>) -> tensor<4x8xf16>
  %7 = mirage_kernel.pad %x low [1, 0] high [2, 1] value(-3.0)
      : (tensor<4x6xf16>) -> tensor<7x7xf16>
  return %0, %1, %2, %3, %4, %5#0, %5#1, %6, %7
      : tensor<8x18xf16>, tensor<4x6xf16>, tensor<3x8xf16>, tensor<6x4xf16>, tensor<2x3xf16>,
        tensor<4x3xf16>, tensor<4x3xf16>, tensor<4x8xf16>, tensor<7x7xf16>
}

// Dimensions that stay are not merged with those that change.
// CHECK-LABEL: func @reshape(
// CHECK-SAME: %[[X:.+]]: tensor<2x4x6x5xf32>
// CHECK: %[[A:.+]] = tensor.collapse_shape %[[X]] {{\[\[}}0], [1, 2], [3]] : {{.*}} into tensor<2x24x5xf32>
// CHECK: %[[B:.+]] = tensor.expand_shape %[[A]] {{\[\[}}0], [1, 2], [3, 4]] {{.*}} into tensor<2x3x8x5x1xf32>
// CHECK: tensor.collapse_shape %{{.+}} [] : tensor<1x1xf32> into tensor<f32>
// CHECK: tensor.expand_shape %{{.+}} [] output_shape [1] : tensor<f32> into tensor<1xf32>
func.func @reshape(%x: tensor<2x4x6x5xf32>, %y: tensor<1x1xf32>)
    -> (tensor<2x3x8x5x1xf32>, tensor<1xf32>) {
  %0 = mirage_kernel.reshape %x : tensor<2x4x6x5xf32> to tensor<2x3x8x5x1xf32>
  %1 = mirage_kernel.reshape %y : tensor<1x1xf32> to tensor<f32>
  %2 = mirage_kernel.reshape %1 : tensor<f32> to tensor<1xf32>
  return %0, %2 : tensor<2x3x8x5x1xf32>, tensor<1xf32>
}

// Sums in f32, maxima in the type itself; groups are a dimension of their own.
// CHECK-LABEL: func @reduce(
// CHECK-SAME: %[[X:.+]]: tensor<6x20xf16>
// CHECK: %[[ZERO:.+]] = arith.constant 0.0{{.*}} : f32
// CHECK: %[[INIT:.+]] = linalg.fill ins(%[[ZERO]] : f32)
// CHECK: linalg.reduce ins(%[[X]] : {{.*}}) outs(%[[INIT]] : tensor<6xf32>) dimensions = [1]
// CHECK: arith.extf %{{.+}} : f16 to f32
// CHECK: arith.addf %{{.+}} : f32
// CHECK: %[[LOWEST:.+]] = arith.constant 0xFC00 : f16
// CHECK: linalg.fill ins(%[[LOWEST]] : f16)
// CHECK: linalg.reduce { arith.maximumf } ins(%[[X]] : {{.*}}) dimensions = [0]
// CHECK: tensor.expand_shape {{.*}} into tensor<1x20xf16>
// CHECK: %[[GROUPS:.+]] = tensor.expand_shape %[[X]] {{.*}} into tensor<6x5x4xf16>
// CHECK: linalg.reduce ins(%[[GROUPS]] : {{.*}}) outs({{.*}} : tensor<6x5xf32>) dimensions = [2]
// CHECK: arith.truncf %{{.+}} : f32 to f16
// CHECK: linalg.reduce ins(%[[X]] :
// CHECK: %[[EXTENT:.+]] = arith.constant 2.000000e+01 : f32
// CHECK: arith.divf %{{.+}}, %[[EXTENT]] : f32
// CHECK: tensor.expand_shape {{.*}} into tensor<6x1xf32>
func.func @reduce(%x: tensor<6x20xf16>)
    -> (tensor<6xf32>, tensor<1x20xf16>, tensor<6x5xf16>, tensor<6x1xf32>) {
  %0 = mirage_kernel.reduce sum %x dim(1) : (tensor<6x20xf16>) -> tensor<6xf32>
  %1 = mirage_kernel.reduce max %x dim(0) keep : (tensor<6x20xf16>) -> tensor<1x20xf16>
  %2 = mirage_kernel.reduce sum %x dim(1) group(4) : (tensor<6x20xf16>) -> tensor<6x5xf16>
  %3 = mirage_kernel.reduce mean %x dim(1) keep : (tensor<6x20xf16>) -> tensor<6x1xf32>
  return %0, %1, %2, %3 : tensor<6xf32>, tensor<1x20xf16>, tensor<6x5xf16>, tensor<6x1xf32>
}

// CHECK-LABEL: func @matmul(
// CHECK: linalg.matmul indexing_maps = [#[[LHS]], #[[RHS_T]], #[[OUT]]] ins({{.*}} : tensor<5x12xf16>, tensor<7x12xf16>) outs({{.*}} : tensor<5x7xf32>)
// CHECK: linalg.batch_matmul ins({{.*}} : tensor<2x5x12xf16>, tensor<2x12x7xf16>) outs({{.*}} : tensor<2x5x7xf32>)
// CHECK: arith.truncf %{{.+}} : f32 to f16
// CHECK: %[[ONE:.+]] = tensor.collapse_shape %{{.+}} {{\[\[}}0], [1, 2], [3]] : tensor<2x1x8x6xf32>
// CHECK: linalg.contract indexing_maps = [#[[BATCH_LHS]], #[[ONE_RHS_T]], #[[BATCH_OUT]]] ins(%{{.+}}, %[[ONE]] :
func.func @matmul(%a: tensor<5x12xf16>, %b: tensor<7x12xf16>, %c: tensor<2x5x12xf16>,
                  %d: tensor<2x12x7xf16>, %q: tensor<2x4x5x6xf32>, %k: tensor<2x1x8x6xf32>)
    -> (tensor<5x7xf32>, tensor<2x5x7xf16>, tensor<2x4x5x8xf32>) {
  %0 = mirage_kernel.matmul %a, %b transpose_rhs
      : (tensor<5x12xf16>, tensor<7x12xf16>) -> tensor<5x7xf32>
  %1 = mirage_kernel.matmul %c, %d
      : (tensor<2x5x12xf16>, tensor<2x12x7xf16>) -> tensor<2x5x7xf16>
  %2 = mirage_kernel.matmul %q, %k transpose_rhs
      : (tensor<2x4x5x6xf32>, tensor<2x1x8x6xf32>) -> tensor<2x4x5x8xf32>
  return %0, %1, %2 : tensor<5x7xf32>, tensor<2x5x7xf16>, tensor<2x4x5x8xf32>
}

// Two products in one accumulation; tf32 by rounding the operands' bits.
// CHECK-LABEL: func @more_products(
// CHECK-SAME: %[[W:.+]]: tensor<5x8xf32>, %[[X:.+]]: tensor<5x3xf32>, %[[Y:.+]]: tensor<8x6xf32>, %[[Z:.+]]: tensor<3x6xf32>
// CHECK: %[[WY:.+]] = linalg.matmul ins(%[[W]], %[[Y]] :
// CHECK: %[[SUM:.+]] = linalg.matmul ins(%[[X]], %[[Z]] : {{.*}}) outs(%[[WY]] :
// CHECK: %[[WR:.+]] = linalg.generic {{.*}} ins(%[[W]] :
// CHECK: arith.bitcast %{{.+}} : f32 to i32
// CHECK: %[[YR:.+]] = linalg.generic {{.*}} ins(%[[Y]] :
// CHECK: %[[TF32:.+]] = linalg.matmul ins(%[[WR]], %[[YR]] :
// CHECK: return %[[SUM]], %[[TF32]]
func.func @more_products(%w: tensor<5x8xf32>, %x: tensor<5x3xf32>, %y: tensor<8x6xf32>,
                         %z: tensor<3x6xf32>) -> (tensor<5x6xf32>, tensor<5x6xf32>) {
  %0 = mirage_kernel.concat_matmul (%w, %x), (%y, %z)
      : (tensor<5x8xf32>, tensor<5x3xf32>, tensor<8x6xf32>, tensor<3x6xf32>) -> tensor<5x6xf32>
  %1 = mirage_kernel.matmul %w, %y compute tf32
      : (tensor<5x8xf32>, tensor<8x6xf32>) -> tensor<5x6xf32>
  return %0, %1 : tensor<5x6xf32>, tensor<5x6xf32>
}

// CHECK-LABEL: func @conv2d(
// CHECK: %[[PADDED:.+]] = tensor.pad %{{.+}} low[0, 0, 1, 0] high[0, 0, 1, 1]
// CHECK: %[[GROUPED:.+]] = tensor.expand_shape %[[PADDED]] {{.*}} into tensor<2x2x2x11x9xf16>
// CHECK: linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%[[GROUPED]], %{{.+}} : {{.*}}) outs({{.*}} : tensor<2x2x3x5x4xf32>)
// CHECK: arith.truncf
// CHECK: linalg.conv_2d_nhwc_hwcf {dilations = dense<2> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
// CHECK: linalg.generic {indexing_maps = [#[[WINDOW]],
// CHECK-SAME: outs({{.*}} : tensor<1x3x4x2x3xf32>)
func.func @conv2d(%x: tensor<2x4x9x8xf16>, %f: tensor<6x2x3x2xf16>, %u: tensor<1x7x7x4xf32>,
                  %g: tensor<2x2x4x6xf32>, %h: tensor<2x2x2x6xf32>)
    -> (tensor<2x6x5x4xf16>, tensor<1x6x6x6xf32>, tensor<1x3x4x6xf32>) {
  %0 = mirage_kernel.conv2d nchw %x, %f strides [2, 2] padding [1, 1, 0, 1] dilations [1, 1]
      groups(2) : (tensor<2x4x9x8xf16>, tensor<6x2x3x2xf16>) -> tensor<2x6x5x4xf16>
  %1 = mirage_kernel.conv2d nhwc %u, %g strides [1, 1] padding [0, 1, 1, 0] dilations [2, 2]
      groups(1) : (tensor<1x7x7x4xf32>, tensor<2x2x4x6xf32>) -> tensor<1x6x6x6xf32>
  %2 = mirage_kernel.conv2d nhwc %u, %h strides [2, 1] padding [0, 0, 0, 0] dilations [1, 3]
      groups(2) : (tensor<1x7x7x4xf32>, tensor<2x2x2x6xf32>) -> tensor<1x3x4x6xf32>
  return %0, %1, %2 : tensor<2x6x5x4xf16>, tensor<1x6x6x6xf32>, tensor<1x3x4x6xf32>
}

// A composite operator rounds once, at its end.
// CHECK-LABEL: func @softmax(
// CHECK: arith.extf %{{.+}} : f16 to f32
// CHECK: linalg.reduce { arith.maximumf } ins({{.*}} : tensor<3x40xf32>)
// CHECK: linalg.generic {indexing_maps = [#[[ID]], #[[COLUMN]], #[[ID]]],
// CHECK: arith.subf
// CHECK-NOT: arith.truncf
// CHECK: math.exp
// CHECK: linalg.reduce { arith.addf }
// CHECK: arith.divf
// CHECK: arith.truncf %{{.+}} : f32 to f16
func.func @softmax(%x: tensor<3x40xf16>) -> tensor<3x40xf16> {
  %0 = mirage_kernel.softmax %x dim(1) : (tensor<3x40xf16>) -> tensor<3x40xf16>
  return %0 : tensor<3x40xf16>
}

// What is not Mirage's stays; its attributes go.
// CHECK-LABEL: func @others(
// CHECK-SAME: %[[X:.+]]: tensor<4xf32> {bufferization.writable = false})
// CHECK-NEXT: %[[SUM:.+]] = arith.addf %[[X]], %[[X]] : tensor<4xf32>
// CHECK-NEXT: return %[[SUM]]
func.func @others(%x: tensor<4xf32> {bufferization.writable = false}) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

}
