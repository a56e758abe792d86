//===- FloatRuns.cpp - What programs are run on in floating point ---------===//
//
// Draws inputs; estimates what a run costs and makes pairs smaller.
//
//===----------------------------------------------------------------------===//

#include "FloatRuns.h"
#include "FloatErrors.h"
#include "Mirage/Analysis/Equivalence/Floats/FloatingPoint.h"
#include "Mirage/Semantics/Cost.h"
#include "Mirage/Support/CounterRandom.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using namespace mirage::equivalence;
using llvm::ArrayRef;
using llvm::SmallVector;

static double drawNormal(const CounterRandom &random, int64_t index) {
  std::array<uint64_t, 2> bits = random(index, 0);
  auto toUniform = [](uint64_t word) {
    return (static_cast<double>(word >> 11) + 0.5) * 0x1p-53;
  };
  // Box and Muller's transformation.
  return std::sqrt(-2 * std::log(toUniform(bits[0]))) *
         std::cos(2 * M_PI * toUniform(bits[1]));
}

ArrayRef<InputKind> equivalence::getInputKinds() {
  static const InputKind kinds[] = {{"normal", 1, 0, 0},
                                    {"large", kLarge, 0, 6},
                                    {"offset", 1, 64, 6},
                                    {"constant", 0, 0.5, 0},
                                    {"block", 1, 0, 6, true}};
  return kinds;
}

/// Returns whether a type holds greater numbers than f16 does.
static bool isWide(ElementType type) {
  return getLargestPower(type) > getLargestPower(ElementType::f16);
}

/// Returns the number by which smaller lines are multiplied: products of two of
/// them are numbers of the type with all digits.
static double getSmallerSize(ElementType type) {
  return isWide(type) ? 0x1p-12 : 0x1p-6;
}

ArrayRef<double> equivalence::getHugeNumbers(ElementType type) {
  static const double numbers[] = {0x1p15, 0x1p120};
  return ArrayRef(numbers).take_front(isWide(type) ? 2 : 1);
}

ArrayRef<double> equivalence::getTinyNumbers(ElementType type) {
  static const double numbers[] = {0x1p-12, 0x1p-22, 0x1p-66};
  return ArrayRef(numbers).take_front(isWide(type) ? 3 : 1);
}

ArrayRef<double> NormalNumbers::get(unsigned argument, unsigned draw,
                                    int64_t count, const Execution &execution) {
  ended.clear();
  if (kept > kMostNumbers) {
    known.clear();
    kept = 0;
  }
  auto [entry, isNew] = known.try_emplace({argument, draw, count});
  std::vector<double> &numbers = entry->second;
  if (!isNew)
    return numbers;
  numbers.resize(count);
  kept += count;
  CounterRandom random = CounterRandom(seed).derive(argument, draw);
  constexpr int64_t chunk = 4096;
  execution.forEach((count + chunk - 1) / chunk, [&](int64_t i) {
    for (int64_t e = i * chunk; e < std::min(count, (i + 1) * chunk); ++e)
      numbers[e] = drawNormal(random, e);
  });
  // A part may have been left out.
  if (!execution.isOver())
    return numbers;
  std::vector<double> &last = ended.emplace_back(std::move(numbers));
  known.erase(entry);
  return last;
}

std::string InputKind::describe() const {
  std::string text = name.str() + " inputs";
  if (halved)
    text += " times 2^" + std::to_string(getPower());
  if (only)
    text += llvm::formatv(" in argument {0}", *only);
  if (signBit)
    text += llvm::formatv(" by bit {0}", *signBit);
  if (changesAlong)
    text += llvm::formatv(" along dimension {0}", *changesAlong);
  llvm::raw_string_ostream os(text);
  auto addSigns = [&](const ArgumentSet &arguments, llvm::StringRef sign) {
    for (unsigned argument : arguments.set_bits())
      os << llvm::formatv(", argument {0} {1}", argument, sign);
  };
  for (auto [i, size] : llvm::enumerate(sizes)) {
    os << (i ? ", " : " (") << llvm::formatv("argument {0} of ", i);
    if (size.mean != 0)
      os << llvm::format("%g +- ", size.mean);
    os << llvm::format("%g", size.deviation)
       << (i + 1 == sizes.size() ? ")" : "");
  }
  addSigns(negative, "negative");
  if (!special)
    return text;
  for (auto [i, elements] : llvm::enumerate(special->elements)) {
    os << llvm::format("%s with %g in argument ", i ? " and" : "",
                       elements.number);
    llvm::interleaveComma(elements.arguments, os);
  }
  if (!sizes.empty())
    os << " (" << special->pattern.getName() << ')';
  return text;
}

