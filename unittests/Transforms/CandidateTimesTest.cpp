//===- CandidateTimesTest.cpp - mirage-superoptimize with a timer ---------===//
//
// The search with times that no model has anything to do with: it must take the
// candidate that they put first, and take it again by the file that it wrote,
// without the timer. No passes make kernels here, so that no other times are
// known.
//
//===----------------------------------------------------------------------===//

#include "../Runtime/TestSupport.h"
#include "MeasureTesting.h"
#include "Mirage/MuGraph/Retile.h"
#include "Mirage/Transforms/Passes.h"
#include "gtest/gtest.h"
#include <map>

using namespace mirage;

namespace {

/// Three products that two launches of unlike grids compute, which the model
/// puts beside each other.
constexpr const char *program = R"(
module attributes {mirage.target = #mirage.target<sm_90a>} {
  func.func @f(%x: tensor<2048x1024xf16>, %u: tensor<1024x1024xf16>,
               %v: tensor<1024x1024xf16>, %w: tensor<1024x1024xf16>)
      -> (tensor<2048x1024xf16>, tensor<2048x1024xf16>, tensor<2048x1024xf16>)
      attributes {mirage.superoptimize} {
    %0 = mirage_kernel.matmul %x, %u : (tensor<2048x1024xf16>, tensor<1024x1024xf16>) -> tensor<2048x1024xf16>
    %1 = mirage_kernel.matmul %x, %v : (tensor<2048x1024xf16>, tensor<1024x1024xf16>) -> tensor<2048x1024xf16>
    %2 = mirage_kernel.matmul %x, %w : (tensor<2048x1024xf16>, tensor<1024x1024xf16>) -> tensor<2048x1024xf16>
    return %0, %1, %2 : tensor<2048x1024xf16>, tensor<2048x1024xf16>, tensor<2048x1024xf16>
  }
})";

/// The behaviour of the fake device, and what it was asked.
struct FakeDevice {
  /// The tilings of the program that takes 10 microseconds. Others take 20, and
  /// the operators 15.
  std::string fastest;
  std::string openError, timeError, rejected;
  /// The programs, printed, and the tilings that they have.
  std::map<std::string, std::string> asked;
};
FakeDevice *device = nullptr;

class FakeTimer : public GraphTimer {
public:
  llvm::StringRef getDevice() const override { return "fake"; }
  llvm::Expected<GraphTime> time(const MuGraph &graph,
                                 llvm::StringRef passes) override {
    EXPECT_EQ(passes, "");
    if (!device->timeError.empty())
      return llvm::createStringError(device->timeError);
    std::string name = describeTilings(graph);
    EXPECT_TRUE(device->asked.emplace(toString(graph), name).second) << name;
    if (!device->rejected.empty() && name == device->rejected)
      return GraphTime{0, "it is unlucky"};
    return GraphTime{name == device->fastest ? 10.0
                     : name.empty()          ? 15.0
                                             : 20.0,
                     ""};
  }
};

class FakeInterface : public GraphTimerInterface {
public:
  using GraphTimerInterface::GraphTimerInterface;
  llvm::Expected<std::unique_ptr<GraphTimer>>
  open(const GraphTimerOptions &) const override {
    if (!device->openError.empty())
      return llvm::createStringError(device->openError);
    return std::make_unique<FakeTimer>();
  }
};

struct Outcome {
  std::string text, errors;
  /// The blocks of the launches.
  std::vector<std::string> grids;
};

class CandidateTimesTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::sys::fs::remove(file.path());
    device = &fake;
  }
  void TearDown() override { device = nullptr; }

  Outcome run(TilingMeasure measure) {
    SuperoptimizeOptions options;
    options.fused = true;
    options.interactive = false;
    options.kernels = 1;
    options.pieces = false;
    options.measure = measure;
    options.measurements = file.path().str();
    Outcome outcome;
    outcome.errors = runMeasuringPass<FakeInterface>(
        program, device, createSuperoptimize(options),
        [&](mlir::ModuleOp module) {
          llvm::raw_string_ostream(outcome.text) << module;
          module->walk([&](kernel::LaunchOp launch) {
            llvm::raw_string_ostream os(outcome.grids.emplace_back());
            llvm::interleave(launch.getGrid(), os, "x");
          });
        });
    return outcome;
  }

  FakeDevice fake;
  runtime::TemporaryFile file;
};

TEST_F(CandidateTimesTest, TakesTheFastest) {
  // What takes as long as the operators, or longer, is not taken.
  fake.fastest = "none";
  EXPECT_EQ(run(TilingMeasure::Device).grids, std::vector<std::string>());
  ASSERT_GE(fake.asked.size(), 3u);
  std::vector<std::string> names;
  for (const auto &[text, name] : fake.asked)
    if (!name.empty())
      names.push_back(name);
  ASSERT_GE(names.size(), 2u);
  for (const std::string &name : names) {
    llvm::sys::fs::remove(file.path());
    fake.asked.clear();
    fake.fastest = name;
    Outcome measured = run(TilingMeasure::Device);
    EXPECT_EQ(measured.errors, "");
    ASSERT_EQ(measured.grids.size(), 1u) << name;
    EXPECT_TRUE(llvm::StringRef(name).starts_with("grid " + measured.grids[0]))
        << name;
    // The same choice without the device, and nothing is measured again with
    // it.
    fake.asked.clear();
    EXPECT_EQ(run(TilingMeasure::Device).text, measured.text);
    EXPECT_TRUE(fake.asked.empty());
    device = nullptr;
    EXPECT_EQ(run(TilingMeasure::Recorded).text, measured.text);
    EXPECT_EQ(run(TilingMeasure::Auto).text, measured.text);
    device = &fake;
  }
}

TEST_F(CandidateTimesTest, LeavesWhatHasNoLowering) {
  fake.fastest = "grid 16x8 loop 32";
  ASSERT_EQ(run(TilingMeasure::Device).grids.size(), 1u);
  llvm::sys::fs::remove(file.path());
  fake.asked.clear();
  fake.rejected = fake.fastest;
  EXPECT_EQ(run(TilingMeasure::Device).grids, std::vector<std::string>());
}

TEST_F(CandidateTimesTest, SaysWhyNothingIsMeasured) {
  fake.openError = "there is no GPU";
  EXPECT_EQ(run(TilingMeasure::Device).errors,
            "tilings of @f cannot be measured as measure=device asks: there is "
            "no GPU");
  // The search goes on without times if it was asked for auto.
  EXPECT_EQ(run(TilingMeasure::Auto).errors, "");
  fake.openError = "";
  fake.timeError = "the driver is gone";
  EXPECT_NE(run(TilingMeasure::Device)
                .errors.find(" on fake failed: the driver is gone"),
            std::string::npos);
  fake.timeError = "";
  EXPECT_EQ(run(TilingMeasure::Device).errors, "");
  // Times of one device are not mixed with those of another one.
  std::string text = file.read();
  size_t place;
  while ((place = text.find("\"fake\"")) != std::string::npos)
    text.replace(place, 6, "\"other\"");
  std::error_code code;
  llvm::raw_fd_ostream(file.path(), code) << text;
  EXPECT_NE(run(TilingMeasure::Device)
                .errors.find("has times of other, and "
                             "this is fake"),
            std::string::npos);
}

} // namespace
