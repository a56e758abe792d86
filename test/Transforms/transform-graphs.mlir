// RUN: mirage-opt %s --mirage-transform-graphs | FileCheck %s --check-prefix=CHOSEN
// RUN: mirage-opt %s --mirage-transform-graphs --remark-policy=all \
// RUN:   --remarks-filter=mirage-transform-graphs -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: mirage-opt %s --mirage-transform-graphs='rules=ScaledColumns,ScaledInput,NormWeight' \
// RUN:   | FileCheck %s --check-prefix=WEIGHTS
// RUN: mirage-opt %s --mirage-transform-graphs='rules=ScaledColumns' \
// RUN:   --mirage-split-load | FileCheck %s --check-prefix=LOADED
// RUN: not mirage-opt %s --mirage-transform-graphs='rules=Folding' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN

// What rules make of graphs (TransformRulesTest has each rule), and when it is
// taken.

// UNKNOWN: error: mirage-transform-graphs has no rule 'Folding'; it has AssociatedLeft, AssociatedRight,

module attributes {mirage.target = #mirage.target<sm_90a>} {

// A quotient that two products read would be a kernel of its own.
// REMARK: remark: [Passed] transform {{.*}}Remark="DividedRows: {{.*}}, taken"
// CHOSEN-LABEL: func.func @rows(
// CHOSEN-NOT: div %arg0
// CHOSEN: %[[A:.+]] = mirage_kernel.matmul %arg0, %arg2
// CHOSEN: mirage_kernel.div %[[A]], %arg1
// CHOSEN: %[[B:.+]] = mirage_kernel.matmul %arg0, %arg3
// CHOSEN: mirage_kernel.div %[[B]], %arg1
func.func @rows(%x: tensor<4096x1024xf32>, %d: tensor<4096x1xf32>,
                %v: tensor<1024x64xf32>, %w: tensor<1024x64xf32>)
    -> (tensor<4096x64xf32>, tensor<4096x64xf32>) {
  %y = mirage_kernel.div %x, %d
      : (tensor<4096x1024xf32>, tensor<4096x1xf32>) -> tensor<4096x1024xf32>
  %0 = mirage_kernel.matmul %y, %v
      : (tensor<4096x1024xf32>, tensor<1024x64xf32>) -> tensor<4096x64xf32>
  %1 = mirage_kernel.matmul %y, %w
      : (tensor<4096x1024xf32>, tensor<1024x64xf32>) -> tensor<4096x64xf32>
  return %0, %1 : tensor<4096x64xf32>, tensor<4096x64xf32>
}

// A batch norm's factors are free behind a convolution, by the model, and become
// part of its filters, which are computed once: that is never slower.
// REMARK: remark: [Passed] transform {{.*}}Remark="ScaledColumns: {{.*}}, taken"
// CHOSEN-LABEL: func.func @channels(
// CHOSEN-NOT: mirage_kernel.conv2d nchw %arg0, %arg1
// WEIGHTS-LABEL: func.func @channels(
// WEIGHTS: %[[C:.+]] = mirage_kernel.reshape %arg2 : tensor<1x8x1x1xf32> to tensor<8x1x1x1xf32>
// WEIGHTS: %[[W:.+]] = mirage_kernel.mul %arg1, %[[C]]
// WEIGHTS: %[[P:.+]] = mirage_kernel.conv2d nchw %arg0, %[[W]]
// WEIGHTS: return %[[P]]
// LOADED-LABEL: func.func @channels(
// LOADED-SAME: %arg3: tensor<8x16x3x3xf32> {mirage.constant})
// LOADED-NEXT: conv2d nchw %arg0, %arg3
// LOADED-LABEL: func.func @channels.load(
// LOADED: mirage_kernel.mul
func.func @channels(%x: tensor<1x16x32x32xf32>,
                    %w: tensor<8x16x3x3xf32> {mirage.constant},
                    %c: tensor<1x8x1x1xf32> {mirage.constant})
    -> tensor<1x8x30x30xf32> {
  %0 = mirage_kernel.conv2d nchw %x, %w strides [1, 1] padding [0, 0, 0, 0]
      dilations [1, 1] groups(1)
      : (tensor<1x16x32x32xf32>, tensor<8x16x3x3xf32>) -> tensor<1x8x30x30xf32>
  %1 = mirage_kernel.mul %0, %c
      : (tensor<1x8x30x30xf32>, tensor<1x8x1x1xf32>) -> tensor<1x8x30x30xf32>
  return %1 : tensor<1x8x30x30xf32>
}

// The products of one norm have its weight each, and there is one norm.
// WEIGHTS-LABEL: func.func @norm(
// WEIGHTS: %[[N:.+]] = mirage_kernel.rms_norm %arg0 epsilon
// WEIGHTS-NOT: rms_norm
// WEIGHTS: %[[V:.+]] = mirage_kernel.mul %arg2,
// WEIGHTS: mirage_kernel.matmul %[[N]], %[[V]]
// WEIGHTS: %[[W:.+]] = mirage_kernel.mul %arg3,
// WEIGHTS: mirage_kernel.matmul %[[N]], %[[W]] transpose_rhs
func.func @norm(%x: tensor<64x128xf32>, %g: tensor<128xf32> {mirage.constant},
                %v: tensor<128x32xf32> {mirage.constant},
                %w: tensor<16x128xf32> {mirage.constant})
    -> (tensor<64x32xf32>, tensor<64x16xf32>) {
  %n = mirage_kernel.rms_norm %x weight %g epsilon(1.0e-5)
      : (tensor<64x128xf32>, tensor<128xf32>) -> tensor<64x128xf32>
  %0 = mirage_kernel.matmul %n, %v
      : (tensor<64x128xf32>, tensor<128x32xf32>) -> tensor<64x32xf32>
  %1 = mirage_kernel.matmul %n, %w transpose_rhs
      : (tensor<64x128xf32>, tensor<16x128xf32>) -> tensor<64x16xf32>
  return %0, %1 : tensor<64x32xf32>, tensor<64x16xf32>
}

// Where something else reads the weight, the factor, the product or the norm, a
// factor in the weights might lose: a second weight would be read, or a second
// product computed.
// WEIGHTS-LABEL: func.func @shared_weight(
// WEIGHTS: mirage_kernel.matmul %arg0, %arg2
// WEIGHTS: mirage_kernel.matmul %arg1, %arg2
func.func @shared_weight(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>,
                         %w: tensor<128x32xf32> {mirage.constant},
                         %c: tensor<1x32xf32> {mirage.constant})
    -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %0 = mirage_kernel.matmul %x, %w
      : (tensor<64x128xf32>, tensor<128x32xf32>) -> tensor<64x32xf32>
  %1 = mirage_kernel.mul %0, %c
      : (tensor<64x32xf32>, tensor<1x32xf32>) -> tensor<64x32xf32>
  %2 = mirage_kernel.matmul %y, %w
      : (tensor<64x128xf32>, tensor<128x32xf32>) -> tensor<64x32xf32>
  return %1, %2 : tensor<64x32xf32>, tensor<64x32xf32>
}

