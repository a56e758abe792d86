//===- PrintCandidate.cpp - Candidates as text ----------------------------===//
//
// For remarks and for whoever follows a search: one line for each operator, in
// the paper's terms.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/LaunchGraph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace mirage;
using namespace mirage::search;
using Form = OperatorForm::Form;

std::vector<uint16_t> LaunchGraph::getKey() const {
  std::vector<uint16_t> key(gridAxes.begin(), gridAxes.end());
  key.push_back(loopAxis ? *loopAxis : 0xff);
  for (const LoadChoice &load : loads) {
    key.push_back(0x100 | load.tensor);
    llvm::append_range(key, load.dims);
  }
  for (const BlockOperator &op : operators)
    key.insert(key.end(),
               {0x200, op.form, op.first, op.second, op.dim, op.third});
  key.push_back(0x300);
  llvm::append_range(key, outputs);
  return key;
}

/// "a1/grid*a2": axes, and the factors that select the tile.
static void print(const SearchProblem &problem, llvm::ArrayRef<DimId> dims,
                  llvm::raw_ostream &os) {
  os << "[";
  llvm::interleaveComma(dims, os, [&](DimId dim) {
    if (dim == kUnitDim)
      os << "1";
    llvm::interleave(
        problem.getParts(dim), os,
        [&](const AxisPart &part) {
          if (problem.isSplitAxis(part.axis))
            os << "split" << unsigned(problem.getSplitOf(part.axis));
          else
            os << "a" << unsigned(part.axis);
          if (part.removed & kGrid)
            os << "/grid";
          if (part.removed & kLoop)
            os << "/loop";
        },
        "*");
  });
  os << "]";
}

static llvm::StringRef getName(const OperatorForm &form) {
  switch (form.form) {
  case Form::ReduceSum:
    return "reduce_sum";
  case Form::ReduceMax:
  case Form::ReducePlainMax:
    return "reduce_max";
  case Form::Accumulate:
    return "accumulate";
  case Form::AccumulateMax:
  case Form::AccumulatePlainMax:
    return "accumulate_max";
  case Form::AccumulateConcat:
    return "accumulate_concat";
  default:
    return getOpInfo(form.kind).mnemonic;
  }
}

std::string mirage::search::toString(const SearchProblem &problem,
                                     const Candidate &candidate) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const LaunchGraph &launch : candidate.launches) {
    os << "launch grid(";
    llvm::interleaveComma(launch.gridAxes, os, [&](uint8_t axis) {
      os << (problem.isSplitAxis(axis) ? "split" : "a")
         << unsigned(problem.isSplitAxis(axis) ? problem.getSplitOf(axis)
                                               : axis);
    });
    os << ")";
    if (launch.loopAxis)
      os << " loop(a" << unsigned(*launch.loopAxis) << ")";
    os << "\n";
    unsigned number = 0;
    for (const LoadChoice &load : launch.loads) {
      os << llvm::formatv("  %{0} = load t{1} ", number++,
                          unsigned(load.tensor));
      print(problem, load.dims, os);
      os << "\n";
    }
    for (const BlockOperator &op : launch.operators) {
      const OperatorForm &form = problem.getForms()[op.form];
      os << llvm::formatv("  %{0} = {1} ", number, getName(form));
      llvm::interleaveComma(
          op.getOperands(form.getNumOperands()), os,
          [&](uint8_t operand) { os << "%" << unsigned(operand); });
      // Of two operands one, of three by its number.
      for (auto [position, constant] : form.constants) {
        if (form.getNumOperands() + form.constants.size() == 2)
          os << (position ? " by " : " of ");
        else
          os << " operand(" << position << ") ";
        os << llvm::formatv("{0}", constant);
      }
      if (form.kind == OpKind::Scale)
        os << " by " << form.attributes.scalar;
      if (form.form == Form::ReduceSum || form.form == Form::ReduceMax ||
          form.form == Form::ReducePlainMax ||
          form.form == Form::AccumulateConcat || form.form == Form::Composite)
        os << llvm::formatv(" dim({0})", unsigned(op.dim));
      os << " ";
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
  return text;
}
