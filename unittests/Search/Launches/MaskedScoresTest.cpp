//===- MaskedScoresTest.cpp - Candidates where tiles are masked -----------===//
//
// Attention of which scores are -inf, by a mask or by its inputs. What a search
// accepts runs with keys cut in every way, on rows in which whole tiles of
// every size are masked.
//
//===----------------------------------------------------------------------===//

#include "../MaskedScores.h"
#include "../Programs.h"
#include "Mirage/Search/Superoptimizer.h"

using namespace mirage;
using namespace mirage::search;

namespace {

constexpr int64_t kKeys = 16, kInner = 4, kColumns = 8;
/// Inputs are at most 1.25.
constexpr double kLargest = kInner * 1.25 * 1.25;
constexpr ElementType f32 = ElementType::f32;

enum class Mask { Select, Add, Log, Inputs };

/// softmax(masked q k) v of so many rows, inner elements, keys, columns.
MuGraph makeAttention(Mask mask, AxisSizes s) {
  ProgramBuilder b;
  MuValue q = b.input({s[0], s[1]}), k = b.input({s[1], s[2]});
  MuValue scores = b.matmul(q, k);
  if (mask != Mask::Inputs) {
    MuValue m = b.input({s[0], s[2]});
    if (mask == Mask::Log)
      m = b.op(OpKind::Log, {m});
    if (mask == Mask::Select) {
      OpAttributes greater;
      greater.compareKind = CompareKind::GT;
      MuValue isVisible = b.op(OpKind::Compare, {m, b.constant(0, 2)}, greater);
      scores =
          b.op(OpKind::Select, {isVisible, scores, b.constant(-kInfinity, 2)});
    } else {
      scores = b.add(scores, m);
    }
  }
  return b.finish(b.matmul(b.softmax(scores), b.input({s[2], s[3]})));
}

/// Returns the sizes with all numbers for the factors of the keys, and one for
/// others.
std::vector<std::vector<LaunchSizes>> getSizes(const SearchProblem &problem,
                                               const Candidate &candidate) {
  std::vector<LaunchSizes> ones;
  for (const LaunchGraph &launch : candidate.launches) {
    LaunchSizes &sizes = ones.emplace_back();
    sizes.grid.assign(launch.gridAxes.size(), 1);
    sizes.loops.assign(launch.getLoopAxes().size(), 1);
  }
  std::vector<std::vector<LaunchSizes>> all = {ones};
  for (const FactorChoice &factor : getFactors(candidate)) {
    // Splits of the keys are cut as well.
    bool isSplit = problem.isSplitAxis(factor.axis);
    uint8_t axis = isSplit ? problem.getSplitOf(factor.axis) : factor.axis;
    if (problem.getAxisSize(axis) != kKeys)
      continue;
    std::vector<std::vector<LaunchSizes>> more;
    for (const std::vector<LaunchSizes> &before : all) {
      int64_t size = getAxisSize(problem, candidate, before, factor.axis);
      LaunchSizes sizes = before[factor.launch];
      if (factor.isLoop)
        for (auto [dim, gridAxis] :
             llvm::enumerate(candidate.launches[factor.launch].gridAxes))
          if (gridAxis == factor.axis)
            size /= sizes.grid[dim];
      for (int64_t n = 1; n <= size; n *= 2) {
        auto next = before;
        LaunchSizes &own = next[factor.launch];
        (factor.isLoop ? own.loops[factor.position]
                       : own.grid[factor.position]) = n;
        more.push_back(std::move(next));
      }
    }
    all = std::move(more);
  }
  return all;
}

/// Graphs that were run: of one launch with a loop over keys, and of two with
/// keys split among the blocks of the first.
struct Counts {
  unsigned loops = 0, splits = 0;
};

void count(const SearchProblem &problem, const Candidate &candidate,
           llvm::ArrayRef<LaunchSizes> sizes, Counts &counts) {
  const LaunchGraph &first = candidate.launches.front();
  auto isKeys = [&](uint8_t axis) {
    return problem.getAxisSize(axis) == kKeys;
  };
  for (auto [axis, extent] :
       llvm::zip_equal(first.getLoopAxes(), sizes.front().loops))
    counts.loops +=
        candidate.launches.size() == 1 && isKeys(axis) && extent > 1;
  for (auto [axis, extent] :
       llvm::zip_equal(first.gridAxes, sizes.front().grid))
    counts.splits +=
        candidate.launches.size() == 2 && isKeys(axis) && extent > 1;
}

Counts expectSame(Mask mask, AxisSizes sizes,
                  llvm::ArrayRef<MaskedReference> references,
                  unsigned kernels) {
  Counts counts;
  std::string reason;
  std::optional<unsigned> location;
  // Rows that no block has whole; what is found are structures for all sizes.
  auto large = SearchTask::create(makeAttention(mask, {512, 64, 65536, 128}),
                                  reason, location);
  auto small = SearchTask::create(makeAttention(mask, sizes), reason, location);
  EXPECT_TRUE(large && small) << reason;
  if (!large || !small)
    return counts;
  SearchOptions options;
  options.target = *getTargetPreset("sm_90a");
  options.kernels = kernels;
  options.states = 300'000;
  options.best = 2;
  options.threads = 2;
  for (JudgedCandidate &judged : superoptimize(*large, options).judged) {
    if (!judged.isAccepted())
      continue;
    const SearchProblem &problem = small->views[judged.view].problem;
    for (auto &sizes : getSizes(problem, judged.candidate)) {
      judged.sizes = sizes;
      count(problem, judged.candidate, sizes, counts);
      MuGraph graph = instantiate(*small, judged);
      for (const MaskedReference &reference : references)
        reference.expectSame(graph, toString(graph));
      if (testing::Test::HasFailure())
        return counts;
    }
  }
  return counts;
}

/// A row for each mask.
Counts searchMasked(Mask mask, unsigned kernels) {
  auto masks = getMasks(kKeys);
  auto rows = static_cast<int64_t>(masks.size());
  int64_t sizes[] = {rows, kInner, kKeys, kColumns};
  MuGraph program = makeAttention(mask, sizes);
  std::vector<TensorValue> inputs = {drawTensor(f32, {rows, kInner}, 1),
                                     drawTensor(f32, {kInner, kKeys}, 2)};
  double visible = mask == Mask::Add ? 0 : 1,
         masked = mask == Mask::Add ? -kInfinity : 0;
  inputs.push_back(makeTensor(f32, {rows, kKeys}, [&](int64_t i) {
    return masks[i / kKeys][i % kKeys] ? masked : visible;
  }));
  inputs.push_back(drawTensor(f32, {kKeys, kColumns}, 3));
  MaskedReference reference(program, inputs, kKeys, kInner, kLargest);
  EXPECT_EQ(reference.countNumbers(), (rows - 1) * kColumns);
  return expectSame(mask, sizes, reference, kernels);
}

/// Keys that are -inf, with positive queries: in all rows.
Counts searchInputs(unsigned kernels) {
  int64_t sizes[] = {2, kInner, kKeys, kColumns};
  MuGraph program = makeAttention(Mask::Inputs, sizes);
  TensorValue keys = drawTensor(f32, {kInner, kKeys}, 2);
  std::vector<MaskedReference> references;
  for (const std::vector<bool> &mask : getMasks(kKeys))
    references.emplace_back(
        program,
        std::vector<TensorValue>{drawTensor(f32, {2, kInner}, 1),
                                 makeTensor(f32, {kInner, kKeys},
                                            [&](int64_t i) {
                                              return mask[i % kKeys]
                                                         ? -kInfinity
                                                         : keys.value(i);
                                            }),
                                 drawTensor(f32, {kKeys, kColumns}, 3)},
        kKeys, kInner, kLargest);
  return expectSame(Mask::Inputs, sizes, references, kernels);
}

TEST(MaskedScores, OneLaunch) {
  for (Mask mask : {Mask::Select, Mask::Add, Mask::Log})
    EXPECT_GT(searchMasked(mask, 1).loops, 0u);
  EXPECT_GT(searchInputs(1).loops, 0u);
}

TEST(MaskedScores, SplitKeys) {
  EXPECT_GT(searchMasked(Mask::Select, 2).splits, 0u);
  EXPECT_GT(searchInputs(2).splits, 0u);
}

} // namespace
