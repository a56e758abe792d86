//===- AttachNVVMTarget.cpp - Compile GPU modules for the target ----------===//
//
// Attaches #nvvm.target to GPU modules; see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Support/PassSupport.h"
#include "Mirage/Transforms/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mirage {
#define GEN_PASS_DEF_ATTACHNVVMTARGET
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

namespace {
struct AttachNVVMTarget
    : public mirage::impl::AttachNVVMTargetBase<AttachNVVMTarget> {
  using AttachNVVMTargetBase::AttachNVVMTargetBase;

  void runOnOperation() override {
    // The attribute's own check is an assertion.
    if (failed(checkOptions(
            getOperation().getLoc(), getArgument(),
            {{optLevel >= 0 && optLevel <= 3, "opt-level", "from 0 to 3"}})))
      return signalPassFailure();
    TargetAttr target = lookupTarget(getOperation());
    if (!target) {
      getOperation().emitError(
          "names no target; run mirage-attach-target first");
      return signalPassFailure();
    }
    const std::string &chip = target.getDescription().chip;
    // sm_90a defaults to PTX 8.0, which lacks instructions used here; the
    // backend would die instead of reporting it.
    StringRef features = chip == "sm_90a" ? "+ptx86" : "+ptx80";
    auto nvvm = NVVM::NVVMTargetAttr::get(
        &getContext(), optLevel, "nvptx64-nvidia-cuda", chip, features);
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
      module.setTargetsAttr(ArrayAttr::get(&getContext(), {nvvm}));
  }
};
} // namespace
