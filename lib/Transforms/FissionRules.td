//===- FissionRules.td - Operators as graphs of primitives -*- tablegen -*-===//
//
// The rules of mirage-fission (Korch, section 3), as declarative rewrites. They
// work in one element type: the pass has cast operands to the type that the
// operator computes in. What operators mean is said in Semantics/Element.h and
// Semantics/Composite.h; a test holds every rule to them, bit by bit.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_FISSIONRULES
#define MIRAGE_TRANSFORMS_FISSIONRULES

include "Mirage/Dialect/Kernel/IR/KernelOps.td"
include "mlir/IR/PatternBase.td"

defvar Add = Kernel_AddOp;
defvar Cast = Kernel_CastOp;
defvar Constant = Kernel_ConstantOp;
defvar Div = Kernel_DivOp;
defvar Exp = Kernel_ExpOp;
defvar Gelu = Kernel_GeluOp;
defvar LayerNorm = Kernel_LayerNormOp;
defvar Matmul = Kernel_MatmulOp;
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

//===----------------------------------------------------------------------===//
// Attributes, and values that depend on shapes (Fission.cpp)
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

/// reduce: the dimension stays with size one.
def Keep : ConstantAttr<UnitAttr, "true">;
/// An optional attribute that is not there.
def None : NativeCodeCall<"nullptr">;

/// The number, for a constant that elementwise operators combine with $0.
class Splat<string value>
    : NativeCodeCall<"getSplat($0, " # value # ")">;
/// The number that attribute $1 holds, likewise.
def SplatOf : NativeCodeCall<"getSplat($0, $1.getValueAsDouble())">;
/// How many elements of $1 a reduction combines to one of $0's.
def Count : NativeCodeCall<"getSplat($0, getCount($1, $0))">;

/// The last dimension of $0.
def Last : NativeCodeCall<
    "$_builder.getI64IntegerAttr(getLastDim($0))">;
/// The type in which the vector $0 lies along the last dimension of $1.
def AlongLast : NativeCodeCall<"getTypeAlong($0, $1, getLastDim($1))">;

/// Optional operands: there or not, and none.
def Given : Constraint<CPred<"$0">, "is given">;
def Absent : Constraint<CPred<"!$0">, "is absent">;
def Nothing : NativeCodeCall<"::mlir::Value()">;

//===----------------------------------------------------------------------===//
// Elementwise functions
//===----------------------------------------------------------------------===//

// 1 / (1 + exp(-x)). For large negative x the exponential is infinite and the
// quotient zero.
def : Pat<(Sigmoid $x),
  (Div (Constant (Splat<"1.0"> $x)),
       (Add (Constant (Splat<"1.0"> $x)), (Exp (Scale $x, Number<"-1.0">))))>;

def : Pat<(Silu $x), (Mul $x, (Sigmoid $x))>;

// x / 2 (1 + erf(x / sqrt 2))
def : Pat<(Gelu $x, ErfForm),
  (Mul (Scale $x, Number<"0.5">),
       (Add (Constant (Splat<"1.0"> $x)),
            (Tanh (Scale $x, Number<"M_SQRT1_2">))))>;

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

def : Pattern<(Reduce $x, MeanOf, $dim, $group, $keep), [
  (Reduce:$sum $x, SumOf, $dim, $group, $keep),
  (Div $sum, (Constant (Count $sum, $x)))]>;

// The maximum keeps exp from overflowing and cancels.
def : Pattern<(Softmax $x, $dim), [
  (Exp:$e (Sub $x, (Reduce $x, MaxOf, $dim, (None), Keep))),
  (Div $e, (Reduce $e, SumOf, $dim, (None), Keep))]>;

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

def : Pat<(RmsNorm:$norm $x, $weight, $epsilon),
  (Mul (RmsNorm $x, (Nothing), $epsilon),
       (Reshape $weight, (returnType (AlongLast $weight, $norm)))),
  [(Given $weight)]>;

def : Pattern<(RmsNorm $x, $weight, $epsilon), [
  (Reduce:$power (Square $x), MeanOf, (Last $x), (None), Keep),
  (Mul $x, (Rsqrt (Add $power, (Constant (SplatOf $power, $epsilon)))))],
  [(Absent $weight)]>;

def : Pat<(LayerNorm:$norm $x, $weight, $bias, $epsilon),
  (Add (LayerNorm $x, $weight, (Nothing), $epsilon),
       (Reshape $bias, (returnType (AlongLast $bias, $norm)))),
  [(Given $bias)]>;

def : Pat<(LayerNorm:$norm $x, $weight, $bias, $epsilon),
  (Mul (LayerNorm $x, (Nothing), (Nothing), $epsilon),
       (Reshape $weight, (returnType (AlongLast $weight, $norm)))),
  [(Given $weight), (Absent $bias)]>;

def : Pat<(LayerNorm $x, $weight, $bias, $epsilon),
  (RmsNorm (Sub $x, (Reduce $x, MeanOf, (Last $x), (None), Keep)), (Nothing),
           $epsilon),
  [(Absent $weight), (Absent $bias)]>;

#endif // MIRAGE_TRANSFORMS_FISSIONRULES
