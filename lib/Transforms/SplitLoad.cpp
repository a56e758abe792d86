//===- SplitLoad.cpp - What constants alone decide, computed once ---------===//
//
// Moves operators that depend on nothing but constant arguments into a function
// that runs when a program is loaded; see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/DeviceBuffers.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "Mirage/Semantics/Windows.h"
#include "Mirage/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

namespace mirage {
#define GEN_PASS_DEF_SPLITLOAD
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

static int64_t getTensorBytes(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  return llvm::divideCeil(
      type.getNumElements() * type.getElementType().getIntOrFloatBitWidth(), 8);
}

/// Returns true if the value is a product's operand, perhaps under another
/// shape, and nothing else: products read operands in either order.
static bool isReadByProducts(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    if (isa<kernel::MatmulOp>(user))
      return true;
    return isa<kernel::ReshapeOp, kernel::BroadcastOp>(user) &&
           isReadByProducts(user->getResult(0));
  });
}

/// Returns true if those who read the result read the operand as quickly in its
/// place: if it has the operand's elements in an order in which they can be
/// read, or a part of these, or repeats them, or widens them.
static bool isReadInPlace(Operation *op) {
  auto compute = dyn_cast<ComputeOpInterface>(op);
  if (!compute || op->getNumOperands() != 1 || op->getNumResults() != 1)
    return false;
  switch (compute.getOpKind()) {
  case OpKind::Reshape:
  case OpKind::Broadcast:
  case OpKind::Repeat:
  case OpKind::Slice:
    return true;
  case OpKind::Cast:
    return getTensorBytes(op->getResult(0)) >=
           getTensorBytes(op->getOperand(0));
  case OpKind::Transpose:
    return keepsOrder(OpKind::Transpose, compute.getOpAttributes(),
                      Shape(cast<RankedTensorType>(op->getOperand(0).getType())
                                .getShape())) ||
           isReadByProducts(op->getResult(0));
  default:
    return false;
  }
}

namespace {
/// What a function computes from constant arguments alone.
class LoadedValues {
public:
  /// If there is a plan of buffers, the values that have a kernel by it are
  /// loaded. Otherwise those are loaded that cannot be read in the place of
  /// what they are made of.
  LoadedValues(func::FuncOp function, const DeviceBuffers *plan);

  /// The values that are to be loaded, in the order of the program.
  ArrayRef<Value> getValues() const { return values.getArrayRef(); }
  /// The operations that compute them, in the order of the program.
  SmallVector<Operation *> getOperations();

private:
  bool isConstant(Operation *op) const;
  int64_t getSourceBytes(Value value) const;
  bool isWorthLoading(Operation *op) const;
  void find(Value value);

  func::FuncOp function;
  const DeviceBuffers *plan;
  /// The results of operations that depend on constants alone.
  llvm::DenseSet<Operation *> constant;
  /// The constant arguments that values depend on which depend on nothing else.
  /// What depends on no argument at all is not among them.
  llvm::DenseMap<Value, llvm::SmallDenseSet<Value, 4>> sources;
  llvm::DenseSet<Value> seen;
  llvm::SetVector<Value> values;
};
} // namespace

LoadedValues::LoadedValues(func::FuncOp function, const DeviceBuffers *plan)
    : function(function), plan(plan) {
  for (BlockArgument argument : function.getArguments())
    if (function.getArgAttr(argument.getArgNumber(),
                            MirageDialect::getConstantAttrName()))
      sources[argument].insert(argument);
  Block &body = function.getBody().front();
  for (Operation &op : body.without_terminator()) {
    if (!isConstant(&op))
      continue;
    constant.insert(&op);
    llvm::SmallDenseSet<Value, 4> read;
    for (Value operand : op.getOperands()) {
      auto known = sources.find(operand);
      if (known != sources.end())
        read.insert(known->second.begin(), known->second.end());
    }
    for (Value result : op.getResults())
      if (!read.empty())
        sources[result] = read;
  }
  for (Operation &op : body)
    if (!constant.contains(&op))
      for (Value operand : op.getOperands())
        find(operand);
}

