//===- mirage-run.cpp - Executes programs ---------------------------------===//
//
// Runs a function on the CPU, by the interpreter or as kernels, or on the GPU,
// and compares its results with another function's or with error bounds.
//
//===----------------------------------------------------------------------===//

#include "Batch.h"
#include "Device.h"
#include "Inputs.h"
#include "Kernels.h"
#include "Mirage/Conversion/Passes.h"
#include "Mirage/InitAllDialects.h"
#include "Mirage/InitUpstream.h"
#include "Mirage/Interpreter/IR/Interpreter.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "Report.h"
#include "ToolSupport.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#ifndef MIRAGE_STATIC
#include "mlir/Tools/Plugins/DialectPlugin.h"
#endif
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mirage;
namespace cl = llvm::cl;

namespace {
enum class DeviceKind { CPU, Threads, CUDA };

cl::OptionCategory category("mirage-run options");

cl::opt<std::string> programPath(cl::Positional, cl::desc("<program.mlir>"),
                                 cl::init("-"), cl::cat(category));
cl::opt<std::string>
    entryName("entry",
              cl::desc("Function to run; may be left out if there is only one"),
              cl::value_desc("name"), cl::cat(category));
cl::opt<DeviceKind>
    device("device", cl::desc("Where to run:"), cl::init(DeviceKind::CPU),
           cl::values(clEnumValN(DeviceKind::CPU, "cpu",
                                 "the reference interpreter (default)"),
                      clEnumValN(DeviceKind::Threads, "threads",
                                 "the kernels' threads, one operation after "
                                 "another on the CPU: races are errors, and "
                                 "results are checked as with cuda"),
                      clEnumValN(DeviceKind::CUDA, "cuda",
                                 "the first GPU; every element of the results "
                                 "is checked against a derived error bound")),
           cl::cat(category));

const auto precisionValues = cl::values(
    clEnumValN(Precision::F64, "f64", "everything in f64, nothing rounded"),
    clEnumValN(Precision::F32, "f32",
               "everything in f32, nothing rounded to "
               "narrower types"),
    clEnumValN(Precision::Storage, "storage",
               "f32 arithmetic (f64 for f64), every value rounded to its "
               "element type (default)"));
cl::opt<Precision> precision("precision", cl::desc("Arithmetic on the CPU:"),
                             cl::init(Precision::Storage), precisionValues,
                             cl::cat(category));

cl::list<std::string>
    inputPaths("input",
               cl::desc("NumPy file of the next argument, once per argument; "
                        "arguments without one are random"),
               cl::value_desc("file.npy"), cl::cat(category));
cl::opt<uint64_t> seed("seed", cl::desc("Seed of random inputs (default 0)"),
                       cl::init(0), cl::value_desc("n"), cl::cat(category));
cl::opt<double> scale("scale", cl::desc("Factor of random inputs (default 1)"),
                      cl::value_desc("factor"), cl::init(1.0),
                      cl::cat(category));
cl::opt<Distribution>
    distribution("distribution", cl::desc("Distribution of random inputs:"),
                 cl::init(Distribution::Normal),
                 cl::values(clEnumValN(Distribution::Normal, "normal",
                                       "normal, variance 1 (default)"),
                            clEnumValN(Distribution::Uniform, "uniform",
                                       "uniform on [-1, 1)"),
                            clEnumValN(Distribution::Large, "large",
                                       "normal, standard deviation 100"),
                            clEnumValN(Distribution::Constant, "constant",
                                       "0.5 everywhere")),
                 cl::cat(category));
cl::opt<std::string> outputFolder("output",
                                  cl::desc("Write results to dir/resultN.npy"),
                                  cl::value_desc("dir"), cl::cat(category));

cl::opt<std::string> compareName(
    "compare",
    cl::desc("Run this function on the same inputs too, as the reference that "
             "the entry's results are compared with"),
    cl::value_desc("name"), cl::cat(category));
cl::opt<Precision> comparePrecision(
    "compare-precision",
    cl::desc("Arithmetic of the reference (default: that of --precision):"),
    precisionValues, cl::cat(category));
cl::opt<double> tolerance(
    "tolerance",
    cl::desc("With --compare, exit with 1 if the relative Frobenius error of "
             "a result exceeds this"),
    cl::init(std::numeric_limits<double>::infinity()), cl::value_desc("t"),
    cl::cat(category));

cl::opt<bool> withBounds(
    "check-bounds",
    cl::desc("Check every element of the results against the error bound "
             "derived for f32 arithmetic and storage types; always done with "
             "--device=threads and --device=cuda"),
    cl::cat(category));

cl::opt<std::string> batchFolder(
    "batch",
    cl::desc("Run all functions on the CPU: of function f, read "
             "dir/f/inputN.npy or else write the random inputs there, and "
             "write dir/f/resultN.npy; with --check-bounds also exactN.npy, "
             "results in f64, and boundN.npy, how far from them f32 arithmetic "
             "and storage types may be"),
    cl::value_desc("dir"), cl::cat(category));

#ifndef MIRAGE_STATIC
cl::list<std::string>
    dialectPlugins("load-dialect-plugin",
                   cl::desc("Load dialects from a plugin library, whose "
                            "operators then can be run"),
                   cl::value_desc("file.so"), cl::cat(category));
#endif

cl::opt<std::string> kernelPath(
    "kernels",
    cl::desc(
        "Run these kernels instead of lowering the program: with "
        "--device=cuda dir/manifest.json and the PTX it names, with "
        "--device=threads a file that mirage-lower-to-thread made; without "
        "a program, results are not checked"),
    cl::value_desc("dir or file.mlir"), cl::cat(category));
cl::opt<bool> timeKernels("time",
                          cl::desc("With --device=cuda, print the median time "
                                   "of a run in microseconds"),
                          cl::cat(category));
/// LLVM's shared library registers an option of this name as well, which has to
/// give way, so this one is made when it is first asked for.
cl::opt<unsigned> &getThreadsOption() {
  static bool removed = [] {
    auto &options = cl::getRegisteredOptions();
    if (auto other = options.find("threads"); other != options.end())
      other->second->removeArgument();
    return true;
  }();
  (void)removed;
  static cl::opt<unsigned> threads(
      "threads",
      cl::desc("Threads of the interpreter (default: one per processor)"),
      cl::init(0), cl::value_desc("n"), cl::cat(category));
  return threads;
}
} // namespace

