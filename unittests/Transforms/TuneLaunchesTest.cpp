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
#include <set>

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

/// A launch that adds to %x[0:16] what a constant has: two of them, whose
/// constants differ in the last element, and one whose constant is the first
/// one's.
std::string makeConstants() {
  auto constant = [](const std::string &name, const std::string &last) {
    return "    " + name +
           R"( = mirage_kernel.constant dense<[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0],
      [9.0], [10.0], [11.0], [12.0], [13.0], [14.0], [15.0], [)" +
           last + "]]> : tensor<16x1xf32>\n";
  };
  auto sum = [](const std::string &result, const std::string &right) {
    return "    " + result +
           R"( = mirage_kernel.launch grid(x = 4) (%a = %s : tensor<16x64xf32>, %b = )" +
           right + R"( : tensor<16x1x1xf32>) -> tensor<16x64xf32> {
      %l = mirage_block.load %a imap(x -> 0) : tensor<16x64xf32> to tensor<4x64xf32>
      %m = mirage_block.load %b imap(x -> 0) : tensor<16x1x1xf32> to tensor<4x1x1xf32>
      %r = mirage_block.reshape %m : tensor<4x1x1xf32> to tensor<4x1xf32>
      %e = mirage_block.add %l, %r : (tensor<4x64xf32>, tensor<4x1xf32>) -> tensor<4x64xf32>
      %o = mirage_block.store %e omap(x -> 0) : tensor<4x64xf32> to tensor<16x64xf32>
      mirage_block.yield %o : tensor<16x64xf32>
    }
)";
  };
  auto reshape = [](const std::string &result, const std::string &of) {
    return "    " + result + " = mirage_kernel.reshape " + of +
           " : tensor<16x1xf32> to tensor<16x1x1xf32>\n";
  };
  return R"(
module attributes {mirage.target = #mirage.target<sm_90a>} {
  func.func @f(%x: tensor<64x64xf32>) -> (tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>) {
    %s = mirage_kernel.slice %x[16, 0] [16, 64] [1, 1] : (tensor<64x64xf32>) -> tensor<16x64xf32>
)" + constant("%c", "16.0") +
         constant("%d", "17.0") + reshape("%e", "%c") + reshape("%g", "%d") +
         sum("%0", "%e") + sum("%1", "%g") + sum("%2", "%e") + R"(
    return %0, %1, %2 : tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>
  }
})";
}

/// Returns the constants of a program's body as text, by their last elements.
std::string describeConstants(const MuGraph &graph) {
  std::string text;
  for (unsigned number : graph.getRegion().nodes)
    if (const MuNode &node = graph.getNode(number);
        node.kind == MuNode::Kind::Operator && node.op == OpKind::Constant)
      text += " constant " + std::to_string(node.attributes.values->back());
  return text;
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
  /// The shapes of the arguments of all programs.
  std::set<Shape> arguments;
};
FakeDevice *device = nullptr;

class FakeTimer : public GraphTimer {
public:
  llvm::StringRef getDevice() const override { return "fake"; }
  llvm::Expected<GraphTime> time(const MuGraph &graph,
                                 llvm::StringRef passes) override {
    EXPECT_TRUE(passes.starts_with("mirage-schedule-launches{"))
        << passes.str();
    std::string name =
        describeTilings(graph) + passes.str() + describeConstants(graph);
    for (MuValue argument : graph.getRegion().arguments)
      device->arguments.emplace(graph.getShape(argument));
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

/// A launch is measured with what its function knows of its operands: the
/// slice is read in the tensor that it is of, and constants are none that
/// memory has. Launches whose constants differ are measured each.
TEST_F(TuneLaunchesTest, MeasuresWhatIsLowered) {
  options.measurements = file.path().str();
  Outcome measured = runPass(options, makeConstants());
  EXPECT_EQ(measured.errors, "");
  EXPECT_EQ(fake.arguments, std::set<Shape>({Shape({64, 64})}));
  auto count = [&](llvm::StringRef constant) {
    return llvm::count_if(fake.times, [&](const auto &entry) {
      return llvm::StringRef(entry.first).contains(constant);
    });
  };
  EXPECT_GE(count("constant 16"), 4);
  EXPECT_GE(count("constant 17"), 4);
  EXPECT_EQ(count("constant 16") + count("constant 17"),
            static_cast<int64_t>(fake.times.size()));
  // The launches still read what they read.
  llvm::StringRef text(measured.text);
  EXPECT_EQ(text.count("mirage_kernel.constant"), 2u) << measured.text;
  EXPECT_EQ(text.count("mirage_kernel.slice"), 1u) << measured.text;
  EXPECT_EQ(text.count(" = %reshape : tensor<16x1x1xf32>)"), 2u)
      << measured.text;
  EXPECT_EQ(text.count(" = %reshape_1 : tensor<16x1x1xf32>)"), 1u)
      << measured.text;

  device = nullptr;
  options.measure = TilingMeasure::Recorded;
  EXPECT_EQ(runPass(options, makeConstants()).text, measured.text);
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
