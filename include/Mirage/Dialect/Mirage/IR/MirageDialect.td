//===- MirageDialect.td - Attributes of all three levels ---*- tablegen -*-===//
//
// The dialect `mirage` holds no operations: only attributes that kernel, block
// and thread graphs share, and the module's target.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_IR_MIRAGEDIALECT
#define MIRAGE_DIALECT_MIRAGE_IR_MIRAGEDIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "Mirage/Semantics/Enums.td"

def Mirage_Dialect : Dialect {
  let name = "mirage";
  let cppNamespace = "::mirage";
  let summary = "Attributes shared by the dialects of Mirage";
  let description = [{
    Holds `#mirage.target`, which describes the GPU that programs are checked
    against and compiled for, and the enumerations of operators' attributes.

    A module names its target in the attribute `mirage.target`:

    ```mlir
    module attributes {mirage.target = #mirage.target<sm_90a>} { }
    ```

    Constraints of the attribute:
    * (target_c1) it stands on a module;
    * (target_c2) no launch in that module needs more shared memory per block
      than the target has (see `mirage_kernel.launch`).

    The unit attribute `mirage.superoptimize` marks a function that is to be
    replaced by a faster one; `mirage-partition` makes such functions.
    `mirage-superoptimize` puts the dictionary `mirage.superoptimized` in its
    place, which says what became of the function. The attribute
    `mirage.equivalent_to = @f` of a function names the function that it must
    compute, for `mirage-verify-equivalence`, which on request notes its answer in
    the dictionary `mirage.equivalence`.

    The unit attribute `mirage.constant` of an argument says that a caller passes
    the same tensor in each call, as it does with weights. The attribute
    `mirage.load = @f.load` of a function names the function that makes the last
    of its arguments of the other constant ones; `mirage-split-load` makes both.
    Constraints of these attributes:
    * (load_c1) `mirage.constant` stands on an argument of a function, and has no
      value;
    * (load_c2) `mirage.load` stands on a function and names another one of its
      module;
    * (load_c3) the types of that one's results are those of the function's last
      arguments, which are constant;
    * (load_c4) the types of that one's arguments are those of the constant
      arguments before these.

    Compute operators are the same at the three levels. What holds for all of
    them, beside the constraints that each one names:
    * (op_c1) tensors have static shapes and no dimension of size zero;
    * (op_c2) no tensor has 2^63 bytes or more;
    * (op_c3) 8-bit floats are storage: only `cast`, `constant`, `matmul` and the
      layout operators take them;
    * (op_c4) operands have one element type, but for the mask of `attention`;
    * (op_c5) results have the inferred shapes, and the operands' element type
      where the operator doesn't say otherwise.

    An operation of another dialect that implements `MuGraphOpInterface` is a
    custom operator: the interface's `buildMeaning` states what it computes. What
    must hold for it is checked wherever its meaning is needed, not by the
    verifier:
    * (meaning_c1) operands and results are ranked tensors of static shape, no
      dimension of size zero, and a float type that `mirage_kernel` has; the
      operation is no terminator, and its regions read nothing from outside;
    * (meaning_c2) `buildMeaning` succeeds, and `mirage_kernel` is loaded, which
      it is if the operator's dialect depends on it (`dependentDialects`);
    * (meaning_c3) it returns one value for each result, and of its type;
    * (meaning_c4) the meaning consists of compute operators of `mirage_kernel`,
      their constraints satisfied, and of custom operators;
    * (meaning_c5) it reads operands of the operation and what it has built
      before, nothing else;
    * (meaning_c6) custom operators in meanings of custom operators are at most 16
      deep, and all together have at most 10000 operators.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Name of the module attribute that holds a TargetAttr.
    static constexpr ::llvm::StringLiteral getTargetAttrName() {
      return "mirage.target";
    }
    /// Name of the attribute of a lowered host function that says how many of
    /// its arguments are inputs; the others are outputs.
    static constexpr ::llvm::StringLiteral getNumInputsAttrName() {
      return "mirage.num_inputs";
    }
    /// Name of the attribute that marks a function for the superoptimizer.
    static constexpr ::llvm::StringLiteral getSuperoptimizeAttrName() {
      return "mirage.superoptimize";
    }
    /// Name of the attribute in which the superoptimizer notes what it did.
    static constexpr ::llvm::StringLiteral getSuperoptimizedAttrName() {
      return "mirage.superoptimized";
    }
    /// Name of the attribute of a launch that says how it is executed.
    static constexpr ::llvm::StringLiteral getScheduleAttrName() {
      return "mirage.schedule";
    }
    /// Names of the attributes that say how a load of such a launch comes to
    /// shared memory, and by which instruction a product is computed.
    static constexpr ::llvm::StringLiteral getCopyWayAttrName() {
      return "mirage.copy_way";
    }
    static constexpr ::llvm::StringLiteral getProductInstructionAttrName() {
      return "mirage.product_instruction";
    }
    /// Name of the attribute in which fission notes a primitive's class.
    static constexpr ::llvm::StringLiteral getPrimitiveClassAttrName() {
      return "mirage.primitive_class";
    }
    /// Name of the attribute that names the function that a function must
    /// compute, and of that in which the answer is noted.
    static constexpr ::llvm::StringLiteral getEquivalentToAttrName() {
      return "mirage.equivalent_to";
    }
    static constexpr ::llvm::StringLiteral getEquivalenceAttrName() {
      return "mirage.equivalence";
    }
    /// Name of the attribute of an argument that is the same in each call, and
    /// of that which names the function that makes some of them of the others.
    static constexpr ::llvm::StringLiteral getConstantAttrName() {
      return "mirage.constant";
    }
    static constexpr ::llvm::StringLiteral getLoadAttrName() {
      return "mirage.load";
    }
    void registerAttributes();
  }];
}

