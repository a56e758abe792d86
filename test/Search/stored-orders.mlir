// A tensor between two launches is stored in the order in which both take least.

// RUN: mirage-opt %s --mirage-superoptimize='kernels=1 stats=%t threads=1' \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=STATS --input-file=%t
// RUN: mirage-opt %s --mirage-superoptimize='kernels=1 threads=1 keep-original' \
// RUN:   --mirage-verify-equivalence -o /dev/null --remark-policy=all \
// RUN:   --remarks-filter=mirage-verify-equivalence 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VERIFIED

// RUN: mirage-opt %s --mirage-superoptimize='kernels=1 threads=1 orders=0' \
// RUN:   -o /dev/null --remark-policy=all \
// RUN:   --remarks-filter='mirage-superoptimize.*' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LIMIT
// LIMIT: [Missed] orders | Category:mirage-superoptimize-details {{.*}}Remark="Tensors between kernels of @columns could be stored in 1 more order of dimensions than were looked at; option orders says how many are."

// Each function has one remark that nobody asked more for.
// RUN: mirage-opt %s --mirage-superoptimize='kernels=1 threads=1 orders=0' \
// RUN:   -o /dev/null --remark-policy=all \
// RUN:   --remarks-filter='mirage-superoptimize$' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ONE --implicit-check-not=Category:
// ONE: Category:mirage-superoptimize {{.*}}Function=softmax
// ONE: Category:mirage-superoptimize {{.*}}Function=columns

// Rows of 8 elements fill no line of memory, so that the dimension before them matters, too:
// beside the rows, which matrix of 256 or which row of 64. The rows of 64 fill a line where
// they are innermost, so that what comes before them does not matter.
// STATS: "orders": 3,
// STATS-NEXT: "orders_left_out": 0,
// VERIFIED-DAG: @softmax_original{{.*}}proved
func.func @softmax(%x: tensor<256x64x512xf16>, %u: tensor<256x512x8xf16>)
    -> tensor<256x64x8xf16> attributes {mirage.superoptimize} {
  %0 = mirage_kernel.matmul %x, %u
      : (tensor<256x64x512xf16>, tensor<256x512x8xf16>) -> tensor<256x64x8xf16>
  %1 = mirage_kernel.exp %0 : (tensor<256x64x8xf16>) -> tensor<256x64x8xf16>
  %2 = mirage_kernel.reduce sum %1 dim(0) keep
      : (tensor<256x64x8xf16>) -> tensor<1x64x8xf16>
  %3 = mirage_kernel.div %1, %2
      : (tensor<256x64x8xf16>, tensor<1x64x8xf16>) -> tensor<256x64x8xf16>
  return %3 : tensor<256x64x8xf16>
}
func.func @columns(%x: tensor<4096x4096xf16>, %u: tensor<4096x2xf16>,
                   %w: tensor<4096x4096xf16>) -> tensor<2x4096xf16>
    attributes {mirage.superoptimize} {
  %0 = mirage_kernel.matmul %x, %u
      : (tensor<4096x4096xf16>, tensor<4096x2xf16>) -> tensor<4096x2xf16>
  %1 = mirage_kernel.silu %0 : (tensor<4096x2xf16>) -> tensor<4096x2xf16>
  %2 = mirage_kernel.matmul %1, %w transpose_lhs
      : (tensor<4096x2xf16>, tensor<4096x4096xf16>) -> tensor<2x4096xf16>
  %3 = mirage_kernel.silu %2 : (tensor<2x4096xf16>) -> tensor<2x4096xf16>
  return %3 : tensor<2x4096xf16>
}

// The second product reads columns of two, each of which is a row so.
// CHECK-LABEL: func.func @columns(
// CHECK-SAME: verdict = "proved"
// CHECK: %[[STORED:.+]] = mirage_kernel.launch {{.*}} -> tensor<2x4096xf16>
// CHECK: mirage_kernel.launch {{.*}}= %[[STORED]] : tensor<2x4096xf16>
// STATS: "orders": 1,
// STATS-NEXT: "orders_left_out": 0,
// STATS-NEXT: "orders_used": 1,
// VERIFIED-DAG: @columns_original{{.*}}proved
