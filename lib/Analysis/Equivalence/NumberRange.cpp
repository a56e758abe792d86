//===- NumberRange.cpp - The numbers that a type holds --------------------===//
//
// There is one row for each storage format.
//
//===----------------------------------------------------------------------===//

#include "NumberRange.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mirage;
using namespace mirage::equivalence;

NumberRange equivalence::getNumberRange(ElementType type) {
  switch (type) {
  case ElementType::f64:
    return {0x1p-53, 0x1p-1074, 0x1.fffffffffffffp1023};
  case ElementType::f32:
    return {0x1p-24, 0x1p-150, 0x1.fffffep127};
  case ElementType::f16:
    return {0x1p-11, 0x1p-25, 65504};
  case ElementType::bf16:
    return {0x1p-8, 0x1p-134, 0x1.fep127};
  case ElementType::f8E4M3FN:
    return {0x1p-4, 0x1p-10, 448};
  case ElementType::f8E5M2:
    return {0x1p-3, 0x1p-17, 57344};
  }
  llvm_unreachable("unknown element type");
}
