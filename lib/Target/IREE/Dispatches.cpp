//===- Dispatches.cpp - Functions that launch kernels in IREE -------------===//
//
// Builds flow.dispatch operations. A dispatch binds its operands in order and
// then those of its results that are not tied to operands; a kernel's
// parameters must be in this order.
//
//===----------------------------------------------------------------------===//

#include "Dispatches.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::iree;
using runtime::BufferDescription;
using runtime::FunctionDescription;
using runtime::KernelDescription;

namespace {
class DispatchEmitter {
public:
  DispatchEmitter(const FunctionDescription &function, Executables &executables,
                  OpBuilder &builder)
      : function(function), executables(executables), builder(builder) {}

  LogicalResult emit(const KernelDescription &kernel, Location loc);

  /// What each buffer holds now, by its name; null if nothing was written.
  llvm::StringMap<Value> values;

private:
  RankedTensorType getType(StringRef buffer) const;
  LogicalResult check(const KernelDescription &kernel, Location loc) const;

  const FunctionDescription &function;
  Executables &executables;
  OpBuilder &builder;
};
} // namespace

RankedTensorType DispatchEmitter::getType(StringRef buffer) const {
  const BufferDescription *description = function.findBuffer(buffer);
  return RankedTensorType::get(
      description->shape,
      convertElementType(builder.getContext(), description->type));
}

LogicalResult DispatchEmitter::check(const KernelDescription &kernel,
                                     Location loc) const {
  if (!kernel.tensorMaps.empty())
    return emitError(loc) << "kernel '" << kernel.name
                          << "' takes tensor maps, and IREE makes none: "
                             "leave bulk_copies out of a "
                             "mirage.schedule, and lower with "
                             "bulk-copies=false";
  if (kernel.cluster != runtime::Dim3{1, 1, 1})
    return emitError(loc) << "kernel '" << kernel.name
                          << "' is launched with a cluster of "
                          << kernel.cluster[0] * kernel.cluster[1] *
                                 kernel.cluster[2]
                          << " blocks, but IREE launches no clusters: leave "
                             "cluster_blocks out of a mirage.schedule, and "
                             "lower with cluster-blocks=1";
  // IREE's CUDA driver refuses to load an executable with more.
  constexpr size_t mostBindings = 16;
  if (kernel.arguments.size() > mostBindings)
    emitWarning(loc) << "kernel '" << kernel.name << "' takes "
                     << kernel.arguments.size()
                     << " buffers, but IREE launches kernels with at most "
                     << mostBindings << " on CUDA devices";
  for (const std::string &name : kernel.writes)
    if (llvm::count(kernel.arguments, name) > 1)
      return emitError(loc)
             << "kernel '" << kernel.name << "' takes the buffer '" << name
             << "', which it writes, by several parameters; IREE binds a "
                "buffer that is written only once";
  for (const std::string &name : kernel.reads)
    if (!values.lookup(name) && !llvm::is_contained(kernel.writes, name))
      return emitError(loc)
             << "kernel '" << kernel.name << "' reads the buffer '" << name
             << "', which no kernel has written before";
  return success();
}

LogicalResult DispatchEmitter::emit(const KernelDescription &kernel,
                                    Location loc) {
  if (failed(check(kernel, loc)))
    return failure();
  auto isResult = [&](const std::string &name) {
    return !values.lookup(name) && llvm::is_contained(kernel.writes, name) &&
           !llvm::is_contained(kernel.reads, name);
  };
  // Results are the last parameters. One before others is an operand whose
  // elements are undefined.
  ArrayRef<std::string> arguments(kernel.arguments);
  ArrayRef<std::string> results = arguments;
  while (!results.empty() && !llvm::all_of(results, isResult))
    results = results.drop_front();
  ArrayRef<std::string> operands = arguments.drop_back(results.size());

  SmallVector<Value> operandValues;
  SmallVector<Binding> bindings;
  SmallVector<Attribute> tied;
  SmallVector<Type> types;
  SmallVector<StringRef> written;
  for (auto [position, name] : llvm::enumerate(operands)) {
    Value value = values.lookup(name);
    if (!value)
      value = createUnknown(builder, loc, "flow.tensor.empty", getType(name),
                            {}, {})
                  ->getResult(0);
    operandValues.push_back(value);
    bool writes = llvm::is_contained(kernel.writes, name);
    bindings.push_back(writes ? Binding::ReadWrite : Binding::ReadOnly);
    if (!writes)
      continue;
    tied.push_back(builder.getIndexAttr(position));
    types.push_back(value.getType());
    written.push_back(name);
  }
  for (StringRef name : results) {
    bindings.push_back(Binding::ReadWrite);
    tied.push_back(builder.getIndexAttr(-1));
    types.push_back(getType(name));
    written.push_back(name);
  }
  int32_t numOperands = operandValues.size();
  Operation *dispatch = createUnknown(
      builder, loc, "flow.dispatch", types, operandValues,
      {builder.getNamedAttr(
           "entry_points",
           builder.getArrayAttr(executables.getExport(kernel, bindings, loc))),
       // Workload, operands, and dimensions of operands and of results.
       builder.getNamedAttr("operandSegmentSizes", builder.getDenseI32ArrayAttr(
                                                       {0, numOperands, 0, 0})),
       builder.getNamedAttr("tied_operands", builder.getArrayAttr(tied))});
  for (auto [name, value] : llvm::zip_equal(written, dispatch->getResults()))
    values[name] = value;
  return success();
}

FailureOr<SmallVector<Value>>
iree::emitDispatches(const FunctionDescription &function, ValueRange inputs,
                     ArrayRef<Location> launches, Executables &executables,
                     OpBuilder &builder) {
  DispatchEmitter emitter(function, executables, builder);
  for (const BufferDescription &buffer : function.buffers)
    if (buffer.role == runtime::BufferRole::Input)
      emitter.values[buffer.name] = inputs[buffer.index];
  for (auto [kernel, loc] : llvm::zip_equal(function.kernels, launches))
    if (failed(emitter.emit(kernel, loc)))
      return failure();
  SmallVector<Value> results;
  for (const std::string &name : function.results) {
    results.push_back(emitter.values.lookup(name));
    if (!results.back())
      return emitError(builder.getInsertionBlock()->getParentOp()->getLoc())
             << "no kernel of the function '" << function.name
             << "' writes its result '" << name << "'";
  }
  return results;
}
