//===- Bytecode.h - Version of Mirage's bytecode ----------------*- C++ -*-===//
//
// Implements the bytecode interface of all of Mirage's dialects: it writes a
// version and refuses files of a newer one with a message that names both.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SUPPORT_BYTECODE_H
#define MIRAGE_SUPPORT_BYTECODE_H

#include "mlir/Bytecode/BytecodeImplementation.h"

namespace mirage {

/// The version of the dialects' encoding. The major number changes when older
/// readers cannot read newer files.
struct BytecodeVersion : public mlir::DialectVersion {
  static constexpr uint64_t currentMajor = 1, currentMinor = 0;
  uint64_t major = currentMajor, minor = currentMinor;
};

struct VersionedBytecode : public mlir::BytecodeDialectInterface {
  explicit VersionedBytecode(mlir::Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  void writeVersion(mlir::DialectBytecodeWriter &writer) const override {
    writer.writeVarInt(BytecodeVersion::currentMajor);
    writer.writeVarInt(BytecodeVersion::currentMinor);
  }

  std::unique_ptr<mlir::DialectVersion>
  readVersion(mlir::DialectBytecodeReader &reader) const override {
    auto version = std::make_unique<BytecodeVersion>();
    if (failed(reader.readVarInt(version->major)) ||
        failed(reader.readVarInt(version->minor)))
      return nullptr;
    if (version->major > BytecodeVersion::currentMajor) {
      reader.emitError() << "bytecode of " << getDialect()->getNamespace()
                         << " has version " << version->major << "."
                         << version->minor
                         << ", this tool reads versions up to "
                         << BytecodeVersion::currentMajor << "."
                         << BytecodeVersion::currentMinor;
      return nullptr;
    }
    return version;
  }
};

} // namespace mirage

#endif // MIRAGE_SUPPORT_BYTECODE_H