std::string InputKind::getKey() const {
  std::string key;
  llvm::raw_string_ostream os(key);
  os << describe() << ", " << scale << ", " << draw << ", "
     << static_cast<unsigned>(change);
  for (const ArgumentSet *set :
       {&positive, &negative, &fractions, &zeros, &halves, &ones}) {
    os << ';';
    for (unsigned argument : set->set_bits())
      os << ' ' << argument;
  }
  if (!special)
    return key;
  os << "; " << special->pattern.getName();
  for (const Special::Elements &elements : special->elements)
    os << ", " << llvm::bit_cast<uint64_t>(elements.number) << ' '
       << static_cast<unsigned>(elements.others);
  return key;
}

ArgumentSize InputKind::getSize(size_t argument, ElementType type) const {
  if (!sizes.empty())
    return sizes[argument];
  if (only && *only != argument)
    return {};
  auto inRange = [&](double number) {
    bool isLarge = std::ldexp(number, -getPower()) == kLarge;
    return type == ElementType::f64 && isLarge ? 10 * number : number;
  };
  return {inRange(offset), inRange(scale)};
}

/// Returns whether an exponential is taken of something else than a difference
/// to a maximum, which is in range for all inputs.
static bool hasPlainExponential(const MuGraph &graph) {
  std::vector<const MuNode *> definitions(graph.getNumValues());
  for (unsigned number = 0; number < graph.getNumNodes(); ++number)
    for (MuValue result : graph.getNode(number).results)
      definitions[result] = &graph.getNode(number);
  auto getOperator = [&](MuValue value) {
    const MuNode *node = definitions[value];
    while (node && node->kind == MuNode::Kind::Operator && isLayout(node->op) &&
           node->operands.size() == 1)
      node = definitions[node->operands[0]];
    return node && node->kind == MuNode::Kind::Operator ? node : nullptr;
  };
  auto isShifted = [&](MuValue value) {
    const MuNode *node = getOperator(value);
    if (!node || node->op != OpKind::Sub)
      return false;
    const MuNode *shift = getOperator(node->operands[1]);
    return shift && shift->op == OpKind::Reduce &&
           shift->attributes.reduceKind == ReduceKind::Max;
  };
  for (const MuNode *node : definitions)
    if (node && node->kind == MuNode::Kind::Operator &&
        node->op == OpKind::Exp && !isShifted(node->operands[0]))
      return true;
  return false;
}

SmallVector<InputKind> equivalence::getUnequalInputs(const MuGraph &program,
                                                     bool withExtremes) {
  constexpr unsigned mostArguments = 64, mostDims = 4;
  SmallVector<InputKind> kinds;
  MuGraph graph = expandToPrimitives(program);
  llvm::ArrayRef<MuValue> arguments = graph.getRegion().arguments;
  unsigned count = arguments.size();
  for (unsigned i = 0; i < std::min(count, mostArguments); ++i) {
    auto add = [&](InputKind kind) { kinds.emplace_back(kind).only = i; };
    // One argument alone is large among other kinds.
    if (count > 1)
      add({"single", kLarge, 0, 6});
    if (!withExtremes)
      continue;
    ElementType type = graph.getValue(arguments[i]).type;
    ShapeRef shape = graph.getShape(arguments[i]);
    for (size_t dim = 0; dim < shape.size(); ++dim)
      if (dim + 2 >= shape.size() && shape[dim] > 1) {
        InputKind uneven{"uneven", 1, 0, 0};
        uneven.changesAlong = dim;
        uneven.change = InputKind::Change::Size;
        add(uneven);
      }
    auto addExtreme = [&](InputKind kind, InputKind::Extreme extreme) {
      kind.extreme = extreme;
      add(kind);
    };
    // These leave room for what a drawn number is beyond its deviation.
    for (double huge : getHugeNumbers(type))
      addExtreme({"huge", huge / 8, 0, getHalvings(huge)},
                 InputKind::Extreme::Huge);
    for (double tiny : getTinyNumbers(type))
      addExtreme({"tiny", tiny, 0, getHalvings(tiny)},
                 InputKind::Extreme::Tiny);
  }
  if (!hasPlainExponential(graph))
    return kinds;
  for (unsigned bit = 0; count >> bit; ++bit) {
    kinds.push_back({"opposite", kLarge, 0, 6});
    kinds.back().signBit = bit;
  }
  size_t dims = 0;
  for (MuValue argument : arguments)
    dims = std::max(dims, graph.getShape(argument).size());
  for (unsigned dim = 0; dim < std::min<size_t>(dims, mostDims); ++dim)
    for (auto change : {InputKind::Change::Once, InputKind::Change::Evenly,
                        InputKind::Change::Always}) {
      kinds.push_back({"changing", 1, kLarge, 6});
      kinds.back().changesAlong = dim;
      kinds.back().change = change;
    }
  return kinds;
}

