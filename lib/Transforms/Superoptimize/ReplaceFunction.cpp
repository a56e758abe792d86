//===- ReplaceFunction.cpp - Search results into the module ---------------===//
//
// Exchanges the body of a function: the function's operation stays, with its
// name, callers and attributes.
//
//===----------------------------------------------------------------------===//

#include "ReplaceFunction.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/MuGraph/Comparison.h"
#include "Mirage/MuGraph/IR/ExportMuGraph.h"
#include "Mirage/Search/KernelGraphs/LoadedValues.h"
#include "Mirage/Support/PassSupport.h"
#include "SearchRemarks.h"
#include "SubprogramRemark.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mirage;
using namespace mirage::search;

/// Exchanges the mark, or what was noted before.
static void setNote(func::FuncOp function,
                    ArrayRef<std::pair<StringRef, Attribute>> entries) {
  Builder builder(function.getContext());
  SmallVector<NamedAttribute> attributes;
  for (auto [name, value] : entries)
    attributes.push_back(builder.getNamedAttr(name, value));
  function->removeAttr(MirageDialect::getSuperoptimizeAttrName());
  function->setAttr(MirageDialect::getSuperoptimizedAttrName(),
                    builder.getDictionaryAttr(attributes));
}

void mirage::noteUnsupported(func::FuncOp function, StringRef reason) {
  Builder builder(function.getContext());
  setNote(function, {{"verdict", builder.getStringAttr("unsupported")},
                     {"reason", builder.getStringAttr(reason)}});
}

namespace {

class Replacement {
public:
  Replacement(func::FuncOp function, const SearchSubject &subject,
              const SearchOutcome &outcome, const ReplaceOptions &options)
      : function(function), subject(subject), outcome(outcome),
        options(options), builder(function.getContext()),
        sentences(subject, outcome, options.search),
        symbols(function->getParentOfType<ModuleOp>()) {}

  StringRef run();

private:
  using Note = SmallVector<std::pair<StringRef, Attribute>, 8>;

  /// An accepted µGraph: a candidate for the whole, or one made of pieces.
  struct Accepted {
    double microseconds = 0;
    Verdict verdict;
    bool isVerified = false;
    size_t kernels = 0;
    const JudgedCandidate *candidate = nullptr;
  };
  /// One of those that may take the place of the function's body.
  struct Choice {
    const Accepted *accepted;
    MuGraph graph;
    /// What a call computes of it, if that is less.
    std::optional<MuGraph> called = std::nullopt;
    const MuGraph &getCalled() const { return called ? *called : graph; }
    /// Its operators fused, it is faster than the original.
    bool isGain = false;
  };

  SmallVector<Accepted> getAccepted() const;
  Note getNote(StringRef verdict);
  void note(func::FuncOp written, const Accepted &accepted);
  MuGraph getGraph(const Accepted &accepted) const;
  FailureOr<func::FuncOp> write(const MuGraph &graph);
  void exchangeBody(func::FuncOp written);
  void addAlternative(func::FuncOp written, unsigned number);
  double getFusedTime(const MuGraph &graph) const;
  double getMostFused();
  bool hasNeighbours();
  SmallVector<Choice, 0> getChoices();
  bool compareKernels(SmallVectorImpl<Choice> &choices);
  void leaveUnchanged();
  std::string describeEqual() const;

  func::FuncOp function;
  const SearchSubject &subject;
  const SearchOutcome &outcome;
  const ReplaceOptions &options;
  Builder builder;
  SubprogramRemark sentences;
  SymbolTable symbols;
  SmallVector<Accepted> accepted;
  /// The least time of an accepted candidate that is no gain over the original
  /// where the lowering fuses the operators of both.
  std::optional<double> slowerFused;
  /// The time of the fastest choice by the instructions of its kernels, and
  /// that of the original, which is shorter.
  std::optional<std::pair<double, double>> slowerKernels;
  /// The time that alternatives are compared with.
  StringAttr reference;
};

} // namespace

