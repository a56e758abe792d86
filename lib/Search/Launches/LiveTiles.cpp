//===- LiveTiles.cpp - What is in shared memory at once -------------------===//
//
// Follows Analysis/SharedMemory.cpp over symbolic dimensions.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/LiveTiles.h"
#include "Mirage/Search/Launches/Instantiate.h"

using namespace mirage;
using namespace mirage::search;
using Kind = OperatorForm::Kind;

LiveTiles::LiveTiles(const SearchProblem &problem, const LaunchGraph &launch,
                     std::optional<llvm::ArrayRef<bool>> joined)
    : problem(problem), launch(launch), joined(joined),
      computeType(getComputeType(problem)) {
  findTypes();
  findMoments();
}

const OperatorForm &LiveTiles::getForm(unsigned value) const {
  return problem.getForm(launch.operators[value - launch.loads.size()].formId);
}

unsigned LiveTiles::addTile(llvm::ArrayRef<DimId> dims, ElementType type) {
  for (auto [number, other] : llvm::enumerate(tiles))
    if (other.type == type && llvm::ArrayRef<DimId>(other.dims) == dims)
      return number;
  tiles.push_back({Dims(dims), type});
  return tiles.size() - 1;
}

void LiveTiles::findTypes() {
  for (const LoadChoice &load : launch.loads)
    types.push_back(load.tensor < problem.getInputs().size()
                        ? problem.getInputs()[load.tensor].type
                        : computeType);
  for (const BlockOperator &op : launch.operators) {
    Kind kind = problem.getForm(op.formId).kind;
    bool keepsType = kind == Kind::Part || kind == Kind::AccumulateMax ||
                     kind == Kind::AccumulateConcat;
    types.push_back(keepsType ? types[op.first] : computeType);
  }
  for (auto [value, type] : llvm::zip_equal(launch.values, types))
    valueTiles.push_back(addTile(value.dims, type));
}

bool LiveTiles::isProductOrItsSum(unsigned value) const {
  if (value < launch.loads.size())
    return false;
  if (getForm(value).kind == Kind::Accumulate)
    value = launch.operators[value - launch.loads.size()].first;
  return value >= launch.loads.size() && getForm(value).kind == Kind::Matmul;
}

/// Returns whether a value has no moment of its own: accumulators, and what a
/// concat_matmul computes. In a prefix an addition of products may become a
/// concat_matmul. The products are then alive at that one, with operands and a
/// result like theirs.
bool LiveTiles::isLeftOut(unsigned value) const {
  if (getForm(value).isAccumulator())
    return true;
  if (joined)
    return (*joined)[value];
  const BlockOperator &op = launch.operators[value - launch.loads.size()];
  return getForm(value).kind == Kind::Binary &&
         getForm(value).op == OpKind::Add && isProductOrItsSum(op.first) &&
         isProductOrItsSum(op.second);
}

/// Returns whether a value adds up, or takes maxima of, what an operator of the
/// loop computes and stores for that. The terms of a product need no storage.
bool LiveTiles::isSumOfStored(unsigned value) const {
  const OperatorForm &form = getForm(value);
  if (!form.isAccumulator() || form.kind == Kind::AccumulateConcat ||
      (joined && (*joined)[value]))
    return false;
  unsigned operand = *getOperands(value).begin();
  return operand >= launch.loads.size() &&
         getForm(operand).kind != Kind::Matmul &&
         !(joined ? (*joined)[operand] : isLeftOut(operand));
}

bool LiveTiles::isRead(unsigned value) const {
  return llvm::any_of(launch.operators, [&](const BlockOperator &op) {
    return llvm::is_contained(
        op.getOperands(problem.getForm(op.formId).getNumOperands()), value);
  });
}

bool LiveTiles::isReadIn(unsigned value, unsigned loop) const {
  return llvm::any_of(llvm::enumerate(launch.operators), [&](auto entry) {
    auto [position, op] = entry;
    const OperatorForm &form = problem.getForm(op.formId);
    RegionId region =
        form.isAccumulator()
            ? launch.values[op.first].phase.region
            : launch.values[launch.loads.size() + position].phase.region;
    return launch.getLoopsAround(region).contains(loop) &&
           llvm::is_contained(op.getOperands(form.getNumOperands()), value);
  });
}

