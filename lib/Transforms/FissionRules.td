//===- FissionRules.td - Operators as graphs of primitives -*- tablegen -*-===//
//
// Lists the rules of mirage-fission (Korch, section 3), as declarative rewrites.
// They work in one element type: the pass has cast operands to the type that the
// operator computes in. What operators mean is said in Semantics/Element.h and
// Semantics/Composite.h; a test holds every rule to them, bit by bit.
//
// A rule's result is a list of steps, the last of which replaces the operator.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_FISSIONRULES
#define MIRAGE_TRANSFORMS_FISSIONRULES

include "Mirage/Dialect/Kernel/IR/KernelOps.td"
include "mlir/IR/PatternBase.td"

defvar Add = Kernel_AddOp;
defvar Attention = Kernel_AttentionOp;
defvar BatchNorm = Kernel_BatchNormOp;
defvar Cast = Kernel_CastOp;
defvar Constant = Kernel_ConstantOp;
defvar Div = Kernel_DivOp;
defvar Erf = Kernel_ErfOp;
defvar Exp = Kernel_ExpOp;
defvar Gelu = Kernel_GeluOp;
defvar GroupNorm = Kernel_GroupNormOp;
defvar InstanceNorm = Kernel_InstanceNormOp;
defvar LayerNorm = Kernel_LayerNormOp;
defvar Log = Kernel_LogOp;
defvar LogSoftmax = Kernel_LogSoftmaxOp;
defvar Matmul = Kernel_MatmulOp;
defvar Min = Kernel_MinOp;
defvar Mish = Kernel_MishOp;
defvar Mul = Kernel_MulOp;
defvar Reduce = Kernel_ReduceOp;
defvar Reshape = Kernel_ReshapeOp;
defvar RmsNorm = Kernel_RmsNormOp;
defvar Rsqrt = Kernel_RsqrtOp;
defvar Scale = Kernel_ScaleOp;
defvar Sigmoid = Kernel_SigmoidOp;
defvar Silu = Kernel_SiluOp;
defvar Softmax = Kernel_SoftmaxOp;
defvar Square = Kernel_SquareOp;
defvar Sub = Kernel_SubOp;
defvar Tanh = Kernel_TanhOp;
defvar Variance = Kernel_VarianceOp;

//===----------------------------------------------------------------------===//
// Attributes, optional operands, and what follows from shapes (Fission.cpp)
//===----------------------------------------------------------------------===//

class ReduceKind<string case>
    : ConstantAttr<Mirage_ReduceKindAttr, "::mirage::ReduceKind::" # case>;
def MaxOf : ReduceKind<"Max">;
def MeanOf : ReduceKind<"Mean">;
def SumOf : ReduceKind<"Sum">;

class GeluForm<string case>
    : ConstantAttr<Mirage_GeluFormAttr, "::mirage::GeluForm::" # case>;
def ErfForm : GeluForm<"Erf">;
def TanhForm : GeluForm<"Tanh">;

class Number<string value> : ConstantAttr<F64Attr, value>;

/// A unit attribute (reduce's keep, matmul's transpose_rhs), set and not.
def Set : ConstantAttr<UnitAttr, "true">;
def Unset : NativeCodeCall<"::mlir::UnitAttr()">;
/// reduce: the whole dimension; matmul: no rounding to tf32.
def NoGroup : NativeCodeCall<"::mlir::IntegerAttr()">;
def NoCompute : NativeCodeCall<"::mlir::TypeAttr()">;

/// Optional operands: there, not there, and none.
def Given : Constraint<CPred<"$0">, "is given">;
def Absent : Constraint<CPred<"!$0">, "is absent">;
/// A norm without its bias, or without weight and bias. (The rewriters that
/// TableGen makes would create it with a null operand.)
def WithoutBias : NativeCodeCall<
    "createWithoutBias($_builder, $_loc, $0, $1)">;
def Bare : NativeCodeCall<
    "createWithoutBias($_builder, $_loc, $0, ::mlir::Value())">;
class NormOf<string kind> : NativeCodeCall<
    "createNorm($_builder, $_loc, ::mirage::OpKind::" # kind # ", $0, $1)">;
def RmsNormOf : NormOf<"RmsNorm">;
def LayerNormOf : NormOf<"LayerNorm">;

/// A number to combine with $0 elementwise.
class Splat<string value>
    : NativeCodeCall<"getSplat($0, " # value # ")">;
/// The number that attribute $1 holds, likewise.
def SplatOf : NativeCodeCall<"getSplat($0, $1.getValueAsDouble())">;
/// The number of elements of $1 that a reduction combined to one of $0's,
/// likewise; and that number less attribute $2.
def Count : NativeCodeCall<"getSplat($0, getCount($1, $0))">;
def CountLess : NativeCodeCall<
    "getSplat($0, getCount($1, $0) - $2.getValueAsDouble())">;

