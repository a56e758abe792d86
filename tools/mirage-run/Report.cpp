//===- Report.cpp - What mirage-run prints --------------------------------===//
//
// Computes the summaries. Sums are taken in f64 in row-major order, so the
// output is the same for the same values.
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Inputs.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/xxhash.h"

using namespace mirage;

static constexpr double infinity = std::numeric_limits<double>::infinity();

void mirage::printSummary(llvm::raw_ostream &os, llvm::StringRef name,
                          const TensorValue &value) {
  std::vector<double> values = value.values();
  std::vector<char> bytes = runtime::encode(value.type, values);
  uint64_t hash = llvm::xxh3_64bits(llvm::ArrayRef<uint8_t>(
      reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
  double sum = 0, least = infinity, largest = -infinity;
  int64_t nans = 0, infinities = 0;
  for (double v : values) {
    sum += v;
    nans += std::isnan(v);
    infinities += std::isinf(v);
    least = v < least ? v : least;
    largest = v > largest ? v : largest;
  }
  os << name << ": "
     << toString(TensorSignature{value.type, Shape(value.shape())})
     << llvm::format(" sum=%.9g hash=%016llx min=%.9g max=%.9g", sum,
                     static_cast<unsigned long long>(hash), least, largest)
     << " nan=" << nans << " inf=" << infinities << "\n";
}

Difference mirage::compare(const TensorValue &value,
                           const TensorValue &reference) {
  Difference result;
  double squares = 0, referenceSquares = 0, largest = 0;
  for (int64_t i = 0, e = value.size(); i < e; ++i) {
    double a = value.value(i), b = reference.value(i);
    if (std::isinf(b) && a == b)
      continue;
    double error = std::fabs(a - b);
    if (std::isnan(error))
      error = infinity;
    result.maxAbsolute = std::max(result.maxAbsolute, error);
    squares += error * error;
    if (!std::isfinite(b))
      continue;
    referenceSquares += b * b;
    largest = std::max(largest, std::fabs(b));
  }
  auto ratio = [](double error, double size) {
    return error == 0 ? 0 : error / size;
  };
  result.maxRelative = ratio(result.maxAbsolute, largest);
  result.frobenius = ratio(std::sqrt(squares), std::sqrt(referenceSquares));
  return result;
}

void mirage::printDifference(llvm::raw_ostream &os, llvm::StringRef name,
                             const Difference &difference) {
  os << name
     << llvm::format(": max_abs_error=%.3e max_rel_error=%.3e "
                     "frobenius_error=%.3e\n",
                     difference.maxAbsolute, difference.maxRelative,
                     difference.frobenius);
}

BoundReport mirage::checkBounds(const TensorValue &value,
                                const TensorValue &bounded) {
  BoundReport report;
  report.size = value.size();
  for (int64_t i = 0; i < report.size; ++i) {
    double bound = bounded.error(i);
    if (!(bound < infinity)) {
      ++report.unbounded;
      continue;
    }
    double a = value.value(i), b = bounded.value(i);
    // What is no number in the program is none in the kernel.
    bool isSame = a == b || (std::isnan(a) && std::isnan(b));
    double error = isSame ? 0 : std::fabs(a - b);
    if (std::isnan(error))
      error = infinity;
    report.worstError = std::max(report.worstError, error);
    report.worstRatio =
        std::max(report.worstRatio, error == 0 ? 0 : error / bound);
    report.violations += error > bound;
  }
  return report;
}

void mirage::printBounds(llvm::raw_ostream &os, llvm::StringRef name,
                         const BoundReport &report) {
  os << name
     << llvm::format(": worst_error=%.3e worst_error/bound=%.3e",
                     report.worstError, report.worstRatio)
     << " over_bound=" << report.violations << " unbounded=" << report.unbounded
     << " of " << report.size << "\n";
  // The bound is infinite after overflow, or where divisors may be zero: then
  // the comparison says nothing.
  if (report.unbounded == report.size)
    os << "warning: no element of " << name
       << " has a finite bound, so none was checked\n";
}
