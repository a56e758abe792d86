//===- ThreadInboxes.td - Parts that blocks push ------------*- tablegen -*-===//
//
// Defines the operations by which the blocks of a cluster store parts of tiles in
// each other's shared memory. A block knows by the bytes that have come that all
// parts are there, so that no barrier stands behind the stores, and nobody reads
// another block's memory.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_THREAD_IR_THREADINBOXES
#define MIRAGE_DIALECT_THREAD_IR_THREADINBOXES

def Thread_InboxType : TypeDef<Thread_Dialect, "Inbox"> {
  let mnemonic = "inbox";
  let summary = "the mbarrier that counts what other blocks push";
  let description = [{
    An mbarrier that each block of a cluster has at the same offset of its shared
    memory (PTX ISA, "Tracking asynchronous operations by the mbarrier object"). It
    is complete when `bytes` bytes of other blocks have come.

    ```mlir
    !mirage_thread.inbox<bytes = 16384>
    ```

    Constraints:
    * (inbox_c1) `bytes` is positive and less than 2^20.
  }];
  let parameters = (ins "int64_t":$bytes);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The bytes of an mbarrier.
    static constexpr int64_t numBytes = 8;
  }];
}

def Thread_InboxOp : Op<Thread_Dialect, "inbox", [
    MemoryEffects<[MemRead, MemWrite]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "the mbarrier of an inbox, in shared memory";
  let description = [{
    Initializes the mbarrier at an offset of the block's dynamic shared memory. One
    thread does, and no other one waits for it: who opens the inbox does.

    Constraints:
    * (inbox_c2) the offset is not negative and a multiple of 8;
    * (inbox_c3) it stands in the body of a kernel, before its `loader` where it has
      one.
  }];
  let arguments = (ins I64Attr:$offset);
  let results = (outs Thread_InboxType:$result);
  let assemblyFormat = "`offset` `(` $offset `)` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

class Thread_InboxUserOp<string mnemonic>
    : Op<Thread_Dialect, mnemonic, [MemoryEffects<[MemRead, MemWrite]>]> {
  let arguments = (ins Thread_InboxType:$inbox);
  let assemblyFormat = "$inbox attr-dict `:` type($inbox)";
  let hasVerifier = 1;
}

def Thread_InboxOpenOp : Thread_InboxUserOp<"inbox_open"> {
  let summary = "let other blocks push";
  let description = [{
    Each thread says that it uses the memory no more to which others will push
    (barrier.cluster.arrive.relaxed of the PTX ISA). Where it stands before the
    kernel's loader, the loader's threads say so, too, and end when all threads of the
    cluster have.

    Constraints:
    * (inbox_open_c1) it stands in the body of a kernel, under no loop and no branch.
  }];
}

def Thread_InboxMeetOp : Thread_InboxUserOp<"inbox_meet"> {
  let summary = "wait until all blocks may be pushed to";
  let description = [{
    Each thread waits until all threads of the cluster have opened the inbox, and may
    push then. It orders no other access to memory (barrier.cluster.wait).

    Constraints:
    * (inbox_meet_c1) it stands in the body of a kernel, under no loop and no branch.
  }];
}

def Thread_InboxAwaitOp : Thread_InboxUserOp<"inbox_await"> {
  let summary = "wait for all parts";
  let description = [{
    Each thread waits for those of its block that do not load, and until all bytes have
    come from other blocks, and sees what they all have pushed to the block.

    Constraints:
    * (inbox_await_c1) it stands in the body of a kernel, under no loop and no branch.
  }];
}

def Thread_PushFragmentOp : Op<Thread_Dialect, "push_fragment", [
    MemoryEffects<[MemWrite]>]> {
  let summary = "a tile from registers into the memory of the cluster's blocks";
  let description = [{
    Writes the tile to the box that begins at `offsets`, as `store_fragment` does: index
    i of the target's first dimension lies in the memory of the block of rank i. Another
    block's inbox counts the bytes (PTX ISA, st.async). An element with several places
    is written once.

    Constraints:
    * (push_fragment_c1) there is an offset for each dimension of the target;
    * (push_fragment_c2) the value has a layout, the target's element type, and a box of
      the target's shape;
    * (push_fragment_c3) the target is in `#mirage_thread.cluster_memory`, and elements
      have 32 or 64 bits.
  }];
  let arguments = (ins Mirage_Tensor:$value, AnyStaticShapeMemRef:$target,
                       Variadic<Index>:$offsets, Thread_InboxType:$inbox);
  let assemblyFormat = [{
    $value `to` $target `` `[` $offsets `]` `for` $inbox attr-dict `:` type($value)
    `to` type($target) `for` type($inbox)
  }];
  let extraClassDeclaration = [{
    /// Returns the number of neighbours, at most `most`, that one access stores.
    int64_t getAccessLength(int64_t most);
  }];
  let hasVerifier = 1;
}

#endif // MIRAGE_DIALECT_THREAD_IR_THREADINBOXES
