// Tells the address sanitizer what it must know of LLVM, in every program built
// with a sanitizer.
//
// Code that LLVM's headers inline poisons the free memory of its arena
// allocators; the same code inside LLVM's libraries, which are not
// instrumented, allocates from it without unpoisoning.

extern "C" __attribute__((visibility("default"), used)) const char *
__asan_default_options() {
  return "allow_user_poisoning=0";
}
