//===- OperatorForms.cpp - The operators that candidates are made of ------===//
//
// Collects the program's operators as candidates use them, and the operators
// that programs equal to it may have.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/SearchProblem.h"
#include "Mirage/Semantics/ProductDims.h"
#include "SimplifyProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;
using Kind = OperatorForm::Kind;

void SearchProblem::addForm(OperatorForm form) {
  for (OperatorForm &other : forms)
    if (other.kind == form.kind && other.op == form.op &&
        other.constants == form.constants &&
        other.splitsOnly == form.splitsOnly &&
        other.attributes == form.attributes &&
        other.fromAxes == form.fromAxes && other.toAxes == form.toAxes) {
      other.isOfNorm &= form.isOfNorm;
      return;
    }
  forms.push_back(std::move(form));
}

const MuNode *SearchProblem::getDefinition(MuValue value) const {
  for (unsigned number : program.getRegion().nodes)
    if (llvm::is_contained(program.getNode(number).results, value))
      return &program.getNode(number);
  return nullptr;
}

static bool isMaximum(const MuNode &node) {
  return node.op == OpKind::Reduce &&
         node.attributes.reduceKind == ReduceKind::Max;
}

/// Whether a maximum is subtracted from what it is taken of, before an
/// exponential, and not used otherwise.
bool SearchProblem::isShiftMaximum(const MuNode &node) const {
  if (!isMaximum(node) || !node.attributes.keep || node.attributes.group)
    return false;
  auto isUsedOnlyBy = [&](MuValue value, OpKind kind) {
    bool any = false;
    for (unsigned number : program.getRegion().nodes) {
      const MuNode &user = program.getNode(number);
      if (!llvm::is_contained(user.operands, value))
        continue;
      any = true;
      if (user.op != kind || (kind == OpKind::Sub && user.operands[1] != value))
        return false;
    }
    return any && !llvm::is_contained(program.getRegion().results, value);
  };
  MuValue result = node.results[0];
  if (!isUsedOnlyBy(result, OpKind::Sub))
    return false;
  return llvm::all_of(program.getRegion().nodes, [&](unsigned number) {
    const MuNode &user = program.getNode(number);
    return !llvm::is_contained(user.operands, result) ||
           (user.operands[0] == node.operands[0] &&
            isUsedOnlyBy(user.results[0], OpKind::Exp));
  });
}

bool SearchProblem::isPlainMaximum(const MuNode &node) const {
  return isMaximum(node) && !isShiftMaximum(node);
}

/// Returns the attributes that candidates' operators have of the program's. The
/// shape and the type of results are their own.
static OpAttributes getFormAttributes(const MuNode &node) {
  OpAttributes attributes = node.attributes;
  attributes.resultShape.clear();
  attributes.resultType.reset();
  return attributes;
}

