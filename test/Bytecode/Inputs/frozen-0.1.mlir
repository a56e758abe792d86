module {
  module @kernel {
    func.func @one_dimension(%arg0: tensor<64x32xf16>) -> tensor<64x32xf16> {
      %launch = mirage_kernel.launch grid(x = 4) (%arg1 = %arg0 : tensor<64x32xf16>) -> tensor<64x32xf16> {
        %load = mirage_block.load %arg1 imap(x -> 0) : tensor<64x32xf16> to tensor<16x32xf16>
        %exp = mirage_block.exp %load : (tensor<16x32xf16>) -> tensor<16x32xf16>
        %store = mirage_block.store %exp omap(x -> 0) : tensor<16x32xf16> to tensor<64x32xf16>
        mirage_block.yield %store : tensor<64x32xf16>
      }
      return %launch : tensor<64x32xf16>
    }
    func.func @three_dimensions(%arg0: tensor<8x64xf32>, %arg1: tensor<1x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
      %launch:2 = mirage_kernel.launch grid(x = 2, y = 1, z = 4) (%arg2 = %arg0 : tensor<8x64xf32>, %arg3 = %arg1 : tensor<1x64xf32>, %arg4 = %arg0 : tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8x64xf32>) {
        %load = mirage_block.load %arg2 imap(x -> 0, y -> phi, z -> 1) : tensor<8x64xf32> to tensor<4x16xf32>
        %load_0 = mirage_block.load %arg3 imap(x -> phi, y -> 0, z -> 1) : tensor<1x64xf32> to tensor<1x16xf32>
        %load_1 = mirage_block.load %arg4 imap(x -> 0, y -> phi, z -> 1) : tensor<8x64xf32> to tensor<4x16xf32>
        %mul = mirage_block.mul %load, %load_0 : (tensor<4x16xf32>, tensor<1x16xf32>) -> tensor<4x16xf32>
        %add = mirage_block.add %mul, %load_1 : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
        %store = mirage_block.store %mul omap(x -> 0, y -> phi, z -> 1) : tensor<4x16xf32> to tensor<8x64xf32>
        %store_2 = mirage_block.store %add omap(x -> 0, y -> phi, z -> 1) : tensor<4x16xf32> to tensor<8x64xf32>
        mirage_block.yield %store, %store_2 : tensor<8x64xf32>, tensor<8x64xf32>
      }
      return %launch#0, %launch#1 : tensor<8x64xf32>, tensor<8x64xf32>
    }
    func.func @largest() {
      mirage_kernel.launch grid(x = 2147483647, y = 65535, z = 65535) () attributes {name = "nothing"} {
        mirage_block.yield
      }
      %launch = mirage_kernel.launch grid(x = 2) () -> tensor<8xf32> {
        %constant = mirage_block.constant dense<1.000000e+00> : tensor<4xf32>
        %store = mirage_block.store %constant omap(x -> 0) : tensor<4xf32> to tensor<8xf32>
        mirage_block.yield %store : tensor<8xf32>
      }
      return
    }
  }
  module @block {
    func.func @maps(%arg0: tensor<8x64x32xf16>) -> (tensor<8x64x32xf16>, tensor<8x64xf32>, tensor<4x64x32xf16>) {
      %launch:3 = mirage_kernel.launch grid(x = 4, y = 2, z = 1) (%arg1 = %arg0 : tensor<8x64x32xf16>) -> (tensor<8x64x32xf16>, tensor<8x64xf32>, tensor<4x64x32xf16>) {
        %load = mirage_block.load %arg1 imap(x -> 0, y -> 1, z -> phi) : tensor<8x64x32xf16> to tensor<2x32x32xf16>
        %load_0 = mirage_block.load %arg1 imap(x -> phi, y -> 2, z -> 0) : tensor<8x64x32xf16> to tensor<8x64x16xf16>
        %store = mirage_block.store %load omap(x -> 0, y -> 1, z -> phi) : tensor<2x32x32xf16> to tensor<8x64x32xf16>
        %reduce = mirage_block.reduce sum %load_0 dim(2) : (tensor<8x64x16xf16>) -> tensor<8x64xf32>
        %store_1 = mirage_block.store %reduce omap(x -> max, y -> max, z -> 0) : tensor<8x64xf32> to tensor<8x64xf32>
        %slice = mirage_block.slice %load[0, 0, 0] [1, 32, 32] [1, 1, 1] : (tensor<2x32x32xf16>) -> tensor<1x32x32xf16>
        %store_2 = mirage_block.store %slice omap(x -> 0, y -> 1, z -> sum) {note = "kept"} : tensor<1x32x32xf16> to tensor<4x64x32xf16>
        mirage_block.yield %store, %store_1, %store_2 : tensor<8x64x32xf16>, tensor<8x64xf32>, tensor<4x64x32xf16>
      }
      return %launch#0, %launch#1, %launch#2 : tensor<8x64x32xf16>, tensor<8x64xf32>, tensor<4x64x32xf16>
    }
    func.func @loops(%arg0: tensor<16x64xf16>, %arg1: tensor<128x64xf16>, %arg2: tensor<128x64xf16>) -> (tensor<16x64xf32>, tensor<16x128xf32>) {
      %launch:2 = mirage_kernel.launch grid(x = 1) (%arg3 = %arg0 : tensor<16x64xf16>, %arg4 = %arg1 : tensor<128x64xf16>, %arg5 = %arg2 : tensor<128x64xf16>) -> (tensor<16x64xf32>, tensor<16x128xf32>) {
        %for:3 = mirage_block.for %i = 0 to 8 -> (tensor<16x64xf32>, tensor<16x1xf32>, tensor<16x1xf16>) attributes {name = "keys"} {
          %load = mirage_block.load %arg3 imap(x -> phi) fmap(%i -> phi) : tensor<16x64xf16> to tensor<16x64xf16>
          %load_2 = mirage_block.load %arg4 imap(x -> phi) fmap(%i -> 0) : tensor<128x64xf16> to tensor<16x64xf16>
          %load_3 = mirage_block.load %arg5 imap(x -> phi) fmap(%i -> 0) : tensor<128x64xf16> to tensor<16x64xf16>
          %matmul = mirage_block.matmul %load, %load_2 transpose_rhs : (tensor<16x64xf16>, tensor<16x64xf16>) -> tensor<16x16xf16>
          %reduce = mirage_block.reduce max %matmul dim(1) keep : (tensor<16x16xf16>) -> tensor<16x1xf16>
          %sub = mirage_block.sub %matmul, %reduce : (tensor<16x16xf16>, tensor<16x1xf16>) -> tensor<16x16xf16>
          %exp = mirage_block.exp %sub : (tensor<16x16xf16>) -> tensor<16x16xf16>
          %reduce_4 = mirage_block.reduce sum %exp dim(1) keep : (tensor<16x16xf16>) -> tensor<16x1xf16>
          %matmul_5 = mirage_block.matmul %exp, %load_3 : (tensor<16x16xf16>, tensor<16x64xf16>) -> tensor<16x64xf16>
          %accumulate = mirage_block.accumulate rescaled_sum %matmul_5 shift %reduce : (tensor<16x64xf16>, tensor<16x1xf16>) -> tensor<16x64xf32>
          %accumulate_6 = mirage_block.accumulate rescaled_sum %reduce_4 shift %reduce : (tensor<16x1xf16>, tensor<16x1xf16>) -> tensor<16x1xf32>
          %accumulate_7 = mirage_block.accumulate max %reduce : (tensor<16x1xf16>) -> tensor<16x1xf16>
          mirage_block.yield %accumulate, %accumulate_6, %accumulate_7 : tensor<16x64xf32>, tensor<16x1xf32>, tensor<16x1xf16>
        }
        %div = mirage_block.div %for#0, %for#1 : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
        %for_0 = mirage_block.for %i = 0 to 4 -> tensor<16x128xf32> {
          %for_2 = mirage_block.for %i_3 = 0 to 2 -> tensor<16x32xf32> {
            %load = mirage_block.load %arg3 imap(x -> phi) fmap(%i -> phi, %i_3 -> 1) : tensor<16x64xf16> to tensor<16x32xf16>
            %load_4 = mirage_block.load %arg4 imap(x -> phi) fmap(%i -> 0, %i_3 -> 0) : tensor<128x64xf16> to tensor<16x64xf16>
            %accumulate_5 = mirage_block.accumulate sum %load : (tensor<16x32xf16>) -> tensor<16x32xf32>
            mirage_block.yield %accumulate_5 : tensor<16x32xf32>
          }
          %accumulate = mirage_block.accumulate concat %for_2 dim(1) : (tensor<16x32xf32>) -> tensor<16x128xf32>
          mirage_block.yield %accumulate : tensor<16x128xf32>
        }
        %store = mirage_block.store %div omap(x -> phi) : tensor<16x64xf32> to tensor<16x64xf32>
        %store_1 = mirage_block.store %for_0 omap(x -> phi) : tensor<16x128xf32> to tensor<16x128xf32>
        mirage_block.yield %store, %store_1 : tensor<16x64xf32>, tensor<16x128xf32>
      }
      return %launch#0, %launch#1 : tensor<16x64xf32>, tensor<16x128xf32>
    }
    func.func @thread_graphs(%arg0: tensor<32x64xf32>) -> tensor<32x64xf32> {
      %launch = mirage_kernel.launch grid(x = 2) (%arg1 = %arg0 : tensor<32x64xf32>) -> tensor<32x64xf32> {
        %load = mirage_block.load %arg1 imap(x -> 0) : tensor<32x64xf32> to tensor<16x64xf32>
        %thread_graph = mirage_block.thread_graph threads(x = 16, y = 8) (%arg2 = %load : tensor<16x64xf32>) -> tensor<16x64xf32> attributes {fused} {
          %load_0 = mirage_thread.load %arg2 imap(x -> 0, y -> 1) : tensor<16x64xf32> to tensor<1x8xf32>
          %square = mirage_thread.square %load_0 : (tensor<1x8xf32>) -> tensor<1x8xf32>
          %store_1 = mirage_thread.store %square omap(x -> 0, y -> 1) : tensor<1x8xf32> to tensor<16x64xf32>
          mirage_thread.yield %store_1 : tensor<16x64xf32>
        }
        mirage_block.for %i = 0 to 3 {
          mirage_block.thread_graph threads(x = 1) () {
            mirage_thread.yield
          }
          mirage_block.yield
        }
        %store = mirage_block.store %thread_graph omap(x -> 0) : tensor<16x64xf32> to tensor<32x64xf32>
        mirage_block.yield %store : tensor<32x64xf32>
      }
      return %launch : tensor<32x64xf32>
    }
  }
  module @thread {
    func.func @graph(%arg0: tensor<32x64xf32>) -> tensor<32x64xf32> {
      %launch = mirage_kernel.launch grid(x = 1) (%arg1 = %arg0 : tensor<32x64xf32>) -> tensor<32x64xf32> {
        %load = mirage_block.load %arg1 imap(x -> phi) : tensor<32x64xf32> to tensor<32x64xf32>
        %thread_graph = mirage_block.thread_graph threads(x = 32, y = 4, z = 1) (%arg2 = %load : tensor<32x64xf32>) -> tensor<32x64xf32> {
          %load_0 = mirage_thread.load %arg2 imap(x -> 1, y -> 0, z -> phi) : tensor<32x64xf32> to tensor<8x2xf32>
          %store_1 = mirage_thread.store %load_0 omap(x -> 1, y -> 0, z -> phi) : tensor<8x2xf32> to tensor<32x64xf32>
          mirage_thread.yield %store_1 : tensor<32x64xf32>
        }
        %store = mirage_block.store %thread_graph omap(x -> phi) : tensor<32x64xf32> to tensor<32x64xf32>
        mirage_block.yield %store : tensor<32x64xf32>
      }
      return %launch : tensor<32x64xf32>
    }
    func.func @buffers_and_copies(%arg0: memref<64x64xf16>, %arg1: index, %arg2: memref<64x64xf16, strided<[128, 1], offset: 8>>) {
      %shared = mirage_thread.shared_buffer offset(0) : memref<16x64xf16, #gpu.address_space<workgroup>>
      %shared_0 = mirage_thread.shared_buffer offset(2048) : memref<f32, #gpu.address_space<workgroup>>
      mirage_thread.copy async %arg0[%arg1, %arg1] to %shared[%arg1, %arg1] sizes [16, 32] : memref<64x64xf16> to memref<16x64xf16, #gpu.address_space<workgroup>>
      mirage_thread.async_commit
      mirage_thread.async_wait 2
      mirage_thread.copy %shared[%arg1, %arg1] to %arg2[%arg1, %arg1] sizes [1, 64] : memref<16x64xf16, #gpu.address_space<workgroup>> to memref<64x64xf16, strided<[128, 1], offset: 8>>
      mirage_thread.copy %shared_0[] to %shared_0[] sizes [] : memref<f32, #gpu.address_space<workgroup>> to memref<f32, #gpu.address_space<workgroup>>
      return
    }
    gpu.module @cluster_kernels {
      gpu.func @clusters(%arg0: memref<64x64xf16>) kernel {
        %rank = mirage_thread.cluster_rank
        %shared = mirage_thread.shared_buffer offset(0) : memref<16x64xf32, #gpu.address_space<workgroup>>
        mirage_thread.cluster_barrier
        %cluster = mirage_thread.cluster_buffer %shared : memref<16x64xf32, #gpu.address_space<workgroup>> to memref<4x16x64xf32, #mirage_thread.cluster_memory>
        gpu.return
      }
    }
    gpu.module @ring_kernels {
      gpu.func @rings(%arg0: memref<64x64xf16>) kernel {
        %c0 = arith.constant 0 : index
        %shared = mirage_thread.shared_buffer offset(0) : memref<64x64xf16, #gpu.address_space<workgroup>>
        %ring = mirage_thread.ring offset(8192) : <stages = 3, groups = 2, warps = 4>
        mirage_thread.loader warps(4) {
          mirage_thread.ring_acquire %ring[%c0] group(1) : <stages = 3, groups = 2, warps = 4>
          mirage_thread.copy async %arg0[%c0, %c0] to %shared[%c0, %c0] sizes [64, 64] : memref<64x64xf16> to memref<64x64xf16, #gpu.address_space<workgroup>>
          mirage_thread.ring_publish %ring[%c0] group(1) : <stages = 3, groups = 2, warps = 4>
        }
        mirage_thread.ring_await %ring[%c0] : <stages = 3, groups = 2, warps = 4>
        mirage_thread.ring_release %ring[%c0] : <stages = 3, groups = 2, warps = 4>
        mirage_thread.barrier
        gpu.return
      }
    }
    func.func @compute(%arg0: memref<16x64xf16>, %arg1: memref<16x64xf32>) {
      mirage_thread.compute ins(%arg0 : memref<16x64xf16>) outs(%arg1 : memref<16x64xf32>) {
      ^bb0(%arg2: tensor<16x64xf16>):
        %cast = mirage_thread.cast %arg2 : tensor<16x64xf16> to tensor<16x64xf32>
        mirage_thread.yield %cast : tensor<16x64xf32>
      }
      mirage_thread.compute grid ins() outs(%arg1, %arg1 : memref<16x64xf32>, memref<16x64xf32>) attributes {name = "zero"} {
        %constant = mirage_thread.constant dense<0.000000e+00> : tensor<16x64xf32>
        mirage_thread.yield %constant, %constant : tensor<16x64xf32>, tensor<16x64xf32>
      }
      mirage_thread.compute threads [16, 2] ins(%arg1 : memref<16x64xf32>) outs(%arg1 : memref<16x64xf32>) {
      ^bb0(%arg2: tensor<16x64xf32>):
        %load = mirage_thread.load %arg2 imap(x -> 0, y -> 1) : tensor<16x64xf32> to tensor<1x32xf32>
        %store = mirage_thread.store %load omap(x -> 0, y -> 1) : tensor<1x32xf32> to tensor<16x64xf32>
        mirage_thread.yield %store : tensor<16x64xf32>
      }
      mirage_thread.compute ins() outs() {
        mirage_thread.yield
      }
      return
    }
    func.func @mma(%arg0: memref<16x32xf16, #gpu.address_space<workgroup>>, %arg1: memref<32x8xf16, #gpu.address_space<workgroup>>, %arg2: memref<16x8xf32>, %arg3: memref<2x8x16xf32>, %arg4: memref<1x4x8xf32>, %arg5: memref<2x16x4xf32>) {
      mirage_thread.mma %arg0, %arg1 into %arg2 : memref<16x32xf16, #gpu.address_space<workgroup>>, memref<32x8xf16, #gpu.address_space<workgroup>>, memref<16x8xf32>
      mirage_thread.mma %arg3 transpose_lhs, %arg4 transpose_rhs into %arg5 accumulate : memref<2x8x16xf32>, memref<1x4x8xf32>, memref<2x16x4xf32>
      return
    }
    func.func @accumulate(%arg0: memref<8x4xf16>, %arg1: memref<8x1xf16>, %arg2: memref<8x1xf32>, %arg3: memref<8x4xf32>) {
      mirage_thread.fill %arg3 with 0xFFF0000000000000 : memref<8x4xf32>
      mirage_thread.accumulate sum %arg0 into %arg3 : memref<8x4xf16> into memref<8x4xf32>
      mirage_thread.accumulate max %arg1 into %arg2 : memref<8x1xf16> into memref<8x1xf32>
      mirage_thread.accumulate rescaled_sum %arg0 shift %arg1 running %arg2 into %arg3 : memref<8x4xf16>, memref<8x1xf16>, memref<8x1xf32> into memref<8x4xf32>
      return
    }
    func.func @fragments(%arg0: memref<3x64x16xf16, strided<[1536, 24, 1]>, #gpu.address_space<workgroup>>, %arg1: memref<16x32xf16, #gpu.address_space<workgroup>>, %arg2: memref<128x32xf32>, %arg3: index) {
      %fragment = mirage_thread.load_fragment %arg0[%arg3, %arg3, %arg3] : memref<3x64x16xf16, strided<[1536, 24, 1]>, #gpu.address_space<workgroup>> to tensor<64x16xf16, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 2 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>
      %fragment_0 = mirage_thread.load_fragment %arg1[%arg3, %arg3] : memref<16x32xf16, #gpu.address_space<workgroup>> to tensor<16x32xf16, #mirage_thread.layout<registers = [2 d0:1, 2 d0:8, 4 d1:8], lanes = [4 d0:2, 8 d1:1], warps = [4 phi]>>
      %constant = mirage_thread.constant dense<0.000000e+00> : tensor<64x32xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>
      %0 = mirage_thread.mma_fragment %fragment, %fragment_0, %constant : tensor<64x16xf16, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 2 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>, tensor<16x32xf16, #mirage_thread.layout<registers = [2 d0:1, 2 d0:8, 4 d1:8], lanes = [4 d0:2, 8 d1:1], warps = [4 phi]>>, tensor<64x32xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>
      %reduce = mirage_thread.reduce max %0 dim(1) keep : (tensor<64x32xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>) -> tensor<64x1xf32, #mirage_thread.layout<registers = [2 d0:8], lanes = [4 phi, 8 d0:1], warps = [4 d0:16]>>
      %sub = mirage_thread.sub %0, %reduce : (tensor<64x32xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>, tensor<64x1xf32, #mirage_thread.layout<registers = [2 d0:8], lanes = [4 phi, 8 d0:1], warps = [4 d0:16]>>) -> tensor<64x32xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>
      mirage_thread.store_fragment %sub to %arg2[%arg3, %arg3] : tensor<64x32xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>> to memref<128x32xf32>
      return
    }
    func.func @warpgroups(%arg0: index, %arg1: tensor<64x64xf16, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>) {
      %shared = mirage_thread.shared_buffer offset(0) : memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>
      %shared_0 = mirage_thread.shared_buffer offset(8192) : memref<2x64x128xf16, #mirage_thread.chunked<[8192, 64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>
      %shared_1 = mirage_thread.shared_buffer offset(65536) : memref<64x128xf32, #mirage_thread.chunked<[8, 1], chunk = 8, chunk_stride = 520>, #gpu.address_space<workgroup>>
      %constant = mirage_thread.constant dense<0.000000e+00> : tensor<64x64xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>
      %0 = mirage_thread.warpgroup_mma %shared[%arg0, %arg0] transpose_lhs, %shared_0[%arg0, %arg0, %arg0], %constant : memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, memref<2x64x128xf16, #mirage_thread.chunked<[8192, 64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, tensor<64x64xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>
      %1 = mirage_thread.warpgroup_mma %arg1, %shared[%arg0, %arg0] transpose_rhs, %0 : tensor<64x64xf16, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>, memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>, tensor<64x64xf32, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>
      return
    }
  }
  module @compute_kernel {
    func.func @binary(%arg0: tensor<4x8xf16>, %arg1: tensor<4x1xf16>) -> tensor<4x8xf16> {
      %add = mirage_kernel.add %arg0, %arg1 : (tensor<4x8xf16>, tensor<4x1xf16>) -> tensor<4x8xf16>
      %sub = mirage_kernel.sub %arg1, %add : (tensor<4x1xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
      %mul = mirage_kernel.mul %sub, %arg0 : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
      %div = mirage_kernel.div %mul, %arg1 : (tensor<4x8xf16>, tensor<4x1xf16>) -> tensor<4x8xf16>
      %max = mirage_kernel.max %div, %arg0 : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
      %min = mirage_kernel.min %max, %arg0 : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
      return %min : tensor<4x8xf16>
    }
    func.func @unary(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %exp = mirage_kernel.exp %arg0 : (tensor<8xf32>) -> tensor<8xf32>
      %exp2 = mirage_kernel.exp2 %exp : (tensor<8xf32>) -> tensor<8xf32>
      %log = mirage_kernel.log %exp2 : (tensor<8xf32>) -> tensor<8xf32>
      %sqrt = mirage_kernel.sqrt %log : (tensor<8xf32>) -> tensor<8xf32>
      %rsqrt = mirage_kernel.rsqrt %sqrt : (tensor<8xf32>) -> tensor<8xf32>
      %square = mirage_kernel.square %rsqrt : (tensor<8xf32>) -> tensor<8xf32>
      %silu = mirage_kernel.silu %square : (tensor<8xf32>) -> tensor<8xf32>
      %sigmoid = mirage_kernel.sigmoid %silu : (tensor<8xf32>) -> tensor<8xf32>
      %relu = mirage_kernel.relu %sigmoid : (tensor<8xf32>) -> tensor<8xf32>
      %tanh = mirage_kernel.tanh %relu : (tensor<8xf32>) -> tensor<8xf32>
      %gelu = mirage_kernel.gelu erf %tanh : (tensor<8xf32>) -> tensor<8xf32>
      %gelu_0 = mirage_kernel.gelu tanh %gelu : (tensor<8xf32>) -> tensor<8xf32>
      %clamp = mirage_kernel.clamp %gelu_0 lower(-1.500000e+00) upper(6.000000e+00) : (tensor<8xf32>) -> tensor<8xf32>
      %scale = mirage_kernel.scale %clamp by 1.250000e-01 : (tensor<8xf32>) -> tensor<8xf32>
      %pow = mirage_kernel.pow %scale to -5.000000e-01 : (tensor<8xf32>) -> tensor<8xf32>
      return %pow : tensor<8xf32>
    }
    func.func @floats(%arg0: tensor<8xf32>) -> tensor<9xf32> {
      %clamp = mirage_kernel.clamp %arg0 lower(0xFFF0000000000000) upper(0x7FF0000000000000) : (tensor<8xf32>) -> tensor<8xf32>
      %scale = mirage_kernel.scale %clamp by 1.4426950408889634 : (tensor<8xf32>) -> tensor<8xf32>
      %pad = mirage_kernel.pad %scale low [0] high [1] value(0x7FF8000000000000) : (tensor<8xf32>) -> tensor<9xf32>
      return %pad : tensor<9xf32>
    }
    func.func @element_types(%arg0: tensor<4xf8E4M3FN>) -> tensor<4xf64> {
      %cast = mirage_kernel.cast %arg0 : tensor<4xf8E4M3FN> to tensor<4xf8E5M2>
      %cast_0 = mirage_kernel.cast %cast : tensor<4xf8E5M2> to tensor<4xf16>
      %cast_1 = mirage_kernel.cast %cast_0 : tensor<4xf16> to tensor<4xbf16>
      %cast_2 = mirage_kernel.cast %cast_1 : tensor<4xbf16> to tensor<4xf32>
      %cast_3 = mirage_kernel.cast %cast_2 : tensor<4xf32> to tensor<4xf64>
      return %cast_3 : tensor<4xf64>
    }
    func.func @constants() {
      %constant = mirage_kernel.constant dense<1.000000e+00> : tensor<64x4096xbf16>
      %constant_0 = mirage_kernel.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
      %constant_1 = mirage_kernel.constant dense<5.000000e-01> : tensor<f64>
      %constant_2 = mirage_kernel.constant dense<[0x7F, 1.000000e+00]> : tensor<2xf8E4M3FN>
      return
    }
    func.func @layout(%arg0: tensor<4x32xf16>) {
      %repeat = mirage_kernel.repeat %arg0 times [3, 2] : (tensor<4x32xf16>) -> tensor<12x64xf16>
      %reshape = mirage_kernel.reshape %arg0 : tensor<4x32xf16> to tensor<1x1x128xf16>
      %broadcast = mirage_kernel.broadcast %reshape : tensor<1x1x128xf16> to tensor<5x2x128xf16>
      %transpose = mirage_kernel.transpose %broadcast [2, 0, 1] : (tensor<5x2x128xf16>) -> tensor<128x5x2xf16>
      %slice = mirage_kernel.slice %arg0[0, 8] [4, 8] [1, 2] : (tensor<4x32xf16>) -> tensor<4x8xf16>
      %split:4 = mirage_kernel.split %arg0 dim(1) parts(4) : (tensor<4x32xf16>) -> (tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>)
      %concat = mirage_kernel.concat dim(0) %split#3, %slice, %split#0 : (tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<12x8xf16>
      %pad = mirage_kernel.pad %arg0 low [1, 0] high [2, 3] value(-1.000000e+00) : (tensor<4x32xf16>) -> tensor<7x35xf16>
      return
    }
    func.func @scalars(%arg0: tensor<f32>) -> tensor<1x1xf32> {
      %add = mirage_kernel.add %arg0, %arg0 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %transpose = mirage_kernel.transpose %add [] : (tensor<f32>) -> tensor<f32>
      %slice = mirage_kernel.slice %transpose[] [] [] : (tensor<f32>) -> tensor<f32>
      %repeat = mirage_kernel.repeat %slice times [] : (tensor<f32>) -> tensor<f32>
      %pad = mirage_kernel.pad %repeat low [] high [] value(0.000000e+00) : (tensor<f32>) -> tensor<f32>
      %reshape = mirage_kernel.reshape %pad : tensor<f32> to tensor<1x1xf32>
      return %reshape : tensor<1x1xf32>
    }
    func.func @reduce(%arg0: tensor<4x64xbf16>) {
      %reduce = mirage_kernel.reduce sum %arg0 dim(1) : (tensor<4x64xbf16>) -> tensor<4xf32>
      %reduce_0 = mirage_kernel.reduce max %arg0 dim(0) keep : (tensor<4x64xbf16>) -> tensor<1x64xbf16>
      %reduce_1 = mirage_kernel.reduce mean %arg0 dim(1) group(16) : (tensor<4x64xbf16>) -> tensor<4x4xbf16>
      return
    }
    func.func @contractions(%arg0: tensor<1x16x8xf32>, %arg1: tensor<3x8x4xf32>, %arg2: tensor<16x8xf16>, %arg3: tensor<4x16xf16>, %arg4: tensor<16x8xf8E5M2>) {
      %matmul = mirage_kernel.matmul %arg0, %arg1 : (tensor<1x16x8xf32>, tensor<3x8x4xf32>) -> tensor<3x16x4xf32>
      %matmul_0 = mirage_kernel.matmul %arg0, %arg1 compute tf32 : (tensor<1x16x8xf32>, tensor<3x8x4xf32>) -> tensor<3x16x4xf32>
      %matmul_1 = mirage_kernel.matmul %arg2, %arg3 transpose_lhs transpose_rhs : (tensor<16x8xf16>, tensor<4x16xf16>) -> tensor<8x4xf32>
      %matmul_2 = mirage_kernel.matmul %arg4, %arg4 transpose_lhs : (tensor<16x8xf8E5M2>, tensor<16x8xf8E5M2>) -> tensor<8x8xf16>
      %matmul_3 = mirage_kernel.matmul %arg2, %arg2 transpose_rhs : (tensor<16x8xf16>, tensor<16x8xf16>) -> tensor<16x16xf16>
      %transpose = mirage_kernel.transpose %arg2 [1, 0] : (tensor<16x8xf16>) -> tensor<8x16xf16>
      %concat_matmul = mirage_kernel.concat_matmul(%arg2, %matmul_3), (%transpose, %matmul_3) : (tensor<16x8xf16>, tensor<16x16xf16>, tensor<8x16xf16>, tensor<16x16xf16>) -> tensor<16x16xf32>
      return
    }
    func.func @conv2d(%arg0: tensor<1x6x16x16xf16>, %arg1: tensor<8x3x3x3xf16>, %arg2: tensor<1x16x16x6xf16>, %arg3: tensor<3x3x6x8xf16>) {
      %conv2d = mirage_kernel.conv2d nchw %arg0, %arg1 strides [2, 1] padding [1, 0, 1, 1] dilations [1, 2] groups(2) : (tensor<1x6x16x16xf16>, tensor<8x3x3x3xf16>) -> tensor<1x8x8x14xf32>
      %conv2d_0 = mirage_kernel.conv2d nhwc %arg2, %arg3 strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x16x16x6xf16>, tensor<3x3x6x8xf16>) -> tensor<1x14x14x8xf16>
      return
    }
    func.func @composite(%arg0: tensor<4x32xf16>, %arg1: tensor<32xf16>) {
      %rms_norm = mirage_kernel.rms_norm %arg0 epsilon(9.9999999999999995E-7) : (tensor<4x32xf16>) -> tensor<4x32xf16>
      %rms_norm_0 = mirage_kernel.rms_norm %arg0 weight %arg1 epsilon(0.000000e+00) : (tensor<4x32xf16>, tensor<32xf16>) -> tensor<4x32xf16>
      %layer_norm = mirage_kernel.layer_norm %arg0 epsilon(1.000000e-05) : (tensor<4x32xf16>) -> tensor<4x32xf16>
      %layer_norm_1 = mirage_kernel.layer_norm %arg0 weight %arg1 epsilon(1.000000e-05) : (tensor<4x32xf16>, tensor<32xf16>) -> tensor<4x32xf16>
      %layer_norm_2 = mirage_kernel.layer_norm %arg0 bias %arg1 epsilon(1.000000e-05) : (tensor<4x32xf16>, tensor<32xf16>) -> tensor<4x32xf16>
      %layer_norm_3 = mirage_kernel.layer_norm %arg0 weight %arg1 bias %arg1 epsilon(1.000000e-05) : (tensor<4x32xf16>, tensor<32xf16>, tensor<32xf16>) -> tensor<4x32xf16>
      %softmax = mirage_kernel.softmax %arg0 dim(1) : (tensor<4x32xf16>) -> tensor<4x32xf16>
      return
    }
    func.func @discardable(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %exp = mirage_kernel.exp %arg0 {note = "mine"} : (tensor<8xf32>) -> tensor<8xf32>
      return %exp : tensor<8xf32>
    }
    func.func @choices(%arg0: tensor<4x8xf32>, %arg1: tensor<4x1xf32>) {
      %compare = mirage_kernel.compare eq %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
      %compare_0 = mirage_kernel.compare ne %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
      %compare_1 = mirage_kernel.compare lt %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
      %compare_2 = mirage_kernel.compare le %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
      %compare_3 = mirage_kernel.compare gt %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
      %compare_4 = mirage_kernel.compare ge %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
      %select = mirage_kernel.select %compare_1, %arg1, %arg0 : (tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
      %abs = mirage_kernel.abs %select : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %erf = mirage_kernel.erf %abs : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %mish = mirage_kernel.mish %erf : (tensor<4x8xf32>) -> tensor<4x8xf32>
      return
    }
    func.func @channel_norms(%arg0: tensor<2x6x4x5xf16>, %arg1: tensor<6xf16>) {
      %group_norm = mirage_kernel.group_norm %arg0 groups(3) epsilon(1.000000e-05) : (tensor<2x6x4x5xf16>) -> tensor<2x6x4x5xf16>
      %group_norm_0 = mirage_kernel.group_norm %arg0 weight %arg1 bias %arg1 groups(2) epsilon(1.000000e-05) : (tensor<2x6x4x5xf16>, tensor<6xf16>, tensor<6xf16>) -> tensor<2x6x4x5xf16>
      %instance_norm = mirage_kernel.instance_norm %arg0 bias %arg1 epsilon(1.000000e-05) : (tensor<2x6x4x5xf16>, tensor<6xf16>) -> tensor<2x6x4x5xf16>
      %batch_norm = mirage_kernel.batch_norm %arg0, %arg1, %arg1 epsilon(1.000000e-05) : (tensor<2x6x4x5xf16>, tensor<6xf16>, tensor<6xf16>) -> tensor<2x6x4x5xf16>
      %batch_norm_1 = mirage_kernel.batch_norm %arg0, %arg1, %arg1 weight %arg1 bias %arg1 epsilon(1.000000e-05) : (tensor<2x6x4x5xf16>, tensor<6xf16>, tensor<6xf16>, tensor<6xf16>, tensor<6xf16>) -> tensor<2x6x4x5xf16>
      return
    }
    func.func @statistics(%arg0: tensor<4x32xf16>) {
      %variance = mirage_kernel.variance %arg0 dim(1) correction(0.000000e+00) : (tensor<4x32xf16>) -> tensor<4xf16>
      %variance_0 = mirage_kernel.variance %arg0 dim(0) correction(1.000000e+00) keep : (tensor<4x32xf16>) -> tensor<1x32xf16>
      %log_softmax = mirage_kernel.log_softmax %arg0 dim(1) : (tensor<4x32xf16>) -> tensor<4x32xf16>
      return
    }
    func.func @attention(%arg0: tensor<2x4x8x16xf16>, %arg1: tensor<2x1x32x16xf16>, %arg2: tensor<2x1x32x24xf16>, %arg3: tensor<1x1x8x32xf16>) {
      %attention = mirage_kernel.attention %arg0, %arg1, %arg2 scale(2.500000e-01) : (tensor<2x4x8x16xf16>, tensor<2x1x32x16xf16>, tensor<2x1x32x24xf16>) -> tensor<2x4x8x24xf16>
      %attention_0 = mirage_kernel.attention %arg0, %arg1, %arg2 mask %arg3 scale(2.500000e-01) : (tensor<2x4x8x16xf16>, tensor<2x1x32x16xf16>, tensor<2x1x32x24xf16>, tensor<1x1x8x32xf16>) -> tensor<2x4x8x24xf16>
      return
    }
  }
  module @compute_block {
    func.func @binary(%arg0: tensor<4x8xf16>, %arg1: tensor<4x1xf16>) -> tensor<4x8xf16> {
      %add = mirage_block.add %arg0, %arg1 : (tensor<4x8xf16>, tensor<4x1xf16>) -> tensor<4x8xf16>
      %sub = mirage_block.sub %arg1, %add : (tensor<4x1xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
      %mul = mirage_block.mul %sub, %arg0 : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
      %div = mirage_block.div %mul, %arg1 : (tensor<4x8xf16>, tensor<4x1xf16>) -> tensor<4x8xf16>
      %max = mirage_block.max %div, %arg0 : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
      %min = mirage_block.min %max, %arg0 : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
      return %min : tensor<4x8xf16>
    }
    func.func @unary(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %exp = mirage_block.exp %arg0 : (tensor<8xf32>) -> tensor<8xf32>
      %exp2 = mirage_block.exp2 %exp : (tensor<8xf32>) -> tensor<8xf32>
      %log = mirage_block.log %exp2 : (tensor<8xf32>) -> tensor<8xf32>
      %sqrt = mirage_block.sqrt %log : (tensor<8xf32>) -> tensor<8xf32>
      %rsqrt = mirage_block.rsqrt %sqrt : (tensor<8xf32>) -> tensor<8xf32>
      %square = mirage_block.square %rsqrt : (tensor<8xf32>) -> tensor<8xf32>
      %silu = mirage_block.silu %square : (tensor<8xf32>) -> tensor<8xf32>
      %sigmoid = mirage_block.sigmoid %silu : (tensor<8xf32>) -> tensor<8xf32>
      %relu = mirage_block.relu %sigmoid : (tensor<8xf32>) -> tensor<8xf32>
      %tanh = mirage_block.tanh %relu : (tensor<8xf32>) -> tensor<8xf32>
      %gelu = mirage_block.gelu erf %tanh : (tensor<8xf32>) -> tensor<8xf32>
      %gelu_0 = mirage_block.gelu tanh %gelu : (tensor<8xf32>) -> tensor<8xf32>
      %clamp = mirage_block.clamp %gelu_0 lower(-1.500000e+00) upper(6.000000e+00) : (tensor<8xf32>) -> tensor<8xf32>
      %scale = mirage_block.scale %clamp by 1.250000e-01 : (tensor<8xf32>) -> tensor<8xf32>
      %pow = mirage_block.pow %scale to -5.000000e-01 : (tensor<8xf32>) -> tensor<8xf32>
      return %pow : tensor<8xf32>
    }
    func.func @floats(%arg0: tensor<8xf32>) -> tensor<9xf32> {
      %clamp = mirage_block.clamp %arg0 lower(0xFFF0000000000000) upper(0x7FF0000000000000) : (tensor<8xf32>) -> tensor<8xf32>
      %scale = mirage_block.scale %clamp by 1.4426950408889634 : (tensor<8xf32>) -> tensor<8xf32>
      %pad = mirage_block.pad %scale low [0] high [1] value(0x7FF8000000000000) : (tensor<8xf32>) -> tensor<9xf32>
      return %pad : tensor<9xf32>
    }
    func.func @element_types(%arg0: tensor<4xf8E4M3FN>) -> tensor<4xf64> {
      %cast = mirage_block.cast %arg0 : tensor<4xf8E4M3FN> to tensor<4xf8E5M2>
      %cast_0 = mirage_block.cast %cast : tensor<4xf8E5M2> to tensor<4xf16>
      %cast_1 = mirage_block.cast %cast_0 : tensor<4xf16> to tensor<4xbf16>
      %cast_2 = mirage_block.cast %cast_1 : tensor<4xbf16> to tensor<4xf32>
      %cast_3 = mirage_block.cast %cast_2 : tensor<4xf32> to tensor<4xf64>
      return %cast_3 : tensor<4xf64>
    }
    func.func @constants() {
      %constant = mirage_block.constant dense<1.000000e+00> : tensor<64x4096xbf16>
      %constant_0 = mirage_block.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
      %constant_1 = mirage_block.constant dense<5.000000e-01> : tensor<f64>
      %constant_2 = mirage_block.constant dense<[0x7F, 1.000000e+00]> : tensor<2xf8E4M3FN>
      return
    }
    func.func @layout(%arg0: tensor<4x32xf16>) {
      %repeat = mirage_block.repeat %arg0 times [3, 2] : (tensor<4x32xf16>) -> tensor<12x64xf16>
      %reshape = mirage_block.reshape %arg0 : tensor<4x32xf16> to tensor<1x1x128xf16>
      %broadcast = mirage_block.broadcast %reshape : tensor<1x1x128xf16> to tensor<5x2x128xf16>
      %transpose = mirage_block.transpose %broadcast [2, 0, 1] : (tensor<5x2x128xf16>) -> tensor<128x5x2xf16>
      %slice = mirage_block.slice %arg0[0, 8] [4, 8] [1, 2] : (tensor<4x32xf16>) -> tensor<4x8xf16>
      %split:4 = mirage_block.split %arg0 dim(1) parts(4) : (tensor<4x32xf16>) -> (tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>)
      %concat = mirage_block.concat dim(0) %split#3, %slice, %split#0 : (tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<12x8xf16>
      %pad = mirage_block.pad %arg0 low [1, 0] high [2, 3] value(-1.000000e+00) : (tensor<4x32xf16>) -> tensor<7x35xf16>
      return
    }
    func.func @scalars(%arg0: tensor<f32>) -> tensor<1x1xf32> {
      %add = mirage_block.add %arg0, %arg0 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %transpose = mirage_block.transpose %add [] : (tensor<f32>) -> tensor<f32>
      %slice = mirage_block.slice %transpose[] [] [] : (tensor<f32>) -> tensor<f32>
      %repeat = mirage_block.repeat %slice times [] : (tensor<f32>) -> tensor<f32>
      %pad = mirage_block.pad %repeat low [] high [] value(0.000000e+00) : (tensor<f32>) -> tensor<f32>
      %reshape = mirage_block.reshape %pad : tensor<f32> to tensor<1x1xf32>
      return %reshape : tensor<1x1xf32>
    }
    func.func @reduce(%arg0: tensor<4x64xbf16>) {
      %reduce = mirage_block.reduce sum %arg0 dim(1) : (tensor<4x64xbf16>) -> tensor<4xf32>
      %reduce_0 = mirage_block.reduce max %arg0 dim(0) keep : (tensor<4x64xbf16>) -> tensor<1x64xbf16>
      %reduce_1 = mirage_block.reduce mean %arg0 dim(1) group(16) : (tensor<4x64xbf16>) -> tensor<4x4xbf16>
      return
    }
    func.func @contractions(%arg0: tensor<1x16x8xf32>, %arg1: tensor<3x8x4xf32>, %arg2: tensor<16x8xf16>, %arg3: tensor<4x16xf16>, %arg4: tensor<16x8xf8E5M2>) {
      %matmul = mirage_block.matmul %arg0, %arg1 : (tensor<1x16x8xf32>, tensor<3x8x4xf32>) -> tensor<3x16x4xf32>
      %matmul_0 = mirage_block.matmul %arg0, %arg1 compute tf32 : (tensor<1x16x8xf32>, tensor<3x8x4xf32>) -> tensor<3x16x4xf32>
      %matmul_1 = mirage_block.matmul %arg2, %arg3 transpose_lhs transpose_rhs : (tensor<16x8xf16>, tensor<4x16xf16>) -> tensor<8x4xf32>
      %matmul_2 = mirage_block.matmul %arg4, %arg4 transpose_lhs : (tensor<16x8xf8E5M2>, tensor<16x8xf8E5M2>) -> tensor<8x8xf16>
      %matmul_3 = mirage_block.matmul %arg2, %arg2 transpose_rhs : (tensor<16x8xf16>, tensor<16x8xf16>) -> tensor<16x16xf16>
      %transpose = mirage_block.transpose %arg2 [1, 0] : (tensor<16x8xf16>) -> tensor<8x16xf16>
      %concat_matmul = mirage_block.concat_matmul(%arg2, %matmul_3), (%transpose, %matmul_3) : (tensor<16x8xf16>, tensor<16x16xf16>, tensor<8x16xf16>, tensor<16x16xf16>) -> tensor<16x16xf32>
      return
    }
    func.func @conv2d(%arg0: tensor<1x6x16x16xf16>, %arg1: tensor<8x3x3x3xf16>, %arg2: tensor<1x16x16x6xf16>, %arg3: tensor<3x3x6x8xf16>) {
      %conv2d = mirage_block.conv2d nchw %arg0, %arg1 strides [2, 1] padding [1, 0, 1, 1] dilations [1, 2] groups(2) : (tensor<1x6x16x16xf16>, tensor<8x3x3x3xf16>) -> tensor<1x8x8x14xf32>
      %conv2d_0 = mirage_block.conv2d nhwc %arg2, %arg3 strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x16x16x6xf16>, tensor<3x3x6x8xf16>) -> tensor<1x14x14x8xf16>
      return
    }
    func.func @composite(%arg0: tensor<4x32xf16>, %arg1: tensor<32xf16>) {
      %rms_norm = mirage_block.rms_norm %arg0 epsilon(9.9999999999999995E-7) : (tensor<4x32xf16>) -> tensor<4x32xf16>
      %rms_norm_0 = mirage_block.rms_norm %arg0 weight %arg1 epsilon(0.000000e+00) : (tensor<4x32xf16>, tensor<32xf16>) -> tensor<4x32xf16>
      %layer_norm = mirage_block.layer_norm %arg0 epsilon(1.000000e-05) : (tensor<4x32xf16>) -> tensor<4x32xf16>
      %layer_norm_1 = mirage_block.layer_norm %arg0 weight %arg1 epsilon(1.000000e-05) : (tensor<4x32xf16>, tensor<32xf16>) -> tensor<4x32xf16>
      %layer_norm_2 = mirage_block.layer_norm %arg0 bias %arg1 epsilon(1.000000e-05) : (tensor<4x32xf16>, tensor<32xf16>) -> tensor<4x32xf16>
      %layer_norm_3 = mirage_block.layer_norm %arg0 weight %arg1 bias %arg1 epsilon(1.000000e-05) : (tensor<4x32xf16>, tensor<32xf16>, tensor<32xf16>) -> tensor<4x32xf16>
      %softmax = mirage_block.softmax %arg0 dim(1) : (tensor<4x32xf16>) -> tensor<4x32xf16>
      return
    }
    func.func @discardable(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %exp = mirage_block.exp %arg0 {note = "mine"} : (tensor<8xf32>) -> tensor<8xf32>
      return %exp : tensor<8xf32>
    }
    func.func @choices(%arg0: tensor<4x8xf32>, %arg1: tensor<4x1xf32>) {
      %compare = mirage_block.compare eq %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
      %compare_0 = mirage_block.compare ne %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
      %compare_1 = mirage_block.compare lt %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
      %compare_2 = mirage_block.compare le %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
      %compare_3 = mirage_block.compare gt %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
      %compare_4 = mirage_block.compare ge %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
      %select = mirage_block.select %compare_1, %arg1, %arg0 : (tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
      %abs = mirage_block.abs %select : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %erf = mirage_block.erf %abs : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %mish = mirage_block.mish %erf : (tensor<4x8xf32>) -> tensor<4x8xf32>
      return
    }
    func.func @channel_norms(%arg0: tensor<2x6x4x5xf16>, %arg1: tensor<6xf16>) {
      %group_norm = mirage_block.group_norm %arg0 groups(3) epsilon(1.000000e-05) : (tensor<2x6x4x5xf16>) -> tensor<2x6x4x5xf16>
      %group_norm_0 = mirage_block.group_norm %arg0 weight %arg1 bias %arg1 groups(2) epsilon(1.000000e-05) : (tensor<2x6x4x5xf16>, tensor<6xf16>, tensor<6xf16>) -> tensor<2x6x4x5xf16>
      %instance_norm = mirage_block.instance_norm %arg0 bias %arg1 epsilon(1.000000e-05) : (tensor<2x6x4x5xf16>, tensor<6xf16>) -> tensor<2x6x4x5xf16>
      %batch_norm = mirage_block.batch_norm %arg0, %arg1, %arg1 epsilon(1.000000e-05) : (tensor<2x6x4x5xf16>, tensor<6xf16>, tensor<6xf16>) -> tensor<2x6x4x5xf16>
      %batch_norm_1 = mirage_block.batch_norm %arg0, %arg1, %arg1 weight %arg1 bias %arg1 epsilon(1.000000e-05) : (tensor<2x6x4x5xf16>, tensor<6xf16>, tensor<6xf16>, tensor<6xf16>, tensor<6xf16>) -> tensor<2x6x4x5xf16>
      return
    }
    func.func @statistics(%arg0: tensor<4x32xf16>) {
      %variance = mirage_block.variance %arg0 dim(1) correction(0.000000e+00) : (tensor<4x32xf16>) -> tensor<4xf16>
      %variance_0 = mirage_block.variance %arg0 dim(0) correction(1.000000e+00) keep : (tensor<4x32xf16>) -> tensor<1x32xf16>
      %log_softmax = mirage_block.log_softmax %arg0 dim(1) : (tensor<4x32xf16>) -> tensor<4x32xf16>
      return
    }
    func.func @attention(%arg0: tensor<2x4x8x16xf16>, %arg1: tensor<2x1x32x16xf16>, %arg2: tensor<2x1x32x24xf16>, %arg3: tensor<1x1x8x32xf16>) {
      %attention = mirage_block.attention %arg0, %arg1, %arg2 scale(2.500000e-01) : (tensor<2x4x8x16xf16>, tensor<2x1x32x16xf16>, tensor<2x1x32x24xf16>) -> tensor<2x4x8x24xf16>
      %attention_0 = mirage_block.attention %arg0, %arg1, %arg2 mask %arg3 scale(2.500000e-01) : (tensor<2x4x8x16xf16>, tensor<2x1x32x16xf16>, tensor<2x1x32x24xf16>, tensor<1x1x8x32xf16>) -> tensor<2x4x8x24xf16>
      return
    }
  }
  module @compute_thread {
    func.func @binary(%arg0: tensor<4x8xf16>, %arg1: tensor<4x1xf16>) -> tensor<4x8xf16> {
      %add = mirage_thread.add %arg0, %arg1 : (tensor<4x8xf16>, tensor<4x1xf16>) -> tensor<4x8xf16>
      %sub = mirage_thread.sub %arg1, %add : (tensor<4x1xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
      %mul = mirage_thread.mul %sub, %arg0 : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
      %div = mirage_thread.div %mul, %arg1 : (tensor<4x8xf16>, tensor<4x1xf16>) -> tensor<4x8xf16>
      %max = mirage_thread.max %div, %arg0 : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
      %min = mirage_thread.min %max, %arg0 : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
      return %min : tensor<4x8xf16>
    }
    func.func @unary(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %exp = mirage_thread.exp %arg0 : (tensor<8xf32>) -> tensor<8xf32>
      %exp2 = mirage_thread.exp2 %exp : (tensor<8xf32>) -> tensor<8xf32>
      %log = mirage_thread.log %exp2 : (tensor<8xf32>) -> tensor<8xf32>
      %sqrt = mirage_thread.sqrt %log : (tensor<8xf32>) -> tensor<8xf32>
      %rsqrt = mirage_thread.rsqrt %sqrt : (tensor<8xf32>) -> tensor<8xf32>
      %square = mirage_thread.square %rsqrt : (tensor<8xf32>) -> tensor<8xf32>
      %silu = mirage_thread.silu %square : (tensor<8xf32>) -> tensor<8xf32>
      %sigmoid = mirage_thread.sigmoid %silu : (tensor<8xf32>) -> tensor<8xf32>
      %relu = mirage_thread.relu %sigmoid : (tensor<8xf32>) -> tensor<8xf32>
      %tanh = mirage_thread.tanh %relu : (tensor<8xf32>) -> tensor<8xf32>
      %gelu = mirage_thread.gelu erf %tanh : (tensor<8xf32>) -> tensor<8xf32>
      %gelu_0 = mirage_thread.gelu tanh %gelu : (tensor<8xf32>) -> tensor<8xf32>
      %clamp = mirage_thread.clamp %gelu_0 lower(-1.500000e+00) upper(6.000000e+00) : (tensor<8xf32>) -> tensor<8xf32>
      %scale = mirage_thread.scale %clamp by 1.250000e-01 : (tensor<8xf32>) -> tensor<8xf32>
      %pow = mirage_thread.pow %scale to -5.000000e-01 : (tensor<8xf32>) -> tensor<8xf32>
      return %pow : tensor<8xf32>
    }
    func.func @floats(%arg0: tensor<8xf32>) -> tensor<9xf32> {
      %clamp = mirage_thread.clamp %arg0 lower(0xFFF0000000000000) upper(0x7FF0000000000000) : (tensor<8xf32>) -> tensor<8xf32>
      %scale = mirage_thread.scale %clamp by 1.4426950408889634 : (tensor<8xf32>) -> tensor<8xf32>
      %pad = mirage_thread.pad %scale low [0] high [1] value(0x7FF8000000000000) : (tensor<8xf32>) -> tensor<9xf32>
      return %pad : tensor<9xf32>
    }
    func.func @element_types(%arg0: tensor<4xf8E4M3FN>) -> tensor<4xf64> {
      %cast = mirage_thread.cast %arg0 : tensor<4xf8E4M3FN> to tensor<4xf8E5M2>
      %cast_0 = mirage_thread.cast %cast : tensor<4xf8E5M2> to tensor<4xf16>
      %cast_1 = mirage_thread.cast %cast_0 : tensor<4xf16> to tensor<4xbf16>
      %cast_2 = mirage_thread.cast %cast_1 : tensor<4xbf16> to tensor<4xf32>
      %cast_3 = mirage_thread.cast %cast_2 : tensor<4xf32> to tensor<4xf64>
      return %cast_3 : tensor<4xf64>
    }
    func.func @constants() {
      %constant = mirage_thread.constant dense<1.000000e+00> : tensor<64x4096xbf16>
      %constant_0 = mirage_thread.constant dense<[[1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
      %constant_1 = mirage_thread.constant dense<5.000000e-01> : tensor<f64>
      %constant_2 = mirage_thread.constant dense<[0x7F, 1.000000e+00]> : tensor<2xf8E4M3FN>
      return
    }
    func.func @layout(%arg0: tensor<4x32xf16>) {
      %repeat = mirage_thread.repeat %arg0 times [3, 2] : (tensor<4x32xf16>) -> tensor<12x64xf16>
      %reshape = mirage_thread.reshape %arg0 : tensor<4x32xf16> to tensor<1x1x128xf16>
      %broadcast = mirage_thread.broadcast %reshape : tensor<1x1x128xf16> to tensor<5x2x128xf16>
      %transpose = mirage_thread.transpose %broadcast [2, 0, 1] : (tensor<5x2x128xf16>) -> tensor<128x5x2xf16>
      %slice = mirage_thread.slice %arg0[0, 8] [4, 8] [1, 2] : (tensor<4x32xf16>) -> tensor<4x8xf16>
      %split:4 = mirage_thread.split %arg0 dim(1) parts(4) : (tensor<4x32xf16>) -> (tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>)
      %concat = mirage_thread.concat dim(0) %split#3, %slice, %split#0 : (tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<12x8xf16>
      %pad = mirage_thread.pad %arg0 low [1, 0] high [2, 3] value(-1.000000e+00) : (tensor<4x32xf16>) -> tensor<7x35xf16>
      return
    }
    func.func @scalars(%arg0: tensor<f32>) -> tensor<1x1xf32> {
      %add = mirage_thread.add %arg0, %arg0 : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %transpose = mirage_thread.transpose %add [] : (tensor<f32>) -> tensor<f32>
      %slice = mirage_thread.slice %transpose[] [] [] : (tensor<f32>) -> tensor<f32>
      %repeat = mirage_thread.repeat %slice times [] : (tensor<f32>) -> tensor<f32>
      %pad = mirage_thread.pad %repeat low [] high [] value(0.000000e+00) : (tensor<f32>) -> tensor<f32>
      %reshape = mirage_thread.reshape %pad : tensor<f32> to tensor<1x1xf32>
      return %reshape : tensor<1x1xf32>
    }
    func.func @reduce(%arg0: tensor<4x64xbf16>) {
      %reduce = mirage_thread.reduce sum %arg0 dim(1) : (tensor<4x64xbf16>) -> tensor<4xf32>
      %reduce_0 = mirage_thread.reduce max %arg0 dim(0) keep : (tensor<4x64xbf16>) -> tensor<1x64xbf16>
      %reduce_1 = mirage_thread.reduce mean %arg0 dim(1) group(16) : (tensor<4x64xbf16>) -> tensor<4x4xbf16>
      return
    }
    func.func @contractions(%arg0: tensor<1x16x8xf32>, %arg1: tensor<3x8x4xf32>, %arg2: tensor<16x8xf16>, %arg3: tensor<4x16xf16>, %arg4: tensor<16x8xf8E5M2>) {
      %matmul = mirage_thread.matmul %arg0, %arg1 : (tensor<1x16x8xf32>, tensor<3x8x4xf32>) -> tensor<3x16x4xf32>
      %matmul_0 = mirage_thread.matmul %arg0, %arg1 compute tf32 : (tensor<1x16x8xf32>, tensor<3x8x4xf32>) -> tensor<3x16x4xf32>
      %matmul_1 = mirage_thread.matmul %arg2, %arg3 transpose_lhs transpose_rhs : (tensor<16x8xf16>, tensor<4x16xf16>) -> tensor<8x4xf32>
      %matmul_2 = mirage_thread.matmul %arg4, %arg4 transpose_lhs : (tensor<16x8xf8E5M2>, tensor<16x8xf8E5M2>) -> tensor<8x8xf16>
      %matmul_3 = mirage_thread.matmul %arg2, %arg2 transpose_rhs : (tensor<16x8xf16>, tensor<16x8xf16>) -> tensor<16x16xf16>
      %transpose = mirage_thread.transpose %arg2 [1, 0] : (tensor<16x8xf16>) -> tensor<8x16xf16>
      %concat_matmul = mirage_thread.concat_matmul(%arg2, %matmul_3), (%transpose, %matmul_3) : (tensor<16x8xf16>, tensor<16x16xf16>, tensor<8x16xf16>, tensor<16x16xf16>) -> tensor<16x16xf32>
      return
    }
    func.func @conv2d(%arg0: tensor<1x6x16x16xf16>, %arg1: tensor<8x3x3x3xf16>, %arg2: tensor<1x16x16x6xf16>, %arg3: tensor<3x3x6x8xf16>) {
      %conv2d = mirage_thread.conv2d nchw %arg0, %arg1 strides [2, 1] padding [1, 0, 1, 1] dilations [1, 2] groups(2) : (tensor<1x6x16x16xf16>, tensor<8x3x3x3xf16>) -> tensor<1x8x8x14xf32>
      %conv2d_0 = mirage_thread.conv2d nhwc %arg2, %arg3 strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x16x16x6xf16>, tensor<3x3x6x8xf16>) -> tensor<1x14x14x8xf16>
      return
    }
    func.func @composite(%arg0: tensor<4x32xf16>, %arg1: tensor<32xf16>) {
      %rms_norm = mirage_thread.rms_norm %arg0 epsilon(9.9999999999999995E-7) : (tensor<4x32xf16>) -> tensor<4x32xf16>
      %rms_norm_0 = mirage_thread.rms_norm %arg0 weight %arg1 epsilon(0.000000e+00) : (tensor<4x32xf16>, tensor<32xf16>) -> tensor<4x32xf16>
      %layer_norm = mirage_thread.layer_norm %arg0 epsilon(1.000000e-05) : (tensor<4x32xf16>) -> tensor<4x32xf16>
      %layer_norm_1 = mirage_thread.layer_norm %arg0 weight %arg1 epsilon(1.000000e-05) : (tensor<4x32xf16>, tensor<32xf16>) -> tensor<4x32xf16>
      %layer_norm_2 = mirage_thread.layer_norm %arg0 bias %arg1 epsilon(1.000000e-05) : (tensor<4x32xf16>, tensor<32xf16>) -> tensor<4x32xf16>
      %layer_norm_3 = mirage_thread.layer_norm %arg0 weight %arg1 bias %arg1 epsilon(1.000000e-05) : (tensor<4x32xf16>, tensor<32xf16>, tensor<32xf16>) -> tensor<4x32xf16>
      %softmax = mirage_thread.softmax %arg0 dim(1) : (tensor<4x32xf16>) -> tensor<4x32xf16>
      return
    }
    func.func @discardable(%arg0: tensor<8xf32>) -> tensor<8xf32> {
      %exp = mirage_thread.exp %arg0 {note = "mine"} : (tensor<8xf32>) -> tensor<8xf32>
      return %exp : tensor<8xf32>
    }
    func.func @choices(%arg0: tensor<4x8xf32>, %arg1: tensor<4x1xf32>) {
      %compare = mirage_thread.compare eq %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
      %compare_0 = mirage_thread.compare ne %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
      %compare_1 = mirage_thread.compare lt %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
      %compare_2 = mirage_thread.compare le %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
      %compare_3 = mirage_thread.compare gt %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
      %compare_4 = mirage_thread.compare ge %arg0, %arg1 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
      %select = mirage_thread.select %compare_1, %arg1, %arg0 : (tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
      %abs = mirage_thread.abs %select : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %erf = mirage_thread.erf %abs : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %mish = mirage_thread.mish %erf : (tensor<4x8xf32>) -> tensor<4x8xf32>
      return
    }
    func.func @channel_norms(%arg0: tensor<2x6x4x5xf16>, %arg1: tensor<6xf16>) {
      %group_norm = mirage_thread.group_norm %arg0 groups(3) epsilon(1.000000e-05) : (tensor<2x6x4x5xf16>) -> tensor<2x6x4x5xf16>
      %group_norm_0 = mirage_thread.group_norm %arg0 weight %arg1 bias %arg1 groups(2) epsilon(1.000000e-05) : (tensor<2x6x4x5xf16>, tensor<6xf16>, tensor<6xf16>) -> tensor<2x6x4x5xf16>
      %instance_norm = mirage_thread.instance_norm %arg0 bias %arg1 epsilon(1.000000e-05) : (tensor<2x6x4x5xf16>, tensor<6xf16>) -> tensor<2x6x4x5xf16>
      %batch_norm = mirage_thread.batch_norm %arg0, %arg1, %arg1 epsilon(1.000000e-05) : (tensor<2x6x4x5xf16>, tensor<6xf16>, tensor<6xf16>) -> tensor<2x6x4x5xf16>
      %batch_norm_1 = mirage_thread.batch_norm %arg0, %arg1, %arg1 weight %arg1 bias %arg1 epsilon(1.000000e-05) : (tensor<2x6x4x5xf16>, tensor<6xf16>, tensor<6xf16>, tensor<6xf16>, tensor<6xf16>) -> tensor<2x6x4x5xf16>
      return
    }
    func.func @statistics(%arg0: tensor<4x32xf16>) {
      %variance = mirage_thread.variance %arg0 dim(1) correction(0.000000e+00) : (tensor<4x32xf16>) -> tensor<4xf16>
      %variance_0 = mirage_thread.variance %arg0 dim(0) correction(1.000000e+00) keep : (tensor<4x32xf16>) -> tensor<1x32xf16>
      %log_softmax = mirage_thread.log_softmax %arg0 dim(1) : (tensor<4x32xf16>) -> tensor<4x32xf16>
      return
    }
    func.func @attention(%arg0: tensor<2x4x8x16xf16>, %arg1: tensor<2x1x32x16xf16>, %arg2: tensor<2x1x32x24xf16>, %arg3: tensor<1x1x8x32xf16>) {
      %attention = mirage_thread.attention %arg0, %arg1, %arg2 scale(2.500000e-01) : (tensor<2x4x8x16xf16>, tensor<2x1x32x16xf16>, tensor<2x1x32x24xf16>) -> tensor<2x4x8x24xf16>
      %attention_0 = mirage_thread.attention %arg0, %arg1, %arg2 mask %arg3 scale(2.500000e-01) : (tensor<2x4x8x16xf16>, tensor<2x1x32x16xf16>, tensor<2x1x32x24xf16>, tensor<1x1x8x32xf16>) -> tensor<2x4x8x24xf16>
      return
    }
  }
  module @attributes attributes {mirage.target = #mirage.target<sm_90a, multiprocessors = 114>, test.enums = [#mirage<accumulate_kind concat>, #mirage<conv_layout nchw>, #mirage<gelu_form erf>, #mirage<reduce_kind sum>]} {
  }
}

