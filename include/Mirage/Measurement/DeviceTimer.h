//===- DeviceTimer.h - Times of graphs on a GPU -----------------*- C++ -*-===//
//
// A GraphTimer by the pipeline mirage-lower-to-nvvm, the NVPTX backend and the
// CUDA driver, in process.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MEASUREMENT_DEVICETIMER_H
#define MIRAGE_MEASUREMENT_DEVICETIMER_H

#include "Mirage/Measurement/GraphTimer.h"
#include "Mirage/Runtime/KernelRunner.h"
#include "mlir/IR/DialectRegistry.h"

namespace mirage {

/// Times are medians as KernelRunner.h measures them, over rotating inputs. A
/// result element that no kernel writes is an error; results other than the
/// first graph's are, if they must be equal. The device must be of the target's
/// compute capability: other times would say nothing of it.
llvm::Expected<std::unique_ptr<GraphTimer>>
makeDeviceTimer(std::unique_ptr<runtime::CudaDriver> driver,
                const GraphTimerOptions &options,
                const runtime::TimingOptions &timing = {});

/// Passes of contexts made from this registry measure on the first GPU.
void registerDeviceTimer(mlir::DialectRegistry &registry);

} // namespace mirage

#endif // MIRAGE_MEASUREMENT_DEVICETIMER_H
