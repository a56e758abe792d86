//===- Break.cpp - Verifiers that are wrong on purpose --------------------===//
//
// Runs one test over the same evaluation in finite fields as the verifier's.
//
//===----------------------------------------------------------------------===//

#include "Break.h"
#include "Mirage/Analysis/Equivalence/Fields/FieldEvaluation.h"

using namespace mirage;
using namespace mirage::equivalence;
using namespace mirage::mutate;

/// Draws inputs, or counts them.
static std::vector<FieldTensor> makeInputs(Break how, const FieldPlan &lhs,
                                           const FieldPlan &rhs,
                                           const FieldModel &model,
                                           const Execution &execution) {
  std::vector<FieldTensor> inputs = drawInputs({&lhs, &rhs}, model, execution);
  if (how == Break::Ramp)
    for (FieldTensor &tensor : inputs)
      for (int64_t i = 0; tensor.data && i < tensor.size(); ++i)
        tensor.data[i] = i % 13861;
  return inputs;
}

RandomTestResult mutate::runBrokenTests(Break how, const MuGraph &lhs,
                                        const MuGraph &rhs,
                                        const RandomTestOptions &options,
                                        const Execution &execution) {
  if (how == Break::None)
    return runRandomTests(lhs, rhs, options, execution);
  MuGraph l = expandToPrimitives(lhs), r = expandToPrimitives(rhs);
  FieldPlan left(l), right(r);
  RandomTestResult result;
  for (const FieldPlan *plan : {&left, &right}) {
    if (plan->getProblem()) {
      result.problem = plan->getProblem()->message;
      return result;
    }
    for (const std::string &name : plan->getUnknownFunctions())
      result.unknownFunctions.push_back(name);
  }
  FieldModel model(options.seed, 0);
  FieldModel other(options.seed, how == Break::TwoModels ? 4 : 0);
  FieldResults a = evaluateInField(
      left, model, makeInputs(how, left, right, model, execution), execution);
  FieldResults b = evaluateInField(
      right, other, makeInputs(how, left, right, other, execution), execution);
  if (a.dividedByZero || b.dividedByZero) {
    result.problem = "a denominator is zero";
    return result;
  }
  result.tests = 1;
  result.kind = RandomTestResult::Kind::Agree;
  for (auto [x, y] : llvm::zip_equal(a.tensors, b.tensors)) {
    int64_t count = how == Break::FirstElement ? 1 : x.size();
    if (!std::equal(x.data.get(), x.data.get() + count, y.data.get()))
      result.kind = RandomTestResult::Kind::Differ;
  }
  return result;
}
