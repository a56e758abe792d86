//===- ComputeOps.td - Compute operators of all levels -----*- tablegen -*-===//
//
// Every compute operator is declared once, in the multiclass MirageComputeOps,
// and instantiated by the three dialects. What it computes is in the table of
// semantics (Mirage/Semantics); here are its spelling and its constraints.
//
// Constraints are numbered per operator. Those of every compute operator,
// op_c1 to op_c5, are in the description of the dialect mirage.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_IR_COMPUTEOPS
#define MIRAGE_DIALECT_MIRAGE_IR_COMPUTEOPS

include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "Mirage/Dialect/Mirage/IR/MirageDialect.td"
include "Mirage/Interfaces/MuGraphOpInterface.td"

def Mirage_Tensor
    : RankedTensorOf<[F16, BF16, F32, F64, F8E4M3FN, F8E5M2]> {
  let summary = "ranked tensor of f16, bf16, f32, f64, f8E4M3FN or f8E5M2";
}

// Declarations and definitions that all compute operators share.
class Mirage_ComputeOp<Dialect dialect, string mnemonic, string kind,
                       list<Trait> traits = []>
    : Op<dialect, mnemonic, traits # [
        Pure, MuGraphOpInterface,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
            ["reifyResultShapes"]>,
        DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  code commonDeclaration = [{
    static ::mirage::OpKind getOpKind() { return ::mirage::OpKind::}] # kind # [{; }
  }];
  code commonDefinition = [{
    ::llvm::LogicalResult $cppClass::reifyResultShapes(
        ::mlir::OpBuilder &builder,
        ::mlir::ReifiedRankedShapedTypeDims &shapes) {
      return ::mirage::reifyComputeShapes(getOperation(), builder, shapes);
    }
    void $cppClass::getAsmResultNames(
        ::mlir::OpAsmSetValueNameFn setName) {
      if (getOperation()->getNumResults())
        setName(getOperation()->getResult(0), "}] # mnemonic # [{");
    }
  }];
  code foldDeclaration = "";
  code foldOne = [{
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor adaptor) {
      ::llvm::SmallVector<::mlir::OpFoldResult, 1> results;
      if (::llvm::failed(::mirage::foldComputeOp(
              getOperation(), adaptor.getOperands(), results)))
        return {};
      return results.front();
    }
  }];
  let extraClassDeclaration = commonDeclaration;
  let extraClassDefinition = commonDefinition # foldOne;
  let hasFolder = 1;
  let results = (outs Mirage_Tensor:$result);
}

// Compute operators whose result types follow from operands and attributes.
class Mirage_InferredOp<Dialect dialect, string mnemonic, string kind,
                        list<Trait> traits = []>
    : Mirage_ComputeOp<dialect, mnemonic, kind, traits # [
        InferTypeOpInterface]> {
  code inferDeclaration = [{
    static ::llvm::LogicalResult
    inferReturnTypes(::mlir::MLIRContext *context,
                     ::std::optional<::mlir::Location> location,
                     ::mlir::ValueRange operands,
                     ::mlir::DictionaryAttr attributes,
                     ::mlir::OpaqueProperties properties,
                     ::mlir::RegionRange regions,
                     ::llvm::SmallVectorImpl<::mlir::Type> &types);
    /// Shapes and element types are verified with constraint op_c5.
    static bool isCompatibleReturnTypes(::mlir::TypeRange,
                                        ::mlir::TypeRange) {
      return true;
    }
  }];
  code inferDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context,
        ::std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      if (properties)
        attributes = ::llvm::dyn_cast_or_null<::mlir::DictionaryAttr>(
            getPropertiesAsAttr(
                context,
                *properties.as<InferredProperties<$cppClass> *>()));
      return ::mirage::inferComputeTypes(getOperationName(), getOpKind(),
                                         context, location, operands,
                                         attributes, types);
    }
  }];
  let extraClassDeclaration = commonDeclaration # inferDeclaration;
  let extraClassDefinition = commonDefinition # inferDefinition # foldOne;
}