/// The last dimension of $0.
def Last : NativeCodeCall<"$_builder.getI64IntegerAttr(getLastDim($0))">;
/// The type in which the vector $0 lies along a dimension of $1.
def AlongLast : NativeCodeCall<"getTypeAlong($0, $1, getLastDim($1))">;
def AlongChannels : NativeCodeCall<"getTypeAlong($0, $1, 1)">;
/// The type of $0 with $1 groups of channels, or as many groups as channels,
/// where the elements of each group are one dimension.
def Grouped : NativeCodeCall<"getGroupedType($0, $1.getInt())">;
def ByChannel : NativeCodeCall<"getGroupedType($0, getType($0).getDimSize(1))">;

//===----------------------------------------------------------------------===//
// Elementwise functions
//===----------------------------------------------------------------------===//

// 1 / (1 + exp(-x)). Where the exponential is infinite the quotient is zero.
def : Pat<(Sigmoid $x),
  (Div (Constant (Splat<"1.0"> $x)),
       (Add (Constant (Splat<"1.0"> $x)), (Exp (Scale $x, Number<"-1.0">))))>;

def : Pat<(Silu $x), (Mul $x, (Sigmoid $x))>;

// x / 2 (1 + erf(x / sqrt 2))
def : Pat<(Gelu $x, ErfForm),
  (Mul (Scale $x, Number<"0.5">),
       (Add (Constant (Splat<"1.0"> $x)),
            (Erf (Scale $x, Number<"M_SQRT1_2">))))>;

// x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
def : Pattern<(Gelu $x, TanhForm), [
  (Add:$inner $x, (Scale (Mul (Square $x), $x), Number<"0.044715">)),
  (Mul (Scale $x, Number<"0.5">),
       (Add (Constant (Splat<"1.0"> $x)),
            (Tanh (Scale $inner, Number<"M_2_SQRTPI * M_SQRT1_2">))))]>;

// x (e^2 + 2 e) / (e^2 + 2 e + 2) where e = exp(x), and from x = 20 on x.
def : Pattern<(Mish $x), [
  (Constant:$two (Splat<"2.0"> $x)),
  (Exp:$e (Min $x, (Constant (Splat<"20.0"> $x)))),
  (Mul:$n $e, (Add $e, $two)),
  (Mul $x, (Div $n, (Add $n, $two)))]>;

//===----------------------------------------------------------------------===//
// Reductions and softmax
//===----------------------------------------------------------------------===//

def : Pattern<(Reduce $x, MeanOf, $dim, $group, $keep), [
  (Reduce:$sum $x, SumOf, $dim, $group, $keep),
  (Div $sum, (Constant (Count $sum, $x)))]>;

def : Pattern<(Variance $x, $dim, $correction, $keep), [
  (Sub:$centered $x, (Reduce $x, MeanOf, $dim, (NoGroup), Set)),
  (Reduce:$sum (Square $centered), SumOf, $dim, (NoGroup), $keep),
  (Div $sum, (Constant (CountLess $sum, $x, $correction)))]>;

// The maximum keeps exp from overflowing and cancels.
def : Pattern<(Softmax $x, $dim), [
  (Exp:$e (Sub $x, (Reduce $x, MaxOf, $dim, (NoGroup), Set))),
  (Div $e, (Reduce $e, SumOf, $dim, (NoGroup), Set))]>;

def : Pattern<(LogSoftmax $x, $dim), [
  (Sub:$shifted $x, (Reduce $x, MaxOf, $dim, (NoGroup), Set)),
  (Sub $shifted, (Log (Reduce (Exp $shifted), SumOf, $dim, (NoGroup), Set)))]>;

def : Pat<(Attention $q, $k, $v, $mask, $scale),
  (Matmul
    (Softmax (Scale (Matmul $q, $k, (Unset), Set, (NoCompute)), $scale), (Last $q)),
    $v, (Unset), (Unset), (NoCompute)),
  [(Absent $mask)]>;

def : Pat<(Attention $q, $k, $v, $mask, $scale),
  (Matmul
    (Softmax (Add (Scale (Matmul $q, $k, (Unset), Set, (NoCompute)), $scale), $mask),
             (Last $q)),
    $v, (Unset), (Unset), (NoCompute)),
  [(Given $mask)]>;

//===----------------------------------------------------------------------===//
// Norms: bias and weight first, then what is left
//===----------------------------------------------------------------------===//

def : Pat<(RmsNorm:$norm $x, $weight, $epsilon),
  (Mul (Bare $norm),
       (Reshape $weight, (returnType (AlongLast $weight, $norm)))),
  [(Given $weight)]>;

// x / sqrt(mean(x^2) + epsilon)
def : Pattern<(RmsNorm $x, $weight, $epsilon), [
  (Reduce:$power (Square $x), MeanOf, (Last $x), (NoGroup), Set),
  (Mul $x, (Rsqrt (Add $power, (Constant (SplatOf $power, $epsilon)))))],
  [(Absent $weight)]>;

