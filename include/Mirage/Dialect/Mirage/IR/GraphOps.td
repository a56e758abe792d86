//===- GraphOps.td - Operations of block and thread graphs -*- tablegen -*-===//
//
// Defines classes of the operations that block and thread graphs both have:
// input iterators (load), output maps (store) and graph-defined operators.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_IR_GRAPHOPS
#define MIRAGE_DIALECT_MIRAGE_IR_GRAPHOPS

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "Mirage/Dialect/Mirage/IR/ComputeOps.td"
include "Mirage/Interfaces/GraphDefinedOpInterface.td"

// An operator whose meaning is a graph of the level below.
class Mirage_GraphOp<Dialect dialect, string mnemonic,
                     list<Trait> traits = []>
    : Op<dialect, mnemonic, traits # [
        Pure, IsolatedFromAbove, SingleBlock,
        DeclareOpInterfaceMethods<GraphDefinedOpInterface>,
        DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let results = (outs Variadic<Mirage_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // MIRAGE_DIALECT_MIRAGE_IR_GRAPHOPS
