//===- Passes.h - Passes that report and change nothing ---------*- C++ -*-===//
//
// Declares the passes of Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_PASSES_H
#define MIRAGE_ANALYSIS_PASSES_H

#include "Mirage/Analysis/Cost/CostModel.h"
#include "mlir/Dialect/SMT/IR/SMTDialect.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/CommandLine.h"

namespace mirage {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Mirage/Analysis/Passes.h.inc"

} // namespace mirage

#endif // MIRAGE_ANALYSIS_PASSES_H
