//===- Passes.td - Passes between dialects -----------------*- tablegen -*-===//
//
// Declares the passes that leave one dialect for another.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_CONVERSION_PASSES
#define MIRAGE_CONVERSION_PASSES

include "mlir/Pass/PassBase.td"

def ConvertLinalgToMirage : Pass<"convert-linalg-to-mirage"> {
  let summary = "linalg, tensor and arith on tensors to kernel operators";
  let description = [{
    Converts operations on tensors to `mirage_kernel` operators, one by one: each
    is converted whole, or stays as it is with a remark that says why. Where
    nothing converts, nothing changes. The pass runs on any operation and looks
    into functions, loops and branches of any dialect.

    A linalg operation, named or generic, is read by its loops, its indexing maps
    and its body, not by its name.

    ```mlir
    %0 = linalg.generic {
        indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                         affine_map<(i, j, k) -> (j, k)>,
                         affine_map<(i, j, k) -> (i, j)>],
        iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %b : tensor<4x8xf16>, tensor<16x8xf16>)
        outs(%zeros : tensor<4x16xf32>) {
    ^bb0(%x: f16, %y: f16, %sum: f32):
      %1 = arith.extf %x : f16 to f32
      %2 = arith.extf %y : f16 to f32
      %3 = arith.mulf %1, %2 : f32
      %4 = arith.addf %sum, %3 : f32
      linalg.yield %4 : f32
    } -> tensor<4x16xf32>
    ```

    becomes

    ```mlir
    %0 = mirage_kernel.matmul %a, %b transpose_rhs
        : (tensor<4x8xf16>, tensor<16x8xf16>) -> tensor<4x16xf32>
    ```

    | What | Becomes |
    |---|---|
    | loops all parallel | elementwise operators on operands that are transposed, reshaped and broadcast to the loops; several results, several operators |
    | a sum, maximum or minimum of such values | elementwise operators and `reduce`, one for each run of neighbouring dimensions |
    | a sum of products g(…, k) h(…, k) | `matmul`, with loops of one factor as rows or columns, of both as batch or contracted dimensions; what one factor alone is summed over is summed first |
    | a sum of products read at stride · i + dilation · k | `conv2d`, in the nearer of its layouts, with groups; one spatial dimension or two |
    | a maximum, minimum or sum of what is read so | a `slice` for each element of the window, combined by `max`, `min` or `add`; of more than nine elements first along one dimension and then along the other |
    | `linalg.softmax` | `softmax` |
    | `arith` and `math` on tensors | elementwise operators |
    | `tensor.expand_shape`, `collapse_shape`, `reshape`, `cast` | `reshape`, or nothing |
    | `tensor.extract_slice`, `insert_slice` of constant offsets | `slice`; `concat` of what is around and the slice, `pad` into a constant |
    | `tensor.concat`, `tensor.pad` by a constant | `concat`, `pad` |
    | `arith.constant`, also of a resource, `tensor.splat`, `from_elements` | `constant` |
    | a body of loop indices and constants | `constant`, evaluated for up to 2^22 points |
    | `tensor.extract` at indices that are known for each loop | `slice` and `concat` |
    | `scf.if` on the index of a loop | `concat` of the branches |

    In bodies: `addf subf mulf divf negf maximumf maxnumf minimumf minnumf cmpf
    select extf truncf` and conditions of `i1`; `exp exp2 expm1 log log2 log10
    sqrt rsqrt tanh erf erfc absf fma clampf`, `powf` and `fpowi` of a constant
    exponent, `log1p` of an exponential. Conditions are ones and zeros of a
    floating-point type.

    What may differ from the original, each within what linalg leaves open or one
    rounding:
    * sums of f16 and bf16 are accumulated in f32 and rounded once, and products
      that are widened after they are rounded are not rounded;
    * fused multiply-add rounds twice, and terms are added in any order;
    * `maxnumf` and `minnumf`, and `select` by a comparison of what it selects,
      are `max` and `min`, which are NaN where an operand is;
    * log(1 + exp(x)) has an absolute error of one rounding of 1, erfc(x) too.

    `cf.assert` in a body stops the program where its condition does not hold,
    which no operator does: the operation stays for its assertion, and what it
    computes is converted beside it. `assume-assertions` takes such conditions as
    given and drops the assertions, each with a remark; whether they hold is then
    the caller's business. Assertions outside of bodies stay.

    What a reduction starts from is left out where it is neutral: zero for sums,
    minus infinity for maxima. Anything else, the lowest finite number too, is
    combined with the result.

    Afterwards layouts that meet are combined: broadcasts into the operator that
    does them itself, transposes into `matmul`, padding by zeros into `conv2d`,
    sizes of one into reductions that keep their dimension, sums divided by their
    length into means.
  }];
  let options = [
    Option<"remarks", "remarks", "bool", "true",
           "Say at each operation that stays why it does">,
    Option<"assumeAssertions", "assume-assertions", "bool", "false",
           "Take assertions in bodies as given and drop them">
  ];
  let dependentDialects = ["::mirage::kernel::KernelDialect"];
}

