//===- StateLayouts.cpp - The integer program of layouts ------------------===//
//
// States the operators, the tiles and the values of a launch as a program, and
// writes its answer to the launch.
//
//===----------------------------------------------------------------------===//

#include "LayoutPlanner.h"
#include "Mirage/Dialect/Thread/IR/MemoryLayoutAttr.h"

using namespace mlir;
using namespace mirage;

/// Adds a value that operators of the program take, in the forms in which they
/// take it.
void LayoutPlanner::addValue(LayoutProgram &program, mlir::Value value,
                             const PlacedValue &place) {
  SmallVector<RegisterLayout, 4> forms;
  SmallVector<
      std::pair<LayoutProgram::Operator, SmallVector<LayoutProgram::Choice, 4>>>
      uses;
  int64_t trips = 1;
  for (Operation *user : value.getUsers()) {
    auto number = numbers.find(user);
    if (number == numbers.end() || !stated.contains(number->second))
      continue;
    const LayoutNode &node = nodes[number->second];
    SmallVector<LayoutProgram::Choice, 4> needed;
    for (const RegisterLayout &layout : node.layouts) {
      RegisterLayout form = layout.project(place.tile.shape);
      const auto *known =
          llvm::find_if(forms, [&](const RegisterLayout &other) {
            return other.agreesWith(form);
          });
      needed.push_back(known - forms.begin());
      if (known == forms.end())
        forms.push_back(form);
    }
    uses.emplace_back(stated[number->second], std::move(needed));
    if (place.trips > 1)
      trips = std::max(trips, node.trips);
  }
  if (uses.empty())
    return;
  auto times = static_cast<double>(trips);
  LayoutProgram::Value added;
  if (place.memoryTile) {
    SmallVector<SmallVector<double, 4>, 4> loading;
    for (const MemoryLayout &memory : place.memories) {
      StoredTile tile = place.tile;
      tile.memory = memory;
      loading.emplace_back();
      for (const RegisterLayout &form : forms)
        loading.back().push_back(times * costs.getLoad(tile, form));
    }
    added = program.addResult(statedTiles[*place.memoryTile], loading,
                              SmallVector<double, 4>(loading.size(), 0));
  } else if (place.isStored) {
    SmallVector<double, 4> loading;
    for (const RegisterLayout &form : forms)
      loading.push_back(times * costs.getAccess(place.tile, form));
    added = program.addTile(loading);
  } else {
    PlacedValue stored = place;
    stored.store(/*isDevice=*/false);
    SmallVector<SmallVector<double, 4>, 4> bringing;
    SmallVector<double, 4> storing;
    for (const RegisterLayout &layout : place.layouts) {
      bringing.emplace_back();
      for (const RegisterLayout &form : forms)
        bringing.back().push_back(form.agreesWith(layout)
                                      ? 0
                                      : times *
                                            costs.getAccess(stored.tile, form));
      storing.push_back(times * (LayoutCosts::getBarrier() +
                                 costs.getAccess(stored.tile, layout)));
    }
    added = program.addResult(stated[*place.producer], bringing, storing);
  }
  for (auto &[consumer, needed] : uses)
    program.addUse(added, consumer, needed);
}

/// Returns true if an operator of the program computes a tile.
bool LayoutPlanner::isStated(const MemoryTile &tile) const {
  auto number = numbers.find(tile.value.getDefiningOp());
  return number != numbers.end() && stated.contains(number->second);
}

/// Adds the tiles in shared memory, with what it takes to bring them and to
/// load them for all but the operators of the program.
void LayoutPlanner::stateTiles(LayoutProgram &program,
                               std::vector<LayoutProgram::Choice> &first) {
  // The operators of the program read tiles in these registers if they have the
  // layouts that the lowering takes by itself.
  std::vector<SmallVector<std::pair<RegisterLayout, Shape>, 2>> stating(
      memoryTiles.size());
  auto addForms = [&](mlir::Value value) {
    auto found = places.find(value);
    if (found == places.end() || !found->second.memoryTile)
      return;
    const Shape &shape = found->second.tile.shape;
    for (Operation *user : value.getUsers())
      if (auto number = numbers.find(user);
          number != numbers.end() && stated.contains(number->second))
        stating[*found->second.memoryTile].emplace_back(
            nodes[number->second].layouts.front().project(shape), shape);
  };
  launch.getBody().walk(
      [&](Operation *op) { llvm::for_each(op->getResults(), addForms); });
  for (auto [tile, forms] : llvm::zip(memoryTiles, stating)) {
    first.push_back(0);
    // What it takes to store it is a part of its value.
    if (isStated(tile)) {
      statedTiles.push_back(program.addOperator({0}));
      continue;
    }
    SmallVector<double, 4> clocks = tile.writing;
    for (const MemoryTile::Reader &reader : tile.readers) {
      bool isStated = llvm::any_of(forms, [&](const auto &form) {
        return form.second == reader.shape &&
               form.first.agreesWith(reader.layout);
      });
      if (!isStated)
        for (auto [sum, cost] : llvm::zip(clocks, reader.clocks))
          sum += cost;
    }
    statedTiles.push_back(program.addOperator(clocks));
  }
}