// WEIGHTS-LABEL: func.func @shared_factor(
// WEIGHTS: mirage_kernel.matmul %arg0, %arg1
func.func @shared_factor(%x: tensor<64x128xf32>,
                         %w: tensor<128x32xf32> {mirage.constant},
                         %c: tensor<1x32xf32> {mirage.constant},
                         %z: tensor<64x32xf32>)
    -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %0 = mirage_kernel.matmul %x, %w
      : (tensor<64x128xf32>, tensor<128x32xf32>) -> tensor<64x32xf32>
  %1 = mirage_kernel.mul %0, %c
      : (tensor<64x32xf32>, tensor<1x32xf32>) -> tensor<64x32xf32>
  %2 = mirage_kernel.mul %z, %c
      : (tensor<64x32xf32>, tensor<1x32xf32>) -> tensor<64x32xf32>
  return %1, %2 : tensor<64x32xf32>, tensor<64x32xf32>
}

// WEIGHTS-LABEL: func.func @shared_product(
// WEIGHTS: %[[Q:.+]] = mirage_kernel.matmul %arg0, %arg1
// WEIGHTS-NEXT: mirage_kernel.mul %[[Q]], %arg2
func.func @shared_product(%x: tensor<64x128xf32>,
                          %w: tensor<128x32xf32> {mirage.constant},
                          %c: tensor<1x32xf32> {mirage.constant})
    -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %0 = mirage_kernel.matmul %x, %w
      : (tensor<64x128xf32>, tensor<128x32xf32>) -> tensor<64x32xf32>
  %1 = mirage_kernel.mul %0, %c
      : (tensor<64x32xf32>, tensor<1x32xf32>) -> tensor<64x32xf32>
  return %0, %1 : tensor<64x32xf32>, tensor<64x32xf32>
}

