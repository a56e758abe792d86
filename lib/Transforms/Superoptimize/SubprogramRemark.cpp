//===- SubprogramRemark.cpp - A subprogram's result in sentences ----------===//
//
// What was missed is, in this order: what a cut search did not see; what plain
// fusion would gain beyond the search; the slowest kernel that is no launch, if
// it takes most of the time; what a limit of the search left out; else the part
// of the slowest kernel that takes longest.
//
//===----------------------------------------------------------------------===//

#include "SubprogramRemark.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mirage;
using namespace mirage::search;
using llvm::StringRef;

/// The part of the time from which on a kernel is said to be what was missed,
/// whatever limits there were.
static constexpr double kMostOfTime = 0.5;

/// The microseconds from which on plain fusion is said to be faster.
static constexpr double kLeastLoss = 0.005;

std::string mirage::printTime(double microseconds) {
  return llvm::formatv("{0:f2} µs", microseconds);
}

static std::string count(size_t number, StringRef noun) {
  return llvm::formatv("{0} {1}{2}", number, noun, number == 1 ? "" : "s");
}

/// "by the model mirage (with elementwise operators, casts and layouts fused
/// 3.20 µs instead of 7.20 µs)". A program that has nothing to fuse has one
/// time only; `now` is the program that takes the place of the first, if one
/// does.
static std::string describeFused(const ProgramCost &fused, bool isFused,
                                 const ProgramCost *now) {
  std::string text =
      ("by the model " + stringifyCostModel(SearchSubject::model)).str();
  if (!isFused)
    return text;
  text += " (with elementwise operators, casts and layouts fused ";
  if (now)
    text += printTime(now->microseconds) + " instead of ";
  return text + printTime(fused.microseconds) + ")";
}

/// "12 operators in 9 kernels"; constants don't count.
static std::string describeProgram(const SearchSubject &subject) {
  const MuGraph &program = subject.program;
  size_t operators =
      llvm::count_if(program.getRegion().nodes, [&](unsigned number) {
        const MuNode &node = program.getNode(number);
        return node.kind != MuNode::Kind::Operator ||
               node.op != OpKind::Constant;
      });
  return count(operators, "operator") + " in " +
         count(subject.cost.kernels.size(), "kernel");
}

static bool isLaunch(const MuGraph &graph, const ProgramCost::Kernel &kernel) {
  return graph.getNode(kernel.node).kind == MuNode::Kind::Graph;
}

static const ProgramCost::Kernel *
findSlowest(llvm::ArrayRef<ProgramCost::Kernel> kernels,
            llvm::function_ref<bool(const ProgramCost::Kernel &)> isMeant) {
  const ProgramCost::Kernel *slowest = nullptr;
  for (const ProgramCost::Kernel &kernel : kernels)
    if (isMeant(kernel) &&
        (!slowest || kernel.cost.microseconds > slowest->cost.microseconds))
      slowest = &kernel;
  return slowest;
}

/// Says what takes a kernel the longest.
static std::string describeBound(const KernelCost &cost) {
  auto say = [](double microseconds, StringRef what) {
    return llvm::formatv("{0} of it for {1}", printTime(microseconds), what)
        .str();
  };
  switch (cost.bound) {
  case CostBound::HBM:
    return say(cost.hbm, "device memory");
  case CostBound::L2:
    return say(cost.l2, "the L2 cache");
  case CostBound::Tensor:
    return say(cost.tensor, "tensor cores");
  case CostBound::CudaCore:
    return say(cost.cudaCore, "CUDA cores");
  case CostBound::Special:
    return say(cost.special, "exponentials");
  case CostBound::Shared:
    return say(cost.shared, "shared memory");
  case CostBound::Latency:
    return say(cost.latency, "loads that a loop waits for");
  case CostBound::Launch:
    return say(cost.launch, "starting it");
  }
  llvm_unreachable("not a bound");
}

/// Says which searches had fewer states than it takes to make all graphs: "the
/// whole and 61 of 91 pieces".
std::string SubprogramRemark::describeWithoutStates() const {
  bool isOfWhole = subject.task && outcome.whole.end == SearchEnd::States;
  size_t searched = 0, limited = 0;
  for (const PieceOutcome &piece : outcome.pieces.pieces) {
    searched += !piece.equalTo && piece.unsupported.empty();
    limited += piece.lacksStates();
  }
  std::string text = isOfWhole ? "the whole" : "";
  if (isOfWhole && limited)
    text += " and ";
  if (limited)
    text += llvm::formatv("{0} of {1}", limited, count(searched, "piece"));
  return text;
}

