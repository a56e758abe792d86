//===- TransformRules.td - Other graphs of one function --*- tablegen -*---===//
//
// Lists the rules of mirage-transform-graphs: transformations of graphs of
// primitives, as Korch takes them from TASO, as declarative rewrites. Both
// sides of a rule compute the same in exact arithmetic. A test makes programs
// of random shapes for every rule, has the verifier prove what the rule makes
// of them, and has it refute mutants of that
// (unittests/Transforms/TransformRulesTest.cpp).
//
// A pattern here has one root, and several products that become one have
// several. The root of that rule is the first of them; its condition finds the
// others, and what it computes takes their places as well. Rules of PDL could
// name two products, but not as many as share an operand, and one that merges
// two at a time makes slices of slices.
//
// The rules for weights come first: what they make is never slower. Of the
// others neither side is the better one everywhere: the search chooses. Patterns
// of the same name up to an underscore are one rule, for operands in some
// arrangement, or for several operators.
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
defvar Slice = Kernel_SliceOp;
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
/// Weights of f16 and fewer bits would be rounded once more, by which results
/// may lose digits: the verifier's comparison in floating point refuses some.
def KeepsDigits : Constraint<CPred<"keepsDigits($0)">,
                             "has elements of 32 bits or more">;
/// The product $0 is read by nothing but $1, with nothing but casts between.
def LeadsOnlyTo : Constraint<CPred<"leadsOnlyTo($0, $1)">,
                             "is read by nothing else">;
/// What computes $1 is the only reader of $0 when the function is called.
/// Readers that depend on weights alone do not count, as they are executed when
/// the weights are loaded.
def OnlyOf : Constraint<CPred<"isReadOnlyBy($0, $1)">,
                        "is read by nothing else">;
/// Whatever reads $0, the left operand of the product $1 perhaps in another
/// shape, is a product that can take a factor of what it contracts into a
/// weight of its own.
def FactorsCanMove : Constraint<CPred<"canMoveFactors($0, $1)">,
                                "is read by products of own weights alone">;
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

/// The product $0 is the first of several that have one left operand, and right
/// ones that depend on weights alone.
def IsFirstOfSeveral : Constraint<CPred<"isFirstOfSeveral($0)">,
                                  "is the first of several products">;
/// All operands of what computes $0 are transposed by $1, or may be read before
/// that.
def CanMoveTranspose : Constraint<CPred<"canMoveTranspose($0, $1)">,
                                  "reads nothing else in this order">;
/// The slice $0 of a product $1 has some of its columns, and all of its rows.
def TakesColumns : Constraint<CPred<"takesColumns($0, $1)">,
                              "has columns of the product">;

/// All have elements of one type, and the same batches.
def AreAlike : Constraint<CPred<"areAlike({$0, $1, $2, $3})">,
                          "have one type and one batch">;

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
/// The product $0 of which the left operand, or the right one, is the product
/// $1, with the other two of the three operands multiplied first.
def AssociateRight
    : NativeCodeCall<"associateRight($_builder, $_loc, $0, $1)">;
def AssociateLeft : NativeCodeCall<"associateLeft($_builder, $_loc, $0, $1)">;
/// The slice that the product $0 is of one product with all that share its left
/// operand. The others become slices of it, too.
def Merged : NativeCodeCall<"mergeProducts($_builder, $_loc, $0)">;
/// The product $1 of the columns that its slice $0 has.
def MultiplySlice
    : NativeCodeCall<"multiplySlice($_builder, $_loc, $0, $1)">;
/// The norm $0 without its weight, in the shape of the left operand of the
/// product $1.
def Bare : NativeCodeCall<"createBareNorm($_builder, $_loc, $0, $1)">;
/// The product of $0 and a column of ones.
def TimesOnes : NativeCodeCall<"multiplyByOnes($_builder, $_loc, $0)">;
/// The transpose of the product $0 as a product of its transposed operands.
def TransposedProduct
    : NativeCodeCall<"createTransposedProduct($_builder, $_loc, $0)">;
/// The product $0 that reads $1, of which it read the transpose, on that side.
def ReadLhsTransposed : NativeCodeCall<
    "readTransposed($_builder, $_loc, $0, $1, /*side=*/0)">;
def ReadRhsTransposed : NativeCodeCall<
    "readTransposed($_builder, $_loc, $0, $1, /*side=*/1)">;
/// What the elementwise operator of $0 computes before a transpose by $1, which
/// stands behind it then; and what the reduction of $0 does with $1 before a
/// transpose by $2.
def TransposedBehind
    : NativeCodeCall<"moveTranspose($_builder, $_loc, $0, $1)">;
def ReducedBefore
    : NativeCodeCall<"moveTransposeOfReduced($_builder, $_loc, $0, $1, $2)">;
/// $0 with its dimensions in the order of $1, and these in that of $2.
def TransposeByBoth : NativeCodeCall<
    "transposeByBoth($_builder, $_loc, $0, $1, $2)">;

//===----------------------------------------------------------------------===//
// Factors that move into weights
//===----------------------------------------------------------------------===//

