//===- SeparateParts.cpp - Slices of inputs, concatenations of results ----===//
//
// Finds from the results to the inputs which windows of values are needed, and
// computes these from the inputs to the results.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/Semantics/Windows.h"
#include "PartRules.h"
#include "SimplifyProgram.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <numeric>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

/// The most parts of a result, and of an input whose parts are places of an
/// axis.
static constexpr int64_t kMostParts = 8;

namespace {

class PartSeparation {
public:
  PartSeparation(const ProgramView &view, const MuGraph &program)
      : view(view), from(program), rules(from), demands(from.getNumValues()),
        computed(from.getNumValues()) {}

  std::optional<ProgramView> run() {
    if (rules.isBlocked() || !findResults())
      return std::nullopt;
    for (unsigned number : llvm::reverse(from.getRegion().nodes))
      if (!findWindows(from.getNode(number)))
        return std::nullopt;
    result.unpadded = view.unpadded;
    result.padded = view.padded;
    result.before = view.before;
    result.after = view.after;
    for (auto [number, argument] : llvm::enumerate(from.getRegion().arguments))
      addInputs(argument, view.inputs[number]);
    for (unsigned number : from.getRegion().nodes)
      for (const auto &[window, value] :
           std::map(computed[getResult(from.getNode(number))]))
        compute(from.getNode(number), window);
    llvm::SmallVector<MuValue> results;
    for (const auto &[value, window] : wanted)
      results.push_back(lookUp(value, window));
    result.program.setResults(0, results);
    if (hasConstantProducts)
      result.program = eraseDeadNodes(result.program);
    return std::move(result);
  }

private:
  static MuValue getResult(const MuNode &node) { return node.results[0]; }

  /// Divides the results at the borders of concatenations. A part that is a
  /// window of an input is copied by the launch that computes others; where
  /// there are no others, or a part is a constant, nothing is searched for.
  bool findResults() {
    bool isComputed = false;
    for (MuValue value : from.getRegion().results) {
      TensorWindow whole = getWholeWindow(from.getShape(value));
      ViewResult &joined = result.results.emplace_back();
      std::optional<size_t> along;
      for (size_t dim = 0; dim < whole.sizes.size(); ++dim) {
        if (rules.getCuts(value, dim).empty())
          continue;
        if (along)
          return false;
        along = dim;
      }
      joined.dim = static_cast<int64_t>(along.value_or(0));
      std::set<int64_t> ends;
      if (along)
        ends = rules.getCuts(value, *along);
      if (static_cast<int64_t>(ends.size()) >= kMostParts)
        return false;
      int64_t begin = 0;
      auto add = [&](TensorWindow part) {
        joined.parts.push_back(part.sizes);
        wanted.push_back({value, part});
        MuValue source = value;
        rules.resolve(source, part);
        demands[source].insert(part);
        const MuNode *definition = rules.getDefinition(source);
        while (definition && definition->op == OpKind::Cast) {
          source = definition->operands[0];
          rules.resolve(source, part);
          definition = rules.getDefinition(source);
        }
        isComputed |= definition != nullptr;
        return !definition || (definition->op != OpKind::Pad &&
                               definition->op != OpKind::Constant);
      };
      for (int64_t end : ends) {
        TensorWindow part = whole;
        part.offsets[*along] = begin;
        part.sizes[*along] = end - begin;
        if (!add(part))
          return false;
        begin = end;
      }
      if (along) {
        whole.offsets[*along] = begin;
        whole.sizes[*along] -= begin;
      }
      if (!add(whole))
        return false;
    }
    return isComputed;
  }

  /// Decides which windows of a node's result are computed, and says what they
  /// need.
  bool findWindows(const MuNode &node) {
    MuValue value = getResult(node);
    const std::set<TensorWindow> &needed = demands[value];
    std::set<TensorWindow> windows;
    for (const TensorWindow &window : needed) {
      bool isShared = llvm::any_of(needed, [&](const TensorWindow &other) {
        return !(other == window) && overlap(other, window);
      });
      std::optional<TensorWindow> segment = rules.getSegment(value, window);
      if (!segment)
        return false;
      windows.insert(isShared || !rules.getTerms(node, window) ? *segment
                                                               : window);
    }
    // Windows of what is computed as a whole are slices of it.
    for (const TensorWindow &window : std::set(windows))
      if (llvm::any_of(windows, [&](const TensorWindow &other) {
            return !(other == window) && isInside(window, other);
          }))
        windows.erase(window);
    for (const TensorWindow &window : windows) {
      auto terms = rules.getTerms(node, window);
      if (!terms)
        return false;
      computed[value][window] = 0;
      for (const OperandWindows &term : *terms)
        for (auto [operand, part] : llvm::zip(node.operands, term)) {
          MuValue source = operand;
          TensorWindow own = part;
          rules.resolve(source, own);
          demands[source].insert(own);
        }
    }
    return true;
  }

