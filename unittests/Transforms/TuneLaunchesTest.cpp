//===- TuneLaunchesTest.cpp - mirage-tune-launches with a timer -----------===//
//
// The pass with times that no model has anything to do with: it must take the
// fastest way that it asked for, and take it again by the file that it wrote,
// without the timer.
//
//===----------------------------------------------------------------------===//

#include "../Runtime/TestSupport.h"
#include "MeasureTesting.h"
#include "Mirage/Conversion/Passes.h"
#include "Mirage/MuGraph/Retile.h"
#include "Mirage/Transforms/Passes.h"
#include "llvm/Support/xxhash.h"
#include "gtest/gtest.h"
#include <map>

using namespace mirage;

namespace {

/// A launch that multiplies %x by another argument.
std::string makeProduct(const std::string &result, const std::string &right) {
  return "    " + result +
         R"( = mirage_kernel.launch grid(x = 4, y = 4) (%a = %x : tensor<256x512xf16>, %b = )" +
         right + R"( : tensor<512x256xf16>) -> tensor<256x256xf16> {
      %s = mirage_block.for %i = 0 to 8 -> tensor<64x64xf32> {
        %l = mirage_block.load %a imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<256x512xf16> to tensor<64x64xf16>
        %r = mirage_block.load %b imap(x -> phi, y -> 1) fmap(%i -> 0) : tensor<512x256xf16> to tensor<64x64xf16>
        %p = mirage_block.matmul %l, %r : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
        %t = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
        mirage_block.yield %t : tensor<64x64xf32>
      }
      %c = mirage_block.cast %s : tensor<64x64xf32> to tensor<64x64xf16>
      %o = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<64x64xf16> to tensor<256x256xf16>
      mirage_block.yield %o : tensor<256x256xf16>
    }
)";
}

/// Two launches that are the same, and one whose schedule is written.
std::string makeProgram() {
  return R"(
module attributes {mirage.target = #mirage.target<sm_90a>} {
  func.func @f(%x: tensor<256x512xf16>, %w: tensor<512x256xf16>, %v: tensor<512x256xf16>) -> (tensor<256x256xf16>, tensor<256x256xf16>, tensor<256x256xf16>) {
)" + makeProduct("%0", "%w") +
         makeProduct("%1", "%v") + R"(
    %2 = mirage_kernel.launch grid(x = 4, y = 4) (%a = %0 : tensor<256x256xf16>) -> tensor<256x256xf16> attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2>} {
      %l = mirage_block.load %a imap(x -> 0, y -> 1) : tensor<256x256xf16> to tensor<64x64xf16>
      %e = mirage_block.exp %l : (tensor<64x64xf16>) -> tensor<64x64xf16>
      %o = mirage_block.store %e omap(x -> 0, y -> 1) : tensor<64x64xf16> to tensor<256x256xf16>
      mirage_block.yield %o : tensor<256x256xf16>
    }
    return %0, %1, %2 : tensor<256x256xf16>, tensor<256x256xf16>, tensor<256x256xf16>
  }
})";
}

/// A launch that leaves sums of eight parts of a product, and one that adds
/// them up.
std::string makeParts() {
  return R"(
module attributes {mirage.target = #mirage.target<sm_90a>} {
  func.func @f(%x: tensor<64x1024xf16>, %w: tensor<1024x64xf16>) -> tensor<64x64xf16> {
    %0 = mirage_kernel.launch grid(x = 8) (%a = %x : tensor<64x1024xf16>, %b = %w : tensor<1024x64xf16>) -> tensor<8x64x64xf32> {
      %s = mirage_block.for %i = 0 to 2 -> tensor<64x64xf32> {
        %l = mirage_block.load %a imap(x -> 1) fmap(%i -> 1) : tensor<64x1024xf16> to tensor<64x64xf16>
        %r = mirage_block.load %b imap(x -> 0) fmap(%i -> 0) : tensor<1024x64xf16> to tensor<64x64xf16>
        %p = mirage_block.matmul %l, %r : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
        %t = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
        mirage_block.yield %t : tensor<64x64xf32>
      }
      %c = mirage_block.reshape %s : tensor<64x64xf32> to tensor<1x64x64xf32>
      %o = mirage_block.store %c omap(x -> 0) : tensor<1x64x64xf32> to tensor<8x64x64xf32>
      mirage_block.yield %o : tensor<8x64x64xf32>
    }
    %1 = mirage_kernel.launch grid(x = 16) (%a = %0 : tensor<8x64x64xf32>) -> tensor<64x64xf16> {
      %l = mirage_block.load %a imap(x -> 1) : tensor<8x64x64xf32> to tensor<8x4x64xf32>
      %s = mirage_block.reduce sum %l dim(0) : (tensor<8x4x64xf32>) -> tensor<4x64xf32>
      %c = mirage_block.cast %s : tensor<4x64xf32> to tensor<4x64xf16>
      %o = mirage_block.store %c omap(x -> 0) : tensor<4x64xf16> to tensor<64x64xf16>
      mirage_block.yield %o : tensor<64x64xf16>
    }
    return %1 : tensor<64x64xf16>
  }
})";
}

