//===- AttachTarget.cpp - Name the GPU of a module ------------------------===//
//
// Sets the module's target from a preset; see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Transforms/Passes.h"

namespace mirage {
#define GEN_PASS_DEF_ATTACHTARGET
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

namespace {
struct AttachTarget : public mirage::impl::AttachTargetBase<AttachTarget> {
  using AttachTargetBase::AttachTargetBase;

  void runOnOperation() override {
    StringRef name = MirageDialect::getTargetAttrName();
    auto named = getOperation()->getAttrOfType<TargetAttr>(name);
    if (named && clusters)
      return;
    FailureOr<TargetDescription> target =
        named ? named.getDescription() : parseTargetPreset(chip, [&] {
          return emitError(getOperation().getLoc());
        });
    if (failed(target))
      return signalPassFailure();
    if (!clusters)
      target->clusterPerClock = 0;
    getOperation()->setAttr(name, TargetAttr::get(&getContext(), *target));
  }
};
} // namespace
