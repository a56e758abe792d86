//===- Passes.td - Passes that report and change nothing ---*- tablegen -*-===//
//
// Declares the passes over analyses.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_PASSES
#define MIRAGE_ANALYSIS_PASSES

include "mlir/Pass/PassBase.td"

def VerifyEquivalence : Pass<"mirage-verify-equivalence", "::mlir::ModuleOp"> {
  let summary = "Show that functions compute the same, or that they don't";
  let description = [{
    Compares the function `rhs` with `lhs`, or every function that has an
    attribute `mirage.equivalent_to = @f` with `@f`, in nested modules, too
    (options name functions there as `inner::f`). The functions may be at any
    mix of levels: kernel operators, launches, thread graphs, calls, and the
    arith and tensor operations between them. Nothing is changed. For each pair
    a line goes to the standard output, and the pass fails unless every pair is
    proved or equivalent (or `fail-on-refusal=false`):

    * *proved*: both compute the same function by the laws of exact arithmetic;
    * *equivalent*: random tests over finite fields found no difference; the
      line says with what probability they would overlook one;
    * *refuted*: an element in which the results differ, both values, and the
      seed and the test that show it;
    * *unknown*: why, and a remark at the operation that is the reason.

    A pair that is proved or equivalent is also run in floating point, in the
    precision that it is written in, on normal, large, cancelling and constant
    inputs. A candidate whose error is more than `instability-factor` times that
    of the original, or that is not finite in an element in which the original
    is, is refused as numerically unstable. Where the original is not finite for
    any of these inputs, nothing can be compared, and the candidate is not
    accepted either, but with `check-floats=false`.

    `docs/Verification.md` says what answers mean and why they can be trusted.

    ```mlir
    func.func @f(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>)
        -> tensor<8x4xf32> {
      %y = mirage_kernel.scale %x by 2.0 : (tensor<8x16xf32>) -> tensor<8x16xf32>
      %0 = mirage_kernel.matmul %y, %w
          : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
      return %0 : tensor<8x4xf32>
    }
    func.func @g(%x: tensor<8x16xf32>, %w: tensor<16x4xf32>)
        -> tensor<8x4xf32> attributes {mirage.equivalent_to = @f} {
      %y = mirage_kernel.matmul %x, %w
          : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
      %0 = mirage_kernel.scale %y by 2.0 : (tensor<8x4xf32>) -> tensor<8x4xf32>
      return %0 : tensor<8x4xf32>
    }
    ```

    prints `@g computes what @f does: proved`.
  }];
  let options = [
    Option<"lhs", "lhs", "std::string", "\"\"",
           "Name of the original function">,
    Option<"rhs", "rhs", "std::string", "\"\"",
           "Name of the candidate">,
    Option<"errorBits", "error-bits", "double", "40",
           "Overlook a difference with a probability of at most 2^-error-bits; "
           "positive and finite">,
    Option<"seed", "seed", "uint64_t", "0", "Seed of random tests">,
    Option<"maxTests", "max-tests", "unsigned", "64",
           "Random tests of one pair, at most; at least 2, the tests that an "
           "acceptance takes">,
    Option<"assumeIndependence", "assume-independence", "bool", "false",
           "Take it for granted that exponentials' arguments vary independently "
           "where the tests' error is bounded only if they do and that is not "
           "seen">,
    Option<"threads", "threads", "unsigned", "0",
           "Threads for tests and for runs in floating point; 0 for as many as "
           "processors. Answers "
           "don't depend on it">,
    Option<"prove", "prove", "bool", "true", "Look for proofs">,
    Option<"test", "test", "bool", "true",
           "Test randomly what is not proved">,
    Option<"compareParts", "parts", "bool", "true",
           "Compare what is neither proved nor decided by tests part by part, "
           "between values that both functions compute">,
    Option<"shrink", "shrink", "bool", "false",
           "Compare the functions at small sizes only, to sort candidates out: "
           "what is accepted is not shown at the functions' own sizes">,
    Option<"checkFloats", "check-floats", "bool", "true",
           "Compare errors in floating point">,
    Option<"instabilityFactor", "instability-factor", "double", "16",
           "How many times the original's error a candidate may have; at least 1 "
           "and finite">,
    Option<"floatWork", "float-work", "double", "1e8",
           "Scalar operations for one kind of inputs in floating point, about; "
           "larger pairs are run with fewer rows, columns and heads, and if "
           "need be with shorter sums; positive">,
    Option<"annotate", "annotate", "bool", "false",
           "Attach answers to the candidates as 'mirage.equivalence'">,
    Option<"failOnRefusal", "fail-on-refusal", "bool", "true",
           "Fail unless every pair is accepted. Without, the pass succeeds, so "
           "that what 'annotate' says of refused pairs is printed">
  ];
  let dependentDialects = ["::mirage::MirageDialect"];
}

