//===- LaunchStreamsTest.cpp - Which kernels run beside each other --------===//

// Tests streams by hand, the checks of a manifest's streams, and random
// functions: each two kernels of which one writes bytes that the other has are
// in order, and a fake GPU that keeps to no other order computes what it does
// with kernels one after another.

#include "Mirage/Runtime/LaunchStreams.h"
#include "FakeCuda.h"
#include "Mirage/Runtime/KernelRunner.h"
#include "Mirage/Runtime/ScratchMemory.h"
#include "TestSupport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace mirage::runtime;

namespace {

using Names = std::vector<std::string>;

BufferDescription createBuffer(std::string name, BufferRole role,
                               uint64_t offset = 0) {
  BufferDescription buffer;
  buffer.name = std::move(name);
  buffer.role = role;
  buffer.shape = {8};
  buffer.type = ElementType::f8E5M2;
  buffer.bytes = 8;
  buffer.offset = offset;
  return buffer;
}

/// A function of the input x and the output y, with scratch a, b and c.
FunctionDescription createFunction() {
  FunctionDescription function;
  function.name = "f";
  function.buffers = {createBuffer("x", BufferRole::Input),
                      createBuffer("y", BufferRole::Output),
                      createBuffer("a", BufferRole::Scratch),
                      createBuffer("b", BufferRole::Scratch, 256),
                      createBuffer("c", BufferRole::Scratch, 512)};
  function.scratchBytes = 768;
  function.results = {"y"};
  return function;
}

void addKernel(FunctionDescription &function, Names reads, Names writes) {
  KernelDescription &kernel = function.kernels.emplace_back();
  kernel.name = "k" + std::to_string(function.kernels.size() - 1);
  kernel.arguments = reads;
  kernel.arguments.insert(kernel.arguments.end(), writes.begin(), writes.end());
  kernel.reads = std::move(reads);
  kernel.writes = std::move(writes);
  kernel.waits = true;
}

/// Returns "stream<after,...", with "!" where the kernel is launched early, for
/// each kernel.
Names describe(const FunctionDescription &function) {
  Names places;
  for (auto [number, kernel] : llvm::enumerate(function.kernels)) {
    std::string &place = places.emplace_back(std::to_string(kernel.stream));
    for (uint32_t other : kernel.after)
      place += "<" + std::to_string(other);
    if (isEarlyOnStream(function, number))
      place += "!";
  }
  return places;
}

TEST(LaunchStreams, ProjectionsAreBesideEachOther) {
  FunctionDescription function = createFunction();
  for (std::string name : {"a", "b", "c"})
    addKernel(function, {"x"}, {name});
  addKernel(function, {"a", "b", "c"}, {"y"});
  planStreams(function);
  EXPECT_EQ(describe(function), (Names{"0", "1", "2", "2<0<1"}));
  EXPECT_EQ(countStreams(function), 3u);
  planStreams(function, 2);
  EXPECT_EQ(countStreams(function), 2u);
  EXPECT_EQ(errorText(verifyStreams(function, "f")), "");
  planStreams(function, 1);
  EXPECT_EQ(describe(function), (Names{"0", "0!", "0!", "0!"}));
}

TEST(LaunchStreams, WritersOfTheSameBytesAreInOrder) {
  FunctionDescription function = createFunction();
  // The last byte of a is the first of c.
  function.buffers[4].offset = 7;
  for (std::string name : {"a", "b", "c"})
    addKernel(function, {"x"}, {name});
  planStreams(function);
  EXPECT_EQ(describe(function), (Names{"0", "1", "0!"}));
  // A result has memory of its own.
  function.results = {"y", "c"};
  planStreams(function);
  EXPECT_EQ(describe(function), (Names{"0", "1", "2"}));

  function.kernels.clear();
  addKernel(function, {"a"}, {"y"});
  addKernel(function, {"x"}, {"a"});
  addKernel(function, {"x"}, {"y"});
  EXPECT_EQ(getDependencies(function),
            (std::vector<llvm::SmallVector<size_t>>{{}, {0}, {0}}));
}

TEST(LaunchStreams, TheLongestChainStaysOnItsStream) {
  FunctionDescription function = createFunction();
  addKernel(function, {"x"}, {"a"});
  addKernel(function, {"a"}, {"y"});
  addKernel(function, {"a"}, {"b"});
  addKernel(function, {"b"}, {"c"});
  planStreams(function);
  EXPECT_EQ(describe(function), (Names{"0", "1<0", "0!", "0!"}));
}

TEST(LaunchStreams, RefusesWrongStreams) {
  FunctionDescription function = createFunction();
  addKernel(function, {"x"}, {"a"});
  addKernel(function, {"x"}, {"b"});
  addKernel(function, {"a", "b"}, {"y"});
  planStreams(function);
  EXPECT_EQ(describe(function), (Names{"0", "1", "1<0"}));
  EXPECT_EQ(errorText(verifyStreams(function, "f")), "");
  function.kernels[2].after.clear();
  EXPECT_EQ(errorText(verifyStreams(function, "f")),
            "kernel 0 does not end before this one, though both have bytes of "
            "'a' at f.kernels[2].after");
  function.kernels[2].after = {1};
  EXPECT_EQ(errorText(verifyStreams(function, "f")),
            "kernels wait for earlier ones on other streams at "
            "f.kernels[2].after[0]");
  function.kernels[2].after = {0, 2};
  EXPECT_EQ(errorText(verifyStreams(function, "f")),
            "kernels wait for earlier ones on other streams at "
            "f.kernels[2].after[1]");
  function.kernels[1].stream = 2;
  EXPECT_EQ(errorText(verifyStreams(function, "f")),
            "streams are numbered as they begin, so that the next is 1 at "
            "f.kernels[1].stream");
}

/// Draws functions that write each buffer once, and perhaps again.
class RandomFunctions {
public:
  unsigned draw(unsigned below) { return random() % below; }

