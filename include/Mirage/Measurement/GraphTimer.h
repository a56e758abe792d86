//===- GraphTimer.h - What measures kernels for passes ----------*- C++ -*-===//
//
// Passes that choose among candidates by measured times ask a GraphTimer. They
// find it as an interface of the dialect `mirage`, which a tool registers if it
// can run kernels (DeviceTimer.h) and a plugin does not: passes depend on
// neither the lowering nor a driver.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MEASUREMENT_GRAPHTIMER_H
#define MIRAGE_MEASUREMENT_GRAPHTIMER_H

#include "Mirage/MuGraph/MuGraph.h"
#include "Mirage/Semantics/Target.h"
#include "mlir/IR/DialectInterface.h"
#include "llvm/Support/Error.h"

namespace mirage {

/// Microseconds of one run of all kernels of a graph; or the reason why the
/// graph is no candidate: it has no lowering, or its kernels don't fit on the
/// device.
struct GraphTime {
  double microseconds = 0;
  std::string rejection;

  bool isRejected() const { return !rejection.empty(); }
};

/// Times graphs that compute the same function.
class GraphTimer {
public:
  virtual ~GraphTimer() = default;

  /// Names what runs the kernels: "NVIDIA H200 (sm_90)".
  virtual llvm::StringRef getDevice() const = 0;

  /// Times one graph, on which `passes` run before it is lowered, a pipeline as
  /// text, such as mirage-schedule-launches with other options than the
  /// lowering gives it. An error comes from the driver, or says that a kernel
  /// computed something wrong; the timer is of no use afterwards.
  virtual llvm::Expected<GraphTime> time(const MuGraph &graph,
                                         llvm::StringRef passes) = 0;
};

struct GraphTimerOptions {
  TargetDescription target;
  /// True if the graphs' results are equal for inputs of -1, 0 and 1, in
  /// whatever order sums are taken. The timer then compares each graph's
  /// results with the first one's.
  bool isExact = false;
};

/// Makes timers for a tool.
class GraphTimerInterface
    : public mlir::DialectInterface::Base<GraphTimerInterface> {
public:
  explicit GraphTimerInterface(mlir::Dialect *dialect) : Base(dialect) {}

  /// Makes a timer. An error says why kernels for this target cannot be run
  /// here.
  virtual llvm::Expected<std::unique_ptr<GraphTimer>>
  open(const GraphTimerOptions &options) const = 0;
};

} // namespace mirage

#endif // MIRAGE_MEASUREMENT_GRAPHTIMER_H
