//===- Library.cpp - The source of libMirage-C ----------------------------===//
//
// CMake asks for a source of every library. This one has no code: libMirage-C
// is made of archives.
//
//===----------------------------------------------------------------------===//