// What these make never takes longer, so that there is nothing to choose. The
// factor and the weights that it becomes a part of are read nowhere else, and
// all that depends on the factor is products with these weights. So kernels that
// compute the graph as it was compute what the rule makes if they get 1 for the
// factor and the scaled weights, of the same shapes and types, for the weights.
// What multiplies by 1 can be left out. Each program of kernels for the one
// graph is a program for the other with the same launches, loads and products,
// but for the loads of the factor and the multiplications by it.

// (x w) c = x (w c), for factors c of columns, or of channels of a convolution's
// result. With a batch norm behind a convolution its factors are part of the
// filters. Casts may stand between.
class ScaledColumns<dag matched>
    : Pat<(Mul:$result (either matched, $factor)),
          (As (WithRhs $p, (ScaleColumns $p, $w, $factor)), $result),
          [(IsLoaded $w), (IsLoaded $factor), (AlongColumns $factor, $p),
           (KeepsDigits $w), (OnlyOf $w, $p), (OnlyOf $factor, $result),
           (LeadsOnlyTo $p, $result)]>;
defvar AnyMatmul = (Matmul:$p $x, $w, $ta, $tb, $c);
defvar AnyConv =
    (Conv:$p $x, $w, $layout, $strides, $padding, $dilations, $groups);
def ScaledColumns_1 : ScaledColumns<AnyMatmul>;
def ScaledColumns_2 : ScaledColumns<(Cast AnyMatmul)>;
def ScaledColumns_3 : ScaledColumns<(Cast (Cast AnyMatmul))>;
def ScaledColumns_4 : ScaledColumns<AnyConv>;
def ScaledColumns_5 : ScaledColumns<(Cast AnyConv)>;
def ScaledColumns_6 : ScaledColumns<(Cast (Cast AnyConv))>;

// (x c) w = x (c w), for factors of what is contracted, or of a convolution's
// input channels: padding is zero with or without them.
class ScaledInput<dag matched>
    : Pat<matched, (WithBoth $p, $x, (ScaleRows $p, $w, $factor)),
          [(IsLoaded $w), (IsLoaded $factor), (AlongContracted $factor, $p),
           (SameType $x, $scaled), (KeepsDigits $w),
           (OnlyOf $factor, $scaled), (FactorsCanMove $scaled, $p)]>;
// (`either` takes the first operand for x, whatever conditions say.)
class ScaledInputs<dag scaled>
    : ScaledInput<(Matmul:$p scaled, $w, $ta, $tb, $c)>;
class ScaledImages<dag scaled>
    : ScaledInput<(Conv:$p scaled, $w, $layout, $strides, $padding, $dilations,
                        $groups)>;
def ScaledInput_1 : ScaledInputs<(Mul:$scaled $x, $factor)>;
def ScaledInput_2 : ScaledInputs<(Mul:$scaled $factor, $x)>;
def ScaledInput_3 : ScaledImages<(Mul:$scaled $x, $factor)>;
def ScaledInput_4 : ScaledImages<(Mul:$scaled $factor, $x)>;

// A norm's weight is such a factor, and so it is behind a reshape of the rows.
class NormWeight<dag norm, list<dag> conditions>
    : Pat<(Matmul:$p norm, $w, $ta, $tb, $c),
          (WithBoth $p, (Bare $norm, $p), (ScaleRows $p, $w, $weight)),
          !listconcat([(Given $weight), (IsLoaded $weight), (IsLoaded $w),
                       (KeepsDigits $w), (Absent $ta),
                       (OnlyOf $weight, $norm), (FactorsCanMove $norm, $p)],
                      conditions)>;
def NormWeight_1 : NormWeight<(RmsNorm:$norm $x, $weight, $epsilon), []>;
def NormWeight_2 : NormWeight<(LayerNorm:$norm $x, $weight, $bias, $epsilon),
                              [(Absent $bias)]>;
def NormWeight_3
    : NormWeight<(Reshape:$rows (RmsNorm:$norm $x, $weight, $epsilon)),
                 [(SameLastDim $rows, $norm)]>;
def NormWeight_4
    : NormWeight<(Reshape:$rows (LayerNorm:$norm $x, $weight, $bias, $epsilon)),
                 [(Absent $bias), (SameLastDim $rows, $norm)]>;

//===----------------------------------------------------------------------===//
// Factors and divisions that move past products
//===----------------------------------------------------------------------===//

// (x / d) y = (x y) / d and (c x) y = c (x y), for divisors and factors of rows.
def DividedRows
    : Pat<(Matmul:$p (Div:$rows $x, $divisor), $y, $ta, $tb, $c),
          (Div (WithLhs $p, $x), (As $divisor, $p)),
          [(Absent $ta), (AlongRows $divisor, $p), (SameType $x, $rows)]>;
class MultipliedRows<dag rows>
    : Pat<(Matmul:$p rows, $y, $ta, $tb, $c),
          (Mul (WithLhs $p, $x), (As $factor, $p)),
          [(Absent $ta), (AlongRows $factor, $p), (SameType $x, $rows)]>;