class Mirage_BinaryOp<Dialect dialect, string mnemonic, string kind,
                      string meaning, list<Trait> traits = []>
    : Mirage_InferredOp<dialect, mnemonic, kind, traits> {
  let summary = meaning # ", elementwise";
  let description = [{
    Computes }] # meaning # [{ of each pair of elements. A dimension of size one
    stands for any size of the other operand's.

    Constraints:
    * (}] # mnemonic # [{_c1) the operands have one rank, and each dimension's
      sizes are equal or one of them is one.
  }];
  let arguments = (ins Mirage_Tensor:$lhs, Mirage_Tensor:$rhs);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` functional-type(operands, results)
  }];
}

class Mirage_UnaryOp<Dialect dialect, string mnemonic, string kind,
                     string meaning>
    : Mirage_InferredOp<dialect, mnemonic, kind> {
  let summary = meaning # ", elementwise";
  let description = "Computes " # meaning # " of each element x.";
  let arguments = (ins Mirage_Tensor:$input);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
}

multiclass MirageComputeOps<Dialect dialect> {

// Elementwise operators.

def _AddOp : Mirage_BinaryOp<dialect, "add", "Add", "the sum", [Commutative]>;
def _SubOp : Mirage_BinaryOp<dialect, "sub", "Sub", "the difference">;
def _MulOp : Mirage_BinaryOp<dialect, "mul", "Mul", "the product", [Commutative]>;
def _DivOp : Mirage_BinaryOp<dialect, "div", "Div", "the quotient">;
def _MaxOp : Mirage_BinaryOp<dialect, "max", "Max",
    "the maximum (NaN where either is NaN)", [Commutative]>;
def _MinOp : Mirage_BinaryOp<dialect, "min", "Min",
    "the minimum (NaN where either is NaN)", [Commutative]>;

def _CompareOp : Mirage_InferredOp<dialect, "compare", "Compare"> {
  let summary = "comparison, elementwise";
  let description = [{
    One where the comparison of a pair of elements holds, else zero. With NaN
    only `ne` holds. A dimension of size one stands for any size of the other
    operand's.

    ```mlir
    %0 = mirage_kernel.compare lt %x, %y
        : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
    ```

    Constraints:
    * (compare_c1) the operands have one rank, and each dimension's sizes are
      equal or one of them is one.
  }];
  let arguments = (ins Mirage_Tensor:$lhs, Mirage_Tensor:$rhs,
                       Mirage_CompareKindAttr:$kind);
  let assemblyFormat = [{
    `` $kind $lhs `,` $rhs attr-dict `:` functional-type(operands, results)
  }];
}

def _SelectOp : Mirage_InferredOp<dialect, "select", "Select"> {
  let summary = "choice between two elements";
  let description = [{
    The element of `then` where that of `condition` is not zero, else that of
    `otherwise`. A dimension of size one stands for any size of the other
    operands'.

    Constraints:
    * (select_c1) the operands have one rank, and each dimension's sizes are
      equal or one.
  }];
  let arguments = (ins Mirage_Tensor:$condition, Mirage_Tensor:$then,
                       Mirage_Tensor:$otherwise);
  let assemblyFormat = [{
    $condition `,` $then `,` $otherwise attr-dict `:`
    functional-type(operands, results)
  }];
}

def _AbsOp : Mirage_UnaryOp<dialect, "abs", "Abs", "the absolute value">;
def _ExpOp : Mirage_UnaryOp<dialect, "exp", "Exp", "e to the power x">;
def _Exp2Op : Mirage_UnaryOp<dialect, "exp2", "Exp2", "2 to the power x">;
def _LogOp : Mirage_UnaryOp<dialect, "log", "Log", "the natural logarithm">;
def _SqrtOp : Mirage_UnaryOp<dialect, "sqrt", "Sqrt", "the square root">;
def _RsqrtOp : Mirage_UnaryOp<dialect, "rsqrt", "Rsqrt",
    "the reciprocal square root">;
def _SquareOp : Mirage_UnaryOp<dialect, "square", "Square", "the square">;
def _SiluOp : Mirage_UnaryOp<dialect, "silu", "Silu", "x / (1 + exp(-x))">;
def _SigmoidOp : Mirage_UnaryOp<dialect, "sigmoid", "Sigmoid",
    "1 / (1 + exp(-x))">;
def _MishOp : Mirage_UnaryOp<dialect, "mish", "Mish",
    "x tanh(log(1 + exp(x)))">;
def _ErfOp : Mirage_UnaryOp<dialect, "erf", "Erf", "the error function">;
def _ReluOp : Mirage_UnaryOp<dialect, "relu", "Relu", "max(x, 0)">;
def _TanhOp : Mirage_UnaryOp<dialect, "tanh", "Tanh",
    "the hyperbolic tangent">;

def _GeluOp : Mirage_InferredOp<dialect, "gelu", "Gelu"> {
  let summary = "elementwise Gaussian error linear unit";
  let description = [{
    `erf`: x (1 + erf(x / sqrt 2)) / 2.
    `tanh`: x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2.
  }];
  let arguments = (ins Mirage_Tensor:$input, Mirage_GeluFormAttr:$form);
  let assemblyFormat = [{
    `` $form $input attr-dict `:` functional-type(operands, results)
  }];
}

def _ClampOp : Mirage_InferredOp<dialect, "clamp", "Clamp"> {
  let summary = "elementwise restriction to an interval";
  let description = [{
    Computes min(max(x, lower), upper) of each element.

    Constraints:
    * (clamp_c1) lower is at most upper, and neither is NaN.
  }];
  let arguments = (ins Mirage_Tensor:$input, F64Attr:$lower, F64Attr:$upper);
  let assemblyFormat = [{
    $input `lower` `(` $lower `)` `upper` `(` $upper `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

def _ScaleOp : Mirage_InferredOp<dialect, "scale", "Scale"> {
  let summary = "elementwise product with a constant";
  let description = "Multiplies each element by `factor`.";
  let arguments = (ins Mirage_Tensor:$input, F64Attr:$factor);
  let assemblyFormat = [{
    $input `by` $factor attr-dict `:` functional-type(operands, results)
  }];
}

def _PowOp : Mirage_InferredOp<dialect, "pow", "Pow"> {
  let summary = "elementwise power with a constant exponent";
  let description = [{
    Raises each element to `exponent`. Exponents that are no integers are
    defined for elements that are not negative, and give NaN elsewhere.
  }];
  let arguments = (ins Mirage_Tensor:$input, F64Attr:$exponent);
  let assemblyFormat = [{
    $input `to` $exponent attr-dict `:` functional-type(operands, results)
  }];
}

def _CastOp : Mirage_ComputeOp<dialect, "cast", "Cast"> {
  let summary = "conversion of the element type";
  let description = [{
    Rounds each element to the result's element type, to nearest, ties to even.

    Constraints:
    * (cast_c1) operand and result have the same shape.
  }];
  let arguments = (ins Mirage_Tensor:$input);
  let assemblyFormat = [{
    $input attr-dict `:` type($input) `to` type($result)
  }];
}

def _ConstantOp : Mirage_ComputeOp<dialect, "constant", "Constant", [
    ConstantLike, AllTypesMatch<["value", "result"]>]> {
  let summary = "a constant tensor";
  let description = [{
    `dense<…>` holds one value for all elements or one for each.

    Constraints:
    * (constant_c1) the value is a dense attribute of floats.
  }];
  let arguments = (ins ElementsAttr:$value);
  let extraClassDefinition = commonDefinition # [{
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor) { return getValue(); }
  }];
  let assemblyFormat = "$value attr-dict";
}

// Layout operators.

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

// Reductions and contractions.

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

// Composite operators. Inside of them values are computed in f32 (f64 for f64)
// and rounded once, at the result. Their epsilon is rounded to that type too.

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
      or one.
  }];
  let arguments = (ins Mirage_Tensor:$query, Mirage_Tensor:$key,
                       Mirage_Tensor:$value, Optional<Mirage_Tensor>:$mask,
                       F64Attr:$scale);
  let assemblyFormat = [{
    $query `,` $key `,` $value (`mask` $mask^)? `scale` `(` $scale `)`
    attr-dict `:` functional-type(operands, results)
  }];
}

} // multiclass MirageComputeOps

#endif // MIRAGE_DIALECT_MIRAGE_IR_COMPUTEOPS
