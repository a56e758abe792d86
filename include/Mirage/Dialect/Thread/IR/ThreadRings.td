//===- ThreadRings.td - Warps that load for others ---------*- tablegen -*-===//
//
// Defines the operations by which some warps of a block do nothing but load the
// tiles of loops into rings of stages, ahead of the warps that work on them. The
// two wait for each other at the mbarriers of each stage, so no barrier of the
// whole block stands in a loop.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_THREAD_IR_THREADRINGS
#define MIRAGE_DIALECT_THREAD_IR_THREADRINGS

def Thread_RingType : TypeDef<Thread_Dialect, "Ring"> {
  let mnemonic = "ring";
  let summary = "the mbarriers of a ring of stages";
  let description = [{
    A ring of `stages` stages of shared memory for each of `groups` groups of
    `warps` warps that work on what is loaded. Trip t of a loop uses stage t
    modulo `stages`. A stage has two mbarriers for each group (PTX ISA, "Parallel
    Synchronization and Communication Instructions: mbarrier"): one on which the
    group waits until the stage is full, and one on which the loader waits until
    the group has released it. Of each warp one lane releases a stage, or, where
    lanes read it by instructions of their own and not by wgmma, all 32 `lanes`.

    ```mlir
    !mirage_thread.ring<stages = 4, groups = 2, warps = 4>
    ```

    Constraints:
    * (ring_c1) the numbers are positive, and `lanes` is 1 or 32.
  }];
  let parameters = (ins "int64_t":$stages, "int64_t":$groups, "int64_t":$warps,
                        DefaultValuedParameter<"int64_t", "1">:$lanes);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The bytes of the mbarriers: eight each, those of full stages first.
    int64_t getNumBytes() const { return 2 * 8 * getStages() * getGroups(); }
  }];
}

def Thread_RingOp : Op<Thread_Dialect, "ring", [
    MemoryEffects<[MemRead, MemWrite]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "the mbarriers of a ring, in shared memory";
  let description = [{
    Initializes the mbarriers of a ring at an offset of the block's dynamic
    shared memory. All stages are empty. It is a barrier of all threads of the
    block.

    Constraints:
    * (ring_c2) the offset is not negative and a multiple of 8;
    * (ring_c3) it stands in the body of a kernel, before its `loader`.
  }];
  let arguments = (ins I64Attr:$offset);
  let results = (outs Thread_RingType:$result);
  let assemblyFormat = "`offset` `(` $offset `)` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Thread_SequenceType : TypeDef<Thread_Dialect, "Sequence"> {
  let mnemonic = "sequence";
  let summary = "the barriers by which groups of warps take turns";
  let description = [{
    Lets `groups` groups of `warps` neighbouring warps execute a part of each trip of
    a loop one after another: group 0 of a trip, then group 1, and after the last one
    group 0 of the next trip. Each group has a named barrier of the block at which it
    waits for the one before it (PTX ISA, "barrier.cta"), and a word of zeros in shared
    memory says what follows a turn.

    ```mlir
    !mirage_thread.sequence<groups = 2, warps = 4>
    ```

    Constraints:
    * (sequence_c1) there are 2 to 13 groups, of one warp or more: a block has 16
      barriers, of which three are for all of its warps.
  }];
  let parameters = (ins "int64_t":$groups, "int64_t":$warps);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The bytes of the zeros.
    static constexpr int64_t numBytes = 8;
    static int64_t getNumBytes() { return numBytes; }
    /// The number of the first group's barrier.
    static constexpr int64_t firstBarrier = 3, mostGroups = 13;
  }];
}

def Thread_SequenceOp : Op<Thread_Dialect, "sequence", [
    MemoryEffects<[MemRead, MemWrite]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "the barriers of a sequence";
  let description = [{
    Writes the zeros of a sequence at an offset of the block's dynamic shared memory,
    and gives group 0 the first turn. It is a barrier of all threads of the block.

    Constraints:
    * (sequence_c2) the offset is not negative and a multiple of 8;
    * (sequence_c3) it stands in the body of a kernel, before its `loader`.
  }];
  let arguments = (ins I64Attr:$offset);
  let results = (outs Thread_SequenceType:$result);
  let assemblyFormat = "`offset` `(` $offset `)` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

class Thread_SequenceUserOp<string mnemonic>
    : Op<Thread_Dialect, mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let hasVerifier = 1;
}

