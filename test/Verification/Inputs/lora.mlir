// examples/lora.mlir with small shapes: 2 blocks, rank 2.

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @lora(%x: tensor<3x4xf16>, %w: tensor<4x6xf16>, %a: tensor<4x2xf16>,
                %b: tensor<2x6xf16>) -> tensor<3x6xf16> {
  %xw = mirage_kernel.matmul %x, %w
      : (tensor<3x4xf16>, tensor<4x6xf16>) -> tensor<3x6xf32>
  %xa = mirage_kernel.matmul %x, %a
      : (tensor<3x4xf16>, tensor<4x2xf16>) -> tensor<3x2xf32>
  %xh = mirage_kernel.cast %xa : tensor<3x2xf32> to tensor<3x2xf16>
  %xb = mirage_kernel.matmul %xh, %b
      : (tensor<3x2xf16>, tensor<2x6xf16>) -> tensor<3x6xf32>
  %s = mirage_kernel.add %xw, %xb
      : (tensor<3x6xf32>, tensor<3x6xf32>) -> tensor<3x6xf32>
  %o = mirage_kernel.cast %s : tensor<3x6xf32> to tensor<3x6xf16>
  return %o : tensor<3x6xf16>
}

func.func @lora_mugraph(%x: tensor<3x4xf16>, %w: tensor<4x6xf16>, %a: tensor<4x2xf16>,
                        %b: tensor<2x6xf16>) -> tensor<3x6xf16> {
  %o = mirage_kernel.launch grid(x = 2)
      (%xa = %x : tensor<3x4xf16>, %wa = %w : tensor<4x6xf16>,
       %aa = %a : tensor<4x2xf16>, %ba = %b : tensor<2x6xf16>) -> tensor<3x6xf16> {
    %xt = mirage_block.load %xa imap(x -> phi) : tensor<3x4xf16> to tensor<3x4xf16>
    %at = mirage_block.load %aa imap(x -> phi) : tensor<4x2xf16> to tensor<4x2xf16>
    %wt = mirage_block.load %wa imap(x -> 1) : tensor<4x6xf16> to tensor<4x3xf16>
    %bt = mirage_block.load %ba imap(x -> 1) : tensor<2x6xf16> to tensor<2x3xf16>
    %p = mirage_block.matmul %xt, %at
        : (tensor<3x4xf16>, tensor<4x2xf16>) -> tensor<3x2xf32>
    %h = mirage_block.cast %p : tensor<3x2xf32> to tensor<3x2xf16>
    %c = mirage_block.concat_matmul (%xt, %h), (%wt, %bt)
        : (tensor<3x4xf16>, tensor<3x2xf16>, tensor<4x3xf16>, tensor<2x3xf16>)
        -> tensor<3x3xf32>
    %d = mirage_block.cast %c : tensor<3x3xf32> to tensor<3x3xf16>
    %s = mirage_block.store %d omap(x -> 1) : tensor<3x3xf16> to tensor<3x6xf16>
    mirage_block.yield %s : tensor<3x6xf16>
  }
  return %o : tensor<3x6xf16>
}

}