defvar scheduleOptions = [
  Option<"warps", "warps", "int64_t", "8",
         "Warps of a block, about: 1 to 32">,
  Option<"columns", "columns", "int64_t", "64",
         "Columns of a product that one iteration of a loop makes, at most: "
         "at least 32; twice as many where other warps load meanwhile">,
  Option<"clusterBlocks", "cluster-blocks", "int64_t", "0",
         "Blocks of a cluster that share the iterations of a loop, at most: 1 "
         "to 8; 0: as many as the cost model finds fastest">,
  Option<"wgmma", "wgmma", "bool", "true",
         "Compute products whose rows fill warpgroups by wgmma, where the "
         "target has it">,
  Option<"loader", "loader", "bool", "true",
         "Let four warps only load where two warpgroups and more compute "
         "products of products">,
  Option<"prepare", "prepare", "bool", "true",
         "Let the warps that load also compute the operands of products that "
         "depend on what they load for one iteration">,
  Option<"bulkCopies", "bulk-copies", "bool", "true",
         "Let the warps that load leave tiles to the copy engine, for which "
         "kernels take tensor maps that who launches them makes">,
  Option<"indexMasks", "index-masks", "bool", "true",
         "Compute masks whose elements follow from their indices, and leave "
         "out iterations that these leave nothing of">,
  Option<"persistent", "persistent", "bool", "true",
         "Let as many blocks as there are multiprocessors stay for several of "
         "the grid, where they compute products of products, the copy engine "
         "loads, and there is room for one at a time">,
  Option<"defer", "defer", "bool", "true",
         "Let products whose left operand is made of another one run while "
         "warps that have registers for it make the next left operand">,
  Option<"productSums", "product-sums", "bool", "true",
         "Let products by wgmma add up the rows of their left operands, where "
         "these sums divide what they make">,
  Option<"keepTiles", "keep-tiles", "bool", "true",
         "Let the tiles of a loop stay in shared memory where later loops load "
         "them again and there is room for all">,
  Option<"layouts", "layouts", "bool", "true",
         "Choose by an integer program in which registers operators are "
         "executed that no product binds">
];

def ScheduleLaunches
    : Pass<"mirage-schedule-launches", "::mlir::ModuleOp"> {
  let summary = "Choose how launches are executed";
  let description = [{
    Gives each launch that has none a `mirage.schedule`: how many warps share
    the rows and columns of its products and the iterations of its loops, and
    how many stages its loads have (`#mirage.schedule`). The choice fills eight
    warps, and as many stages as hide the latency of device memory and fit into
    the target's shared memory. Where a grid leaves multiprocessors idle and the
    cost model finds it faster, the blocks of clusters share the iterations of
    the launch's loop. With `each=true`, each load of the launch gets a
    `mirage.copy_way` beside it, and each product a `mirage.product_instruction`,
    which say what the lowering does and can be changed.

    A launch that cannot be made of fragments keeps no schedule and goes by way
    of the general lowering; a remark of the category `mirage-schedule` says
    which operation is the reason.
  }];
  let options = !listconcat(scheduleOptions, [
    Option<"each", "each", "bool", "false",
           "Say at each load how it comes to shared memory, and at each product "
           "by which instruction it is computed">
  ]);
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
    "::mirage::thread::ThreadDialect"
  ];
}

