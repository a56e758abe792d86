//===- Enums.td - Enumerations of semantics and dialects ---*- tablegen -*-===//
//
// Lists the cases that operators' attributes choose among. TableGen makes C++ enums
// of them that need no IR, and the dialects' attributes.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_ENUMS
#define MIRAGE_SEMANTICS_ENUMS

include "mlir/IR/EnumAttr.td"

class Mirage_Enum<string name, string summary, list<I32EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::mirage";
}

def Mirage_ReduceKind : Mirage_Enum<"ReduceKind", "how elements are combined", [
  I32EnumCase<"Sum", 0, "sum">,
  I32EnumCase<"Max", 1, "max">,
  I32EnumCase<"Mean", 2, "mean">
]>;

def Mirage_CompareKind : Mirage_Enum<"CompareKind", "how two numbers compare", [
  I32EnumCase<"EQ", 0, "eq">,
  I32EnumCase<"NE", 1, "ne">,
  I32EnumCase<"LT", 2, "lt">,
  I32EnumCase<"LE", 3, "le">,
  I32EnumCase<"GT", 4, "gt">,
  I32EnumCase<"GE", 5, "ge">
]>;

def Mirage_GeluForm : Mirage_Enum<"GeluForm", "form of the gelu function", [
  I32EnumCase<"Erf", 0, "erf">,
  I32EnumCase<"Tanh", 1, "tanh">
]>;

def Mirage_ConvLayout : Mirage_Enum<"ConvLayout", "order of a convolution's dimensions", [
  I32EnumCase<"NCHW", 0, "nchw">,
  I32EnumCase<"NHWC", 1, "nhwc">
]>;

def Mirage_AccumulateKind : Mirage_Enum<"AccumulateKind", "how a loop's iterations are combined", [
  I32EnumCase<"Sum", 0, "sum">,
  I32EnumCase<"Concat", 1, "concat">,
  I32EnumCase<"Max", 2, "max">,
  I32EnumCase<"RescaledSum", 3, "rescaled_sum">
]>;

def Mirage_PrimitiveClass : Mirage_Enum<"PrimitiveClass", "class of a primitive", [
  I32EnumCase<"Elementwise", 0, "elementwise">,
  I32EnumCase<"ReduceBroadcast", 1, "reduce_broadcast">,
  I32EnumCase<"Layout", 2, "layout">,
  I32EnumCase<"Linear", 3, "linear">,
  I32EnumCase<"Opaque", 4, "opaque">
]>;

def Mirage_CopyWay : Mirage_Enum<"CopyWay", "way of a tile from device memory", [
  I32EnumCase<"Bulk", 0, "bulk">,
  I32EnumCase<"Async", 1, "async">,
  I32EnumCase<"Registers", 2, "registers">,
  I32EnumCase<"Direct", 3, "direct">,
  I32EnumCase<"Kept", 4, "kept">
]>;

def Mirage_ProductInstruction : Mirage_Enum<"ProductInstruction", "instruction that computes a product", [
  I32EnumCase<"Wgmma", 0, "wgmma">,
  I32EnumCase<"MmaSync", 1, "mma_sync">,
  I32EnumCase<"Fma", 2, "fma">
]>;

#endif // MIRAGE_SEMANTICS_ENUMS
