// Launches, loops and thread graphs.

// RUN: mirage-opt %s --convert-mirage-to-linalg | FileCheck %s

// Buffers are written in place: an accumulator is never copied, a block's value once, to its place.
// RUN: mirage-opt %s --convert-mirage-to-linalg \
// RUN:   | mlir-opt --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   | FileCheck %s --check-prefix=BUFFERS

// With `sequential` there is no scf.forall, and buffers are written in place as well.
// RUN: mirage-opt %s --convert-mirage-to-linalg=sequential | FileCheck %s --check-prefix=SEQUENTIAL
// RUN: mirage-opt %s --convert-mirage-to-linalg=sequential \
// RUN:   | mlir-opt --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" \
// RUN:   | FileCheck %s --check-prefix=SEQUENTIAL-BUFFERS

// SEQUENTIAL-LABEL: func.func @grid(
// SEQUENTIAL-NOT: scf.forall
// SEQUENTIAL: %[[OUT:.+]] = tensor.empty() : tensor<96x16xf32>
// SEQUENTIAL: %[[R:.+]] = scf.for %[[I:.+]] = %{{.+}} to %c2 step %{{.+}} iter_args(%[[O:.+]] = %[[OUT]])
// SEQUENTIAL: %[[INNER:.+]] = scf.for %[[J:.+]] = %{{.+}} to %c3 step %{{.+}} iter_args(%[[P:.+]] = %[[O]])
// SEQUENTIAL: %[[T:.+]] = tensor.extract_slice %{{.+}} [8, 32] [1, 1]
// SEQUENTIAL: %[[V:.+]] = linalg.transpose ins(%[[T]] :
// SEQUENTIAL: %[[NEXT:.+]] = tensor.insert_slice %[[V]] into %[[P]]{{.*}} [32, 8] [1, 1]
// SEQUENTIAL-NEXT: scf.yield %[[NEXT]]
// SEQUENTIAL: scf.yield %[[INNER]]
// SEQUENTIAL: return %[[R]]
// A result yielded twice is one output here, too.
// SEQUENTIAL-LABEL: func.func @outputs(
// SEQUENTIAL: %[[R:.+]]:2 = scf.for
// SEQUENTIAL: return %[[R]]#0, %[[R]]#1, %[[R]]#0
// SEQUENTIAL-NOT: scf.forall

// SEQUENTIAL-BUFFERS-LABEL: func.func @grid(
// SEQUENTIAL-BUFFERS: memref.alloc() {{.*}} : memref<96x16xf32>
// SEQUENTIAL-BUFFERS: memref.alloc() {{.*}} : memref<32x8xf32>
// SEQUENTIAL-BUFFERS-NOT: memref.alloc
// SEQUENTIAL-BUFFERS: memref.copy {{.*}} : memref<32x8xf32> to memref<32x8xf32, strided<
// SEQUENTIAL-BUFFERS-NOT: memref.{{alloc|copy}}
// SEQUENTIAL-BUFFERS: return
// SEQUENTIAL-BUFFERS-LABEL: func.func @outputs(

// CHECK-LABEL: func @grid(
// CHECK-SAME: %[[X:.+]]: tensor<16x96xf32>
// CHECK: %[[OUT:.+]] = tensor.empty() : tensor<96x16xf32>
// CHECK: %[[R:.+]] = scf.forall (%[[I:.+]], %[[J:.+]], %{{.+}}) in (2, 3, 1) shared_outs(%[[O:.+]] = %[[OUT]])
// CHECK: %[[ROW:.+]] = arith.muli %[[I]], %c8
// CHECK: %[[COLUMN:.+]] = arith.muli %[[J]], %c32
// CHECK: %[[T:.+]] = tensor.extract_slice %[[X]][%[[ROW]], %[[COLUMN]]] [8, 32] [1, 1]
// CHECK: %[[V:.+]] = linalg.transpose ins(%[[T]] :
// CHECK: %[[TO_COLUMN:.+]] = arith.muli %[[I]], %c8
// CHECK: %[[TO_ROW:.+]] = arith.muli %[[J]], %c32
// CHECK: scf.forall.in_parallel {
// CHECK-NEXT: tensor.parallel_insert_slice %[[V]] into %[[O]][%[[TO_ROW]], %[[TO_COLUMN]]] [32, 8] [1, 1]
// CHECK: return %[[R]]
func.func @grid(%x: tensor<16x96xf32>) -> tensor<96x16xf32> {
  %o = mirage_kernel.launch grid(x = 2, y = 3, z = 1) (%a = %x : tensor<16x96xf32>)
      -> tensor<96x16xf32> {
    %t = mirage_block.load %a imap(x -> 0, y -> 1, z -> phi)
        : tensor<16x96xf32> to tensor<8x32xf32>
    %u = mirage_block.transpose %t [1, 0] : (tensor<8x32xf32>) -> tensor<32x8xf32>
    %s = mirage_block.store %u omap(x -> 1, y -> 0, z -> phi)
        : tensor<32x8xf32> to tensor<96x16xf32>
    mirage_block.yield %s : tensor<96x16xf32>
  }
  return %o : tensor<96x16xf32>
}

