//===- ExampleOps.td - Operators of a dialect of one's own -*- tablegen -*-===//
//
// Defines three operators that Mirage does not have. MuGraphOpInterface is all
// that they implement; what they mean is in ExampleDialect.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef EXAMPLE_OPS
#define EXAMPLE_OPS

include "Mirage/Interfaces/MuGraphOpInterface.td"

def Example_Dialect : Dialect {
  let name = "example";
  let cppNamespace = "::example";
  // Meanings are made of its operators.
  let dependentDialects = ["::mirage::kernel::KernelDialect"];
}

class Example_Op<string mnemonic>
    : Op<Example_Dialect, mnemonic,
         [DeclareOpInterfaceMethods<MuGraphOpInterface>]>;

def Example_SwiGLUOp : Example_Op<"swiglu"> {
  let summary = "silu(gate) * up";
  let arguments = (ins AnyRankedTensor:$gate, AnyRankedTensor:$up);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $gate `,` $up attr-dict `:` functional-type(operands, results)
  }];
}

def Example_MomentsOp : Example_Op<"moments"> {
  let summary = "mean and variance along the last dimension, which they keep";
  let arguments = (ins AnyRankedTensor:$input);
  let results = (outs AnyRankedTensor:$mean, AnyRankedTensor:$variance);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
}

def Example_ScaledNormOp : Example_Op<"scaled_norm"> {
  let summary = "scale * (x - mean) * rsqrt(variance + epsilon), by rows";
  let arguments = (ins AnyRankedTensor:$input, F64Attr:$scale,
                       F64Attr:$epsilon);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $input `scale` `(` $scale `)` `epsilon` `(` $epsilon `)` attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // EXAMPLE_OPS
