//===- GraphDefinedOpInterface.td - Graph-defined ops ------*- tablegen -*-===//
//
// Declares the interface of operators whose meaning is a graph of the level below:
// mirage_kernel.launch (a block graph) and mirage_block.thread_graph (a thread
// graph).
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INTERFACES_GRAPHDEFINEDOPINTERFACE
#define MIRAGE_INTERFACES_GRAPHDEFINEDOPINTERFACE

include "mlir/IR/OpBase.td"

def GraphDefinedOpInterface : OpInterface<"GraphDefinedOpInterface"> {
  let cppNamespace = "::mirage";
  let description = [{
    A graph-defined operator runs its body once for every point of its extents:
    thread blocks of a grid, or threads of a block. Body arguments are the
    operands, whole; `load` operations take a point's part of them, `store`
    operations put a point's values together to the results.
  }];
  let methods = [
    InterfaceMethod<
      "Extents in x, y and z: blocks of the grid or threads of the block.",
      "::llvm::ArrayRef<int64_t>", "getExtents">,
    InterfaceMethod<
      "What a point is called in messages: block or thread.",
      "::llvm::StringRef", "getPointName">,
    InterfaceMethod<
      "What the extents are called in messages: grid or thread.",
      "::llvm::StringRef", "getExtentsName">
  ];
}

#endif // MIRAGE_INTERFACES_GRAPHDEFINEDOPINTERFACE