namespace {
/// The numbers of one argument.
class Draw {
public:
  Draw(const InputKind &kind, size_t argument, ElementType type, ShapeRef shape,
       ArrayRef<double> normals, const CounterRandom &places)
      : kind(kind), argument(argument), shape(shape), normals(normals),
        places(places),
        special(kind.special ? kind.special->find(argument) : nullptr),
        scale(kind.getSize(argument, type).deviation),
        offset(kind.getSize(argument, type).mean),
        smaller(getSmallerSize(type)) {}

  double operator()(int64_t element) const {
    using Others = Special::Others;
    if (special && kind.special->pattern.contains(
                       shape, element, [&](int64_t number, uint64_t stream) {
                         return places(number, stream)[0];
                       }))
      return special->number;
    if (special ? special->others == Others::One : isIn(kind.ones))
      return 1;
    if (special ? special->others == Others::Zero : isIn(kind.zeros))
      return 0;
    if (!special && isIn(kind.halves))
      return 0.5;
    double number =
        getMean(element) + (scale ? scale * drawElement(element) : 0);
    if (isSmaller(element))
      number *= smaller;
    if (kind.signBit)
      number = (argument + 1) >> *kind.signBit & 1 ? -std::abs(number)
                                                   : std::abs(number);
    if (isIn(kind.fractions))
      return 1 / (1 + std::abs(number));
    bool isPositive =
        isIn(kind.positive) || (special && special->others == Others::Positive);
    if (isPositive)
      return std::abs(number);
    return isIn(kind.negative) ? -std::abs(number) : number;
  }

private:
  bool isIn(const ArgumentSet &arguments) const {
    return argument < arguments.size() && arguments[argument];
  }
  double drawElement(int64_t element) const {
    double number = normals[element];
    // Where sizes are given, no element is much smaller or larger than its own.
    if (!kind.sizes.empty())
      return std::copysign(std::min(0.5 + std::fabs(number) / 2, 2.0), number);
    if (!kind.inBlocks)
      return number;
    int64_t columns = shape.empty() ? 1 : shape.back(),
            rows = shape.size() < 2 ? 1 : shape.rbegin()[1];
    bool isLeft = element % columns < (columns + 1) / 2,
         isUpper = element / columns % rows < (rows + 1) / 2;
    return isLeft == isUpper ? -std::abs(number) : std::abs(number);
  }
  bool isSmaller(int64_t element) const {
    if (!kind.changesAlong || kind.change != InputKind::Change::Size ||
        kind.only != argument)
      return false;
    int64_t stride = elementCount(shape.drop_front(*kind.changesAlong + 1));
    return element / stride % shape[*kind.changesAlong] % 2 == 1;
  }
  double getMean(int64_t element) const {
    if (!kind.changesAlong || kind.change == InputKind::Change::Size)
      return offset;
    unsigned dim = *kind.changesAlong;
    if (dim >= shape.size() || shape[dim] == 1)
      return 0;
    int64_t stride = elementCount(shape.drop_front(dim + 1)),
            extent = shape[dim], index = element / stride % extent;
    switch (kind.change) {
    case InputKind::Change::Once:
      return index < extent / 2 ? offset : -offset;
    case InputKind::Change::Always:
      return index % 2 ? offset : -offset;
    case InputKind::Change::Evenly:
    case InputKind::Change::Size:
      break;
    }
    return offset * (1 - 2 * static_cast<double>(index) /
                             static_cast<double>(extent - 1));
  }

  const InputKind &kind;
  size_t argument;
  ShapeRef shape;
  ArrayRef<double> normals;
  /// The places of patterns are the same for all arguments.
  const CounterRandom &places;
  const Special::Elements *special;
  double scale, offset, smaller;
};
} // namespace

SmallVector<TensorValue> equivalence::drawInputs(const MuGraph &graph,
                                                 NormalNumbers &normals,
                                                 const InputKind &kind,
                                                 const Execution &execution) {
  SmallVector<TensorValue> inputs;
  CounterRandom places =
      CounterRandom(normals.getSeed())
          .derive(graph.getRegion().arguments.size(), kind.draw);
  for (auto [i, argument] : llvm::enumerate(graph.getRegion().arguments)) {
    ElementType type = graph.getValue(argument).type;
    Tensor<double> tensor{Shape(graph.getShape(argument))};
    Draw draw(kind, i, type, tensor.shape,
              normals.get(i, kind.draw, tensor.data.size(), execution), places);
    execution.forEach((tensor.data.size() + 4095) / 4096, [&](int64_t chunk) {
      int64_t count = tensor.data.size(),
              end = std::min(count, (chunk + 1) * 4096);
      for (int64_t e = chunk * 4096; e < end; ++e)
        tensor.data[e] = roundTo(type, draw(e));
    });
    inputs.push_back({type, std::move(tensor)});
  }
  return inputs;
}

