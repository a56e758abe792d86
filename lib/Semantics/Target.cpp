//===- Target.cpp - Description of a GPU ----------------------------------===//
//
// The presets, each number with its source.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/Target.h"

using namespace mirage;

static constexpr TargetField fields[] = {
    {"multiprocessors", &TargetDescription::multiprocessors},
    {"shared_memory_per_block", &TargetDescription::sharedMemoryPerBlock},
    {"shared_memory_per_sm", &TargetDescription::sharedMemoryPerSM},
    {"registers_per_sm", &TargetDescription::registersPerSM},
    {"l2_bytes", &TargetDescription::l2Bytes},
    {"hbm_bandwidth", &TargetDescription::hbmBandwidth},
    {"l2_bandwidth", &TargetDescription::l2Bandwidth},
    {"tensor_throughput", &TargetDescription::tensorThroughput},
    {"mma_sync_throughput", &TargetDescription::mmaSyncThroughput},
    {"fma_per_clock", &TargetDescription::fmaPerClock},
    {"special_per_clock", &TargetDescription::specialPerClock},
    {"clock", &TargetDescription::clock},
    {"launch_time", &TargetDescription::launchTime},
};

llvm::ArrayRef<TargetField> mirage::getTargetFields() { return fields; }

bool TargetDescription::operator==(const TargetDescription &other) const {
  if (chip != other.chip)
    return false;
  for (const TargetField &field : fields)
    if (this->*field.member != other.*field.member)
      return false;
  return true;
}

llvm::hash_code mirage::hash_value(const TargetDescription &target) {
  llvm::hash_code hash = llvm::hash_value(target.chip);
  for (const TargetField &field : fields)
    hash = llvm::hash_combine(hash, target.*field.member);
  return hash;
}

// A100-SXM4-80GB. Multiprocessors, shared memory, registers, L2, bandwidth,
// tensor throughput and clock: NVIDIA A100 Tensor Core GPU Architecture
// whitepaper (tables 1, 4 and 5) and the datasheet; fma and special-function
// rates: CUDA C++ Programming Guide, throughput of native arithmetic
// instructions, compute capability 8.0. L2 bandwidth: 5120 bytes per clock
// (whitepaper). Launch time: assumed equal to the H200's.
static TargetDescription makeSm80() {
  TargetDescription t;
  t.chip = "sm_80";
  t.multiprocessors = 108;
  t.sharedMemoryPerBlock = 166912;
  t.sharedMemoryPerSM = 167936;
  t.registersPerSM = 65536;
  t.l2Bytes = 41943040;
  t.hbmBandwidth = 2039;
  t.l2Bandwidth = 7219;
  t.tensorThroughput = 312;
  t.mmaSyncThroughput = 312;
  t.fmaPerClock = 64;
  t.specialPerClock = 16;
  t.clock = 1410;
  t.launchTime = 770;
  return t;
}

// H200 (sm_90a). All measured on one NVIDIA H200 at an SM clock of 1980 MHz
// with CUDA 13.0: bandwidth is that of a kernel that reads 2 GB, tensor
// throughput that of a whole 4096^3 product by wgmma, mma.sync's from registers
// only, launch time that of an empty kernel of 132 blocks in a CUDA graph.
static TargetDescription makeSm90a() {
  TargetDescription t;
  t.chip = "sm_90a";
  t.multiprocessors = 132;
  t.sharedMemoryPerBlock = 232448;
  t.sharedMemoryPerSM = 233472;
  t.registersPerSM = 65536;
  t.l2Bytes = 62914560;
  t.hbmBandwidth = 4560;
  t.l2Bandwidth = 6400;
  t.tensorThroughput = 680;
  t.mmaSyncThroughput = 611;
  t.fmaPerClock = 113;
  t.specialPerClock = 16;
  t.clock = 1980;
  t.launchTime = 770;
  return t;
}

std::optional<TargetDescription> mirage::getTargetPreset(llvm::StringRef chip) {
  if (chip == "sm_80")
    return makeSm80();
  if (chip == "sm_90a")
    return makeSm90a();
  return std::nullopt;
}

llvm::ArrayRef<llvm::StringLiteral> mirage::getTargetPresetNames() {
  static constexpr llvm::StringLiteral names[] = {"sm_80", "sm_90a"};
  return names;
}