static LogicalResult fail(const llvm::Twine &message) {
  llvm::errs() << "mirage-run: error: " << message << "\n";
  return failure();
}
static LogicalResult fail(llvm::Error error) {
  return fail(llvm::toString(std::move(error)));
}

/// Converts linalg to kernel operators, where the program has any. What stays
/// is an error when it is run.
static LogicalResult importLinalg(ModuleOp module) {
  bool hasLinalg =
      module
          .walk([](Operation *op) {
            return isa_and_nonnull<linalg::LinalgDialect>(op->getDialect())
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
  if (!hasLinalg)
    return success();
  PassManager manager(module.getContext());
  ConvertLinalgToMirageOptions options;
  options.remarks = false;
  manager.addPass(createConvertLinalgToMirage(options));
  // What is left of other dialects is not used any more.
  manager.addPass(createCanonicalizerPass());
  return manager.run(module);
}

static FailureOr<Entry> getEntry(func::FuncOp function) {
  Entry entry{function.getName().str(), {}, {}, function};
  auto add = [&](TypeRange types, llvm::SmallVector<TensorSignature> &to) {
    for (Type type : types) {
      std::string error;
      FailureOr<MuGraph::Value> known = importType(type, error);
      if (failed(known)) {
        function.emitError()
            << "mirage-run does not run @" << entry.name << ": " << error;
        return failure();
      }
      to.push_back({known->type, known->shape});
    }
    return success();
  };
  if (failed(add(function.getArgumentTypes(), entry.arguments)) ||
      failed(add(function.getResultTypes(), entry.results)))
    return failure();
  return entry;
}

/// Returns the function of that name, or the only one where `name` is empty.
static FailureOr<Entry> findEntry(ModuleOp module, StringRef name) {
  std::string names;
  auto functions = llvm::filter_to_vector(
      module.getOps<func::FuncOp>(),
      [](func::FuncOp function) { return !function.isExternal(); });
  for (func::FuncOp function : functions) {
    if (function.getName() == name || (name.empty() && functions.size() == 1))
      return getEntry(function);
    names += (names.empty() ? "" : ", ") + function.getName().str();
  }
  if (names.empty())
    return fail(programPath + " has no function");
  if (name.empty())
    return fail(programPath + " has several functions (" + names +
                "); choose one with --entry");
  return fail(programPath + " has no function '" + name + "', but " + names);
}

static FailureOr<llvm::SmallVector<TensorValue>>
makeInputs(const Entry &entry) {
  if (inputPaths.size() > entry.arguments.size())
    return fail(llvm::Twine(inputPaths.size()) + " inputs for @" + entry.name +
                ", which takes " + llvm::Twine(entry.arguments.size()));
  llvm::SmallVector<TensorValue> inputs;
  for (auto [i, signature] : llvm::enumerate(entry.arguments)) {
    if (i >= inputPaths.size()) {
      inputs.push_back(generateInput(signature, seed, i, distribution, scale));
      continue;
    }
    llvm::Expected<TensorValue> input = readInput(inputPaths[i], signature, i);
    if (!input)
      return fail(input.takeError());
    inputs.push_back(std::move(*input));
  }
  return inputs;
}

/// Kernels that were lowered before: for a GPU, or for the interpreter.
struct LoweredKernels {
  std::optional<PTXProgram> ptx;
  OwningOpRef<ModuleOp> module;
};

/// Runs the entry on the GPU, from lowered kernels where these are given.
static FailureOr<llvm::SmallVector<TensorValue>>
runCuda(ModuleOp module, const Entry &entry, const LoweredKernels &lowered,
        ArrayRef<TensorValue> inputs) {
  DeviceOptions options;
  options.time = timeKernels;
  const std::optional<PTXProgram> &kernels = lowered.ptx;
  FailureOr<DeviceRun> run = failure();
  if (!kernels) {
    run = runOnDevice(module, entry.name, inputs, options);
  } else {
    const runtime::FunctionDescription *function =
        kernels->manifest.findFunction(entry.name);
    if (!function)
      return fail("the manifest in " + kernelPath + " has no function '" +
                  entry.name + "'");
    DeviceSignature signature = getSignature(*function);
    if (signature.arguments != entry.arguments ||
        signature.results != entry.results)
      return fail("the manifest's function '" + entry.name +
                  "' has other arguments or results than the program's");
    llvm::Expected<DeviceRun> result =
        runOnDevice(*kernels, *function, inputs, options);
    if (!result)
      return fail(result.takeError());
    run = std::move(*result);
  }
  if (failed(run))
    return failure();
  printDeviceRun(llvm::outs(), *run);
  return std::move(run->results);
}

/// Compares results with the bounds of the entry's own arithmetic.
static LogicalResult checkErrors(const Entry &entry,
                                 ArrayRef<TensorValue> inputs,
                                 ArrayRef<TensorValue> results) {
  InterpreterOptions options;
  options.precision = Precision::Bound;
  auto bounded = interpret(entry.function, inputs, options);
  if (failed(bounded))
    return failure();
  bool within = true;
  for (auto [i, result, bound] : llvm::enumerate(results, *bounded)) {
    BoundReport report = checkBounds(result, bound);
    printBounds(llvm::outs(), "bound " + std::to_string(i), report);
    within &= report.violations == 0;
  }
  return success(within);
}

static LogicalResult compareResults(ModuleOp module, const Entry &entry,
                                    ArrayRef<TensorValue> inputs,
                                    ArrayRef<TensorValue> results) {
  FailureOr<Entry> reference = findEntry(module, compareName);
  if (failed(reference))
    return failure();
  InterpreterOptions options;
  options.precision =
      comparePrecision.getNumOccurrences() ? comparePrecision : precision;
  auto expected = interpret(reference->function, inputs, options);
  if (failed(expected))
    return failure();
  bool within = true;
  for (auto [i, result, other] : llvm::enumerate(results, *expected)) {
    Difference difference = compare(result, other);
    printDifference(llvm::outs(), "difference " + std::to_string(i),
                    difference);
    within &= difference.frobenius <= tolerance;
  }
  return success(within);
}

/// Returns true if entry and reference can be run on the same inputs and
/// compared, which is found before anything runs.
static LogicalResult checkReference(ModuleOp module, const Entry &entry) {
  FailureOr<Entry> reference = findEntry(module, compareName);
  if (failed(reference))
    return failure();
  auto shapes = [](ArrayRef<TensorSignature> signatures) {
    return llvm::map_to_vector(signatures,
                               [](const auto &s) { return s.shape; });
  };
  if (reference->arguments != entry.arguments ||
      shapes(reference->results) != shapes(entry.results))
    return fail("@" + entry.name + " and @" + compareName +
                " have different signatures");
  return success();
}

static LogicalResult runProgram(ModuleOp module, const Entry &entry,
                                const LoweredKernels &kernels) {
  if (!compareName.empty() && failed(checkReference(module, entry)))
    return failure();
  FailureOr<llvm::SmallVector<TensorValue>> inputs = makeInputs(entry);
  if (failed(inputs))
    return failure();
  for (auto [i, input] : llvm::enumerate(*inputs))
    printSummary(llvm::outs(), "input " + std::to_string(i), input);

  InterpreterOptions options;
  options.precision = precision;
  FailureOr<llvm::SmallVector<TensorValue>> results = failure();
  switch (device) {
  case DeviceKind::CPU:
    results = interpret(entry.function, *inputs, options);
    break;
  case DeviceKind::Threads:
    results = kernels.module ? runKernels(kernels.module.get(), entry, *inputs)
                             : runOnThreads(module, entry.name, *inputs);
    break;
  case DeviceKind::CUDA:
    results = runCuda(module, entry, kernels, *inputs);
    break;
  }
  if (failed(results))
    return failure();
  for (auto [i, result] : llvm::enumerate(*results))
    printSummary(llvm::outs(), "result " + std::to_string(i), result);
  if (!outputFolder.empty())
    if (llvm::Error error = writeResults(outputFolder, *results))
      return fail(std::move(error));

  LogicalResult status = success();
  bool asKernels = device != DeviceKind::CPU;
  if ((asKernels || withBounds) && entry.function)
    status = checkErrors(entry, *inputs, *results);
  if (!compareName.empty() &&
      failed(compareResults(module, entry, *inputs, *results)))
    status = failure();
  return status;
}

/// If there are kernels without a program, the signature is theirs.
static LogicalResult runWithoutProgram(const LoweredKernels &kernels) {
  SmallVector<std::pair<std::string, DeviceSignature>> functions;
  if (kernels.ptx)
    for (const auto &function : kernels.ptx->manifest.functions)
      functions.push_back({function.name, getSignature(function)});
  if (kernels.module)
    for (auto host : kernels.module.get().getOps<func::FuncOp>()) {
      if (!entryName.empty() && host.getName() != entryName)
        continue;
      FailureOr<DeviceSignature> signature = getSignature(host);
      if (failed(signature))
        return failure();
      functions.push_back({host.getName().str(), *signature});
    }
  for (const auto &[name, signature] : functions)
    if (name == entryName || (entryName.empty() && functions.size() == 1))
      return runProgram({}, {name, signature.arguments, signature.results, {}},
                        kernels);
  return fail(kernelPath + " has " + llvm::Twine(functions.size()) +
              " functions" +
              (entryName.empty() ? "" : " of the name " + entryName) +
              "; choose one of them with --entry");
}

/// Reads the kernels that are to be run instead of lowered ones.
static LogicalResult readKernels(MLIRContext &context,
                                 LoweredKernels &kernels) {
  if (device == DeviceKind::CPU)
    return fail("--kernels goes with --device=cuda or --device=threads");
  if (device == DeviceKind::Threads) {
    auto module = readKernelModule(kernelPath, context);
    if (!module)
      return fail(module.takeError());
    kernels.module = std::move(*module);
    return success(static_cast<bool>(kernels.module));
  }
  llvm::Expected<PTXProgram> read = readDeviceProgram(kernelPath);
  if (!read)
    return fail(read.takeError());
  kernels.ptx = std::move(*read);
  return success();
}

static LogicalResult runAllFunctions(ModuleOp module) {
  llvm::SmallVector<Entry> entries;
  bool allRan = true;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal() || function.isPrivate())
      continue;
    FailureOr<Entry> entry = getEntry(function);
    if (succeeded(entry))
      entries.push_back(std::move(*entry));
    else
      allRan = false;
  }
  BatchOptions options;
  options.folder = batchFolder;
  options.interpreter.precision = precision;
  options.withBounds = withBounds;
  options.makeInput = [](const TensorSignature &signature, unsigned number) {
    return generateInput(signature, seed, number, distribution, scale);
  };
  return success(succeeded(runBatch(entries, options)) && allRan);
}

