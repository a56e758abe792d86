// examples/thread_graph.mlir with small shapes: 2 blocks of 4 x 2 threads.

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @thread_graph(%x: tensor<4x8xf16>, %bias: tensor<1x8xf16>) -> tensor<4x8xf16> {
  %xf = mirage_kernel.cast %x : tensor<4x8xf16> to tensor<4x8xf32>
  %bf = mirage_kernel.cast %bias : tensor<1x8xf16> to tensor<1x8xf32>
  %a = mirage_kernel.add %xf, %bf
      : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %g = mirage_kernel.gelu tanh %a : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %s = mirage_kernel.scale %g by 0.5 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %o = mirage_kernel.cast %s : tensor<4x8xf32> to tensor<4x8xf16>
  return %o : tensor<4x8xf16>
}

func.func @thread_graph_mugraph(%x: tensor<4x8xf16>, %bias: tensor<1x8xf16>)
    -> tensor<4x8xf16> {
  %o = mirage_kernel.launch grid(x = 2)
      (%xa = %x : tensor<4x8xf16>, %ba = %bias : tensor<1x8xf16>) -> tensor<4x8xf16> {
    %xt = mirage_block.load %xa imap(x -> 0) : tensor<4x8xf16> to tensor<2x8xf16>
    %bt = mirage_block.load %ba imap(x -> phi) : tensor<1x8xf16> to tensor<1x8xf16>

    %ht = mirage_block.thread_graph threads(x = 4, y = 2)
        (%xs = %xt : tensor<2x8xf16>, %bs = %bt : tensor<1x8xf16>) -> tensor<2x8xf16> {
      %xr = mirage_thread.load %xs imap(x -> 1, y -> 0) : tensor<2x8xf16> to tensor<1x2xf16>
      %br = mirage_thread.load %bs imap(x -> 1, y -> phi) : tensor<1x8xf16> to tensor<1x2xf16>

      %xf = mirage_thread.cast %xr : tensor<1x2xf16> to tensor<1x2xf32>
      %bf = mirage_thread.cast %br : tensor<1x2xf16> to tensor<1x2xf32>
      %a = mirage_thread.add %xf, %bf : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
      %g = mirage_thread.gelu tanh %a : (tensor<1x2xf32>) -> tensor<1x2xf32>
      %s = mirage_thread.scale %g by 0.5 : (tensor<1x2xf32>) -> tensor<1x2xf32>
      %h = mirage_thread.cast %s : tensor<1x2xf32> to tensor<1x2xf16>

      %r = mirage_thread.store %h omap(x -> 1, y -> 0) : tensor<1x2xf16> to tensor<2x8xf16>
      mirage_thread.yield %r : tensor<2x8xf16>
    }

    %st = mirage_block.store %ht omap(x -> 0) : tensor<2x8xf16> to tensor<4x8xf16>
    mirage_block.yield %st : tensor<4x8xf16>
  }
  return %o : tensor<4x8xf16>
}

}
