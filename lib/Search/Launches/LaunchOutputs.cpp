//===- LaunchOutputs.cpp - What a block graph stores ----------------------===//
//
// Decides whether a block graph is complete, and which of its values it stores:
// the program's results, or tensors that a next kernel loads.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/BlockGenerator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mirage;
using namespace mirage::search;
using Role = AbstractValue::Role;

//===----------------------------------------------------------------------===//
// Results of the program
//===----------------------------------------------------------------------===//

/// Returns whether blocks have the parts of a result that the grid divides it
/// into.
bool BlockGenerator::isDividedAsResult(const Value &value,
                                       unsigned result) const {
  llvm::ArrayRef<DimId> whole = problem.getResults()[result].dims;
  if (whole.size() != value.dims.size())
    return false;
  AxisSet divided;
  for (auto [dim, id] : llvm::zip(whole, value.dims)) {
    if (problem.withRemoved(dim, problem.getRemoved(id)) != id ||
        problem.getRemoved(id).contains(kLoop))
      return false;
    if (problem.getRemoved(id).contains(kGrid))
      divided.insert(problem.getParts(id).front().axis);
  }
  return llvm::all_of(graph.gridAxes,
                      [&](uint8_t axis) { return divided.contains(axis); });
}

/// Returns whether a value is a block's part of a result. A copy of an input is
/// stored as it was loaded.
bool BlockGenerator::isResult(unsigned number, unsigned result) const {
  const Value &value = values[number];
  if (value.phase.region != kBody)
    return false;
  if (number < graph.loads.size())
    return graph.loads[number].tensor == copiedInputs[result] &&
           isDividedAsResult(value, result);
  if (value.value.role != Role::Plain || value.shift || value.isShifted ||
      (limits.compareResults && value.normalForm != oracle.getGoals()[result]))
    return false;
  return !copiedInputs[result] && isDividedAsResult(value, result);
}

/// The value that is a result; of several the first one that nothing else is
/// made of, or else the first one.
std::optional<unsigned> BlockGenerator::findResult(unsigned result) const {
  std::optional<unsigned> found;
  for (unsigned number = 0; number < values.size(); ++number)
    if (isResult(number, result) &&
        (!found || (values[*found].uses && !values[number].uses)))
      found = number;
  return found;
}

/// Returns whether each value is used, or one of these.
bool BlockGenerator::areOthersUsed(llvm::ArrayRef<uint8_t> outputs) const {
  llvm::SmallBitVector isOutput(values.size());
  for (uint8_t output : outputs)
    isOutput.set(output);
  return llvm::all_of(llvm::enumerate(values), [&](const auto &entry) {
    return entry.value().uses || isOutput.test(entry.index());
  });
}

/// Emits the graph with these values as the program's results.
void BlockGenerator::emitResults(llvm::ArrayRef<uint8_t> outputs) {
  ++statistics.complete;
  describeValues();
  graph.outputs.assign(outputs.begin(), outputs.end());
  (*sink)(graph, {});
  graph.outputs.clear();
}

/// Emits the graph with each choice of values of the results' shapes, of which
/// the first ones are chosen.
void BlockGenerator::emitChoices(llvm::SmallVectorImpl<uint8_t> &outputs) {
  if (outputs.size() == problem.getResults().size()) {
    if (areOthersUsed(outputs))
      emitResults(outputs);
    return;
  }
  for (unsigned number = 0; number < values.size(); ++number)
    if (isResult(number, outputs.size())) {
      outputs.push_back(number);
      emitChoices(outputs);
      outputs.pop_back();
    }
}

/// Returns whether the graph computes the results, so that it needs no more
/// operators.
bool BlockGenerator::emitLast() {
  llvm::SmallVector<uint8_t, 2> outputs;
  if (!limits.compareResults) {
    if (areLoopsOrdered())
      emitChoices(outputs);
    return false;
  }
  for (unsigned result = 0; result < problem.getResults().size(); ++result) {
    std::optional<unsigned> output = findResult(result);
    if (!output)
      return false;
    outputs.push_back(*output);
  }
  if (!areOthersUsed(outputs))
    return false;
  if (!areLoopsOrdered())
    return true;
  emitResults(outputs);
  // What is computed from a result is not used, unless results look like other
  // values.
  return problem.hasDistinctValues();
}

