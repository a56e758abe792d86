//===- FieldUnits.cpp - Time of arithmetic with residues ------------------===//
//
// Prints nanoseconds for one product (or exponential) on one thread, for each
// unit that the CPU has; each figure is the best of several runs, by the
// thread's own time. See fields.py.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Fields/FieldModel.h"
#include "Mirage/Analysis/Equivalence/Fields/FieldTensor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <time.h>

using namespace mirage;
using namespace mirage::equivalence;

static double getThreadTime() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 +
         static_cast<double>(time.tv_nsec);
}

/// `count` is how many results or terms one call computes.
static void report(const char *name, double count,
                   llvm::function_ref<void(FieldUnit)> run) {
  llvm::outs() << llvm::left_justify(name, 32);
  double scalar = 0;
  for (FieldUnit unit : {FieldUnit::Scalar, FieldUnit::IFMA}) {
    if (unit == FieldUnit::IFMA && getFieldUnit() != FieldUnit::IFMA)
      continue;
    double best = 1e30;
    int64_t calls = 1 + static_cast<int64_t>(1e7 / count);
    for (int repetition = 0; repetition < 9; ++repetition) {
      double start = getThreadTime();
      for (int64_t i = 0; i < calls; ++i)
        run(unit);
      best = std::min(best, (getThreadTime() - start) /
                                static_cast<double>(calls) / count);
    }
    llvm::outs() << llvm::format("%10.3f", best);
    if (unit == FieldUnit::Scalar)
      scalar = best;
    else
      llvm::outs() << llvm::format("%9.1fx", scalar / best);
  }
  llvm::outs() << "\n";
}

int main() {
  FieldModel model(1, 0);
  const PrimeField &field = model.getField(kPlaneP);
  WorkerPool pool(1);
  Execution execution(pool);
  auto draw = [&](unsigned number, Shape shape) {
    FieldTensor tensor(std::move(shape));
    for (int64_t i = 0; i < tensor.size(); ++i)
      tensor.data[i] = model.getInput(kPlaneQ, number, i);
    return tensor;
  };
  llvm::outs() << "ns each                             scalar      IFMA\n";

  for (auto [m, n, k] : {std::tuple<int64_t, int64_t, int64_t>{64, 512, 4096},
                         {16, 64, 1024},
                         {16, 1024, 64},
                         {64, 32, 128},
                         {64, 64, 16},
                         {4, 4, 4}}) {
    FieldTensor a = draw(0, {m, k}), b = draw(1, {k, n});
    std::string name = "matmul " + std::to_string(m) + "x" + std::to_string(k) +
                       " by " + std::to_string(k) + "x" + std::to_string(n);
    report(name.c_str(), static_cast<double>(m * n * k), [&](FieldUnit unit) {
      multiply(execution, field, a, b, false, false, {m, n}, unit);
    });
  }
  for (int64_t count : {1 << 11, 1 << 24}) {
    FieldTensor a = draw(0, {count}), b = draw(1, {count});
    bool isSmall = count < 1 << 20;
    report(isSmall ? "a * b, in cache" : "a * b, in memory",
           static_cast<double>(count), [&](FieldUnit unit) {
             multiplyElements(execution, field, a, b, {count}, unit);
           });
    FieldTensor out({count});
    if (isSmall)
      report("omega ^ a", static_cast<double>(count), [&](FieldUnit unit) {
        model.exp(a.data.get(), count, out.data.get(), unit);
      });
  }
}