bool LoadedValues::isConstant(Operation *op) const {
  return (isKernelOperator(op) || isa<kernel::LaunchOp>(op)) &&
         isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           Operation *definition = operand.getDefiningOp();
           return definition ? constant.contains(definition)
                             : sources.contains(operand);
         });
}

/// Returns the bytes of the arguments that a value is made of.
int64_t LoadedValues::getSourceBytes(Value value) const {
  int64_t bytes = 0;
  for (Value argument : sources.find(value)->second)
    bytes += getTensorBytes(argument);
  return bytes;
}

bool LoadedValues::isWorthLoading(Operation *op) const {
  if (plan)
    return !plan->isInPlace(op);
  // A larger value would take longer to read than what it is made of.
  return !isReadInPlace(op) && llvm::all_of(op->getResults(), [&](Value value) {
    return getTensorBytes(value) <= getSourceBytes(value);
  });
}

void LoadedValues::find(Value value) {
  Operation *definition = value.getDefiningOp();
  if (!sources.contains(value) || !definition || !seen.insert(value).second)
    return;
  // A caller may change what a call returns.
  auto isReturn = [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>();
  };
  if (isWorthLoading(definition) && llvm::none_of(value.getUsers(), isReturn)) {
    values.insert(value);
    return;
  }
  for (Value operand : definition->getOperands())
    find(operand);
}

SmallVector<Operation *> LoadedValues::getOperations() {
  llvm::DenseSet<Operation *> needed;
  SmallVector<Value> open(values.begin(), values.end());
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (op && needed.insert(op).second)
      llvm::append_range(open, op->getOperands());
  }
  SmallVector<Operation *> ordered;
  for (Operation &op : function.getBody().front())
    if (needed.contains(&op))
      ordered.push_back(&op);
  return ordered;
}

/// Returns the function that `mirage.load` names, or one without results that
/// takes the constant arguments, and which it names from now on.
static func::FuncOp getLoadFunction(func::FuncOp function,
                                    SymbolTable &symbols) {
  StringRef attribute = MirageDialect::getLoadAttrName();
  if (auto name = function->getAttrOfType<FlatSymbolRefAttr>(attribute))
    return symbols.lookup<func::FuncOp>(name.getValue());
  Location loc = function.getLoc();
  OpBuilder builder(function.getContext());
  SmallVector<Type> types;
  SmallVector<Location> locations;
  for (BlockArgument argument : function.getArguments())
    if (function.getArgAttr(argument.getArgNumber(),
                            MirageDialect::getConstantAttrName())) {
      types.push_back(argument.getType());
      locations.push_back(argument.getLoc());
    }
  auto load = func::FuncOp::create(loc, (function.getName() + ".load").str(),
                                   builder.getFunctionType(types, {}));
  load.setVisibility(function.getVisibility());
  Block *body = &load.getBody().emplaceBlock();
  body->addArguments(types, locations);
  builder.setInsertionPointToEnd(body);
  func::ReturnOp::create(builder, loc);
  symbols.insert(load, std::next(function->getIterator()));
  function->setAttr(attribute, FlatSymbolRefAttr::get(load));
  return load;
}

/// Says what the values of a function's arguments are called in the function
/// that loads: constant arguments are its arguments, and what was loaded before
/// is what it returns.
static IRMapping mapArguments(func::FuncOp function, func::FuncOp load) {
  IRMapping mapping;
  unsigned next = 0, taken = load.getNumArguments();
  Operation *ret = load.getBody().front().getTerminator();
  for (BlockArgument argument : function.getArguments()) {
    if (!function.getArgAttr(argument.getArgNumber(),
                             MirageDialect::getConstantAttrName()))
      continue;
    mapping.map(argument, next < taken ? Value(load.getArgument(next))
                                       : ret->getOperand(next - taken));
    ++next;
  }
  return mapping;
}

