//===- ResumeFile.cpp - States of searches in a file ----------------------===//
//
// Reads and writes JSON: an object with a state for each function, and for each
// of its pieces.
//
//===----------------------------------------------------------------------===//

#include "ResumeFile.h"
#include "Mirage/Support/PassSupport.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::search;

LogicalResult ResumeFile::read(Location loc) {
  if (!isInUse() || !llvm::sys::fs::exists(path))
    return success();
  FailureOr<llvm::json::Value> value = readOptionJSON(loc, "resume", path);
  if (failed(value))
    return failure();
  llvm::json::Object *object = value->getAsObject();
  if (!object)
    return emitError(loc) << "option resume: " << path
                          << " holds no states of searches";
  states = std::move(*object);
  return success();
}

LogicalResult ResumeFile::write(Location loc) {
  if (!isInUse())
    return success();
  return writeOptionFile(loc, "resume", path, [&](llvm::raw_ostream &os) {
    os << llvm::json::Value(std::move(states)) << "\n";
  });
}

static std::string getName(func::FuncOp function, StringRef entry) {
  return (function.getName() + (entry.empty() ? "" : " ") + entry).str();
}

FailureOr<SearchState> ResumeFile::take(func::FuncOp function,
                                        const SearchState::Key &key,
                                        StringRef entry) {
  llvm::json::Value *value = states.get(getName(function, entry));
  if (!value)
    return SearchState();
  std::string problem;
  std::optional<SearchState> state =
      SearchState::fromJSON(*value, key, problem);
  if (state)
    return std::move(*state);
  return emitError(function.getLoc())
         << "the search for @" << function.getName()
         << " cannot go on from the state in " << path << ": " << problem;
}

void ResumeFile::put(func::FuncOp function, const SearchState::Key &key,
                     const SearchState &state, StringRef entry) {
  if (isInUse())
    states[getName(function, entry)] = state.toJSON(key);
}
