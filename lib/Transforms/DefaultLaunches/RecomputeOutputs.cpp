//===- RecomputeOutputs.cpp - What groups compute again -------------------===//
//
// Looks at each output of each group, finds the operators of the group that it
// is made by, back to what the group reads or stores anyway, and gives copies
// of these to all groups that read the output, if that saves bytes.
//
//===----------------------------------------------------------------------===//

#include "RecomputeOutputs.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mirage;

/// So many operators are computed again for one output, at most, and a group
/// has at most so many in all.
static constexpr size_t mostAgain = 8, mostOperators = 32;

static int64_t getBytesOf(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

static int64_t countElements(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

namespace {
/// What an output of a group is made of.
struct Cone {
  /// The operators in their order, and what they take from elsewhere.
  llvm::SetVector<Operation *> operators;
  llvm::SetVector<Value> sources;
};

class Recomputation {
public:
  Recomputation(MutableArrayRef<OperatorGroup> groups,
                const TargetDescription &target)
      : groups(groups), target(target) {}

  void run();

private:
  bool recompute(OperatorGroup &group, Value output);
  std::optional<SmallVector<OperatorGroup *>>
  findReaders(const OperatorGroup &group, Value output) const;
  std::optional<Cone> findCone(const OperatorGroup &group, Value output,
                               ArrayRef<OperatorGroup *> readers) const;
  int64_t countBytes(const OperatorGroup &group, const Cone &cone,
                     ArrayRef<OperatorGroup *> readers) const;
  bool isExecutable(const OperatorGroup &group) const {
    return group.ops.size() <= mostOperators &&
           chooseTiling(group, GroupAxes(group), target).has_value();
  }

  MutableArrayRef<OperatorGroup> groups;
  const TargetDescription &target;
};
} // namespace

/// Returns true if an operator takes few instructions for an element, or
/// reduces little beside `elements`.
static bool isCheap(Operation *op, int64_t elements) {
  const OpInfo &info = getOpInfo(cast<ComputeOpInterface>(op).getOpKind());
  return (info.opClass == OpClass::Elementwise && info.exponentials == 0) ||
         isReducedAgain(op, elements);
}

/// Returns the groups that read an output, or nothing if others do.
std::optional<SmallVector<OperatorGroup *>>
Recomputation::findReaders(const OperatorGroup &group, Value output) const {
  SmallVector<OperatorGroup *> readers;
  for (Operation *user : output.getUsers()) {
    if (group.contains(user))
      continue;
    auto *reader = llvm::find_if(groups, [&](const OperatorGroup &other) {
      return other.contains(user) && user != other.product;
    });
    if (reader == groups.end())
      return std::nullopt;
    if (!llvm::is_contained(readers, reader))
      readers.push_back(reader);
  }
  return readers;
}

/// Returns the bytes that the group stores, and the readers load, for what a
/// cone takes, beyond what they do anyway.
int64_t Recomputation::countBytes(const OperatorGroup &group, const Cone &cone,
                                  ArrayRef<OperatorGroup *> readers) const {
  SmallVector<Value> outputs = group.getOutputs();
  int64_t bytes = 0;
  for (Value source : cone.sources) {
    if (group.contains(source.getDefiningOp()) &&
        !llvm::is_contained(outputs, source))
      bytes += getBytesOf(source);
    for (OperatorGroup *reader : readers)
      if (!reader->getInputs().contains(source))
        bytes += getBytesOf(source);
  }
  return bytes;
}

/// Returns the operators by which readers compute an output with the fewest
/// bytes, and the fewest of these. There are none if the output takes no more.
std::optional<Cone>
Recomputation::findCone(const OperatorGroup &group, Value output,
                        ArrayRef<OperatorGroup *> readers) const {
  int64_t elements = countElements(output);
  int64_t least = getBytesOf(output) * (1 + std::ssize(readers));
  std::optional<Cone> best;
  Cone cone;
  auto isInCone = [&](Operation *op) {
    return group.contains(op) && op != group.product && isCheap(op, elements);
  };
  // Each step takes in what made the sources of the one before.
  cone.sources.insert(output);
  while (true) {
    llvm::SetVector<Value> sources;
    bool grows = false;
    for (Value source : cone.sources) {
      Operation *definition = source.getDefiningOp();
      if (!isInCone(definition)) {
        sources.insert(source);
        continue;
      }
      grows = true;
      cone.operators.insert(definition);
      for (Value operand : definition->getOperands())
        if (!isSplat(operand) &&
            !cone.operators.contains(operand.getDefiningOp()))
          sources.insert(operand);
    }
    cone.sources = sources;
    if (!grows || cone.operators.size() > mostAgain)
      break;
    int64_t bytes = countBytes(group, cone, readers);
    if (bytes < least) {
      least = bytes;
      best = cone;
    }
  }
  if (!best)
    return std::nullopt;
  SmallVector<Operation *> sorted(best->operators.begin(),
                                  best->operators.end());
  llvm::sort(sorted,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  best->operators = llvm::SetVector<Operation *>(sorted.begin(), sorted.end());
  return best;
}

/// Removes operators of a group that nothing uses any more.
static void eraseUnused(OperatorGroup &group) {
  for (Operation *op : llvm::to_vector(llvm::reverse(group.ops)))
    if (op->use_empty() && op != group.product) {
      llvm::erase(group.ops, op);
      op->erase();
    }
}

bool Recomputation::recompute(OperatorGroup &group, Value output) {
  std::optional<SmallVector<OperatorGroup *>> readers =
      findReaders(group, output);
  std::optional<Cone> cone;
  if (readers)
    cone = findCone(group, output, *readers);
  if (!cone)
    return false;

  // What changes is tried out in place.
  SmallVector<OperatorGroup> original;
  SmallVector<std::pair<OpOperand *, Operation *>> replaced;
  SmallVector<Operation *> copies;
  for (OperatorGroup *reader : *readers) {
    original.push_back(*reader);
    Operation *first = nullptr;
    for (Operation *op : reader->ops)
      if (llvm::is_contained(op->getOperands(), output) &&
          (!first || op->isBeforeInBlock(first)))
        first = op;
    OpBuilder builder(first);
    IRMapping mapping;
    for (Operation *op : cone->operators) {
      copies.push_back(builder.clone(*op, mapping));
      reader->ops.push_back(copies.back());
    }
    Value copy = mapping.lookup(output);
    for (OpOperand &use : llvm::make_early_inc_range(output.getUses()))
      if (reader->contains(use.getOwner()) &&
          use.getOwner() != copy.getDefiningOp()) {
        replaced.emplace_back(&use, copy.getDefiningOp());
        use.set(copy);
      }
    llvm::sort(reader->ops, [](Operation *a, Operation *b) {
      return a->isBeforeInBlock(b);
    });
  }
  OperatorGroup rest = group;
  llvm::erase_if(rest.ops, [&](Operation *op) {
    return op != rest.product && op->use_empty();
  });
  if (!rest.ops.empty() && isExecutable(rest) &&
      llvm::all_of(*readers, [&](const OperatorGroup *reader) {
        return isExecutable(*reader);
      })) {
    eraseUnused(group);
    return true;
  }
  for (auto [use, copy] : replaced)
    use->set(output);
  for (auto [reader, old] : llvm::zip(*readers, original))
    *reader = old;
  for (Operation *copy : llvm::reverse(copies))
    copy->erase();
  return false;
}

void Recomputation::run() {
  for (OperatorGroup &group : groups) {
    bool changes = true;
    while (changes) {
      changes = false;
      for (Value output : group.getOutputs())
        if (recompute(group, output)) {
          changes = true;
          break;
        }
    }
  }
}

void mirage::recomputeOutputs(MutableArrayRef<OperatorGroup> groups,
                              const TargetDescription &target) {
  Recomputation(groups, target).run();
}