def ExportSMT : Pass<"mirage-export-smt", "::mlir::ModuleOp"> {
  let summary = "Ask an SMT solver whether two functions differ";
  let description = [{
    Replaces the module by one `smt.solver` that asks whether the functions `lhs`
    and `rhs` differ in any element, for inputs of small extents (or with
    `shrink=false` of their own). `mlir-translate --export-smtlib` makes SMT-LIB
    of it; *unsat* means that the functions are equal at these extents.

    Elements are quotients of two integers: a polynomial identity holds for the
    reals if it holds for the integers, and fractions are equal if their cross
    products are. Denominators are asserted not to be zero. exp of a sum becomes
    the product of an unknown function's values for the summands; other functions
    (max, sqrt, comparisons, ...) are unknown functions of their operands'
    numerators and denominators.

    ```
    mirage-opt pair.mlir --mirage-export-smt='lhs=f rhs=g' |
      mlir-translate --export-smtlib | z3 -in
    ```
  }];
  let options = [
    Option<"lhs", "lhs", "std::string", "\"\"",
           "Name of the original function">,
    Option<"rhs", "rhs", "std::string", "\"\"",
           "Name of the candidate">,
    Option<"shrink", "shrink", "bool", "true",
           "Ask about the functions at small extents">,
    Option<"maxOperations", "max-operations", "unsigned", "200000",
           "Refuse questions of more operations">
  ];
  let dependentDialects = ["::mlir::smt::SMTDialect"];
}

def PrintCost : Pass<"mirage-print-cost", "::mlir::ModuleOp"> {
  let summary = "Print what kernels cost by the analytical model";
  let description = [{
    Prints for every function the kernels that it launches and their estimated
    times on the module's target, to the standard output. Nothing is changed and
    nothing is run. A kernel is a launch, or a pre-defined operator as a library
    would run it; reshapes and constants are none.

    Columns: the kernel's name and line; grid, blocks and waves (rounds of as
    many blocks as are resident at once); bytes loaded by all blocks and stored;
    flops and exponentials; bytes of shared memory of a block with its pipeline;
    what takes longest (`hbm`, `l2`, `tensor`, `cuda_core`, `special`, `shared`,
    `latency`, `launch`); microseconds.

    `model=mirage` is what a good kernel takes, `model=published` the formulas of
    the MCFuser paper, which know no launches, and `model=general` what the general
    lowering takes for a launch today. `Mirage/Analysis/Cost/CostModel.h`
    describes them, `docs/performance/cost-model.md` and
    `docs/performance/tiling.md` hold them against measurements. The time of a launch of which no tile fits into shared memory
    is infinite.

    The total is that of the kernels one after another. Where any compiler would
    make fewer of them, `fused` says the time of these: elementwise operators,
    casts and layout operators are part of the kernel that makes or reads their
    values, where that is faster.

    ```mlir
    module attributes {mirage.target = #mirage.target<sm_90a>} {
      func.func @f(%x: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
        %0 = mirage_kernel.launch grid(x = 512) (%a = %x : tensor<4096x4096xf16>)
            -> tensor<4096x4096xf16> {
          %t = mirage_block.load %a imap(x -> 0)
              : tensor<4096x4096xf16> to tensor<8x4096xf16>
          %r = mirage_block.relu %t : (tensor<8x4096xf16>) -> tensor<8x4096xf16>
          %s = mirage_block.store %r omap(x -> 0)
              : tensor<8x4096xf16> to tensor<4096x4096xf16>
          mirage_block.yield %s : tensor<4096x4096xf16>
        }
        return %0 : tensor<4096x4096xf16>
      }
    }
    ```
  }];
  let options = [
    Option<"model", "model", "::mirage::CostModel",
           "::mirage::CostModel::Mirage", "Which model",
           [{::llvm::cl::values(
             clEnumValN(::mirage::CostModel::Mirage, "mirage",
                        "a good kernel: overlap, waves, latency, launches"),
             clEnumValN(::mirage::CostModel::Published, "published",
                        "MCFuser, equations 2 to 5"),
             clEnumValN(::mirage::CostModel::General, "general",
                        "what the general lowering makes of launches"))}]>,
    Option<"json", "json", "bool", "false",
           "Print an array of functions in JSON, with every count and the time "
           "of every unit">
  ];
  let dependentDialects = ["::mirage::MirageDialect"];
}

def PrintTiling : Pass<"mirage-print-tiling", "::mlir::ModuleOp"> {
  let summary = "Print tilings: of launches, or what one means for a chain";
  let description = [{
    Prints for every function whose only kernel is a launch of a chain of products
    the tiling expression and the tiles that its loops are, as options of
    `mirage-tile`, or why there are none.

    For a function that is a chain, and with `expr`, it prints where Load, Compute
    and Store statements stand before the memory-access optimization of the
    MCFuser paper and after it, and the bytes and flops of each: a tile's times the
    extents of the loops around it. Nothing is changed. `docs/Tiling.md` says more.

    ```
    mirage-opt chain.mlir --mirage-print-tiling='expr=mhnk tiles=m:128,n:64,k:32,h:64'
    ```
  }];
  let options = [
    Option<"expression", "expr", "std::string", "\"\"",
           "Tiling expression, as mhnk or mn(k,h)">,
    Option<"tiles", "tiles", "std::string", "\"\"",
           "Elements of tiles, as m:128,n:64; of others the dimension">
  ];
  let dependentDialects = ["::mirage::MirageDialect"];
}

#endif // MIRAGE_ANALYSIS_PASSES