/// Says which limit ended the search, and what is possible beyond it; nothing
/// if no limit left anything that takes less than so many microseconds.
std::optional<std::string>
SubprogramRemark::describeEnd(double microseconds) const {
  const SearchResult &whole = outcome.whole;
  SearchEnd end = SearchEnd::Bound;
  double bound = std::numeric_limits<double>::infinity();
  auto isLimited = [&](SearchEnd by, double least) {
    return leavesPrograms(by) &&
           (least < microseconds || !std::isfinite(least));
  };
  bool isOfPieces = isLimited(outcome.pieces.end, outcome.pieces.bound);
  if (isOfPieces) {
    end = outcome.pieces.end;
    bound = outcome.pieces.bound;
  }
  if (subject.task && isLimited(whole.end, whole.bound)) {
    end = std::max(end, whole.end);
    bound = std::min(bound, whole.bound);
  }
  constexpr const char *leavesPieces =
      "did not look at all pieces or at all ways to put these together";
  std::string why;
  switch (end) {
  case SearchEnd::Bound:
  case SearchEnd::Exhausted:
    return std::nullopt;
  case SearchEnd::Operators:
    why = subject.task && whole.end == end
              ? llvm::formatv("looked at launches of at most {0} operators, "
                              "option max-block-operators",
                              whole.statistics.mostOperators)
                    .str()
              : "looked, for pieces of many operators, at launches that follow "
                "these alone";
    break;
  case SearchEnd::NoGain:
    why = "ended where more work found nothing faster, or promised nothing";
    break;
  case SearchEnd::Pieces:
    why = leavesPieces;
    break;
  case SearchEnd::Configurations:
    why = "looked at as many grids, loops and loads as it may";
    break;
  case SearchEnd::States:
    why =
        "gave " + describeWithoutStates() +
        " no more states, where other work found nothing faster, or more of it "
        "promised nothing";
    break;
  case SearchEnd::Effort:
    why = "did the work that it may do, option effort";
    break;
  case SearchEnd::Time:
    llvm::raw_string_ostream(why)
        << "met its deadline of " << llvm::format("%g", options.search.deadline)
        << " s";
    break;
  case SearchEnd::Interruption:
    why = "was interrupted";
    break;
  }
  std::string text = "The search " + why;
  if (isOfPieces && outcome.pieces.leavesPieces() && end != SearchEnd::Pieces)
    text += std::string(", and ") + leavesPieces;
  if (std::isfinite(bound))
    text += ": a program could still take " + printTime(bound);
  return text + ".";
}

/// Returns the reason why the search cannot take an operator, if there is one.
StringRef SubprogramRemark::findReason(const MuNode &node) const {
  for (const PieceOutcome &piece : outcome.pieces.pieces)
    if (!piece.unsupported.empty() && piece.operators.size() == 1 &&
        node.kind == MuNode::Kind::Operator && piece.operators[0] == node.op)
      return piece.unsupported;
  return StringRef(subject.reason).contains(node.getName()) ? subject.reason
                                                            : StringRef();
}

/// Says which kernel takes most of the time that stays.
std::string SubprogramRemark::describeKernels(const ProgramCost &cost,
                                              const MuGraph &graph) const {
  if (cost.kernels.size() == 1) {
    const ProgramCost::Kernel &only = cost.kernels.front();
    std::optional<std::string> limit = describeEnd(cost.microseconds);
    return limit ? *limit
                 : llvm::formatv("The {0} takes {1}, {2}.",
                                 isLaunch(graph, only)
                                     ? "launch"
                                     : graph.getNode(only.node).getName(),
                                 printTime(only.cost.microseconds),
                                 describeBound(only.cost))
                       .str();
  }
  auto isPlain = [&](const ProgramCost::Kernel &kernel) {
    return !isLaunch(graph, kernel);
  };
  const ProgramCost::Kernel *plain = findSlowest(cost.kernels, isPlain);
  std::optional<std::string> limit = describeEnd(cost.microseconds);
  if (limit &&
      (!plain || plain->cost.microseconds < kMostOfTime * cost.microseconds))
    return *limit;
  if (plain) {
    const MuNode &node = graph.getNode(plain->node);
    std::string text =
        llvm::formatv("Of the time that stays, {0} is that of {1}, which stays "
                      "a kernel of its own",
                      printTime(plain->cost.microseconds), node.getName());
    if (StringRef reason = findReason(node); !reason.empty())
      text += llvm::formatv(" because {0}", reason).str();
    return text + ".";
  }
  const ProgramCost::Kernel *slowest =
      findSlowest(cost.kernels, [](const auto &) { return true; });
  if (!slowest)
    return "No kernel stays.";
  return llvm::formatv("The slowest launch takes {0}, {1}.",
                       printTime(slowest->cost.microseconds),
                       describeBound(slowest->cost));
}

std::string SubprogramRemark::describeReplaced(const MuGraph &graph,
                                               const Verdict &verdict) const {
  ProgramCost cost = estimateApart(graph, options);
  size_t launches = llvm::count_if(cost.kernels, [&](const auto &kernel) {
    return isLaunch(graph, kernel);
  });
  size_t plain = cost.kernels.size() - launches;
  std::string became = count(launches, "launch");
  if (launches != 1)
    became = llvm::formatv("{0} launches", launches);
  if (plain)
    became += " and " + count(plain, "kernel");
  ProgramCost fused = estimateFused(graph, options);
  bool isFused = fused.kernels.size() < cost.kernels.size() ||
                 subject.fused.kernels.size() < subject.cost.kernels.size();
  bool isProved = verdict.equivalence == equivalence::Equivalence::Proved;
  std::string text = llvm::formatv(
      "{0} became {1}: {2} instead of {3} {4}; {5}. ", describeProgram(subject),
      became, printTime(cost.microseconds),
      printTime(subject.cost.microseconds),
      describeFused(subject.fused, isFused, &fused),
      isProved ? "proved" : "equivalent by random tests");
  if (outcome.wasCut())
    return text + *describeEnd(std::numeric_limits<double>::infinity());
  double loss = fused.microseconds - subject.fused.microseconds;
  if (loss >= kLeastLoss)
    return text + llvm::formatv("Fusing its own operators would gain {0} more.",
                                printTime(loss))
                      .str();
  return text + describeKernels(cost, graph);
}

std::string SubprogramRemark::describeUnchanged(StringRef reason) const {
  const char *stay =
      subject.cost.kernels.size() == 1 ? "stays as it is" : "stay as they are";
  bool isFused = subject.fused.kernels.size() < subject.cost.kernels.size();
  std::string text =
      llvm::formatv("{0} {1}, {2} {3}: {4}. ", describeProgram(subject), stay,
                    printTime(subject.cost.microseconds),
                    describeFused(subject.fused, isFused, nullptr), reason);
  if (outcome.wasCut())
    return text + *describeEnd(std::numeric_limits<double>::infinity());
  return text + describeKernels(subject.cost, subject.program);
}
