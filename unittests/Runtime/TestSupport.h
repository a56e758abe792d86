//===- TestSupport.h - Temporary files and texts of errors ------*- C++ -*-===//

// Holds what the runtime's unit tests share: a file that is gone at the end of
// its scope, and the text of an error, to compare.

#ifndef MIRAGE_UNITTESTS_RUNTIME_TESTSUPPORT_H
#define MIRAGE_UNITTESTS_RUNTIME_TESTSUPPORT_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

namespace mirage::runtime {

/// The error's text, empty for success.
inline std::string errorText(llvm::Error error) {
  return toString(std::move(error));
}
template <typename T> std::string errorText(llvm::Expected<T> value) {
  return toString(value.takeError());
}

/// Checks that `text` contains `part`; if not, the message shows both.
inline testing::AssertionResult contains(llvm::StringRef text,
                                         llvm::StringRef part) {
  if (text.contains(part))
    return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << "no \"" << part.str() << "\" in \"" << text.str() << "\"";
}

/// A file in the system's folder for such, of given content.
class TemporaryFile {
public:
  explicit TemporaryFile(llvm::StringRef content = "") {
    int descriptor = -1;
    std::error_code error = llvm::sys::fs::createTemporaryFile(
        "mirage-runtime", "tmp", descriptor, name);
    EXPECT_FALSE(error) << error.message();
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << content;
  }
  ~TemporaryFile() { llvm::sys::fs::remove(name); }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;

  llvm::StringRef path() const { return name; }

  std::string read() const {
    auto buffer = llvm::MemoryBuffer::getFile(name);
    EXPECT_TRUE(bool(buffer));
    return buffer ? (*buffer)->getBuffer().str() : "";
  }

private:
  llvm::SmallString<128> name;
};

} // namespace mirage::runtime

#endif // MIRAGE_UNITTESTS_RUNTIME_TESTSUPPORT_H
