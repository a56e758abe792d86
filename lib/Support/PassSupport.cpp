//===- PassSupport.cpp - What passes share --------------------------------===//
//
// Every option that cannot be met is an error that names it.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Support/PassSupport.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mirage;

LogicalResult mirage::checkOptions(Location loc, StringRef pass,
                                   ArrayRef<OptionRule> rules) {
  for (const OptionRule &rule : rules)
    if (!rule.holds)
      return emitError(loc) << "option " << rule.option << " of " << pass
                            << " must be " << rule.rule;
  return success();
}

FailureOr<func::FuncOp> mirage::lookupFunction(ModuleOp module,
                                               StringRef name) {
  name.consume_front("@");
  if (auto function = module.lookupSymbol<func::FuncOp>(name))
    return function;
  return emitError(module.getLoc()) << "the module has no function @" << name
                                    << ", which option function names";
}

FailureOr<TargetDescription> mirage::findTarget(Operation *op, StringRef chip) {
  if (chip.empty())
    if (TargetAttr attribute = lookupTarget(op))
      return attribute.getDescription();
  return parseTargetPreset(chip.empty() ? "sm_90a" : chip,
                           [&] { return emitError(op->getLoc()); });
}

LogicalResult mirage::checkOptionFile(Location loc, StringRef option,
                                      StringRef path) {
  if (path.empty() || path == "-")
    return success();
  bool isNew = !llvm::sys::fs::exists(path);
  {
    std::error_code error;
    llvm::raw_fd_ostream file(path, error, llvm::sys::fs::CD_OpenAlways,
                              llvm::sys::fs::FA_Write,
                              llvm::sys::fs::OF_Append);
    if (error)
      return emitError(loc) << "option " << option << ": cannot open output "
                            << "file '" << path << "': " << error.message();
  }
  if (isNew)
    llvm::sys::fs::remove(path);
  return success();
}

LogicalResult
mirage::writeOptionFile(Location loc, StringRef option, StringRef path,
                        llvm::function_ref<void(llvm::raw_ostream &)> write) {
  std::string error;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &error);
  if (!file)
    return emitError(loc) << "option " << option << ": " << error;
  write(file->os());
  file->keep();
  return success();
}

remark::RemarkOpts mirage::getRemarkOptions(StringRef pass, StringRef name,
                                            func::FuncOp function) {
  return remark::RemarkOpts::name(name).category(pass).function(
      function.getName());
}
