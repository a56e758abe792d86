// RUN: mirage-opt %s --mirage-split-load --split-input-file | FileCheck %s
// RUN: mirage-opt %s --mirage-split-load --mirage-split-load --split-input-file | FileCheck %s
// RUN: mirage-opt %s --mirage-split-load --split-input-file -o /dev/null --remark-policy=all \
// RUN:   --remarks-filter=mirage-split-load 2>&1 | FileCheck %s --check-prefix=REMARK

// A filter in another order is made once. The bias is read under its other shape.
// REMARK: Remark="1 value of @filter depends on constants alone: @filter.load computes it, 9216 bytes, once."
// CHECK-LABEL: func.func @filter(
// CHECK-SAME:      %[[X:.*]]: tensor<1x8x8x16xf16>, %{{.*}}: tensor<32x16x3x3xf16> {mirage.constant},
// CHECK-SAME:      %[[B:.*]]: tensor<32xf16> {mirage.constant},
// CHECK-SAME:      %[[L:.*]]: tensor<3x3x16x32xf16> {mirage.constant})
// CHECK-SAME:      attributes {mirage.load = @filter.load}
// CHECK-NEXT:    %[[Y:.*]] = mirage_kernel.conv2d nhwc %[[X]], %[[L]]
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[B]]
// CHECK-NEXT:    mirage_kernel.add %[[Y]], %[[R]]
// CHECK:       func.func @filter.load(%[[W:.*]]: tensor<32x16x3x3xf16>, %{{.*}}: tensor<32xf16>)
// CHECK-NEXT:    %[[T:.*]] = mirage_kernel.transpose %[[W]]
// CHECK-NEXT:    return %[[T]] : tensor<3x3x16x32xf16>
func.func @filter(%x: tensor<1x8x8x16xf16>, %w: tensor<32x16x3x3xf16> {mirage.constant},
                  %b: tensor<32xf16> {mirage.constant}) -> tensor<1x6x6x32xf16> {
  %t = mirage_kernel.transpose %w [2, 3, 1, 0] : (tensor<32x16x3x3xf16>) -> tensor<3x3x16x32xf16>
  %y = mirage_kernel.conv2d nhwc %x, %t strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x8x8x16xf16>, tensor<3x3x16x32xf16>) -> tensor<1x6x6x32xf16>
  %r = mirage_kernel.reshape %b : tensor<32xf16> to tensor<1x1x1x32xf16>
  %z = mirage_kernel.add %y, %r : (tensor<1x6x6x32xf16>, tensor<1x1x1x32xf16>) -> tensor<1x6x6x32xf16>
  return %z : tensor<1x6x6x32xf16>
}

// -----

// What was learned of batches becomes one factor, also where it is read in f32 and repeated: the
// cast and what repeats it stay. Constants of the program alone stay, too.
// REMARK: Remark="1 value of @norm depends on constants alone: @norm.load computes it, 128 bytes, once."
// CHECK-LABEL: func.func @norm(
// CHECK-SAME:      %[[F:[a-z0-9]*]]: tensor<64xf16> {mirage.constant}) ->
// CHECK-NEXT:    %[[C:.*]] = mirage_kernel.cast %[[F]]
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.reshape %[[C]]
// CHECK-NEXT:    mirage_kernel.broadcast %[[R]]
// CHECK-NEXT:    mirage_kernel.mul
// CHECK-NEXT:    mirage_kernel.constant
// CHECK-NEXT:    mirage_kernel.add
// CHECK-NEXT:    return
// CHECK:       func.func @norm.load(%[[G:.*]]: tensor<64xf16>, %[[V:.*]]: tensor<64xf16>)
// CHECK:         %[[S:.*]] = mirage_kernel.rsqrt %[[V]]
// CHECK-NEXT:    %[[M:.*]] = mirage_kernel.mul %[[G]], %[[S]]
// CHECK-NEXT:    return %[[M]] : tensor<64xf16>
func.func @norm(%x: tensor<8x64xf32>, %g: tensor<64xf16> {mirage.constant},
                %v: tensor<64xf16> {mirage.constant}) -> tensor<8x64xf32> {
  %s = mirage_kernel.rsqrt %v : (tensor<64xf16>) -> tensor<64xf16>
  %m = mirage_kernel.mul %g, %s : (tensor<64xf16>, tensor<64xf16>) -> tensor<64xf16>
  %c = mirage_kernel.cast %m : tensor<64xf16> to tensor<64xf32>
  %r = mirage_kernel.reshape %c : tensor<64xf32> to tensor<1x64xf32>
  %b = mirage_kernel.broadcast %r : tensor<1x64xf32> to tensor<8x64xf32>
  %y = mirage_kernel.mul %x, %b : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %k = mirage_kernel.constant dense<2.0> : tensor<8x64xf32>
  %z = mirage_kernel.add %y, %k : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  return %z : tensor<8x64xf32>
}