def Thread_SequenceAwaitOp : Thread_SequenceUserOp<"sequence_await"> {
  let summary = "wait until it is the group's turn";
  let description = [{
    Each group of warps waits until the one before it has passed its turn on. Trips
    are counted from zero, and each has one wait and one pass.

    Constraints:
    * (sequence_await_c1) it stands behind the kernel's loader;
    * (sequence_await_c2) no barrier of all groups stands behind it before the turn is
      passed on: one group would wait there for others, which wait for their turns.
  }];
  let arguments = (ins Thread_SequenceType:$sequence, Index:$trip);
  let assemblyFormat = "$sequence `[` $trip `]` attr-dict `:` type($sequence)";
}

def Thread_SequencePassOp : Thread_SequenceUserOp<"sequence_pass"> {
  let summary = "pass the turn on to the next group";
  let description = [{
    Lets the next group of warps go on: that of the same trip, or the first one in
    the next trip. With values, the turn is passed on when these are there, and gives
    them again: what is computed of the results begins afterwards. Without that, the
    compiler of PTX moves what it passes and what it computes past each other.

    ```mlir
    %2 = mirage_thread.sequence_pass %sequence[%trip] after %1
        : !mirage_thread.sequence<groups = 2, warps = 4>, tensor<1x64x1xf32, ...>
        to tensor<1x64x1xf32, ...>
    ```

    Constraints:
    * (sequence_pass_c1) it stands behind the kernel's loader;
    * (sequence_pass_c2) the values are of f32 and have layouts, and the results have
      their types.
  }];
  let arguments = (ins Thread_SequenceType:$sequence, Index:$trip,
                       Variadic<Mirage_Tensor>:$values);
  let results = (outs Variadic<Mirage_Tensor>:$results);
  let assemblyFormat = [{
    $sequence `[` $trip `]` (`after` $values^)? attr-dict `:` type($sequence)
    (`,` type($values)^ `to` type($results))?
  }];
}

def Thread_TensorMapType : TypeDef<Thread_Dialect, "TensorMap"> {
  let mnemonic = "tensor_map";
  let summary = "how the copy engine finds boxes of a buffer";
  let description = [{
    Describes a buffer in device memory to a GPU's copy engine, the Tensor Memory
    Accelerator (PTX ISA, "Tensors"): its sizes and strides, and the `box` of elements
    that one instruction copies. Along the box's last dimension is a chunk of 32, 64
    or 128 bytes. In shared memory one chunk follows the other, and their pieces of 16
    bytes are exchanged as in swizzled memory ("Swizzling Modes").

    ```mlir
    !mirage_thread.tensor_map<memref<4096x1024xf16>, box = [128, 64]>
    ```

    Constraints:
    * (tensor_map_c1) the buffer has one to five dimensions and elements of 16 bits;
      those along its last dimension are neighbours, and the strides of the others are
      multiples of 16 bytes;
    * (tensor_map_c2) `box` has an entry from 1 to 256 for each dimension, and the
      last is 16, 32 or 64 elements.
  }];
  let parameters = (ins "::mlir::MemRefType":$buffer,
                        ArrayRefParameter<"int64_t">:$box);
  let assemblyFormat = "`<` $buffer `,` `box` `=` `[` $box `]` `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The bytes of a tensor map, and of which multiple it begins (CUDA driver
    /// API, CUtensorMap).
    static constexpr int64_t numBytes = 128, alignment = 64;
    /// Returns true if a buffer is one that the copy engine can describe
    /// (tensor_map_c1).
    static bool canDescribe(::mlir::MemRefType buffer);
  }];
}

def Thread_TensorMapOp : Op<Thread_Dialect, "tensor_map", [
    Pure, TypesMatchWith<"the map is of the buffer", "result", "buffer",
                         "::llvm::cast<TensorMapType>($_self).getBuffer()">]> {
  let summary = "a tensor map of a buffer";
  let description = [{
    Stands in a host function: who launches its kernels makes the map of the buffer's
    address and of what the type says (CUDA driver API, cuTensorMapEncodeTiled), and
    passes the map's 128 bytes as a parameter.
  }];
  let arguments = (ins AnyStaticShapeMemRef:$buffer);
  let results = (outs Thread_TensorMapType:$result);
  let assemblyFormat = "$buffer attr-dict `:` type($result)";
}

