//===- CheckedMemory.cpp - Memory that knows its accesses -----------------===//
//
// Compares each access with the last ones to the same bytes.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interpreter/Kernels/CheckedMemory.h"
#include "Mirage/Schedule/RegisterLayout.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;

/// A quiet NaN in every format: what nobody wrote, or a copy will write.
static constexpr char poison = '\xff';

static std::string describeThread(const Accessor &who) {
  if (who.isLoader)
    return "a warp of the loader";
  if (who.thread == Accessor::kTogether)
    return "other threads";
  return "lane " + std::to_string(who.thread % RegisterLayout::kWarpSize) +
         " of warp " + std::to_string(who.thread / RegisterLayout::kWarpSize);
}

bool LoaderKnowledge::isOrdered(const Accessor &earlier, uint32_t time,
                                const Accessor &present) const {
  if (earlier.isLoader && present.isLoader)
    return time <= ofItself || (earlier.thread == present.thread &&
                                earlier.thread != Accessor::kTogether);
  const std::vector<uint32_t> &known = earlier.isLoader ? ofLoader : byLoader;
  uint32_t warps = earlier.isLoader ? present.warps : earlier.warps;
  for (auto [warp, until] : llvm::enumerate(known))
    if ((warps >> warp & 1) && time > until)
      return false;
  return true;
}

std::string MemoryFault::describe(llvm::StringRef memory) const {
  std::string who =
      isOfOtherBlock ? std::string("another block") : describeThread(other);
  std::string order = isOfOtherBlock ? ", and blocks run in any order"
                      : isOfLoader
                          ? ", and no stage of a ring passed on between"
                          : ", and there is no barrier between";
  std::string where =
      " byte " + std::to_string(byte) + " of " + memory.str() + " memory";
  std::string pending = ", to which an asynchronous copy is on its way";
  switch (kind) {
  case OutOfBounds:
    return "accesses" + where + ", which is beyond its end";
  case ReadsUninitialized:
    return "reads" + where + ", which nobody wrote";
  case ReadsUnordered:
    return "reads" + where + ", which " + who + " wrote" + order;
  case OverwritesUnordered:
    return "overwrites" + where + ", which " + who + " wrote" + order;
  case OverwritesUnread:
    return "overwrites" + where + ", which " + who + " read" + order;
  case ReadsPending:
    return "reads" + where + pending;
  case OverwritesPending:
    return "overwrites" + where + pending;
  case WritesConstant:
    return "writes" + where + ", which is an input";
  }
  llvm_unreachable("unknown fault");
}

CheckedMemory::CheckedMemory(int64_t bytes, unsigned unit,
                             const AccessOrder &order)
    : order(order), bytes(bytes, poison), states(llvm::divideCeil(bytes, unit)),
      unit(unit) {}

int64_t CheckedMemory::findUninitialized() const {
  for (size_t i = 0; i < states.size(); ++i)
    if (!states[i].isWritten)
      return i * unit;
  return -1;
}

bool CheckedMemory::fail(MemoryFault::Kind kind, int64_t byte,
                         const Access *other, bool isOfLoader) {
  fault = MemoryFault();
  fault.kind = kind;
  fault.byte = byte;
  if (other) {
    fault.other = other->who;
    fault.isOfLoader = isOfLoader || other->who.isLoader;
    fault.isOfOtherBlock = order.isOfUnorderedBlock(other->interval) ||
                           other->who.thread == Accessor::kSeveralBlocks;
  }
  return false;
}

bool CheckedMemory::isInside(int64_t byte, unsigned size) {
  if (byte < 0 || byte + size > static_cast<int64_t>(bytes.size()))
    return fail(MemoryFault::OutOfBounds, byte < 0 ? byte : byte + size - 1);
  return true;
}

/// Returns true if an earlier access may happen after one by `who` in the
/// present interval.
bool CheckedMemory::isUnordered(const Access &other, Accessor who) const {
  if (!order.isOfThisKernel(other.interval))
    return false;
  if (order.isOfUnorderedBlock(other.interval) ||
      other.who.thread == Accessor::kSeveralBlocks)
    return true;
  if (other.who.isLoader || who.isLoader)
    return !order.getKnowledge()->isOrdered(other.who, other.time, who);
  if (other.interval != order.getPresent())
    return false;
  return other.who.thread != who.thread || who.thread == Accessor::kTogether;
}

