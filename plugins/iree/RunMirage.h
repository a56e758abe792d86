//===- RunMirage.h - Mirage's tools as a pass of IREE -----------*- C++ -*-===//
//
// Declares the pass by which iree-compile lets Mirage optimize a program. It
// needs nothing of Mirage but its tools, and of MLIR nothing that changes
// often, so that it can be built with the MLIR that IREE has.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_PLUGINS_IREE_RUNMIRAGE_H
#define MIRAGE_PLUGINS_IREE_RUNMIRAGE_H

#include "mlir/Pass/Pass.h"
#include <memory>
#include <string>

namespace mirage::iree {

struct RunMirageOptions {
  /// The folder of mirage-opt and mirage-translate; empty where they are on
  /// PATH.
  std::string tools;
  /// Options of mirage-optimize, such as "effort=200 deadline=10".
  std::string optimize;
  /// Options of mirage-lower-to-nvvm, such as "chip=sm_80".
  std::string lowering;
};

/// Makes a pass on a module that takes what mirage-opt --mirage-optimize and
/// mirage-translate --mirage-to-iree make of it. A tool that is not there or
/// that fails is an error at the module, with what the tool has said.
std::unique_ptr<mlir::Pass> createRunMiragePass(RunMirageOptions options = {});

/// Registers the pass as iree-mirage, with these options.
void registerRunMiragePass();

} // namespace mirage::iree

#endif // MIRAGE_PLUGINS_IREE_RUNMIRAGE_H
