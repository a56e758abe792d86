//===- InterpreterTest.cpp - Running functions ----------------------------===//
//
// Programs from text, with results that are known: kernel graphs, block graphs
// with their maps, loops and accumulators, thread graphs, and precisions.
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include "llvm/Support/Parallel.h"

using namespace mirage;

namespace {

TEST(Interpreter, RunsKernelOperatorsAndGlue) {
  TestProgram program(R"mlir(
    func.func @f(%x: tensor<2x3xf32>)
        -> (tensor<3x2xf32>, tensor<3xf32>, tensor<3xf32>) {
      %c = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]>
          : tensor<2x3xf32>
      %s = arith.addf %x, %c : tensor<2x3xf32>
      %t = mirage_kernel.transpose %s [1, 0]
          : (tensor<2x3xf32>) -> tensor<3x2xf32>
      %row = tensor.extract_slice %s[1, 0] [1, 3] [1, 1]
          : tensor<2x3xf32> to tensor<3xf32>
      %n = func.call @negate(%row) : (tensor<3xf32>) -> tensor<3xf32>
      %m = func.call @negate(%n) : (tensor<3xf32>) -> tensor<3xf32>
      return %t, %n, %m : tensor<3x2xf32>, tensor<3xf32>, tensor<3xf32>
    }
    func.func private @negate(%x: tensor<3xf32>) -> tensor<3xf32> {
      %n = arith.negf %x : tensor<3xf32>
      return %n : tensor<3xf32>
    })mlir");
  auto results = program.run("f", {{10, 20, 30, 40, 50, 60}});
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0].shape(), ShapeRef({3, 2}));
  EXPECT_EQ(results[0].values(), (std::vector<double>{11, 44, 22, 55, 33, 66}));
  EXPECT_EQ(results[1].values(), (std::vector<double>{-44, -55, -66}));
  EXPECT_EQ(results[2].values(), (std::vector<double>{44, 55, 66}));
}

TEST(Interpreter, RefusesWhatItDoesNotExecute) {
  auto errorOf = [](llvm::StringRef body) {
    TestProgram program(
        ("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {" + body + "}")
            .str());
    EXPECT_TRUE(program.run("f", {{1, 2, 3, 4}}).empty());
    return program.takeErrors();
  };
  EXPECT_EQ(errorOf("%0 = math.exp %x : tensor<4xf32>\n"
                    "return %0 : tensor<4xf32>"),
            "the interpreter does not execute 'math.exp'\n");
  EXPECT_EQ(errorOf("%0 = func.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>\n"
                    "return %0 : tensor<4xf32>"),
            "the interpreter does not execute 'func.call': the call of @f is "
            "recursive\n");
  EXPECT_EQ(errorOf("%0 = mirage_block.exp %x : (tensor<4xf32>) -> "
                    "tensor<4xf32>\n return %0 : tensor<4xf32>"),
            "the interpreter does not execute 'mirage_block.exp' outside of a "
            "launch\n");
  EXPECT_EQ(errorOf("%c = arith.constant 1 : index\n"
                    "return %x : tensor<4xf32>"),
            "the interpreter does not execute 'arith.constant': index is no "
            "tensor of floats of static shape\n");
}

