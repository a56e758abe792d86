// Attention of which a comparison of positions masks scores, with a fill that
// is finite (@masked) and one that is not (@infinite).
module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @masked(%q: tensor<32x512x64xf16>, %k: tensor<32x64x512xf16>, %v: tensor<32x512x64xf16>,
                  %rows: tensor<1x512x1xf32>, %columns: tensor<1x1x512xf32>) -> tensor<32x512x64xf16> {
  %s = mirage_kernel.matmul %q, %k : (tensor<32x512x64xf16>, tensor<32x64x512xf16>) -> tensor<32x512x512xf32>
  %c = mirage_kernel.compare ge %rows, %columns : (tensor<1x512x1xf32>, tensor<1x1x512xf32>) -> tensor<1x512x512xf32>
  %fill = mirage_kernel.constant dense<-3.0e+38> : tensor<1x1x1xf32>
  %m = mirage_kernel.select %c, %s, %fill
      : (tensor<1x512x512xf32>, tensor<32x512x512xf32>, tensor<1x1x1xf32>) -> tensor<32x512x512xf32>
  %p = mirage_kernel.softmax %m dim(2) : (tensor<32x512x512xf32>) -> tensor<32x512x512xf32>
  %h = mirage_kernel.cast %p : tensor<32x512x512xf32> to tensor<32x512x512xf16>
  %o = mirage_kernel.matmul %h, %v : (tensor<32x512x512xf16>, tensor<32x512x64xf16>) -> tensor<32x512x64xf16>
  return %o : tensor<32x512x64xf16>
}
func.func @infinite(%q: tensor<32x512x64xf16>, %k: tensor<32x64x512xf16>, %v: tensor<32x512x64xf16>,
                    %rows: tensor<1x512x1xf32>, %columns: tensor<1x1x512xf32>) -> tensor<32x512x64xf16> {
  %s = mirage_kernel.matmul %q, %k : (tensor<32x512x64xf16>, tensor<32x64x512xf16>) -> tensor<32x512x512xf32>
  %c = mirage_kernel.compare ge %rows, %columns : (tensor<1x512x1xf32>, tensor<1x1x512xf32>) -> tensor<1x512x512xf32>
  %fill = mirage_kernel.constant dense<0xFF800000> : tensor<1x1x1xf32>
  %m = mirage_kernel.select %c, %s, %fill
      : (tensor<1x512x512xf32>, tensor<32x512x512xf32>, tensor<1x1x1xf32>) -> tensor<32x512x512xf32>
  %p = mirage_kernel.softmax %m dim(2) : (tensor<32x512x512xf32>) -> tensor<32x512x512xf32>
  %h = mirage_kernel.cast %p : tensor<32x512x512xf32> to tensor<32x512x512xf16>
  %o = mirage_kernel.matmul %h, %v : (tensor<32x512x512xf16>, tensor<32x512x64xf16>) -> tensor<32x512x64xf16>
  return %o : tensor<32x512x64xf16>
}
}