Results::Results(const MuGraph &program, llvm::ArrayRef<TensorValue> inputs,
                 const Execution &execution) {
  auto run = [&](int64_t which) {
    if (which == 0)
      exact = runMuGraph(program, inputs, Precision::F64,
                         {.execution = &execution});
    else
      storage = runMuGraph(
          program, inputs, Precision::Storage,
          {.execution = &execution, .overflowsInside = &overflowsInside});
  };
  // Operators of small programs are not worth more than one thread.
  constexpr double small = 1e7;
  if (estimateWork(program) <= small)
    execution.forEach(2, run);
  // Runs that were left out, since work is over, give blank results.
  if (exact.empty())
    run(0);
  if (storage.empty())
    run(1);
}

/// Scalar operations of one run of a region.
static double estimateRegion(const MuGraph &graph, unsigned region) {
  double work = 0;
  for (unsigned number : graph.getRegion(region).nodes) {
    const MuNode &node = graph.getNode(number);
    if (node.kind == MuNode::Kind::Graph || node.kind == MuNode::Kind::Loop)
      work += static_cast<double>(elementCount(node.extents)) *
              estimateRegion(graph, node.body);
    if (node.kind != MuNode::Kind::Operator)
      continue;
    SmallVector<Shape, 4> shapes;
    for (MuValue operand : node.operands)
      shapes.push_back(Shape(graph.getShape(operand)));
    work +=
        static_cast<double>(countOp(node.op, node.attributes, shapes).flops);
  }
  // Drawing a normal number costs some fifty.
  for (MuValue argument : graph.getRegion(region).arguments)
    if (region == 0)
      work +=
          50.0 * static_cast<double>(elementCount(graph.getShape(argument)));
  return work;
}

double equivalence::estimateWork(const MuGraph &graph) {
  return estimateRegion(graph, 0);
}

FloatPair::FloatPair(const MuGraph &left, const MuGraph &right, double work,
                     Sums sums)
    : lhs(&left), rhs(&right) {
  isShrunk = !fits(work);
  if (!isShrunk)
    return;
  ShrinkOptions options;
  auto shrink = [&](bool keepReductions, int64_t smallest) {
    options.keepReductions = keepReductions;
    options.smallest = smallest;
    small = shrinkPair(left, right, options);
    lhs = &small.lhs;
    rhs = &small.rhs;
    return fits(work);
  };
  // Some rows: the error is the largest of all elements.
  for (int64_t rows : {4, 2})
    if (shrink(/*keepReductions=*/true, rows))
      return;
  if (sums == Sums::Keep)
    return;
  // Errors do not depend on whether dimensions differ, as proofs and tests over
  // fields do, so that this is given up last.
  for (bool keepDifferent : {true, false}) {
    options.keepDifferent = keepDifferent;
    for (int64_t smallest : {1024, 512, 256, 64, 16, 4, 2})
      if (shrink(/*keepReductions=*/false, smallest))
        return;
  }
  // A size that many launches divide, each of them in another way, is a product
  // of many extents.
  for (bool rewriteCounts : {false, true}) {
    options.rewriteCounts = rewriteCounts;
    if (shrink(/*keepReductions=*/false, /*smallest=*/1))
      return;
  }
}

FloatPair::FloatPair(const MuGraph &left, const MuGraph &right,
                     const ShrinkOptions &options)
    : isShrunk(true), small(shrinkPair(left, right, options)) {
  lhs = &small.lhs;
  rhs = &small.rhs;
}

/// Returns how many elements the constants of a program have together.
static size_t countElements(const MuGraph &graph) {
  size_t count = 0;
  for (unsigned number = 0; number < graph.getNumNodes(); ++number)
    if (const MuNode &node = graph.getNode(number);
        node.kind == MuNode::Kind::Operator && node.op == OpKind::Constant)
      count += node.attributes.values->size();
  return count;
}

bool FloatPair::hasPartsOfConstants(const MuGraph &left,
                                    const MuGraph &right) const {
  return countElements(*lhs) < countElements(left) ||
         countElements(*rhs) < countElements(right);
}

bool FloatPair::fits(double work) const {
  return estimateWork(*lhs) + estimateWork(*rhs) <= work;
}
