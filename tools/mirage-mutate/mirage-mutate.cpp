//===- mirage-mutate.cpp - Tests the verifier with mutants ----------------===//
//
// Makes mutants of µGraphs, asks the verifier of equivalence and an oracle
// whether they still compute what they should, and prints where the verifier is
// wrong: where it accepts what differs, or refutes what is equal.
//
//===----------------------------------------------------------------------===//

#include "Break.h"
#include "Mirage/Analysis/Equivalence/Floats/FloatingPoint.h"
#include "Mirage/Analysis/Equivalence/Proof/Proof.h"
#include "Mirage/Analysis/Equivalence/RoundConstants.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Interpreter/RunMuGraph.h"
#include "Subject.h"
#include "Table.h"
#include "ToolSupport.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include <cmath>
#include <random>

using namespace mirage;
using namespace mirage::equivalence;
using namespace mirage::mutate;
namespace cl = llvm::cl;

static cl::OptionCategory category("mirage-mutate options");

static cl::list<std::string> paths(cl::Positional, cl::OneOrMore,
                                   cl::desc("<program.mlir>..."),
                                   cl::cat(category));
static cl::opt<std::string>
    lhsName("lhs", cl::desc("Function that the other must compute"),
            cl::value_desc("name"), cl::cat(category));
static cl::opt<std::string> rhsName("rhs",
                                    cl::desc("Function to make mutants of"),
                                    cl::value_desc("name"), cl::cat(category));
static cl::opt<uint64_t> seed("seed", cl::init(1),
                              cl::desc("Seed of mutants and of tests"),
                              cl::value_desc("n"), cl::cat(category));
static cl::opt<unsigned>
    mutantCount("mutants", cl::init(500),
                cl::desc("Mutants in all, the same number of each file"),
                cl::value_desc("n"), cl::cat(category));
static cl::opt<unsigned> jobs("jobs", cl::init(1),
                              cl::desc("Mutants tested at a time"),
                              cl::value_desc("n"), cl::cat(category));
static cl::opt<int64_t> maxSize(
    "max-size", cl::init(1 << 16),
    cl::desc("Make programs of more elements smaller, or leave them out"),
    cl::value_desc("n"), cl::cat(category));
static cl::opt<int> only("only", cl::init(-1),
                         cl::desc("Only the mutant of this number"),
                         cl::value_desc("number"), cl::cat(category));
static cl::list<MutationKind>
    skipped("skip", cl::desc("Mutations to leave out:"), cl::cat(category),
            cl::values(clEnumValN(MutationKind::ExponentialLaw,
                                  "exponential-law", "exp2(1) = 2"),
                       clEnumValN(MutationKind::Identity, "identity",
                                  "other laws of arithmetic"),
                       clEnumValN(MutationKind::Two, "two",
                                  "two mutations at a time")));
static cl::opt<bool> verbose("verbose", cl::desc("Print every mutant"),
                             cl::cat(category));
static cl::opt<Break> breakHow(
    "break", cl::init(Break::None), cl::cat(category),
    cl::desc("Make the verifier wrong:"),
    cl::values(clEnumValN(Break::Ramp, "ramp",
                          "inputs are i mod 13861 in place of random"),
               clEnumValN(Break::FirstElement, "first-element",
                          "only first elements of results are compared"),
               clEnumValN(Break::TwoModels, "two-models",
                          "each program is evaluated with its own inputs")));

static llvm::StringRef getName(OracleAnswer::Kind kind) {
  switch (kind) {
  case OracleAnswer::Kind::Equal:
    return "equal";
  case OracleAnswer::Kind::Different:
    return "different";
  case OracleAnswer::Kind::Undefined:
    return "undefined";
  case OracleAnswer::Kind::Unknown:
    return "unknown";
  }
  llvm_unreachable("unknown answer");
}

static llvm::StringRef getName(Outcome::Answer answer) {
  switch (answer) {
  case Outcome::Answer::Proved:
    return "proved";
  case Outcome::Answer::Equivalent:
    return "accepted";
  case Outcome::Answer::Refuted:
    return "refuted";
  case Outcome::Answer::Unknown:
    return "unknown";
  }
  llvm_unreachable("unknown answer");
}

/// `count` is how many mutants were asked for; it decides on the later ones.
static void print(llvm::raw_ostream &os, const Subject &subject, unsigned count,
                  const Mutant &mutant, const Outcome &outcome) {
  os << subject.getPath() << ": mutant " << mutant.number << " of --mutants "
     << count << " --seed " << seed << ": " << mutant.description << ": "
     << getName(outcome.oracle.kind) << ", " << getName(outcome.getAnswer())
     << "\n";
  if (!outcome.oracle.where.empty())
    os << "  " << outcome.oracle.where << "\n";
}

