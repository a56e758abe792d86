//===- DeviceTimer.h - Times of graphs on a GPU -----------------*- C++ -*-===//
//
// Declares a GraphTimer that uses the pipeline mirage-lower-to-nvvm, the NVPTX
// backend and the CUDA driver, all in process.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MEASUREMENT_DEVICETIMER_H
#define MIRAGE_MEASUREMENT_DEVICETIMER_H

#include "Mirage/Measurement/GraphTimer.h"
#include "Mirage/Runtime/KernelRunner.h"
#include "mlir/IR/DialectRegistry.h"

namespace mirage {

/// Makes a timer that runs kernels on a device. Times are medians as
/// KernelRunner.h measures them, over rotating inputs. A result element that no
/// kernel writes is an error. So are results that differ from the first
/// graph's, if they must be equal. The device must have the target's compute
/// capability, since other times would say nothing about the target.
llvm::Expected<std::unique_ptr<GraphTimer>>
makeDeviceTimer(std::unique_ptr<runtime::CudaDriver> driver,
                const GraphTimerOptions &options,
                const runtime::TimingOptions &timing = {});

/// Lets passes of contexts that are made from this registry measure on the
/// first GPU.
void registerDeviceTimer(mlir::DialectRegistry &registry);

} // namespace mirage

#endif // MIRAGE_MEASUREMENT_DEVICETIMER_H
