//===- TrialKernel.h - Kernels of launches that are only tried --*- C++ -*-===//
//
// Builds the kernel of a launch with a schedule outside of any program, to see
// what it needs and where its tiles are.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_TRIALKERNEL_H
#define MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_TRIALKERNEL_H

#include "KernelBuilder.h"
#include "Mirage/Schedule/LaunchSchedule.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

namespace mirage {

struct TrialKernel {
  mlir::OwningOpRef<mlir::gpu::GPUModuleOp> module;
  /// This is a function of the module. Where it could not be built, it is there
  /// in part, and an error was emitted.
  mlir::gpu::GPUFuncOp function;
  std::optional<KernelShape> shape;
};

/// Builds the kernel of a launch, of which findScheduleObstacle finds nothing
/// in the way of a schedule.
TrialKernel buildTrialKernel(kernel::LaunchOp launch,
                             const LaunchSchedule &schedule,
                             TargetAttr target = {});

/// Notes at each load and product of such a launch how it comes to shared
/// memory, or by which instruction it is computed. Fails with an error where
/// the kernel cannot be built.
llvm::LogicalResult writeWays(kernel::LaunchOp launch,
                              const LaunchSchedule &schedule);

/// Prints where the tiles of a kernel are that a schedule made: a line for each
/// that lies in shared memory, with its bytes there, how its rows lie, what
/// brings it and what reads it; then a line for each shape and layout in which
/// values are in registers, with how many of 32 bits a thread has for one. An
/// operation is named with the line from which it comes.
void printTiles(mlir::gpu::GPUFuncOp kernel, llvm::raw_ostream &out);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_TRIALKERNEL_H