/// Returns true if an element that is finite in `lhs` for some inputs is not in
/// `mutant`, in float64 or as both are written, or if one that is infinite in
/// float64 is not the same infinity.
static bool losesElements(const MuGraph &lhs, const MuGraph &mutant,
                          uint64_t seed) {
  std::mt19937_64 random(seed);
  llvm::SmallVector<TensorValue> inputs;
  for (MuValue argument : lhs.getRegion().arguments) {
    std::vector<double> numbers(elementCount(lhs.getShape(argument)));
    // The numbers are between -2 and 2.
    for (double &number : numbers)
      number = std::ldexp(double(random() >> 11), -51) - 2;
    inputs.push_back(TensorValue::create(lhs.getValue(argument).type,
                                         Shape(lhs.getShape(argument)), numbers,
                                         Precision::F64));
  }
  for (Precision precision : {Precision::F64, Precision::Storage}) {
    auto left = runMuGraph(lhs, inputs, precision),
         right = runMuGraph(mutant, inputs, precision);
    for (auto [a, b] : llvm::zip_equal(left, right))
      for (int64_t i = 0; i < a.size(); ++i)
        if (std::isfinite(a.value(i))
                ? !std::isfinite(b.value(i))
                : precision == Precision::F64 && std::isinf(a.value(i)) &&
                      a.value(i) != b.value(i))
          return true;
  }
  return false;
}

/// Runs the stages of the verifier, the proof also where tests say the same.
/// Broken verifiers have tests alone.
static void verify(const MuGraph &original, const MuGraph &candidate,
                   const RandomTestOptions &options, Outcome &outcome) {
  MuGraph lhs = roundConstants(original).graph,
          mutant = roundConstants(candidate).graph;
  outcome.tests = runBrokenTests(breakHow, lhs, mutant, options, Execution());
  if (breakHow != Break::None)
    return;
  outcome.isProved =
      proveEquivalence(lhs, mutant).kind == ProofResult::Kind::Proved;
  FloatingPointOptions floats;
  floats.seed = options.seed;
  if (outcome.isAccepted()) {
    outcome.floatsAccept = checkFloatingPoint(lhs, mutant, floats).isAccepted();
    outcome.losesElements = losesElements(lhs, mutant, options.seed);
  }
  if (!outcome.isProved &&
      outcome.tests.kind == RandomTestResult::Kind::Differ &&
      !outcome.tests.unknownFunctions.empty())
    outcome.floatsDiffer =
        findFloatDifference(lhs, mutant, floats, /*isExample=*/false)
            .has_value();
}

/// Makes the mutants of one file and counts what becomes of them.
static void run(const Subject &subject, unsigned count, Table &table) {
  Oracle oracle(subject.getLhs(), seed);
  std::vector<Mutant> mutants = subject.makeMutants(count, seed, skipped);
  std::vector<Outcome> outcomes(mutants.size());
  RandomTestOptions options;
  options.seed = seed;
  WorkerPool pool(jobs);
  pool.forEach(mutants.size(), [&](int64_t i) {
    if (!mutants[i].graph || (only >= 0 && i != only))
      return;
    outcomes[i].oracle = oracle.compare(*mutants[i].graph);
    verify(subject.getLhs(), *mutants[i].graph, options, outcomes[i]);
  });
  for (auto [mutant, outcome] : llvm::zip(mutants, outcomes)) {
    if (only >= 0 && mutant.number != static_cast<unsigned>(only))
      continue;
    if (!mutant.graph) {
      table.addIllegal(mutant.kind);
      continue;
    }
    table.add(mutant.kind, outcome);
    if (outcome.isViolation())
      print(llvm::outs() << "violation: ", subject, count, mutant, outcome);
    else if (verbose)
      print(llvm::outs(), subject, count, mutant, outcome);
  }
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  setUpTool();
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Tests the verifier with mutants\n");
  mlir::DialectRegistry registry;
  registry.insert<MirageDialect, kernel::KernelDialect, block::BlockDialect,
                  thread::ThreadDialect, mlir::arith::ArithDialect,
                  mlir::cf::ControlFlowDialect, mlir::func::FuncDialect,
                  mlir::linalg::LinalgDialect, mlir::math::MathDialect,
                  mlir::tensor::TensorDialect>();
  mlir::MLIRContext context(registry);

  std::vector<Subject> subjects;
  for (const std::string &path : paths) {
    std::optional<Subject> subject =
        Subject::load(context, path, lhsName, rhsName);
    if (!subject)
      return 1;
    if (!subject->isImported()) {
      llvm::outs() << path << ": left out, no µGraph\n";
      continue;
    }
    if (subject->getSize() > maxSize)
      subject->shrink();
    if (subject->getSize() > maxSize)
      llvm::outs() << path << ": left out, " << subject->getSize()
                   << " elements\n";
    else
      subjects.push_back(std::move(*subject));
  }
  Table table;
  for (const Subject &subject : subjects)
    run(subject, (mutantCount + subjects.size() - 1) / subjects.size(), table);
  table.print(llvm::outs());
  llvm::outs() << table.getNumViolations() << " violations\n";
  return table.getNumViolations() != 0;
}
