//===- Manifest.cpp - Description of lowered kernels ----------------------===//

// Implements look-ups, the checks across fields, and the manifest's file. The
// JSON text is in ManifestJSON.cpp.

#include "Mirage/Runtime/LaunchStreams.h"
#include "Mirage/Runtime/ScratchMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace mirage::runtime;
using llvm::createFileError;
using llvm::createStringError;
using llvm::enumerate;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

StringRef mirage::runtime::stringifyBufferRole(BufferRole role) {
  switch (role) {
  case BufferRole::Input:
    return "input";
  case BufferRole::Output:
    return "output";
  case BufferRole::Scratch:
    return "scratch";
  }
  llvm_unreachable("unknown buffer role");
}

const BufferDescription *FunctionDescription::findBuffer(StringRef name) const {
  auto found = llvm::find_if(
      buffers, [&](const BufferDescription &b) { return b.name == name; });
  return found == buffers.end() ? nullptr : &*found;
}

unsigned FunctionDescription::countBuffers(BufferRole role) const {
  return llvm::count_if(
      buffers, [&](const BufferDescription &b) { return b.role == role; });
}

const FunctionDescription *Manifest::findFunction(StringRef name) const {
  auto found = llvm::find_if(
      functions, [&](const FunctionDescription &f) { return f.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

/// Returns an error about the field at `path`.
static Error errorAt(const Twine &path, const Twine &what) {
  return createStringError(what + " at " + path);
}

static Error verifyName(StringRef name, llvm::StringSet<> &seen,
                        const Twine &path) {
  if (name.empty())
    return errorAt(path + ".name", "empty name");
  if (!seen.insert(name).second)
    return errorAt(path + ".name", "duplicate name '" + name + "'");
  return Error::success();
}

static Error verifyBuffer(const BufferDescription &buffer, const Twine &path) {
  int64_t bytes = byteSize(buffer.type);
  bool isEmpty = llvm::is_contained(buffer.shape, 0);
  for (auto [axis, size] : enumerate(buffer.shape)) {
    std::string sizePath = (path + ".shape[" + Twine(axis) + "]").str();
    if (size < 0)
      return errorAt(sizePath, "negative size");
    if (!isEmpty && llvm::MulOverflow(bytes, size, bytes))
      return errorAt(sizePath, "size in bytes overflows 64 bits");
  }
  uint64_t needed = isEmpty ? 0 : bytes;
  bool mayBeLarger = buffer.role == BufferRole::Scratch;
  if (buffer.bytes > INT64_MAX)
    return errorAt(path + ".bytes", "size in bytes overflows 64 bits");
  if (mayBeLarger ? buffer.bytes < needed : buffer.bytes != needed)
    return errorAt(path + ".bytes", "shape and type need " + Twine(needed) +
                                        " bytes, not " + Twine(buffer.bytes));
  return Error::success();
}

/// The indices of the buffers of one role must be 0, 1, ... in any order.
static Error verifyIndices(const FunctionDescription &function, BufferRole role,
                           const Twine &path) {
  llvm::SmallBitVector seen(function.countBuffers(role));
  for (auto [position, buffer] : enumerate(function.buffers)) {
    if (buffer.role != role)
      continue;
    if (buffer.index >= seen.size() || seen.test(buffer.index))
      return errorAt(path + ".buffers[" + Twine(position) + "].index",
                     Twine(stringifyBufferRole(role)) +
                         " indices must be 0 to " + Twine(seen.size() - 1) +
                         ", each once");
    seen.set(buffer.index);
  }
  return Error::success();
}

static Error verifyKernel(const KernelDescription &kernel, const Twine &path) {
  // The limits are those of the CUDA programming guide, technical
  // specifications per compute capability.
  constexpr Dim3 maxGrid = {0x7FFFFFFF, 65535, 65535};
  constexpr Dim3 maxBlock = {1024, 1024, 64};
  constexpr uint64_t maxThreads = 1024, maxClusterBlocks = 16;

  if (kernel.name.empty())
    return errorAt(path + ".name", "empty name");
  uint64_t threads = 1, clusterBlocks = 1;
  for (unsigned i = 0; i < 3; ++i) {
    std::string index = ("[" + Twine(i) + "]").str();
    if (kernel.grid[i] < 1 || kernel.grid[i] > maxGrid[i])
      return errorAt(path + ".grid" + index,
                     "size must be 1 to " + Twine(maxGrid[i]));
    if (kernel.block[i] < 1 || kernel.block[i] > maxBlock[i])
      return errorAt(path + ".block" + index,
                     "size must be 1 to " + Twine(maxBlock[i]));
    if (kernel.cluster[i] < 1 || kernel.cluster[i] > maxClusterBlocks ||
        kernel.grid[i] % kernel.cluster[i] != 0)
      return errorAt(path + ".cluster" + index,
                     "size must be 1 to " + Twine(maxClusterBlocks) +
                         " and divide the grid's " + Twine(kernel.grid[i]));
    threads *= kernel.block[i];
    clusterBlocks *= kernel.cluster[i];
  }
  if (threads > maxThreads)
    return errorAt(path + ".block", Twine(threads) + " threads in a block, " +
                                        Twine(maxThreads) + " are possible");
  if (clusterBlocks > maxClusterBlocks)
    return errorAt(path + ".cluster",
                   Twine(clusterBlocks) + " blocks in a cluster, " +
                       Twine(maxClusterBlocks) + " are possible");
  return Error::success();
}

static Error verifyReferences(const FunctionDescription &function,
                              llvm::ArrayRef<std::string> names,
                              const Twine &path) {
  for (auto [position, name] : enumerate(names))
    if (!function.findBuffer(name))
      return errorAt(path + "[" + Twine(position) + "]",
                     "no buffer is called '" + Twine(name) + "'");
  return Error::success();
}

/// Checks that a tensor map is one that the driver takes, of an argument of the
/// kernel and within its bytes.
static Error verifyTensorMap(const FunctionDescription &function,
                             const KernelDescription &kernel,
                             const TensorMapDescription &map,
                             const Twine &path) {
  constexpr size_t mostDims = 5;
  constexpr int64_t bytesOfStride = 16, mostElements = 256;
  if (!llvm::is_contained(kernel.arguments, map.buffer))
    return errorAt(path + ".buffer",
                   "'" + map.buffer + "' is no argument of the kernel");
  if (byteSize(map.type) != 2)
    return errorAt(path + ".type", "elements of tensor maps have 16 bits");
  size_t rank = map.shape.size();
  if (rank < 1 || rank > mostDims || map.strides.size() != rank ||
      map.box.size() != rank)
    return errorAt(path + ".shape",
                   "one to five sizes, and as many strides and sizes of the "
                   "box, are possible");
  int64_t end = byteSize(map.type);
  for (size_t dim = 0; dim < rank; ++dim) {
    std::string index = ("[" + Twine(dim) + "]").str();
    int64_t size = map.shape[dim], stride = map.strides[dim], last = 0;
    if (size < 1 || size > UINT32_MAX)
      return errorAt(path + ".shape" + index,
                     "size must be 1 to " + Twine(UINT32_MAX));
    if (dim + 1 < rank ? stride < 1 || stride % bytesOfStride
                       : stride != byteSize(map.type))
      return errorAt(path + ".strides" + index,
                     "strides must be multiples of 16 bytes, and the last one "
                     "an element");
    if (map.box[dim] < 1 || map.box[dim] > mostElements)
      return errorAt(path + ".box" + index,
                     "size must be 1 to " + Twine(mostElements));
    if (llvm::MulOverflow(size - 1, stride, last) ||
        llvm::AddOverflow(end, last, end))
      return errorAt(path + ".strides" + index, "bytes overflow 64 bits");
  }
  if (map.box.back() != 16 && map.box.back() != 32 && map.box.back() != 64)
    return errorAt(path + ".box", "the last size must be 16, 32 or 64");
  uint64_t bytes = function.findBuffer(map.buffer)->bytes;
  if (static_cast<uint64_t>(end) > bytes)
    return errorAt(path + ".shape", "'" + map.buffer + "' has " + Twine(bytes) +
                                        " bytes, not " + Twine(end));
  return Error::success();
}

/// Checks that what a kernel reads and writes are arguments of it, that inputs
/// stay as they are, and that what is read was written before. `written` has
/// the buffers that earlier kernels wrote, and gets those of this one.
static Error verifyAccesses(const FunctionDescription &function,
                            const KernelDescription &kernel,
                            llvm::StringSet<> &written, const Twine &path) {
  for (const auto &[field, names] :
       {std::pair("reads", &kernel.reads), std::pair("writes", &kernel.writes)})
    for (auto [position, name] : enumerate(*names)) {
      std::string where =
          (path + "." + field + "[" + Twine(position) + "]").str();
      if (!llvm::is_contained(kernel.arguments, name))
        return errorAt(where, "the kernel has no argument '" + name + "'");
      if (names == &kernel.reads)
        continue;
      if (function.findBuffer(name)->role == BufferRole::Input)
        return errorAt(where, "the kernel writes the input '" + name + "'");
      written.insert(name);
    }
  for (auto [position, name] : enumerate(kernel.reads))
    if (function.findBuffer(name)->role != BufferRole::Input &&
        !written.contains(name))
      return errorAt(path + ".reads[" + Twine(position) + "]",
                     "no kernel has written '" + Twine(name) + "' before");
  return Error::success();
}

/// Checks that scratch buffers lie in the function's scratch memory, and that
/// those that are alive at the same time lie apart.
static Error verifyScratch(const FunctionDescription &function,
                           const Twine &path) {
  std::vector<std::optional<Lifetime>> lifetimes =
      getScratchLifetimes(function);
  std::vector<std::vector<size_t>> begun(function.kernels.size() + 1),
      ended(function.kernels.size() + 1);
  for (auto [position, buffer] : enumerate(function.buffers)) {
    if (buffer.role != BufferRole::Scratch)
      continue;
    std::string where =
        (path + ".buffers[" + Twine(position) + "].offset").str();
    if (buffer.offset % kScratchAlignment)
      return errorAt(where, "scratch must begin at a multiple of " +
                                Twine(kScratchAlignment) + " bytes");
    if (buffer.offset > function.scratchBytes ||
        buffer.bytes > function.scratchBytes - buffer.offset)
      return errorAt(where, "'" + buffer.name + "' ends beyond the " +
                                Twine(function.scratchBytes) +
                                " bytes of scratch memory");
    if (lifetimes[position] && buffer.bytes > 0) {
      begun[lifetimes[position]->first].push_back(position);
      ended[lifetimes[position]->last].push_back(position);
    }
  }
  // The buffers that are alive, by where they begin.
  std::map<uint64_t, const BufferDescription *> alive;
  for (auto [begins, ends] : llvm::zip(begun, ended)) {
    for (size_t position : begins) {
      const BufferDescription &buffer = function.buffers[position];
      auto next = alive.lower_bound(buffer.offset);
      const BufferDescription *other = nullptr;
      if (next != alive.end() && next->first < buffer.offset + buffer.bytes)
        other = next->second;
      else if (next != alive.begin() &&
               std::prev(next)->first + std::prev(next)->second->bytes >
                   buffer.offset)
        other = std::prev(next)->second;
      if (other)
        return errorAt(path + ".buffers[" + Twine(position) + "].offset",
                       "'" + buffer.name + "' lies in bytes of '" +
                           other->name + "', which is alive at the same time");
      alive[buffer.offset] = &buffer;
    }
    for (size_t position : ends)
      alive.erase(function.buffers[position].offset);
  }
  return Error::success();
}

Error mirage::runtime::verify(const FunctionDescription &function,
                              StringRef path) {
  llvm::StringSet<> names;
  for (auto [position, buffer] : enumerate(function.buffers)) {
    std::string where = (path + ".buffers[" + Twine(position) + "]").str();
    if (Error error = verifyName(buffer.name, names, where))
      return error;
    if (Error error = verifyBuffer(buffer, where))
      return error;
  }
  for (BufferRole role : {BufferRole::Input, BufferRole::Output})
    if (Error error = verifyIndices(function, role, path))
      return error;
  llvm::StringSet<> written;
  for (auto [position, kernel] : enumerate(function.kernels)) {
    std::string where = (path + ".kernels[" + Twine(position) + "]").str();
    if (Error error = verifyKernel(kernel, where))
      return error;
    if (Error error =
            verifyReferences(function, kernel.arguments, where + ".arguments"))
      return error;
    for (auto [number, map] : enumerate(kernel.tensorMaps))
      if (Error error =
              verifyTensorMap(function, kernel, map,
                              where + ".tensor_maps[" + Twine(number) + "]"))
        return error;
    if (Error error = verifyAccesses(function, kernel, written, where))
      return error;
  }
  if (Error error =
          verifyReferences(function, function.results, path + ".results"))
    return error;
  if (Error error = verifyScratch(function, path))
    return error;
  return verifyStreams(function, path);
}

/// Returns the buffers of a role in the order of their indices, which are
/// verified.
static std::vector<const BufferDescription *>
getBuffers(const FunctionDescription &function, BufferRole role) {
  std::vector<const BufferDescription *> buffers(function.countBuffers(role));
  for (const BufferDescription &buffer : function.buffers)
    if (buffer.role == role)
      buffers[buffer.index] = &buffer;
  return buffers;
}

/// Checks that another function makes the last inputs of a function of inputs
/// before them. Both are verified by themselves.
static Error verifyLoad(const Manifest &manifest,
                        const FunctionDescription &function,
                        const Twine &path) {
  const FunctionDescription *maker =
      manifest.findFunction(function.load->function);
  if (!maker || maker == &function || maker->load)
    return errorAt(path + ".function",
                   "'" + function.load->function +
                       "' is no other function that is given all of its "
                       "inputs");
  auto haveOneType = [](const BufferDescription &a,
                        const BufferDescription &b) {
    return a.shape == b.shape && a.type == b.type;
  };
  std::vector<const BufferDescription *> inputs = getBuffers(function,
                                                             BufferRole::Input),
                                         taken = getBuffers(*maker,
                                                            BufferRole::Input);
  if (maker->results.size() > inputs.size())
    return errorAt(path + ".function", "'" + maker->name + "' makes " +
                                           Twine(maker->results.size()) +
                                           " inputs of " +
                                           Twine(inputs.size()));
  size_t given = inputs.size() - maker->results.size();
  for (auto [number, result] : enumerate(maker->results))
    if (!haveOneType(*maker->findBuffer(result), *inputs[given + number]))
      return errorAt(path + ".function", "'" + result + "' of '" + maker->name +
                                             "' has another type than '" +
                                             inputs[given + number]->name +
                                             "'");
  if (function.load->constants.size() != taken.size())
    return errorAt(path + ".constants", "'" + maker->name + "' takes " +
                                            Twine(taken.size()) + " inputs");
  for (auto [number, index] : enumerate(function.load->constants))
    if (index >= given || !haveOneType(*inputs[index], *taken[number]))
      return errorAt(path + ".constants[" + Twine(number) + "]",
                     "no input before those that are made has this index and "
                     "the type of '" +
                         taken[number]->name + "'");
  return Error::success();
}

Error mirage::runtime::verify(const Manifest &manifest) {
  StringRef chip = manifest.target;
  if (!chip.consume_front("sm_") || chip.empty() || !llvm::isDigit(chip[0]))
    return errorAt("manifest.target", "expected a chip such as \"sm_90a\"");
  if (manifest.ptx.empty() ||
      StringRef(manifest.ptx).find_first_of("/\\") != StringRef::npos)
    return errorAt("manifest.ptx",
                   "expected the name of a file in the manifest's folder");
  llvm::StringSet<> names;
  for (auto [position, function] : enumerate(manifest.functions)) {
    std::string where = ("manifest.functions[" + Twine(position) + "]").str();
    if (Error error = verifyName(function.name, names, where))
      return error;
    if (Error error = verify(function, where))
      return error;
  }
  for (auto [position, function] : enumerate(manifest.functions))
    if (function.load)
      if (Error error =
              verifyLoad(manifest, function,
                         "manifest.functions[" + Twine(position) + "].load"))
        return error;
  return Error::success();
}

llvm::Expected<Manifest> mirage::runtime::readManifest(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (std::error_code error = buffer.getError())
    return createFileError(path, error);
  llvm::Expected<Manifest> manifest = parseManifest((*buffer)->getBuffer());
  if (!manifest)
    return createFileError(path, manifest.takeError());
  return manifest;
}

Error mirage::runtime::writeManifest(StringRef path, const Manifest &manifest) {
  if (Error error = verify(manifest))
    return createFileError(path, std::move(error));
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (error)
    return createFileError(path, error);
  os << printManifest(manifest);
  os.close();
  if ((error = os.error())) {
    os.clear_error();
    return createFileError(path, error);
  }
  return Error::success();
}
