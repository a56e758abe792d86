//===- CopyViews.cpp - Views that belong to what reads them ---------------===//
//
// Finds the nodes of a program that are views, and copies the program with a
// view of its own for each reader.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/Search/KernelGraphs/ProgramPieces.h"
#include "Mirage/Search/Superoptimizer.h"
#include "Mirage/Semantics/Windows.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mirage;
using namespace mirage::search;

/// Returns whether a node has the elements of its operand in another order, or
/// in a wider type, or a part of them. A launch that reads them can read the
/// operand.
static bool isReordering(const MuGraph &program, const MuNode &node) {
  if (node.kind != MuNode::Kind::Operator)
    return false;
  auto getSize = [&](MuValue value) {
    return byteSize(program.getValue(value).type);
  };
  return node.op == OpKind::Reshape || node.op == OpKind::Transpose ||
         (node.op == OpKind::Slice &&
          isWindow(node.attributes, program.getValue(node.operands[0]).type)) ||
         (node.op == OpKind::Cast &&
          getSize(node.results[0]) > getSize(node.operands[0]));
}

namespace {

/// Finds the nodes of a program that are views: those that reorder, and those
/// that repeat elements for operators that take each of them once.
class ViewFinder {
public:
  explicit ViewFinder(const MuGraph &program)
      : program(program), readers(program.getNumValues()) {}

  llvm::BitVector find() {
    llvm::BitVector views(program.getNumNodes());
    for (unsigned number : program.getRegion().nodes) {
      const MuNode &node = program.getNode(number);
      for (MuValue operand : node.operands)
        if (!llvm::is_contained(readers[operand], number))
          readers[operand].push_back(number);
      if (isReordering(program, node))
        views.set(number);
    }
    for (unsigned number : program.getRegion().nodes) {
      const MuNode &node = program.getNode(number);
      if (node.kind != MuNode::Kind::Operator || node.op != OpKind::Broadcast)
        continue;
      chain.assign(1, number);
      if (isReadUnrepeated(node.results[0]))
        views.set(number);
    }
    return views;
  }

private:
  /// Returns whether all that read a value, the last one of the chain, can read
  /// the operand of the chain's first node. Results are written with all that
  /// is repeated.
  bool isReadUnrepeated(MuValue value) {
    if (readers[value].empty() ||
        llvm::is_contained(program.getRegion().results, value))
      return false;
    return llvm::all_of(readers[value], [&](unsigned reader) {
      chain.push_back(reader);
      bool isRead = isReordering(program, program.getNode(reader))
                        ? isReadUnrepeated(program.getNode(reader).results[0])
                        : hasForm();
      chain.pop_back();
      return isRead;
    });
  }

  /// Returns whether the search has a form of the chain's nodes as one program,
  /// and leaves none of them to other kernels.
  bool hasForm() const {
    MuGraph alone;
    llvm::SmallDenseMap<MuValue, MuValue> values;
    llvm::SmallVector<MuValue> results;
    for (unsigned number : chain) {
      const MuNode &node = program.getNode(number);
      if (node.kind != MuNode::Kind::Operator)
        return false;
      llvm::SmallVector<MuValue> operands;
      for (MuValue operand : node.operands) {
        auto [entry, isNew] = values.try_emplace(operand);
        if (isNew)
          entry->second = alone.addArgument(0, Shape(program.getShape(operand)),
                                            program.getValue(operand).type);
        operands.push_back(entry->second);
      }
      results = cloneNode(alone, 0, program, number, operands);
      for (auto [result, value] : llvm::zip_equal(node.results, results))
        values[result] = value;
    }
    alone.setResults(0, results);
    std::string reason;
    std::optional<unsigned> location;
    std::optional<SearchTask> task =
        SearchTask::create(alone, reason, location);
    return task && !task->views.front().view.before &&
           !task->views.front().view.after;
  }

  const MuGraph &program;
  std::vector<llvm::SmallVector<unsigned, 2>> readers;
  /// The nodes from one that repeats elements to one that reads them.
  llvm::SmallVector<unsigned> chain;
};

} // namespace

llvm::BitVector mirage::search::findViews(const MuGraph &program) {
  return ViewFinder(program).find();
}

namespace {

class ViewCopier {
public:
  explicit ViewCopier(const MuGraph &program)
      : program(program), isView(findViews(program)) {}

  MuGraph run() {
    const MuRegion &body = program.getRegion();
    for (MuValue argument : body.arguments)
      values[argument] = copy.addArgument(0, program.getShape(argument),
                                          program.getValue(argument).type);
    for (unsigned number : body.nodes) {
      const MuNode &node = program.getNode(number);
      if (isView[number]) {
        views[node.results[0]] = number;
        continue;
      }
      // An operator that reads a view twice has one of it.
      llvm::SmallDenseMap<MuValue, MuValue> own;
      llvm::SmallVector<MuValue> operands;
      for (MuValue operand : node.operands) {
        auto [entry, isNew] = own.try_emplace(operand);
        if (isNew)
          entry->second = get(operand);
        operands.push_back(entry->second);
      }
      for (auto [result, value] : llvm::zip_equal(
               node.results, cloneNode(copy, 0, program, number, operands)))
        values[result] = value;
    }
    copy.setResults(0, llvm::map_to_vector(body.results, [&](MuValue result) {
                      return get(result);
                    }));
    return std::move(copy);
  }

private:
  /// The value in the copy; a new one if it is a view.
  MuValue get(MuValue value) {
    auto view = views.find(value);
    if (view == views.end())
      return values.lookup(value);
    MuValue operand = get(program.getNode(view->second).operands[0]);
    return cloneNode(copy, 0, program, view->second, operand).front();
  }

  const MuGraph &program;
  llvm::BitVector isView;
  MuGraph copy;
  llvm::DenseMap<MuValue, MuValue> values;
  llvm::DenseMap<MuValue, unsigned> views;
};

} // namespace

MuGraph mirage::search::copyViews(const MuGraph &program) {
  return ViewCopier(program).run();
}
