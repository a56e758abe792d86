//===- PassSupport.cpp - What passes share --------------------------------===//
//
// Implements the checks: every option that cannot be met is an error that names
// it.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Support/PassSupport.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

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

/// Returns true if something is at the path that is no file, such as a pipe.
static bool isSpecial(StringRef path) {
  return llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path) &&
         !llvm::sys::fs::is_directory(path);
}

/// Returns the path that links lead to.
static std::string getRealPath(StringRef path) {
  llvm::SmallString<256> real;
  if (llvm::sys::fs::real_path(path, real))
    return path.str();
  return real.str().str();
}

static LogicalResult checkOptionFile(Location loc, StringRef option,
                                     StringRef path) {
  if (path.empty() || path == "-" || isSpecial(path))
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
    llvm::sys::fs::remove(getRealPath(path));
  return success();
}

LogicalResult mirage::checkOptionFiles(Location loc,
                                       ArrayRef<OptionFile> files) {
  for (auto [i, file] : llvm::enumerate(files)) {
    if (file.isWritten && failed(checkOptionFile(loc, file.option, file.path)))
      return failure();
    for (const OptionFile &other : files.take_front(i)) {
      if (file.path.empty() || file.path == "-" || isSpecial(file.path))
        continue;
      bool isSame = false;
      if (file.path == other.path ||
          (!llvm::sys::fs::equivalent(file.path, other.path, isSame) && isSame))
        return emitError(loc)
               << "options " << other.option << " and " << file.option
               << " name one file, '" << file.path << "'";
    }
  }
  return success();
}

/// Writes a text; returns what went wrong.
static std::error_code writeTo(llvm::raw_fd_ostream &os, StringRef text) {
  os << text;
  os.flush();
  std::error_code error = os.error();
  os.clear_error();
  return error;
}

static std::error_code writeFile(StringRef path, StringRef text) {
  std::error_code error;
  if (path == "-" || isSpecial(path)) {
    llvm::raw_fd_ostream os(path, error);
    return error ? error : writeTo(os, text);
  }
  // Another file takes the old one's place when it is whole.
  std::string real = getRealPath(path);
  auto temporary = llvm::sys::fs::TempFile::create(real + ".%%%%%%%%.tmp");
  if (!temporary)
    return llvm::errorToErrorCode(temporary.takeError());
  {
    llvm::raw_fd_ostream os(temporary->FD, /*shouldClose=*/false);
    error = writeTo(os, text);
  }
  if (error) {
    llvm::consumeError(temporary->discard());
    return error;
  }
  return llvm::errorToErrorCode(temporary->keep(real));
}

LogicalResult
mirage::writeOptionFile(Location loc, StringRef option, StringRef path,
                        llvm::function_ref<void(llvm::raw_ostream &)> write) {
  std::string text;
  llvm::raw_string_ostream os(text);
  write(os);
  if (std::error_code error = writeFile(path, text))
    return emitError(loc) << "option " << option << ": cannot write '" << path
                          << "': " << error.message();
  return success();
}

/// Returns true if lists and objects of a text are inside of each other deeper
/// than anything that Mirage writes; the parser calls itself for each.
static bool isTooDeep(StringRef text) {
  unsigned depth = 0;
  bool isString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"')
      isString = !isString;
    else if (isString)
      i += c == '\\';
    else if (c == '[' || c == '{')
      ++depth;
    else if ((c == ']' || c == '}') && depth)
      --depth;
    if (depth > 64)
      return true;
  }
  return false;
}

FailureOr<llvm::json::Value>
mirage::readOptionJSON(Location loc, StringRef option, StringRef path) {
  auto fail = [&](const Twine &message) {
    return emitError(loc) << "option " << option << ": " << message;
  };
  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> buffer = openInputFile(path, &error);
  if (!buffer)
    return fail(error);
  if (isTooDeep(buffer->getBuffer()))
    return fail(path + " has more than 64 lists and objects inside each other");
  llvm::Expected<llvm::json::Value> value =
      llvm::json::parse(buffer->getBuffer());
  if (!value)
    return fail(path + ": " + llvm::toString(value.takeError()));
  return std::move(*value);
}

remark::RemarkOpts mirage::getRemarkOptions(StringRef pass, StringRef name,
                                            func::FuncOp function) {
  return remark::RemarkOpts::name(name).category(pass).function(
      function.getName());
}
