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

    Where a filter of several columns has few result channels, a product of windows loads
    the input once for each of its elements and computes little with it. If this saves
    what a kernel costs, the windows are whole rows of the padded input, one for each row
    of the filter, and the columns of the filter stand side by side in the result, in
    f32, whose parts are added up: pixels beside each other, each of another column.

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

    A launch that reduces more elements than a block has registers for (8,192) has a
    loop over their parts, of 4,096 elements at most, and adds up what these reduce to in
    f32. It is one where nothing but what is reduced has the elements: a softmax of such
    rows is several launches.

    Slices, concatenations and reshapes behind a launch, its own or one of the
    program, are applied to the tiles of its blocks, if they are made of its
    results alone, end in one concatenation, leave the dimensions alone that the grid
    divides, and would need a kernel otherwise: the launch stores a reflection of what it
    computes. That must fit into shared memory, and be faster by the cost model.

    What remains is lowered operator by operator: products of other types, reductions
    of long rows whose lengths have no divisor that leaves a part of 128 elements,
    concatenations, slices, other convolutions.
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

def TransformGraphs : Pass<"mirage-transform-graphs", "::mlir::ModuleOp"> {
  let summary = "Take other graphs of the same function where they are cheaper";
  let description = [{
    Rewrites functions of kernel operators by the rules of
    `lib/Transforms/TransformRules.td`, both sides of which compute the same in
    exact arithmetic (Korch, section 3; TASO). The first three rules are for
    weights, and never lose: they are applied wherever they can be. Each other
    rule makes an alternative of a function, in which it is applied wherever it
    can be. The alternative takes the function's place if it takes less by the
    cost model, with what may be fused in one kernel and without what depends on
    weights alone; the next rule is tried on what is there then. So there are as
    many alternatives as rules, and not every set of places where a rule could
    be applied.

    | Rule | Becomes |
    |---|---|
    | `ScaledColumns` | (x w) c with a factor of columns becomes x (w c), and a convolution's channels likewise: a batch norm's factors are part of the filters |
    | `ScaledInput` | (x c) w with a factor of what is contracted becomes x (c w), of convolutions likewise |
    | `NormWeight` | `rms_norm` and `layer_norm` with a weight before products become ones without, and the products' weights have it |
    | `DividedRows`, `MultipliedRows` | (x / d) y and (c x) y with divisors and factors of rows become (x y) / d and c (x y) |
    | `ScaledOperand` | a `scale` of either operand becomes one of the product |
    | `AssociatedRight`, `AssociatedLeft` | (x u) v becomes x (u v), and the other way round |
    | `MergedProducts` | products of one left operand with weights become columns of one product with these weights concatenated |
    | `SlicedProduct` | columns of a product become the product of columns |
    | `SumAsProduct` | a sum of the last dimension becomes a product with ones |
    | `TransposeTwice` | two transposes become one or none |
    | `MovedTranspose` | a transpose before elementwise operators, casts and reductions stands behind them |
    | `TransposedOperand`, `TransposedResult` | transposes of a product's operands or of its result become another order in which it reads |

    Weights are values that depend on arguments with `mirage.constant` alone, so
    that `mirage-split-load` computes what becomes of them once. They are
    multiplied in f32, or f64; those of fewer than 32 bits stay, since they would
    be rounded once more. A factor becomes part of weights where nothing else
    reads it and nothing else reads these weights, and where all that depends on
    it is products with them: so whatever kernels compute the function as it was,
    they compute what the rule makes if they get 1 for the factor and the scaled
    weights for the weights, which have the same shapes and types.

    Remarks of the category `mirage-transform-graphs` say what each rule's
    alternative takes. The pipeline `mirage-optimize` begins with this pass and
    the first three rules. What the others make of subprograms are alternatives of
    `mirage-superoptimize`, which chooses together with what it makes of them; with
    `pieces=false` or `alternatives=0`, all rules but `SlicedProduct` are decided here.

    ```mlir
    func.func @f(%x: tensor<64x128xf16>,
                 %w: tensor<128x32xf16> {mirage.constant},
                 %c: tensor<1x32xf32> {mirage.constant}) -> tensor<64x32xf32> {
      %0 = mirage_kernel.matmul %x, %w
          : (tensor<64x128xf16>, tensor<128x32xf16>) -> tensor<64x32xf32>
      %1 = mirage_kernel.mul %0, %c
          : (tensor<64x32xf32>, tensor<1x32xf32>) -> tensor<64x32xf32>
      return %1 : tensor<64x32xf32>
    }
    ```
  }];
  let options = [
    ListOption<"enabled", "rules", "std::string", "Use these rules alone">,
    ListOption<"disabled", "without", "std::string", "Leave these rules out">,
    Option<"always", "always", "bool", "false",
           "Take alternatives whatever they cost">,
    Option<"minGain", "min-gain", "double", "0.005",
           "The part of a function's time that an alternative saves at least">
  ];
  let dependentDialects = ["::mirage::kernel::KernelDialect"];
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
    many of its operations are in subprograms, how many bytes cross the cuts
    between these and the time that the target's bandwidth takes for them, and why
    the largest operation outside is there. `docs/Search.md` bounds what cuts
    lose. Remarks of the category `mirage-partition-details` say what each
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
    a batch dimension in which keys and values have a size of one. Where scores
    and mask are multiplied together, a mask that is no quotient by the factor is
    multiplied before the operator.

    Scales that stand behind the maximum of a softmax are its input's, and the
    exponential of a log_softmax is a softmax.

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

include "Mirage/Transforms/SearchPasses.td"

#endif // MIRAGE_TRANSFORMS_PASSES