  FunctionDescription create() {
    FunctionDescription function;
    function.name = "f";
    unsigned count = 2 + draw(24);
    function.buffers = {createBuffer("x", BufferRole::Input)};
    for (unsigned i = 0; i < count; ++i) {
      bool isOutput = i + 1 == count;
      BufferDescription &buffer = function.buffers.emplace_back(
          createBuffer(std::to_string(i),
                       isOutput ? BufferRole::Output : BufferRole::Scratch));
      buffer.bytes = std::array<uint64_t, 4>{8, 256, 300, 3000}[draw(4)];
      buffer.shape = {static_cast<int64_t>(buffer.bytes)};
    }
    unsigned most = 1 + draw(4);
    for (unsigned i = 0; i < count; ++i) {
      Names reads;
      for (unsigned j = 0; j < i && reads.size() < most; ++j)
        if (draw(i - j + 1) == 0)
          reads.push_back(std::to_string(j));
      if (reads.empty())
        reads = {"x"};
      Names writes = {std::to_string(i)};
      // A buffer that is written in part twice.
      if (i > 0 && draw(8) == 0)
        if (std::string other = std::to_string(draw(i));
            !llvm::is_contained(reads, other))
          writes.push_back(other);
      addKernel(function, reads, writes);
      function.kernels.back().waits = draw(3) > 0;
    }
    function.results = {std::to_string(count - 1)};
    if (draw(2))
      function.results.push_back(std::to_string(draw(count)));
    planScratch(function);
    planStreams(function);
    return function;
  }

private:
  std::mt19937 random{7};
};

/// Returns the bytes of the buffers of these names, of which the first number
/// is one for each allocation.
std::vector<std::pair<unsigned, uint64_t>>
getBytes(const FunctionDescription &function, const Names &names) {
  std::vector<std::pair<unsigned, uint64_t>> bytes;
  for (const std::string &name : names) {
    const BufferDescription *buffer = function.findBuffer(name);
    bool isShared = buffer->role == BufferRole::Scratch &&
                    !llvm::is_contained(function.results, name);
    for (uint64_t i = 0; i < buffer->bytes; ++i)
      bytes.push_back({isShared ? 0 : 1 + (buffer - function.buffers.data()),
                       i + (isShared ? buffer->offset : 0)});
  }
  llvm::sort(bytes);
  return bytes;
}

/// Says whether some bytes are in both of two sorted lists.
bool meet(const std::vector<std::pair<unsigned, uint64_t>> &some,
          const std::vector<std::pair<unsigned, uint64_t>> &others) {
  return llvm::any_of(some, [&](const auto &byte) {
    return std::binary_search(others.begin(), others.end(), byte);
  });
}

using Matrix = std::vector<std::vector<bool>>;

/// Says for each kernel and each one before it whether they share bytes that
/// one of both writes.
Matrix getConflicts(const FunctionDescription &function) {
  size_t count = function.kernels.size();
  Matrix conflicts(count, std::vector<bool>(count));
  std::vector<std::vector<std::pair<unsigned, uint64_t>>> reads, writes;
  for (const KernelDescription &kernel : function.kernels) {
    reads.push_back(getBytes(function, kernel.reads));
    writes.push_back(getBytes(function, kernel.writes));
  }
  for (size_t number = 0; number < count; ++number)
    for (size_t other = 0; other < number; ++other)
      conflicts[number][other] = meet(writes[other], reads[number]) ||
                                 meet(writes[other], writes[number]) ||
                                 meet(reads[other], writes[number]);
  return conflicts;
}

/// Says whether each kernel begins when all those before it have ended with
/// which it has a conflict.
bool isOrdered(const FunctionDescription &function, const Matrix &conflicts) {
  size_t count = function.kernels.size();
  Matrix before(count, std::vector<bool>(count));
  for (size_t number = 0; number < count; ++number) {
    const KernelDescription &kernel = function.kernels[number];
    for (size_t other = 0; other < number; ++other) {
      if (function.kernels[other].stream != kernel.stream &&
          !llvm::is_contained(kernel.after, other))
        continue;
      before[number][other] = true;
      for (size_t first = 0; first < other; ++first)
        if (before[other][first])
          before[number][first] = true;
    }
    for (size_t other = 0; other < number; ++other)
      if (conflicts[number][other] && !before[number][other])
        return false;
  }
  return true;
}

TEST(LaunchStreams, RandomFunctionsAreInOrder) {
  RandomFunctions functions;
  unsigned parallel = 0, refused = 0;
  for (unsigned i = 0; i < 300; ++i) {
    FunctionDescription function = functions.create();
    Matrix conflicts = getConflicts(function);
    ASSERT_TRUE(isOrdered(function, conflicts));
    ASSERT_EQ(errorText(verify(function)), "");
    ASSERT_LE(countStreams(function), kMostStreams);
    parallel += countStreams(function) > 1;
    // Without an event the check says what is so.
    for (KernelDescription &kernel : function.kernels) {
      if (kernel.after.empty())
        continue;
      std::vector<uint32_t> after = kernel.after;
      kernel.after.erase(kernel.after.begin() +
                         functions.draw(kernel.after.size()));
      bool isRefused = bool(errorText(verifyStreams(function, "f")).size());
      ASSERT_EQ(isRefused, !isOrdered(function, conflicts));
      refused += isRefused;
      kernel.after = after;
    }
  }
  EXPECT_GT(parallel, 200u);
  EXPECT_GT(refused, 200u);
}

/// Lets the fake GPU have the kernels of a function. Each mixes what it reads
/// into all that it writes, and adds to what it writes in part.
void defineKernels(const FunctionDescription &function) {
  std::map<std::string, FakeKernel> &kernels = FakeCuda::instance().kernels;
  kernels.clear();
  for (const KernelDescription &kernel : function.kernels) {
    std::vector<uint64_t> bytes;
    for (const std::string &name : kernel.arguments)
      bytes.push_back(function.findBuffer(name)->bytes);
    size_t numReads = kernel.reads.size();
    char salt = static_cast<char>(kernels.size() * 37 + 1);
    kernels[kernel.name] = {
        static_cast<unsigned>(bytes.size()), [=](llvm::ArrayRef<char *> p) {
          unsigned char sum = salt;
          for (size_t i = 0; i < numReads; ++i)
            for (uint64_t byte = 0; byte < bytes[i]; ++byte)
              sum = sum * 31 + static_cast<unsigned char>(p[i][byte]);
          for (size_t i = numReads; i < bytes.size(); ++i)
            for (uint64_t byte = i > numReads;
                 byte<bytes[i]; byte += i> numReads ? 2 : 1)
              p[i][byte] = static_cast<char>(sum + byte);
        }};
  }
}

TEST(LaunchStreams, RandomFunctionsComputeTheSameInAnyOrder) {
  RandomFunctions functions;
  FakeCuda &fake = FakeCuda::instance();
  fake.reset();
  llvm::Expected<std::unique_ptr<CudaDriver>> driver =
      CudaDriver::create(fakeCudaFunctions());
  ASSERT_TRUE(bool(driver)) << errorText(driver.takeError());
  std::vector<char> x = {1, 2, 3, 4, 5, 6, 7, 8};
  unsigned parallel = 0;
  for (unsigned i = 0; i < 100; ++i) {
    FunctionDescription function = functions.create();
    // One kernel after another, with each buffer in memory of its own.
    FunctionDescription inOrder = function;
    inOrder.scratchBytes = 0;
    for (BufferDescription &buffer : inOrder.buffers)
      if (buffer.role == BufferRole::Scratch) {
        buffer.offset = inOrder.scratchBytes;
        inOrder.scratchBytes += llvm::alignTo(buffer.bytes, kScratchAlignment);
      }
    planStreams(inOrder, 1);
    defineKernels(function);
    auto run = [&](const FunctionDescription &f) {
      return runFunction(**driver, f, "ptx", {llvm::ArrayRef(x)});
    };
    llvm::Expected<RunResult> expected = run(inOrder);
    ASSERT_TRUE(bool(expected)) << errorText(expected.takeError());
    llvm::Expected<RunResult> result = run(function);
    ASSERT_TRUE(bool(result)) << errorText(result.takeError());
    ASSERT_EQ(result->results, expected->results);
    if (countStreams(function) < 2)
      continue;
    ++parallel;
    ASSERT_EQ(fake.graphStreams, countStreams(function));
    unsigned early = 0;
    for (size_t k = 0; k < function.kernels.size(); ++k)
      early += isEarlyOnStream(function, k);
    ASSERT_EQ(fake.earlyLaunches, early);
  }
  EXPECT_GT(parallel, 50u);
}

} // namespace
