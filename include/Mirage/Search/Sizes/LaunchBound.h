//===- LaunchBound.h - A launch's summary without its graph -----*- C++ -*-===//
//
// Counts of a launch that follow from the symbolic sizes of its tiles: products
// of factors, made once for a candidate and evaluated for each point in much
// less time than its µGraph takes to build and summarize.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_SIZES_LAUNCHBOUND_H
#define MIRAGE_SEARCH_SIZES_LAUNCHBOUND_H

#include "Mirage/Analysis/Cost/ProductTiles.h"
#include "Mirage/Search/Launches/LiveTiles.h"
#include "Mirage/Search/Launches/TileLayouts.h"
#include "Mirage/Search/Sizes/SizeFactors.h"

namespace mirage::search {

/// A number of elements: `constant` times some factors over others.
struct SizeProduct {
  double constant = 1;
  llvm::SmallVector<uint8_t, 4> times, over;

  /// The number at some sizes. It is whole if the factors divide their axes.
  double get(llvm::ArrayRef<int64_t> sizes) const;
  void multiply(const SizeProduct &other);
  void multiply(unsigned factor);
  void divide(unsigned factor);
  bool operator==(const SizeProduct &other) const {
    return constant == other.constant && times == other.times &&
           over == other.over;
  }
};

class LaunchBound {
public:
  LaunchBound(const SearchProblem &problem, const Candidate &candidate,
              const SizeFactors &factors, unsigned launch);

  /// Returns a summary that is exact in grid, blocks, iterations, those that
  /// may be shared, hot and distinct bytes, those loaded and stored and those
  /// that are left out of lines, and flops of tensor cores; that says by which
  /// instruction products are computed where that follows of sizes; and of
  /// which nothing else is more than in the launch's own summary. Time grows
  /// with all of this, so that the summary's time is a lower bound of the
  /// launch's. If the launch cannot fit into so many bytes of shared memory,
  /// only its bytes there are counted.
  KernelSummary get(llvm::ArrayRef<int64_t> sizes, int64_t sharedMemory) const;
  /// The launch's blocks, and the bytes that all of them load and store.
  int64_t getBlocks(llvm::ArrayRef<int64_t> sizes) const;
  double getTraffic(llvm::ArrayRef<int64_t> sizes) const;
  /// Returns whether blocks may keep tiles that they load several times, so
  /// that getTraffic counts these once.
  bool mayKeepTiles() const { return !reloaded.empty(); }

private:
  using Field = double KernelSummary::*;
  struct Term {
    SizeProduct count;
    llvm::SmallVector<std::pair<Field, double>, 4> fields;
  };
  struct Tile {
    SizeProduct elements;
    int64_t elementBytes = 0;
  };

  /// Tiles of a tensor in device memory, dimension by dimension.
  struct Access {
    llvm::SmallVector<SizeProduct, 4> tensor, tile;
    /// The elements of all tiles that blocks load or store.
    SizeProduct count;
    unsigned elementBytes = 0;
  };
  /// A product of matrices: `batch` says how many of them all blocks compute.
  struct BoundProduct {
    SizeProduct batch, rows, columns, depth;
    /// The time of tensor cores for the type; zero if none has it.
    double time = 0;
  };

  SizeProduct getElements(llvm::ArrayRef<DimId> dims) const;
  /// The elements that dimensions have along some axes.
  SizeProduct getElements(llvm::ArrayRef<DimId> dims,
                          llvm::ArrayRef<uint8_t> axes) const;
  void multiplyBy(const AxisPart &part, SizeProduct &elements) const;
  /// The factors of the loops around a region, from the outermost.
  llvm::SmallVector<unsigned, 3> getLoops(RegionId region) const;
  /// The number of times that all blocks together do what differs in so many
  /// loops.
  SizeProduct getTimes(RegionId region, unsigned depth) const;
  void add(Field field, const SizeProduct &count, double factor);
  void findDepths();
  void addTiles(const LiveTiles &live);
  void addLoads();
  void addOperators(const LiveTiles &live);
  void addStores();
  void readProducts();
  void addProduct(unsigned value, const SizeProduct &times);
  Access getAccess(const TensorLayout &layout, llvm::ArrayRef<DimId> tile,
                   llvm::ArrayRef<DimId> tensor, SizeProduct count,
                   ElementType type) const;
  TensorLayout getLoadedLayout(uint8_t tensor) const;
  void addAccesses(llvm::ArrayRef<int64_t> sizes, KernelSummary &summary) const;
  void addProducts(llvm::ArrayRef<int64_t> sizes, KernelSummary &summary) const;
  void addReloads(llvm::ArrayRef<int64_t> sizes, KernelSummary &summary) const;
  void addMemory(llvm::ArrayRef<int64_t> sizes, KernelSummary &summary) const;
  void addSharedLoops(llvm::ArrayRef<int64_t> sizes,
                      KernelSummary &summary) const;
  int64_t getIterations(llvm::ArrayRef<int64_t> sizes) const;

  const SearchProblem &problem;
  const Candidate &candidate;
  const LaunchGraph &own;
  const SizeFactors &factors;
  unsigned launch;
  /// These are, for each value, its type, in how many loops it differs, its
  /// tile, and whether it is part of a sum of products that is joined.
  llvm::SmallVector<ElementType, 16> types;
  llvm::SmallVector<unsigned, 16> depths, valueTiles;
  llvm::SmallVector<bool, 16> isJoined;

  std::vector<Term> terms;
  std::vector<Access> loaded, stored;
  /// What loops load of the tiles that earlier loops have loaded, and the tiles
  /// of which that is so, for the first of such loads.
  std::vector<Access> reloaded;
  std::vector<Access> kept;
  std::vector<BoundProduct> products;
  /// True if a product's rows are reduced, or are the left operand of another
  /// product, which does not depend on sizes.
  bool rowsStayTogether = false;
  /// True if a product's left operand is transposed, and if all right ones are.
  bool transposesLhs = false, transposesRhs = true;
  std::vector<Tile> tiles;
  /// The tiles of loads that stay, and of those that iterations load.
  llvm::SmallVector<unsigned, 8> resident, streamed;
  /// The tiles that blocks which share iterations would have to merge, and the
  /// loop behind which each of them is.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 4> accumulated;
  /// True if blocks of a cluster may share the iterations of all loops.
  bool areLoopsShared = false;
  std::vector<LiveTiles::Moment> moments;
  llvm::SmallVector<unsigned, 3> grid, loopFactors;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_SIZES_LAUNCHBOUND_H