bool SearchProblem::addForms(const MuNode &node, bool isOfNorm,
                             std::string &reason) {
  OperatorForm form;
  form.isOfNorm = isOfNorm;
  form.op = node.op;
  form.attributes = getFormAttributes(node);
  llvm::StringRef name = getOpInfo(node.op).mnemonic;
  auto refuse = [&](llvm::StringRef what) {
    reason = llvm::formatv("candidates have no '{0}'{1}", name, what);
    return false;
  };
  auto markSummed = [&](MuValue value, int64_t dim) {
    for (unsigned axis : axes.dims[value][dim])
      summedAxes.insert(axis);
  };
  auto getConstant = [&](MuValue value) -> std::optional<double> {
    const MuNode *definition = getDefinition(value);
    return definition ? getSplat(*definition) : std::nullopt;
  };
  auto isShift = [&](MuValue value) {
    const MuNode *definition = getDefinition(value);
    return definition && isShiftMaximum(*definition);
  };

  switch (node.op) {
  case OpKind::Constant:
    return getSplat(node) || refuse(" whose elements differ; make it an input");
  case OpKind::Matmul:
    form.kind = Kind::Matmul;
    markSummed(node.operands[0],
               getContractedDim(node.attributes, ProductOperand::Lhs,
                                program.getShape(node.operands[0]).size()));
    for (bool lhs : {false, true})
      for (bool rhs : {false, true}) {
        form.attributes.transposeLhs = lhs;
        form.attributes.transposeRhs = rhs;
        addForm(form);
      }
    return true;
  case OpKind::Reduce:
    if (node.attributes.group)
      return refuse(" of groups");
    markSummed(node.operands[0], node.attributes.dim);
    form.kind = Kind::ReduceSum;
    if (isPlainMaximum(node)) {
      form.kind = Kind::ReducePlainMax;
    } else if (isShiftMaximum(node)) {
      form.kind = Kind::ReduceMax;
      for (unsigned axis : axes.dims[node.operands[0]][node.attributes.dim])
        shiftAxes.insert(axis);
    }
    form.attributes.dim = 0;
    addForm(form);
    return true;
  case OpKind::Transpose:
    form.kind = Kind::Transpose;
    addForm(form);
    return true;
  case OpKind::Reshape: {
    form.kind = Kind::Reshape;
    for (ArrayRef<unsigned> dim : axes.dims[node.operands[0]])
      form.fromAxes.emplace_back(dim);
    for (ArrayRef<unsigned> dim : axes.dims[node.results[0]])
      form.toAxes.emplace_back(dim);
    addForm(form);
    return true;
  }
  default:
    break;
  }
  if (!isElementwise(node.op))
    return refuse("");
  if (node.op == OpKind::Exp || node.op == OpKind::Exp2) {
    // The exponential is taken with a maximum subtracted, or without.
    const MuNode *definition = getDefinition(node.operands[0]);
    if (!definition || definition->op != OpKind::Sub ||
        !isShift(definition->operands[1]))
      plainArguments.push_back(node.operands[0]);
  }
  for (auto [position, operand] : llvm::enumerate(node.operands))
    if (auto constant = getConstant(operand))
      form.constants.push_back({static_cast<unsigned>(position), *constant});
  switch (node.operands.size() - form.constants.size()) {
  case 1:
    form.kind = Kind::Unary;
    break;
  case 2:
    // The subtraction of a maximum is a form of its own.
    form.kind = node.op == OpKind::Sub && isShift(node.operands[1])
                    ? Kind::SubtractShift
                    : Kind::Binary;
    break;
  case 3:
    form.kind = Kind::Ternary;
    break;
  default:
    return refuse(" of constants alone");
  }
  addForm(form);
  return true;
}

/// Finds the axes that inputs' expressions cannot have. Two dimensions of a
/// value can be the same axis, as where rows of x are multiplied with rows of
/// x. A sum over one of them binds half of the axis, and expressions do not say
/// which, unless all of it is bound in the end, and in the same way.
void SearchProblem::findAmbiguousAxes() {
  bool exchanges = llvm::any_of(forms, [](const OperatorForm &form) {
    return form.kind == Kind::Matmul || form.kind == Kind::Transpose ||
           form.kind == Kind::Reshape;
  });
  // If nothing moves an axis elsewhere, values can have it twice only if inputs
  // have it in different places.
  llvm::SmallVector<std::optional<size_t>> places(getNumAxes());
  AxisSet repeatable;
  for (const TensorInfo &input : inputs)
    for (auto [place, dim] : llvm::enumerate(input.dims))
      for (const AxisPart &part : dims[dim]) {
        std::optional<size_t> &known = places[part.axis];
        if (exchanges || known.value_or(place) != place)
          repeatable.insert(getUnsplit(part.axis));
        known = place;
      }

  AxisSet free;
  for (const TensorInfo &result : results)
    free |= getAxes(result.dims);
  // An axis is also free if it is summed inside of a function whose value still
  // has it.
  std::vector<AxisSet> summed(program.getNumValues());
  for (unsigned number : program.getRegion().nodes) {
    const MuNode &node = program.getNode(number);
    AxisSet &own = summed[node.results[0]];
    for (MuValue operand : node.operands)
      own |= summed[operand];
    // Expressions have functions of conditions, and of what maxima are of.
    bool isPlain = isPlainMaximum(node);
    if (isPlain || node.op == OpKind::Select ||
        (isElementwise(node.op) &&
         getOpInfo(node.op).linearity == Linearity::None))
      for (MuValue operand : node.operands)
        free |= summed[operand] & getAxes(getDims(operand));
    Dims before = node.operands.empty() ? Dims() : getDims(node.operands[0]);
    if (node.op == OpKind::Reduce &&
        (isPlain || node.attributes.reduceKind == ReduceKind::Sum))
      own |= getAxes(before[node.attributes.dim]);
    else if (node.op == OpKind::Matmul)
      own |= getAxes(before[getContractedDim(
          node.attributes, ProductOperand::Lhs, before.size())]);
  }
  ambiguousAxes = summedAxes & free & repeatable;
}