  /// Returns whether all windows but the whole tensor are equal parts of one
  /// dimension, few enough to be places of an axis.
  static bool areEqualParts(const std::set<TensorWindow> &windows,
                            const TensorWindow &whole) {
    std::optional<size_t> divided;
    for (const TensorWindow &window : windows)
      for (size_t dim = 0; dim < whole.sizes.size(); ++dim) {
        int64_t size = window.sizes[dim];
        if (size == whole.sizes[dim])
          continue;
        if (divided.value_or(dim) != dim || whole.sizes[dim] % size ||
            window.offsets[dim] % size || whole.sizes[dim] / size > kMostParts)
          return false;
        divided = dim;
      }
    return divided.has_value();
  }

  /// Returns whether a launch reads a window of a tensor in place.
  static bool isInPlace(const TensorWindow &window, ElementType type) {
    OpAttributes slice;
    slice.offsets = window.offsets;
    slice.strides.assign(window.offsets.size(), 1);
    return isWindow(slice, type);
  }

  /// Adds an input for each window of an argument. Where it is read as a whole,
  /// too, and in equal parts, these are parts of what is loaded, and so are
  /// equal parts that cannot be read in place.
  void addInputs(MuValue argument, const ViewInput &input) {
    TensorWindow whole = getWholeWindow(from.getShape(argument));
    ElementType type = from.getValue(argument).type;
    std::set<TensorWindow> windows = demands[argument];
    bool areSeparate = llvm::all_of(windows, [&](const TensorWindow &window) {
      return isInPlace(window, type) && !(window == whole);
    });
    if (!areSeparate && areEqualParts(windows, whole))
      windows = {whole};
    for (const TensorWindow &window : windows) {
      computed[argument][window] =
          result.program.addArgument(0, window.sizes, type);
      ViewInput &own = result.inputs.emplace_back(input);
      if (window == whole)
        continue;
      own.window = window;
      own.whole = whole.sizes;
    }
  }

  /// The value of a window, sliced out of a larger one if need be.
  MuValue lookUp(MuValue value, TensorWindow window) {
    rules.resolve(value, window);
    auto known = computed[value].find(window);
    if (known != computed[value].end())
      return known->second;
    auto larger = llvm::find_if(computed[value], [&](const auto &entry) {
      return isInside(window, entry.first);
    });
    assert(larger != computed[value].end() && "the window was asked for");
    OpAttributes slice;
    slice.sizes = window.sizes;
    slice.strides.assign(window.sizes.size(), 1);
    for (auto [offset, base] : llvm::zip(window.offsets, larger->first.offsets))
      slice.offsets.push_back(offset - base);
    MuValue &taken = slices[{value, window}];
    if (!taken)
      taken = add(OpKind::Slice, slice, {larger->second},
                  from.getValue(value).type) +
              1;
    return taken - 1;
  }

  MuValue add(OpKind kind, const OpAttributes &attributes,
              ArrayRef<MuValue> operands, ElementType type) {
    return result.program.addOperator(0, kind, attributes, operands, type,
                                      location);
  }

  void compute(const MuNode &node, const TensorWindow &window) {
    location = node.location;
    MuValue value = getResult(node);
    ElementType type = from.getValue(value).type;
    OpAttributes attributes = node.attributes;
    if (node.op == OpKind::Pad) {
      computed[value][window] =
          addConstant(attributes.scalar, window.sizes, type);
      return;
    }
    if (node.op == OpKind::Constant || node.op == OpKind::Broadcast ||
        node.op == OpKind::Reshape)
      attributes.resultShape = window.sizes;
    if (std::optional<double> number = getSplat(node))
      attributes.values =
          std::make_shared<const std::vector<double>>(1, *number);
    auto terms = *rules.getTerms(node, window);
    result.sumsOverParts |= terms.size() > 1;
    // A mean over parts divides their sum by the size of the whole.
    bool isMean = node.op == OpKind::Reduce && !attributes.group &&
                  attributes.reduceKind == ReduceKind::Mean &&
                  terms[0][0].sizes[attributes.dim] !=
                      from.getShape(node.operands[0])[attributes.dim];
    bool isMaximum =
        node.op == OpKind::Reduce && attributes.reduceKind == ReduceKind::Max;
    if (isMean)
      attributes.reduceKind = ReduceKind::Sum;
    std::optional<MuValue> total;
    for (const OperandWindows &term : terms) {
      MuValue own = addTerm(node, attributes, term, window);
      total = total ? add(isMaximum ? OpKind::Max : OpKind::Add, {},
                          {*total, own}, type)
                    : own;
    }
    if (isMean)
      total =
          divide(*total, from.getShape(node.operands[0])[node.attributes.dim]);
    computed[value][window] = *total;
  }

