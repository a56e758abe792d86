module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.sin %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
}