/// Computes the values in the function that loads, and makes them arguments.
static void load(func::FuncOp function, LoadedValues &loaded,
                 SymbolTable &symbols) {
  func::FuncOp load = getLoadFunction(function, symbols);
  IRMapping mapping = mapArguments(function, load);
  Operation *ret = load.getBody().front().getTerminator();
  OpBuilder builder(ret);
  const SmallVector<Operation *> operations = loaded.getOperations();
  for (Operation *op : operations)
    builder.clone(*op, mapping);
  DictionaryAttr constant = builder.getDictionaryAttr(builder.getNamedAttr(
      MirageDialect::getConstantAttrName(), builder.getUnitAttr()));
  for (Value value : loaded.getValues()) {
    ret->insertOperands(ret->getNumOperands(), mapping.lookup(value));
    unsigned number = function.getNumArguments();
    (void)function.insertArgument(number, value.getType(), constant,
                                  value.getLoc());
    value.replaceAllUsesWith(function.getArgument(number));
  }
  load.setFunctionType(
      builder.getFunctionType(load.getArgumentTypes(), ret->getOperandTypes()));
  for (Operation *op : llvm::reverse(operations))
    if (op->use_empty())
      op->erase();
}

namespace {
struct SplitLoad : public mirage::impl::SplitLoadBase<SplitLoad> {
  using Base::Base;

  void runOnOperation() override;

private:
  bool mayLoad(func::FuncOp function);
  void split(func::FuncOp function, SymbolTable &symbols);
};
} // namespace

/// Returns true if nothing but callers from outside decides what a function's
/// arguments are, and some of them are constant.
bool SplitLoad::mayLoad(func::FuncOp function) {
  if (!function.isPublic() || !function.getBody().hasOneBlock())
    return false;
  auto isConstant = [&](unsigned number) {
    return function.getArgAttr(number, MirageDialect::getConstantAttrName()) !=
           nullptr;
  };
  auto isTensor = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  // Functions with other arguments have no launches for all that they compute.
  if (llvm::none_of(llvm::seq(function.getNumArguments()), isConstant) ||
      !llvm::all_of(function.getArgumentTypes(), isTensor))
    return false;
  bool isCalled = false;
  getOperation().walk([&](func::CallOp call) {
    isCalled |= call.getCallee() == function.getName();
  });
  auto isOperator = [](Operation &op) {
    return isKernelOperator(&op) || isa<kernel::LaunchOp>(op);
  };
  return !isCalled &&
         (!kernels ||
          llvm::all_of(function.getBody().front().without_terminator(),
                       isOperator));
}

void SplitLoad::split(func::FuncOp function, SymbolTable &symbols) {
  std::optional<DeviceBuffers> plan;
  if (kernels)
    plan.emplace(function, ScheduledLaunches::All);
  LoadedValues loaded(function, plan ? &*plan : nullptr);
  if (loaded.getValues().empty())
    return;
  int64_t bytes = 0;
  for (Value value : loaded.getValues())
    bytes += getTensorBytes(value);
  size_t count = loaded.getValues().size();
  load(function, loaded, symbols);
  remark::passed(function.getLoc(), remark::RemarkOpts::name("loaded")
                                        .category("mirage-split-load")
                                        .function(function.getName()))
      << llvm::formatv("{0} value{1} of @{2} depend{3} on constants alone: "
                       "@{2}.load computes {4}, {5} bytes, once.",
                       count, count == 1 ? "" : "s", function.getName(),
                       count == 1 ? "s" : "", count == 1 ? "it" : "them", bytes)
             .str();
}

void SplitLoad::runOnOperation() {
  SymbolTable symbols(getOperation());
  SmallVector<func::FuncOp> functions(getOperation().getOps<func::FuncOp>());
  for (func::FuncOp function : functions)
    if (mayLoad(function))
      split(function, symbols);
}