def Thread_LoaderOp : Op<Thread_Dialect, "loader", [
    SingleBlock, NoTerminator,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "what the block's last warps do instead of all that follows";
  let description = [{
    The last `warps` warps of the block execute the region and end. The others
    go on with what follows; they are the warps of which the layouts of tiles
    speak, and they meet at `barrier`.

    Constraints:
    * (loader_c1) `warps` is between 1 and 31, and the block has more;
    * (loader_c2) it stands in the body of a kernel, once;
    * (loader_c3) it holds loops, conditions, arithmetic on scalars,
      `select_buffer`, asynchronous and bulk copies and waits for them, tiles
      between shared memory and registers, operators on those, `barrier`,
      `ring_acquire`, `ring_publish`, `ring_receive` and `thread_registers`
      only;
    * (loader_c4) no `gpu.barrier` follows it.
  }];
  let arguments = (ins I64Attr:$warps);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`warps` `(` $warps `)` attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Thread_ThreadRegistersOp : Op<Thread_Dialect, "thread_registers", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the registers of a thread from here on";
  let description = [{
    In a loader, each thread of its warps gives up registers until it has `count`;
    behind it, each thread of the other warps waits for registers until it has
    `count` (PTX ISA, "setmaxnreg"). All together have no more than the block is
    launched with.

    Constraints:
    * (thread_registers_c1) `count` is a multiple of 8 from 24 to 256;
    * (thread_registers_c2) it stands in or behind the kernel's `loader`, under no
      loop and no branch, and the warps that execute it are whole warpgroups.
  }];
  let arguments = (ins I64Attr:$count);
  let assemblyFormat = "$count attr-dict";
  let hasVerifier = 1;
}