// A result yielded twice is one output; one that is not yielded is none.
// CHECK-LABEL: func @outputs(
// CHECK: %[[R:.+]]:2 = scf.forall (%{{.+}}) in (2) shared_outs(%{{.+}} = %{{.+}}, %{{.+}} = %{{.+}}) -> (tensor<8xf32>, tensor<8xf32>)
// CHECK-COUNT-2: tensor.parallel_insert_slice
// CHECK-NOT: tensor.parallel_insert_slice
// CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#0
func.func @outputs(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %o:3 = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<8xf32>)
      -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
    %t = mirage_block.load %a imap(x -> 0) : tensor<8xf32> to tensor<4xf32>
    %e = mirage_block.exp %t : (tensor<4xf32>) -> tensor<4xf32>
    %s0 = mirage_block.store %t omap(x -> 0) : tensor<4xf32> to tensor<8xf32>
    %s1 = mirage_block.store %e omap(x -> 0) : tensor<4xf32> to tensor<8xf32>
    %s2 = mirage_block.store %e omap(x -> 0) : tensor<4xf32> to tensor<8xf32>
    mirage_block.yield %s0, %s1, %s0 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
  return %o#0, %o#1, %o#2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// Nested loops divide a dimension after the grid; every kind of accumulator.
// CHECK-LABEL: func @loops(
// CHECK-SAME: %[[X:.+]]: tensor<8x96xf16>
// CHECK: scf.forall (%[[B:.+]]) in (2)
// CHECK: linalg.fill {{.*}} outs({{.*}} : tensor<8x1xf32>)
// CHECK: %[[LOWEST:.+]] = arith.constant 0xFC00 : f16
// CHECK: linalg.fill ins(%[[LOWEST]] : f16)
// CHECK: scf.for %[[I:.+]] = %{{.+}} to %c2{{.*}} step {{.*}} iter_args(%[[SUM:.+]] = %{{.+}}, %[[MAX:.+]] = %{{.+}}, %[[CAT:.+]] = %{{.+}}) -> (tensor<8x1xf32>, tensor<8x1xf16>, tensor<8x48xf16>)
// CHECK: scf.for %[[J:.+]] = %{{.+}} to %c3
// CHECK: %[[BLOCK:.+]] = arith.muli %[[B]], %c48
// CHECK: %[[OUTER:.+]] = arith.muli %[[I]], %c24
// CHECK: %[[PART:.+]] = arith.addi %[[BLOCK]], %[[OUTER]]
// CHECK: %[[INNER:.+]] = arith.muli %[[J]], %c8
// CHECK: %[[AT:.+]] = arith.addi %[[PART]], %[[INNER]]
// CHECK: tensor.extract_slice %[[X]][0, %[[AT]]] [8, 8] [1, 1]
// CHECK: scf.yield
// CHECK: %[[NEXT_SUM:.+]] = linalg.generic {{.*}} outs(%[[SUM]] :
// CHECK: arith.addf
// CHECK: %[[NEXT_MAX:.+]] = linalg.generic {{.*}} outs(%[[MAX]] :
// CHECK: arith.maximumf
// CHECK: %[[TO:.+]] = arith.muli %[[I]], %c24
// CHECK: %[[NEXT_CAT:.+]] = tensor.insert_slice %{{.+}} into %[[CAT]][0, %[[TO]]] [8, 24] [1, 1]
// CHECK: scf.yield %[[NEXT_SUM]], %[[NEXT_MAX]], %[[NEXT_CAT]]

