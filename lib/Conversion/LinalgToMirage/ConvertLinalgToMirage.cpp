//===- ConvertLinalgToMirage.cpp - The pass convert-linalg-to-mirage ------===//
//
// Converts linalg, tensor and arith on tensors to mirage_kernel operators; see
// Passes.td.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "Mirage/Conversion/Passes.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"

namespace mirage {
#define GEN_PASS_DEF_CONVERTLINALGTOMIRAGE
#include "Mirage/Conversion/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

namespace {
struct ConvertLinalgToMirage
    : public mirage::impl::ConvertLinalgToMirageBase<ConvertLinalgToMirage> {
  using ConvertLinalgToMirageBase::ConvertLinalgToMirageBase;

  void runOnOperation() override {
    if (!Importer(getOperation(), {remarks, assumeAssertions}).run())
      markAllAnalysesPreserved();
  }
};
} // namespace