def Thread_BarrierOp : Op<Thread_Dialect, "barrier", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "barrier of the loader's warps, or of the others";
  let description = [{
    In a loader, each thread of its warps waits for all others of them and sees
    what they wrote before; behind it, the other warps do (PTX ISA, barrier.sync
    with a number of threads).

    Constraints:
    * (barrier_c1) it stands in or behind the kernel's `loader`.
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

class Thread_RingUseOp<string mnemonic, dag more>
    : Op<Thread_Dialect, mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = !con((ins Thread_RingType:$ring, Index:$trip), more);
  let hasVerifier = 1;
}

class Thread_LoaderRingOp<string mnemonic>
    : Thread_RingUseOp<mnemonic, (ins I64Attr:$group)> {
  let assemblyFormat = [{
    $ring `` `[` $trip `]` `group` `(` $group `)` attr-dict `:` type($ring)
  }];
}

class Thread_WorkerRingOp<string mnemonic>
    : Thread_RingUseOp<mnemonic, (ins)> {
  let assemblyFormat = "$ring `` `[` $trip `]` attr-dict `:` type($ring)";
}

def Thread_RingAcquireOp : Thread_LoaderRingOp<"ring_acquire"> {
  let summary = "wait until a group has released a stage";
  let description = [{
    The loader waits until the group has released the stage of this trip, as
    often as the stage was published before. What the group read there may be
    overwritten then.

    Constraints:
    * (ring_acquire_c1) it stands in a `loader`, and the ring has the group.
  }];
}

def Thread_RingPublishOp : Thread_LoaderRingOp<"ring_publish"> {
  let summary = "a stage is full";
  let description = [{
    Each thread of the loader says that what it has copied to the stage of this
    trip, and has waited for, and what it has stored there is what the group
    waits for. wgmma may read it there.

    Constraints:
    * (ring_publish_c1) it stands in a `loader`, and the ring has the group.
  }];
}

def Thread_RingReceiveOp : Thread_LoaderRingOp<"ring_receive"> {
  let summary = "wait for what the copy engine brings to the loader itself";
  let description = [{
    The loader's warps wait until the stage of this trip is full, which they have
    published before: what the copy engine brings there (`bulk_copy`) has come, and
    they may prepare operands of it. The mbarriers are those of a ring of their own,
    since the other warps wait for what is prepared.

    Constraints:
    * (ring_receive_c1) it stands in a `loader`, and the ring has the group.
  }];
}

def Thread_SelectBufferOp : Op<Thread_Dialect, "select_buffer", [
    Pure, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "one of several buffers, by its number";
  let description = [{
    Gives the buffer with this number among the operands, or the tensor map of one.
    The parts of a tensor that a kernel reads or writes may lie in buffers of their
    own; a block chooses the one that its tile is a part of. All threads of the block
    have the same number, which is less than that of the operands.

    Constraints:
    * (select_buffer_c1) there are at least two buffers;
    * (select_buffer_c2) all have the type of the result: a tensor map, or a memref in
      device memory.
  }];
  let arguments = (ins Index:$number,
                       Variadic<AnyTypeOf<[AnyStaticShapeMemRef,
                                           Thread_TensorMapType]>>:$buffers);
  let results = (outs AnyTypeOf<[AnyStaticShapeMemRef,
                                 Thread_TensorMapType]>:$result);
  let assemblyFormat = [{
    $number `of` $buffers attr-dict `:` type($buffers) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Thread_BulkCopyOp : Op<Thread_Dialect, "bulk_copy", [
    AttrSizedOperandSegments,
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "copy of a tile to a stage by the copy engine";
  let description = [{
    One thread of the loader lets the GPU's copy engine copy a box of elements of shape
    `sizes` from a buffer in device memory to the stage of this trip. The group that
    awaits the stage waits for the copy as well: cp.async.bulk.tensor of the PTX ISA,
    whose bytes the mbarrier of the full stage counts. What lies beyond the end of the
    buffer, or before its beginning where an offset is negative, is zeros in the target. The copy is one instruction for each of the map's
    boxes.

    Constraints:
    * (bulk_copy_c1) offsets have one entry for each dimension of their side, and
      `sizes` has one for each of the last dimensions of both; of those before, one
      index is copied;
    * (bulk_copy_c2) sizes are multiples of the map's box, which has one element along
      the dimensions before;
    * (bulk_copy_c3) the target lies in shared memory and has the elements of the
      source; it is swizzled in chunks of the box's last size, and the chunks of a box
      follow each other there;
    * (bulk_copy_c4) it stands in a `loader`, and the ring has the group.

    The first element of each box must stand where swizzling begins anew.
  }];
  let arguments = (ins Thread_TensorMapType:$source,
                       Variadic<Index>:$source_offsets,
                       AnyStaticShapeMemRef:$target,
                       Variadic<Index>:$target_offsets,
                       DenseI64ArrayAttr:$sizes, Thread_RingType:$ring,
                       Index:$trip, I64Attr:$group);
  let assemblyFormat = [{
    $source `` `[` $source_offsets `]` `to` $target `` `[` $target_offsets `]`
    `sizes` $sizes `for` $ring `` `[` $trip `]` `group` `(` $group `)` attr-dict
    `:` type($source) `to` type($target) `for` type($ring)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Returns the map's box along the dimensions of `sizes`.
    ::llvm::ArrayRef<int64_t> getBox() {
      return getSource().getType().getBox().take_back(getSizes().size());
    }
    /// Calls a function with the offset of each box in the tile.
    void forEachBox(::llvm::function_ref<void(::llvm::ArrayRef<int64_t>)> call);
  }];
}

def Thread_RingAwaitOp : Thread_WorkerRingOp<"ring_await"> {
  let summary = "wait until a stage is full";
  let description = [{
    Each group of warps waits until the stage of this trip is full for it, and
    sees what the loader copied there: warps w × `warps` to (w + 1) × `warps` - 1
    are group w.

    Constraints:
    * (ring_await_c1) it stands behind the kernel's `loader`.
  }];
}

def Thread_RingReleaseOp : Thread_WorkerRingOp<"ring_release"> {
  let summary = "the warp has read a stage";
  let description = [{
    Each warp, or each of its lanes, says that it has read the stage of this trip
    for the last time. The
    loader may fill it again when all warps of the group have.

    Constraints:
    * (ring_release_c1) it stands behind the kernel's `loader`.
  }];
}

#endif // MIRAGE_DIALECT_THREAD_IR_THREADRINGS
