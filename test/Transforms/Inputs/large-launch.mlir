func.func @large(%x: tensor<500x100xf32>) -> tensor<500x100xf32> {
  %o = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<500x100xf32>) -> tensor<500x100xf32> {
    %t = mirage_block.load %a imap(x -> phi) : tensor<500x100xf32> to tensor<500x100xf32>
    %s = mirage_block.store %t omap(x -> 0) : tensor<500x100xf32> to tensor<500x100xf32>
    mirage_block.yield %s : tensor<500x100xf32>
  }
  return %o : tensor<500x100xf32>
}