/// Adds the dialects of plugins. The static tool loads none.
static LogicalResult loadPlugins(DialectRegistry &registry) {
#ifndef MIRAGE_STATIC
  for (const std::string &path : dialectPlugins) {
    llvm::Expected<DialectPlugin> plugin = DialectPlugin::load(path);
    if (!plugin)
      return fail(plugin.takeError());
    plugin->registerDialectRegistryCallbacks(registry);
  }
#endif
  return success();
}

static LogicalResult runTool(MLIRContext &context) {
  if (!batchFolder.empty() &&
      (device != DeviceKind::CPU || !kernelPath.empty() ||
       !compareName.empty() || !entryName.empty() || !inputPaths.empty() ||
       !outputFolder.empty()))
    return fail("--batch goes with --precision, --check-bounds and the options "
                "of random inputs only");
  LoweredKernels kernels;
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  if (!kernelPath.empty()) {
    if (failed(readKernels(context, kernels)))
      return failure();
    if (programPath.getNumOccurrences() == 0) {
      if (!compareName.empty())
        return fail("--compare needs a program");
      return runWithoutProgram(kernels);
    }
  }
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(programPath);
  if (!buffer)
    return fail("cannot read " + programPath + ": " +
                buffer.getError().message());
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module || failed(importLinalg(*module)))
    return failure();
  if (!batchFolder.empty())
    return runAllFunctions(*module);
  FailureOr<Entry> entry = findEntry(*module, entryName);
  if (failed(entry))
    return failure();
  return runProgram(*module, *entry, kernels);
}

int main(int argc, char **argv) {
  setUpTool();
  llvm::InitLLVM init(argc, argv);
  cl::opt<unsigned> &threads = getThreadsOption();
  addPassOptions(category);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Runs a function of a program and prints a summary of its results.\n");
  if (threads)
    llvm::parallel::strategy = llvm::hardware_concurrency(threads);
  DialectRegistry registry;
  registerUpstreamDialects(registry);
  mirage::registerAllDialects(registry);
  if (failed(loadPlugins(registry)))
    return EXIT_FAILURE;
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  return failed(runTool(context));
}
