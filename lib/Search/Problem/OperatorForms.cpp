//===- OperatorForms.cpp - The operators that candidates are made of ------===//
//
// Collects the program's operators as candidates use them, and the operators
// that programs equal to it may have.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/SearchProblem.h"
#include "Mirage/Semantics/ProductDims.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "SimplifyProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;
using Kind = OperatorForm::Kind;

FormId SearchProblem::addForm(OperatorForm form) {
  OperatorForm sought = form;
  for (auto [number, other] : llvm::enumerate(forms)) {
    // Where a form comes from makes it no other one, and its definition follows
    // from what it is.
    sought.isOfNorm = other.isOfNorm;
    sought.definition = other.definition;
    if (other == sought) {
      other.isOfNorm &= form.isOfNorm;
      return number;
    }
  }
  forms.push_back(std::move(form));
  return forms.size() - 1;
}

MuValue SearchProblem::getStepValue(MuValue value) const {
  while (const MuNode *definition = getDefinition(value)) {
    bool isView = definition->op == OpKind::Transpose ||
                  definition->op == OpKind::Reshape;
    // A sum over one element is this element.
    if (std::optional<ArrayRef<unsigned>> reduced = getReduced(*definition);
        !isView && (!reduced || !reduced->empty()))
      break;
    value = definition->operands[0];
  }
  return value;
}

std::optional<uint8_t> SearchProblem::getCopiedInput(unsigned result) const {
  const MuRegion &body = program.getRegion();
  const MuValue *argument =
      llvm::find(body.arguments, getStepValue(body.results[result]));
  if (argument == body.arguments.end())
    return std::nullopt;
  return argument - body.arguments.begin();
}

/// Adds a form, and the node as an operator of this form.
void SearchProblem::addStep(const MuNode &node, OperatorForm form) {
  ProgramStep step;
  step.result = node.results[0];
  for (auto [position, operand] : llvm::enumerate(node.operands))
    if (!form.isConstant(position))
      step.operands.push_back(getStepValue(operand));
  std::optional<ArrayRef<unsigned>> reduced = getReduced(node);
  bool isView = getStepValue(step.result) != step.result;
  if (reduced && !isView)
    step.reduced = addReduced(*reduced);
  step.formId = addForm(std::move(form));
  if (!isView)
    steps.push_back(std::move(step));
}

std::optional<std::pair<uint8_t, uint8_t>>
SearchProblem::getPart(const MuNode &node) const {
  if (node.op != OpKind::Slice)
    return std::nullopt;
  ShapeRef shape = program.getShape(node.operands[0]);
  std::optional<std::pair<uint8_t, uint8_t>> part;
  for (auto [dim, size] : llvm::enumerate(node.attributes.sizes)) {
    if (size == shape[dim])
      continue;
    ArrayRef<unsigned> own = axes.dims[node.operands[0]][dim];
    if (part || size != 1 || own.size() != 1 || shape[dim] > 255)
      return std::nullopt;
    part = {own.front(), node.attributes.offsets[dim]};
  }
  return part;
}

const MuNode *SearchProblem::getDefinition(MuValue value) const {
  for (unsigned number : program.getRegion().nodes)
    if (llvm::is_contained(program.getNode(number).results, value))
      return &program.getNode(number);
  return nullptr;
}

bool SearchProblem::isMaximum(const MuNode &node) {
  return node.op == OpKind::Reduce &&
         node.attributes.reduceKind == ReduceKind::Max;
}

/// The value itself, or what it is another view of.
MuValue SearchProblem::getBase(MuValue value) const {
  while (const MuNode *definition = getDefinition(value)) {
    if (definition->op != OpKind::Transpose &&
        definition->op != OpKind::Reshape)
      break;
    value = definition->operands[0];
  }
  return value;
}

/// Returns whether a value is the logarithm of a sum of exponentials of
/// differences to a maximum.
bool SearchProblem::isLogarithmOf(MuValue value, MuValue maximum) const {
  for (OpKind kind : {OpKind::Log, OpKind::Reduce, OpKind::Exp}) {
    const MuNode *definition = getDefinition(getBase(value));
    if (!definition || definition->op != kind || isMaximum(*definition))
      return false;
    value = definition->operands[0];
  }
  const MuNode *difference = getDefinition(getBase(value));
  return difference && difference->op == OpKind::Sub &&
         getBase(difference->operands[1]) == maximum;
}

