//===- PrintCandidate.cpp - Candidates as text ----------------------------===//
//
// Prints a line for each operator, in the paper's terms: for remarks and for
// whoever follows a search.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/LaunchGraph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mirage;
using namespace mirage::search;
using Kind = OperatorForm::Kind;

static void printAxis(const SearchProblem &problem, uint8_t axis,
                      llvm::raw_ostream &os) {
  if (problem.isSplitAxis(axis))
    os << "split" << unsigned(problem.getSplitOf(axis));
  else
    os << "a" << unsigned(axis);
}

/// Prints "a1/grid*a2": axes, and the factors that select the tile.
static void print(const SearchProblem &problem, llvm::ArrayRef<DimId> dims,
                  llvm::raw_ostream &os) {
  os << "[";
  llvm::interleaveComma(dims, os, [&](DimId dim) {
    llvm::interleave(
        problem.getParts(dim), os,
        [&](const AxisPart &part) {
          printAxis(problem, part.axis, os);
          if (part.removed.contains(kGrid))
            os << "/grid";
          if (part.removed.contains(kLoop))
            os << "/loop";
        },
        "*");
  });
  os << "]";
}

static llvm::StringRef getName(const OperatorForm &form) {
  switch (form.kind) {
  case Kind::ReduceSum:
    return "reduce_sum";
  case Kind::ReduceMax:
  case Kind::ReducePlainMax:
    return "reduce_max";
  case Kind::Accumulate:
    return "accumulate";
  case Kind::AccumulateMax:
  case Kind::AccumulatePlainMax:
    return "accumulate_max";
  case Kind::AccumulateConcat:
    return "accumulate_concat";
  default:
    return getOpInfo(form.op).mnemonic;
  }
}

/// Prints "a1(a2; a3)": two loops, one after the other, in a loop.
static void printLoops(const SearchProblem &problem, const LaunchGraph &launch,
                       RegionId region, llvm::raw_ostream &os) {
  bool isFirst = true;
  for (auto [number, loop] : llvm::enumerate(launch.loops)) {
    if (loop.parent != region)
      continue;
    if (!isFirst)
      os << "; ";
    isFirst = false;
    printAxis(problem, loop.axis, os);
    RegionId body = RegionId::ofLoop(number);
    if (llvm::any_of(launch.loops, [&](const LoopChoice &inner) {
          return inner.parent == body;
        })) {
      os << "(";
      printLoops(problem, launch, body, os);
      os << ")";
    }
  }
}

static void printLoad(const SearchProblem &problem, const LaunchGraph &launch,
                      const LoadChoice &load, llvm::raw_ostream &os) {
  os << "load t" << unsigned(load.tensor) << " ";
  print(problem, load.dims, os);
  // If there is one loop, the dimensions say whether it loads.
  if (launch.loops.size() > 1 && load.region != kBody)
    os << " in loop " << unsigned(load.region.getNumber());
}

static void printOperator(const SearchProblem &problem, const BlockOperator &op,
                          llvm::raw_ostream &os) {
  const OperatorForm &form = problem.getForm(op.formId);
  os << getName(form) << " ";
  llvm::interleaveComma(
      op.getOperands(form.getNumOperands()), os,
      [&](uint8_t operand) { os << "%" << unsigned(operand); });
  // A constant is "of" or "by" the other operand; of three operands it is named
  // by its number.
  for (auto [position, constant] : form.constants) {
    if (form.getNumOperands() + form.constants.size() == 2)
      os << (position ? " by " : " of ");
    else
      os << " operand(" << position << ") ";
    os << llvm::formatv("{0}", constant);
  }
  if (form.op == OpKind::Scale)
    os << " by " << form.attributes.scalar;
  if (form.isReducing()) {
    os << " over ";
    llvm::interleave(
        problem.getReducedAxes()[op.reduced], os,
        [&](uint8_t axis) { printAxis(problem, axis, os); }, "*");
  }
  if (form.kind == Kind::Part)
    os << " at " << unsigned(form.place);
  if (form.kind == Kind::Composite || form.kind == Kind::Part) {
    os << " along ";
    llvm::interleave(
        problem.getParts(form.along), os,
        [&](const AxisPart &part) { printAxis(problem, part.axis, os); }, "*");
  }
  os << " ";
}

static void printLaunch(const SearchProblem &problem, const LaunchGraph &launch,
                        llvm::raw_ostream &os) {
  os << "launch grid(";
  llvm::interleaveComma(launch.gridAxes, os,
                        [&](uint8_t axis) { printAxis(problem, axis, os); });
  os << ")";
  if (!launch.loops.empty()) {
    os << " loop(";
    printLoops(problem, launch, kBody, os);
    os << ")";
  }
  os << "\n";
  unsigned number = 0;
  for (const LoadChoice &load : launch.loads) {
    os << "  %" << number++ << " = ";
    printLoad(problem, launch, load, os);
    os << "\n";
  }
  for (const BlockOperator &op : launch.operators) {
    os << "  %" << number << " = ";
    printOperator(problem, op, os);
    if (number < launch.values.size())
      print(problem, launch.values[number].dims, os);
    os << "\n";
    ++number;
  }
  os << "  store ";
  llvm::interleaveComma(launch.outputs, os,
                        [&](uint8_t value) { os << "%" << unsigned(value); });
  os << "\n";
}

std::string mirage::search::toString(const SearchProblem &problem,
                                     const Candidate &candidate) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const LaunchGraph &launch : candidate.launches)
    printLaunch(problem, launch, os);
  return text;
}
