// Tells sanitizers what they must know of LLVM, whose libraries are not
// instrumented, in every program built with one.
//
// Address sanitizer: code that LLVM's headers inline poisons the free memory of
// its arena allocators; the same code inside LLVM's libraries allocates from it
// without unpoisoning.
//
// Thread sanitizer: what LLVM's libraries copy, allocate and free would be
// seen, since these calls are intercepted, but not the atomics that order it.
// Locks and condition variables are intercepted, too, and go on counting.

extern "C" __attribute__((visibility("default"), used)) const char *
__asan_default_options() {
  return "allow_user_poisoning=0";
}

extern "C" __attribute__((visibility("default"), used)) const char *
__tsan_default_options() {
  return "ignore_interceptors_accesses=1";
}
