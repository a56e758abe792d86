//===- TransformRules.td - Other graphs of one function --*- tablegen -*---===//
//
// Lists the rules of mirage-transform-graphs: transformations of graphs of
// primitives, as Korch takes them from TASO, as declarative rewrites. Both
// sides of a rule compute the same in exact arithmetic. A test makes programs
// of random shapes for every rule, has the verifier prove what the rule makes
// of them, and has it refute mutants of that
// (unittests/Transforms/TransformRulesTest.cpp).
//
// Neither side is the better one everywhere: the pass takes what a rule makes
// where that takes less by the cost model. The rules that end on _1, _2, …
// after the same name are one rule, for operands in some arrangement.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_TRANSFORMRULES
#define MIRAGE_TRANSFORMS_TRANSFORMRULES

include "Mirage/Dialect/Kernel/IR/KernelOps.td"
include "mlir/IR/PatternBase.td"

defvar Cast = Kernel_CastOp;
defvar Conv = Kernel_Conv2dOp;
defvar Div = Kernel_DivOp;
defvar LayerNorm = Kernel_LayerNormOp;
defvar Matmul = Kernel_MatmulOp;
defvar Mul = Kernel_MulOp;
defvar Reduce = Kernel_ReduceOp;
defvar Reshape = Kernel_ReshapeOp;
defvar RmsNorm = Kernel_RmsNormOp;
defvar Scale = Kernel_ScaleOp;
defvar Transpose = Kernel_TransposeOp;

//===----------------------------------------------------------------------===//
// What follows from types (TransformGraphs.cpp)
//===----------------------------------------------------------------------===//

def Given : Constraint<CPred<"$0">, "is given">;
def Absent : Constraint<CPred<"!$0">, "is absent">;
/// Computed once, when the program is loaded.
def IsLoaded : Constraint<CPred<"isLoaded($0)">, "depends on weights alone">;
/// $0 has one element for each column, or channel, of the result of the product
/// $1 and is the same in its rows, or pixels; for each element that $1
/// contracts; for each row of $1's left operand.
def AlongColumns
    : Constraint<CPred<"isAlong($0, $1.getType(), getColumnDim($1))">,
                 "is along the columns">;
def AlongContracted
    : Constraint<CPred<"isAlong($0, getOperandType($1), getContractedDim($1))">,
                 "is along what is contracted">;
def AlongRows : Constraint<CPred<"isAlongRows($0, $1)">, "is along the rows">;
def SameType : Constraint<CPred<"$0.getType() == $1.getType()">,
                          "have one type">;
def SameLastDim : Constraint<CPred<"haveSameLastDim($0, $1)">,
                             "have one last dimension">;
def IsSum : Constraint<
    CPred<"$0.getValue() == ::mirage::ReduceKind::Sum">, "is a sum">;
/// $0 is the last dimension of a $1 that has others.
def IsLastDim : Constraint<CPred<"isLastDim($0, $1)">, "is the last dimension">;
def SwapsMatrices : Constraint<CPred<"swapsMatrices($0)">,
                               "exchanges the last two dimensions">;
/// The product is no product of groups of channels apart.
def IsNchw : Constraint<
    CPred<"$0.getValue() == ::mirage::ConvLayout::nchw">, "is nchw">;
def OneGroup : Constraint<CPred<"$0.getInt() == 1">, "is 1">;

/// $0 as elements of $1's type.
def As : NativeCodeCall<"castLike($_builder, $_loc, $0, $1)">;
/// The product $0 with another left operand, right operand, and both.
def WithLhs : NativeCodeCall<
    "cloneWith($_builder, $_loc, $0, $1, ::mlir::Value())">;
def WithRhs : NativeCodeCall<
    "cloneWith($_builder, $_loc, $0, ::mlir::Value(), $1)">;
def WithBoth : NativeCodeCall<"cloneWith($_builder, $_loc, $0, $1, $2)">;
/// The right operand $1 of the product $0 with each column, or each row, times
/// one of the elements of $2.
def ScaleColumns : NativeCodeCall<
    "scaleWeight($_builder, $_loc, $0, $1, $2, /*columns=*/true)">;
def ScaleRows : NativeCodeCall<
    "scaleWeight($_builder, $_loc, $0, $1, $2, /*columns=*/false)">;
/// The norm $0 without its weight, and that with another shape, as $1's.
def Bare : NativeCodeCall<"createBareNorm($_builder, $_loc, $0)">;
def BareReshaped : NativeCodeCall<
    "reshapeTo($_builder, $_loc, createBareNorm($_builder, $_loc, $0), $1)">;
/// $0 with a dimension of one element for each that it lacks of $1's rows.
def SumByProduct : NativeCodeCall<
    "multiplyByOnes($_builder, $_loc, $0, $1)">;
/// The product of $2 and $1, both transposed, whose transpose is $0.
def TransposedProduct : NativeCodeCall<
    "createTransposedProduct($_builder, $_loc, $0)">;
/// The product $0 that reads $1, of which it read the transpose.
def ReadTransposed<int operand> : NativeCodeCall<
    "readTransposed($_builder, $_loc, $0, $1, " # operand # ")">;
def TransposeBoth : NativeCodeCall<
    "transposeByBoth($_builder, $_loc, $0, $1, $2)">;

//===----------------------------------------------------------------------===//
// Factors that move into weights
//===----------------------------------------------------------------------===//