//===----------------------------------------------------------------------===//
// Tensors for a next kernel
//===----------------------------------------------------------------------===//

/// A value as a tensor that the next kernel loads.
std::optional<KernelTensor> BlockGenerator::getOutput(unsigned number) const {
  const Value &value = values[number];
  if (number < graph.loads.size() || value.phase.region != kBody ||
      value.isShifted ||
      (value.value.role != Role::Plain && value.value.role != Role::Shift))
    return std::nullopt;
  KernelTensor tensor;
  tensor.value = value.value;
  tensor.normalForm = value.normalForm;
  tensor.isComputed = true;
  AxisSet divided;
  Dims dims;
  for (DimId id : value.dims) {
    if (problem.getRemoved(id).contains(kLoop))
      return std::nullopt;
    if (problem.getRemoved(id).contains(kGrid))
      divided.insert(problem.getParts(id).front().axis);
    dims.push_back(*problem.withRemoved(id, {}));
  }
  for (uint8_t axis : graph.gridAxes)
    if (!divided.contains(axis)) {
      // Blocks that compute the same would store it many times.
      if (problem.isSplitAxis(axis) || !value.divided.contains(axis))
        return std::nullopt;
      tensor.info.dims.push_back(
          problem.getWholeAxis(problem.getSplitAxis(axis)));
    }
  tensor.info.dims.append(dims);
  llvm::sort(tensor.info.dims);
  return tensor;
}

/// Stores a value, if a next kernel can load it and there are not too many.
bool BlockGenerator::store(unsigned number, StoredValues &stored) const {
  if (stored.values.size() >= limits.outputs)
    return false;
  std::optional<KernelTensor> tensor = getOutput(number);
  if (!tensor)
    return false;
  stored.values.push_back(number);
  stored.tensors.push_back(std::move(*tensor));
  return true;
}

/// Stores the maxima that stored values are relative to, and says of tensors
/// which ones these are. Returns false if a maximum cannot be stored.
bool BlockGenerator::storeMaxima(StoredValues &stored) const {
  for (unsigned i = 0; i < stored.values.size(); ++i) {
    Shift shift = values[stored.values[i]].shift;
    if (!shift)
      continue;
    auto isMaximum = [&](unsigned number) {
      return values[number].value.role == Role::Shift &&
             values[number].shift == shift &&
             values[number].phase.region == kBody;
    };
    unsigned position =
        llvm::find_if(stored.values, isMaximum) - stored.values.begin();
    if (position == stored.values.size()) {
      unsigned number = graph.loads.size();
      while (number < values.size() && !isMaximum(number))
        ++number;
      if (number == values.size() || !store(number, stored))
        return false;
    }
    stored.tensors[i].shift = Shift::ofTensor(tensors.size() + position);
  }
  return true;
}

/// Returns whether a next kernel gains by a stored value. A maximum is for what
/// is relative to it; a value that needs no sum is as well computed where it is
/// used; and a result needs no next kernel.
bool BlockGenerator::isWorthStoring(const StoredValues &stored,
                                    unsigned position) const {
  const Value &value = values[stored.values[position]];
  if (value.value.role != Role::Shift)
    return value.hasSum &&
           (stored.tensors[position].shift ||
            !llvm::is_contained(oracle.getGoals(), value.normalForm));
  Shift own = Shift::ofTensor(tensors.size() + position);
  return llvm::any_of(stored.tensors, [&](const KernelTensor &tensor) {
    return tensor.shift == own && tensor.value.role == Role::Plain;
  });
}

void BlockGenerator::emitFirst() {
  StoredValues stored;
  for (auto [number, value] : llvm::enumerate(values))
    if (!value.uses && !store(number, stored))
      return;
  if (!storeMaxima(stored))
    return;
  for (unsigned i = 0; i < stored.values.size(); ++i)
    if (!isWorthStoring(stored, i))
      return;
  ++statistics.complete;
  describeValues();
  graph.outputs.assign(stored.values.begin(), stored.values.end());
  (*sink)(graph, stored.tensors);
  graph.outputs.clear();
}