TEST(Interpreter, ChecksInputs) {
  TestProgram program("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {"
                      "return %x : tensor<4xf32> }");
  TensorValue wrong =
      TensorValue::create(ElementType::f32, {3}, {1, 2, 3}, Precision::Storage);
  EXPECT_TRUE(failed(interpret(program.find("f"), {wrong})));
  EXPECT_EQ(program.takeErrors(),
            "@f takes 'tensor<4xf32>' as input 0, not a tensor of shape 3\n");
  EXPECT_TRUE(failed(interpret(program.find("f"), {})));
  EXPECT_EQ(program.takeErrors(), "@f takes 1 inputs, not 0\n");
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

/// Copies a 4x4 tensor by 2x2 tiles with these maps.
std::string copyProgram(llvm::StringRef imap, llvm::StringRef omap) {
  return ("func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {"
          "%y = mirage_kernel.launch grid(x = 2, y = 2)"
          "    (%a = %x : tensor<4x4xf32>) -> tensor<4x4xf32> {"
          "  %t = mirage_block.load %a imap(" +
          imap +
          ") : tensor<4x4xf32> to tensor<2x2xf32>"
          "  %s = mirage_block.store %t omap(" +
          omap +
          ") : tensor<2x2xf32> to tensor<4x4xf32>"
          "  mirage_block.yield %s : tensor<4x4xf32> }"
          "return %y : tensor<4x4xf32> }")
      .str();
}

TEST(Interpreter, LoadsAndStoresByMaps) {
  std::vector<double> input(16);
  for (int i = 0; i < 16; ++i)
    input[i] = i;
  auto run = [&](llvm::StringRef imap, llvm::StringRef omap) {
    TestProgram program(copyProgram(imap, omap));
    return program.run("f", {input})[0].values();
  };
  EXPECT_EQ(run("x -> 0, y -> 1", "x -> 0, y -> 1"), input);
  EXPECT_EQ(run("x -> 1, y -> 0", "x -> 1, y -> 0"), input);
  // A wrong map exchanges the tiles off the diagonal.
  EXPECT_EQ(run("x -> 1, y -> 0", "x -> 0, y -> 1"),
            (std::vector<double>{0, 1, 8, 9, 4, 5, 12, 13, 2, 3, 10, 11, 6, 7,
                                 14, 15}));
}

TEST(Interpreter, CombinesBlocksByOmap) {
  auto source = [](llvm::StringRef kind) {
    return ("func.func @f(%x: tensor<4x4xf32>) -> tensor<2x1xf32> {"
            "%y = mirage_kernel.launch grid(x = 4, y = 2)"
            "    (%a = %x : tensor<4x4xf32>) -> tensor<2x1xf32> {"
            "  %t = mirage_block.load %a imap(x -> 1, y -> 0)"
            "      : tensor<4x4xf32> to tensor<2x1xf32>"
            "  %m = mirage_block.reduce max %t dim(0) keep"
            "      : (tensor<2x1xf32>) -> tensor<1x1xf32>"
            "  %s = mirage_block.store %m omap(x -> " +
            kind +
            ", y -> 0) : tensor<1x1xf32> to tensor<2x1xf32>"
            "  mirage_block.yield %s : tensor<2x1xf32> }"
            "return %y : tensor<2x1xf32> }")
        .str();
  };
  std::vector<double> input = {1,  2,  3,  4,  5,  6,  7,  8,
                               -1, -2, -3, -4, -5, -1, -9, -7};
  TestProgram sum(source("sum")), max(source("max"));
  EXPECT_EQ(sum.run("f", {input})[0].values(), (std::vector<double>{26, -9}));
  EXPECT_EQ(max.run("f", {input})[0].values(), (std::vector<double>{8, -1}));
}

TEST(Interpreter, RoundsSumsOfBlocksOnce) {
  TestProgram program(R"mlir(
    func.func @f(%x: tensor<4xf16>) -> tensor<1xf16> {
      %y = mirage_kernel.launch grid(x = 4) (%a = %x : tensor<4xf16>)
          -> tensor<1xf16> {
        %t = mirage_block.load %a imap(x -> 0) : tensor<4xf16> to tensor<1xf16>
        %s = mirage_block.store %t omap(x -> sum)
            : tensor<1xf16> to tensor<1xf16>
        mirage_block.yield %s : tensor<1xf16>
      }
      return %y : tensor<1xf16>
    })mlir");
  // Each half disappears next to 2048 in f16, both together don't.
  std::vector<double> input = {2048, 0.5, 0.5, 1};
  EXPECT_EQ(program.run("f", {input})[0].value(0), 2050);
  EXPECT_EQ(program.run("f", {input}, Precision::F64)[0].value(0), 2050);
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// A loop over the columns of a 2x6 tensor with one accumulator.
std::string loopProgram(llvm::StringRef accumulate, llvm::StringRef type) {
  return ("func.func @f(%x: tensor<2x6xf32>) -> " + type +
          " { %y = mirage_kernel.launch grid(x = 1)"
          "    (%a = %x : tensor<2x6xf32>) -> " +
          type + " { %r = mirage_block.for %i = 0 to 3 -> " + type +
          " { %t = mirage_block.load %a imap(x -> phi) fmap(%i -> 1)"
          "       : tensor<2x6xf32> to tensor<2x2xf32>"
          "   %acc = mirage_block.accumulate " +
          accumulate + " -> " + type + " mirage_block.yield %acc : " + type +
          " } %s = mirage_block.store %r omap(x -> phi) : " + type + " to " +
          type + " mirage_block.yield %s : " + type + " } return %y : " + type +
          " }")
      .str();
}

TEST(Interpreter, AccumulatesByKind) {
  const std::vector<double> input = {1, 2, 3, 4, 5, 6, -1, 7, -3, 2, -5, 9};
  auto run = [&](llvm::StringRef accumulate, llvm::StringRef type) {
    TestProgram program(loopProgram(accumulate, type));
    return program.run("f", {input})[0].values();
  };
  EXPECT_EQ(run("sum %t : (tensor<2x2xf32>)", "tensor<2x2xf32>"),
            (std::vector<double>{9, 12, -9, 18}));
  EXPECT_EQ(run("max %t : (tensor<2x2xf32>)", "tensor<2x2xf32>"),
            (std::vector<double>{5, 6, -1, 9}));
  EXPECT_EQ(run("concat %t dim(1) : (tensor<2x2xf32>)", "tensor<2x6xf32>"),
            input);
  EXPECT_EQ(run("concat %t dim(0) : (tensor<2x2xf32>)", "tensor<6x2xf32>"),
            (std::vector<double>{1, 2, -1, 7, 3, 4, -3, 2, 5, 6, -5, 9}));
  EXPECT_EQ(run("sum %t : (tensor<2x2xf32>)", "tensor<2x2xf64>"),
            (std::vector<double>{9, 12, -9, 18}));
}

TEST(Interpreter, RescalesSums) {
  // Online softmax of one row: terms exp(s - m) relative to each part's m.
  TestProgram program(R"mlir(
    func.func @f(%x: tensor<2x6xf32>) -> tensor<2x1xf32> {
      %y = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<2x6xf32>)
          -> tensor<2x1xf32> {
        %r = mirage_block.for %i = 0 to 3 -> tensor<2x1xf32> {
          %t = mirage_block.load %a imap(x -> phi) fmap(%i -> 1)
              : tensor<2x6xf32> to tensor<2x2xf32>
          %m = mirage_block.reduce max %t dim(1) keep
              : (tensor<2x2xf32>) -> tensor<2x1xf32>
          %d = mirage_block.sub %t, %m
              : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>
          %e = mirage_block.exp %d : (tensor<2x2xf32>) -> tensor<2x2xf32>
          %s = mirage_block.reduce sum %e dim(1) keep
              : (tensor<2x2xf32>) -> tensor<2x1xf32>
          %acc = mirage_block.accumulate rescaled_sum %s shift %m
              : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
          mirage_block.yield %acc : tensor<2x1xf32>
        }
        %s = mirage_block.store %r omap(x -> phi)
            : tensor<2x1xf32> to tensor<2x1xf32>
        mirage_block.yield %s : tensor<2x1xf32>
      }
      return %y : tensor<2x1xf32>
    })mlir");
  const std::vector<double> input = {1, 2, 300, 4, 5, 6, 9, 1, -3, 2, -5, 8};
  auto result = program.run("f", {input}, Precision::F64)[0];
  for (int row = 0; row < 2; ++row) {
    double expected = 0, largest = row ? 9 : 300;
    for (int i = 0; i < 6; ++i)
      expected += std::exp(input[6 * row + i] - largest);
    EXPECT_NEAR(result.value(row), expected, 1e-14);
  }
  auto bound = program.run("f", {input}, Precision::Bound)[0];
  auto storage = program.run("f", {input})[0];
  for (int row = 0; row < 2; ++row) {
    EXPECT_LE(std::fabs(bound.value(row) - storage.value(row)),
              bound.error(row));
    EXPECT_LT(bound.error(row), 1e-3);
  }
}

TEST(Interpreter, NestsLoopsAndRunsThemOneAfterAnother) {
  TestProgram program(R"mlir(
    func.func @f(%x: tensor<4x6xf32>) -> (tensor<1x1xf32>, tensor<2x1xf32>) {
      %y, %z = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<4x6xf32>)
          -> (tensor<1x1xf32>, tensor<2x1xf32>) {
        %outer = mirage_block.for %i = 0 to 2 -> tensor<2x1xf32> {
          %inner = mirage_block.for %j = 0 to 3 -> tensor<2x2xf32> {
            %t = mirage_block.load %a imap(x -> phi) fmap(%i -> 0, %j -> 1)
                : tensor<4x6xf32> to tensor<2x2xf32>
            %m = mirage_block.accumulate max %t
                : (tensor<2x2xf32>) -> tensor<2x2xf32>
            mirage_block.yield %m : tensor<2x2xf32>
          }
          %r = mirage_block.reduce sum %inner dim(1) keep
              : (tensor<2x2xf32>) -> tensor<2x1xf32>
          %s = mirage_block.accumulate sum %r
              : (tensor<2x1xf32>) -> tensor<2x1xf32>
          mirage_block.yield %s : tensor<2x1xf32>
        }
        // After the first loop, and on its result.
        %second = mirage_block.for %k = 0 to 4 -> tensor<2x1xf32> {
          %s = mirage_block.accumulate sum %outer
              : (tensor<2x1xf32>) -> tensor<2x1xf32>
          mirage_block.yield %s : tensor<2x1xf32>
        }
        %n = mirage_block.reduce sum %second dim(0) keep
            : (tensor<2x1xf32>) -> tensor<1x1xf32>
        %0 = mirage_block.store %n omap(x -> phi)
            : tensor<1x1xf32> to tensor<1x1xf32>
        %1 = mirage_block.store %outer omap(x -> phi)
            : tensor<2x1xf32> to tensor<2x1xf32>
        mirage_block.yield %0, %1 : tensor<1x1xf32>, tensor<2x1xf32>
      }
      return %y, %z : tensor<1x1xf32>, tensor<2x1xf32>
    })mlir");
  std::vector<double> input(24);
  for (int i = 0; i < 24; ++i)
    input[i] = i;
  auto results = program.run("f", {input});
  // Largest of columns 0, 2, 4 and of 1, 3, 5 in rows 0 and 2, and 1 and 3.
  EXPECT_EQ(results[1].values(),
            (std::vector<double>{4 + 5 + 16 + 17, 10 + 11 + 22 + 23}));
  EXPECT_EQ(results[0].values(), (std::vector<double>{4.0 * (42 + 66)}));
}

