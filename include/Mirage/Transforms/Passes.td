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
    module names a target itself. From then on the verifier refuses launches
    that need more shared memory than the target has.
  }];
  let options = [
    Option<"chip", "chip", "std::string", "\"sm_90a\"",
           "Preset to attach: sm_80 or sm_90a">
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
    Replaces softmax, rms_norm and layer_norm of every level by the graph of
    operators that defines them (`Mirage/Semantics/Composite.h`). What is inside
    is computed in f32 (f64 for f64) and rounded once, as the composite operator
    does.
  }];
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

    Primitives, launches and operations of other dialects stay as they are. A
    rule is called after its operator: `enable-patterns=softmax,gelu` takes only
    these apart. Remarks of the category `mirage-fission` say what became of each
    operator and what is opaque.
  }];
  let options = RewritePassUtils.options # [
    Option<"annotate", "annotate", "bool", "false",
           "Note every primitive's class in mirage.primitive_class">
  ];
  let dependentDialects = ["::mirage::kernel::KernelDialect"];
}

#endif // MIRAGE_TRANSFORMS_PASSES