/// Returns whether a maximum is subtracted from what it is taken of, before an
/// exponential, and not used otherwise but to be added to the logarithm of what
/// is relative to it.
bool SearchProblem::isShiftMaximum(const MuNode &node) const {
  if (!isMaximum(node))
    return false;
  // Users of a value, under whatever view.
  auto getUsers = [&](MuValue value) {
    llvm::SmallVector<const MuNode *, 2> users;
    for (unsigned number : program.getRegion().nodes) {
      const MuNode &user = program.getNode(number);
      bool isUser = llvm::any_of(user.operands, [&](MuValue operand) {
        return getBase(operand) == value;
      });
      if (isUser && user.op != OpKind::Transpose && user.op != OpKind::Reshape)
        users.push_back(&user);
    }
    return users;
  };
  auto isResult = [&](MuValue value) {
    return llvm::any_of(program.getRegion().results, [&](MuValue result) {
      return getBase(result) == value;
    });
  };
  MuValue maximum = node.results[0], argument = getBase(node.operands[0]);
  auto isShift = [&](const MuNode *user) {
    if (user->op != OpKind::Sub || getBase(user->operands[0]) != argument ||
        getBase(user->operands[1]) != maximum || isResult(user->results[0]))
      return false;
    auto exponentials = getUsers(user->results[0]);
    return !exponentials.empty() &&
           llvm::all_of(exponentials, [](const MuNode *exponential) {
             return exponential->op == OpKind::Exp;
           });
  };
  auto isAdded = [&](const MuNode *user) {
    return user->op == OpKind::Add &&
           ((getBase(user->operands[1]) == maximum &&
             isLogarithmOf(user->operands[0], maximum)) ||
            (getBase(user->operands[0]) == maximum &&
             isLogarithmOf(user->operands[1], maximum)));
  };
  auto users = getUsers(maximum);
  return llvm::any_of(users, isShift) && !isResult(maximum) &&
         llvm::all_of(users, [&](const MuNode *user) {
           return isShift(user) || isAdded(user);
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

/// Says why candidates have no such operator, and returns false.
static bool refuse(const MuNode &node, llvm::StringRef why,
                   std::string &reason) {
  reason = llvm::formatv("candidates have no '{0}'{1}",
                         getOpInfo(node.op).mnemonic, why);
  return false;
}

bool SearchProblem::addForms(const MuNode &node, bool isOfNorm,
                             std::string &reason) {
  OperatorForm form;
  form.isOfNorm = isOfNorm;
  form.op = node.op;
  form.attributes = getFormAttributes(node);
  auto markSummed = [&] {
    ArrayRef<unsigned> reduced = *getReduced(node);
    for (unsigned axis : reduced)
      summedAxes.insert(axis);
  };

  switch (node.op) {
  case OpKind::Constant:
    return getSplat(node) ||
           refuse(node, " whose elements differ; make it an input", reason);
  case OpKind::Matmul:
    // Only operators that are computed element by element take constants.
    if (llvm::any_of(node.operands, [&](MuValue operand) {
          const MuNode *definition = getDefinition(getStepValue(operand));
          return definition && definition->op == OpKind::Constant;
        }))
      return refuse(node, " of a constant", reason);
    form.kind = Kind::Matmul;
    markSummed();
    form.attributes.transposeLhs = form.attributes.transposeRhs = false;
    addStep(node, std::move(form));
    return true;
  case OpKind::Reduce:
    markSummed();
    form.kind = Kind::ReduceSum;
    if (isPlainMaximum(node)) {
      form.kind = Kind::ReducePlainMax;
    } else if (isShiftMaximum(node)) {
      form.kind = Kind::ReduceMax;
      ArrayRef<unsigned> reduced = *getReduced(node);
      for (unsigned axis : reduced)
        shiftAxes.insert(axis);
    }
    form.attributes.dim = 0;
    form.attributes.keep = true;
    addStep(node, std::move(form));
    return true;
  case OpKind::Slice: {
    auto part = getPart(node);
    if (!part)
      return refuse(node, " of other than one of equal parts", reason);
    form.kind = Kind::Part;
    form.attributes = {};
    form.along = getWholeAxis(part->first);
    form.place = part->second;
    if (!llvm::is_contained(places[part->first], part->second))
      places[part->first].push_back(part->second);
    addStep(node, std::move(form));
    return true;
  }
  // Values have no positions.
  case OpKind::Transpose:
  case OpKind::Reshape:
    return true;
  default:
    break;
  }
  if (!isElementwise(node.op))
    return refuse(node, "", reason);
  return addElementwiseForm(node, std::move(form), reason);
}

/// Adds the form of an elementwise operator, whose operands that are constants
/// belong to the form.
bool SearchProblem::addElementwiseForm(const MuNode &node, OperatorForm form,
                                       std::string &reason) {
  auto getConstant = [&](MuValue value) -> std::optional<double> {
    const MuNode *definition = getDefinition(getBase(value));
    return definition ? getSplat(*definition) : std::nullopt;
  };
  auto isShift = [&](MuValue value) {
    const MuNode *definition = getDefinition(getBase(value));
    return definition && isShiftMaximum(*definition);
  };
  if (node.op == OpKind::Exp || node.op == OpKind::Exp2) {
    // The exponential is taken with a maximum subtracted, or without.
    const MuNode *definition = getDefinition(getBase(node.operands[0]));
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
    if (node.op == OpKind::Add &&
        (isShift(node.operands[0]) || isShift(node.operands[1])))
      form.kind = Kind::AddShift;
    break;
  case 3:
    form.kind = Kind::Ternary;
    break;
  default:
    return refuse(node, " of constants alone", reason);
  }
  addStep(node, std::move(form));
  return true;
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

/// Returns what a composite operator gives before its weights are multiplied
/// and its bias is added.
MuValue SearchProblem::getUnweighted(const MuNode &node, MuValue result) const {
  MuValue value = getStepValue(result);
  for (auto [has, op] : {std::pair(node.attributes.hasBias, OpKind::Add),
                         std::pair(node.attributes.hasWeight, OpKind::Mul)})
    if (const MuNode *definition = getDefinition(value);
        has && definition && definition->op == op)
      value = getStepValue(definition->operands[0]);
  return value;
}

/// Takes composite operators as steps, in place of the operators that nothing
/// else needs then.
void SearchProblem::findWholeSteps() {
  wholeSteps.clear();
  llvm::DenseSet<MuValue> needed;
  for (MuValue result : program.getRegion().results)
    needed.insert(getStepValue(result));
  for (const ProgramStep &step : llvm::reverse(steps)) {
    if (!needed.contains(step.result))
      continue;
    auto whole = llvm::find_if(compositeSteps, [&](const ProgramStep &other) {
      return other.result == step.result;
    });
    wholeSteps.push_back(whole == compositeSteps.end() ? step : *whole);
    needed.insert_range(wholeSteps.back().operands);
  }
  std::reverse(wholeSteps.begin(), wholeSteps.end());
}

void SearchProblem::addComposite(const MuGraph &from, const MuNode &node,
                                 MuValue operand, MuValue result) {
  OperatorForm form;
  form.kind = Kind::Composite;
  form.op = node.op;
  form.attributes = getFormAttributes(node);
  Shape shape(from.getShape(node.operands[0]));
  size_t dim = shape.size() - 1;
  // The axes that belong to the operator's dimension, the last of the value's.
  llvm::SmallVector<unsigned, 4> along;
  for (ArrayRef<unsigned> own : axes.dims[operand])
    llvm::append_range(along, own);
  switch (node.op) {
  case OpKind::RmsNorm:
  case OpKind::LayerNorm:
    // Weights are products and sums of their own.
    form.attributes.hasWeight = form.attributes.hasBias = false;
    break;
  case OpKind::GroupNorm:
  case OpKind::InstanceNorm: {
    // A group of channels is normalized like a row.
    int64_t groups =
        node.op == OpKind::GroupNorm ? node.attributes.groups : shape[1];
    form.op = OpKind::LayerNorm;
    form.attributes = {};
    form.attributes.scalar = node.attributes.scalar;
    shape = {shape[0], groups, elementCount(shape) / (shape[0] * groups)};
    dim = 2;
    break;
  }
  case OpKind::Softmax:
  case OpKind::LogSoftmax:
    dim = node.attributes.dim;
    break;
  default:
    return;
  }
  if (form.op == node.op) {
    along.assign(axes.dims[operand][dim].begin(),
                 axes.dims[operand][dim].end());
  } else {
    // A group has the innermost axes that make up its size.
    int64_t size = 1;
    auto *first = along.end();
    while (first != along.begin() && size < shape[dim])
      size *= axes.sizes[*--first];
    along.erase(along.begin(), first);
    if (size != shape[dim] || along.empty())
      return;
  }
  form.along = getWhole(along);
  form.attributes.dim = 0;
  ProgramStep step;
  step.operands = {getStepValue(operand)};
  step.result = getUnweighted(node, result);
  for (auto [number, other] : llvm::enumerate(forms))
    if (other.kind == Kind::Composite && other.op == form.op &&
        other.along == form.along && other.attributes == form.attributes) {
      step.formId = number;
      compositeSteps.push_back(std::move(step));
      return;
    }
  MuGraph definition;
  OpAttributes attributes = form.attributes;
  attributes.dim = static_cast<int64_t>(dim);
  MuValue argument = definition.addArgument(0, shape, ElementType::f32);
  definition.setResults(0,
                        {definition.addOperator(0, form.op, attributes,
                                                {argument}, ElementType::f32)});
  form.definition =
      std::make_shared<const MuGraph>(simplifyProgram(definition).graph);
  step.formId = forms.size();
  compositeSteps.push_back(std::move(step));
  forms.push_back(std::move(form));
}