/// Returns how many parts the graph of a launch of makeParts() leaves or reads.
int64_t countParts(const MuGraph &graph) {
  const MuRegion &body = graph.getRegion();
  ShapeRef result = graph.getShape(body.results[0]);
  return result.size() == 3 ? result[0] : graph.getShape(body.arguments[0])[0];
}

/// The behaviour of the fake device, and what it was asked.
struct FakeDevice {
  uint64_t salt = 0;
  /// All ways take as long.
  bool isFlat = false;
  /// Parts with which launches of makeParts() take least; zero for other
  /// programs.
  int64_t parts = 0;
  std::string openError, timeError;
  std::map<std::string, double> times;
};
FakeDevice *device = nullptr;

class FakeTimer : public GraphTimer {
public:
  llvm::StringRef getDevice() const override { return "fake"; }
  llvm::Expected<GraphTime> time(const MuGraph &graph,
                                 llvm::StringRef passes) override {
    EXPECT_TRUE(passes.starts_with("mirage-schedule-launches{"))
        << passes.str();
    std::string name = describeTilings(graph) + passes.str();
    if (!device->timeError.empty() && device->times.size() == 3)
      return llvm::createStringError(device->timeError);
    uint64_t hash = llvm::xxh3_64bits(name + std::to_string(device->salt));
    // The launch as it is can be executed.
    if (hash % 5 == 0 && !device->times.empty() && device->parts == 0)
      return GraphTime{0, "it is unlucky"};
    double time =
        device->isFlat ? 1 : 1 + static_cast<double>(hash % 100000) / 7;
    if (device->parts != 0) {
      int64_t parts = countParts(graph);
      name += " of " + std::to_string(parts);
      time = parts == device->parts ? 5 : 10;
    }
    EXPECT_TRUE(device->times.emplace(name, time).second) << name;
    return GraphTime{time, ""};
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
  /// The way in which each launch is executed, "" where its schedule is not
  /// written.
  std::vector<std::string> launches;
};

/// The pass on a program, with the timer if `device` is set.
Outcome runPass(const TuneLaunchesOptions &options,
                const std::string &program = makeProgram()) {
  static const bool isRegistered = (registerMirageConversionPasses(), true);
  (void)isRegistered;
  Outcome outcome;
  outcome.errors = runMeasuringPass<FakeInterface>(
      program, device, createTuneLaunches(options), [&](mlir::ModuleOp module) {
        llvm::raw_string_ostream(outcome.text) << module;
        module->walk([&](kernel::LaunchOp launch) {
          llvm::raw_string_ostream(outcome.launches.emplace_back())
              << launch->getAttrDictionary();
        });
      });
  return outcome;
}

class TuneLaunchesTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::sys::fs::remove(file.path());
    device = &fake;
  }
  void TearDown() override { device = nullptr; }

  FakeDevice fake;
  runtime::TemporaryFile file;
  TuneLaunchesOptions options;
};

