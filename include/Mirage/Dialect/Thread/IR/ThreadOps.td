//===- ThreadOps.td - Operations of thread graphs ----------*- tablegen -*-===//
//
// Defines the dialect mirage_thread, which says what one thread computes, on
// fragments in registers, and has the vocabulary of code generation
// (ThreadCodegenOps.td).
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_THREAD_IR_THREADOPS
#define MIRAGE_DIALECT_THREAD_IR_THREADOPS

include "Mirage/Dialect/Mirage/IR/GraphOps.td"

def Thread_Dialect : Dialect {
  let name = "mirage_thread";
  let cppNamespace = "::mirage::thread";
  let summary = "Thread graphs: fragments in registers";
  let description = [{
    The operations inside of a `mirage_block.thread_graph`. Every value is a
    fragment in the registers of one thread, except the graph's arguments and
    the results of `store`, which are whole tensors in shared memory.

    The dialect also holds the operations into which block graphs are lowered
    before NVVM: kernels with explicit shared memory, cooperative copies and
    computations, and matrix instructions.
  }];
  let dependentDialects = ["::mirage::MirageDialect"];
  let hasConstantMaterializer = 1;
  let hasCanonicalizer = 1;
  let hasOperationAttrVerify = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Name of the attribute that says in which registers an operator of a
    /// scheduled launch's block graph is executed; see #mirage.schedule.
    static constexpr ::llvm::StringLiteral getRegisterLayoutAttrName() {
      return "mirage_thread.register_layout";
    }

    void registerOperations();
    void registerAttributes();
    void registerTypes();
  }];
}

defm Thread : MirageComputeOps<Thread_Dialect>;

def Thread_LoadOp : Op<Thread_Dialect, "load", [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "input iterator: a thread's fragment of a tensor";
  let description = [{
    Reads this thread's fragment of a tensor in shared memory. imap says for each
    thread dimension which tensor dimension is divided among its threads; `phi`
    gives every thread the whole.

    Constraints: load_c1 to load_c5 and load_c7, as for `mirage_block.load`.
  }];
  let arguments = (ins Mirage_Tensor:$source, DenseI64ArrayAttr:$imap);
  let results = (outs Mirage_Tensor:$result);
  let assemblyFormat = [{
    $source `imap` `` custom<GridMap>($imap) attr-dict `:` type($source)
    `to` type($result)
  }];
  let hasVerifier = 1;
}

def Thread_StoreOp : Op<Thread_Dialect, "store", [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "output: the threads' fragments put together";
  let description = [{
    Writes this thread's fragment to its place in a tensor in shared memory.

    Constraints: store_c1 to store_c5, as for `mirage_block.store`, and:
    * (store_c7) fragments are not reduced over threads: `sum` and `max` are
      illegal.
  }];
  let arguments = (ins Mirage_Tensor:$value, DenseI64ArrayAttr:$omap);
  let results = (outs Mirage_Tensor:$result);
  let assemblyFormat = [{
    $value `omap` `` custom<GridMap>($omap) attr-dict `:` type($value) `to`
    type($result)
  }];
  let hasVerifier = 1;
}

def Thread_YieldOp : Op<Thread_Dialect, "yield", [
    Pure, Terminator, ReturnLike,
    ParentOneOf<["::mirage::block::ThreadGraphOp", "ComputeOp"]>]> {
  let summary = "end of a thread graph";
  let description = [{
    Lists the stores that are the results of a thread graph, or the values that
    a `mirage_thread.compute` writes.
  }];
  let arguments = (ins Variadic<Mirage_Tensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

include "Mirage/Dialect/Thread/IR/ThreadCodegenOps.td"
include "Mirage/Dialect/Thread/IR/ThreadFragments.td"
include "Mirage/Dialect/Thread/IR/ThreadRings.td"
include "Mirage/Dialect/Thread/IR/ThreadInboxes.td"

#endif // MIRAGE_DIALECT_THREAD_IR_THREADOPS