// BUFFERS-LABEL: func @loops(
// BUFFERS: scf.forall
// BUFFERS-NOT: memref.copy
// BUFFERS: scf.for
// BUFFERS-NOT: memref.copy
// BUFFERS: scf.for
// The part of the concatenation that an iteration makes:
// BUFFERS: memref.copy
// BUFFERS-NOT: memref.copy
// BUFFERS: scf.yield
// The same of the outer loop, and the outputs:
// BUFFERS-COUNT-4: memref.copy
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @loops(%x: tensor<8x96xf16>)
    -> (tensor<16x1xf32>, tensor<16x1xf16>, tensor<8x96xf16>) {
  %o:3 = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<8x96xf16>)
      -> (tensor<16x1xf32>, tensor<16x1xf16>, tensor<8x96xf16>) {
    %sum, %max, %cat = mirage_block.for %i = 0 to 2
        -> (tensor<8x1xf32>, tensor<8x1xf16>, tensor<8x48xf16>) {
      %row = mirage_block.for %j = 0 to 3 -> tensor<8x24xf16> {
        %t = mirage_block.load %a imap(x -> 1) fmap(%i -> 1, %j -> 1)
            : tensor<8x96xf16> to tensor<8x8xf16>
        %c = mirage_block.accumulate concat %t dim(1) : (tensor<8x8xf16>) -> tensor<8x24xf16>
        mirage_block.yield %c : tensor<8x24xf16>
      }
      %r = mirage_block.reduce sum %row dim(1) keep : (tensor<8x24xf16>) -> tensor<8x1xf16>
      %m = mirage_block.reduce max %row dim(1) keep : (tensor<8x24xf16>) -> tensor<8x1xf16>
      %e = mirage_block.exp %row : (tensor<8x24xf16>) -> tensor<8x24xf16>
      %s = mirage_block.accumulate sum %r : (tensor<8x1xf16>) -> tensor<8x1xf32>
      %n = mirage_block.accumulate max %m : (tensor<8x1xf16>) -> tensor<8x1xf16>
      %c = mirage_block.accumulate concat %e dim(1) : (tensor<8x24xf16>) -> tensor<8x48xf16>
      mirage_block.yield %s, %n, %c : tensor<8x1xf32>, tensor<8x1xf16>, tensor<8x48xf16>
    }
    %s0 = mirage_block.store %sum omap(x -> 0) : tensor<8x1xf32> to tensor<16x1xf32>
    %s1 = mirage_block.store %max omap(x -> 0) : tensor<8x1xf16> to tensor<16x1xf16>
    %s2 = mirage_block.store %cat omap(x -> 1) : tensor<8x48xf16> to tensor<8x96xf16>
    mirage_block.yield %s0, %s1, %s2 : tensor<16x1xf32>, tensor<16x1xf16>, tensor<8x96xf16>
  }
  return %o#0, %o#1, %o#2 : tensor<16x1xf32>, tensor<16x1xf16>, tensor<8x96xf16>
}