def : Pat<(LayerNorm:$norm $x, $weight, $bias, $epsilon),
  (Add (WithoutBias $norm, $weight),
       (Reshape $bias, (returnType (AlongLast $bias, $norm)))),
  [(Given $bias)]>;

def : Pat<(LayerNorm:$norm $x, $weight, $bias, $epsilon),
  (Mul (Bare $norm),
       (Reshape $weight, (returnType (AlongLast $weight, $norm)))),
  [(Given $weight), (Absent $bias)]>;

// The rms_norm of x - mean(x).
def : Pat<(LayerNorm $x, $weight, $bias, $epsilon),
  (RmsNormOf (Sub $x, (Reduce $x, MeanOf, (Last $x), (NoGroup), Set)),
             $epsilon),
  [(Absent $weight), (Absent $bias)]>;

def : Pat<(GroupNorm:$norm $x, $weight, $bias, $groups, $epsilon),
  (Add (WithoutBias $norm, $weight),
       (Reshape $bias, (returnType (AlongChannels $bias, $norm)))),
  [(Given $bias)]>;

def : Pat<(GroupNorm:$norm $x, $weight, $bias, $groups, $epsilon),
  (Mul (Bare $norm),
       (Reshape $weight, (returnType (AlongChannels $weight, $norm)))),
  [(Given $weight), (Absent $bias)]>;

// The layer_norm of x with each group in one dimension.
def : Pat<(GroupNorm $x, $weight, $bias, $groups, $epsilon),
  (Reshape (LayerNormOf (Reshape $x, (returnType (Grouped $x, $groups))),
                        $epsilon)),
  [(Absent $weight), (Absent $bias)]>;

def : Pat<(InstanceNorm:$norm $x, $weight, $bias, $epsilon),
  (Add (WithoutBias $norm, $weight),
       (Reshape $bias, (returnType (AlongChannels $bias, $norm)))),
  [(Given $bias)]>;

def : Pat<(InstanceNorm:$norm $x, $weight, $bias, $epsilon),
  (Mul (Bare $norm),
       (Reshape $weight, (returnType (AlongChannels $weight, $norm)))),
  [(Given $weight), (Absent $bias)]>;

def : Pat<(InstanceNorm $x, $weight, $bias, $epsilon),
  (Reshape (LayerNormOf (Reshape $x, (returnType (ByChannel $x))), $epsilon)),
  [(Absent $weight), (Absent $bias)]>;

def : Pat<(BatchNorm:$norm $x, $mean, $variance, $weight, $bias, $epsilon),
  (Add (WithoutBias $norm, $weight),
       (Reshape $bias, (returnType (AlongChannels $bias, $norm)))),
  [(Given $bias)]>;

def : Pat<(BatchNorm:$norm $x, $mean, $variance, $weight, $bias, $epsilon),
  (Mul (Bare $norm),
       (Reshape $weight, (returnType (AlongChannels $weight, $norm)))),
  [(Given $weight), (Absent $bias)]>;

// (x - mean) / sqrt(variance + epsilon)
def : Pat<(BatchNorm $x, $mean, $variance, $weight, $bias, $epsilon),
  (Mul (Sub $x, (Reshape $mean, (returnType (AlongChannels $mean, $x)))),
       (Rsqrt (Add (Reshape:$power $variance,
                            (returnType (AlongChannels $variance, $x))),
                   (Constant (SplatOf $power, $epsilon))))),
  [(Absent $weight), (Absent $bias)]>;

//===----------------------------------------------------------------------===//
// Casts that are not needed
//===----------------------------------------------------------------------===//

// Products and reductions of f16 and bf16 are accumulated in f32 anyway.
def IsHalf : Constraint<CPred<"getElementType($0).isF16() || "
                              "getElementType($0).isBF16()">, "is f16 or bf16">;
def IsF32 : Constraint<CPred<"getElementType($0).isF32()">, "is f32">;
def SameElementType : Constraint<
    CPred<"getElementType($0) == getElementType($1)">, "have one element type">;
/// A mean is taken apart first, in f32.
def IsNoMean : Constraint<
    CPred<"$0.getValue() != ::mirage::ReduceKind::Mean">, "is no mean">;

def : Pat<(Reduce:$result (Cast $x), $kind, $dim, $group, $keep),
  (Reduce $x, $kind, $dim, $group, $keep),
  [(IsHalf $x), (IsF32 $result), (IsNoMean $kind)]>;

def : Pat<(Matmul:$result (Cast $a), (Cast $b), $transposeA, $transposeB,
                          $compute),
  (Matmul $a, $b, $transposeA, $transposeB, $compute),
  [(IsHalf $a), (SameElementType $a, $b), (IsF32 $result), (Absent $compute)]>;

#endif // MIRAGE_TRANSFORMS_FISSIONRULES
