//===- TestPasses.h - Passes for tests --------------------------*- C++ -*-===//
//
// Registers the passes that only tests use.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TEST_LIB_TESTPASSES_H
#define MIRAGE_TEST_LIB_TESTPASSES_H

namespace mirage {

void registerTestPasses();
void registerKernelTimesPass();
void registerOutlineKernelsPass();
void registerPlantedBugPass();

} // namespace mirage

#endif // MIRAGE_TEST_LIB_TESTPASSES_H
