//===- Orchestrations.cpp - Times of the choice of kernels ----------------===//
//
// Chooses kernels for random programs by the binary program, and prints a line
// of JSON for each: execution states, kernels to choose from, the size of the
// binary program, seconds of the processor, and the part of the cost that was
// not proved to be needed.
//
//   mirage-orchestrations [programs [folder]]
//
// The last binary program of each choice, with the rows that leave out cycles,
// is written into the folder as an LP file for other solvers.
//
// The first program has as many execution states and kernels as the largest one
// of the Korch paper (section 5.2): 584 and 3,078, for which the paper allows
// 1,000 seconds.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/KernelGraphs/ExecutionStates.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <random>
#include <time.h>

using namespace mirage;
using namespace mirage::search;

namespace {

unsigned draw(std::mt19937_64 &random, unsigned count) {
  return static_cast<unsigned>(random() % count);
}

/// Makes a program of elementwise operators, each of which reads one or two of
/// the last values. More of them make it wider.
MuGraph makeProgram(std::mt19937_64 &random, unsigned operators,
                    unsigned width) {
  MuGraph program;
  std::vector<MuValue> values = {program.addArgument(0, {8}, ElementType::f32)};
  std::vector<bool> isRead = {true};
  for (unsigned i = 0; i < operators; ++i) {
    auto pick = [&] {
      unsigned value = values.size() - 1 -
                       draw(random, std::min<unsigned>(width, values.size()));
      isRead[value] = true;
      return values[value];
    };
    MuValue x = pick();
    values.push_back(
        draw(random, 3)
            ? program.addOperator(0, OpKind::Exp, {}, {x}, ElementType::f32)
            : program.addOperator(0, OpKind::Add, {}, {x, pick()},
                                  ElementType::f32));
    isRead.push_back(false);
  }
  llvm::SmallVector<MuValue> results;
  for (size_t i = 0; i < values.size(); ++i)
    if (!isRead[i])
      results.push_back(values[i]);
  program.setResults(0, results);
  return program;
}

/// Prices kernels as a roofline does: a launch, what is moved through device
/// memory, and what is computed. Some units make tensors that are a hundred
/// times as large as those of others.
std::vector<PieceCover::Price>
priceKernels(std::mt19937_64 &random, const ProgramUnits &program,
             llvm::ArrayRef<KernelOrchestration::Kernel> kernels) {
  std::vector<double> moving, computing;
  for (unsigned unit = 0; unit < program.size(); ++unit) {
    moving.push_back(std::exp2(draw(random, 700) / 100.0) / 8);
    computing.push_back(draw(random, 4) ? moving.back() / 8
                                        : moving.back() * 4);
  }
  std::vector<PieceCover::Price> prices;
  for (const KernelOrchestration::Kernel &kernel : kernels) {
    double moved = 0, computed = 0;
    for (unsigned unit : kernel.inputs.set_bits())
      moved += moving[unit];
    for (unsigned unit : kernel.outputs.set_bits())
      moved += moving[unit];
    for (unsigned unit : kernel.units.set_bits())
      computed += computing[unit];
    // Large kernels reach less of the peak.
    double efficiency = 1 + kernel.units.count() / 16.0;
    prices.push_back({2 + std::max(moved, computed) * efficiency, 1});
  }
  return prices;
}

/// Returns the seconds of the processor that this thread has taken.
double getSeconds() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) +
         static_cast<double>(time.tv_nsec) / 1e9;
}

/// The largest program of the Korch paper.
constexpr uint64_t kPapersStates = 584, kPapersKernels = 3078;

/// Makes a program that has as many states as the paper's, and no fewer
/// kernels.
MuGraph makePapersProgram(std::mt19937_64 &random) {
  while (true) {
    MuGraph program = makeProgram(random, 32, 3);
    ProgramUnits units(program);
    auto states = enumerateExecutionStates(units, kPapersStates);
    if (states && states->size() == kPapersStates &&
        enumerateKernels(units, {})->kernels.size() >= kPapersKernels)
      return program;
  }
}

/// Writes a file; ends the process where it cannot.
void write(llvm::StringRef path, llvm::StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  file << text;
  file.close();
  if (error || file.has_error()) {
    llvm::errs() << path << ": cannot be written\n";
    std::exit(1);
  }
}

/// Chooses from so many kernels, if there are more. Writes the binary program
/// as `path`, if that is not empty. Returns false if there are too many states.
bool report(std::mt19937_64 &random, const MuGraph &program,
            uint64_t mostKernels, llvm::StringRef path) {
  ProgramUnits units(program);
  std::optional<KernelSpace> space = enumerateKernels(units, {});
  if (!space)
    return false;
  std::vector<KernelOrchestration::Kernel> &kernels = space->kernels;
  // Units can always be kernels of their own.
  while (kernels.size() > mostKernels)
    if (unsigned number = draw(random, kernels.size());
        kernels[number].units.count() > 1)
      kernels.erase(kernels.begin() + number);
  std::vector<PieceCover::Price> prices = priceKernels(random, units, kernels);
  double begin = getSeconds();
  KernelOrchestration orchestration(units, kernels);
  KernelOrchestration::Answer answer = orchestration.find(prices, {});
  double seconds = getSeconds() - begin;
  if (!path.empty()) {
    std::string text;
    KernelOrchestration::Options options;
    auto keep = [&](const BinaryProgram &binary) {
      text.clear();
      llvm::raw_string_ostream os(text);
      binary.print(os);
    };
    options.observe = keep;
    orchestration.find(prices, options);
    write(path, text);
  }
  llvm::json::Object line{{"operators", units.size()},
                          {"states", static_cast<int64_t>(space->states)},
                          {"kernels", static_cast<int64_t>(kernels.size())},
                          {"variables", answer.variables},
                          {"rows", answer.rows},
                          {"nodes", static_cast<int64_t>(answer.nodes)},
                          {"loops", answer.loops},
                          {"seconds", seconds},
                          {"is_optimal", answer.isOptimal},
                          {"gap", answer.getGap()}};
  if (answer.plan) {
    unsigned computed = 0;
    for (unsigned kernel : answer.plan->kernels)
      computed += kernels[kernel].units.count();
    line["cost"] = answer.plan->cost;
    line["chosen"] = static_cast<int64_t>(answer.plan->kernels.size());
    line["computed_again"] = static_cast<int64_t>(computed) - units.size();
  }
  llvm::outs() << llvm::json::Value(std::move(line)) << "\n";
  llvm::outs().flush();
  return true;
}

} // namespace

int main(int argc, char **argv) {
  unsigned programs = 10;
  if (argc > 3 ||
      (argc > 1 && llvm::StringRef(argv[1]).getAsInteger(10, programs))) {
    llvm::errs() << "usage: mirage-orchestrations [programs [folder]]\n";
    return 1;
  }
  auto getPath = [&](unsigned number) -> std::string {
    if (argc < 3)
      return "";
    llvm::SmallString<64> path(argv[2]);
    llvm::sys::path::append(path, std::to_string(number) + ".lp");
    return path.str().str();
  };
  std::mt19937_64 random(1);
  // Files are numbered as the lines are.
  unsigned line = 0;
  line +=
      report(random, makePapersProgram(random), kPapersKernels, getPath(line));
  for (unsigned i = 0; i < programs; ++i)
    line +=
        report(random, makeProgram(random, 16 + draw(random, 20), 3 + i % 3),
               std::numeric_limits<uint64_t>::max(), getPath(line));
}
