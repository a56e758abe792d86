//===- TileMaps.cpp - imap, omap and fmap without IR ----------------------===//
//
// Implements names of entries, and says how input iterators cut tensors: from
// maps to the parts of each dimension and back.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/TileMaps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using llvm::formatv;

llvm::StringRef mirage::getGridDimName(unsigned dim) {
  static constexpr llvm::StringLiteral names[] = {"x", "y", "z"};
  return dim < 3 ? names[dim] : llvm::StringLiteral("?");
}

std::string mirage::getMapEntryName(int64_t entry) {
  switch (entry) {
  case kReplica:
    return "phi";
  case kReduceSum:
    return "sum";
  case kReduceMax:
    return "max";
  default:
    return std::to_string(entry);
  }
}

int64_t DimPartition::getTileSize() const {
  int64_t part = size / gridExtent;
  for (int64_t extent : loopExtents)
    part /= extent;
  return part;
}

llvm::SmallVector<DimPartition, 4>
mirage::getPartition(ShapeRef source, llvm::ArrayRef<int64_t> imap,
                     llvm::ArrayRef<int64_t> extents,
                     llvm::ArrayRef<int64_t> fmap,
                     llvm::ArrayRef<int64_t> loopExtents) {
  llvm::SmallVector<DimPartition, 4> dims(source.size());
  for (auto [dim, size] : llvm::zip(dims, source))
    dim.size = size;
  for (auto [gridDim, entry] : llvm::enumerate(imap))
    if (entry >= 0) {
      dims[entry].gridDim = gridDim;
      dims[entry].gridExtent = extents[gridDim];
    }
  for (auto [loop, entry] : llvm::enumerate(fmap))
    if (entry >= 0) {
      dims[entry].loops.push_back(loop);
      dims[entry].loopExtents.push_back(loopExtents[loop]);
    }
  return dims;
}

namespace {
/// Fills in maps: an entry for each grid dimension and loop that cuts.
struct MapWriter {
  llvm::ArrayRef<int64_t> extents, loopExtents;
  std::string &error;
  TileMaps maps;

  bool fail(std::string message) {
    error = std::move(message);
    return false;
  }
  /// Notes that `what`, of which there are as many as extents, cuts `dim`.
  bool write(llvm::MutableArrayRef<int64_t> map, llvm::ArrayRef<int64_t> all,
             const std::string &what, unsigned position, int64_t extent,
             int64_t dim) {
    if (position >= all.size())
      return fail(formatv("dimension {0} is cut by {1}, which does not exist",
                          dim, what));
    if (extent != all[position])
      return fail(formatv("dimension {0} is cut into {1} parts by {2} of {3}",
                          dim, extent, what, all[position]));
    if (map[position] != kReplica)
      return fail(
          formatv("{0} cuts dimensions {1} and {2}", what, map[position], dim));
    map[position] = dim;
    return true;
  }
  bool write(int64_t dim, const DimPartition &part);
};
} // namespace

bool MapWriter::write(int64_t dim, const DimPartition &part) {
  if (!part.gridDim && part.gridExtent != 1)
    return fail(formatv("dimension {0} is cut into {1} parts by no grid "
                        "dimension",
                        dim, part.gridExtent));
  if (part.gridDim &&
      !write(maps.imap, extents,
             formatv("grid dimension {0}", getGridDimName(*part.gridDim)),
             *part.gridDim, part.gridExtent, dim))
    return false;
  if (part.loops.size() != part.loopExtents.size())
    return fail(formatv("dimension {0} is cut by {1} loops with {2} extents",
                        dim, part.loops.size(), part.loopExtents.size()));
  // An fmap says nothing about the order: it is that of the loops.
  for (size_t i = 1; i < part.loops.size(); ++i)
    if (part.loops[i - 1] > part.loops[i])
      return fail(formatv("dimension {0} is cut by loop {1} before loop {2}, "
                          "which is outside of it",
                          dim, part.loops[i - 1], part.loops[i]));
  for (auto [loop, extent] : llvm::zip(part.loops, part.loopExtents))
    if (!write(maps.fmap, loopExtents, formatv("loop {0}", loop), loop, extent,
               dim))
      return false;
  return true;
}

std::optional<TileMaps>
mirage::getTileMaps(ShapeRef source, llvm::ArrayRef<DimPartition> partition,
                    llvm::ArrayRef<int64_t> extents,
                    llvm::ArrayRef<int64_t> loopExtents, std::string &error) {
  MapWriter writer{extents, loopExtents, error, {}};
  writer.maps.imap.assign(extents.size(), kReplica);
  writer.maps.fmap.assign(loopExtents.size(), kReplica);
  if (partition.size() != source.size()) {
    error = formatv("the parts of {0} dimensions are given for a source of {1}",
                    partition.size(), source.size());
    return std::nullopt;
  }
  for (auto [dim, part] : llvm::enumerate(partition)) {
    if (part.size != source[dim]) {
      error = formatv("dimension {0} of size {1} is cut as one of size {2}",
                      dim, source[dim], part.size);
      return std::nullopt;
    }
    if (!writer.write(static_cast<int64_t>(dim), part))
      return std::nullopt;
  }
  return std::move(writer.maps);
}