/// Sorts by time, the cheapest first. Of equal ones, candidates for the whole
/// come first.
SmallVector<Replacement::Accepted> Replacement::getAccepted() const {
  SmallVector<Accepted> list;
  const std::optional<KernelGraph> &composed = outcome.pieces.best;
  bool isListed = !composed;
  auto addComposed = [&] {
    list.push_back({composed->microseconds, composed->verdict,
                    /*isVerified=*/true, composed->kernels, nullptr});
    isListed = true;
  };
  for (const JudgedCandidate &candidate : outcome.whole.judged) {
    if (!candidate.isAccepted())
      continue;
    if (!isListed && composed->microseconds < candidate.microseconds)
      addComposed();
    list.push_back({candidate.microseconds, candidate.verdict,
                    candidate.isVerified, candidate.sizes.size(), &candidate});
  }
  if (!isListed)
    addComposed();
  return list;
}

/// Returns a time for a note, which has no more digits than the model knows.
static FloatAttr getTime(Builder &builder, double microseconds) {
  return builder.getF32FloatAttr(std::round(microseconds * 1e3) / 1e3);
}

Replacement::Note Replacement::getNote(StringRef verdict) {
  Note note = {
      {"verdict", builder.getStringAttr(verdict)},
      {"original_microseconds", getTime(builder, subject.cost.microseconds)},
      {"fused_microseconds", getTime(builder, subject.fused.microseconds)},
      {"model",
       builder.getStringAttr(stringifyCostModel(SearchSubject::model))},
      {"seed", builder.getI64IntegerAttr(
                   static_cast<int64_t>(options.search.search.seed))}};
  if (outcome.wasCut())
    note.push_back({"cut", builder.getUnitAttr()});
  return note;
}

void Replacement::note(func::FuncOp written, const Accepted &accepted) {
  Note note = getNote(accepted.verdict.getName());
  note.push_back({"microseconds", getTime(builder, accepted.microseconds)});
  if (accepted.verdict.equivalence == equivalence::Equivalence::Equivalent)
    note.push_back(
        {"log2_error", builder.getF32FloatAttr(accepted.verdict.log2Error)});
  if (!accepted.candidate)
    note.push_back(
        {"pieces", builder.getI64IntegerAttr(llvm::count_if(
                       outcome.pieces.pieces, [](const PieceOutcome &piece) {
                         return piece.isUsed;
                       }))});
  setNote(written, note);
}

/// Says whose search a function shares.
std::string Replacement::describeEqual() const {
  if (!options.equalTo)
    return "";
  return llvm::formatv(" It is equal to @{0}, whose search it shares.",
                       func::FuncOp(options.equalTo).getName());
}

MuGraph Replacement::getGraph(const Accepted &accepted) const {
  return accepted.candidate ? instantiate(*subject.task, *accepted.candidate)
                            : outcome.pieces.best->graph;
}

/// Returns a function of the µGraph, which stands in no module yet. A remark
/// says if there is no IR of it.
FailureOr<func::FuncOp> Replacement::write(const MuGraph &graph) {
  std::string reason;
  FailureOr<func::FuncOp> written = failure();
  {
    ScopedDiagnosticHandler handler(function.getContext(),
                                    [&](Diagnostic &diagnostic) {
                                      if (reason.empty())
                                        reason = diagnostic.str();
                                      return success();
                                    });
    // The function is built in the module, whose target the verifier asks for.
    OpBuilder at(function);
    written = exportFunction(graph, function.getName(), at, function.getLoc());
  }
  if (succeeded(written))
    (*written)->remove();
  else
    emitWarning(function.getLoc())
        << "a µGraph for @" << function.getName()
        << " was accepted, but there is no IR of it: " << reason;
  return written;
}

void Replacement::exchangeBody(func::FuncOp written) {
  reference = function.getSymNameAttr();
  if (options.keepOriginal) {
    func::FuncOp original = function.clone();
    original->removeAttr(MirageDialect::getSuperoptimizeAttrName());
    original.setName((function.getName() + "_original").str());
    original.setPrivate();
    reference = symbols.insert(original, std::next(function->getIterator()));
    function->setAttr(MirageDialect::getEquivalentToAttrName(),
                      FlatSymbolRefAttr::get(reference));
  }
  function.getBody().takeBody(written.getBody());
  written.erase();
}