//===----------------------------------------------------------------------===//
// Thread graphs, precisions, threads
//===----------------------------------------------------------------------===//

TEST(Interpreter, RunsThreadGraphs) {
  TestProgram program(R"mlir(
    func.func @f(%x: tensor<4x4xf32>, %r: tensor<1x4xf32>) -> tensor<4x4xf32> {
      %y = mirage_kernel.launch grid(x = 2)
          (%a = %x : tensor<4x4xf32>, %b = %r : tensor<1x4xf32>)
          -> tensor<4x4xf32> {
        %t = mirage_block.load %a imap(x -> 0)
            : tensor<4x4xf32> to tensor<2x4xf32>
        %u = mirage_block.load %b imap(x -> phi)
            : tensor<1x4xf32> to tensor<1x4xf32>
        %g = mirage_block.thread_graph threads(x = 2, y = 2)
            (%ta = %t : tensor<2x4xf32>, %tb = %u : tensor<1x4xf32>)
            -> tensor<2x4xf32> {
          %p = mirage_thread.load %ta imap(x -> 1, y -> 0)
              : tensor<2x4xf32> to tensor<1x2xf32>
          %q = mirage_thread.load %tb imap(x -> 1, y -> phi)
              : tensor<1x4xf32> to tensor<1x2xf32>
          %s = mirage_thread.mul %p, %q
              : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xf32>
          %w = mirage_thread.store %s omap(x -> 1, y -> 0)
              : tensor<1x2xf32> to tensor<2x4xf32>
          mirage_thread.yield %w : tensor<2x4xf32>
        }
        %s = mirage_block.store %g omap(x -> 0)
            : tensor<2x4xf32> to tensor<4x4xf32>
        mirage_block.yield %s : tensor<4x4xf32>
      }
      return %y : tensor<4x4xf32>
    })mlir");
  std::vector<double> input(16), expected(16), row = {1, 10, 100, 1000};
  for (int i = 0; i < 16; ++i) {
    input[i] = i;
    expected[i] = i * row[i % 4];
  }
  EXPECT_EQ(program.run("f", {input, row})[0].values(), expected);
}

