//===- LaunchStreams.h - Which kernels run beside each other ----*- C++ -*-===//

// Puts the kernels of a function on streams, so that a launcher that captures a
// CUDA graph lets those run beside each other that do not depend on each other.
// The manifest has the outcome, so that all launchers read the same.

#ifndef MIRAGE_RUNTIME_LAUNCHSTREAMS_H
#define MIRAGE_RUNTIME_LAUNCHSTREAMS_H

#include "Mirage/Runtime/Manifest.h"

namespace mirage::runtime {

/// A function's kernels are on so many streams at most.
constexpr unsigned kMostStreams = 4;

/// Returns for each kernel the numbers of those before it in launch order that
/// have to end before it begins, in order: it reads or writes bytes that they
/// write, or writes bytes that they read. Scratch buffers have the bytes that
/// they are placed in (ScratchMemory.h), but for results, which a launcher
/// gives memory of their own. Kernels that others of the list have to wait for
/// are left out.
std::vector<llvm::SmallVector<size_t>>
getDependencies(const FunctionDescription &function);

/// Sets the stream of each kernel and the kernels on other streams that it
/// waits for. Scratch is placed. A kernel follows one that it depends on, where
/// no other one that does so has a longer chain of kernels behind it.
void planStreams(FunctionDescription &function,
                 unsigned mostStreams = kMostStreams);

/// Returns the number of streams that a function's kernels are on.
unsigned countStreams(const FunctionDescription &function);

/// Returns true if the kernel of this number may be launched while the one
/// before it on its stream runs: it waits itself, and for nothing else.
bool isEarlyOnStream(const FunctionDescription &function, size_t number);

/// Checks that streams are numbered in the order in which they begin, that
/// kernels wait for earlier ones on other streams, and that each kernel begins
/// behind all that it depends on. `path` is what the error calls the function.
llvm::Error verifyStreams(const FunctionDescription &function,
                          const llvm::Twine &path);

} // namespace mirage::runtime

#endif // MIRAGE_RUNTIME_LAUNCHSTREAMS_H