void Replacement::addAlternative(func::FuncOp written, unsigned number) {
  written.setName(
      llvm::formatv("{0}_alternative_{1}", function.getName(), number).str());
  written.setPrivate();
  written->setAttr(MirageDialect::getEquivalentToAttrName(),
                   FlatSymbolRefAttr::get(reference));
  symbols.insert(written);
}

/// Returns the time of a program as it is executed.
double Replacement::getFusedTime(const MuGraph &graph) const {
  return estimateFused(graph, options.search).microseconds;
}

void Replacement::leaveUnchanged() {
  Note note = getNote("unchanged");
  std::string reason = "no candidate was accepted";
  double cheapest = outcome.whole.cheapest;
  if (slowerKernels) {
    auto [found, original] = *slowerKernels;
    if (std::isfinite(found)) {
      reason =
          llvm::formatv("the best accepted candidate takes {0} by {1}, and "
                        "what the operators fuse to {2}",
                        printTime(found),
                        options.search.pricer->getMeasuredSource().value_or(
                            "the instructions of its kernels"),
                        printTime(original));
      note.push_back({"microseconds", getTime(builder, found)});
    } else {
      reason = "the lowering makes no kernels of the best accepted candidate";
    }
  } else if (slowerFused) {
    std::string how =
        *slowerFused > subject.fused.microseconds
            ? "is slower than that"
            : llvm::formatv("gains less than {0}% over that, which may be "
                            "fused with what is around it",
                            options.search.search.minGain * 100)
                  .str();
    reason = llvm::formatv("the best accepted candidate, {0} with its own "
                           "operators fused, {1}",
                           printTime(*slowerFused), how);
    note.push_back({"microseconds", getTime(builder, *slowerFused)});
  } else if (!accepted.empty()) {
    double best = accepted.front().microseconds;
    reason =
        llvm::formatv("the best accepted candidate, {0}, gains less than "
                      "{1}%",
                      printTime(best), options.search.search.minGain * 100);
    note.push_back({"microseconds", getTime(builder, best)});
  } else if (double least = subject.cost.microseconds;
             cheapest > least * (1 - options.search.search.minGain) &&
             std::isfinite(cheapest)) {
    reason = cheapest < least
                 ? llvm::formatv(
                       "the best candidate, {0}, gains less than {1}%",
                       printTime(cheapest), options.search.search.minGain * 100)
                       .str()
                 : llvm::formatv("the best candidate, {0}, is not faster",
                                 printTime(cheapest))
                       .str();
    note.push_back({"microseconds", getTime(builder, cheapest)});
  } else if (subject.task && outcome.whole.end == SearchEnd::Bound &&
             outcome.whole.judged.empty()) {
    reason = llvm::formatv("launches take {0} at least",
                           printTime(outcome.whole.bound));
  }
  remark::missed(function.getLoc(),
                 getRemarkOptions(kCategory, "unchanged", function))
      << sentences.describeUnchanged(reason) + describeEqual();
  setNote(function, note);
}

/// Returns the most that a candidate may take with its own operators fused.
double Replacement::getMostFused() {
  if (!options.search.pricer)
    return std::numeric_limits<double>::infinity();
  // What stays may share launches with what is around it, and what is replaced
  // may not.
  if (hasNeighbours())
    return subject.fused.microseconds * (1 - options.search.search.minGain);
  return subject.fused.microseconds * search::ProgramPricer::kResolution;
}

/// Returns whether a caller does more than call the function.
bool Replacement::hasNeighbours() {
  ModuleOp module = function->getParentOfType<ModuleOp>();
  WalkResult found = module.walk([&](func::CallOp call) {
    if (call.getCallee() != function.getName())
      return WalkResult::advance();
    bool isAlone = llvm::all_of(*call->getBlock(), [&](Operation &other) {
      return &other == call || other.hasTrait<OpTrait::IsTerminator>() ||
             other.hasTrait<OpTrait::ConstantLike>();
    });
    return isAlone ? WalkResult::advance() : WalkResult::interrupt();
  });
  return found.wasInterrupted();
}