TEST(Interpreter, RoundsWhereThePrecisionSays) {
  TestProgram program(R"mlir(
    func.func @f(%x: tensor<1xf16>, %y: tensor<1xf16>) -> tensor<1xf16> {
      %s = mirage_kernel.add %x, %y
          : (tensor<1xf16>, tensor<1xf16>) -> tensor<1xf16>
      %d = mirage_kernel.sub %s, %x
          : (tensor<1xf16>, tensor<1xf16>) -> tensor<1xf16>
      return %d : tensor<1xf16>
    })mlir");
  auto run = [&](double x, double y, Precision precision) {
    return program.run("f", {{x}, {y}}, precision)[0].value(0);
  };
  // f16 has 11 bits, f32 24, f64 53.
  EXPECT_EQ(run(2048, 0.5, Precision::Storage), 0);
  EXPECT_EQ(run(2048, 0.5, Precision::F32), 0.5);
  EXPECT_EQ(run(2048, 0x1p-16, Precision::F32), 0);
  EXPECT_EQ(run(2048, 0x1p-16, Precision::F64), 0x1p-16);
}

TEST(Interpreter, ComputesInF64WhereATensorIs) {
  TestProgram program(R"mlir(
    func.func @f(%x: tensor<1xf64>, %y: tensor<1xf32>) -> tensor<1xf64> {
      %z = mirage_kernel.cast %y : tensor<1xf32> to tensor<1xf64>
      %s = mirage_kernel.add %x, %z
          : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
      return %s : tensor<1xf64>
    })mlir");
  EXPECT_EQ(program.run("f", {{1}, {0x1p-40}})[0].value(0), 1 + 0x1p-40);
  EXPECT_EQ(program.run("f", {{1}, {0x1p-40}}, Precision::F32)[0].value(0), 1);
}

