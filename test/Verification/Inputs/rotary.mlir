// A rotation of rows by angles. The launch takes both halves of two rows in each
// block, and its results are put together.

module attributes {mirage.target = #mirage.target<sm_90a>} {

func.func @rotary(%x: tensor<4x8xf16>, %cos: tensor<4x4xf16>, %sin: tensor<4x4xf16>)
    -> tensor<4x8xf16> {
  %l = mirage_kernel.slice %x[0, 0] [4, 4] [1, 1] : (tensor<4x8xf16>) -> tensor<4x4xf16>
  %r = mirage_kernel.slice %x[0, 4] [4, 4] [1, 1] : (tensor<4x8xf16>) -> tensor<4x4xf16>
  %lc = mirage_kernel.mul %l, %cos : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  %rs = mirage_kernel.mul %r, %sin : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  %rc = mirage_kernel.mul %r, %cos : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  %ls = mirage_kernel.mul %l, %sin : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  %a = mirage_kernel.sub %lc, %rs : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  %b = mirage_kernel.add %rc, %ls : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  %c = mirage_kernel.concat dim(1) %a, %b : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x8xf16>
  return %c : tensor<4x8xf16>
}

func.func @rotary_mugraph(%x: tensor<4x8xf16>, %cos: tensor<4x4xf16>, %sin: tensor<4x4xf16>)
    -> tensor<4x8xf16> {
  %l = mirage_kernel.slice %x[0, 0] [4, 4] [1, 1] : (tensor<4x8xf16>) -> tensor<4x4xf16>
  %r = mirage_kernel.slice %x[0, 4] [4, 4] [1, 1] : (tensor<4x8xf16>) -> tensor<4x4xf16>
  %o:2 = mirage_kernel.launch grid(x = 2)
      (%la = %l : tensor<4x4xf16>, %ra = %r : tensor<4x4xf16>,
       %ca = %cos : tensor<4x4xf16>, %sa = %sin : tensor<4x4xf16>)
      -> (tensor<4x4xf16>, tensor<4x4xf16>) {
    %lt = mirage_block.load %la imap(x -> 0) : tensor<4x4xf16> to tensor<2x4xf16>
    %rt = mirage_block.load %ra imap(x -> 0) : tensor<4x4xf16> to tensor<2x4xf16>
    %ct = mirage_block.load %ca imap(x -> 0) : tensor<4x4xf16> to tensor<2x4xf16>
    %st = mirage_block.load %sa imap(x -> 0) : tensor<4x4xf16> to tensor<2x4xf16>
    %lc = mirage_block.mul %lt, %ct : (tensor<2x4xf16>, tensor<2x4xf16>) -> tensor<2x4xf16>
    %rs = mirage_block.mul %rt, %st : (tensor<2x4xf16>, tensor<2x4xf16>) -> tensor<2x4xf16>
    %rc = mirage_block.mul %rt, %ct : (tensor<2x4xf16>, tensor<2x4xf16>) -> tensor<2x4xf16>
    %ls = mirage_block.mul %lt, %st : (tensor<2x4xf16>, tensor<2x4xf16>) -> tensor<2x4xf16>
    %a = mirage_block.sub %lc, %rs : (tensor<2x4xf16>, tensor<2x4xf16>) -> tensor<2x4xf16>
    %b = mirage_block.add %rc, %ls : (tensor<2x4xf16>, tensor<2x4xf16>) -> tensor<2x4xf16>
    %sa0 = mirage_block.store %a omap(x -> 0) : tensor<2x4xf16> to tensor<4x4xf16>
    %sb0 = mirage_block.store %b omap(x -> 0) : tensor<2x4xf16> to tensor<4x4xf16>
    mirage_block.yield %sa0, %sb0 : tensor<4x4xf16>, tensor<4x4xf16>
  }
  %c = mirage_kernel.concat dim(1) %o#0, %o#1 : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x8xf16>
  return %c : tensor<4x8xf16>
}

}