TEST_F(TuneLaunchesTest, TakesTheFastestAndTakesItAgain) {
  options.measurements = file.path().str();
  for (uint64_t salt = 0; salt < 3; ++salt) {
    llvm::sys::fs::remove(file.path());
    fake = FakeDevice();
    fake.salt = salt;
    options.measure = TilingMeasure::Device;
    device = &fake;
    Outcome measured = runPass(options);
    EXPECT_EQ(measured.errors, "");
    ASSERT_GE(fake.times.size(), 5u);
    ASSERT_EQ(measured.launches.size(), 3u);
    // Equal launches are measured once, and executed alike.
    EXPECT_EQ(measured.launches[0], measured.launches[1]);
    EXPECT_NE(measured.launches[0], measured.launches[2]);

    // Nothing is measured a second time.
    size_t asked = fake.times.size();
    EXPECT_EQ(runPass(options).text, measured.text);
    EXPECT_EQ(fake.times.size(), asked);

    // What is taken is the fastest: it stays where only it can be had.
    std::string fastest;
    double least = std::numeric_limits<double>::infinity();
    for (const auto &[name, time] : fake.times)
      if (time < least) {
        least = time;
        fastest = name;
      }
    llvm::StringRef tiling = llvm::StringRef(fastest).split("mirage").first;
    auto [grid, loop] = tiling.split(" loop ");
    auto [x, y] = grid.drop_front(strlen("grid ")).split('x');
    EXPECT_NE(measured.text.find(("grid(x = " + x + ", y = " + y + ")").str()),
              std::string::npos)
        << fastest << measured.text;

    device = nullptr;
    options.measure = TilingMeasure::Recorded;
    EXPECT_EQ(runPass(options).text, measured.text);
    options.measure = TilingMeasure::Auto;
    EXPECT_EQ(runPass(options).text, measured.text);
  }
}

/// What cannot be launched is not measured.
TEST_F(TuneLaunchesTest, KeepsToTheLimits) {
  options.clusterBlocks = 2;
  options.bulkCopies = false;
  fake.isFlat = true;
  EXPECT_EQ(runPass(options).errors, "");
  EXPECT_GE(fake.times.size(), 5u);
  for (const auto &[name, time] : fake.times) {
    llvm::StringRef text(name);
    EXPECT_TRUE(text.contains("bulk-copies=false")) << name;
    EXPECT_TRUE(text.contains("cluster-blocks=1") ||
                text.contains("cluster-blocks=2"))
        << name;
  }
}

TEST_F(TuneLaunchesTest, LaunchesStayWhereNothingIsFaster) {
  options.measure = TilingMeasure::Auto;
  fake.isFlat = true;
  Outcome measured = runPass(options);
  EXPECT_GE(fake.times.size(), 5u);
  device = nullptr;
  EXPECT_EQ(runPass(options).text, measured.text);
}

/// Both launches change where they are faster together with other parts, and
/// the file says so, too.
TEST_F(TuneLaunchesTest, ChoosesHowManyPartsAreMerged) {
  options.measurements = file.path().str();
  for (int64_t parts : {8, 4, 2, 16}) {
    llvm::sys::fs::remove(file.path());
    fake = FakeDevice();
    fake.parts = parts;
    device = &fake;
    options.measure = TilingMeasure::Device;
    Outcome measured = runPass(options, makeParts());
    EXPECT_EQ(measured.errors, "");
    EXPECT_NE(
        measured.text.find("tensor<" + std::to_string(parts) + "x64x64xf32> {"),
        std::string::npos)
        << parts << measured.text;
    EXPECT_EQ(measured.launches.size(), 2u);

    device = nullptr;
    options.measure = TilingMeasure::Recorded;
    EXPECT_EQ(runPass(options, makeParts()).text, measured.text);
  }
}

TEST_F(TuneLaunchesTest, ErrorsEndThePass) {
  fake.openError = "it is away";
  EXPECT_EQ(runPass(options).errors,
            "tilings of @f cannot be measured as measure=device asks: it is "
            "away");
  fake.openError = "";
  fake.timeError = "it fell down";
  Outcome outcome = runPass(options);
  EXPECT_TRUE(outcome.text.empty());
  EXPECT_TRUE(llvm::StringRef(outcome.errors)
                  .ends_with(" on fake failed: it fell down"))
      << outcome.errors;
  options.measure = TilingMeasure::Recorded;
  EXPECT_EQ(runPass(options).errors, "option measure=recorded of "
                                     "mirage-tune-launches must be with "
                                     "measurements");
}

} // namespace
