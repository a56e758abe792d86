// Every rule of mirage-fission: which primitives an operator becomes, and in which order.
// RUN: mirage-opt %s --mirage-fission | FileCheck %s

//===----------------------------------------------------------------------===//
// Elementwise functions
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @sigmoid(
// CHECK-SAME: %[[X:.+]]: tensor<4x8xf32>
// CHECK-DAG: %[[ONE:.+]] = mirage_kernel.constant dense<1.000000e+00> : tensor<1x1xf32>
// CHECK-DAG: %[[ONE2:.+]] = mirage_kernel.constant dense<1.000000e+00> : tensor<1x1xf32>
// CHECK: %[[NEGATED:.+]] = mirage_kernel.scale %[[X]] by -1.000000e+00
// CHECK: %[[EXP:.+]] = mirage_kernel.exp %[[NEGATED]]
// CHECK: %[[SUM:.+]] = mirage_kernel.add %{{.+}}, %[[EXP]] : (tensor<1x1xf32>, tensor<4x8xf32>)
// CHECK: %[[RESULT:.+]] = mirage_kernel.div %{{.+}}, %[[SUM]]
// CHECK: return %[[RESULT]]
func.func @sigmoid(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.sigmoid %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// What is inside is computed in f32 and rounded once.
// CHECK-LABEL: func.func @silu(
// CHECK-SAME: %[[X:.+]]: tensor<4x8xf16>
// CHECK: %[[WIDE:.+]] = mirage_kernel.cast %[[X]] : tensor<4x8xf16> to tensor<4x8xf32>
// CHECK: %[[SIGMOID:.+]] = mirage_kernel.div {{.*}} -> tensor<4x8xf32>
// CHECK: %[[PRODUCT:.+]] = mirage_kernel.mul %[[WIDE]], %[[SIGMOID]]
// CHECK: %[[RESULT:.+]] = mirage_kernel.cast %[[PRODUCT]] : tensor<4x8xf32> to tensor<4x8xf16>
// CHECK: return %[[RESULT]]
func.func @silu(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %0 = mirage_kernel.silu %x : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return %0 : tensor<4x8xf16>
}

// CHECK-LABEL: func.func @gelu_erf(
// CHECK-SAME: %[[X:.+]]: tensor<8xf32>
// CHECK: %[[HALF:.+]] = mirage_kernel.scale %[[X]] by 5.000000e-01
// CHECK: %[[ONE:.+]] = mirage_kernel.constant dense<1.000000e+00>
// CHECK: %[[ROOT:.+]] = mirage_kernel.scale %[[X]] by 0.7071067811865
// CHECK: %[[ERF:.+]] = mirage_kernel.erf %[[ROOT]]
// CHECK: %[[SUM:.+]] = mirage_kernel.add %[[ONE]], %[[ERF]]
// CHECK: mirage_kernel.mul %[[HALF]], %[[SUM]]
func.func @gelu_erf(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = mirage_kernel.gelu erf %x : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @gelu_tanh(
// CHECK-SAME: %[[X:.+]]: tensor<8xf32>
// CHECK: %[[SQUARE:.+]] = mirage_kernel.square %[[X]]
// CHECK: %[[CUBE:.+]] = mirage_kernel.mul %[[SQUARE]], %[[X]]
// CHECK: %[[SCALED:.+]] = mirage_kernel.scale %[[CUBE]] by 4.471500e-02
// CHECK: %[[INNER:.+]] = mirage_kernel.add %[[X]], %[[SCALED]]
// CHECK: %[[ARGUMENT:.+]] = mirage_kernel.scale %[[INNER]] by 0.7978845608028
// CHECK: mirage_kernel.tanh %[[ARGUMENT]]
func.func @gelu_tanh(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = mirage_kernel.gelu tanh %x : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @mish(
// CHECK-SAME: %[[X:.+]]: tensor<8xf32>
// CHECK: %[[TWO:.+]] = mirage_kernel.constant dense<2.000000e+00>
// CHECK: %[[BOUND:.+]] = mirage_kernel.constant dense<2.000000e+01>
// CHECK: %[[MIN:.+]] = mirage_kernel.min %[[X]], %[[BOUND]]
// CHECK: %[[EXP:.+]] = mirage_kernel.exp %[[MIN]]
// CHECK: %[[SUM:.+]] = mirage_kernel.add %[[EXP]], %[[TWO]]
// CHECK: %[[NUMERATOR:.+]] = mirage_kernel.mul %[[EXP]], %[[SUM]]
// CHECK: %[[DENOMINATOR:.+]] = mirage_kernel.add %[[NUMERATOR]], %[[TWO]]
// CHECK: %[[QUOTIENT:.+]] = mirage_kernel.div %[[NUMERATOR]], %[[DENOMINATOR]]
// CHECK: mirage_kernel.mul %[[X]], %[[QUOTIENT]]
func.func @mish(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = mirage_kernel.mish %x : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

//===----------------------------------------------------------------------===//
// Reductions and softmax
//===----------------------------------------------------------------------===//

// A sum of f16 is accumulated in f32: its operand needs no cast. Twelve is exact, a twelfth is not.
// CHECK-LABEL: func.func @mean(
// CHECK-SAME: %[[X:.+]]: tensor<4x12xf16>
// CHECK-NOT: mirage_kernel.cast
// CHECK: %[[SUM:.+]] = mirage_kernel.reduce sum %[[X]] dim(1) : (tensor<4x12xf16>) -> tensor<4xf32>
// CHECK: %[[COUNT:.+]] = mirage_kernel.constant dense<1.200000e+01> : tensor<1xf32>
// CHECK: %[[MEAN:.+]] = mirage_kernel.div %[[SUM]], %[[COUNT]]
// CHECK: mirage_kernel.cast %[[MEAN]] : tensor<4xf32> to tensor<4xf16>
func.func @mean(%x: tensor<4x12xf16>) -> tensor<4xf16> {
  %0 = mirage_kernel.reduce mean %x dim(1) : (tensor<4x12xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}

// CHECK-LABEL: func.func @mean_of_groups(
// CHECK: mirage_kernel.reduce sum %{{.+}} dim(1) group(3) : (tensor<4x12xf64>) -> tensor<4x4xf64>
// CHECK: mirage_kernel.constant dense<3.000000e+00> : tensor<1x1xf64>
func.func @mean_of_groups(%x: tensor<4x12xf64>) -> tensor<4x4xf64> {
  %0 = mirage_kernel.reduce mean %x dim(1) group(3) : (tensor<4x12xf64>) -> tensor<4x4xf64>
  return %0 : tensor<4x4xf64>
}

// CHECK-LABEL: func.func @variance(
// CHECK-SAME: %[[X:.+]]: tensor<4x12xf32>
// CHECK: mirage_kernel.reduce sum %[[X]] dim(1) keep
// CHECK: %[[MEAN:.+]] = mirage_kernel.div
// CHECK: %[[CENTERED:.+]] = mirage_kernel.sub %[[X]], %[[MEAN]]
// CHECK: %[[SQUARE:.+]] = mirage_kernel.square %[[CENTERED]]
// CHECK: %[[SUM:.+]] = mirage_kernel.reduce sum %[[SQUARE]] dim(1) : (tensor<4x12xf32>) -> tensor<4xf32>
// CHECK: %[[COUNT:.+]] = mirage_kernel.constant dense<1.100000e+01> : tensor<1xf32>
// CHECK: mirage_kernel.div %[[SUM]], %[[COUNT]]
func.func @variance(%x: tensor<4x12xf32>) -> tensor<4xf32> {
  %0 = mirage_kernel.variance %x dim(1) correction(1.0) : (tensor<4x12xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME: %[[X:.+]]: tensor<4x8xf32>
// CHECK-NEXT: %[[MAX:.+]] = mirage_kernel.reduce max %[[X]] dim(0) keep
// CHECK-NEXT: %[[SHIFTED:.+]] = mirage_kernel.sub %[[X]], %[[MAX]]
// CHECK-NEXT: %[[EXP:.+]] = mirage_kernel.exp %[[SHIFTED]]
// CHECK-NEXT: %[[SUM:.+]] = mirage_kernel.reduce sum %[[EXP]] dim(0) keep
// CHECK-NEXT: %[[RESULT:.+]] = mirage_kernel.div %[[EXP]], %[[SUM]]
// CHECK-NEXT: return %[[RESULT]]
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.softmax %x dim(0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @log_softmax(
// CHECK-SAME: %[[X:.+]]: tensor<4x8xf32>
// CHECK-NEXT: %[[MAX:.+]] = mirage_kernel.reduce max %[[X]] dim(1) keep
// CHECK-NEXT: %[[SHIFTED:.+]] = mirage_kernel.sub %[[X]], %[[MAX]]
// CHECK-NEXT: %[[EXP:.+]] = mirage_kernel.exp %[[SHIFTED]]
// CHECK-NEXT: %[[SUM:.+]] = mirage_kernel.reduce sum %[[EXP]] dim(1) keep
// CHECK-NEXT: %[[LOG:.+]] = mirage_kernel.log %[[SUM]]
// CHECK-NEXT: mirage_kernel.sub %[[SHIFTED]], %[[LOG]]
func.func @log_softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.log_softmax %x dim(1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// The first product reads f16 operands and gives f32 scores; the weights of the second are f32.
// CHECK-LABEL: func.func @attention(
// CHECK-SAME: %[[Q:.+]]: tensor<2x16x8xf16>, %[[K:.+]]: tensor<1x32x8xf16>, %[[V:.+]]: tensor<1x32x4xf16>, %[[M:.+]]: tensor<1x16x32xf16>
// CHECK-DAG: %[[MASK:.+]] = mirage_kernel.cast %[[M]]
// CHECK-DAG: %[[VALUES:.+]] = mirage_kernel.cast %[[V]]
// CHECK: %[[SCORES:.+]] = mirage_kernel.matmul %[[Q]], %[[K]] transpose_rhs : (tensor<2x16x8xf16>, tensor<1x32x8xf16>) -> tensor<2x16x32xf32>
// CHECK: %[[SCALED:.+]] = mirage_kernel.scale %[[SCORES]] by 2.500000e-01
// CHECK: %[[MASKED:.+]] = mirage_kernel.add %[[SCALED]], %[[MASK]]
// CHECK: mirage_kernel.reduce max %[[MASKED]] dim(2) keep
// CHECK: %[[WEIGHTS:.+]] = mirage_kernel.div
// CHECK: %[[WIDE:.+]] = mirage_kernel.matmul %[[WEIGHTS]], %[[VALUES]] : (tensor<2x16x32xf32>, tensor<1x32x4xf32>) -> tensor<2x16x4xf32>
// CHECK: mirage_kernel.cast %[[WIDE]] : tensor<2x16x4xf32> to tensor<2x16x4xf16>
func.func @attention(%q: tensor<2x16x8xf16>, %k: tensor<1x32x8xf16>, %v: tensor<1x32x4xf16>,
                     %m: tensor<1x16x32xf16>) -> tensor<2x16x4xf16> {
  %0 = mirage_kernel.attention %q, %k, %v mask %m scale(0.25)
      : (tensor<2x16x8xf16>, tensor<1x32x8xf16>, tensor<1x32x4xf16>, tensor<1x16x32xf16>)
      -> tensor<2x16x4xf16>
  return %0 : tensor<2x16x4xf16>
}

// CHECK-LABEL: func.func @attention_without_mask(
// CHECK: %[[SCALED:.+]] = mirage_kernel.scale
// CHECK-NEXT: mirage_kernel.reduce max %[[SCALED]]
func.func @attention_without_mask(%q: tensor<16x8xf32>, %k: tensor<32x8xf32>,
                                  %v: tensor<32x4xf32>) -> tensor<16x4xf32> {
  %0 = mirage_kernel.attention %q, %k, %v scale(0.25)
      : (tensor<16x8xf32>, tensor<32x8xf32>, tensor<32x4xf32>) -> tensor<16x4xf32>
  return %0 : tensor<16x4xf32>
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func.func @rms_norm(
// CHECK-SAME: %[[X:.+]]: tensor<4x8xf32>, %[[W:.+]]: tensor<8xf32>
// CHECK: %[[SQUARE:.+]] = mirage_kernel.square %[[X]]
// CHECK: %[[SUM:.+]] = mirage_kernel.reduce sum %[[SQUARE]] dim(1) keep
// CHECK: %[[MEAN:.+]] = mirage_kernel.div %[[SUM]]
// CHECK: %[[EPSILON:.+]] = mirage_kernel.constant dense<9.99999974E-6> : tensor<1x1xf32>
// CHECK: %[[POWER:.+]] = mirage_kernel.add %[[MEAN]], %[[EPSILON]]
// CHECK: %[[RSQRT:.+]] = mirage_kernel.rsqrt %[[POWER]]
// CHECK: %[[NORM:.+]] = mirage_kernel.mul %[[X]], %[[RSQRT]]
// CHECK: %[[ROW:.+]] = mirage_kernel.reshape %[[W]] : tensor<8xf32> to tensor<1x8xf32>
// CHECK: %[[RESULT:.+]] = mirage_kernel.mul %[[NORM]], %[[ROW]]
// CHECK: return %[[RESULT]]
func.func @rms_norm(%x: tensor<4x8xf32>, %w: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.rms_norm %x weight %w epsilon(1.0e-5)
      : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @layer_norm(
// CHECK-SAME: %[[X:.+]]: tensor<4x8xf32>, %[[W:.+]]: tensor<8xf32>, %[[B:.+]]: tensor<8xf32>
// CHECK: mirage_kernel.reduce sum %[[X]] dim(1) keep
// CHECK: %[[CENTERED:.+]] = mirage_kernel.sub %[[X]]
// CHECK: mirage_kernel.square %[[CENTERED]]
// CHECK: %[[RSQRT:.+]] = mirage_kernel.rsqrt
// CHECK: %[[NORM:.+]] = mirage_kernel.mul %[[CENTERED]], %[[RSQRT]]
// CHECK: %[[WEIGHT:.+]] = mirage_kernel.reshape %[[W]]
// CHECK: %[[PRODUCT:.+]] = mirage_kernel.mul %[[NORM]], %[[WEIGHT]]
// CHECK: %[[BIAS:.+]] = mirage_kernel.reshape %[[B]]
// CHECK: %[[RESULT:.+]] = mirage_kernel.add %[[PRODUCT]], %[[BIAS]]
// CHECK: return %[[RESULT]]
func.func @layer_norm(%x: tensor<4x8xf32>, %w: tensor<8xf32>, %b: tensor<8xf32>)
    -> tensor<4x8xf32> {
  %0 = mirage_kernel.layer_norm %x weight %w bias %b epsilon(1.0e-5)
      : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Channels are along dimension 1.
// CHECK-LABEL: func.func @group_norm(
// CHECK-SAME: %[[X:.+]]: tensor<2x6x4x5xf32>, %[[B:.+]]: tensor<6xf32>
// CHECK: %[[GROUPS:.+]] = mirage_kernel.reshape %[[X]] : tensor<2x6x4x5xf32> to tensor<2x3x40xf32>
// CHECK: mirage_kernel.reduce sum %[[GROUPS]] dim(2) keep
// CHECK: %[[NORM:.+]] = mirage_kernel.mul {{.*}} -> tensor<2x3x40xf32>
// CHECK: %[[WHOLE:.+]] = mirage_kernel.reshape %[[NORM]] : tensor<2x3x40xf32> to tensor<2x6x4x5xf32>
// CHECK: %[[BIAS:.+]] = mirage_kernel.reshape %[[B]] : tensor<6xf32> to tensor<1x6x1x1xf32>
// CHECK: mirage_kernel.add %[[WHOLE]], %[[BIAS]]
func.func @group_norm(%x: tensor<2x6x4x5xf32>, %b: tensor<6xf32>) -> tensor<2x6x4x5xf32> {
  %0 = mirage_kernel.group_norm %x bias %b groups(3) epsilon(1.0e-5)
      : (tensor<2x6x4x5xf32>, tensor<6xf32>) -> tensor<2x6x4x5xf32>
  return %0 : tensor<2x6x4x5xf32>
}

// CHECK-LABEL: func.func @instance_norm(
// CHECK: mirage_kernel.reshape %{{.+}} : tensor<2x6x4x5xf32> to tensor<2x6x20xf32>
// CHECK: mirage_kernel.reduce sum {{.*}} dim(2) keep
// CHECK: mirage_kernel.reshape %{{.+}} : tensor<2x6x20xf32> to tensor<2x6x4x5xf32>
// CHECK: mirage_kernel.reshape %{{.+}} : tensor<6xf32> to tensor<1x6x1x1xf32>
func.func @instance_norm(%x: tensor<2x6x4x5xf32>, %w: tensor<6xf32>) -> tensor<2x6x4x5xf32> {
  %0 = mirage_kernel.instance_norm %x weight %w epsilon(1.0e-5)
      : (tensor<2x6x4x5xf32>, tensor<6xf32>) -> tensor<2x6x4x5xf32>
  return %0 : tensor<2x6x4x5xf32>
}

// CHECK-LABEL: func.func @batch_norm(
// CHECK-SAME: %[[X:.+]]: tensor<2x6x4xf32>, %[[MEAN:.+]]: tensor<6xf32>, %[[VARIANCE:.+]]: tensor<6xf32>
// CHECK-DAG: %[[M:.+]] = mirage_kernel.reshape %[[MEAN]] : tensor<6xf32> to tensor<1x6x1xf32>
// CHECK-DAG: %[[CENTERED:.+]] = mirage_kernel.sub %[[X]], %[[M]]
// CHECK-DAG: %[[V:.+]] = mirage_kernel.reshape %[[VARIANCE]] : tensor<6xf32> to tensor<1x6x1xf32>
// CHECK: %[[SUM:.+]] = mirage_kernel.add %[[V]]
// CHECK: %[[RSQRT:.+]] = mirage_kernel.rsqrt %[[SUM]]
// CHECK: mirage_kernel.mul %[[CENTERED]], %[[RSQRT]]
func.func @batch_norm(%x: tensor<2x6x4xf32>, %mean: tensor<6xf32>, %variance: tensor<6xf32>)
    -> tensor<2x6x4xf32> {
  %0 = mirage_kernel.batch_norm %x, %mean, %variance epsilon(1.0e-5)
      : (tensor<2x6x4xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<2x6x4xf32>
  return %0 : tensor<2x6x4xf32>
}
