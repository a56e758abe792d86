//===- ReplaceFunction.cpp - Search results into the module ---------------===//
//
// The function's operation stays, with its name, callers and attributes: only
// its body is exchanged.
//
//===----------------------------------------------------------------------===//

#include "ReplaceFunction.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/MuGraph/ExportMuGraph.h"
#include "SearchRemarks.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mirage;
using namespace mirage::search;

/// To the nanosecond, which is more than the cost model knows.
static std::string print(double microseconds) {
  return llvm::formatv("{0:f3}", microseconds);
}

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
              const SearchResult &result, const ReplaceOptions &options)
      : function(function), subject(subject), result(result), options(options),
        builder(function.getContext()),
        symbols(function->getParentOfType<ModuleOp>()) {}

  StringRef run();

private:
  using Note = SmallVector<std::pair<StringRef, Attribute>, 6>;

  Note getNote(StringRef verdict);
  void note(func::FuncOp written, const JudgedCandidate &candidate);
  FailureOr<func::FuncOp> write(const JudgedCandidate &candidate);
  void exchangeBody(func::FuncOp written);
  void addAlternative(func::FuncOp written, unsigned number);
  void leaveUnchanged();

  func::FuncOp function;
  const SearchSubject &subject;
  const SearchResult &result;
  const ReplaceOptions &options;
  Builder builder;
  SymbolTable symbols;
  /// What alternatives are held against.
  StringAttr reference;
};

} // namespace

Replacement::Note Replacement::getNote(StringRef verdict) {
  double original = std::round(subject.microseconds * 1e3) / 1e3;
  Note note = {{"verdict", builder.getStringAttr(verdict)},
               {"original_microseconds", builder.getF32FloatAttr(original)},
               {"seed", builder.getI64IntegerAttr(options.seed)}};
  if (result.wasCut)
    note.push_back({"cut", builder.getUnitAttr()});
  return note;
}

void Replacement::note(func::FuncOp written, const JudgedCandidate &candidate) {
  Note note = getNote(stringifyVerdict(candidate.verdict));
  double microseconds = std::round(candidate.microseconds * 1e3) / 1e3;
  note.push_back({"microseconds", builder.getF32FloatAttr(microseconds)});
  if (candidate.verdict == Verdict::Equivalent)
    note.push_back(
        {"log2_error", builder.getF32FloatAttr(candidate.log2Error)});
  setNote(written, note);
}

/// A function of the candidate's µGraph, which stands in no module yet. A
/// remark says if there is no IR of it.
FailureOr<func::FuncOp> Replacement::write(const JudgedCandidate &candidate) {
  std::string reason;
  FailureOr<func::FuncOp> written = failure();
  {
    ScopedDiagnosticHandler handler(function.getContext(),
                                    [&](Diagnostic &diagnostic) {
                                      if (reason.empty())
                                        reason = diagnostic.str();
                                      return success();
                                    });
    // Built in the module, whose target the verifier asks for.
    OpBuilder at(function);
    written = exportFunction(instantiate(subject.task, candidate),
                             function.getName(), at, function.getLoc());
  }
  if (succeeded(written))
    (*written)->remove();
  else
    emitWarning(function.getLoc())
        << "a candidate for @" << function.getName()
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

void Replacement::leaveUnchanged() {
  Note note = getNote("unchanged");
  auto out = remark::missed(function.getLoc(),
                            getRemarkOptions("unchanged", function));
  if (const JudgedCandidate *best = result.getBest()) {
    out << "the best accepted candidate is not faster"
        << remark::metric("microseconds", print(best->microseconds));
    note.push_back(
        {"microseconds",
         builder.getF32FloatAttr(std::round(best->microseconds * 1e3) / 1e3)});
  } else {
    out << "no candidate was accepted";
  }
  out << remark::metric("originalMicroseconds", print(subject.microseconds));
  setNote(function, note);
}

StringRef Replacement::run() {
  const JudgedCandidate *best = nullptr;
  unsigned kept = 0;
  for (const JudgedCandidate &candidate : result.judged) {
    if (kept == options.keep ||
        (!best && candidate.microseconds >= subject.microseconds))
      break;
    if (!candidate.isAccepted())
      continue;
    FailureOr<func::FuncOp> written = write(candidate);
    if (failed(written))
      continue;
    if (best) {
      note(*written, candidate);
      addAlternative(*written, kept);
    } else {
      exchangeBody(*written);
      note(function, candidate);
      best = &candidate;
    }
    ++kept;
  }
  if (!best) {
    leaveUnchanged();
    return "unchanged";
  }
  remark::passed(function.getLoc(), getRemarkOptions("replaced", function))
      << stringifyVerdict(best->verdict)
      << remark::metric("microseconds", print(best->microseconds))
      << remark::metric("originalMicroseconds", print(subject.microseconds))
      << remark::metric("launches", best->sizes.size());
  return stringifyVerdict(best->verdict);
}

StringRef mirage::replaceFunction(func::FuncOp function,
                                  const SearchSubject &subject,
                                  const SearchResult &result,
                                  const ReplaceOptions &options) {
  return Replacement(function, subject, result, options).run();
}
