//===- Hazards.cpp - Where a program loses what it computes ---------------===//
//
// Estimates all values of a program, by the definitions of operators that
// Element.h and Composite.h have, and compares two programs over a grid of
// arguments' sizes.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Floats/Hazards.h"
#include "Estimate.h"
#include "Mirage/MuGraph/ForwardAnalysis.h"
#include "Mirage/Semantics/Composite.h"
#include "Mirage/Semantics/Element.h"

using namespace mirage;
using namespace mirage::equivalence;
using llvm::ArrayRef;
using llvm::SmallVector;

llvm::StringRef equivalence::describeHazard(HazardKind kind) {
  switch (kind) {
  case HazardKind::Overflow:
    return "overflows";
  case HazardKind::Underflow:
    return "underflows";
  case HazardKind::Pole:
    return "divides by zero";
  case HazardKind::Cancellation:
    return "cancels";
  case HazardKind::Rounding:
    return "rounds to few digits";
  case HazardKind::NotFinite:
    return "has a result that is not finite";
  }
  llvm_unreachable("unknown hazard");
}

double ResultEstimate::getRelativeError() const {
  return error == 0 ? 0 : magnitude > 0 ? error / magnitude : HUGE_VAL;
}

//===----------------------------------------------------------------------===//
// Estimates of a program
//===----------------------------------------------------------------------===//

namespace {
/// An index or a condition of the system below, of which nothing is known.
struct Anything {};

/// The system of Element.h in which one element stands for all of a value.
struct EstimateSystem : EstimateArithmetic {
  using Index = Anything;
  using Condition = Anything;
  using EstimateArithmetic::add;
  using EstimateArithmetic::EstimateArithmetic;

  Estimate read(unsigned operand, ArrayRef<Anything>) {
    return operands[operand];
  }
  /// A constant of several numbers.
  Estimate element(ArrayRef<Anything>) {
    Estimate all = constant(values->front());
    for (size_t i = 1; i < values->size(); ++i)
      if ((*values)[i] != (*values)[i - 1])
        all = join(all, constant((*values)[i]));
    return all;
  }
  Anything index(int64_t) { return {}; }
  Anything add(Anything, Anything) { return {}; }
  Anything addConstant(Anything, int64_t) { return {}; }
  Anything mulConstant(Anything, int64_t) { return {}; }
  Anything divConstant(Anything, int64_t) { return {}; }
  Anything remConstant(Anything, int64_t) { return {}; }
  Anything inRange(Anything, int64_t, int64_t) { return {}; }
  Anything both(Anything, Anything) { return {}; }
  template <typename Then, typename Else>
  Estimate select(Anything, Then then, Else otherwise) {
    return join(then(), otherwise());
  }
  /// All iterations add the same estimate to a sum, or compare a maximum with
  /// it.
  template <typename Body>
  Estimate reduce(ArrayRef<int64_t> extents, Estimate initial, Body body) {
    SmallVector<Anything, 3> indices(extents.size());
    if (initial.isMask)
      return maximum(body(ArrayRef<Anything>(indices), initial));
    Estimate term = body(ArrayRef<Anything>(indices), constant(0));
    return add(initial, sum(term, static_cast<double>(elementCount(extents))));
  }

  ArrayRef<Estimate> operands;
  const std::vector<double> *values = nullptr;
};

/// Estimates of all values of a program.
class EstimateAnalysis final : public ForwardAnalysis<Estimate> {
public:
  EstimateAnalysis(const MuGraph &graph, ArrayRef<ArgumentSize> arguments,
                   double headroom)
      : ForwardAnalysis(graph), headroom(headroom) {
    for (auto [argument, size] :
         llvm::zip_equal(graph.getRegion().arguments, arguments)) {
      Estimate estimate;
      estimate.center = size.mean;
      estimate.deviation = size.deviation;
      estimate.isSingle = size.isSingle;
      estimate.identity = ++identities;
      set(argument, estimate);
    }
    run();
  }

private:
  /// A value inside of a composite operator.
  struct Part {
    Estimate estimate;
    Shape shape;
  };
  /// The builder of Composite.h that estimates at once.
  struct Builder {
    EstimateAnalysis &analysis;
    ElementType type;
    unsigned location;
    Part apply(OpKind kind, const OpAttributes &attributes,
               ArrayRef<Part> operands) {
      return analysis.apply(kind, attributes, operands, type, location);
    }
  };

