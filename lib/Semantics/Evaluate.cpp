//===- Evaluate.cpp - Operators on tensors of floats ----------------------===//
//
// Instantiates the evaluation of operators for float and double.
//
//===----------------------------------------------------------------------===//

#include "EvaluateImpl.h"

using namespace mirage;
using llvm::ArrayRef;

template llvm::SmallVector<Tensor<float>, 1>
mirage::evaluate(OpKind, const OpAttributes &, ArrayRef<const Tensor<float> *>,
                 const EvaluateOptions &);
template llvm::SmallVector<Tensor<double>, 1>
mirage::evaluate(OpKind, const OpAttributes &, ArrayRef<const Tensor<double> *>,
                 const EvaluateOptions &);