def OutlineKernels : Pass<"mirage-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Make functions of the kernel operations among others";
  let description = [{
    Takes the `mirage_kernel` operations out of functions that are no kernel graphs
    (`mirage-keep-calls` says what these are): each goes into a private function,
    `NAME_part`, that is called in its place. What Mirage does not know stays where it
    is: embedding, top-k, random numbers, calls.

    ```mlir
    func.func private @topk(tensor<16x64xf16>) -> tensor<16x8xf16>
    func.func @main(%x: tensor<64x16xf16>) -> tensor<8x16xf16> {
      %0 = mirage_kernel.transpose %x [1, 0] : (tensor<64x16xf16>) -> tensor<16x64xf16>
      %1 = func.call @topk(%0) : (tensor<16x64xf16>) -> tensor<16x8xf16>
      %2 = mirage_kernel.transpose %1 [1, 0] : (tensor<16x8xf16>) -> tensor<8x16xf16>
      return %2 : tensor<8x16xf16>
    }
    ```

    becomes

    ```mlir
    func.func private @topk(tensor<16x64xf16>) -> tensor<16x8xf16>
    func.func @main(%x: tensor<64x16xf16>) -> tensor<8x16xf16> {
      %0 = call @main_part(%x) : (tensor<64x16xf16>) -> tensor<16x64xf16>
      %1 = call @topk(%0) : (tensor<16x64xf16>) -> tensor<16x8xf16>
      %2 = call @main_part_0(%1) : (tensor<16x8xf16>) -> tensor<8x16xf16>
      return %2 : tensor<8x16xf16>
    }
    func.func private @main_part(%x: tensor<64x16xf16>) -> tensor<16x64xf16> {
      %0 = mirage_kernel.transpose %x [1, 0] : (tensor<64x16xf16>) -> tensor<16x64xf16>
      return %0 : tensor<16x64xf16>
    }
    func.func private @main_part_0(%x: tensor<16x8xf16>) -> tensor<8x16xf16> {
      %0 = mirage_kernel.transpose %x [1, 0] : (tensor<16x8xf16>) -> tensor<8x16xf16>
      return %0 : tensor<8x16xf16>
    }
    ```

    | What | Becomes |
    |---|---|
    | operations of a block between which no operation stays that needs one and is needed by another, where one reads another's result or both read the same value | one function |
    | a call of a private kernel graph that nothing else uses, such as one of `mirage-partition`, beside these | a part of the function, which is inlined later; alone it stays as it is |
    | `constant` | a constant of each function that reads it, and `arith.constant` where an operation reads it that stays |
    | `reshape` | a reshape in each function that reads it, and `tensor.collapse_shape` and `tensor.expand_shape`, which move no element, where an operation reads it that stays |
    | operations in branches and loops of other dialects, and in functions of several blocks | functions of each block |

    Operations that stay keep their order, unless one without side effects is needed
    earlier by a call. A function of kernel operations alone is one of these functions,
    too, if it takes or returns anything but tensors of static shape. In the bodies of
    linalg's operations, and in regions whose operations have no order or which functions
    of the module cannot be called from, an operation of `mirage_kernel` is an error.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

def KeepCalls : Pass<"mirage-keep-calls", "::mlir::ModuleOp"> {
  let summary = "Inline no kernel graph among operations of other dialects";
  let description = [{
    Sets `no_inline` on calls of kernel graphs in functions that are none, such as
    those of the subprograms that `mirage-partition` outlines of a program: these are
    lowered as functions of their own, and the program around them stays. A kernel
    graph is a function on tensors of static shape that has `mirage_kernel` operations, custom
    operators, calls of kernel graphs and a return, and nothing else. A call that has
    `no_inline` already is none of these calls.
  }];
}

def PrintSchedule : Pass<"mirage-print-schedule", "::mlir::ModuleOp"> {
  let summary = "Say how launches are executed, and why";
  let description = [{
    Prints for each launch to stdout what `mirage-schedule-launches` with the same
    options gives it, a line for each number with the reason, how many
    microseconds the cost model estimates, what each unit of the GPU would take
    alone, and which one bounds the kernel. Of a launch that has a
    `mirage.schedule` already, the numbers are printed and no reasons. Of one that
    goes by way of the general lowering, the operation that is the reason is. With
    `tiles=true`, a line for each tile of the schedule's kernel that lies in shared
    memory says where, what brings it there (the copy engine, copies, or stores of the
    threads) and what reads it (wgmma, ldmatrix, or loads), and a line for each shape
    and layout in which values are in registers (`#mirage_thread.layout`) says how
    many of 32 bits a thread has for one, and which operations these are.
    Launches of pre-defined operators are printed, too, which the lowering makes
    before it chooses schedules (`mirage-default-attention`,
    `mirage-default-launches`). The program stays as it is.
  }];
  let options = !listconcat(scheduleOptions, [
    Option<"fuse", "fuse", "bool", "true",
           "Make launches of pre-defined operators that stand beside each other">,
    Option<"tiles", "tiles", "bool", "false",
           "Say of each tile where it is, what brings it there and what reads it">
  ]);
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
    "::mirage::thread::ThreadDialect"
  ];
}

def ConvertBlockToThread
    : Pass<"convert-mirage-block-to-thread", "::mlir::ModuleOp"> {
  let summary = "Kernel and block graphs to kernels with explicit memory";
  let description = [{
    Turns every function of `mirage_kernel` operations into a host function on
    memrefs and kernels, each a `gpu.func`. The host function takes the inputs and
    then the outputs, allocates scratch buffers and launches the kernels in
    order. A launch's block graph becomes `mirage_thread` operations on buffers
    in shared memory, each followed by a barrier where another thread reads what
    it wrote; a pre-defined operator becomes one `mirage_thread.compute` over the
    whole grid. A reshape is no kernel, nor is a transpose that moves dimensions of
    size one: the buffer is read under another shape (`memref.reinterpret_cast`).
    Nor is a transpose that keeps the innermost dimension, such as that of
    attention's heads, if launches with a schedule alone read its result, or one
    computes its operand for nothing else: they read and write the other order of
    dimensions, as strides of the memref. Rows must be multiples of 16 bytes. A
    slice that launches alone read is no kernel: they read it in the tensor that it
    is of. Nor is a concatenation of what launches compute for nothing else: they
    write its parts. Rows of both must begin at multiples of 16 bytes. A pad by zeros
    at the ends of dimensions is no kernel if launches with a schedule alone read it,
    nor is a slice of the beginning of each dimension of what such a launch computes
    for nothing else: the launches clip what they load and store. Outputs are buffers
    of their own, so an argument that is returned is copied. Operations that are equal
    but for their operands, such as those of a model's layers, have one kernel.

    A launch with a `mirage.schedule` becomes a kernel whose tiles lie in registers
    and whose loads are pipelined, as the schedule says.

    Composite operators and reduced stores must be gone
    (`mirage-decompose-composites`, `mirage-expand-reduced-stores`). Functions
    without `mirage_kernel` operations stay as they are; one that mixes them with
    other operations is an error. Where such a function calls one that was
    converted, its tensors become buffers and its results are allocated there
    (`bufferization.to_buffer`, `memref.alloc`, `bufferization.to_tensor`), so that
    upstream's bufferization takes it from there.
  }];
  let options = [
    Option<"threads", "threads", "int64_t", "256",
           "Threads of every block: a multiple of 32, at most 1024">,
    Option<"selectBuffers", "select-buffers", "bool", "true",
           "Let the parts of a tensor be buffers of their own, among which the "
           "blocks of a kernel select">
  ];
  let dependentDialects = [
    "::mlir::gpu::GPUDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect", "::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect",
    "::mirage::thread::ThreadDialect"
  ];
}

def EmbedConstants : Pass<"mirage-embed-constants", "::mlir::ModuleOp"> {
  let summary = "Constants as data of the kernels that read them";
  let description = [{
    `convert-mirage-block-to-thread` makes a kernel of a constant whose elements
    differ, which writes it into a buffer in each call. This pass erases such
    kernels and buffers: those that read a constant take it from a constant
    `memref.global` of their `gpu.module` (`memref.get_global`), and have a
    parameter less.

    A constant keeps its kernel where it is returned, where the copy engine reads
    it, which needs its address in the host function (`mirage_thread.tensor_map`),
    and where a kernel is launched with several constants, or with a constant and
    with something else.

    ```mlir
    gpu.func @constant(%out: memref<4xf32>) kernel { … writes [0, 1, 2, 3] }
    gpu.func @add(%x: memref<4xf32>, %c: memref<4xf32>, %out: memref<4xf32>) kernel { … }
    ```

    becomes

    ```mlir
    memref.global "private" constant @constant_0 : memref<4xf32> = dense<[0.0, 1.0, 2.0, 3.0]> {alignment = 16 : i64}
    gpu.func @add(%x: memref<4xf32>, %out: memref<4xf32>) kernel {
      %c = memref.get_global @constant_0 : memref<4xf32>
      …
    }
    ```
  }];
  let dependentDialects = ["::mlir::memref::MemRefDialect"];
}

def ConvertThreadToNVVM
    : Pass<"convert-mirage-thread-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "Kernels with explicit memory to llvm.func kernels";
  let description = [{
    Lowers the `gpu.func` kernels of `convert-mirage-block-to-thread` to
    `llvm.func` kernels of scf, arith, math, llvm and nvvm operations. Elements
    are computed as the table of semantics says (`Mirage/Semantics/Element.h`),
    f8, f16 and bf16 in f32. Exponentials and logarithms are the approximate ones
    of the special-function units for f32 and series for f64.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def ConvertMirageToLinalg
    : Pass<"convert-mirage-to-linalg", "::mlir::ModuleOp"> {
  let summary = "Kernel, block and thread graphs to upstream dialects";
  let description = [{
    Turns every operation of Mirage's graphs into operations of linalg, tensor,
    scf, arith and math on the same tensors, so that any MLIR compiler can go on
    from there, and so that upstream's passes can run every graph on a CPU.

    * An operator becomes the named operation of linalg that says the same, or a
      `linalg.generic`. Floats narrower than f32 are storage: results are
      computed in f32 and rounded once, sums are accumulated in f32. Composite
      operators become the operators that define them. `conv2d` pads its input
      with zeros, so that an infinite or NaN weight reaches the border.
    * `mirage_kernel.launch` becomes an `scf.forall` over its grid and
      `mirage_block.thread_graph` one over its threads; `load` becomes an
      extraction of a slice, `store` a parallel insertion. Stores that reduce
      over blocks go through `mirage-expand-reduced-stores` first.
    * `mirage_block.for` becomes an `scf.for` and its accumulators iteration
      arguments; a rescaled sum carries the largest shift so far.

    ```mlir
    func.func @rows(%x: tensor<64x32xf32>) -> tensor<64xf32> {
      %y = mirage_kernel.launch grid(x = 4) (%a = %x : tensor<64x32xf32>)
          -> tensor<64xf32> {
        %t = mirage_block.load %a imap(x -> 0)
            : tensor<64x32xf32> to tensor<16x32xf32>
        %r = mirage_block.reduce sum %t dim(1)
            : (tensor<16x32xf32>) -> tensor<16xf32>
        %s = mirage_block.store %r omap(x -> 0)
            : tensor<16xf32> to tensor<64xf32>
        mirage_block.yield %s : tensor<64xf32>
      }
      return %y : tensor<64xf32>
    }
    ```

    becomes

    ```mlir
    func.func @rows(%x: tensor<64x32xf32>) -> tensor<64xf32> {
      %0 = tensor.empty() : tensor<64xf32>
      %1 = scf.forall (%i) in (4) shared_outs(%o = %0) -> (tensor<64xf32>) {
        %c16 = arith.constant 16 : index
        %2 = arith.muli %i, %c16 : index
        %t = tensor.extract_slice %x[%2, 0] [16, 32] [1, 1]
            : tensor<64x32xf32> to tensor<16x32xf32>
        %zero = arith.constant 0.0 : f32
        %3 = tensor.empty() : tensor<16xf32>
        %4 = linalg.fill ins(%zero : f32) outs(%3 : tensor<16xf32>)
            -> tensor<16xf32>
        %r = linalg.reduce { arith.addf } ins(%t : tensor<16x32xf32>)
            outs(%4 : tensor<16xf32>) dimensions = [1]
        %5 = arith.muli %i, %c16 : index
        scf.forall.in_parallel {
          tensor.parallel_insert_slice %r into %o[%5] [16] [1]
              : tensor<16xf32> into tensor<64xf32>
        }
      }
      return %1 : tensor<64xf32>
    }
    ```

    Operations around graphs stay. Attributes of the dialect `mirage`, such as
    the module's target, are dropped: a stock `mlir-opt` parses the result. What
    `convert-mirage-block-to-thread` makes works on buffers and is an error.

    With `sequential`, grids and threads become nests of `scf.for` that insert
    slices one after another. Compilers that know no `scf.forall` on tensors
    outside of their own kernels, such as IREE, take these.
  }];
  let options = [
    Option<"sequential", "sequential", "bool", "false",
           "Make scf.for of launches and thread graphs, not scf.forall">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
    "::mlir::tensor::TensorDialect"
  ];
}

#endif // MIRAGE_CONVERSION_PASSES
