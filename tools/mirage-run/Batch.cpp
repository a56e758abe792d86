//===- Batch.cpp - All functions of a program at once ---------------------===//
//
// Runs the functions with one folder of NumPy files for each of them.
//
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mirage;

/// Returns the inputs in `folder`; those that are missing are made and written.
static llvm::Expected<llvm::SmallVector<TensorValue>>
getInputs(const Entry &entry, llvm::StringRef folder,
          const BatchOptions &options) {
  llvm::SmallVector<TensorValue> inputs;
  for (auto [i, signature] : llvm::enumerate(entry.arguments)) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, "input" + llvm::Twine(i) + ".npy");
    if (!llvm::sys::fs::exists(path)) {
      inputs.push_back(options.makeInput(signature, i));
      if (llvm::Error error = writeValue(path, inputs.back()))
        return error;
      continue;
    }
    llvm::Expected<TensorValue> input = readInput(path, signature, i);
    if (!input)
      return input.takeError();
    inputs.push_back(std::move(*input));
  }
  return inputs;
}

/// Writes prefixN.npy for each of the values.
static llvm::Error writeAll(llvm::StringRef folder, llvm::StringRef prefix,
                            llvm::ArrayRef<TensorValue> values) {
  for (auto [i, value] : llvm::enumerate(values)) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, prefix + llvm::Twine(i) + ".npy");
    if (llvm::Error error = writeValue(path, value))
      return error;
  }
  return llvm::Error::success();
}

static llvm::Error writeBounds(llvm::StringRef folder,
                               llvm::ArrayRef<TensorValue> bounded) {
  llvm::SmallVector<TensorValue> exact, bounds;
  for (const TensorValue &value : bounded) {
    Tensor<double> errors{Shape(value.shape())}, numbers = errors;
    for (int64_t i = 0, e = value.size(); i < e; ++i) {
      numbers.data[i] = value.value(i);
      errors.data[i] = value.error(i);
    }
    exact.push_back({ElementType::f64, std::move(numbers)});
    bounds.push_back({ElementType::f64, std::move(errors)});
  }
  if (llvm::Error error = writeAll(folder, "exact", exact))
    return error;
  return writeAll(folder, "bound", bounds);
}

static LogicalResult runOne(Entry entry, const BatchOptions &options) {
  llvm::SmallString<128> folder(options.folder);
  llvm::sys::path::append(folder, entry.name);
  auto fail = [&](llvm::Error error) {
    return entry.function.emitError()
           << "mirage-run cannot run @" << entry.name << ": "
           << llvm::toString(std::move(error));
  };
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return fail(llvm::errorCodeToError(error));
  auto inputs = getInputs(entry, folder, options);
  if (!inputs)
    return fail(inputs.takeError());
  auto results = interpret(entry.function, *inputs, options.interpreter);
  if (failed(results))
    return failure();
  if (llvm::Error error = writeAll(folder, "result", *results))
    return fail(std::move(error));
  if (!options.withBounds)
    return success();
  auto bounded =
      interpret(entry.function, *inputs, InterpreterOptions{Precision::Bound});
  if (failed(bounded))
    return failure();
  if (llvm::Error error = writeBounds(folder, *bounded))
    return fail(std::move(error));
  return success();
}

LogicalResult mirage::runBatch(llvm::ArrayRef<Entry> entries,
                               const BatchOptions &options) {
  bool allRan = true;
  for (const Entry &entry : entries)
    allRan &= succeeded(runOne(entry, options));
  return success(allRan);
}
