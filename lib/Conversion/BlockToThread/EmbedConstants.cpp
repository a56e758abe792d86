//===- EmbedConstants.cpp - Constants as data of the kernels --------------===//
//
// A kernel that does nothing but write a constant, in each call of a program,
// is a launch for nothing: the constant is data of the module of the kernels
// already, and those that read it can read it there.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Conversion/Passes.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mirage {
#define GEN_PASS_DEF_EMBEDCONSTANTS
#include "Mirage/Conversion/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

namespace {
/// A kernel's parameter and the launches that pass a constant to it.
struct Parameter {
  gpu::GPUFuncOp kernel;
  unsigned number = 0;

  bool operator==(const Parameter &other) const {
    return kernel == other.kernel && number == other.number;
  }
};

/// A buffer that a kernel of its own fills with a constant.
struct ConstantBuffer {
  memref::AllocOp buffer;
  gpu::LaunchFuncOp writer;
  DenseElementsAttr value;
  /// The parameters that read it.
  SmallVector<Parameter> readers;
};

class ConstantEmbedder {
public:
  explicit ConstantEmbedder(ModuleOp module) : module(module) {
    module.walk([&](gpu::LaunchFuncOp launch) {
      if (gpu::GPUFuncOp kernel = getKernel(launch))
        launches[kernel].push_back(launch);
    });
  }

  void run() {
    // Constants of which all readers can read them in the module. A parameter
    // has one constant in all launches of its kernel.
    SmallVector<ConstantBuffer> constants;
    module.walk([&](memref::AllocOp alloc) {
      if (std::optional<ConstantBuffer> constant = findConstant(alloc))
        constants.push_back(*std::move(constant));
    });
    while (true) {
      auto *other = llvm::find_if_not(constants, [&](const auto &constant) {
        return llvm::all_of(constant.readers, [&](const Parameter &reader) {
          return isAlwaysPassed(reader, constants);
        });
      });
      if (other == constants.end())
        break;
      constants.erase(other);
    }
    for (const ConstantBuffer &constant : constants)
      for (const Parameter &reader : constant.readers)
        embedded.try_emplace({reader.kernel, reader.number}, constant.value);
    for (const auto &[parameter, value] : embedded)
      embed(parameter.first, parameter.second, value);
    eraseParameters();
    for (const ConstantBuffer &constant : constants)
      erase(constant);
  }

private:
  /// The parameters of kernels in the order of modules, so that all runs make
  /// the same names.
  struct IsBefore {
    using Key = std::pair<gpu::GPUFuncOp, unsigned>;
    bool operator()(const Key &a, const Key &b) const {
      gpu::GPUFuncOp left = a.first, right = b.first;
      if (left == right)
        return a.second < b.second;
      return left->getBlock() == right->getBlock()
                 ? left->isBeforeInBlock(right)
                 : left->getParentOp()->isBeforeInBlock(right->getParentOp());
    }
  };

  static gpu::GPUFuncOp getKernel(gpu::LaunchFuncOp launch) {
    return SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
        launch, launch.getKernel());
  }

  /// Returns the constant that a kernel of one parameter writes there, if it
  /// does nothing else.
  static DenseElementsAttr findWritten(gpu::GPUFuncOp kernel) {
    Block &body = kernel.getBody().front();
    auto compute = dyn_cast<thread::ComputeOp>(&body.front());
    if (kernel.getNumArguments() != 1 || !compute ||
        !isa<gpu::ReturnOp>(compute->getNextNode()) ||
        !compute.getIns().empty() || compute.getOuts().size() != 1 ||
        compute.getOuts().front() != kernel.getArgument(0))
      return {};
    Operation *constant = &compute.getBody().front().front();
    if (!isa<thread::ConstantOp>(constant) ||
        constant->getNextNode() != compute.getBody().front().getTerminator())
      return {};
    auto value = constant->getAttrOfType<DenseElementsAttr>("value");
    // One number is no data, and the search has it inside of launches.
    return value && !value.isSplat() ? value : DenseElementsAttr();
  }

  std::optional<ConstantBuffer> findConstant(memref::AllocOp alloc) const {
    ConstantBuffer constant{alloc, {}, {}, {}};
    SmallVector<Value> names = {alloc.getResult()};
    for (size_t i = 0; i < names.size(); ++i)
      for (OpOperand &use : names[i].getUses()) {
        if (auto cast = dyn_cast<memref::ReinterpretCastOp>(use.getOwner())) {
          names.push_back(cast.getResult());
          continue;
        }
        auto launch = dyn_cast<gpu::LaunchFuncOp>(use.getOwner());
        gpu::GPUFuncOp kernel = launch ? getKernel(launch) : nullptr;
        if (!kernel)
          return std::nullopt;
        if (DenseElementsAttr value = findWritten(kernel);
            value && value.getType().getShape() == alloc.getType().getShape()) {
          if (constant.writer || i > 0)
            return std::nullopt;
          constant.writer = launch;
          constant.value = value;
          continue;
        }
        unsigned first = launch.getKernelOperands().getBeginOperandIndex();
        constant.readers.push_back(
            {kernel, static_cast<unsigned>(use.getOperandNumber() - first)});
      }
    if (!constant.writer)
      return std::nullopt;
    return constant;
  }

