//===- TransformOps.td - Mirage in schedules ---------------*- tablegen -*-===//
//
// Declares the operations that Mirage adds to the transform dialect, so that
// the schedule of another compiler can search, tile and verify where it chooses.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMOPS_TRANSFORMOPS
#define MIRAGE_TRANSFORMOPS_TRANSFORMOPS

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/IR/TransformTypes.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// A handle to functions.
def Transform_FuncOpType : Transform_ConcreteOpType<"func.func">;

class Mirage_TransformOp<string mnemonic, list<Trait> traits = []>
    : Op<Transform_Dialect, "mirage." # mnemonic,
         !listconcat([DeclareOpInterfaceMethods<MemoryEffectsOpInterface>],
                     traits)> {
  let cppNamespace = "::mirage";
}

/// Applies a pass to each function of a handle, which is consumed.
class Mirage_FunctionTransformOp<string mnemonic>
    : Mirage_TransformOp<mnemonic, [TransformOpInterface, TransformEachOpTrait]> {
  let arguments = (ins Transform_FuncOpType:$target,
                       DefaultValuedAttr<DictionaryAttr, "{}">:$options);
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure
    applyToOne(::mlir::transform::TransformRewriter &rewriter,
               ::mlir::func::FuncOp target,
               ::mlir::transform::ApplyToEachResultList &results,
               ::mlir::transform::TransformState &state);
  }];
}

def TransformSuperoptimizeOp : Mirage_FunctionTransformOp<"superoptimize"> {
  let summary = "Replaces functions by faster programs that a search finds";
  let description = [{
    Runs `mirage-superoptimize` for each function of the handle. `options` are
    those of the pass, but for `function`; `interactive` is false unless it is
    given. Functions are made of kernel operators:
    `transform.apply_registered_pass "mirage-import-linalg"` makes them of linalg
    and TOSA.

    The handle is consumed, since bodies are replaced. `function` is associated
    with the same functions, and `verdict` with what became of each, as a string:
    `proved` or `equivalent` for what replaced it, `unchanged` where nothing
    faster was found.

    It is a silenceable failure if a function is no symbol of a module or if
    candidates cannot be made of anything that it is made of. Options that the
    pass does not have, or cannot meet, are a definite failure.

    ```mlir
    %new, %verdict = transform.mirage.superoptimize %f
        with options = {kernels = 1, target = "sm_80"}
        : (!transform.op<"func.func">)
        -> (!transform.op<"func.func">, !transform.any_param)
    ```
  }];
  let results = (outs Transform_FuncOpType:$function,
                      TransformParamTypeInterface:$verdict);
  let assemblyFormat = [{
    $target (`with` `options` `=` $options^)? attr-dict
        `:` functional-type(operands, results)
  }];
}

def TransformTileOp : Mirage_FunctionTransformOp<"tile"> {
  let summary = "Makes chains of products one kernel of tiles";
  let description = [{
    Runs `mirage-tile` for each function of the handle. `options` are those of
    the pass, but for `function`: with `expr` and `tiles` a schedule says how, and
    without them the pass searches.

    The handle is consumed, since bodies are replaced; `function` is associated
    with the same functions.

    It is a silenceable failure if a function is no symbol of a module or no chain
    of products, or if it has no such tiling. It then stays as it was. Options
    that the pass does not have are a definite failure.

    ```mlir
    %new = transform.mirage.tile %f
        with options = {expr = "mn(k,h)", tiles = "m:128,n:64,k:32,h:64"}
        : (!transform.op<"func.func">) -> !transform.op<"func.func">
    ```
  }];
  let results = (outs Transform_FuncOpType:$function);
  let assemblyFormat = [{
    $target (`with` `options` `=` $options^)? attr-dict
        `:` functional-type(operands, results)
  }];
}

def TransformVerifyEquivalentOp : Mirage_TransformOp<"verify_equivalent",
    [DeclareOpInterfaceMethods<TransformOpInterface>]> {
  let summary = "Shows that functions compute the same, or fails";
  let description = [{
    Compares each function of `candidate` with that of `original` in the same
    place, as `mirage-verify-equivalence` does. The functions may be at any mix of
    levels, linalg among them, and in different modules. Nothing is changed, and
    the handles stay valid. `verdict` is associated with a string for each pair,
    `proved` or `equivalent`.

    It is a silenceable failure if a candidate is refuted, not decided, or refused
    for its errors in floating point; the error is at the candidate, and says
    why. So it is if the handles have different numbers of functions.

    ```mlir
    %verdict = transform.mirage.verify_equivalent %original, %candidate
        {error_bits = 50.0 : f64}
        : (!transform.op<"func.func">, !transform.op<"func.func">)
        -> !transform.any_param
    ```
  }];
  let arguments = (ins
    Transform_FuncOpType:$original,
    Transform_FuncOpType:$candidate,
    DefaultValuedAttr<F64Attr, "40.0">:$error_bits,
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntNonNegative]>, "0">:$seed,
    DefaultValuedAttr<BoolAttr, "true">:$check_floats,
    DefaultValuedAttr<BoolAttr, "false">:$shrink);
  let results = (outs TransformParamTypeInterface:$verdict);
  let assemblyFormat = [{
    $original `,` $candidate attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif // MIRAGE_TRANSFORMOPS_TRANSFORMOPS
