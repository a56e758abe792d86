//===- NoBinarySolver.cpp - A build without Cbc ---------------------------===//
//
// Static tools have no Cbc: no binary program has a known solution.
//
//===----------------------------------------------------------------------===//

#include "Mirage/BinaryProgram/BinaryProgram.h"

using namespace mirage;

bool mirage::hasBinarySolver() { return false; }

BinaryProgram::Answer
BinaryProgram::minimize(uint64_t, double, uint64_t,
                        llvm::function_ref<bool()>) const {
  Answer answer;
  answer.status = Status::Limit;
  return answer;
}
