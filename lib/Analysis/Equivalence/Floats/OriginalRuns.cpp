//===- OriginalRuns.cpp - What originals make of inputs -------------------===//
//
// Finds the program that runs are kept of.
//
//===----------------------------------------------------------------------===//

#include "OriginalRuns.h"
#include "Mirage/MuGraph/Comparison.h"

using namespace mirage;
using namespace mirage::equivalence;

/// The runs of at most so many programs are kept. Candidates in a row differ in
/// their tiles, and so in the extents to which a pair is shrunk.
static constexpr size_t kMostPrograms = 8;

OriginalRuns::Program &OriginalRuns::getProgram(const MuGraph &program) {
  auto known = llvm::find_if(programs, [&](const Program &other) {
    return areIdentical(other.graph, program);
  });
  if (known != programs.end()) {
    std::rotate(known, std::next(known), programs.end());
    return programs.back();
  }
  if (programs.size() == kMostPrograms)
    programs.pop_front();
  programs.push_back({program, {}, {}});
  return programs.back();
}