  /// Returns the constant of a buffer, also under another shape.
  static const ConstantBuffer *findBuffer(Value buffer,
                                          ArrayRef<ConstantBuffer> constants) {
    while (auto cast = buffer.getDefiningOp<memref::ReinterpretCastOp>())
      buffer = cast.getSource();
    auto *found = llvm::find_if(constants, [&](const ConstantBuffer &constant) {
      return ConstantBuffer(constant).buffer.getResult() == buffer;
    });
    return found == constants.end() ? nullptr : found;
  }

  /// Returns whether all launches of a kernel pass one constant.
  bool isAlwaysPassed(const Parameter &parameter,
                      ArrayRef<ConstantBuffer> constants) const {
    std::optional<DenseElementsAttr> value;
    for (gpu::LaunchFuncOp launch : launches.lookup(parameter.kernel)) {
      const ConstantBuffer *constant =
          findBuffer(launch.getKernelOperand(parameter.number), constants);
      if (!constant || (value && *value != constant->value))
        return false;
      value = constant->value;
    }
    return value.has_value();
  }

  /// Lets a kernel read data of its module.
  void embed(gpu::GPUFuncOp kernel, unsigned number, DenseElementsAttr value) {
    OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
    BlockArgument argument = kernel.getArgument(number);
    memref::GlobalOp global = getGlobal(kernel, value);
    Value data = memref::GetGlobalOp::create(
        builder, kernel.getLoc(), global.getType(), global.getName());
    auto type = cast<MemRefType>(argument.getType());
    if (type != global.getType())
      data = memref::ReinterpretCastOp::create(
          builder, kernel.getLoc(), type, data, /*offset=*/0, type.getShape(),
          type.getStridesAndOffset().first);
    argument.replaceAllUsesWith(data);
  }

  /// Returns the data of a module that are a constant, which are added if there
  /// are none.
  memref::GlobalOp getGlobal(gpu::GPUFuncOp kernel, DenseElementsAttr value) {
    auto inside = kernel->getParentOfType<gpu::GPUModuleOp>();
    for (auto global : inside.getOps<memref::GlobalOp>())
      if (global.getInitialValueAttr() == value)
        return global;
    SymbolTable symbols(inside);
    OpBuilder builder = OpBuilder::atBlockBegin(inside.getBody());
    constexpr int64_t alignment = 16;
    auto global = memref::GlobalOp::create(
        builder, kernel.getLoc(), "constant", builder.getStringAttr("private"),
        MemRefType::get(value.getType().getShape(), value.getElementType()),
        value, /*constant=*/true, builder.getI64IntegerAttr(alignment));
    symbols.insert(global);
    return global;
  }

  void eraseParameters() {
    // The last ones first, so that the numbers of others stay.
    for (const auto &[parameter, value] : llvm::reverse(embedded)) {
      auto [kernel, number] = parameter;
      for (gpu::LaunchFuncOp launch : launches.lookup(kernel))
        launch.getKernelOperandsMutable().erase(number);
      (void)gpu::GPUFuncOp(kernel).eraseArgument(number);
    }
  }

  void erase(ConstantBuffer constant) {
    gpu::GPUFuncOp kernel = getKernel(constant.writer);
    llvm::erase(launches[kernel], constant.writer);
    constant.writer.erase();
    if (launches[kernel].empty())
      kernel.erase();
    for (Operation *user :
         llvm::make_early_inc_range(constant.buffer->getUsers()))
      eraseCast(user);
    constant.buffer.erase();
  }

  static void eraseCast(Operation *cast) {
    for (Operation *user : llvm::make_early_inc_range(cast->getUsers()))
      eraseCast(user);
    cast->erase();
  }

  ModuleOp module;
  DenseMap<Operation *, SmallVector<gpu::LaunchFuncOp>> launches;
  std::map<std::pair<gpu::GPUFuncOp, unsigned>, DenseElementsAttr, IsBefore>
      embedded;
};

struct EmbedConstants
    : public mirage::impl::EmbedConstantsBase<EmbedConstants> {
  void runOnOperation() override { ConstantEmbedder(getOperation()).run(); }
};
} // namespace
