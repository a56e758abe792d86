//===- Patterns.h - The patterns of convert-mirage-to-linalg ----*- C++ -*-===//
//
// Declares patterns for dialect conversion; types stay as they are.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_MIRAGETOLINALG_PATTERNS_H
#define MIRAGE_LIB_CONVERSION_MIRAGETOLINALG_PATTERNS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace mirage {

/// Adds patterns for mirage_kernel.launch and mirage_block.thread_graph, with
/// their loads and stores: they become an scf.forall or, if `sequential`, a
/// nest of scf.for.
void populateGraphToSCFPatterns(mlir::RewritePatternSet &patterns,
                                bool sequential);

/// Adds patterns for mirage_block.for with its accumulators.
void populateLoopToSCFPatterns(mlir::RewritePatternSet &patterns);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_MIRAGETOLINALG_PATTERNS_H
