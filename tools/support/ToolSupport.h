//===- ToolSupport.h - What every tool of Mirage sets up --------*- C++ -*-===//
//
// Declares the version that --version prints, and what a crash asks its user to
// attach.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_SUPPORT_TOOLSUPPORT_H
#define MIRAGE_TOOLS_SUPPORT_TOOLSUPPORT_H

namespace mirage {

/// Has to be called first in main(): adds "Mirage <version> (LLVM <version>)"
/// to the output of --version and replaces LLVM's request for bug reports by
/// Mirage's.
void setUpTool();

} // namespace mirage

#endif // MIRAGE_TOOLS_SUPPORT_TOOLSUPPORT_H
