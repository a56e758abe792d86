//===- ProgressLine.cpp - Where a compilation is, on stderr ---------------===//
//
// Decides when the line is due, and overwrites it.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Transforms/ProgressLine.h"
#include "Mirage/Transforms/DescribeProgress.h"
#include "llvm/Support/Process.h"
#include <atomic>

using namespace mirage;

/// Seconds between lines.
static constexpr double kOnTerminal = 0.2, kInLog = 5;

static std::atomic<unsigned> numLines = 0;
static std::atomic<llvm::raw_ostream *> stageStream = nullptr;

ProgressLine::ProgressLine(llvm::raw_ostream &os)
    : os(os), isTerminal(os.is_displayed()),
      due(isTerminal ? kOnTerminal : kInLog) {
  ++numLines;
}

ProgressLine::~ProgressLine() { --numLines; }

bool ProgressLine::isAnyThere() { return numLines > 0; }

void ProgressLine::clear() {
  if (width)
    os << "\r" << std::string(width, ' ') << "\r";
  width = 0;
}

void ProgressLine::show(double seconds,
                        llvm::function_ref<std::string()> describe) {
  if (seconds < due)
    return;
  due = seconds + (isTerminal ? kOnTerminal : kInLog);
  std::string text = describe();
  if (!isTerminal) {
    os << text << "\n";
    return;
  }
  // A line that wraps could not be overwritten.
  if (unsigned columns = llvm::sys::Process::StandardErrColumns())
    text.resize(std::min<size_t>(text.size(), columns - 1));
  os << "\r" << text;
  if (text.size() < width)
    os << std::string(width - text.size(), ' ');
  width = text.size();
}

StageProgress::StageProgress(llvm::StringRef stage, size_t total)
    : stage(stage), total(total), begin(std::chrono::steady_clock::now()) {
  llvm::raw_ostream *os = stageStream;
  if (os && !ProgressLine::isAnyThere())
    line.emplace(*os);
}

StageProgress::~StageProgress() {
  if (line)
    line->clear();
}

void StageProgress::next() {
  std::chrono::duration<double> passed =
      std::chrono::steady_clock::now() - begin;
  next(passed.count());
}

void StageProgress::next(double seconds) {
  ++number;
  if (line)
    line->show(seconds,
               [&] { return describeStage(stage, number, total, seconds); });
}

void StageProgress::setStream(llvm::raw_ostream *os) { stageStream = os; }
