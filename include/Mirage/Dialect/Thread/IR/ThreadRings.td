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
    * (loader_c3) it holds loops, conditions, arithmetic on scalars, asynchronous
      copies and waits for them, tiles between shared memory and registers,
      operators on those, `barrier`, `ring_acquire` and `ring_publish` only;
    * (loader_c4) no `gpu.barrier` follows it.
  }];
  let arguments = (ins I64Attr:$warps);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`warps` `(` $warps `)` attr-dict-with-keyword $body";
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
