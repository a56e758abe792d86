// A linear layer with a low-rank adapter of rank 16 (GPT-3-7B-LoRA, batch 1):
//
//   O = X W + (X A) B
//
// The plain program is six kernels, most of them tiny. The µGraph is one. Both terms of
// the sum are products, so they are one product of concatenated matrices (Mirage paper, figure 9):
//
//   X W + (X A) B = (X ‖ X A) x (W ‖ B),
//
// with X A to the right of X and B below W. No concatenated matrix is ever formed: concat_matmul
// takes the four parts and lets both products add to one accumulator.

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @lora(%x: tensor<16x256xf16>, %w: tensor<256x4096xf16>, %a: tensor<256x16xf16>,
                %b: tensor<16x4096xf16>) -> tensor<16x4096xf16> {
  %xw = mirage_kernel.matmul %x, %w
      : (tensor<16x256xf16>, tensor<256x4096xf16>) -> tensor<16x4096xf32>
  %xa = mirage_kernel.matmul %x, %a
      : (tensor<16x256xf16>, tensor<256x16xf16>) -> tensor<16x16xf32>
  %xh = mirage_kernel.cast %xa : tensor<16x16xf32> to tensor<16x16xf16>
  %xb = mirage_kernel.matmul %xh, %b
      : (tensor<16x16xf16>, tensor<16x4096xf16>) -> tensor<16x4096xf32>
  %s = mirage_kernel.add %xw, %xb
      : (tensor<16x4096xf32>, tensor<16x4096xf32>) -> tensor<16x4096xf32>
  %o = mirage_kernel.cast %s : tensor<16x4096xf32> to tensor<16x4096xf16>
  return %o : tensor<16x4096xf16>
}

func.func @lora_mugraph(%x: tensor<16x256xf16>, %w: tensor<256x4096xf16>, %a: tensor<256x16xf16>,
                        %b: tensor<16x4096xf16>) -> tensor<16x4096xf16> {
  // 128 blocks with 32 columns of W, B and O each. Shared memory: 34,816 bytes.
  %o = mirage_kernel.launch grid(x = 128)
      (%xa = %x : tensor<16x256xf16>, %wa = %w : tensor<256x4096xf16>,
       %aa = %a : tensor<256x16xf16>, %ba = %b : tensor<16x4096xf16>) -> tensor<16x4096xf16> {

    // There is no loop: all that a block needs fits into its shared memory at once, 33 KB, and
    // all of it can be on its way at the same time. Loads outside of loops have no fmap.
    // X and A are replicated (phi), 8 KB each; W and B are divided by columns, 16 KB and 1 KB.
    %xt = mirage_block.load %xa imap(x -> phi) : tensor<16x256xf16> to tensor<16x256xf16>
    %at = mirage_block.load %aa imap(x -> phi) : tensor<256x16xf16> to tensor<256x16xf16>
    %wt = mirage_block.load %wa imap(x -> 1) : tensor<256x4096xf16> to tensor<256x32xf16>
    %bt = mirage_block.load %ba imap(x -> 1) : tensor<16x4096xf16> to tensor<16x32xf16>

    // X A depends on no column of the output, so every block computes the same 16x16 values:
    // half as many operations again as its part of X W has, but no second kernel and no traffic.
    // The cast is the plain program's: tensor cores multiply f16.
    %p = mirage_block.matmul %xt, %at
        : (tensor<16x256xf16>, tensor<256x16xf16>) -> tensor<16x16xf32>
    %h = mirage_block.cast %p : tensor<16x16xf32> to tensor<16x16xf16>

    // (X ‖ X A) x (W ‖ B): contracted sizes 256 and 16, together 17 steps of k = 16.
    %c = mirage_block.concat_matmul (%xt, %h), (%wt, %bt)
        : (tensor<16x256xf16>, tensor<16x16xf16>, tensor<256x32xf16>, tensor<16x32xf16>)
        -> tensor<16x32xf32>
    %d = mirage_block.cast %c : tensor<16x32xf32> to tensor<16x32xf16>

    // omap: block x's columns are part x of O's columns.
    %s = mirage_block.store %d omap(x -> 1) : tensor<16x32xf16> to tensor<16x4096xf16>
    mirage_block.yield %s : tensor<16x4096xf16>
  }
  return %o : tensor<16x4096xf16>
}

}
