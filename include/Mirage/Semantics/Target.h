//===- Target.h - Description of a GPU --------------------------*- C++ -*-===//
//
// Describes the quantities of a GPU that legality checks and cost models use,
// with presets. Nothing here is IR; #mirage.target wraps a description.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_TARGET_H
#define MIRAGE_SEMANTICS_TARGET_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace mirage {

/// One numeric quantity of a target: its spelling in IR and its unit.
struct TargetField;

struct TargetDescription {
  /// The chip, as LLVM's NVPTX backend names it.
  std::string chip;
  /// The number of multiprocessors (SMs).
  int64_t multiprocessors = 0;
  /// Shared memory in bytes: the most that a block may have (opt-in), and that
  /// of an SM.
  int64_t sharedMemoryPerBlock = 0;
  int64_t sharedMemoryPerSM = 0;
  /// 32-bit registers per SM.
  int64_t registersPerSM = 0;
  /// L2 cache in bytes.
  int64_t l2Bytes = 0;
  /// Threads resident on an SM.
  int64_t threadsPerSM = 0;
  /// Device-memory bandwidth in GB/s (10^9 bytes) of reads and of writes, L2
  /// reads by all SMs, and what one SM reads of either.
  int64_t hbmBandwidth = 0;
  int64_t hbmWriteBandwidth = 0;
  int64_t l2Bandwidth = 0;
  int64_t smBandwidth = 0;
  /// What the emitted kernels load through one SM, in GB/s, while all SMs load:
  /// by copies of their threads, and by bulk copies of tiles for wgmma (0: as
  /// much as smBandwidth).
  int64_t smCopyBandwidth = 0;
  int64_t smBulkBandwidth = 0;
  /// Time in nanoseconds between asking for a tile of device memory, or of L2,
  /// and the moment when it is in shared memory and its barrier has fallen,
  /// beyond bytes / smBandwidth.
  int64_t hbmLatency = 0;
  int64_t l2Latency = 0;
  /// f16 tensor-core throughput with f32 accumulation in TFLOP/s: that of the
  /// best instruction (wgmma on sm_90a), and that of mma.sync.
  int64_t tensorThroughput = 0;
  int64_t mmaSyncThroughput = 0;
  /// f32 fused multiply-adds and special-function results per clock per SM.
  int64_t fmaPerClock = 0;
  int64_t specialPerClock = 0;
  /// Bytes per clock per SM from shared memory, and from the shared memory of
  /// another block of the cluster (0: there are no clusters).
  int64_t sharedPerClock = 0;
  int64_t clusterPerClock = 0;
  /// Clocks of a barrier of a block of 256 threads, and of a cluster.
  int64_t barrierClocks = 0;
  int64_t clusterBarrierClocks = 0;
  /// Nanoseconds that emitted kernels take for the merging of a cluster's
  /// blocks beyond barriers and bytes: the blocks wait for the last one.
  int64_t clusterMergeTime = 0;
  /// SMs on which clusters of 4 and more blocks, and of more than 8, find room.
  int64_t cluster4Multiprocessors = 0;
  int64_t cluster16Multiprocessors = 0;
  /// SM clock in MHz.
  int64_t clock = 0;
  /// Time of an empty kernel with a block on every SM inside a CUDA graph, in
  /// nanoseconds, and of each further block in picoseconds.
  int64_t launchTime = 0;
  int64_t blockTime = 0;
  /// Nanoseconds that a kernel which streams device memory takes beyond
  /// launchTime and bytes / hbmBandwidth: for its set-up, for the way of the
  /// first tiles, and for draining.
  int64_t startTime = 0;

  /// Returns the number of SMs on which clusters of so many blocks find room:
  /// all of them where nothing else is known.
  int64_t getMultiprocessors(int64_t clusterBlocks) const;

  bool operator==(const TargetDescription &other) const;
};

struct TargetField {
  llvm::StringLiteral name;
  int64_t TargetDescription::*member;
};

/// The largest grid of a launch in x, y and z (CUDA C++ Programming Guide,
/// technical specifications per compute capability). Their product has no limit
/// of its own.
inline constexpr int64_t largestGrid[] = {2147483647, 65535, 65535};

/// Every numeric quantity, in the order in which it is printed.
llvm::ArrayRef<TargetField> getTargetFields();

/// The preset of this chip: "sm_80" or "sm_90a".
std::optional<TargetDescription> getTargetPreset(llvm::StringRef chip);

/// Names of the presets.
llvm::ArrayRef<llvm::StringLiteral> getTargetPresetNames();

llvm::hash_code hash_value(const TargetDescription &target);

} // namespace mirage

#endif // MIRAGE_SEMANTICS_TARGET_H