// Two rescaled sums with one shift carry one running maximum, which is updated after both.
// CHECK-LABEL: func @online_softmax(
// CHECK: scf.for {{.*}} iter_args(%[[N:.+]] = %{{.+}}, %[[D:.+]] = %{{.+}}, %[[RUNNING:.+]] = %{{.+}}) -> (tensor<16x8xf32>, tensor<16x1xf32>, tensor<16x1xf32>)
// CHECK: %[[SHIFT:.+]] = tensor.expand_shape
// CHECK: linalg.generic {{.*}} ins(%{{.+}}, %[[RUNNING]], %[[SHIFT]] : {{.*}}) outs(%[[N]] :
// CHECK: %[[LARGEST:.+]] = arith.maximumf
// CHECK: arith.cmpf oeq, %{{.+}}, %[[LARGEST]]
// CHECK: linalg.generic {{.*}} ins(%{{.+}}, %[[RUNNING]], %[[SHIFT]] : {{.*}}) outs(%[[D]] :
// CHECK: linalg.generic {{.*}} ins(%[[SHIFT]] : {{.*}}) outs(%[[RUNNING]] :
// BUFFERS-LABEL: func @online_softmax(
// BUFFERS-NOT: memref.copy
// BUFFERS: scf.yield
// BUFFERS: memref.copy
// BUFFERS-NOT: memref.copy
// BUFFERS: return
func.func @online_softmax(%s: tensor<32x64xf32>, %v: tensor<64x8xf32>) -> tensor<32x8xf32> {
  %o = mirage_kernel.launch grid(x = 2)
      (%sa = %s : tensor<32x64xf32>, %va = %v : tensor<64x8xf32>) -> tensor<32x8xf32> {
    %n, %d = mirage_block.for %i = 0 to 4 -> (tensor<16x8xf32>, tensor<16x1xf32>) {
      %st = mirage_block.load %sa imap(x -> 0) fmap(%i -> 1)
          : tensor<32x64xf32> to tensor<16x16xf32>
      %vt = mirage_block.load %va imap(x -> phi) fmap(%i -> 0)
          : tensor<64x8xf32> to tensor<16x8xf32>
      %m = mirage_block.reduce max %st dim(1) keep : (tensor<16x16xf32>) -> tensor<16x1xf32>
      %c = mirage_block.sub %st, %m : (tensor<16x16xf32>, tensor<16x1xf32>) -> tensor<16x16xf32>
      %e = mirage_block.exp %c : (tensor<16x16xf32>) -> tensor<16x16xf32>
      %l = mirage_block.reduce sum %e dim(1) keep : (tensor<16x16xf32>) -> tensor<16x1xf32>
      %p = mirage_block.matmul %e, %vt
          : (tensor<16x16xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
      %an = mirage_block.accumulate rescaled_sum %p shift %m
          : (tensor<16x8xf32>, tensor<16x1xf32>) -> tensor<16x8xf32>
      %ad = mirage_block.accumulate rescaled_sum %l shift %m
          : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
      mirage_block.yield %an, %ad : tensor<16x8xf32>, tensor<16x1xf32>
    }
    %r = mirage_block.div %n, %d : (tensor<16x8xf32>, tensor<16x1xf32>) -> tensor<16x8xf32>
    %st = mirage_block.store %r omap(x -> 0) : tensor<16x8xf32> to tensor<32x8xf32>
    mirage_block.yield %st : tensor<32x8xf32>
  }
  return %o : tensor<32x8xf32>
}

// Blocks' sums are combined by a second operator, in the order of the grid.
// CHECK-LABEL: func @reduced(
// CHECK: %[[PARTS:.+]] = scf.forall (%[[I:.+]]) in (4) {{.*}} -> (tensor<4x8xf32>)
// CHECK: tensor.parallel_insert_slice %{{.+}} into %{{.+}}[%[[I]], 0] [1, 8] [1, 1]
// CHECK: linalg.reduce { arith.addf } ins(%[[PARTS]] : {{.*}}) dimensions = [0]
func.func @reduced(%x: tensor<16x8xf32>) -> tensor<8xf32> {
  %o = mirage_kernel.launch grid(x = 4) (%a = %x : tensor<16x8xf32>) -> tensor<8xf32> {
    %t = mirage_block.load %a imap(x -> 0) : tensor<16x8xf32> to tensor<4x8xf32>
    %r = mirage_block.reduce sum %t dim(0) : (tensor<4x8xf32>) -> tensor<8xf32>
    %s = mirage_block.store %r omap(x -> sum) : tensor<8xf32> to tensor<8xf32>
    mirage_block.yield %s : tensor<8xf32>
  }
  return %o : tensor<8xf32>
}

// CHECK-LABEL: func @threads(
// CHECK: scf.forall (%{{.+}}) in (2)
// CHECK: %[[TILE:.+]] = tensor.extract_slice
// CHECK: scf.forall (%[[X:.+]], %[[Y:.+]]) in (4, 8)
// CHECK: %[[ROW:.+]] = arith.muli %[[X]], %c8
// CHECK: tensor.extract_slice %[[TILE]][%[[Y]], %[[ROW]]] [1, 8] [1, 1]
// CHECK: scf.forall.in_parallel
func.func @threads(%x: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %o = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<16x32xf32>) -> tensor<16x32xf32> {
    %t = mirage_block.load %a imap(x -> 0) : tensor<16x32xf32> to tensor<8x32xf32>
    %n = mirage_block.thread_graph threads(x = 4, y = 8) (%s = %t : tensor<8x32xf32>)
        -> tensor<8x32xf32> {
      %f = mirage_thread.load %s imap(x -> 1, y -> 0) : tensor<8x32xf32> to tensor<1x8xf32>
      %e = mirage_thread.exp %f : (tensor<1x8xf32>) -> tensor<1x8xf32>
      %r = mirage_thread.store %e omap(x -> 1, y -> 0) : tensor<1x8xf32> to tensor<8x32xf32>
      mirage_thread.yield %r : tensor<8x32xf32>
    }
    %s = mirage_block.store %n omap(x -> 0) : tensor<8x32xf32> to tensor<16x32xf32>
    mirage_block.yield %s : tensor<16x32xf32>
  }
  return %o : tensor<16x32xf32>
}

// A maximum of a type without infinity begins with its lowest number.
// CHECK-LABEL: func @f8(
// CHECK: arith.constant -4.480000e+02 : f8E4M3FN
func.func @f8(%x: tensor<4x64xf8E4M3FN>) -> tensor<4x16xf8E4M3FN> {
  %o = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<4x64xf8E4M3FN>)
      -> tensor<4x16xf8E4M3FN> {
    %m = mirage_block.for %i = 0 to 4 -> tensor<4x16xf8E4M3FN> {
      %t = mirage_block.load %a imap(x -> phi) fmap(%i -> 1)
          : tensor<4x64xf8E4M3FN> to tensor<4x16xf8E4M3FN>
      %c = mirage_block.accumulate max %t : (tensor<4x16xf8E4M3FN>) -> tensor<4x16xf8E4M3FN>
      mirage_block.yield %c : tensor<4x16xf8E4M3FN>
    }
    %s = mirage_block.store %m omap(x -> 0) : tensor<4x16xf8E4M3FN> to tensor<4x16xf8E4M3FN>
    mirage_block.yield %s : tensor<4x16xf8E4M3FN>
  }
  return %o : tensor<4x16xf8E4M3FN>
}
