//===- Passes.td - Passes within Mirage's dialects ---------*- tablegen -*-===//
//
// Declares the passes that rewrite programs inside of Mirage's dialects.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_PASSES
#define MIRAGE_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"
include "mlir/Rewrite/PassUtil.td"

def AttachTarget : Pass<"mirage-attach-target", "::mlir::ModuleOp"> {
  let summary = "Name the GPU that the module is checked against";
  let description = [{
    Sets the module's attribute `mirage.target` to the preset `chip`, unless the
    module names a target itself. With `clusters=false` the target, also one that
    the module names, has no clusters, for other compilers and runtimes that
    cannot launch them: then search and lowering make none. From then on the verifier refuses launches
    that need more shared memory than the target has.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_90a\"",
           "Preset to attach: sm_80 or sm_90a">,
    Option<"clusters", "clusters", "bool", "true",
           "Whether what launches the kernels can launch clusters">
  ];
  let dependentDialects = ["::mirage::MirageDialect"];
}

def AttachNVVMTarget : Pass<"mirage-attach-nvvm-target", "::mlir::ModuleOp"> {
  let summary = "Compile GPU modules for the module's target";
  let description = [{
    Gives every `gpu.module` an `#nvvm.target` for the chip of the module's
    `mirage.target`, with a version of PTX that has the instructions used here.
  }];
  let options = [
    Option<"optLevel", "opt-level", "int", "3",
           "Optimization level of the NVPTX backend">
  ];
  let dependentDialects = [
    "::mlir::NVVM::NVVMDialect", "::mlir::gpu::GPUDialect"
  ];
}

def DecomposeComposites : Pass<"mirage-decompose-composites"> {
  let summary = "Replace composite operators by the operators they mean";
  let description = [{
    Replaces softmax, norms, variance and attention of every level by the graph
    of operators that defines them (`Mirage/Semantics/Composite.h`). What is inside
    is computed in f32 (f64 for f64) and rounded once, as the composite operator
    does.
  }];
}

def ExpandConvolutions : Pass<"mirage-expand-convolutions"> {
  let summary = "Convolutions as products of what their filters read";
  let description = [{
    Each `mirage_kernel.conv2d` with one group becomes a product: of its input as
    windows, `[n, h', w', kh * kw * c]`, and of its filter as a matrix. The windows are a
    concatenation of slices of the padded input, one for each element of the filter, with
    the convolution's strides. `convert-mirage-block-to-thread` makes no kernels of
    these: a launch with a schedule reads each tile where it lies in the input, and
    zeros beside it. Channels are padded to a multiple of 16 where a filter has several
    elements, and an input that strides do not divide, or with other channels, to
    multiples of these; that has a kernel. A filter
    of few channels that reads each pixel once, as that of patches, is multiplied by
    the patches, which a transpose brings together.

    A convolution that filters each channel by itself stays one, with channels innermost:
    `mirage-default-launches` makes a launch of it.

    One of single pixels with groups of channels becomes a product for each group.

    Channels are innermost. A convolution of `nchw` is computed between transposes, of
    which those that meet cancel out. So they do with operators between them that are
    elementwise, cut, pad, concatenate or repeat pixels, or normalize the channels of
    each image; such a norm becomes the operators that it means.

    Other convolutions with several groups, those of elements that products do not have,
    and those with more images, rows, columns and channels than a grid of three
    dimensions has room for are left as they are.

    With `products=false` only filters of one element, and those of patches, become
    products. Other convolutions stay, and have channels innermost. So `mirage-optimize`
    prepares programs: what the search finds between convolutions has that order, too.
  }];
  let options = [
    Option<"products", "products", "bool", "true",
           "make products of windows">
  ];
  let dependentDialects = ["::mirage::kernel::KernelDialect"];
}

def ExpandCustomOperators : Pass<"mirage-expand-custom-operators"> {
  let summary = "Replace operators of other dialects by what they mean";
  let description = [{
    Replaces every operation of another dialect that implements
    `MuGraphOpInterface` by the operators of `mirage_kernel` that it says it
    computes. `docs/CustomOperators.md` shows how to write one. It is an error if
    what it says is no meaning (constraints meaning_c1 to meaning_c6 of the
    dialect `mirage`).
  }];
  let dependentDialects = ["::mirage::kernel::KernelDialect"];
}

def DefaultAttention : Pass<"mirage-default-attention"> {
  let summary = "Launches in place of attention";
  let description = [{
    Each `mirage_kernel.attention` of f16, bf16 or f32 becomes a launch whose blocks make 64 or 128 rows of
    the result and go through the keys in iterations of 32 to 128, so that no score
    is stored: sums are rescaled whenever a larger score is met. Operands that were
    converted to f32 are taken as they were before. The softmax's terms are of f32;
    beside values of 16 bits they are multiplied as sums of two numbers of 16 bits
    each, so that they lose no more than their last bits. Rows are padded to whole tiles.

    Attention stays, to be decomposed into other operators, where it has other types,
    more than two batch dimensions, more than 256 keys that no number from 32 to 128
    divides, or heads whose tiles do not fit into shared memory.
  }];
  let dependentDialects = ["::mirage::block::BlockDialect"];
}

def DefaultLaunches : Pass<"mirage-default-launches"> {
  let summary = "Launches in place of pre-defined operators";
  let description = [{
    Each `mirage_kernel.matmul` of f16, bf16 or f32 with at most one batch dimension,
    or one right operand for all of them, becomes a launch, whose blocks make tiles of the
    result: 16 to 256 rows and columns, those that take least by the cost model. Where all
    matrices have one right operand, a block has rows of several of them. Where the left
    operand is a concatenation of windows (`mirage-expand-convolutions`), an iteration
    contracts a part of one window. Where no tile of a useful size
    divides a product, its operands are padded with zeros to whole tiles
    (`mirage_kernel.pad`), and the beginning of the result is taken
    (`mirage_kernel.slice`). `convert-mirage-block-to-thread` makes no kernels of
    these: a launch with a schedule clips what it loads and stores.

    A `mirage_kernel.conv2d` with channels last that filters each channel by itself
    becomes a launch, too. Its blocks load a few rows of the image, and some channels,
    once; what the elements of the filter meet are slices of that.

    Elementwise operators that follow a product or such a convolution are computed by the
    same blocks.
    Runs of elementwise operators and reductions of f16, bf16 and f32, such as a norm
    or a softmax, become launches whose blocks have whole rows, or whatever is
    reduced, and a part of the rest. Reshapes by dimensions of size one and
    transposes that keep the innermost dimension are part of such runs. An operator
    joins the launch of all operators that it takes, of some of them, or none, as
    registers and shared memory allow; at most 32 are one launch. Runs that take the
    result of a product join it as a whole where their operators could not one by one.

    A reduction of little, a sixteenth of the largest value of its launch or less, is
    computed by each block that needs it: partial sums are no launch of their own. Where
    several reductions follow each other, a block has whole accesses of each row, and
    otherwise they are several launches. What a launch would store for others is
    computed again by these, by up to eight operators without exponentials, if that takes
    fewer bytes: an image that was converted to f32, or of which a mean was subtracted.

    What remains is lowered operator by operator: products of other types, reductions
    of more elements than a block has registers for (8,192), concatenations, slices,
    other convolutions.
  }];
  let options = [
    Option<"fuse", "fuse", "bool", "true",
           "make launches of elementwise operators and reductions, too">
  ];
  let dependentDialects = ["::mirage::block::BlockDialect"];
}

def ExpandReducedStores : Pass<"mirage-expand-reduced-stores"> {
  let summary = "Combine blocks' values in a second kernel";
  let description = [{
    A launch whose omap reduces grid dimensions (`x -> sum`, `x -> max`) becomes
    a launch that stores every block's value under a leading dimension for the
    blocks, and a `mirage_kernel.reduce` of that dimension.
  }];
}

def Fission : Pass<"mirage-fission"> {
  let summary = "Take kernel operators apart into primitives";
  let description = [{
    Replaces kernel operators by primitives of four classes: elementwise, reduce
    and broadcast, layout, linear (Korch, section 3). Softmax is taken apart with
    its maximum, so that it cannot overflow; what an operator computes inside in
    f32 stays f32 and is rounded once. `docs/Fission.md` lists the rules.

    ```mlir
    func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %0 = mirage_kernel.softmax %x dim(0)
          : (tensor<4x8xf32>) -> tensor<4x8xf32>
      return %0 : tensor<4x8xf32>
    }
    ```

    becomes

    ```mlir
    func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %max = mirage_kernel.reduce max %x dim(0) keep
          : (tensor<4x8xf32>) -> tensor<1x8xf32>
      %shifted = mirage_kernel.sub %x, %max
          : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
      %exp = mirage_kernel.exp %shifted : (tensor<4x8xf32>) -> tensor<4x8xf32>
      %sum = mirage_kernel.reduce sum %exp dim(0) keep
          : (tensor<4x8xf32>) -> tensor<1x8xf32>
      %div = mirage_kernel.div %exp, %sum
          : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
      return %div : tensor<4x8xf32>
    }
    ```

    Primitives, launches and operations of other dialects stay as they are.
    Operations of other dialects that say what they compute
    (`docs/CustomOperators.md`) are replaced by it first, whatever rules are
    enabled. A rule is called after its operator: `enable-patterns=softmax,gelu`
    takes only these apart. Remarks of the category `mirage-fission` say what
    became of each operator and what is opaque.
  }];
  let options = RewritePassUtils.options # [
    Option<"annotate", "annotate", "bool", "false",
           "Note every primitive's class in mirage.primitive_class">
  ];
  let dependentDialects = ["::mirage::kernel::KernelDialect"];
}

