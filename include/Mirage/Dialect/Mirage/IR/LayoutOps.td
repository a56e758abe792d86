//===- LayoutOps.td - Operators that move elements ---------*- tablegen -*-===//
//
// Defines repeat, broadcast, reshape, transpose, slice, split, concat and pad.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_IR_LAYOUTOPS
#define MIRAGE_DIALECT_MIRAGE_IR_LAYOUTOPS

include "Mirage/Dialect/Mirage/IR/ComputeOpBase.td"

multiclass MirageLayoutOps<Dialect dialect> {

def _RepeatOp : Mirage_InferredOp<dialect, "repeat", "Repeat"> {
  let summary = "a tensor repeated along its dimensions";
  let description = [{
    Dimension i of the result is the operand's, `times[i]` times after itself.

    Constraints:
    * (repeat_c1) `times` has one entry per dimension;
    * (repeat_c2) entries are positive;
    * (repeat_c3) result sizes fit into 64 bits.
  }];
  let arguments = (ins Mirage_Tensor:$input, DenseI64ArrayAttr:$times);
  let assemblyFormat = [{
    $input `times` $times attr-dict `:` functional-type(operands, results)
  }];
}

def _BroadcastOp : Mirage_ComputeOp<dialect, "broadcast", "Broadcast"> {
  let summary = "dimensions of size one stretched";
  let description = [{
    Constraints:
    * (broadcast_c1) operand and result have the same rank;
    * (broadcast_c2) operand sizes are one or equal to the result's.
  }];
  let arguments = (ins Mirage_Tensor:$input);
  let assemblyFormat = [{
    $input attr-dict `:` type($input) `to` type($result)
  }];
}

def _ReshapeOp : Mirage_ComputeOp<dialect, "reshape", "Reshape"> {
  let summary = "the same elements in row-major order under another shape";
  let description = [{
    Constraints:
    * (reshape_c1) operand and result have the same number of elements.
  }];
  let arguments = (ins Mirage_Tensor:$input);
  let assemblyFormat = [{
    $input attr-dict `:` type($input) `to` type($result)
  }];
}

def _TransposeOp : Mirage_InferredOp<dialect, "transpose", "Transpose"> {
  let summary = "dimensions in another order";
  let description = [{
    Dimension i of the result is dimension `permutation[i]` of the operand.

    Constraints:
    * (transpose_c1) `permutation` names each dimension once.
  }];
  let arguments = (ins Mirage_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let assemblyFormat = [{
    $input $permutation attr-dict `:` functional-type(operands, results)
  }];
}

def _SliceOp : Mirage_InferredOp<dialect, "slice", "Slice"> {
  let summary = "a strided part of a tensor";
  let description = [{
    Element i of a dimension is the operand's element offset + i * stride.

    ```mlir
    %0 = mirage_kernel.slice %x[0, 8] [4, 8] [1, 2]
        : (tensor<4x32xf16>) -> tensor<4x8xf16>
    ```

    Constraints:
    * (slice_c1) offsets, sizes and strides have one entry per dimension;
    * (slice_c2) offsets are not negative, sizes and strides are positive;
    * (slice_c3) the last element taken exists.
  }];
  let arguments = (ins Mirage_Tensor:$input, DenseI64ArrayAttr:$offsets,
                       DenseI64ArrayAttr:$sizes, DenseI64ArrayAttr:$strides);
  let assemblyFormat = [{
    $input `` $offsets $sizes $strides attr-dict `:`
    functional-type(operands, results)
  }];
}

def _SplitOp : Mirage_InferredOp<dialect, "split", "Split"> {
  let summary = "a dimension cut into equal parts";
  let description = [{
    Result number i holds part i.

    Constraints:
    * (split_c1) `dim` is a dimension of the operand;
    * (split_c2) `parts`, the number of results, divides its size.
  }];
  let arguments = (ins Mirage_Tensor:$input, I64Attr:$dim, I64Attr:$parts);
  let results = (outs Variadic<Mirage_Tensor>:$results);
  let extraClassDefinition = commonDefinition # inferDefinition # [{
    ::llvm::LogicalResult $cppClass::fold(
        FoldAdaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &results) {
      return ::mirage::foldComputeOp(getOperation(), adaptor.getOperands(),
                                     results);
    }
  }];
  let assemblyFormat = [{
    $input `dim` `(` $dim `)` `parts` `(` $parts `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

def _ConcatOp : Mirage_InferredOp<dialect, "concat", "Concat"> {
  let summary = "tensors one after another along a dimension";
  let description = [{
    Constraints:
    * (concat_c1) there is an operand, and `dim` is a dimension of it;
    * (concat_c2) the operands' other dimensions are equal;
    * (concat_c3) the result's size fits into 64 bits.
  }];
  let arguments = (ins Variadic<Mirage_Tensor>:$inputs, I64Attr:$dim);
  let assemblyFormat = [{
    `dim` `(` $dim `)` $inputs attr-dict `:`
    functional-type(operands, results)
  }];
}

def _PadOp : Mirage_InferredOp<dialect, "pad", "Pad"> {
  let summary = "a tensor surrounded by a constant";
  let description = [{
    Adds `low` elements before and `high` elements after each dimension.

    Constraints:
    * (pad_c1) `low` and `high` have one entry per dimension;
    * (pad_c2) entries are not negative;
    * (pad_c3) result sizes fit into 64 bits.
  }];
  let arguments = (ins Mirage_Tensor:$input, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high, F64Attr:$value);
  let assemblyFormat = [{
    $input `low` $low `high` $high `value` `(` $value `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

} // multiclass MirageLayoutOps

#endif // MIRAGE_DIALECT_MIRAGE_IR_LAYOUTOPS
