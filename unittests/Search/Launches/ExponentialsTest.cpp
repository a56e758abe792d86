//===- ExponentialsTest.cpp - Exponentials stay in range ------------------===//
//
// Programs with exponentials that are in range as they are written: of what a
// maximum is subtracted from, beside one of which none is; of sums, whose terms
// alone are not. Everything that is generated for them is a number where they
// are.
//
//===----------------------------------------------------------------------===//

#include "../Enumeration.h"
#include "Mirage/Interpreter/RunMuGraph.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;
using namespace mirage::search;

namespace {

/// Returns whether all results are finite; each argument's elements are about
/// as large as its `scale`, and have its sign.
bool isFinite(const MuGraph &graph, llvm::ArrayRef<double> scales) {
  llvm::SmallVector<TensorValue> inputs;
  for (auto [argument, scale] :
       llvm::zip(graph.getRegion().arguments, scales)) {
    const MuGraph::Value &value = graph.getValue(argument);
    std::vector<double> elements(elementCount(value.shape));
    for (auto [i, element] : llvm::enumerate(elements))
      element = scale * (1 + 1e-3 * static_cast<double>(i * i % 7));
    inputs.push_back(
        TensorValue::create(value.type, value.shape, elements, Precision::F64));
  }
  return llvm::all_of(
      runMuGraph(graph, inputs, Precision::F64), [](const TensorValue &result) {
        return llvm::all_of(result.values(),
                            [](double x) { return std::isfinite(x); });
      });
}

void expectFinite(MakeProgram make, unsigned operators,
                  llvm::ArrayRef<double> scales) {
  Enumeration enumeration(make);
  ASSERT_TRUE(isFinite(enumeration.small.program, scales));
  GeneratorLimits limits;
  limits.blockOperators = operators;
  Generated generated = enumeration.generate(limits);
  EXPECT_FALSE(generated.graphs.empty());
  for (const auto &[text, graph] : generated.graphs)
    EXPECT_TRUE(isFinite(enumeration.small.instantiate(graph), scales))
        << enumeration.print(graph);
}

TEST(Exponentials, OneWithoutMaximumAllowsNoOther) {
  expectFinite(
      [](AxisSizes s) {
        ProgramBuilder b;
        MuValue x = b.input({s[0], s[1]}), t = b.input({s[0], 1});
        return b.finish(b.mul(b.softmax(x), b.exp(t)));
      },
      6, {1e4, 1});
}

TEST(Exponentials, SumsAreNotTakenApart) {
  auto make = [](AxisSizes s) {
    ProgramBuilder b;
    MuValue x = b.input({s[0], s[1]}), y = b.input({s[0], 1}),
            z = b.input({s[0], s[1]});
    return b.finish(b.mul(b.exp(b.add(x, y)), z));
  };
  expectFinite(make, 4, {1e4, -1e4, 1});
  expectFinite(make, 4, {-1e4, 1e4, 1});
}

} // namespace