  /// Adds the operator on a window of each operand.
  MuValue addTerm(const MuNode &node, const OpAttributes &attributes,
                  const OperandWindows &term, const TensorWindow &window) {
    if (node.op == OpKind::Matmul)
      for (unsigned side : {0, 1})
        if (std::optional<MuValue> sum = addSum(node, term, side, window))
          return *sum;
    llvm::SmallVector<MuValue, 3> operands;
    for (auto [operand, part] : llvm::zip(node.operands, term))
      operands.push_back(lookUp(operand, part));
    return add(node.op, attributes, operands,
               from.getValue(getResult(node)).type);
  }

  /// Returns the number that all elements of a window are, if they are a
  /// constant or padding, in any order, type and shape.
  std::optional<double> findConstant(MuValue value, TensorWindow window) const {
    while (true) {
      rules.resolve(value, window);
      const MuNode *node = rules.getDefinition(value);
      if (!node)
        return std::nullopt;
      if (node->op == OpKind::Pad)
        return rules.isPadding(*node, window)
                   ? std::optional(node->attributes.scalar)
                   : std::nullopt;
      if (node->op == OpKind::Constant)
        return getSplat(*node);
      if (node->op != OpKind::Cast && node->op != OpKind::Reshape &&
          node->op != OpKind::Transpose)
        return std::nullopt;
      auto terms = rules.getTerms(*node, window);
      if (!terms || terms->size() != 1 || terms->front().empty())
        return std::nullopt;
      value = node->operands[0];
      window = terms->front()[0];
    }
  }

  /// Adds a product of a row or a column of one number, which is this number of
  /// times the sum of the other operand: a normalizer, where a row of ones is
  /// padded to what is summed. Nothing is added where the operand on this side
  /// is none.
  std::optional<MuValue> addSum(const MuNode &node, const OperandWindows &term,
                                unsigned side, const TensorWindow &window) {
    const TensorWindow &row = term[side], &other = term[1 - side];
    size_t rank = row.sizes.size();
    bool isExchanged =
        side == 0 ? node.attributes.transposeLhs : node.attributes.transposeRhs;
    bool isOtherExchanged =
        side == 0 ? node.attributes.transposeRhs : node.attributes.transposeLhs;
    size_t own = rank - (isExchanged == (side == 0) ? 1 : 2);
    bool hasBatch = other.sizes.size() == window.sizes.size() &&
                    std::equal(other.sizes.begin(), other.sizes.end() - 2,
                               window.sizes.begin());
    if (row.sizes[own] != 1 || !hasBatch)
      return std::nullopt;
    std::optional<double> number = findConstant(node.operands[side], row);
    if (!number || *number == 0)
      return std::nullopt;
    hasConstantProducts = true;
    ElementType type = from.getValue(getResult(node)).type;
    MuValue summand = lookUp(node.operands[1 - side], other);
    if (result.program.getValue(summand).type != type) {
      OpAttributes cast;
      cast.resultType = type;
      summand = add(OpKind::Cast, cast, {summand}, type);
    }
    OpAttributes sum, factor, shape;
    sum.dim = static_cast<int64_t>(other.sizes.size()) -
              (isOtherExchanged == (side == 0) ? 1 : 2);
    shape.resultShape = window.sizes;
    MuValue total = add(OpKind::Reshape, shape,
                        {add(OpKind::Reduce, sum, {summand}, type)}, type);
    if (*number == 1)
      return total;
    factor.scalar = *number;
    return add(OpKind::Scale, factor, {total}, type);
  }

  MuValue addConstant(double number, ShapeRef shape, ElementType type) {
    OpAttributes constant;
    constant.resultShape.assign(shape.begin(), shape.end());
    constant.values = std::make_shared<const std::vector<double>>(1, number);
    return add(OpKind::Constant, constant, {}, type);
  }