bool CheckedMemory::read(int64_t byte, unsigned size, Accessor who, char *to) {
  if (!isInside(byte, size))
    return false;
  std::copy_n(bytes.begin() + byte, size, to);
  if (isConstant)
    return true;
  for (int64_t i = byte / unit, e = (byte + size - 1) / unit; i <= e; ++i) {
    State &state = states[i];
    if (state.isPending)
      return fail(MemoryFault::ReadsPending, i * unit, &state.write);
    if (!state.isWritten)
      return fail(MemoryFault::ReadsUninitialized, i * unit);
    if (isUnordered(state.write, who))
      return fail(MemoryFault::ReadsUnordered, i * unit, &state.write,
                  who.isLoader);
    // Of several readers in one interval, or in several blocks, no write is
    // ordered with all.
    Access &last = state.read;
    bool isOther = isUnordered(last, who);
    // A loader that overwrites this must have heard from all of them.
    last.who.warps =
        last.time > state.write.time && !who.isLoader && !last.who.isLoader
            ? last.who.warps | who.warps
            : who.warps;
    last.who.isLoader = who.isLoader;
    last.time = order.getTime();
    if (isOther && order.isOfUnorderedBlock(last.interval))
      last.who.thread = Accessor::kSeveralBlocks;
    else if (isOther && last.who.thread != Accessor::kSeveralBlocks)
      last.who.thread = Accessor::kTogether;
    else if (!isOther)
      last.who.thread = who.thread;
    last.interval = order.getPresent();
    last.who.site = who.site;
  }
  return true;
}

bool CheckedMemory::checkWrite(State &state, int64_t byte, Accessor who) {
  if (state.isPending)
    return fail(MemoryFault::OverwritesPending, byte, &state.write);
  if (state.isWritten && isUnordered(state.write, who))
    return fail(MemoryFault::OverwritesUnordered, byte, &state.write,
                who.isLoader);
  if (isUnordered(state.read, who))
    return fail(MemoryFault::OverwritesUnread, byte, &state.read, who.isLoader);
  return true;
}

bool CheckedMemory::write(int64_t byte, llvm::ArrayRef<char> from,
                          Accessor who) {
  if (!isInside(byte, from.size()))
    return false;
  if (isConstant)
    return fail(MemoryFault::WritesConstant, byte);
  int64_t last = (byte + static_cast<int64_t>(from.size()) - 1) / unit;
  for (int64_t i = byte / unit; i <= last; ++i) {
    State &state = states[i];
    if (!checkWrite(state, i * unit, who))
      return false;
    state.write = {order.getPresent(), who, order.getTime()};
    state.isWritten = true;
  }
  llvm::copy(from, bytes.begin() + byte);
  return true;
}

bool CheckedMemory::beginCopy(int64_t byte, unsigned size, Accessor who) {
  if (!isInside(byte, size))
    return false;
  if (isConstant)
    return fail(MemoryFault::WritesConstant, byte);
  for (int64_t i = byte / unit, e = (byte + size - 1) / unit; i <= e; ++i) {
    State &state = states[i];
    if (!checkWrite(state, i * unit, who))
      return false;
    state.write = {order.getPresent(), who, order.getTime()};
    state.isPending = true;
  }
  std::fill_n(bytes.begin() + byte, size, poison);
  return true;
}

void CheckedMemory::endCopy(int64_t byte, llvm::ArrayRef<char> from,
                            Accessor who) {
  int64_t last = (byte + static_cast<int64_t>(from.size()) - 1) / unit;
  for (int64_t i = byte / unit; i <= last; ++i) {
    states[i].isPending = false;
    states[i].isWritten = true;
    // The time stays that at which the copy began.
    states[i].write.interval = order.getPresent();
    states[i].write.who = who;
  }
  llvm::copy(from, bytes.begin() + byte);
}
