//===- TileMeasureTest.cpp - mirage-tile with a timer ---------------------===//
//
// The pass with times that no model has anything to do with: it must take the
// least one of those it asked for, and take it again by the file that it wrote,
// without the timer.
//
//===----------------------------------------------------------------------===//

#include "../Runtime/TestSupport.h"
#include "MeasureTesting.h"
#include "Mirage/Analysis/Tiling/ApplyTiling.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "Mirage/Transforms/Passes.h"
#include "llvm/Support/xxhash.h"
#include "gtest/gtest.h"
#include <map>

using namespace mirage;

namespace {

constexpr const char *program = R"(
  func.func @chain(%a: tensor<64x32xf16>, %b: tensor<32x128xf16>,
                   %d: tensor<128x64xf16>) -> tensor<64x64xf32> {
    %0 = mirage_kernel.matmul %a, %b
        : (tensor<64x32xf16>, tensor<32x128xf16>) -> tensor<64x128xf16>
    %1 = mirage_kernel.matmul %0, %d
        : (tensor<64x128xf16>, tensor<128x64xf16>) -> tensor<64x64xf32>
    return %1 : tensor<64x64xf32>
  })";

std::string getTiling(const MuGraph &graph) {
  std::string error;
  std::optional<tiling::Tiling> tiling = tiling::findTiling(graph, error);
  EXPECT_TRUE(tiling) << error;
  return tiling ? toString(*tiling) : "";
}

/// The behaviour of the fake device, and the questions that it was asked.
struct FakeDevice {
  uint64_t salt = 0;
  std::string openError, timeError;
  std::map<std::string, double> times;
  unsigned rejected = 0;
};
FakeDevice *device = nullptr;

class FakeTimer : public GraphTimer {
public:
  llvm::StringRef getDevice() const override { return "fake"; }
  llvm::Expected<GraphTime> time(const MuGraph &graph,
                                 llvm::StringRef passes) override {
    EXPECT_EQ(passes, "");
    std::string tiling = getTiling(graph);
    if (!device->timeError.empty() && device->times.size() == 3)
      return llvm::createStringError(device->timeError);
    uint64_t hash = llvm::xxh3_64bits(tiling + std::to_string(device->salt));
    if (hash % 4 == 0) {
      ++device->rejected;
      return GraphTime{0, "it is unlucky"};
    }
    double time = 1 + static_cast<double>(hash % 100000) / 7;
    EXPECT_TRUE(device->times.emplace(tiling, time).second) << tiling;
    return GraphTime{time, ""};
  }
};

class FakeInterface : public GraphTimerInterface {
public:
  using GraphTimerInterface::GraphTimerInterface;
  llvm::Expected<std::unique_ptr<GraphTimer>>
  open(const GraphTimerOptions &options) const override {
    EXPECT_TRUE(options.isExact);
    if (!device->openError.empty())
      return llvm::createStringError(device->openError);
    return std::make_unique<FakeTimer>();
  }
};

struct Outcome {
  std::string text, tiling, errors;
};

/// The pass on the program, with the timer if `device` is set.
Outcome runTile(const TileOptions &options) {
  Outcome outcome;
  outcome.errors = runMeasuringPass<FakeInterface>(
      program, device, createTile(options), [&](mlir::ModuleOp module) {
        llvm::raw_string_ostream(outcome.text) << module;
        auto imported =
            importMuGraph(module.lookupSymbol<mlir::func::FuncOp>("chain"));
        EXPECT_TRUE(mlir::succeeded(imported));
        outcome.tiling = getTiling(imported->graph);
      });
  return outcome;
}

class TileMeasureTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::sys::fs::remove(file.path());
    options.measure = TilingMeasure::Device;
    options.function = "chain";
    device = &fake;
  }
  void TearDown() override { device = nullptr; }

  FakeDevice fake;
  runtime::TemporaryFile file;
  TileOptions options;
};

TEST_F(TileMeasureTest, TakesTheFastestAndTakesItAgain) {
  options.measurements = file.path().str();
  for (uint64_t exhaustive : {0, 4096})
    for (uint64_t salt = 0; salt < 4; ++salt) {
      llvm::sys::fs::remove(file.path());
      fake = FakeDevice();
      fake.salt = salt;
      options.exhaustive = exhaustive;
      options.seed = salt;
      options.measure = TilingMeasure::Device;
      device = &fake;
      Outcome measured = runTile(options);
      EXPECT_EQ(measured.errors, "");
      ASSERT_GE(fake.times.size(), 8u);
      EXPECT_GT(fake.rejected, 0u);
      for (auto [tiling, time] : fake.times)
        EXPECT_GE(time, fake.times.at(measured.tiling));

      // Nothing is measured a second time.
      size_t asked = fake.times.size();
      EXPECT_EQ(runTile(options).text, measured.text);
      EXPECT_EQ(fake.times.size(), asked);

      device = nullptr;
      options.measure = TilingMeasure::Recorded;
      EXPECT_EQ(runTile(options).text, measured.text);
      options.measure = TilingMeasure::Auto;
      EXPECT_EQ(runTile(options).text, measured.text);
    }
}

TEST_F(TileMeasureTest, AutoMeasuresIfItCan) {
  options.measure = TilingMeasure::Auto;
  Outcome measured = runTile(options);
  EXPECT_GE(fake.times.size(), 8u);
  fake.times.clear();
  fake.openError = "it is away";
  Outcome modeled = runTile(options);
  EXPECT_EQ(modeled.errors, "");
  EXPECT_TRUE(fake.times.empty());
  options.measure = TilingMeasure::Mirage;
  EXPECT_EQ(runTile(options).text, modeled.text);
}

TEST_F(TileMeasureTest, ErrorsEndThePass) {
  fake.openError = "it is away";
  EXPECT_EQ(runTile(options).errors,
            "tilings of @chain cannot be measured as measure=device asks: it "
            "is away");
  fake.openError = "";
  fake.timeError = "it fell down";
  Outcome outcome = runTile(options);
  EXPECT_TRUE(outcome.text.empty());
  EXPECT_TRUE(llvm::StringRef(outcome.errors)
                  .ends_with(" on fake failed: it fell down"))
      << outcome.errors;
  device = nullptr;
  EXPECT_EQ(runTile(options).errors,
            "tilings of @chain cannot be measured as measure=device asks: this "
            "tool cannot run kernels; mirage-opt can");
}

} // namespace
