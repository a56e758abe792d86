//===- Inputs.cpp - What a program is run on ------------------------------===//
//
// Draws inputs with a counter-based generator: no state is carried from element
// to element, so elements can be drawn in any order.
//
//===----------------------------------------------------------------------===//

#include "Inputs.h"
#include "Mirage/Runtime/Npy.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/Path.h"

using namespace mirage;

std::string mirage::toString(const TensorSignature &signature) {
  std::string shape = signature.shape.empty()
                          ? ""
                          : mirage::toString(ShapeRef(signature.shape)) + "x";
  return "tensor<" + shape +
         runtime::stringifyElementType(signature.type).str() + ">";
}

/// The output function of SplitMix64 (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014).
static uint64_t mix(uint64_t z) {
  z += 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

/// Returns a number in (0, 1).
static double toUniform(uint64_t bits) {
  return (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53;
}

static double draw(uint64_t key, int64_t index, Distribution distribution) {
  double first = toUniform(mix(key ^ mix(2 * index)));
  if (distribution == Distribution::Constant)
    return 0.5;
  if (distribution == Distribution::Uniform)
    return 2 * first - 1;
  // This is Box and Muller's transformation.
  double second = toUniform(mix(key ^ mix(2 * index + 1)));
  double normal = std::sqrt(-2 * std::log(first)) * std::cos(2 * M_PI * second);
  return distribution == Distribution::Large ? 100 * normal : normal;
}

TensorValue mirage::generateInput(const TensorSignature &signature,
                                  uint64_t seed, unsigned number,
                                  Distribution distribution, double scale) {
  Tensor<double> tensor(signature.shape);
  uint64_t key = mix(mix(seed) + number);
  llvm::parallelFor(0, tensor.data.size(), [&](size_t i) {
    tensor.data[i] =
        roundTo(signature.type, scale * draw(key, i, distribution));
  });
  return {signature.type, std::move(tensor)};
}

llvm::Expected<TensorValue> mirage::readInput(llvm::StringRef path,
                                              const TensorSignature &signature,
                                              unsigned number) {
  llvm::Expected<runtime::Array> array = runtime::readNpy(path);
  if (!array)
    return array.takeError();
  if (ShapeRef(array->shape) != ShapeRef(signature.shape))
    return llvm::createStringError(
        path + " has shape " + toString(ShapeRef(array->shape)) +
        ", but argument " + llvm::Twine(number) + " is " + toString(signature));
  Tensor<double> tensor(signature.shape);
  for (auto [to, from] : llvm::zip_equal(tensor.data, array->data))
    to = roundTo(signature.type, from);
  return TensorValue{signature.type, std::move(tensor)};
}

llvm::Error mirage::writeValue(llvm::StringRef path, const TensorValue &value) {
  runtime::Array array;
  array.shape.assign(value.shape().begin(), value.shape().end());
  array.type = value.type;
  array.data = value.values();
  return runtime::writeNpy(path, array);
}

llvm::Error mirage::writeResults(llvm::StringRef folder,
                                 llvm::ArrayRef<TensorValue> results) {
  if (std::error_code error = llvm::sys::fs::create_directories(folder))
    return llvm::createStringError(error, "cannot make " + folder + ": " +
                                              error.message());
  for (auto [i, result] : llvm::enumerate(results)) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, "result" + llvm::Twine(i) + ".npy");
    if (llvm::Error error = writeValue(path, result))
      return error;
  }
  return llvm::Error::success();
}