// WEIGHTS-LABEL: func.func @shared_norm(
// WEIGHTS: %[[N:.+]] = mirage_kernel.rms_norm %arg0 weight %arg1
// WEIGHTS-NEXT: mirage_kernel.matmul %[[N]], %arg2
func.func @shared_norm(%x: tensor<64x128xf32>,
                       %g: tensor<128xf32> {mirage.constant},
                       %w: tensor<128x32xf32> {mirage.constant})
    -> (tensor<64x128xf32>, tensor<64x32xf32>) {
  %n = mirage_kernel.rms_norm %x weight %g epsilon(1.0e-5)
      : (tensor<64x128xf32>, tensor<128xf32>) -> tensor<64x128xf32>
  %0 = mirage_kernel.matmul %n, %w
      : (tensor<64x128xf32>, tensor<128x32xf32>) -> tensor<64x32xf32>
  return %n, %0 : tensor<64x128xf32>, tensor<64x32xf32>
}

// Factors of an input that two products read become part of both weights, or of
// neither: the second function's other operand is computed in each call.
// WEIGHTS-LABEL: func.func @input(
// WEIGHTS-NOT: mirage_kernel.mul %arg0
// WEIGHTS: mirage_kernel.matmul %arg0
// WEIGHTS: mirage_kernel.matmul %arg0
// WEIGHTS-LABEL: func.func @shared_input(
// WEIGHTS: %[[S:.+]] = mirage_kernel.mul %arg0, %arg1
// WEIGHTS: mirage_kernel.matmul %[[S]], %arg2
// WEIGHTS: mirage_kernel.matmul %[[S]], %arg3
func.func @input(%x: tensor<64x128xf32>,
                 %c: tensor<1x128xf32> {mirage.constant},
                 %v: tensor<128x32xf32> {mirage.constant},
                 %w: tensor<16x128xf32> {mirage.constant})
    -> (tensor<64x32xf32>, tensor<64x16xf32>) {
  %s = mirage_kernel.mul %x, %c
      : (tensor<64x128xf32>, tensor<1x128xf32>) -> tensor<64x128xf32>
  %0 = mirage_kernel.matmul %s, %v
      : (tensor<64x128xf32>, tensor<128x32xf32>) -> tensor<64x32xf32>
  %1 = mirage_kernel.matmul %s, %w transpose_rhs
      : (tensor<64x128xf32>, tensor<16x128xf32>) -> tensor<64x16xf32>
  return %0, %1 : tensor<64x32xf32>, tensor<64x16xf32>
}
func.func @shared_input(%x: tensor<64x128xf32>,
                        %c: tensor<1x128xf32> {mirage.constant},
                        %v: tensor<128x32xf32> {mirage.constant},
                        %w: tensor<16x128xf32>)
    -> (tensor<64x32xf32>, tensor<64x16xf32>) {
  %s = mirage_kernel.mul %x, %c
      : (tensor<64x128xf32>, tensor<1x128xf32>) -> tensor<64x128xf32>
  %0 = mirage_kernel.matmul %s, %v
      : (tensor<64x128xf32>, tensor<128x32xf32>) -> tensor<64x32xf32>
  %1 = mirage_kernel.matmul %s, %w transpose_rhs
      : (tensor<64x128xf32>, tensor<16x128xf32>) -> tensor<64x16xf32>
  return %0, %1 : tensor<64x32xf32>, tensor<64x16xf32>
}

}
