//===- InitAllDialects.h - Registration of all dialects ---------*- C++ -*-===//
//
// Registers Mirage's dialects for tools and for embedding compilers.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INITALLDIALECTS_H
#define MIRAGE_INITALLDIALECTS_H

#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Pipelines/Pipelines.h"

namespace mirage {

/// Adds the dialects mirage, mirage_kernel, mirage_block and mirage_thread, and
/// the upstream interfaces that lowering them needs.
inline void registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<MirageDialect, kernel::KernelDialect, block::BlockDialect,
                  thread::ThreadDialect>();
  registerLoweringInterfaces(registry);
}

} // namespace mirage

#endif // MIRAGE_INITALLDIALECTS_H
