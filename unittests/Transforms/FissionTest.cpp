//===- FissionTest.cpp - Rules of fission against the semantics -----------===//
//
// Runs every operator that fission takes apart before and after, in f64 and as
// stored, on inputs of every magnitude. The rules compute the same numbers in
// the same order as Element.h and Composite.h say, so results must be equal to
// the last bit; there is no tolerance.
//
//===----------------------------------------------------------------------===//

#include "../Interpreter/TestSupport.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "Mirage/Transforms/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include <random>

using namespace mirage;

namespace {

/// A function of one operator. `$` in the text stands for the element type.
struct Case {
  std::string name, arguments, operation, result;

  std::string program(llvm::StringRef elementType) const {
    std::string text = "func.func @f(" + arguments + ") -> " + result +
                       " {\n  %0 = mirage_kernel." + operation +
                       "\n  return %0 : " + result + "\n}\n";
    std::string program;
    for (char c : text)
      c == '$' ? program += elementType : program += c;
    return program;
  }
};

Case unary(std::string name) {
  return {name, "%x: tensor<5x8x$>",
          name + " %x : (tensor<5x8x$>) -> tensor<5x8x$>", "tensor<5x8x$>"};
}

Case alongDim(std::string name, std::string suffix, std::string result) {
  return {name + suffix, "%x: tensor<5x7x6x$>",
          name + " %x " + suffix + " : (tensor<5x7x6x$>) -> " + result, result};
}

/// A norm of x with vectors of `extent` elements, which are given or not.
void addNorms(std::vector<Case> &cases, std::string name, std::string shape,
              int extent, std::string suffix, bool takesBias = true,
              bool takesStatistics = false) {
  std::string vector = "tensor<" + std::to_string(extent) + "x$>";
  for (int given = 0; given < (takesBias ? 4 : 2); ++given) {
    std::string arguments = "%x: " + shape, operands = "%x", types = shape;
    if (takesStatistics) {
      arguments += ", %m: " + vector + ", %v: " + vector;
      operands += ", %m, %v";
      types += ", " + vector + ", " + vector;
    }
    for (auto [bit, operand] : {std::pair(1, "weight"), std::pair(2, "bias")})
      if (given & bit) {
        arguments += llvm::formatv(", %{0}: {1}", operand, vector);
        operands += llvm::formatv(" {0} %{0}", operand);
        types += ", " + vector;
      }
    cases.push_back(
        {llvm::formatv("{0} {1} {2} {3}", name, shape, suffix, given),
         arguments,
         name + " " + operands + " " + suffix + " : (" + types + ") -> " +
             shape,
         shape});
  }
}

/// Attention of tensors of these sizes without a mask and with each mask.
void addAttention(std::vector<Case> &cases, std::string q, std::string k,
                  std::string v, std::string out,
                  std::vector<std::string> masks) {
  auto type = [](std::string sizes) { return "tensor<" + sizes + "x$>"; };
  masks.push_back("");
  for (const std::string &mask : masks) {
    std::string arguments =
        llvm::formatv("%q: {0}, %k: {1}, %v: {2}", type(q), type(k), type(v));
    std::string types =
        llvm::formatv("{0}, {1}, {2}", type(q), type(k), type(v));
    if (!mask.empty()) {
      arguments += ", %m: " + type(mask);
      types += ", " + type(mask);
    }
    cases.push_back({"attention " + q + " mask " + mask, arguments,
                     std::string("attention %q, %k, %v ") +
                         (mask.empty() ? "" : "mask %m ") + "scale(0.3) : (" +
                         types + ") -> " + type(out),
                     type(out)});
  }
}

std::vector<Case> makeCases() {
  std::vector<Case> cases;
  for (const char *name : {"sigmoid", "silu", "gelu erf", "gelu tanh", "mish"})
    cases.push_back(unary(name));
  for (const char *name : {"softmax", "log_softmax"})
    for (const char *dim : {"dim(0)", "dim(1)", "dim(2)"})
      cases.push_back(alongDim(name, dim, "tensor<5x7x6x$>"));
  cases.push_back(alongDim("reduce mean", "dim(1)", "tensor<5x6x$>"));
  cases.push_back(alongDim("reduce mean", "dim(1) keep", "tensor<5x1x6x$>"));
  cases.push_back(
      alongDim("reduce mean", "dim(2) group(3)", "tensor<5x7x2x$>"));
  cases.push_back({"mean of a vector", "%x: tensor<7x$>",
                   "reduce mean %x dim(0) : (tensor<7x$>) -> tensor<$>",
                   "tensor<$>"});
  for (const char *epsilon : {"epsilon(0.0)", "epsilon(1.0e-5)"}) {
    addNorms(cases, "rms_norm", "tensor<3x5x7x$>", 7, epsilon, false);
    addNorms(cases, "layer_norm", "tensor<3x5x7x$>", 7, epsilon);
    addNorms(cases, "instance_norm", "tensor<2x6x3x5x$>", 6, epsilon);
    addNorms(cases, "instance_norm", "tensor<2x3x7x$>", 3, epsilon);
    addNorms(cases, "batch_norm", "tensor<2x6x3x5x$>", 6, epsilon, true, true);
    addNorms(cases, "batch_norm", "tensor<5x3x$>", 3, epsilon, true, true);
  }
  for (const char *groups : {"groups(1)", "groups(2)", "groups(6)"})
    addNorms(cases, "group_norm", "tensor<2x6x3x5x$>", 6,
             std::string(groups) + " epsilon(1.0e-5)");
  for (const char *correction : {"0.0", "1.0", "0.5"}) {
    std::string suffix = llvm::formatv("dim(1) correction({0})", correction);
    cases.push_back(alongDim("variance", suffix, "tensor<5x6x$>"));
    cases.push_back(alongDim("variance", suffix + " keep", "tensor<5x1x6x$>"));
  }
  addAttention(cases, "7x5", "9x5", "9x3", "7x3", {"7x9", "1x9", "1x1"});
  // Two key-value heads, each for three query heads.
  addAttention(cases, "2x3x4x5", "2x1x6x5", "2x1x6x8", "2x3x4x8",
               {"2x3x4x6", "1x1x4x6", "2x1x1x6"});
  return cases;
}

/// Inputs whose magnitudes are `scale`, or with `special` any float's.
std::vector<double> makeInput(std::mt19937_64 &random, int64_t size,
                              double scale, bool special) {
  static const double specials[] = {
      0.0,   -0.0,    1.0e-310, -1.0e-40,  88.0,  -88.0,   104.0,
      -104., 710.0,   -710.0,   -746.0,    1.0e4, -1.0e4,  6.0e4,
      3e38,  -3.0e38, HUGE_VAL, -HUGE_VAL, NAN,   1.0e300, 5.0e-324};
  std::normal_distribution<double> normal;
  std::vector<double> values(size);
  for (double &value : values)
    value = special && random() % 2 ? specials[random() % std::size(specials)]
                                    : scale * normal(random);
  return values;
}

/// Equal numbers, of equal sign where they are zero, or both NaN.
bool isSame(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

class FissionTest : public testing::TestWithParam<Case> {};

/// Runs the pass on the program's module.
void applyFission(TestProgram &program) {
  auto module = program.find("f")->getParentOfType<mlir::ModuleOp>();
  mlir::PassManager passes(module.getContext());
  passes.addPass(createFission());
  ASSERT_TRUE(succeeded(passes.run(module))) << program.takeErrors();
  ASSERT_TRUE(succeeded(mlir::verify(module))) << program.takeErrors();
}

} // namespace

TEST_P(FissionTest, ComputesTheSame) {
  std::mt19937_64 random(0);
  for (const char *elementType : {"f16", "bf16", "f32", "f64"}) {
    std::string text = GetParam().program(elementType);
    SCOPED_TRACE(text);
    TestProgram before(text), after(text);
    ASSERT_TRUE(before.find("f"));
    applyFission(after);
    for (Precision precision : {Precision::F64, Precision::Storage})
      for (double scale : {1e-30, 1e-6, 1.0, 50.0, 1e4, 1e30})
        for (bool special : {false, true}) {
          std::vector<std::vector<double>> inputs;
          for (mlir::Type type : before.find("f").getArgumentTypes())
            inputs.push_back(makeInput(
                random, mlir::cast<mlir::ShapedType>(type).getNumElements(),
                scale, special));
          auto expected = before.run("f", inputs, precision);
          auto actual = after.run("f", inputs, precision);
          ASSERT_EQ(expected.size(), 1u) << before.takeErrors();
          ASSERT_EQ(actual.size(), 1u) << after.takeErrors();
          ASSERT_EQ(expected[0].type, actual[0].type);
          ASSERT_EQ(expected[0].shape(), actual[0].shape());
          for (int64_t i = 0; i < expected[0].size(); ++i)
            ASSERT_TRUE(isSame(expected[0].value(i), actual[0].value(i)))
                << "element " << i << ", scale " << scale << ": "
                << actual[0].value(i) << ", not " << expected[0].value(i);
        }
  }
}

TEST_P(FissionTest, LeavesOnlyPrimitives) {
  TestProgram program(GetParam().program("f16"));
  ASSERT_TRUE(program.find("f"));
  program.find("f").walk([&](ComputeOpInterface op) {
    EXPECT_FALSE(getPrimitiveClass(op)) << "the case tests nothing";
  });
  applyFission(program);
  int count = 0;
  program.find("f").walk([&](ComputeOpInterface op) {
    ++count;
    EXPECT_TRUE(getPrimitiveClass(op)) << op->getName().getStringRef().str();
  });
  EXPECT_GT(count, 1);
}

INSTANTIATE_TEST_SUITE_P(Rules, FissionTest, testing::ValuesIn(makeCases()),
                         [](const testing::TestParamInfo<Case> &info) {
                           std::string name;
                           for (char c : info.param.name)
                             name += std::isalnum(c) ? c : '_';
                           return name;
                         });