/// Adds operators that the program does not have, but equal programs may have.
void SearchProblem::addClosure(bool ofNorms) {
  auto hasOperator = [&](std::initializer_list<OpKind> ops) {
    return llvm::any_of(forms, [&](const OperatorForm &form) {
      return llvm::is_contained(ops, form.op) && (ofNorms || !form.isOfNorm);
    });
  };
  auto add = [&](Kind kind, OpKind op, bool splitsOnly = false) {
    OperatorForm added;
    added.kind = kind;
    added.op = op;
    added.splitsOnly = splitsOnly;
    added.isOfNorm = ofNorms;
    addForm(std::move(added));
  };
  if (hasOperator({OpKind::Mul, OpKind::Div, OpKind::Rsqrt}))
    add(Kind::Binary, OpKind::Mul);
  if (hasOperator({OpKind::Div}))
    add(Kind::Binary, OpKind::Div);
  // Splits are summed without keeping their dimension.
  if (hasOperator({OpKind::Reduce, OpKind::Matmul}))
    add(Kind::ReduceSum, OpKind::Reduce, /*splitsOnly=*/true);
  add(Kind::Accumulate, OpKind::Add);
  add(Kind::AccumulateConcat, OpKind::Add);
  if (!shiftAxes.empty())
    add(Kind::AccumulateMax, OpKind::Add);
  if (llvm::any_of(forms, [](const OperatorForm &form) {
        return form.kind == Kind::ReducePlainMax;
      }))
    add(Kind::AccumulatePlainMax, OpKind::Add);
}

void SearchProblem::addComposite(const MuGraph &from, const MuNode &node,
                                 MuValue operand) {
  OperatorForm form;
  form.kind = Kind::Composite;
  form.op = node.op;
  form.attributes = getFormAttributes(node);
  ShapeRef shape = from.getShape(node.operands[0]);
  size_t dim = shape.size() - 1;
  switch (node.op) {
  case OpKind::RmsNorm:
  case OpKind::LayerNorm:
    // Weights are products and sums of their own.
    form.attributes.hasWeight = form.attributes.hasBias = false;
    break;
  case OpKind::Softmax:
  case OpKind::LogSoftmax:
    dim = node.attributes.dim;
    break;
  default:
    return;
  }
  form.along = getDims(operand)[dim];
  form.attributes.dim = 0;
  for (const OperatorForm &other : forms)
    if (other.kind == Kind::Composite && other.op == form.op &&
        other.along == form.along && other.attributes == form.attributes)
      return;
  MuGraph definition;
  OpAttributes attributes = form.attributes;
  attributes.dim = static_cast<int64_t>(dim);
  MuValue argument = definition.addArgument(0, shape, ElementType::f32);
  definition.setResults(0,
                        {definition.addOperator(0, form.op, attributes,
                                                {argument}, ElementType::f32)});
  form.definition =
      std::make_shared<const MuGraph>(simplifyProgram(definition).graph);
  forms.push_back(std::move(form));
}
