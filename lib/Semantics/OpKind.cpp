//===- OpKind.cpp - The table of operators --------------------------------===//
//
// Expands OpKinds.def into the rows that getOpInfo returns.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/OpKind.h"
#include "llvm/ADT/StringMap.h"

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

std::optional<OpKind> mirage::parseOpKind(llvm::StringRef mnemonic) {
  static const llvm::StringMap<OpKind> kinds = [] {
    llvm::StringMap<OpKind> map;
    for (const OpInfo &info : opTable)
      map[info.mnemonic] = info.kind;
    return map;
  }();
  auto it = kinds.find(mnemonic);
  if (it == kinds.end())
    return std::nullopt;
  return it->second;
}
