//===- SearchPasses.td - Passes that search ----------------*- tablegen -*-===//
//
// Declares the passes that search for tilings and for faster programs. Passes.td
// includes it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_SEARCHPASSES_TD
#define MIRAGE_TRANSFORMS_SEARCHPASSES_TD

include "mlir/Pass/PassBase.td"

def TuneLaunches : Pass<"mirage-tune-launches", "::mlir::ModuleOp"> {
  let summary = "Execute launches as they are measured fastest";
  let description = [{
    Measures for each launch other extents of its grid and its loops, and other
    schedules, and takes the fastest. Extents change by factors that move between
    a grid dimension, a loop and a tile, so that the launch computes what it
    computed; of one that is taken this is shown as by
    `mirage-verify-equivalence`, or it is refused. A schedule that is written in
    the launch stays, and so does all of the launch.

    The cost model says which `top` tilings are measured first, and what is not
    measured at all, since it takes `slack` times its least. Then neighbours of
    the fastest one are, until none of them gains `min-gain`, and then options of
    `mirage-schedule-launches` one by one for the two fastest tilings. The launch
    that is written has its `mirage.schedule`.

    A launch may leave sums of parts to another one that alone reads them and
    merges them. How many parts there are is chosen before, for both launches
    together: other numbers are made by factors that move between the parts and
    what is summed in each, and taken where both launches, as they are then, gain
    `min-gain` of their time.

    With `measure=instructions`, as it is a part of `mirage-lower-to-nvvm` by
    default and as `mirage-optimize` ends with it for the tilings of what it
    found, nothing is measured: the cost model's time and the instructions of the kernels that the
    lowering makes say what is fastest, as `mirage-superoptimize` compares
    candidates. Of the planner's options only `columns` is tried then.

    Either way launches are programs of their own, with what the lowering makes no
    memory of among their operands: constants, such as masks that it computes of
    indices, and slices, transposes and concatenations that are read where the
    tensors lie that they are of. Other operands come from device memory. Launches
    are measured one by one, by the pipeline `mirage-lower-to-nvvm` on the first GPU.
    What would need more kernels for what is put together, cut out or
    padded beside a launch is not taken. It is an error if the tool cannot measure,
    or if there is no GPU of the target's compute capability. With `measure=auto`
    launches then stay as they are. Times go to the file `measurements`, and what
    is there is not measured again; `measure=recorded` chooses by such a file,
    without a GPU.

    ```
    mirage-opt program.mlir --mirage-optimize --mirage-lower-to-launches --mirage-tune-launches='measurements=times.json' --mirage-lower-to-nvvm
    mirage-opt program.mlir --mirage-optimize --mirage-lower-to-nvvm='measure=recorded measurements=times.json'
    ```

    Remarks (`--remarks-filter=mirage-tune-launches --remark-policy=all`) say what
    each way took and was predicted to take, and which was chosen.
  }];
  let options = [
    Option<"measure", "measure", "::mirage::TilingMeasure",
           "::mirage::TilingMeasure::Device",
           "What says the times: instructions, the GPU (device), a file "
           "(recorded), or the first of the latter that can (auto)",
           [{::llvm::cl::values(
             clEnumValN(::mirage::TilingMeasure::Instructions, "instructions",
                        "the cost model, and the instructions of the kernels"),
             clEnumValN(::mirage::TilingMeasure::Device, "device",
                        "the first GPU, by mirage-lower-to-nvvm"),
             clEnumValN(::mirage::TilingMeasure::Recorded, "recorded",
                        "the file measurements"),
             clEnumValN(::mirage::TilingMeasure::Auto, "auto",
                        "device, else recorded, else launches stay"))}]>,
    Option<"measurements", "measurements", "std::string", "\"\"",
           "File of measured times in JSON: read if it is there, and with "
           "device written">,
    Option<"top", "top", "unsigned", "8",
           "Tilings that are measured first, and neighbours in each step">,
    Option<"slack", "slack", "double", "1.5",
           "Tilings that take so many times the least by the cost model are not "
           "measured">,
    Option<"minGain", "min-gain", "double", "0.02",
           "The part of its time that another way must gain">,
    Option<"schedules", "schedules", "bool", "true",
           "Try options of mirage-schedule-launches, too, and write the "
           "schedules; without it launches have tilings alone">,
    Option<"clusterBlocks", "cluster-blocks", "int64_t", "0",
           "Blocks of a cluster, at most: 1 to 8; 0: what is fastest">,
    Option<"bulkCopies", "bulk-copies", "bool", "true",
           "Let kernels take tensor maps for the copy engine">,
    Option<"interactive", "interactive", "bool", "true",
           "Show on stderr how many launches are left where they take seconds">
  ];
  let dependentDialects = [
    "::mirage::MirageDialect", "::mirage::kernel::KernelDialect",
    "::mirage::block::BlockDialect", "::mirage::thread::ThreadDialect",
    "::mlir::func::FuncDialect"];
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
    rest, are faster than the best of the whole, they replace it. Up to
    `alternatives` other graphs of the function, which the rules of
    `mirage-transform-graphs` make, have kernels that are chosen among as well
    (`docs/Search.md`). Operators that candidates cannot be made of stay. A function that is neither marked nor named
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
    result is compared with the original as it is made of launches, and in the
    pipeline `mirage-optimize` by the instructions of the kernels of both. Without it
    operators are kernels of a library, and any compiler fuses elementwise
    operators, casts and layout operators into the kernels that make or read their
    values.

    With `measure=device` the candidates and pieces that would be compared by the
    instructions of their kernels are lowered, run on the first GPU and timed, as
    `mirage-tune-launches` does it, and so is the original; the model still says
    which are compared. Times go to the file `measurements`, and what is there is
    not measured again. `measure=recorded` makes the same choice of such a file
    without a GPU. A program that is not in it is priced by the instructions of its
    kernels, and a remark says how many were.

    ```
    mirage-opt program.mlir --mirage-optimize='measure=device measurements=times.json'
    mirage-opt program.mlir --mirage-optimize='measure=recorded measurements=times.json'
    ```

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
    each candidate and of each piece, by its operators, what each rule pruned, and
    what the options `alternatives` and `orders` left out;
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
           "and casts do not count, at most 32. With 0 the search goes on with "
           "more operators as long as it has states for them">,
    Option<"maxKernelOperators", "max-kernel-operators", "unsigned", "5",
           "Kernels of a kernel graph that is made of pieces, launches and "
           "pre-defined ones; or as many as the function's if it has more">,
    Option<"kernels", "kernels", "unsigned", "2",
           "Launches of a candidate for a piece or for the whole, at most: 1 or "
           "2">,
    Option<"pieces", "pieces", "bool", "true",
           "Search for pieces of a function, too, and not only for the whole">,
    Option<"alternatives", "alternatives", "unsigned", "8",
           "Other graphs that rules make of a function, whose kernels are chosen "
           "among as well, at most">,
    Option<"orders", "orders", "unsigned", "4",
           "Orders of dimensions in which tensors between kernels may be stored "
           "beside the program's, the largest tensors first, at most">,
    Option<"effort", "effort", "uint64_t", "2000",
           "Work of the searches for a function of n operators, in thousands of "
           "prefixes of block graphs, and n^3 / 2000 times as much besides; 0 for "
           "no limit">,
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
    Option<"measure", "measure", "::mirage::TilingMeasure",
           "::mirage::TilingMeasure::Instructions",
           "What says, with fused, the times by which the best candidates are "
           "compared in the end: instructions, the GPU (device), a file "
           "(recorded), or the first of the latter that can (auto)",
           [{::llvm::cl::values(
             clEnumValN(::mirage::TilingMeasure::Instructions, "instructions",
                        "the instructions of the kernels, if passes make them"),
             clEnumValN(::mirage::TilingMeasure::Device, "device",
                        "the first GPU, by mirage-lower-to-nvvm"),
             clEnumValN(::mirage::TilingMeasure::Recorded, "recorded",
                        "the file measurements"),
             clEnumValN(::mirage::TilingMeasure::Auto, "auto",
                        "device, else recorded, else instructions"))}]>,
    Option<"measurements", "measurements", "std::string", "\"\"",
           "File of measured times in JSON: read if it is there, and with "
           "device written">,
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

#endif // MIRAGE_TRANSFORMS_SEARCHPASSES_TD
