//===- TransformRulesTest.cpp - Both sides of rules are equal -------------===//
//
// Makes programs of random shapes for every rule of TransformRules.td, applies
// the rule, and has the verifier prove that the result computes the same, and
// is numerically no worse. Mutants of the result, in which an operator is
// another one or left out, must be refuted.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Cost/IR/CostAnalysis.h"
#include "Mirage/Analysis/Equivalence/CompareGraphs.h"
#include "Mirage/Transforms/Passes.h"
#include "MovedPrograms.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace mirage;
using namespace mirage::equivalence;
using namespace mirage::rule_programs;

namespace {

MuGraph importGraph(mlir::func::FuncOp function) {
  auto graph = importMuGraph(function);
  EXPECT_TRUE(succeeded(graph));
  return std::move(graph->graph);
}

/// Makes mutant `kind` of an operation. Returns false if there is none.
bool mutate(mlir::Operation *op, unsigned kind) {
  mlir::OpBuilder builder(op);
  auto replace = [&](mlir::Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
    return true;
  };
  switch (kind) {
  case 0: // an operand in its place
    if (mlir::isa<kernel::ReshapeOp>(op))
      return false;
    for (mlir::Value operand : op->getOperands())
      if (operand.getType() == op->getResult(0).getType())
        return replace(operand);
    return false;
  case 1: // another operator
    if (mlir::isa<kernel::MulOp, kernel::DivOp>(op))
      return replace(kernel::AddOp::create(builder, op->getLoc(),
                                           op->getResult(0).getType(),
                                           op->getOperands()));
    return false;
  case 2: // another number
    if (auto scale = mlir::dyn_cast<kernel::ScaleOp>(op)) {
      scale.setFactorAttr(builder.getF64FloatAttr(
          2 * scale.getFactorAttr().getValueAsDouble()));
      return true;
    }
    if (auto constant = mlir::dyn_cast<kernel::ConstantOp>(op)) {
      auto type = mlir::cast<mlir::ShapedType>(op->getResult(0).getType());
      return replace(kernel::ConstantOp::create(
          builder, op->getLoc(),
          mlir::DenseElementsAttr::get(
              type,
              mlir::FloatAttr::get(type.getElementType(), 2.0).getValue())));
    }
    return false;
  case 3: // other elements
    if (auto slice = mlir::dyn_cast<kernel::SliceOp>(op)) {
      auto from =
          mlir::cast<mlir::ShapedType>(slice.getInput().getType()).getShape();
      auto offsets = llvm::to_vector(slice.getOffsets());
      for (auto [offset, size, whole] :
           llvm::zip_equal(offsets, slice.getSizes(), from)) {
        if (offset + size == whole && offset == 0)
          continue;
        offset += offset + size < whole ? 1 : -1;
        slice.setOffsetsAttr(builder.getDenseI64ArrayAttr(offsets));
        return true;
      }
    }
    return false;
  default: // another order of an operand
    auto matmul = mlir::dyn_cast<kernel::MatmulOp>(op);
    if (!matmul)
      return false;
    mlir::Value operand = op->getOperand(kind - 4);
    llvm::ArrayRef<int64_t> shape =
        mlir::cast<mlir::ShapedType>(operand.getType()).getShape();
    if (shape.back() != shape[shape.size() - 2] || shape.back() == 1)
      return false;
    kind == 4 ? matmul.setTransposeLhs(!matmul.getTransposeLhs())
              : matmul.setTransposeRhs(!matmul.getTransposeRhs());
    return true;
  }
}
constexpr unsigned numMutations = 6;

TEST(TransformRules, AreProvedForRandomShapes) {
  std::vector<Rule> rules = getRules();
  {
    mlir::MLIRContext context;
    context.loadDialect<kernel::KernelDialect>();
    mlir::RewritePatternSet all(&context);
    populateTransformRules(all);
    EXPECT_EQ(all.getNativePatterns().size(), rules.size());
  }
  for (const Rule &rule : rules) {
    unsigned refuted = 0;
    for (unsigned seed = 0; seed < 8; ++seed) {
      Shapes shapes(seed, /*same=*/seed % 2);
      std::string text = rule.make(shapes);
      SCOPED_TRACE(rule.name + (" of\n" + text));
      TestProgram program(text);
      mlir::func::FuncOp function = program.find("f");
      ASSERT_TRUE(function);
      MuGraph original = importGraph(function);
      ASSERT_TRUE(applyRule(rule.name, function)) << "the rule does not match";
      ASSERT_TRUE(succeeded(mlir::verify(function)));
      ComparisonAnswer answer =
          compareGraphs(original, importGraph(function), {}, Execution());
      EXPECT_EQ(answer.equivalence, Equivalence::Proved)
          << answer.whyNotProved << answer.reason;
      EXPECT_TRUE(answer.isAccepted());
      // A proof and no floats for mutants.
      ComparisonPolicy policy;
      policy.checkFloats = false;
      size_t count = llvm::range_size(function.front().without_terminator());
      for (size_t number = 0; number < count; ++number)
        for (unsigned kind = 0; kind < numMutations; ++kind) {
          mlir::OwningOpRef<mlir::func::FuncOp> mutant(
              mlir::cast<mlir::func::FuncOp>(function->clone()));
          if (!mutate(&*std::next(mutant->front().begin(), number), kind))
            continue;
          ASSERT_TRUE(succeeded(mlir::verify(*mutant)));
          answer = compareGraphs(original, importGraph(*mutant), policy,
                                 Execution());
          EXPECT_EQ(answer.equivalence, Equivalence::Refuted)
              << "operation " << number << ", mutation " << kind;
          ++refuted;
        }
    }
    EXPECT_GE(refuted, 1u) << rule.name;
  }
}

/// Returns the types of all products and convolutions of a function, with those
/// of what they read.
std::vector<std::string> getProducts(mlir::func::FuncOp function) {
  std::vector<std::string> products;
  for (mlir::Operation &op : function.front())
    if (mlir::isa<kernel::MatmulOp, kernel::Conv2dOp>(op)) {
      llvm::raw_string_ostream os(products.emplace_back());
      llvm::interleaveComma(op.getOperandTypes(), os);
      os << " -> " << op.getResult(0).getType();
    }
  return products;
}

/// What rules for weights make of random programs, small and large, takes less
/// than these with a kernel for each operator and has the same products.
TEST(TransformRules, WeightsNeverLose) {
  unsigned applied = 0;
  for (const Rule &rule : getRules()) {
    if (!llvm::any_of(kWeightRules, [&](llvm::StringRef name) {
          return llvm::StringRef(rule.name).starts_with(name);
        }))
      continue;
    for (unsigned seed = 0; seed < 4; ++seed) {
      Shapes shapes(seed, /*same=*/false, /*unit=*/seed % 2 ? 64 : 8);
      std::string text = rule.make(shapes);
      SCOPED_TRACE(rule.name + (" of\n" + text));
      TestProgram before(text), after(text);
      ASSERT_TRUE(applyRule(rule.name, after.find("f")));
      for (TestProgram *program : {&before, &after}) {
        mlir::PassManager manager(program->find("f").getContext());
        manager.addPass(createSplitLoad());
        ASSERT_TRUE(succeeded(manager.run(
            program->find("f")->getParentOfType<mlir::ModuleOp>())));
      }
      TargetDescription target = *getTargetPreset("sm_90a");
      auto getTime = [&](TestProgram &program) {
        return CostAnalysis(program.find("f")).estimate(target).microseconds;
      };
      EXPECT_LT(getTime(after), getTime(before));
      EXPECT_EQ(getProducts(after.find("f")), getProducts(before.find("f")));
      ++applied;
    }
  }
  EXPECT_EQ(applied, 14u * 4);
}

/// Weights of f16 would be rounded once more.
TEST(TransformRules, LeaveNarrowWeights) {
  Shapes shapes(/*seed=*/1, /*same=*/false);
  TestProgram program(scaledProduct(shapes, /*casts=*/1, "f16"));
  EXPECT_FALSE(applyRule("ScaledColumns_2", program.find("f")));
}

/// What is computed in each call is no weight.
TEST(TransformRules, LeaveWhatIsNoWeight) {
  Shapes shapes(/*seed=*/1, /*same=*/false);
  std::string text = scaledProduct(shapes, /*casts=*/0);
  size_t place = text.find(" {mirage.constant}");
  ASSERT_NE(place, std::string::npos);
  text.erase(place, std::string(" {mirage.constant}").size());
  TestProgram program(text);
  EXPECT_FALSE(applyRule("ScaledColumns_1", program.find("f")));
}

} // namespace
