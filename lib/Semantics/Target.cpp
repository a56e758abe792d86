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
    {"threads_per_sm", &TargetDescription::threadsPerSM},
    {"hbm_bandwidth", &TargetDescription::hbmBandwidth},
    {"hbm_write_bandwidth", &TargetDescription::hbmWriteBandwidth},
    {"l2_bandwidth", &TargetDescription::l2Bandwidth},
    {"sm_bandwidth", &TargetDescription::smBandwidth},
    {"sm_copy_bandwidth", &TargetDescription::smCopyBandwidth},
    {"sm_bulk_bandwidth", &TargetDescription::smBulkBandwidth},
    {"hbm_latency", &TargetDescription::hbmLatency},
    {"l2_latency", &TargetDescription::l2Latency},
    {"tensor_throughput", &TargetDescription::tensorThroughput},
    {"mma_sync_throughput", &TargetDescription::mmaSyncThroughput},
    {"fma_per_clock", &TargetDescription::fmaPerClock},
    {"special_per_clock", &TargetDescription::specialPerClock},
    {"shared_per_clock", &TargetDescription::sharedPerClock},
    {"cluster_per_clock", &TargetDescription::clusterPerClock},
    {"barrier_clocks", &TargetDescription::barrierClocks},
    {"cluster_barrier_clocks", &TargetDescription::clusterBarrierClocks},
    {"cluster_merge_time", &TargetDescription::clusterMergeTime},
    {"cluster4_multiprocessors", &TargetDescription::cluster4Multiprocessors},
    {"cluster16_multiprocessors", &TargetDescription::cluster16Multiprocessors},
    {"clock", &TargetDescription::clock},
    {"launch_time", &TargetDescription::launchTime},
    {"block_time", &TargetDescription::blockTime},
    {"start_time", &TargetDescription::startTime},
};

llvm::ArrayRef<TargetField> mirage::getTargetFields() { return fields; }

int64_t TargetDescription::getMultiprocessors(int64_t clusterBlocks) const {
  // Clusters of fewer blocks fit everywhere.
  constexpr int64_t fewest = 4, mostOfPortable = 8;
  int64_t fitting = clusterBlocks < fewest           ? 0
                    : clusterBlocks > mostOfPortable ? cluster16Multiprocessors
                                                     : cluster4Multiprocessors;
  return fitting > 0 ? std::min(fitting, multiprocessors) : multiprocessors;
}

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
// tensor throughput and clock are from NVIDIA's A100 Tensor Core GPU
// Architecture whitepaper (tables 1, 4 and 5) and the datasheet; fma and
// special-function rates are from the CUDA C++ Programming Guide, throughput of
// native arithmetic instructions, compute capability 8.0. L2 bandwidth is 5120
// bytes per clock (whitepaper), 64 of them to one SM; shared memory has 32
// banks of 4 bytes. Writes are assumed as fast as reads, and times equal to the
// H200's.
static TargetDescription makeSm80() {
  TargetDescription t;
  t.chip = "sm_80";
  t.multiprocessors = 108;
  t.sharedMemoryPerBlock = 166912;
  t.sharedMemoryPerSM = 167936;
  t.registersPerSM = 65536;
  t.l2Bytes = 41943040;
  t.threadsPerSM = 2048;
  t.hbmBandwidth = 2039;
  t.hbmWriteBandwidth = 2039;
  t.l2Bandwidth = 7219;
  t.smBandwidth = 90;
  t.hbmLatency = 440;
  t.l2Latency = 180;
  t.tensorThroughput = 312;
  t.mmaSyncThroughput = 312;
  t.fmaPerClock = 64;
  t.specialPerClock = 16;
  t.sharedPerClock = 128;
  t.barrierClocks = 28;
  t.clock = 1410;
  t.launchTime = 770;
  t.blockTime = 600;
  t.startTime = 1030;
  return t;
}

// H200 (sm_90a). All was measured on one NVIDIA H200 at an SM clock of 1980 MHz
// with CUDA 13.0, but for tensor throughput: bandwidth is that of kernels that
// read and write 2 GB, mma.sync's throughput that from registers only, launch
// time that of an empty kernel of 132 blocks in a CUDA graph. Tensor throughput
// is what whole products by wgmma with tiles of 256 x 128 reach on one H100,
// whose tiles the copy engine brings (docs/performance/scheduled-kernels.md).
//
// The others were measured by benchmarks/streaming.cu, whose kernels stream by
// bulk copies through rings of tiles. L2 bandwidth is what 128 blocks of a
// product load together, several of them the same tiles; 132 blocks load 9 TB/s
// of tiles that no other one loads (by threads' loads 6.4 TB/s). The bandwidth
// of one SM from 16 blocks (190 GB/s if no more than 4 SMs read), latencies
// from rings of one tile, the start time from 4 to 138 MB in all (time = 1.8 us
// + bytes / 4.56 TB/s within 5 %). Resident blocks of clusters are those with
// 200 KB of shared memory each. What the emitted kernels reach was measured
// with 107 tilings of products of 128 blocks, and with clusters of 1 to 8
// blocks (docs/performance/scheduled-kernels.md).
static TargetDescription makeSm90a() {
  TargetDescription t;
  t.chip = "sm_90a";
  t.multiprocessors = 132;
  t.sharedMemoryPerBlock = 232448;
  t.sharedMemoryPerSM = 233472;
  t.registersPerSM = 65536;
  t.l2Bytes = 62914560;
  t.threadsPerSM = 2048;
  t.hbmBandwidth = 4560;
  t.hbmWriteBandwidth = 4290;
  t.l2Bandwidth = 11800;
  t.smBandwidth = 140;
  t.smCopyBandwidth = 52;
  t.smBulkBandwidth = 92;
  t.hbmLatency = 440;
  t.l2Latency = 180;
  t.tensorThroughput = 810;
  t.mmaSyncThroughput = 611;
  t.fmaPerClock = 113;
  t.specialPerClock = 16;
  t.sharedPerClock = 123;
  t.clusterPerClock = 13;
  t.barrierClocks = 28;
  t.clusterBarrierClocks = 375;
  t.clusterMergeTime = 400;
  t.cluster4Multiprocessors = 120;
  t.cluster16Multiprocessors = 112;
  t.clock = 1980;
  t.launchTime = 770;
  t.blockTime = 600;
  t.startTime = 1950;
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
