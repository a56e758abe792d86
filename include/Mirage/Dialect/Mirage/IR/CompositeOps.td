//===- CompositeOps.td - Norms, softmax and attention ------*- tablegen -*-===//
//
// Defines composite operators. Inside of them values are computed in f32 (f64 for f64)
// and rounded once, at the result. Their epsilon is rounded to that type too.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_IR_COMPOSITEOPS
#define MIRAGE_DIALECT_MIRAGE_IR_COMPOSITEOPS

include "Mirage/Dialect/Mirage/IR/ComputeOpBase.td"

multiclass MirageCompositeOps<Dialect dialect> {

def _RmsNormOp : Mirage_InferredOp<dialect, "rms_norm", "RmsNorm"> {
  let summary = "root-mean-square normalization of the last dimension";
  let description = [{
    x / sqrt(mean(x^2) + epsilon) along the last dimension, times `weight` where
    given.

    Constraints:
    * (rms_norm_c1) the operand has a last dimension;
    * (rms_norm_c2) the weight has its size and rank one;
    * (rms_norm_c3) epsilon is not negative.
  }];
  let arguments = (ins Mirage_Tensor:$input, Optional<Mirage_Tensor>:$weight,
                       F64Attr:$epsilon);
  let assemblyFormat = [{
    $input (`weight` $weight^)? `epsilon` `(` $epsilon `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

def _LayerNormOp : Mirage_InferredOp<dialect, "layer_norm", "LayerNorm", [
    AttrSizedOperandSegments]> {
  let summary = "normalization of the last dimension";
  let description = [{
    (x - mean(x)) / sqrt(mean((x - mean(x))^2) + epsilon) along the last
    dimension, times `weight` and plus `bias` where given.

    Constraints:
    * (layer_norm_c1) the operand has a last dimension;
    * (layer_norm_c2) weight and bias have its size and rank one;
    * (layer_norm_c3) epsilon is not negative.
  }];
  let arguments = (ins Mirage_Tensor:$input, Optional<Mirage_Tensor>:$weight,
                       Optional<Mirage_Tensor>:$bias, F64Attr:$epsilon);
  let assemblyFormat = [{
    $input (`weight` $weight^)? (`bias` $bias^)? `epsilon` `(` $epsilon `)`
    attr-dict `:` functional-type(operands, results)
  }];
}

def _GroupNormOp : Mirage_InferredOp<dialect, "group_norm", "GroupNorm", [
    AttrSizedOperandSegments]> {
  let summary = "normalization of groups of channels";
  let description = [{
    Dimension 1 of the operand holds channels, and every `groups`-th part of
    them is normalized together with all later dimensions: (x - mean) /
    sqrt(variance + epsilon), the variance without correction; then times
    `weight` and plus `bias` of the channel, where given.

    ```mlir
    %0 = mirage_kernel.group_norm %x weight %w groups(2) epsilon(1.0e-5)
        : (tensor<1x6x4x4xf32>, tensor<6xf32>) -> tensor<1x6x4x4xf32>
    ```

    Constraints:
    * (group_norm_c1) the operand has rank three or more;
    * (group_norm_c2) weight and bias have one element per channel;
    * (group_norm_c3) epsilon is not negative;
    * (group_norm_c4) `groups` divides the number of channels.
  }];
  let arguments = (ins Mirage_Tensor:$input, Optional<Mirage_Tensor>:$weight,
                       Optional<Mirage_Tensor>:$bias, I64Attr:$groups,
                       F64Attr:$epsilon);
  let assemblyFormat = [{
    $input (`weight` $weight^)? (`bias` $bias^)? `groups` `(` $groups `)`
    `epsilon` `(` $epsilon `)` attr-dict `:` functional-type(operands, results)
  }];
}

def _InstanceNormOp
    : Mirage_InferredOp<dialect, "instance_norm", "InstanceNorm", [
    AttrSizedOperandSegments]> {
  let summary = "normalization of each channel";
  let description = [{
    Dimension 1 of the operand holds channels, and each is normalized over all
    later dimensions, as group_norm does with one channel in a group.

    Constraints:
    * (instance_norm_c1) the operand has rank three or more;
    * (instance_norm_c2) weight and bias have one element per channel;
    * (instance_norm_c3) epsilon is not negative.
  }];
  let arguments = (ins Mirage_Tensor:$input, Optional<Mirage_Tensor>:$weight,
                       Optional<Mirage_Tensor>:$bias, F64Attr:$epsilon);
  let assemblyFormat = [{
    $input (`weight` $weight^)? (`bias` $bias^)? `epsilon` `(` $epsilon `)`
    attr-dict `:` functional-type(operands, results)
  }];
}

def _BatchNormOp : Mirage_InferredOp<dialect, "batch_norm", "BatchNorm", [
    AttrSizedOperandSegments]> {
  let summary = "normalization by given statistics of each channel";
  let description = [{
    (x - mean) / sqrt(variance + epsilon), times `weight` and plus `bias` where
    given: batch normalization as inference has it. Dimension 1 of the operand
    holds channels, the others have one element for each.

    Constraints:
    * (batch_norm_c1) the operand has rank two or more;
    * (batch_norm_c2) the others have one element per channel;
    * (batch_norm_c3) epsilon is not negative.
  }];
  let arguments = (ins Mirage_Tensor:$input, Mirage_Tensor:$mean,
                       Mirage_Tensor:$variance, Optional<Mirage_Tensor>:$weight,
                       Optional<Mirage_Tensor>:$bias, F64Attr:$epsilon);
  let assemblyFormat = [{
    $input `,` $mean `,` $variance (`weight` $weight^)? (`bias` $bias^)?
    `epsilon` `(` $epsilon `)` attr-dict `:` functional-type(operands, results)
  }];
}

def _VarianceOp : Mirage_InferredOp<dialect, "variance", "Variance"> {
  let summary = "variance along a dimension";
  let description = [{
    sum((x - mean(x))^2) / (n - correction) along dimension `dim` of n elements,
    which disappears, or stays with size one where `keep` is given.

    Constraints:
    * (variance_c1) `dim` is a dimension of the operand;
    * (variance_c2) the correction is not negative and less than n.
  }];
  let arguments = (ins Mirage_Tensor:$input, I64Attr:$dim,
                       F64Attr:$correction, UnitAttr:$keep);
  let assemblyFormat = [{
    $input `dim` `(` $dim `)` `correction` `(` $correction `)` (`keep` $keep^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

def _SoftmaxOp : Mirage_InferredOp<dialect, "softmax", "Softmax"> {
  let summary = "softmax along a dimension";
  let description = [{
    exp(x - max(x)) / sum(exp(x - max(x))) along dimension `dim`: the form that
    does not overflow.

    Constraints:
    * (softmax_c1) `dim` is a dimension of the operand.
  }];
  let arguments = (ins Mirage_Tensor:$input, I64Attr:$dim);
  let assemblyFormat = [{
    $input `dim` `(` $dim `)` attr-dict `:` functional-type(operands, results)
  }];
}

def _LogSoftmaxOp : Mirage_InferredOp<dialect, "log_softmax", "LogSoftmax"> {
  let summary = "logarithm of softmax along a dimension";
  let description = [{
    x - max(x) - log(sum(exp(x - max(x)))) along dimension `dim`.

    Constraints:
    * (log_softmax_c1) `dim` is a dimension of the operand.
  }];
  let arguments = (ins Mirage_Tensor:$input, I64Attr:$dim);
  let assemblyFormat = [{
    $input `dim` `(` $dim `)` attr-dict `:` functional-type(operands, results)
  }];
}

def _AttentionOp : Mirage_InferredOp<dialect, "attention", "Attention"> {
  let summary = "scaled dot-product attention";
  let description = [{
    softmax(scale Q K^T + mask) V over the innermost two dimensions, softmax
    along the keys. The others are batch dimensions, where a size of one stands
    for any size: so key-value heads serve groups of query heads.

    ```mlir
    %o = mirage_kernel.attention %q, %k, %v scale(0.125)
        : (tensor<2x4x32x64xf16>, tensor<2x1x128x64xf16>,
           tensor<2x1x128x64xf16>) -> tensor<2x4x32x64xf16>
    ```

    Constraints:
    * (attention_c1) queries, keys and values have one rank of at least two;
    * (attention_c2) queries and keys have one innermost size;
    * (attention_c3) there are as many values as keys;
    * (attention_c4) batch dimensions are equal or one;
    * (attention_c5) the mask has the rank of the scores, its sizes are theirs
      or one;
    * (attention_c6) the mask has the element type of the queries, or f32 where
      that has 16 bits. Scores are f32 in both cases.
  }];
  let arguments = (ins Mirage_Tensor:$query, Mirage_Tensor:$key,
                       Mirage_Tensor:$value, Optional<Mirage_Tensor>:$mask,
                       F64Attr:$scale);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`mask` $mask^)? `scale` `(` $scale `)`
    attr-dict `:` functional-type(operands, results)
  }];
}

} // multiclass MirageCompositeOps

#endif // MIRAGE_DIALECT_MIRAGE_IR_COMPOSITEOPS