  Part apply(OpKind kind, const OpAttributes &attributes,
             ArrayRef<Part> operands, ElementType type, unsigned location);
  Estimate visitOperator(const MuNode &node) override;
  Estimate visitAccumulate(const MuNode &node) override;
  Estimate visitStore(const MuNode &node) override;

  /// Arithmetic is in f64 where a tensor of f64 takes part, else in f32.
  ElementType getArithmeticType(const MuNode &node) const {
    auto isDouble = [&](MuValue value) {
      return graph.getValue(value).type == ElementType::f64;
    };
    return llvm::any_of(node.operands, isDouble) ||
                   llvm::any_of(node.results, isDouble)
               ? ElementType::f64
               : ElementType::f32;
  }
  EstimateArithmetic getArithmetic(const MuNode &node) {
    return {getArithmeticType(node), node.location, headroom, identities};
  }

  double headroom;
  int identities = 0;
};
} // namespace

EstimateAnalysis::Part EstimateAnalysis::apply(OpKind kind,
                                               const OpAttributes &attributes,
                                               ArrayRef<Part> operands,
                                               ElementType type,
                                               unsigned location) {
  if (isComposite(kind))
    return buildComposite<Part>(kind, attributes, operands[0].shape, operands,
                                Builder{*this, type, location});
  SmallVector<Shape, 4> shapes;
  SmallVector<Estimate, 4> estimates;
  for (const Part &operand : operands) {
    shapes.push_back(operand.shape);
    estimates.push_back(operand.estimate);
  }
  SmallVector<Shape, 1> results;
  std::string error;
  if (llvm::failed(inferShapes(kind, attributes, shapes, results, error)))
    llvm_unreachable("shapes are checked when a graph is built");
  EstimateSystem system(type, location, headroom, identities);
  system.operands = estimates;
  system.values = attributes.values.get();
  SmallVector<Anything, 4> at(results.front().size());
  return {
      evaluateElement<EstimateSystem>(kind, attributes, shapes, 0, at, system),
      results.front()};
}

Estimate EstimateAnalysis::visitOperator(const MuNode &node) {
  SmallVector<Part, 4> operands;
  for (MuValue operand : node.operands)
    operands.push_back({get(operand), Shape(graph.getShape(operand))});
  Estimate result = apply(node.op, node.attributes, operands,
                          getArithmeticType(node), node.location)
                        .estimate;
  // What is chosen or laid out is not rounded.
  NumberRange type = getNumberRange(graph.getValue(node.results[0]).type);
  bool isHeld = llvm::all_of(node.operands, [&](MuValue operand) {
    NumberRange of = getNumberRange(graph.getValue(operand).type);
    return of.unit >= type.unit && of.tiny >= type.tiny;
  });
  if (isHeld && !node.operands.empty() &&
      (isLayout(node.op) || result.error == 0))
    return result;
  return getArithmetic(node).store(graph.getValue(node.results[0]).type,
                                   result);
}

Estimate EstimateAnalysis::visitAccumulate(const MuNode &node) {
  const Estimate &value = get(node.operands[0]);
  if (node.accumulate == AccumulateKind::Concat)
    return value;
  if (node.accumulate == AccumulateKind::Max)
    return EstimateArithmetic::maximum(value);
  // The sum so far is stored after each iteration.
  double count = static_cast<double>(getLoopExtent());
  EstimateArithmetic arithmetic = getArithmetic(node);
  return arithmetic.store(graph.getValue(node.results[0]).type,
                          arithmetic.sum(value, count), count);
}

Estimate EstimateAnalysis::visitStore(const MuNode &node) {
  Estimate value = get(node.operands[0]);
  ElementType type = graph.getValue(node.results[0]).type;
  EstimateArithmetic arithmetic = getArithmetic(node);
  for (auto [entry, extent] : llvm::zip(node.omap, getPoints())) {
    double count = static_cast<double>(extent);
    if (entry == kReduceSum)
      value = arithmetic.store(type, arithmetic.sum(value, count), count);
    else if (entry == kReduceMax)
      value = EstimateArithmetic::maximum(value);
  }
  return value;
}

SmallVector<ResultEstimate, 2> equivalence::estimateResults(
    const MuGraph &program, ArrayRef<ArgumentSize> arguments, double headroom) {
  EstimateAnalysis analysis(program, arguments, headroom);
  SmallVector<ResultEstimate, 2> results;
  for (MuValue result : program.getRegion().results) {
    const Estimate &estimate = analysis.get(result);
    results.push_back({estimate.size(), estimate.error, estimate.hazard});
  }
  return results;
}
