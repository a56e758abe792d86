//===- ElementwiseOps.td - Elementwise operators -----------*- tablegen -*-===//
//
// Defines arithmetic, functions, comparisons, casts and constants.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_IR_ELEMENTWISEOPS
#define MIRAGE_DIALECT_MIRAGE_IR_ELEMENTWISEOPS

include "Mirage/Dialect/Mirage/IR/ComputeOpBase.td"

multiclass MirageElementwiseOps<Dialect dialect> {

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

} // multiclass MirageElementwiseOps

#endif // MIRAGE_DIALECT_MIRAGE_IR_ELEMENTWISEOPS