def MultipliedRows_1 : MultipliedRows<(Mul:$rows $x, $factor)>;
def MultipliedRows_2 : MultipliedRows<(Mul:$rows $factor, $x)>;
def ScaledOperand_1
    : Pat<(Matmul:$p (Scale $x, $factor), $y, $ta, $tb, $c),
          (Scale (WithLhs $p, $x), $factor)>;
def ScaledOperand_2
    : Pat<(Matmul:$p $x, (Scale $y, $factor), $ta, $tb, $c),
          (Scale (WithRhs $p, $y), $factor)>;

//===----------------------------------------------------------------------===//
// Products of products
//===----------------------------------------------------------------------===//

// (x u) v = x (u v), either of which may be much less work: attention without a
// softmax is (q k^T) v of as many numbers as pairs of tokens, or q (k^T v).
def AssociatedRight
    : Pat<(Matmul:$q (Matmul:$p $x, $u, $ta, $tb, $c), $v, $tq, $tv, $cq),
          (AssociateRight $q, $p), [(Absent $tq), (AreAlike $x, $u, $v, $p)]>;
def AssociatedLeft
    : Pat<(Matmul:$q $x, (Matmul:$p $u, $v, $ta, $tb, $c), $tx, $tq, $cq),
          (AssociateLeft $q, $p), [(Absent $tq), (AreAlike $x, $u, $v, $p)]>;

//===----------------------------------------------------------------------===//
// Products that share an input
//===----------------------------------------------------------------------===//

// x u and x v are parts of x (u ‖ v), which is one kernel that has more blocks
// and reads x once. The concatenation of weights is computed when they are
// loaded.
def MergedProducts
    : Pat<(Matmul:$p $x, $w, $ta, $tb, $c), (Merged $p),
          [(IsFirstOfSeveral $p)]>;

// So that is undone.
def SlicedProduct
    : Pat<(Slice:$slice (Matmul:$p $x, $w, $ta, $tb, $c), $offsets, $sizes,
                        $strides),
          (MultiplySlice $slice, $p), [(TakesColumns $slice, $p)]>;

//===----------------------------------------------------------------------===//
// Sums as products
//===----------------------------------------------------------------------===//

def SumAsProduct
    : Pat<(Reduce:$sum $x, $kind, $dim, $group, $keep),
          (As (TimesOnes $x), $sum),
          [(IsSum $kind), (IsLastDim $dim, $x), (Absent $group),
           (Given $keep)]>;

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

// Two of them are one.
def TransposeTwice
    : Pat<(Transpose (Transpose $x, $first), $second),
          (TransposeByBoth $x, $first, $second)>;

// Products read either operand in either order.
def TransposedOperand_1
    : Pat<(Matmul:$p (Transpose $x, $order), $y, $ta, $tb, $c),
          (ReadLhsTransposed $p, $x), [(SwapsMatrices $order)]>;
def TransposedOperand_2
    : Pat<(Matmul:$p $x, (Transpose $y, $order), $ta, $tb, $c),
          (ReadRhsTransposed $p, $y), [(SwapsMatrices $order)]>;

// Transposes move behind what works element by element, and behind reductions,
// to where they meet others of these rules. (The patterns are named after the
// operators.)
class MovedTranspose<dag matched>
    : Pat<matched, (TransposedBehind $result, $order),
          [(CanMoveTranspose $result, $order)]>;
foreach op = [Kernel_AbsOp, Kernel_CastOp, Kernel_ErfOp, Kernel_ExpOp,
              Kernel_Exp2Op, Kernel_LogOp, Kernel_MishOp, Kernel_ReluOp,
              Kernel_RsqrtOp, Kernel_SigmoidOp, Kernel_SiluOp, Kernel_SqrtOp,
              Kernel_SquareOp, Kernel_TanhOp] in
  def "MovedTranspose_" # op.opName
      : MovedTranspose<(op:$result (Transpose $x, $order))>;
foreach op = [Kernel_GeluOp, Kernel_PowOp, Kernel_ScaleOp] in
  def "MovedTranspose_" # op.opName
      : MovedTranspose<(op:$result (Transpose $x, $order), $number)>;
def MovedTranspose_clamp
    : MovedTranspose<(Kernel_ClampOp:$result (Transpose $x, $order), $lower,
                                             $upper)>;
foreach op = [Kernel_AddOp, Kernel_DivOp, Kernel_MaxOp, Kernel_MinOp,
              Kernel_MulOp, Kernel_SubOp] in {
  def "MovedTranspose_" # op.opName # "_lhs"
      : MovedTranspose<(op:$result (Transpose $x, $order), $y)>;
  def "MovedTranspose_" # op.opName # "_rhs"
      : MovedTranspose<(op:$result $y, (Transpose $x, $order))>;
}
def MovedTranspose_reduce
    : Pat<(Reduce:$sum (Transpose $x, $order), $kind, $dim, $group, $keep),
          (ReducedBefore $sum, $x, $order)>;

// (x y)^T = y^T x^T
def TransposedResult
    : Pat<(Transpose (Matmul:$p $x, $y, $ta, $tb, $c), $order),
          (TransposedProduct $p), [(SwapsMatrices $order)]>;

#endif // MIRAGE_TRANSFORMS_TRANSFORMRULES