// -----

// Products read weights in either order, and the outer sum of two vectors is larger than these.
// The sum of two weights is not.
// CHECK-LABEL: func.func @products(
// CHECK-SAME:      %[[L:[a-z0-9]*]]: tensor<32x64xf16> {mirage.constant})
// CHECK-NEXT:    mirage_kernel.transpose
// CHECK-NEXT:    mirage_kernel.matmul
// CHECK-NEXT:    mirage_kernel.add
// CHECK-NEXT:    mirage_kernel.mul
// CHECK-NEXT:    mirage_kernel.matmul %{{.*}}, %[[L]]
// CHECK:       func.func @products.load(
// CHECK-NEXT:    mirage_kernel.add
// CHECK-NEXT:    return
func.func @products(%x: tensor<16x64xf16>, %w: tensor<32x64xf16> {mirage.constant},
                    %v: tensor<32x64xf16> {mirage.constant},
                    %r: tensor<16x1xf16> {mirage.constant},
                    %c: tensor<1x32xf16> {mirage.constant}) -> tensor<16x64xf16> {
  %t = mirage_kernel.transpose %w [1, 0] : (tensor<32x64xf16>) -> tensor<64x32xf16>
  %y = mirage_kernel.matmul %x, %t : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf16>
  %o = mirage_kernel.add %r, %c : (tensor<16x1xf16>, tensor<1x32xf16>) -> tensor<16x32xf16>
  %m = mirage_kernel.mul %y, %o : (tensor<16x32xf16>, tensor<16x32xf16>) -> tensor<16x32xf16>
  %s = mirage_kernel.add %w, %v : (tensor<32x64xf16>, tensor<32x64xf16>) -> tensor<32x64xf16>
  %z = mirage_kernel.matmul %m, %s : (tensor<16x32xf16>, tensor<32x64xf16>) -> tensor<16x64xf16>
  return %z : tensor<16x64xf16>
}

// -----

// Without the attribute nothing is constant. A function that others call keeps its arguments, and so
// does one with arguments that are no tensors of static shape.
// CHECK-LABEL: func.func @varies(
// CHECK-NOT:     mirage.load
// CHECK-LABEL: func.func @called(
// CHECK-NOT:     mirage.load
// CHECK-LABEL: func.func @caller(
// CHECK-LABEL: func.func @number(
// CHECK-NOT:     mirage.load
// CHECK-LABEL: func.func @dynamic(
// CHECK-NOT:     mirage.load
func.func @varies(%w: tensor<32xf16>) -> tensor<32xf16> {
  %0 = mirage_kernel.exp %w : (tensor<32xf16>) -> tensor<32xf16>
  return %0 : tensor<32xf16>
}
func.func @called(%w: tensor<32xf16> {mirage.constant}) -> tensor<32xf16> {
  %0 = mirage_kernel.exp %w : (tensor<32xf16>) -> tensor<32xf16>
  return %0 : tensor<32xf16>
}
func.func @caller(%w: tensor<32xf16> {mirage.constant}) -> tensor<32xf16> {
  %0 = call @called(%w) : (tensor<32xf16>) -> tensor<32xf16>
  return %0 : tensor<32xf16>
}

func.func @number(%w: tensor<32xf16> {mirage.constant}, %n: index {mirage.constant}) -> tensor<32xf16> {
  %0 = mirage_kernel.sqrt %w : (tensor<32xf16>) -> tensor<32xf16>
  %1 = mirage_kernel.exp %0 : (tensor<32xf16>) -> tensor<32xf16>
  return %1 : tensor<32xf16>
}
func.func @dynamic(%w: tensor<32xf16> {mirage.constant}, %n: tensor<?xf16> {mirage.constant}) -> tensor<32xf16> {
  %0 = mirage_kernel.sqrt %w : (tensor<32xf16>) -> tensor<32xf16>
  %1 = mirage_kernel.exp %0 : (tensor<32xf16>) -> tensor<32xf16>
  return %1 : tensor<32xf16>
}

// -----

// What is returned is made in each call, since a caller may change it.
// CHECK-LABEL: func.func @result(
// CHECK-SAME:      %[[W:[a-z0-9]*]]: tensor<32xf16> {mirage.constant},
// CHECK-SAME:      %[[L:[a-z0-9]*]]: tensor<32xf16> {mirage.constant})
// CHECK-NEXT:    %[[E:.*]] = mirage_kernel.exp %[[L]]
// CHECK-NEXT:    return %[[E]]
func.func @result(%w: tensor<32xf16> {mirage.constant}) -> tensor<32xf16> {
  %0 = mirage_kernel.sqrt %w : (tensor<32xf16>) -> tensor<32xf16>
  %1 = mirage_kernel.exp %0 : (tensor<32xf16>) -> tensor<32xf16>
  return %1 : tensor<32xf16>
}