TEST(Interpreter, ReportsOverflowAsUnbounded) {
  TestProgram program(R"mlir(
    func.func @f(%x: tensor<2xf16>) -> tensor<2xf16> {
      %s = mirage_kernel.square %x : (tensor<2xf16>) -> tensor<2xf16>
      return %s : tensor<2xf16>
    })mlir");
  auto bound = program.run("f", {{2, 300}}, Precision::Bound)[0];
  EXPECT_LT(bound.error(0), 0.01);
  EXPECT_EQ(bound.error(1), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isinf(program.run("f", {{2, 300}})[0].value(1)));
}

TEST(Interpreter, DoesNotDependOnTheNumberOfThreads) {
  TestProgram program(R"mlir(
    func.func @f(%x: tensor<64x512xf32>, %w: tensor<512x64xf32>)
        -> (tensor<64x64xf32>, tensor<64x64xf32>) {
      %y = mirage_kernel.launch grid(x = 4, y = 8)
          (%a = %x : tensor<64x512xf32>, %b = %w : tensor<512x64xf32>)
          -> tensor<64x64xf32> {
        %p = mirage_block.load %a imap(x -> 0, y -> 1)
            : tensor<64x512xf32> to tensor<16x64xf32>
        %q = mirage_block.load %b imap(x -> phi, y -> 0)
            : tensor<512x64xf32> to tensor<64x64xf32>
        %m = mirage_block.matmul %p, %q
            : (tensor<16x64xf32>, tensor<64x64xf32>) -> tensor<16x64xf32>
        %s = mirage_block.store %m omap(x -> 0, y -> sum)
            : tensor<16x64xf32> to tensor<64x64xf32>
        mirage_block.yield %s : tensor<64x64xf32>
      }
      %n = mirage_kernel.softmax %y dim(1)
          : (tensor<64x64xf32>) -> tensor<64x64xf32>
      return %y, %n : tensor<64x64xf32>, tensor<64x64xf32>
    })mlir");
  std::vector<double> x(64 * 512), w(512 * 64);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(std::sin(static_cast<double>(i)));
    w[i] = static_cast<float>(std::cos(static_cast<double>(i)));
  }
  auto saved = llvm::parallel::strategy;
  llvm::parallel::strategy = llvm::hardware_concurrency(1);
  auto serial = program.run("f", {x, w});
  llvm::parallel::strategy = saved;
  auto parallel = program.run("f", {x, w});
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(serial[i].values(), parallel[i].values());
}

} // namespace