LiveTiles::Moment LiveTiles::getAliveAround(RegionId region) {
  Moment alive;
  LoopSet loops = launch.getLoopsAround(region);
  // What products read is cast before the loop, and then is all that has to
  // stay of the load.
  ElementType productType = problem.getProductType();
  auto isMultiplied = [&](unsigned value) {
    return llvm::any_of(launch.operators, [&](const BlockOperator &op) {
      return problem.getForm(op.formId).kind == Kind::Matmul &&
             (op.first == value || op.second == value);
    });
  };
  std::set<std::pair<RegionId, unsigned>> halves;
  for (auto [position, op] : llvm::enumerate(launch.operators)) {
    unsigned value = launch.loads.size() + position;
    const OperatorForm &form = problem.getForm(op.formId);
    if (!form.isAccumulator() || (joined && (*joined)[value]))
      continue;
    // What nothing in the block reads is stored, by each iteration its tile.
    if (form.kind == Kind::AccumulateConcat && !isRead(value))
      continue;
    // A loop's results live from the loop's beginning to its end.
    RegionId inner = launch.values[op.first].phase.region;
    if (inner.isBody() || !loops.contains(inner.getLoop()))
      continue;
    // Two products of one loop may be summed by one concat_matmul.
    if (!joined && isProductOrItsSum(value)) {
      auto [half, isFirst] = halves.insert({inner, valueTiles[value]});
      if (!isFirst) {
        halves.erase(half);
        continue;
      }
    }
    alive.push_back(valueTiles[value]);
  }
  for (auto [value, load] : llvm::enumerate(launch.loads))
    if (load.region != region &&
        launch.getLoopsAround(load.region).isSubsetOf(loops)) {
      // One loop of the load's region has this region inside.
      for (unsigned loop : loops)
        if (launch.loops[loop].parent == load.region && isReadIn(value, loop))
          alive.push_back(isMultiplied(value) &&
                                  byteSize(productType) < byteSize(types[value])
                              ? addTile(launch.values[value].dims, productType)
                              : valueTiles[value]);
    }
  return alive;
}

bool LiveTiles::keepsPlaces(unsigned value) const {
  return value >= launch.loads.size() && getForm(value).isOfElements() &&
         !(joined && (*joined)[value]);
}

unsigned LiveTiles::countReaders(unsigned value) const {
  return llvm::count(launch.outputs, value) +
         llvm::count_if(launch.operators, [&](const BlockOperator &op) {
           return llvm::is_contained(
               op.getOperands(problem.getForm(op.formId).getNumOperands()),
               value);
         });
}

std::set<unsigned> LiveTiles::getOperands(unsigned value) const {
  const BlockOperator &op = launch.operators[value - launch.loads.size()];
  std::set<unsigned> operands;
  for (uint8_t operand : op.getOperands(getForm(value).getNumOperands()))
    operands.insert(operand);
  return operands;
}

unsigned LiveTiles::addStoredTile(unsigned value) {
  // It is cast before or behind what arranges it.
  bool isNarrower = byteSize(types[value]) < byteSize(computeType);
  return addTile(launch.values[value].dims,
                 isNarrower ? types[value] : computeType);
}

LiveTiles::Moment LiveTiles::getChainTiles(unsigned value) {
  RegionId region = launch.values[value].phase.region;
  Moment result;
  for (unsigned operand : getOperands(value)) {
    bool isLoad = operand < launch.loads.size();
    RegionId own = isLoad ? launch.loads[operand].region
                          : launch.values[operand].phase.region;
    // Loads from outside of the loop are alive around it.
    if (isLoad && own != region)
      continue;
    // An addition of products may become a concat_matmul, or a part of the
    // chain.
    bool isInChain =
        keepsPlaces(operand) && own == region &&
        (countReaders(operand) == 1 || (!joined && isLeftOut(operand)));
    if (!isInChain)
      result.push_back(addStoredTile(operand));
  }
  return result;
}

LiveTiles::Moment LiveTiles::getOperandTiles(unsigned value) {
  const OperatorForm &form = getForm(value);
  RegionId region = launch.values[value].phase.region;
  Moment result;
  for (unsigned operand : getOperands(value)) {
    ElementType type = form.kind == Kind::Part     ? types[operand]
                       : form.kind == Kind::Matmul ? problem.getProductType()
                                                   : computeType;
    // Loads from outside of the loop are alive around it, and cast there.
    bool isOuterLoad =
        operand < launch.loads.size() && launch.loads[operand].region != region;
    if (!isOuterLoad)
      result.push_back(addTile(launch.values[operand].dims, type));
  }
  return result;
}

void LiveTiles::findMoments() {
  // Loads of a region are made before all else in it.
  for (RegionId region : getRegions(launch.loops.size())) {
    Moment alive = getAliveAround(region);
    for (auto [value, load] : llvm::enumerate(launch.loads))
      if (load.region == region)
        alive.push_back(valueTiles[value]);
    moments.push_back(std::move(alive));
  }
  for (unsigned value = launch.loads.size(); value < launch.values.size();
       ++value) {
    if (isSumOfStored(value)) {
      unsigned operand = *getOperands(value).begin();
      Moment alive = getAliveAround(launch.values[operand].phase.region);
      alive.push_back(addStoredTile(operand));
      moments.push_back(std::move(alive));
    }
    if (isLeftOut(value))
      continue;
    if (keepsPlaces(value)) {
      Moment alive = getAliveAround(launch.values[value].phase.region);
      llvm::append_range(alive, getChainTiles(value));
      moments.push_back(std::move(alive));
      continue;
    }
    Moment alive = getAliveAround(launch.values[value].phase.region);
    // A product may be added to a sum at once, without a tile of its own. What
    // else reads it has it among its operands.
    if (getForm(value).kind != Kind::Matmul)
      alive.push_back(valueTiles[value]);
    llvm::append_range(alive, getOperandTiles(value));
    moments.push_back(std::move(alive));
  }
  for (Moment &moment : moments)
    llvm::sort(moment);
  llvm::sort(moments);
  moments.erase(llvm::unique(moments), moments.end());
}
