//===- ContractionOps.td - Reductions and contractions -----*- tablegen -*-===//
//
// Defines reductions, products of matrices and convolutions.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_IR_CONTRACTIONOPS
#define MIRAGE_DIALECT_MIRAGE_IR_CONTRACTIONOPS

include "Mirage/Dialect/Mirage/IR/ComputeOpBase.td"

multiclass MirageContractionOps<Dialect dialect> {

def _ReduceOp : Mirage_InferredOp<dialect, "reduce", "Reduce"> {
  let summary = "elements of one dimension combined";
  let description = [{
    Combines the elements of dimension `dim` by their sum, maximum or mean. The
    dimension disappears, or stays with size one where `keep` is given. With
    `group(k)` every k neighbours become one element: Sum(d, k) of the Mirage
    paper, Table 1.

    ```mlir
    %0 = mirage_block.reduce sum %x dim(1) group(16)
        : (tensor<4x64xf32>) -> tensor<4x4xf32>
    ```

    Sums and means of f16 and bf16 are accumulated in f32; the result may have a
    wider element type than the operand.

    Constraints:
    * (reduce_c1) `dim` is a dimension of the operand;
    * (reduce_c2) the group divides its size;
    * (reduce_c3) `keep` and `group` exclude each other.
  }];
  let arguments = (ins Mirage_Tensor:$input, Mirage_ReduceKindAttr:$kind,
                       I64Attr:$dim, OptionalAttr<I64Attr>:$group,
                       UnitAttr:$keep);
  let assemblyFormat = [{
    `` $kind $input `dim` `(` $dim `)` (`group` `(` $group^ `)`)?
    (`keep` $keep^)? attr-dict `:` functional-type(operands, results)
  }];
}

def _MatmulOp : Mirage_InferredOp<dialect, "matmul", "Matmul"> {
  let summary = "product of matrices";
  let description = [{
    Multiplies the matrices in the innermost two dimensions; the others are
    batch dimensions, where a size of one stands for any size. Either operand's
    matrices can be read transposed. Products of f8, f16 and bf16 are
    accumulated in f32; the result may have a wider element type than the
    operands. `compute tf32` rounds f32 operands to tf32 first.

    ```mlir
    %s = mirage_block.matmul %q, %k transpose_rhs
        : (tensor<64x64xf16>, tensor<128x64xf16>) -> tensor<64x128xf32>
    ```

    Constraints:
    * (matmul_c1) the operands have one rank of at least two;
    * (matmul_c2) the contracted dimensions have one size;
    * (matmul_c3) batch dimensions are equal or one of them is one;
    * (matmul_c4) `compute tf32` goes with operands of f32.
  }];
  let arguments = (ins Mirage_Tensor:$lhs, Mirage_Tensor:$rhs,
                       UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs,
                       OptionalAttr<TypeAttrOf<TF32>>:$compute);
  let assemblyFormat = [{
    $lhs `,` $rhs (`transpose_lhs` $transpose_lhs^)?
    (`transpose_rhs` $transpose_rhs^)? (`compute` $compute^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

def _ConcatMatmulOp
    : Mirage_InferredOp<dialect, "concat_matmul", "ConcatMatmul"> {
  let summary = "product of concatenated matrices, (W‖X) x (Y‖Z)";
  let description = [{
    Computes W x Y + X x Z in one accumulation: the product of the matrix whose
    columns are those of W and then of X with the matrix whose rows are those of
    Y and then of Z (Mirage paper, Table 1). The result may have a wider element
    type than the operands. LoRA, X W + (X A) B, is (X‖(X A)) x (W‖B):

    ```mlir
    %o = mirage_block.concat_matmul (%x, %xa), (%w, %b)
        : (tensor<16x256xf16>, tensor<16x16xf16>, tensor<256x32xf16>,
           tensor<16x32xf16>) -> tensor<16x32xf32>
    ```

    Constraints:
    * (concat_matmul_c1) the operands have one rank of at least two;
    * (concat_matmul_c2) W and Y, and X and Z, agree on the contracted size;
    * (concat_matmul_c3) batch dimensions are equal or one of them is one;
    * (concat_matmul_c4) both products have the same shape.
  }];
  let arguments = (ins Mirage_Tensor:$w, Mirage_Tensor:$x, Mirage_Tensor:$y,
                       Mirage_Tensor:$z);
  let assemblyFormat = [{
    `(` $w `,` $x `)` `,` `(` $y `,` $z `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

def _Conv2dOp : Mirage_InferredOp<dialect, "conv2d", "Conv2d"> {
  let summary = "two-dimensional convolution";
  let description = [{
    `nchw`: input [n, c, h, w], filter [out, c / groups, kh, kw], result
    [n, out, h', w']. `nhwc`: input [n, h, w, c], filter [kh, kw, c / groups,
    out], result [n, h', w', out]. Padding is (top, bottom, left, right) and
    holds zeros. h' = (h + top + bottom - dilation (kh - 1) - 1) / stride + 1.
    The result may have a wider element type than the operands.

    Constraints:
    * (conv2d_c1) input and filter have rank four;
    * (conv2d_c2) two positive strides, two positive dilations, four paddings
      that are not negative;
    * (conv2d_c3) `groups` divides input and output channels;
    * (conv2d_c4) the filter reads as many channels as a group has;
    * (conv2d_c5) the dilated filter fits into the padded input.
  }];
  let arguments = (ins Mirage_Tensor:$input, Mirage_Tensor:$filter,
                       Mirage_ConvLayoutAttr:$layout,
                       DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$padding,
                       DenseI64ArrayAttr:$dilations, I64Attr:$groups);
  let assemblyFormat = [{
    `` $layout $input `,` $filter `strides` $strides `padding` $padding
    `dilations` $dilations `groups` `(` $groups `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

} // multiclass MirageContractionOps

#endif // MIRAGE_DIALECT_MIRAGE_IR_CONTRACTIONOPS
