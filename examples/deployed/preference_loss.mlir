// DPO: chosen and refused answers, each beside the reference model's.

module {
  func.func @preference_loss(%arg0: tensor<16x256xf32>, %arg1: tensor<16x256xf32>, %arg2: tensor<16x256xf32>, %arg3: tensor<16x256xf32>) -> tensor<16x1xf32> {
    %sub = mirage_kernel.sub %arg0, %arg2 : (tensor<16x256xf32>, tensor<16x256xf32>) -> tensor<16x256xf32>
    %reduce = mirage_kernel.reduce sum %sub dim(1) keep : (tensor<16x256xf32>) -> tensor<16x1xf32>
    %sub_0 = mirage_kernel.sub %arg1, %arg3 : (tensor<16x256xf32>, tensor<16x256xf32>) -> tensor<16x256xf32>
    %reduce_1 = mirage_kernel.reduce sum %sub_0 dim(1) keep : (tensor<16x256xf32>) -> tensor<16x1xf32>
    %sub_2 = mirage_kernel.sub %reduce, %reduce_1 : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
    %scale = mirage_kernel.scale %sub_2 by 0.10000000149011612 : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %constant = mirage_kernel.constant dense<0.000000e+00> : tensor<1x1xf32>
    %min = mirage_kernel.min %scale, %constant : (tensor<16x1xf32>, tensor<1x1xf32>) -> tensor<16x1xf32>
    %abs = mirage_kernel.abs %scale : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %scale_3 = mirage_kernel.scale %abs by -1.000000e+00 : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %exp = mirage_kernel.exp %scale_3 : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %constant_4 = mirage_kernel.constant dense<1.000000e+00> : tensor<1x1xf32>
    %add = mirage_kernel.add %exp, %constant_4 : (tensor<16x1xf32>, tensor<1x1xf32>) -> tensor<16x1xf32>
    %log = mirage_kernel.log %add : (tensor<16x1xf32>) -> tensor<16x1xf32>
    %sub_5 = mirage_kernel.sub %min, %log : (tensor<16x1xf32>, tensor<16x1xf32>) -> tensor<16x1xf32>
    %scale_6 = mirage_kernel.scale %sub_5 by -1.000000e+00 : (tensor<16x1xf32>) -> tensor<16x1xf32>
    return %scale_6 : tensor<16x1xf32>
  }
}

