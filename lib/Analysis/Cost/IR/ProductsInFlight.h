//===- ProductsInFlight.h - Products that a warp waits for ------*- C++ -*-===//
//
// Follows the products by wgmma that a warp begins and waits for, in the order
// of its instructions.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_COST_IR_PRODUCTSINFLIGHT_H
#define MIRAGE_LIB_ANALYSIS_COST_IR_PRODUCTSINFLIGHT_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace mirage {

/// The products by wgmma that a warp has begun, on a clock that goes on with
/// its instructions and while it waits. Nothing else keeps tensor cores busy.
class ProductsInFlight {
public:
  /// Executes instructions that take so many clocks.
  void advance(double clocks) { now += clocks; }
  /// Executes an assembly statement, which may begin a group of products, wait
  /// for some, or do both. Returns the clocks for which the warp waits in it.
  double execute(llvm::StringRef assembly);
  /// Lets time go by in which the warp does again, in other iterations of a
  /// loop, what it did in the one that was executed: as many products as are in
  /// flight now are behind the last one.
  void repeat(double clocks);

private:
  double now = 0;
  /// When the groups of products end that the warp has not waited for.
  llvm::SmallVector<double, 2> ends;
};

} // namespace mirage

#endif // MIRAGE_LIB_ANALYSIS_COST_IR_PRODUCTSINFLIGHT_H
