//===- OpKind.cpp - The table of operators --------------------------------===//
//
// Expands OpKinds.def into the rows that getOpInfo returns.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/OpKind.h"

using namespace mirage;

static constexpr OpInfo opTable[] = {
#define MIRAGE_OP(Kind, mnemonic, opClass, minOperands, maxOperands, flops,    \
                  exponentials, linearity)                                     \
  {OpKind::Kind, mnemonic, OpClass::opClass, minOperands,                      \
   maxOperands,  flops,    exponentials,     Linearity::linearity},
#include "Mirage/Semantics/OpKinds.def"
};

const OpInfo &mirage::getOpInfo(OpKind kind) {
  return opTable[static_cast<unsigned>(kind)];
}

unsigned mirage::getNumOpKinds() { return std::size(opTable); }