SmallVector<Replacement::Choice, 0> Replacement::getChoices() {
  // As many are compared by what is made of them.
  constexpr unsigned mostCompared = 4;
  unsigned most = std::max(options.keep, mostCompared);
  double target =
      subject.cost.microseconds * (1 - options.search.search.minGain);
  double mostFused = getMostFused();
  SmallVector<Choice, 0> choices;
  for (const Accepted &next : accepted) {
    bool isFaster = next.microseconds <= target &&
                    next.microseconds < subject.cost.microseconds;
    if (choices.empty() && !isFaster)
      break;
    // A composition is compared in any case.
    if (!next.isVerified || (choices.size() >= most && next.candidate))
      continue;
    Choice choice{&next, getGraph(next)};
    // Kernels of other graphs may read what is computed when the program is
    // loaded.
    if (!next.candidate && !outcome.pieces.usedAlternatives.empty())
      if (auto called = separateLoaded(choice.graph, subject.constants))
        choice.called = std::move(called->graph);
    // A composition may be a candidate for the whole.
    if (llvm::any_of(choices, [&](const Choice &other) {
          return areIsomorphic(other.graph, choice.graph);
        }))
      continue;
    double fused = getFusedTime(choice.getCalled());
    choice.isGain = isFaster && fused <= mostFused;
    if (choices.empty() && !choice.isGain) {
      slowerFused = std::min(slowerFused.value_or(fused), fused);
      continue;
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

/// Brings the choice to the front of which the lowering makes the fastest
/// kernels, by their instructions, if it is faster than the first by more than
/// what is known of such times. Returns false if the original is.
bool Replacement::compareKernels(SmallVectorImpl<Choice> &choices) {
  search::ProgramPricer *pricer = options.search.pricer;
  if (!pricer || choices.empty())
    return true;
  std::optional<double> original = pricer->estimateIssued(subject.program),
                        first =
                            pricer->estimateIssued(choices.front().getCalled());
  if (!original || !first)
    return true;
  // All are asked for before it is known how exact their times are.
  for (const Choice &choice : llvm::drop_begin(choices))
    if (choice.isGain)
      pricer->estimateIssued(choice.getCalled());
  double resolution = pricer->getIssuedResolution();
  double best = *first;
  unsigned number = 0;
  double wanted = best / resolution;
  for (unsigned i = 1; i < choices.size(); ++i) {
    std::optional<double> time =
        choices[i].isGain ? pricer->estimateIssued(choices[i].getCalled())
                          : std::nullopt;
    if (!time || *time >= wanted)
      continue;
    number = i;
    best = wanted = *time;
  }
  std::rotate(choices.begin(), choices.begin() + number,
              choices.begin() + number + 1);
  remark::analysis(function.getLoc(),
                   getRemarkOptions(kDetailsCategory, "kernels", function))
      << (std::isfinite(best)
              ? llvm::formatv("by {0}, the fastest candidate takes {1}, and "
                              "what the operators fuse to {2}",
                              pricer->getMeasuredSource().value_or(
                                  "the instructions of kernels"),
                              printTime(best), printTime(*original))
                    .str()
              : "the lowering makes no kernels of the fastest candidate");
  if (best <= *original * resolution)
    return true;
  slowerKernels = {best, *original};
  return false;
}

StringRef Replacement::run() {
  accepted = getAccepted();
  SmallVector<Choice, 0> choices = getChoices();
  if (!compareKernels(choices))
    choices.clear();
  const Accepted *best = nullptr;
  std::string text;
  unsigned kept = 0;
  for (const Choice &choice : choices) {
    if (kept == options.keep)
      break;
    FailureOr<func::FuncOp> written = write(choice.graph);
    if (failed(written))
      continue;
    if (best) {
      note(*written, *choice.accepted);
      addAlternative(*written, kept);
    } else {
      exchangeBody(*written);
      note(function, *choice.accepted);
      best = choice.accepted;
      text = sentences.describeReplaced(choice.getCalled(), best->verdict);
    }
    ++kept;
  }
  if (!best) {
    leaveUnchanged();
    return "unchanged";
  }
  remark::passed(function.getLoc(),
                 getRemarkOptions(kCategory, "replaced", function))
      << text + describeEqual();
  return best->verdict.getName();
}

StringRef mirage::replaceFunction(func::FuncOp function,
                                  const SearchSubject &subject,
                                  const SearchOutcome &outcome,
                                  const ReplaceOptions &options) {
  return Replacement(function, subject, outcome, options).run();
}
