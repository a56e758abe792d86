//===- BlockOps.td - Operations of block graphs ------------*- tablegen -*-===//
//
// Defines the dialect mirage_block, which says what one thread block computes, on
// tensors in shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_BLOCK_IR_BLOCKOPS
#define MIRAGE_DIALECT_BLOCK_IR_BLOCKOPS

include "Mirage/Dialect/Mirage/IR/GraphOps.td"

def Block_Dialect : Dialect {
  let name = "mirage_block";
  let cppNamespace = "::mirage::block";
  let summary = "Block graphs: tensors in shared memory";
  let description = [{
    The operations inside of a `mirage_kernel.launch`. Every value is a tensor in
    the shared memory of one thread block, except the launch's arguments and the
    results of `store`, which are whole tensors in device memory.
  }];
  let dependentDialects = ["::mirage::MirageDialect"];
  let hasConstantMaterializer = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = "void registerOperations();";
}

defm Block : MirageComputeOps<Block_Dialect>;

def Block_LoadOp : Op<Block_Dialect, "load", [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "input iterator: a block's part of a tensor";
  let description = [{
    Reads this block's part of a tensor in device memory, for the present
    iteration of the loops around it. imap says for each grid dimension which
    tensor dimension is divided among its blocks, fmap the same for each loop
    around, outermost first; `phi` replicates the tensor. A dimension that is
    divided by the grid and by loops is divided by the grid first.

    ```mlir
    %t = mirage_block.load %k imap(x -> 0, y -> phi) fmap(%i -> 1)
        : tensor<8x4096x64xf16> to tensor<1x64x64xf16>
    ```

    Constraints:
    * (load_c1) the source is an argument of the graph;
    * (load_c2) imap has one entry for each grid dimension;
    * (load_c3) entries are dimensions of the source or phi;
    * (load_c4) no tensor dimension is the target of two grid dimensions;
    * (load_c5) grid and loop extents divide the dimensions that they map to;
    * (load_c6) fmap has one entry for each loop around the load, outermost
      first;
    * (load_c7) the result is the source's part: its element type, and its
      shape divided as the maps say.
  }];
  let arguments = (ins Mirage_Tensor:$source, DenseI64ArrayAttr:$imap,
                       Variadic<Index>:$loops, DenseI64ArrayAttr:$fmap);
  let results = (outs Mirage_Tensor:$result);
  let assemblyFormat = [{
    $source `imap` `` custom<GridMap>($imap) `` custom<LoopMap>($loops, $fmap)
    attr-dict `:` type($source) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Block_StoreOp : Op<Block_Dialect, "store", [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "output: the blocks' values put together";
  let description = [{
    Writes this block's value to its place in a tensor in device memory. omap
    says for each grid dimension along which tensor dimension the blocks' values
    stand one after another, or `sum` or `max`: the values of the blocks along
    that grid dimension are combined. Sums of combined values are taken in f32
    (f64 for f64), in the order of the blocks.

    ```mlir
    %o = mirage_block.store %v omap(x -> 0, y -> sum)
        : tensor<16x64xf16> to tensor<64x64xf16>
    ```

    Constraints:
    * (store_c1) the store stands in the body of the graph, outside of loops;
    * (store_c2) omap has one entry for each grid dimension;
    * (store_c3) entries are dimensions of the result, `sum` or `max`; phi is
      legal for a grid dimension of one block only, since several would write
      the same elements;
    * (store_c4) no tensor dimension is the target of two grid dimensions;
    * (store_c5) the result is the blocks' values put together: their element
      type, and their shape multiplied as omap says;
    * (store_c6) `sum` and `max` don't stand in one omap.
  }];
  let arguments = (ins Mirage_Tensor:$value, DenseI64ArrayAttr:$omap);
  let results = (outs Mirage_Tensor:$result);
  let assemblyFormat = [{
    $value `omap` `` custom<GridMap>($omap) attr-dict `:`
    type($value) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Block_ForOp : Op<Block_Dialect, "for", [
    Pure, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface,
        ["getAsmResultNames", "getAsmBlockArgumentNames"]>]> {
  let summary = "a loop of the block graph";
  let description = [{
    Runs its body for each value of the loop variable from 0 to `extent` - 1.
    Nothing but accumulators leaves the loop: its results are the final values
    of the `accumulate` operations that the body yields. Loops nest and follow
    one another.

    ```mlir
    %sum = mirage_block.for %i = 0 to 64 -> tensor<16x64xf32> {
      %t = mirage_block.load %x imap(x -> 0) fmap(%i -> 1)
          : tensor<64x4096xf32> to tensor<16x64xf32>
      %a = mirage_block.accumulate sum %t
          : (tensor<16x64xf32>) -> tensor<16x64xf32>
      mirage_block.yield %a : tensor<16x64xf32>
    }
    ```

    Constraints:
    * (for_c1) the extent is positive;
    * (for_c2) the body's only argument is the loop variable;
    * (for_c3) the body yields results of its own `accumulate` operations, one
      for each result of the loop and of its type.
  }];
  let arguments = (ins I64Attr:$extent);
  let results = (outs Variadic<Mirage_Tensor>:$results);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Value getVariable() { return getBody().getArgument(0); }
  }];
}

// An accumulator is written in every iteration; so two that take the same values
// are two accumulators, and no pass makes them one.
def Block_AccumulateOp : Op<Block_Dialect, "accumulate", [
    MemoryEffects<[MemRead, MemWrite]>, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "output accumulator of a loop";
  let description = [{
    Combines the values of the loop's iterations; the result exists after the
    last one, as a result of the loop.

    * `sum`, `max`: elementwise.
    * `concat dim(d)`: iteration i's value is part i of dimension d. A result that
      stores alone read has no bytes in shared memory: iterations store parts.
    * `rescaled_sum %x shift %m`: the sum of x exp(m - M), where M is the largest
      m of all iterations: online softmax. In each iteration x is computed
      relative to that iteration's own maximum m, as in exp(s - m) or
      exp(s - m) V; after the loop all terms are relative to M, which
      `accumulate max %m` gives.

    Sums are kept in the result's element type, which may be wider than the
    value's.

    Constraints:
    * (accumulate_c1) it stands in the body of a `for`;
    * (accumulate_c2) its result is yielded by that loop, once, and not used
      otherwise: it has no value before the last iteration;
    * (accumulate_c3) `shift` goes with `rescaled_sum`; its shape broadcasts to
      the value's, and its element type is the value's or a wider one;
    * (accumulate_c4) `dim` goes with `concat` and is a dimension of the value;
    * (accumulate_c5) the result has the value's shape, times the loop's extent
      along `dim` for `concat`, and the value's element type or, for sums, a
      wider one.
  }];
  let arguments = (ins Mirage_Tensor:$value, Optional<Mirage_Tensor>:$shift,
                       Mirage_AccumulateKindAttr:$kind,
                       OptionalAttr<I64Attr>:$dim);
  let results = (outs Mirage_Tensor:$result);
  let assemblyFormat = [{
    `` $kind $value (`shift` $shift^)? (`dim` `(` $dim^ `)`)? attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Block_YieldOp : Op<Block_Dialect, "yield", [
    Pure, Terminator, ReturnLike,
    ParentOneOf<["::mirage::kernel::LaunchOp", "ForOp"]>]> {
  let summary = "end of a block graph or of a loop";
  let description = [{
    Lists the stores that are a launch's results, or the accumulators that are a
    loop's.
  }];
  let arguments = (ins Variadic<Mirage_Tensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def Block_ThreadGraphOp
    : Mirage_GraphOp<Block_Dialect, "thread_graph"> {
  let summary = "a block operator defined by a thread graph";
  let description = [{
    Runs a thread graph once for every thread of a block of up to three
    dimensions. The body's arguments are the operands, whole, in shared memory;
    `mirage_thread.load` reads a thread's fragment of them into registers,
    `mirage_thread.store` puts the threads' fragments together. What is computed
    in between never touches shared memory.

    Constraints:
    * (thread_graph_c1) there are one to three positive extents, whose product
      is at most 1024 (the most threads of a block);
    * (thread_graph_c2) body arguments have the types of the operands;
    * (thread_graph_c3) the body yields results of its `store` operations, one
      for each result of the operator and of its type;
    * (thread_graph_c4) body arguments are read by `load` only, and a `store` is
      used by the terminator only;
    * (thread_graph_c5) the body holds compute operators, `load`, `store` and
      `yield` of `mirage_thread` only.
  }];
  let arguments = (ins Variadic<Mirage_Tensor>:$inputs,
                       DenseI64ArrayAttr:$threads);
}

#endif // MIRAGE_DIALECT_BLOCK_IR_BLOCKOPS