def Mirage_TargetAttr : AttrDef<Mirage_Dialect, "Target"> {
  let mnemonic = "target";
  let summary = "The GPU that a program is compiled for";
  let description = [{
    `#mirage.target<sm_90a>` names a preset; any of its quantities can be
    overridden: `#mirage.target<sm_90a, multiprocessors = 114>`. The presets,
    their units and their sources are in `Mirage/Semantics/Target.h`.
  }];
  let parameters = (ins "::mirage::TargetDescription":$description);
  let hasCustomAssemblyFormat = 1;
}

def Mirage_ScheduleAttr : AttrDef<Mirage_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "How a launch is executed";
  let description = [{
    The attribute `mirage.schedule` of a launch says how the warps of a block
    share its work: `row_warps` and `column_warps` share the rows and the columns
    of each product, and `loop_groups` groups of so many warps share the
    iterations of each loop; what they accumulate is merged after it. `stages`
    tiles of each load of a loop are in shared memory at a time, the one in use
    and those on their way. `cluster_blocks` blocks of a cluster execute what one
    block of the grid is in the block graph: they share the iterations of its
    loop, and what they accumulate is merged through distributed shared memory.
    With `wgmma = true`, products whose rows fill warpgroups are computed by wgmma,
    which reads its right operand from shared memory, and the others by mma.sync.
    `loader_warps` more warps do nothing but load the tiles of loops, ahead of
    the others; without them, all warps load together and meet at a barrier in
    each iteration. With `loader_prepares = true` they also compute the operands
    that products read from shared memory, where these depend on nothing but the
    tiles of one iteration: normalized or dequantized tiles. With
    `bulk_copies = true` they leave the tiles of loops, and those that a loop needs
    beside them, to the GPU's copy engine, as far as it can bring them to their
    places (`mirage_thread.bulk_copy`), and copy the others themselves. With `index_masks = true`, masks that are constants
    of two numbers and whose elements follow from their indices, as those of causal
    attention and of sliding windows, are computed where they are needed
    (`mirage_thread.index_mask`) and not loaded; iterations that such a mask leaves
    nothing of are left out, where what they compute beside it is finite, and the
    blocks that have most of the others begin first. `persistent_blocks` blocks, where
    there are as many, execute those of the grid in turns: each stays for several of
    them, and its loader brings the tiles of the next one while the other warps store
    what they have computed. Turns go up and down through the blocks, so that who has
    much to do in one has less in the next. With `worker_registers`, the loader's
    threads leave registers to the others, of which each has so many. With
    `deferred_products = true`, products whose left operand is made of another product
    of the same iteration, as that of a softmax's exponentials and the values, are
    made in the next iteration: the instructions run while the warps compute that
    iteration's left operand. With `product_sums = true`, sums of the rows of what a
    product takes as its left operand, as that of a softmax's exponentials, are made by
    this product, of the elements as it takes them: its right operand has eight more
    columns of ones. With `kept_tiles = true`, the tiles that a loop loads stay in
    shared memory, all of them, where later loops load the same tiles in their
    iterations, which read them there then.

    ```mlir
    #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2,
                     stages = 3>
    ```

    Constraints:
    * (schedule_c1) the numbers are positive, and there are at least two stages;
    * (schedule_c2) there are at most 32 warps, the most that a block has, the
      loader's among them;
    * (schedule_c3) it stands on a launch, and `loop_groups` times
      `cluster_blocks` divides the extents of its loops;
    * (schedule_c4) a cluster has at most 8 blocks, which every GPU with clusters
      admits, and more than one only where the launch has loops, none of them in
      another one;
    * (schedule_c5) with `wgmma`, `row_warps` is a multiple of four: a warpgroup
      has 64 rows; or it is one and `column_warps` is: the operands of products
      are exchanged then, so that their columns are the instruction's rows;
    * (schedule_c6) `loader_warps` is not negative, and not zero only where a loop
      of the launch loads tiles;
    * (schedule_c7) `loader_prepares` stands beside `loader_warps` only, where a
      product takes an operand that can be prepared;
    * (schedule_c8) `bulk_copies` stands beside `loader_warps` only, which ask the
      copy engine;
    * (schedule_c9) `index_masks` is true only where the launch loads tiles of such a
      mask, which nothing but elementwise operators take;
    * (schedule_c10) `persistent_blocks` is not negative, and not zero only beside
      `loader_warps`, without a cluster, where the launch has one loop, which puts
      no tiles together;
    * (schedule_c11) `worker_registers` is zero, or a multiple of 8 from 24 to 240
      beside `loader_warps`; of the registers with which the block is launched, it
      leaves at least 24 to each thread of these warps, which are whole warpgroups
      as the others are;
    * (schedule_c12) `deferred_products` stands beside `loader_warps` and `wgmma`
      only, where a loop sums up such a product, which takes a tile from memory that
      nothing else takes;
    * (schedule_c15) `product_sums` stands beside `wgmma` only, where a loop has such
      sums, by which nothing but that product's is divided.

    * (schedule_c16) `kept_tiles` stands without `loader_warps` and `index_masks` only,
      which may leave out other iterations of each loop, where a loop loads tiles that
      an earlier one has loaded, whose rows are aligned.

    What the schedule leaves to the lowering can be said at single operations of the
    launch: at a load the attribute `mirage.copy_way`, which is
    `#mirage<copy_way bulk>` for the copy engine, `async` for cp.async,
    `registers` for loads and stores to shared memory, `direct` for loads into the
    registers that need the tile and `kept` for what an earlier loop has loaded, and at
    a product
    `mirage.product_instruction`, which is `#mirage<product_instruction wgmma>`,
    `mma_sync` or `fma`. `mirage-schedule-launches=each` writes them all.
    Constraints of these attributes:
    * (schedule_c13) `mirage.copy_way` stands on a load whose elements are needed and
      not computed of their indices, and whose tile can come so: the copy engine
      brings what lies in swizzled chunks to a schedule with `bulk_copies`, cp.async
      copies rows that are aligned, only others come by way of registers, and
      directly comes what one operator's registers need, in a launch without loops;
    * (schedule_c14) `mirage.product_instruction` stands on a product whose elements
      the instruction multiplies: wgmma beside `wgmma`, where rows or columns fill
      warpgroups, mma.sync f16 and bf16, and fma other types.

    At an elementwise operator the attribute `mirage_thread.register_layout`, which is
    a `#mirage_thread.layout`, says in which registers it has its result, and at a
    reduction, in which it takes its operand. The first dimension of the layout is that
    of the groups of warps; those of the block graph follow.
    `mirage-schedule-launches` writes it where an integer program finds another layout
    cheaper than the one that the lowering takes by itself.
    * (schedule_c17) `mirage_thread.register_layout` has as many warps as the schedule
      without its loader, and a place for each element of the tile; it stands on no
      operator that the schedule makes a part of another one, or that warps prepare which
      load.

    At a load or an operator the attribute
    `mirage_thread.memory_layout`, which is a string, says how the rows of its tile lie in
    shared memory: `"dense"`, one after the other, `"gaps of 8"`, with as many elements
    from 1 to 64 behind each, or `"chunks of 32"`, in swizzled chunks of 16, 32 or 64
    elements (`#mirage_thread.chunked`). `mirage-schedule-launches` writes it where the
    integer program finds it cheaper than what the lowering does by rule.
    * (schedule_c18) `mirage_thread.memory_layout` stands where the tile lies in shared
      memory as a whole; chunks have elements of 16 bits, and rows that parts of 16
      elements fill, and what wgmma takes as its right operand lies in them.
  }];
  let parameters = (ins "int64_t":$row_warps, "int64_t":$column_warps,
                        "int64_t":$loop_groups, "int64_t":$stages,
                        DefaultValuedParameter<"int64_t", "1">:$cluster_blocks,
                        DefaultValuedParameter<"bool", "false">:$wgmma,
                        DefaultValuedParameter<"int64_t", "0">:$loader_warps,
                        DefaultValuedParameter<"bool", "false">:$loader_prepares,
                        DefaultValuedParameter<"bool", "false">:$bulk_copies,
                        DefaultValuedParameter<"bool", "false">:$index_masks,
                        DefaultValuedParameter<"int64_t", "0">:$persistent_blocks,
                        DefaultValuedParameter<"int64_t", "0">:$worker_registers,
                        DefaultValuedParameter<"bool", "false">:$deferred_products,
                        DefaultValuedParameter<"bool", "false">:$product_sums,
                        DefaultValuedParameter<"bool", "false">:$kept_tiles);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

class Mirage_EnumAttr<EnumInfo info, string mnemonic>
    : EnumAttr<Mirage_Dialect, info, mnemonic>;
def Mirage_ReduceKindAttr : Mirage_EnumAttr<Mirage_ReduceKind, "reduce_kind">;
def Mirage_CompareKindAttr
    : Mirage_EnumAttr<Mirage_CompareKind, "compare_kind">;
def Mirage_GeluFormAttr : Mirage_EnumAttr<Mirage_GeluForm, "gelu_form">;
def Mirage_ConvLayoutAttr : Mirage_EnumAttr<Mirage_ConvLayout, "conv_layout">;
def Mirage_AccumulateKindAttr
    : Mirage_EnumAttr<Mirage_AccumulateKind, "accumulate_kind">;
def Mirage_PrimitiveClassAttr
    : Mirage_EnumAttr<Mirage_PrimitiveClass, "primitive_class">;
def Mirage_CopyWayAttr : Mirage_EnumAttr<Mirage_CopyWay, "copy_way">;
def Mirage_ProductInstructionAttr
    : Mirage_EnumAttr<Mirage_ProductInstruction, "product_instruction">;

#endif // MIRAGE_DIALECT_MIRAGE_IR_MIRAGEDIALECT
