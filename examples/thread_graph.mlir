// The third level: what one thread computes. An elementwise chain,
//
//   O = gelu(X + bias) / 2,
//
// as it stands behind many a linear layer. Shapes are small on purpose.
//
// In a block graph every value of the chain is a tensor in shared memory, written by some threads
// and read by others. Elementwise operators need no such exchange: an element depends on the
// elements at the same place of the values before it. In a thread graph each thread carries its
// elements through the whole chain. Values are fragments in registers, and shared memory holds
// only what goes in and what comes out.

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @thread_graph(%x: tensor<32x128xf16>, %bias: tensor<1x128xf16>) -> tensor<32x128xf16> {
  %xf = mirage_kernel.cast %x : tensor<32x128xf16> to tensor<32x128xf32>
  %bf = mirage_kernel.cast %bias : tensor<1x128xf16> to tensor<1x128xf32>
  %a = mirage_kernel.add %xf, %bf
      : (tensor<32x128xf32>, tensor<1x128xf32>) -> tensor<32x128xf32>
  %g = mirage_kernel.gelu tanh %a : (tensor<32x128xf32>) -> tensor<32x128xf32>
  %s = mirage_kernel.scale %g by 0.5 : (tensor<32x128xf32>) -> tensor<32x128xf32>
  %o = mirage_kernel.cast %s : tensor<32x128xf32> to tensor<32x128xf16>
  return %o : tensor<32x128xf16>
}

func.func @thread_graph_mugraph(%x: tensor<32x128xf16>, %bias: tensor<1x128xf16>)
    -> tensor<32x128xf16> {
  // Four blocks with 8 rows each. Shared memory: 4,352 bytes, X, bias and result.
  %o = mirage_kernel.launch grid(x = 4)
      (%xa = %x : tensor<32x128xf16>, %ba = %bias : tensor<1x128xf16>) -> tensor<32x128xf16> {
    // 2 KB of X, by rows; 256 bytes of bias for everyone.
    %xt = mirage_block.load %xa imap(x -> 0) : tensor<32x128xf16> to tensor<8x128xf16>
    %bt = mirage_block.load %ba imap(x -> phi) : tensor<1x128xf16> to tensor<1x128xf16>

    // 16 x 8 = 128 threads, four warps. The maps mean the same as one level up, with threads in
    // place of blocks and registers in place of shared memory. Thread (x, y) has row y and the
    // columns 8 x to 8 x + 7: 16 bytes, the most that one instruction reads.
    %ht = mirage_block.thread_graph threads(x = 16, y = 8)
        (%xs = %xt : tensor<8x128xf16>, %bs = %bt : tensor<1x128xf16>) -> tensor<8x128xf16> {
      %xr = mirage_thread.load %xs imap(x -> 1, y -> 0) : tensor<8x128xf16> to tensor<1x8xf16>
      // Threads of all rows use the same bias: y -> phi.
      %br = mirage_thread.load %bs imap(x -> 1, y -> phi) : tensor<1x128xf16> to tensor<1x8xf16>

      // Eight elements a value, in registers, in f32.
      %xf = mirage_thread.cast %xr : tensor<1x8xf16> to tensor<1x8xf32>
      %bf = mirage_thread.cast %br : tensor<1x8xf16> to tensor<1x8xf32>
      %a = mirage_thread.add %xf, %bf : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
      %g = mirage_thread.gelu tanh %a : (tensor<1x8xf32>) -> tensor<1x8xf32>
      %s = mirage_thread.scale %g by 0.5 : (tensor<1x8xf32>) -> tensor<1x8xf32>
      %h = mirage_thread.cast %s : tensor<1x8xf32> to tensor<1x8xf16>

      // omap puts the fragments together to the block's tensor, the inverse of %xr's imap.
      %r = mirage_thread.store %h omap(x -> 1, y -> 0) : tensor<1x8xf16> to tensor<8x128xf16>
      mirage_thread.yield %r : tensor<8x128xf16>
    }

    %st = mirage_block.store %ht omap(x -> 0) : tensor<8x128xf16> to tensor<32x128xf16>
    mirage_block.yield %st : tensor<32x128xf16>
  }
  return %o : tensor<32x128xf16>
}

}