def Partition : Pass<"mirage-partition", "::mlir::ModuleOp"> {
  let summary = "Outline subprograms for the superoptimizer";
  let description = [{
    Cuts every function into subprograms that `mirage_kernel` operators form,
    outlines each into a private function with the attribute
    `mirage.superoptimize`, and calls it. Everything else stays in place, side
    effects in their order.

    A subprogram lies in the fragment Lax (Mirage paper, section 5): multi-linear
    operators, division, and at most one exponential on a path; softmax has one.
    Other functions (sqrt, maximum, gelu, ...) count as unknown functions, which
    equivalence tests can treat, unless `strict` is given.

    Cuts are made where few bytes cross: what all subprograms read and write
    together is the least for the orders tried. Of cuts that cost the same, those
    are made at which most subprograms are equal, as layers of a model are, since
    equal ones are searched for once. Softmax is not cut, also where it
    is written with simple operators or normalized after a product. Constants are
    repeated, and subprograms that only move elements are not made. A function
    that runs when a program is loaded (`mirage-split-load`) is not cut.

    With `--remarks-filter=mirage-partition` a remark for each function says how
    many of its operations are in subprograms, and why the largest of the others
    is not. Remarks of the category `mirage-partition-details` say what each
    subprogram has, what else was left in place, and why. Operations in bodies of
    linalg's operations, and those on scalars, have none.

    ```mlir
    func.func @f(%x: tensor<8x64xf16>, %w: tensor<64x32xf16>) -> tensor<8x32xf16> {
      %0 = mirage_kernel.rms_norm %x epsilon(1.0e-5)
          : (tensor<8x64xf16>) -> tensor<8x64xf16>
      %1 = mirage_kernel.matmul %0, %w
          : (tensor<8x64xf16>, tensor<64x32xf16>) -> tensor<8x32xf16>
      return %1 : tensor<8x32xf16>
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: tensor<8x64xf16>, %w: tensor<64x32xf16>) -> tensor<8x32xf16> {
      %0 = call @f_part(%x, %w)
          : (tensor<8x64xf16>, tensor<64x32xf16>) -> tensor<8x32xf16>
      return %0 : tensor<8x32xf16>
    }
    func.func private @f_part(%x: tensor<8x64xf16>, %w: tensor<64x32xf16>)
        -> tensor<8x32xf16> attributes {mirage.superoptimize} {
      %0 = mirage_kernel.rms_norm %x epsilon(1.0e-5)
          : (tensor<8x64xf16>) -> tensor<8x64xf16>
      %1 = mirage_kernel.matmul %0, %w
          : (tensor<8x64xf16>, tensor<64x32xf16>) -> tensor<8x32xf16>
      return %1 : tensor<8x32xf16>
    }
    ```
  }];
  let options = [
    Option<"maxOperators", "max-operators", "unsigned", "24",
           "Operators of a subprogram, at most; layout operators and casts do "
           "not count">,
    Option<"strict", "strict", "bool", "false",
           "Leave functions that are not in Lax out of subprograms">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def RaiseComposites : Pass<"mirage-raise-composites"> {
  let summary = "Recognize norms, softmax, attention and activation functions";
  let description = [{
    Replaces graphs of kernel operators that compute relu, sigmoid, silu, mish,
    gelu, softmax, log_softmax, rms_norm, layer_norm, instance_norm, group_norm
    or attention by that operator.

    What counts is what a graph computes. The graphs from which a value is
    computed are evaluated for inputs of several magnitudes and compared with
    the operators in question, element by element: they must agree up to the
    rounding of the graph's own constants. Functions of one variable are
    compared at 400 points of both signs from 1e-6 to 1e6; norms and softmax at
    several rows, of which none may be computed by cases. Attention is matched as
    two products with softmax between them, whose dimensions may be in any order
    and merged; where a row without a key is set to zero, only if no row can be
    without a key, given finite scores. Heads that share keys and values become
    a batch dimension in which keys and values have a size of one.

    The operator computes in f32 and rounds once. Roundings to a narrower type
    inside of the graph are left out.

    ```mlir
    %0 = mirage_kernel.square %x : (tensor<4x16xf32>) -> tensor<4x16xf32>
    %1 = mirage_kernel.reduce mean %0 dim(1) keep
        : (tensor<4x16xf32>) -> tensor<4x1xf32>
    %2 = mirage_kernel.add %1, %epsilon
        : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
    %3 = mirage_kernel.sqrt %2 : (tensor<4x1xf32>) -> tensor<4x1xf32>
    %4 = mirage_kernel.div %x, %3
        : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
    ```
    becomes
    ```mlir
    %4 = mirage_kernel.rms_norm %x epsilon(1.0e-5)
        : (tensor<4x16xf32>) -> tensor<4x16xf32>
    ```
  }];
  let dependentDialects = ["::mirage::kernel::KernelDialect"];
}

def SplitLoad : Pass<"mirage-split-load", "::mlir::ModuleOp"> {
  let summary = "Compute what constant arguments alone decide when a program is loaded";
  let description = [{
    Arguments of a function with the attribute `mirage.constant` are the same in
    each call, as weights are. What a public function computes from such
    arguments alone moves into a function `NAME.load`, which the function names
    in `mirage.load`. That takes the constant arguments, and its results are
    constant arguments that the function gets behind its own. Whoever runs the
    program calls `NAME.load` once, and again when a constant argument has
    changed. Filters in another order, norms that were learned, padded and
    concatenated weights then take no time in a call.

    ```mlir
    func.func @f(%x: tensor<1x8x8x16xf16>,
                 %w: tensor<32x16x3x3xf16> {mirage.constant})
        -> tensor<1x6x6x32xf16> {
      %0 = mirage_kernel.transpose %w [2, 3, 1, 0]
          : (tensor<32x16x3x3xf16>) -> tensor<3x3x16x32xf16>
      %1 = mirage_kernel.conv2d nhwc %x, %0 strides [1, 1] padding [0, 0, 0, 0]
          dilations [1, 1] groups(1)
          : (tensor<1x8x8x16xf16>, tensor<3x3x16x32xf16>) -> tensor<1x6x6x32xf16>
      return %1 : tensor<1x6x6x32xf16>
    }
    ```
    becomes
    ```mlir
    func.func @f(%x: tensor<1x8x8x16xf16>,
                 %w: tensor<32x16x3x3xf16> {mirage.constant},
                 %l: tensor<3x3x16x32xf16> {mirage.constant})
        -> tensor<1x6x6x32xf16> attributes {mirage.load = @f.load} {
      %0 = mirage_kernel.conv2d nhwc %x, %l strides [1, 1] padding [0, 0, 0, 0]
          dilations [1, 1] groups(1)
          : (tensor<1x8x8x16xf16>, tensor<3x3x16x32xf16>) -> tensor<1x6x6x32xf16>
      return %0 : tensor<1x6x6x32xf16>
    }
    func.func @f.load(%w: tensor<32x16x3x3xf16>) -> tensor<3x3x16x32xf16> {
      %0 = mirage_kernel.transpose %w [2, 3, 1, 0]
          : (tensor<32x16x3x3xf16>) -> tensor<3x3x16x32xf16>
      return %0 : tensor<3x3x16x32xf16>
    }
    ```

    What can be read as quickly in the place of what it is made of stays: other
    shapes and parts of a weight, repeated and widened values, transposes that
    products read, and values that are larger than all that they are made of. So
    does what is returned, since a caller may change it.
    With `kernels`, for programs whose operators are launches already, whatever
    has a kernel moves. A function that has been split is split further:
    `NAME.load` gets more results.

    Functions that others call stay as they are, those with arguments that are no
    tensors of static shape, and with `kernels` those that have operations of
    other dialects. Remarks of the category
    `mirage-split-load` say what moves. The pipelines `mirage-optimize` and
    `mirage-lower-to-nvvm` have this pass unless `load=false`.
  }];
  let options = [
    Option<"kernels", "kernels", "bool", "false",
           "Move what has a kernel of its own, as launches have">
  ];
  let dependentDialects = ["::mlir::func::FuncDialect"];
}

def Tile : Pass<"mirage-tile", "::mlir::ModuleOp"> {
  let summary = "Make chains of products one kernel of nested and sequential loops";
  let description = [{
    Replaces the body of every function that is a chain of products, with
    operators that work element by element and softmax between them, by one
    launch: MCFuser's fusion (`docs/Tiling.md`). Option `function` names one
    function, which must be a chain; without it others stay as they are, and a
    remark says why. So do chains for which there is no tiling, with a warning.

    `expr` and `tiles` say how. m is the loop over rows, k, n, h, ... those over
    the columns of the first operand, of the first product, of the second, ...

    ```
    mirage-opt chain.mlir --mirage-tile='expr=mn(k,h) tiles=m:128,n:64,k:32,h:64'
    ```

    A tile that is not named is its dimension. Tiles divide their dimensions;
    loops of more than one iteration must be in the expression.

    Where no multiple of 16 but the dimension itself divides a dimension, tiles are
    its divisors below 16.

    Without `expr` the tiling of the least time by `measure` among the `top` best
    by the model `estimate` is taken: of all that the pruning rules leave if they
    are at most `exhaustive`, else of those that algorithm 1 of the MCFuser paper
    meets. The same input, options and seed give the same output, on every
    machine, unless `measure` asks for a GPU.

    With `measure=device` selected tilings are lowered by the pipeline
    `mirage-lower-to-nvvm`, run on the first GPU and timed. It is an error if the
    tool cannot do that, if there is no GPU, or one of another compute capability
    than the target's. A tiling that does not lower, or needs more than the GPU
    has, is no candidate; an error of the driver and a wrong result are errors.
    Times go to the file `measurements` and are not taken a second time.
    `measure=recorded` chooses by such a file, without a GPU: the same options
    and seed then give the output that they gave where it was written.

    ```
    mirage-opt chain.mlir --mirage-tile='estimate=general measure=device measurements=times.json'
    mirage-opt chain.mlir --mirage-tile='estimate=general measure=recorded measurements=times.json'
    ```

    Remarks (`--remarks-filter=mirage-tile --remark-policy=all`) say how many
    expressions and candidates each rule leaves, whether fusion can pay (flops for
    each byte of every product, and of the target), what every measured tiling
    took and was predicted to take, and what was chosen; `stats` writes it as
    JSON.
  }];
  let options = [
    Option<"function", "function", "std::string", "\"\"",
           "Function to replace; default: all that are chains">,
    Option<"expression", "expr", "std::string", "\"\"",
           "Tiling expression to apply, as mhnk or mn(k,h); default: search">,
    Option<"tiles", "tiles", "std::string", "\"\"",
           "Elements of tiles for expr, as m:128,n:64">,
    Option<"target", "target", "std::string", "\"\"",
           "GPU, sm_80 or sm_90a; default: the module's mirage.target, or sm_90a "
           "if it has none">,
    Option<"estimate", "estimate", "::mirage::CostModel",
           "::mirage::CostModel::Mirage", "Model that selects candidates",
           [{::llvm::cl::values(
             clEnumValN(::mirage::CostModel::Mirage, "mirage",
                        "of the block graph"),
             clEnumValN(::mirage::CostModel::Published, "published",
                        "MCFuser, equations 2 to 5"),
             clEnumValN(::mirage::CostModel::General, "general",
                        "of the block graph as lowered today"))}]>,
    Option<"measure", "measure", "::mirage::TilingMeasure",
           "::mirage::TilingMeasure::Mirage",
           "What says the times of the selected ones: a model (mirage, "
           "published, general), the GPU (device), a file (recorded), or the "
           "first of device, recorded and the model of estimate that can (auto)",
           [{::llvm::cl::values(
             clEnumValN(::mirage::TilingMeasure::Mirage, "mirage",
                        "model of the block graph"),
             clEnumValN(::mirage::TilingMeasure::Published, "published",
                        "model, MCFuser, equations 2 to 5"),
             clEnumValN(::mirage::TilingMeasure::General, "general",
                        "model of the block graph as lowered today"),
             clEnumValN(::mirage::TilingMeasure::Device, "device",
                        "the first GPU, by mirage-lower-to-nvvm"),
             clEnumValN(::mirage::TilingMeasure::Recorded, "recorded",
                        "the file measurements"),
             clEnumValN(::mirage::TilingMeasure::Auto, "auto",
                        "device, else recorded, else the model of estimate"))}]>,
    Option<"measurements", "measurements", "std::string", "\"\"",
           "File of measured times in JSON: read if it is there, and with "
           "device written">,
    Option<"population", "population", "unsigned", "128",
           "Candidates of a generation">,
    Option<"top", "top", "unsigned", "8",
           "Candidates of a generation that are measured">,
    Option<"epsilon", "epsilon", "double", "0.01",
           "Part by which the best time must improve for the search to go on">,
    Option<"patience", "patience", "unsigned", "3",
           "Generations without such an improvement after which it ends">,
    Option<"exhaustive", "exhaustive", "uint64_t", "4096",
           "Search spaces of at most so many candidates whole">,
    Option<"seed", "seed", "uint64_t", "0", "Seed of the search">,
    Option<"rule1", "rule1", "bool", "true",
           "Keep one of the expressions that make the same block">,
    Option<"rule2", "rule2", "bool", "true",
           "No expressions that keep several tiles of an intermediate result">,
    Option<"rule3", "rule3", "bool", "true",
           "No tiles that do not divide their dimensions; without it they are "
           "counted in the space, as the paper's are, but never applied, since "
           "block graphs cannot pad">,
    Option<"rule4", "rule4", "bool", "true",
           "No tiles of which one of each tensor needs more than 1.2 times the "
           "shared memory of a block">,
    Option<"stats", "stats", "std::string", "\"\"",
           "File for counts and times in JSON">
  ];
  let dependentDialects = [
    "::mirage::MirageDialect", "::mirage::kernel::KernelDialect",
    "::mirage::block::BlockDialect", "::mirage::thread::ThreadDialect",
    "::mlir::func::FuncDialect"
  ];
}

def Superoptimize : Pass<"mirage-superoptimize", "::mlir::ModuleOp"> {
  let summary = "Search for faster programs and show that they are right";
  let description = [{
    Replaces the body of every function that has the attribute
    `mirage.superoptimize` (`mirage-partition` makes them), or of the function
    that option `function` names, by the best µGraph that a search finds (Mirage
    paper, sections 4 and 5): one or two launches, whose operators, maps, grids
    and loops all come from the search. Then the function is cut into convex
    pieces; where launches for pieces, with the function's own kernels for the
    rest, are faster than the best of the whole, they replace it. Operators that
    candidates cannot be made of stay. A function that is neither marked nor named
    stays as it is; where that is all, a warning says what there is instead, and
    what to do.

    A µGraph is accepted only if it is proved to compute what the function does,
    or random tests would overlook a difference with a probability of at most
    2^-error-bits, and if its errors in floating point are those of the function's
    own (`docs/Verification.md`). It replaces the function only if it is faster, by
    `min-gain` at least, by the cost model of `mirage-print-cost`; pieces alike.
    What is known of a function is noted in place of the mark:

    ```
    mirage.superoptimized = {fused_microseconds = 2.520000e+01 : f32,
                             microseconds = 2.110000e+01 : f32,
                             model = "mirage",
                             original_microseconds = 2.940000e+01 : f32,
                             seed = 0 : i64, verdict = "proved"}
    ```

    All of these times are those of the model that is named. The original's is that
    of kernels for each operator; `fused_microseconds` is that of the original with
    its operators fused. With the option `fused` both are those of the launches
    that `mirage-lower-to-launches` makes of each operator, and of the whole, and a
    result is compared with the original as it is made of launches. Without it
    operators are kernels of a library, and any compiler fuses elementwise
    operators, casts and layout operators into the kernels that make or read their
    values.

    The verdict is `proved`, `equivalent` (with `log2_error`), `unchanged` where
    nothing faster was found, or `unsupported` where candidates cannot be made of
    anything that the function is made of (with `reason`). `pieces` says how many
    were replaced, if it was not the whole. `cut` stands in it if the search ended
    early.

    `keep=k` also keeps the k-1 next best accepted µGraphs as private functions
    `@f_alternative_1`, ..., and `keep-original` the function itself as
    `@f_original`. `mirage.equivalent_to` links them, so that
    `--mirage-verify-equivalence` checks the result once more. They are linked to
    the original if it is kept, else to the best.

    ```mlir
    func.func @rmsnorm_linear(%x: tensor<16x4096xf16>, %w: tensor<4096x2048xf16>)
        -> tensor<16x2048xf16> attributes {mirage.superoptimize} {
      %0 = mirage_kernel.rms_norm %x epsilon(1.0e-5)
          : (tensor<16x4096xf16>) -> tensor<16x4096xf16>
      %1 = mirage_kernel.matmul %0, %w
          : (tensor<16x4096xf16>, tensor<4096x2048xf16>) -> tensor<16x2048xf16>
      return %1 : tensor<16x2048xf16>
    }
    ```

    becomes one `mirage_kernel.launch` in which the product is taken of `%x` as it
    is, and divided by the norm after the loop.

    Functions with equal µGraphs (the same operators, attributes, shapes and types
    in the same order, whatever names and locations) are searched for once, and
    each gets the result. Functions are compared, and calls in them inlined, before
    any is replaced.

    The same input and options give the same output with any number of threads:
    `effort`, the one budget of all searches for a function, counts work and no
    time. The search goes on while it finds better programs, or promises to, and
    there is work left. A `deadline` and an interruption (Ctrl-C; the second one ends the process)
    end the search early: the best µGraph verified so far is taken, a warning says
    that the search was cut, and the output depends on when. The deadline ends
    what is generated; three checks of what was generated come on top, each of
    ten seconds at most. The function as a whole generates in the first 60 % of
    the deadline at most, and is then checked. Pieces generate until the
    deadline, or for 40 % of it after that check, whichever is later; then the
    last piece is checked, and then the composition. So `deadline=20` may take
    50 seconds: 12 and 10 for the whole, 8 and 10 for pieces, and 10 for the
    composition; and beyond, since a step of a check is not interrupted. With
    `resume=file` the same command goes on where it was cut: its output is that of
    a search that was not. A file of another program or of other limits is an
    error that says what differs.

    On a terminal a line of less than 80 columns shows where the search is: the
    function's number of how many there are, the best time found and that of the function
    as it is, the seconds that have passed, and the phase. Elsewhere a line goes
    to stderr every five seconds. With `--remarks-filter=mirage-superoptimize` each
    function has one remark: a sentence that says what was gained, and one that
    says what was missed most, which is what a cut search did not see, what plain
    fusion would gain beyond the search, the slowest kernel that is no launch, what
    a limit left out, with the time that a program could still take by a lower
    bound, or what the slowest launch waits for:

    ```
    3 operators in 3 kernels became 1 launch: 12.98 µs instead of 16.27 µs by the
    model mirage (with elementwise operators, casts and layouts fused 12.98 µs
    instead of 14.71 µs); proved. The launch takes 12.98 µs, 11.11 µs of it for
    device memory.
    ```

    Remarks of the category `mirage-superoptimize-details` (with
    `--remark-policy=all`, since many have one name and place) say what became of
    each candidate and of each piece, by its operators, and what each rule pruned;
    `--remarks-filter='mirage-superoptimize.*'` shows both. `stats` writes all of it as JSON, an
    entry for each function; that of a function that shares a search says in
    `equal_to` whose, and has no counts of its own.
  }];
  let options = [
    Option<"function", "function", "std::string", "\"\"",
           "Function to replace; default: those marked mirage.superoptimize">,
    Option<"target", "target", "std::string", "\"\"",
           "GPU to search for, sm_80 or sm_90a; default: the module's "
           "mirage.target, or sm_90a if it has none">,
    Option<"maxBlockOperators", "max-block-operators", "unsigned", "0",
           "Operators of a block graph, accumulators among them; loads, stores "
           "and casts do not count. 0 stands for 11, or for as many as the "
           "program has, with an accumulator for each product, sum and maximum "
           "and a scale for each further product, if that is more, up to 32">,
    Option<"maxKernelOperators", "max-kernel-operators", "unsigned", "5",
           "Kernels of a kernel graph that is made of pieces, launches and "
           "pre-defined ones; or as many as the function's if it has more">,
    Option<"kernels", "kernels", "unsigned", "2",
           "Launches of a candidate for a piece or for the whole, at most: 1 or "
           "2">,
    Option<"pieces", "pieces", "bool", "true",
           "Search for pieces of a function, too, and not only for the whole">,
    Option<"effort", "effort", "uint64_t", "2000",
           "Work of the searches for a function, for each of its operators and "
           "one more, in thousands of prefixes of block graphs; 0 for no limit">,
    Option<"minGain", "min-gain", "double", "0.01",
           "The part of its estimated time that a replacement, of the function "
           "or of a piece, must gain at least">,
    Option<"gridDims", "grid-dims", "unsigned", "3",
           "Grid dimensions of a launch, at most: 1, 2 or 3">,
    Option<"loops", "loops", "unsigned", "3",
           "Loops of a launch, at most: 0 to 3, inside of each other or one "
           "after another">,
    Option<"best", "best", "unsigned", "1",
           "Accepted candidates after which the search ends; at least those to "
           "keep">,
    Option<"threads", "threads", "unsigned", "0",
           "Threads; 0 for as many as processors. Results don't depend on it">,
    Option<"seed", "seed", "uint64_t", "0",
           "Seed of random tests, and of what searches for sizes by chance">,
    Option<"errorBits", "error-bits", "double", "40",
           "Accept different programs with a probability of at most "
           "2^-error-bits; positive and finite">,
    Option<"deadline", "deadline", "double", "0",
           "Seconds after which the search for one function, with those equal to "
           "it, generates nothing more; checks of what was generated take up to "
           "30 seconds more; 0 for none">,
    Option<"keep", "keep", "unsigned", "1",
           "Accepted candidates to keep, the best one among them">,
    Option<"fused", "fused", "bool", "false",
           "Price programs by the launches that the lowering makes of them, and "
           "leave those as they are for which nothing faster is found">,
    Option<"keepOriginal", "keep-original", "bool", "false",
           "Keep replaced functions">,
    Option<"stats", "stats", "std::string", "\"\"",
           "File for counts and times in JSON; - for a table on stderr">,
    Option<"resume", "resume", "std::string", "\"\"",
           "File with what searches have generated: read if it is there, and "
           "written at the end">,
    Option<"prune", "prune", "std::string", "\"normal-form\"",
           "What recognizes prefixes that lead nowhere by their abstract "
           "expressions: normal-form, smt (Z3, with unknown sizes), both or none">,
    Option<"canonicalOrder", "canonical-order", "bool", "true",
           "Generate every graph once; without, in every order of its "
           "operators (to measure what that costs)">,
    Option<"interactive", "interactive", "bool", "true",
           "Show on stderr where a search is, and take Ctrl-C as a request to "
           "end it. A program that embeds the pass turns it off, to keep stderr "
           "and its signals to itself">
  ];
  let dependentDialects = [
    "::mirage::MirageDialect", "::mirage::kernel::KernelDialect",
    "::mirage::block::BlockDialect", "::mirage::thread::ThreadDialect",
    "::mlir::func::FuncDialect"
  ];
}

#endif // MIRAGE_TRANSFORMS_PASSES
