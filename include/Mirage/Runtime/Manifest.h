//===- Manifest.h - Description of lowered kernels --------------*- C++ -*-===//

// Describes what a launcher must know about a lowered program: its functions,
// their buffers, and the kernels to launch in order. The compiler writes it as
// manifest.json beside the PTX file; the runner reads it.

#ifndef MIRAGE_RUNTIME_MANIFEST_H
#define MIRAGE_RUNTIME_MANIFEST_H

#include "Mirage/Runtime/ElementType.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <array>
#include <optional>
#include <string>

namespace mirage::runtime {

/// Says who fills a buffer: the caller (input), or the kernels for the caller
/// (output) or for themselves (scratch).
enum class BufferRole { Input, Output, Scratch };

/// Returns "input", "output" or "scratch".
llvm::StringRef stringifyBufferRole(BufferRole role);

/// Describes a dense row-major buffer in device memory.
struct BufferDescription {
  /// The buffer's name, which is unique in its function.
  std::string name;
  BufferRole role = BufferRole::Scratch;
  /// This is the position among the function's inputs or outputs; 0 for
  /// scratch, where the file has no such field.
  uint32_t index = 0;
  /// These are the sizes in elements.
  llvm::SmallVector<int64_t> shape;
  ElementType type = ElementType::f32;
  /// This is the size in bytes: what shape and type need, for scratch possibly
  /// more.
  uint64_t bytes = 0;
  /// The byte of the function's scratch memory at which scratch begins: a
  /// multiple of kScratchAlignment. Other buffers have memory of their own, and
  /// the file has no such field.
  uint64_t offset = 0;
};

/// Scratch buffers are aligned as CUDA's own allocations are, in bytes.
constexpr uint64_t kScratchAlignment = 256;

/// Holds sizes along x, y and z.
using Dim3 = std::array<uint32_t, 3>;

/// Describes a tensor map: what the GPU's copy engine must know of a buffer
/// (CUDA driver API, cuTensorMapEncodeTiled, with zeros beyond the end). Pieces
/// of 16 bytes are exchanged within a row of the box, whose bytes are those
/// after which swizzling repeats itself: 32, 64 or 128.
struct TensorMapDescription {
  /// The name of a buffer, which begins at a multiple of 16 bytes.
  std::string buffer;
  /// The elements have 16 bits.
  ElementType type = ElementType::f16;
  /// These are, for each of one to five dimensions, the outermost first, the
  /// size in elements, the bytes from one index to the next, and the size of
  /// the box that one instruction copies, in elements. Strides are multiples of
  /// 16, but for the last, which is an element.
  llvm::SmallVector<int64_t> shape, strides, box;
};

/// Describes one launch of a kernel. An entry of the PTX may be launched more
/// than once.
struct KernelDescription {
  /// This is the entry's name in the PTX.
  std::string name;
  /// The grid has so many thread blocks.
  Dim3 grid = {1, 1, 1};
  /// A thread block has so many threads.
  Dim3 block = {1, 1, 1};
  /// A cluster has so many thread blocks, which divide the grid.
  Dim3 cluster = {1, 1, 1};
  /// A thread block has so many bytes of dynamic shared memory.
  uint32_t sharedMemoryBytes = 0;
  /// These buffers have the addresses that are the parameters, in order.
  std::vector<std::string> arguments;
  /// These are the parameters behind them, of 128 bytes each, whose buffers are
  /// among the arguments.
  std::vector<TensorMapDescription> tensorMaps = {};
  /// The kernel reads the first of these buffers, and writes the second,
  /// perhaps in part. Both are among the arguments, in the same order.
  std::vector<std::string> reads;
  std::vector<std::string> writes;
  /// The kernel itself waits for the kernels before it (PTX ISA,
  /// "griddepcontrol"): until they have ended it reads nothing but inputs of
  /// the function, and writes nothing. So it may be launched while the one
  /// before it runs, unless it is the function's first.
  bool waits = false;
  /// A launcher that captures a CUDA graph may launch the kernel on the stream
  /// of this number, once the kernels with the numbers `after` have ended,
  /// which are on other streams: see LaunchStreams.h. Streams are numbered in
  /// the order in which they begin.
  uint32_t stream = 0;
  std::vector<uint32_t> after = {};
};

/// Says how the last inputs of a function are made when the program is loaded.
struct LoadDescription {
  /// The name of the function whose results, in order, these inputs are.
  std::string function;
  /// The inputs of that function, in order, are the inputs of this one with
  /// these indices. Whenever one of them has changed, it is to be run again.
  std::vector<uint32_t> constants;
};

/// Describes one function of the program.
struct FunctionDescription {
  /// The function's name, which is unique in the program.
  std::string name;
  std::vector<BufferDescription> buffers;
  /// The kernels in launch order; each sees what the ones before it wrote.
  std::vector<KernelDescription> kernels;
  /// The bytes of the one allocation that all scratch buffers lie in, if the
  /// launcher makes one. Buffers that are not alive at the same time may share
  /// bytes of it: see ScratchMemory.h.
  uint64_t scratchBytes = 0;
  /// These buffers hold the results, in order. They may have any role: a
  /// function that returns its argument names an input.
  std::vector<std::string> results;
  /// This is there if some inputs are made when the program is loaded.
  std::optional<LoadDescription> load = {};

  /// Returns the buffer called `name`, or null.
  const BufferDescription *findBuffer(llvm::StringRef name) const;
  /// Returns the number of buffers of that role.
  unsigned countBuffers(BufferRole role) const;
};

/// Describes a program: one PTX file and the functions in it.
struct Manifest {
  /// The format version read and written here. Kernels say what they read and
  /// write since version 2, scratch buffers where they lie since version 3,
  /// kernels whether they wait for others since version 4, of which buffers
  /// they take tensor maps since version 5, functions how their last inputs are
  /// made since version 6, and kernels on which streams they may be launched
  /// since version 7.
  static constexpr int64_t version = 7;

  /// The chip that the PTX is for, as in its .target line: "sm_90a".
  std::string target;
  /// This is the name of the PTX file, in the manifest's folder.
  std::string ptx;
  std::vector<FunctionDescription> functions;

  /// Returns the function called `name`, or null.
  const FunctionDescription *findFunction(llvm::StringRef name) const;
};

/// Checks what the types do not: names unique and known, sizes that agree,
/// input and output indices without gap, launch sizes within CUDA's limits, no
/// input written, nothing read that no kernel has written before, no scratch
/// buffers in one place that are alive at the same time, no kernels beside each
/// other that have to wait for each other, and inputs that are loaded of the
/// types of what a function makes. The error ends in the path of the offending
/// field, such as "functions[0].kernels[1].arguments[2]".
llvm::Error verify(const Manifest &manifest);

/// Does the same for one function. `path` is what the error calls it.
llvm::Error verify(const FunctionDescription &function,
                   llvm::StringRef path = "function");

/// Parses and verifies the text of a manifest. A missing, ill-typed or unknown
/// field and an unknown version are errors that name the field's JSON path; the
/// version is looked at first.
llvm::Expected<Manifest> parseManifest(llvm::StringRef text);

/// Returns the JSON text of `manifest`, which is not verified.
std::string printManifest(const Manifest &manifest);

/// Calls parseManifest on the file `path`, which every error names.
llvm::Expected<Manifest> readManifest(llvm::StringRef path);

/// Verifies `manifest` and writes it to the file `path`, replacing it. Every
/// error names the file.
llvm::Error writeManifest(llvm::StringRef path, const Manifest &manifest);

} // namespace mirage::runtime

#endif // MIRAGE_RUNTIME_MANIFEST_H