  MuValue divide(MuValue value, int64_t number) {
    ElementType type = result.program.getValue(value).type;
    Shape one(result.program.getShape(value).size(), 1);
    MuValue divisor = addConstant(static_cast<double>(number), one, type);
    return add(OpKind::Div, {}, {value, divisor}, type);
  }

  const ProgramView &view;
  const MuGraph &from;
  PartRules rules;
  ProgramView result;
  /// The windows of each value that are needed, and those that are computed.
  std::vector<std::set<TensorWindow>> demands;
  std::vector<std::map<TensorWindow, MuValue>> computed;
  /// Slices of computed values, one more than their numbers.
  std::map<std::pair<MuValue, TensorWindow>, MuValue> slices;
  /// The parts of the results.
  std::vector<std::pair<MuValue, TensorWindow>> wanted;
  unsigned location = 0;
  /// Rows or columns of one number were left out, so that nothing may read
  /// them.
  bool hasConstantProducts = false;
};

} // namespace

std::optional<ProgramView>
mirage::search::separateParts(const ProgramView &view) {
  bool hasParts = llvm::any_of(view.program.getRegion().nodes, [&](unsigned n) {
    const MuNode &node = view.program.getNode(n);
    return node.kind == MuNode::Kind::Operator &&
           (node.op == OpKind::Slice || node.op == OpKind::Split ||
            node.op == OpKind::Concat || node.op == OpKind::Pad);
  });
  if (!hasParts || !view.results.empty() || view.numStacked)
    return std::nullopt;
  MuGraph program = expandCutComposites(view.program);
  return PartSeparation(view, program).run();
}

MuGraph mirage::search::getCopies(const ProgramView &view) {
  MuGraph graph;
  llvm::SmallVector<MuValue> copies;
  ArrayRef<MuValue> arguments = view.program.getRegion().arguments,
                    results = view.program.getRegion().results;
  for (auto [input, argument] : llvm::zip_equal(view.inputs, arguments)) {
    if (!input.window)
      continue;
    ElementType type = view.program.getValue(argument).type;
    OpAttributes slice;
    slice.offsets = input.window->offsets;
    slice.sizes = input.window->sizes;
    slice.strides.assign(slice.sizes.size(), 1);
    if (!isWindow(slice, type))
      copies.push_back(
          graph.addOperator(0, OpKind::Slice, slice,
                            {graph.addArgument(0, input.whole, type)}, type));
  }
  // What is stacked has one part each.
  ArrayRef<ViewResult> joined = view.results;
  if (view.numStacked)
    joined = {};
  for (const ViewResult &result : joined) {
    ElementType type = view.program.getValue(results.front()).type;
    results = results.drop_front(result.parts.size());
    if (result.isStacked || result.isInPlace(type))
      continue;
    OpAttributes concat;
    concat.dim = result.dim;
    llvm::SmallVector<MuValue> parts;
    for (const Shape &part : result.parts)
      parts.push_back(graph.addArgument(0, part, type));
    copies.push_back(graph.addOperator(0, OpKind::Concat, concat, parts, type));
  }
  graph.setResults(0, copies);
  return graph;
}

std::vector<AlikeDims> mirage::search::getAlikeDims(const ProgramView &view) {
  // Windows of one tensor, under its shape. Of an input that is there twice
  // (separateAxes), the second one has axes of its own.
  std::map<std::pair<unsigned, std::vector<int64_t>>,
           std::map<TensorWindow, MuValue>>
      tensors;
  for (auto [input, argument] :
       llvm::zip_equal(view.inputs, view.program.getRegion().arguments))
    if (input.window && ShapeRef(view.program.getShape(argument)) ==
                            ShapeRef(input.window->sizes))
      tensors[{input.number,
               std::vector<int64_t>(input.whole.begin(), input.whole.end())}]
          .try_emplace(*input.window, argument);
  std::vector<AlikeDims> alike;
  for (const auto &[tensor, windows] : tensors)
    for (size_t dim = 0; dim < tensor.second.size(); ++dim) {
      AlikeDims group;
      group.unit = tensor.second[dim];
      for (const auto &[window, argument] : windows) {
        group.unit = std::gcd(group.unit,
                              std::gcd(window.offsets[dim], window.sizes[dim]));
        group.dims.push_back({argument, static_cast<unsigned>(dim)});
      }
      if (windows.size() > 1 && group.unit > 1 &&
          tensor.second[dim] / group.unit <= AlikeDims::kMostUnits)
        alike.push_back(std::move(group));
    }
  return alike;
}