/// Leaves tiles as the rule says where they cost no more so.
void LayoutPlanner::keepTiles(const LayoutProgram &program,
                              LayoutProgram::Answer &answer) {
  constexpr double tolerance = 1e-6;
  for (LayoutProgram::Operator tile : statedTiles) {
    std::vector<LayoutProgram::Choice> kept = answer.choices;
    kept[tile] = 0;
    if (program.getCost(kept) <= answer.cost + tolerance)
      answer.choices = kept;
  }
}

void LayoutPlanner::state(LayoutProgram &program,
                          std::vector<LayoutProgram::Choice> &first) {
  llvm::DenseSet<Operation *> leaders;
  for (Operation *op : bound)
    leaders.insert(components.getLeaderValue(op));
  auto isBoundTo = [&](Operation *op) {
    return leaders.contains(components.getLeaderValue(op));
  };
  for (bool isNew = true; isNew;) {
    isNew = false;
    for (auto [reduction, consumer] : reductions)
      if (isBoundTo(reduction))
        isNew |= leaders.insert(components.getLeaderValue(consumer)).second;
  }
  for (auto [number, node] : llvm::enumerate(nodes)) {
    if (isBoundTo(node.op))
      continue;
    stated[number] = program.addOperator(node.costs);
    first.push_back(0);
  }
  stateTiles(program, first);
  auto add = [&](mlir::Value value) {
    auto found = places.find(value);
    if (found != places.end() && found->second.isKnown() &&
        (!found->second.producer || stated.contains(*found->second.producer)))
      addValue(program, value, found->second);
  };
  launch.getBody().walk([&](Operation *op) {
    for (mlir::Value result : op->getResults())
      add(result);
  });
}

LayoutPlan LayoutPlanner::run() {
  LayoutPlan plan;
  visitOperators();
  LayoutProgram program;
  std::vector<LayoutProgram::Choice> first;
  state(program, first);
  plan.operators = stated.size();
  plan.tiles = memoryTiles.size();
  for (const MemoryTile &tile : memoryTiles)
    if (tile.isFree() && !isStated(tile)) {
      ++plan.freeTiles;
      plan.ways += tile.rows.size();
    }
  if (plan.isEmpty())
    return plan;
  constexpr uint64_t mostNodes = 200;
  LayoutProgram::Answer answer = program.minimize(first, mostNodes);
  keepTiles(program, answer);
  plan.byDefault = program.getCost(first);
  plan.clocks = answer.cost;
  plan.bound = answer.bound;
  plan.usedSolver = answer.usedSolver;
  MLIRContext *context = launch.getContext();
  auto write = [&](Operation *op, StringRef name, Attribute value) {
    op->setAttr(name, value);
    written.emplace_back(op, name);
  };
  for (auto [number, stated] : stated) {
    const LayoutNode &node = nodes[number];
    plan.layouts += node.layouts.size();
    if (plan.saves())
      write(node.op, thread::ThreadDialect::getRegisterLayoutAttrName(),
            thread::LayoutAttr::get(context,
                                    node.layouts[answer.choices[stated]]));
  }
  for (auto [tile, stated] : llvm::zip(memoryTiles, statedTiles))
    if (LayoutProgram::Choice way = answer.choices[stated]; way != 0) {
      ++plan.movedTiles;
      write(tile.value.getDefiningOp(), thread::memoryLayoutAttrName,
            StringAttr::get(context, tile.rows[way].str()));
    }
  return plan;
}

void LayoutPlanner::undo() {
  for (auto [op, name] : written)
    op->removeAttr(name);
}
