//===- ThreadCodegenOps.td - Kernels with explicit memory --*- tablegen -*-===//
//
// Defines the operations that block graphs become before NVVM. They stand in gpu.func
// kernels, beside scf.for, gpu.block_id and gpu.barrier, and work on memrefs:
// device buffers are the kernel's arguments, shared-memory buffers are placed
// by `shared_buffer`. Each is executed by all threads of a block together;
// none of them synchronizes, so barriers are explicit.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_THREAD_IR_THREADCODEGENOPS
#define MIRAGE_DIALECT_THREAD_IR_THREADCODEGENOPS

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

def Thread_ChunkedLayoutAttr : AttrDef<Thread_Dialect, "ChunkedLayout", [
    DeclareAttrInterfaceMethods<MemRefLayoutAttrInterface,
                                ["isIdentity", "verifyLayout",
                                 "getStridesAndOffset"]>]> {
  let mnemonic = "chunked";
  let summary = "the layout of a buffer whose rows are cut into chunks";
  let description = [{
    The layout of a memref: an element's distance from the first is the sum of
    its indices times `strides`, where the innermost dimension is cut into chunks
    of `chunk` neighbours that begin `chunk_stride` elements apart.

    Where it is `swizzled`, pieces of eight elements stand at other places than
    their distance says: bits 3 and up of the distance in elements are exchanged
    by those from bit 6 on (exclusive or), as many as tell the pieces of a chunk
    apart. With elements of 16 bits and rows that lie a chunk apart, that is how
    wgmma and TMA swizzle in 32, 64 or 128 bytes (PTX ISA, "Asynchronous
    Warpgroup Level Matrix Shared Memory Layout"): eight rows of a piece, and the
    pieces of a row, lie in different banks. The affine map of the layout gives
    distances.

    ```mlir
    // 64 rows of 128 elements.
    memref<64x128xf16, #mirage_thread.chunked<[64, 1], chunk = 64,
                                              chunk_stride = 4096, swizzled>,
           #gpu.address_space<workgroup>>
    ```

    Constraints:
    * (chunked_c1) strides, chunk and its stride are positive, and the last stride
      is one;
    * (chunked_c2) there is a stride for each dimension, and the chunk divides the
      innermost one, or 16 elements do where it is swizzled, of which the last chunk
      may have a part;
    * (chunked_c3) where it is swizzled, the chunk has 16, 32 or 64 elements, its
      stride is a multiple of eight chunks, and those of all dimensions but the last
      are multiples of the chunk;
    * (chunked_c4) where it is swizzled, rows are counted by the last dimension
      before the innermost that has more than one element, and the strides of others
      with more than one are multiples of eight chunks, so that what is exchanged
      depends on the row alone.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$strides,
                        "int64_t":$chunk, "int64_t":$chunk_stride,
                        DefaultValuedParameter<"bool", "false">:$swizzled);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Thread_SharedBufferOp : Op<Thread_Dialect, "shared_buffer", [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a buffer at an offset of the block's shared memory";
  let description = [{
    Names the bytes of the block's dynamic shared memory from `offset` on.
    Buffers may overlap where their contents are not needed at the same time.

    Constraints:
    * (shared_buffer_c1) the offset is not negative and a multiple of 16;
    * (shared_buffer_c2) the result has a static shape, is row-major, has strides
      (as for rows that are padded) or is `#mirage_thread.chunked`, and has the
      memory space `#gpu.address_space<workgroup>`;
    * (shared_buffer_c3) where it is chunked, only `copy`, `bulk_copy`, `load_fragment`,
      `store_fragment` and `warpgroup_mma` use it;
    * (shared_buffer_c4) where it is swizzled, the offset is a multiple of 1024,
      and elements have 16 bits.
  }];
  let arguments = (ins I64Attr:$offset);
  let results = (outs AnyStaticShapeMemRef:$result);
  let assemblyFormat = "`offset` `(` $offset `)` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Thread_ClusterMemoryAttr : AttrDef<Thread_Dialect, "ClusterMemory"> {
  let mnemonic = "cluster_memory";
  let summary = "the memory space of a cluster's shared memory";
  let description = [{
    `#mirage_thread.cluster_memory` is the memory space of buffers that lie in
    the shared memory of each block of a cluster (PTX ISA, "Shared State Space",
    `.shared::cluster`).
  }];
}

def Thread_ClusterBufferOp : Op<Thread_Dialect, "cluster_buffer", [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "a buffer of each block of the cluster";
  let description = [{
    Gives the buffers that the blocks of the cluster have at the offset of
    `buffer`: index i of the first dimension is the buffer of the block of rank
    i. What another block wrote may be read after a `cluster_barrier`, and a
    block stays until another one has passed after the last access to it.

    Constraints:
    * (cluster_buffer_c1) `buffer` is in shared memory, and the result in
      `#mirage_thread.cluster_memory`;
    * (cluster_buffer_c2) the result has one dimension more, in front, of 2 to 8
      blocks; the others, their strides and the element type are the buffer's,
      and the first stride is at least the buffer's extent;
    * (cluster_buffer_c3) only `load_fragment` and `push_fragment` use it.
  }];
  let arguments = (ins AnyStaticShapeMemRef:$buffer);
  let results = (outs AnyStaticShapeMemRef:$result);
  let assemblyFormat = [{
    $buffer attr-dict `:` type($buffer) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Thread_ClusterRankOp : Op<Thread_Dialect, "cluster_rank", [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "the block's number in its cluster";
  let description = [{
    `%cluster_ctarank` of the PTX ISA: in a cluster of n blocks along the first
    dimension of the grid, the remainder of the block's index by n.
  }];
  let results = (outs Index:$result);
  let assemblyFormat = "attr-dict";
}

def Thread_ClusterBarrierOp : Op<Thread_Dialect, "cluster_barrier", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "barrier of all threads of a cluster";
  let description = [{
    Each thread of each block of the cluster waits for all others and sees what
    they wrote before: barrier.cluster.arrive.release and
    barrier.cluster.wait.acquire of the PTX ISA.

    Constraints:
    * (cluster_barrier_c1) it stands in the body of a kernel, under no loop and
      no branch.
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Thread_CopyOp : Op<Thread_Dialect, "copy", [
    AttrSizedOperandSegments,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "copy of a tile between memories by the whole block";
  let description = [{
    Copies a box of elements of shape `sizes`, from `source` at one offset to
    `target` at another. With `async` the copy is a part of the block's next
    group (`async_commit`) and has happened when that group has been waited for
    (`async_wait`) and a barrier has passed: cp.async of the PTX ISA, section
    "Data Movement and Conversion Instructions: Asynchronous copy".

    Of the box, only the first `exist` elements along each dimension are there, where
    that is given, and along the dimensions in `clipped` only those that are neither
    before the beginning of the source, where an offset is negative, nor beyond its end.
    The others are zeros in the target.

    Constraints:
    * (copy_c1) source and target have one element type;
    * (copy_c2) offsets have one entry for each dimension of their side; `sizes`
      has one for each of the last dimensions, and of those before one index is
      copied;
    * (copy_c3) sizes are positive and at most those of source and target; along a
      dimension that is clipped the source may be smaller, and so it may be where
      fewer elements exist;
    * (copy_c4) `async` copies go from device memory to shared memory;
    * (copy_c5) `exist` has an entry for each of the sizes, which is positive and at
      most the size, and `clipped` has dimensions of the box.

    Offsets along the last dimension must be multiples of its size, or of `exist`: the
    boxes are tiles. Copies of several elements at a time rely on it.
  }];
  let arguments = (ins AnyStaticShapeMemRef:$source,
                       Variadic<Index>:$source_offsets,
                       AnyStaticShapeMemRef:$target,
                       Variadic<Index>:$target_offsets,
                       DenseI64ArrayAttr:$sizes, UnitAttr:$async,
                       OptionalAttr<DenseI64ArrayAttr>:$exist,
                       OptionalAttr<DenseI64ArrayAttr>:$clipped);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$source, "::mlir::ValueRange":$sourceOffsets,
                   "::mlir::Value":$target, "::mlir::ValueRange":$targetOffsets,
                   "::llvm::ArrayRef<int64_t>":$sizes, "bool":$async), [{
      build($_builder, $_state, source, sourceOffsets, target, targetOffsets,
            sizes, async, ::mlir::DenseI64ArrayAttr(),
            ::mlir::DenseI64ArrayAttr());
    }]>
  ];
  let assemblyFormat = [{
    (`async` $async^)? $source `` `[` $source_offsets `]` `to` $target ``
    `[` $target_offsets `]` `sizes` $sizes (`exist` $exist^)?
    (`clipped` $clipped^)? attr-dict `:` type($source) `to` type($target)
  }];
  let extraClassDeclaration = [{
    /// Returns the box of the source and what there is of it.
    ::mirage::thread::SourceBox getSourceBox();
  }];
  let hasVerifier = 1;
}

def Thread_AsyncCommitOp : Op<Thread_Dialect, "async_commit", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "end of a group of asynchronous copies";
  let description = "cp.async.commit_group of the PTX ISA.";
  let assemblyFormat = "attr-dict";
}

def Thread_AsyncWaitOp : Op<Thread_Dialect, "async_wait", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait until at most some groups of copies are pending";
  let description = [{
    cp.async.wait_group of the PTX ISA: this thread's copies of all but the
    youngest `pending` groups have happened.

    Constraints:
    * (async_wait_c1) `pending` is not negative.
  }];
  let arguments = (ins I64Attr:$pending);
  let assemblyFormat = "$pending attr-dict";
  let hasVerifier = 1;
}

def Thread_ComputeOp : Op<Thread_Dialect, "compute", [
    AttrSizedOperandSegments, SingleBlock, IsolatedFromAbove,
    DeclareOpInterfaceMethods<GraphDefinedOpInterface>,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "a computation on buffers by the whole block";
  let description = [{
    The body is a thread graph whose arguments are the contents of `ins`; the
    values that it yields become the contents of `outs`. Without `threads`, each
    thread computes every n-th element of the outputs, n being the number of
    threads of the block; an element is computed by one thread from operand
    elements, recursively. With `grid`, n is the number of threads of the whole
    grid, and a thread computes every n-th tile of neighbours, as far as these
    are made of neighbours (`ElementTile.h`). With `threads`,
    the body loads and stores fragments as in `mirage_block.thread_graph`.

    An output may be the buffer of an input if the value at an index depends on
    that input's element at the same index only.

    Constraints:
    * (compute_c1) body arguments are tensors of the shapes and element types of
      `ins`, and yielded values of those of `outs`;
    * (compute_c2) all buffers are row-major;
    * (compute_c3) `threads`, where given, are one to three positive extents
      whose product is at most 1024;
    * (compute_c4) the body holds compute operators, `load`, `store` and `yield`
      of `mirage_thread` only.
  }];
  let arguments = (ins Variadic<AnyStaticShapeMemRef>:$ins,
                       Variadic<AnyStaticShapeMemRef>:$outs,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$threads,
                       UnitAttr:$grid);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`grid` $grid^)? (`threads` $threads^)?
    `ins` `(` ($ins^ `:` type($ins))? `)`
    `outs` `(` ($outs^ `:` type($outs))? `)` attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def Thread_FillOp : Op<Thread_Dialect, "fill", [MemoryEffects<[MemWrite]>]> {
  let summary = "one value for every element of a buffer, by the whole block";
  let description = "Gives an accumulator its initial value.";
  let arguments = (ins AnyStaticShapeMemRef:$target, F64Attr:$value);
  let assemblyFormat = "$target `with` $value attr-dict `:` type($target)";
}

def Thread_AccumulateOp : Op<Thread_Dialect, "accumulate", [
    AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "one iteration of an accumulator, by the whole block";
  let description = [{
    Combines `value` into `target`, elementwise, as `mirage_block.accumulate`
    says. For `rescaled_sum`, target holds the sum relative to the maximum
    `running` of the shifts so far: with M' = max(running, shift) it becomes
    target exp(running - M') + value exp(shift - M'), where exp(m - m) is one
    also for infinite m. `running` itself is updated by another `accumulate max`
    after a barrier.

    Constraints:
    * (thread_accumulate_c1) the kind is `sum`, `max` or `rescaled_sum`;
    * (thread_accumulate_c2) value and target have one shape;
    * (thread_accumulate_c3) `shift` and `running` go with `rescaled_sum`, have
      one shape, and broadcast to the value.
  }];
  let arguments = (ins Mirage_AccumulateKindAttr:$kind,
                       AnyStaticShapeMemRef:$value,
                       Optional<AnyStaticShapeMemRef>:$shift,
                       Optional<AnyStaticShapeMemRef>:$running,
                       AnyStaticShapeMemRef:$target);
  let assemblyFormat = [{
    `` $kind $value (`shift` $shift^)? (`running` $running^)? `into` $target
    attr-dict `:` type($value) (`,` type($shift)^)? (`,` type($running)^)?
    `into` type($target)
  }];
  let hasVerifier = 1;
}

def Thread_MmaOp : Op<Thread_Dialect, "mma", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "product of tiles by matrix instructions";
  let description = [{
    target = lhs x rhs, or target += lhs x rhs with `accumulate`, by
    mma.sync.m16n8k16 (f16, bf16) or m16n8k8 (f32 operands rounded to tf32) with
    f32 accumulation (PTX ISA, "Warp Level Matrix Multiply-Accumulate
    Instructions"). The warps of the block share the 16 x 8 parts of the result;
    parts that reach over an edge are filled with zeros and stored in part.

    Constraints:
    * (mma_c1) the buffers are matrices of equal rank with leading dimensions
      of size one or equal to the target's, and with agreeing rows, columns and
      contracted sizes;
    * (mma_c2) lhs and rhs are both of f16, bf16 or f32; the target is of f32 or
      of their type.
  }];
  let arguments = (ins AnyStaticShapeMemRef:$lhs, AnyStaticShapeMemRef:$rhs,
                       AnyStaticShapeMemRef:$target, UnitAttr:$transpose_lhs,
                       UnitAttr:$transpose_rhs, UnitAttr:$accumulate);
  let assemblyFormat = [{
    $lhs (`transpose_lhs` $transpose_lhs^)? `,` $rhs
    (`transpose_rhs` $transpose_rhs^)? `into` $target
    (`accumulate` $accumulate^)? attr-dict `:` type($lhs) `,` type($rhs) `,`
    type($target)
  }];
  let hasVerifier = 1;
}

#endif // MIRAGE_DIALECT_THREAD_IR_THREADCODEGENOPS
