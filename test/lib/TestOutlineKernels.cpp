//===- TestOutlineKernels.cpp - A function for each kernel ----------------===//
//
// Adds, for each kernel that convert-mirage-block-to-thread would make of a
// function's operations, a function with that operation and those that the same
// kernel computes, which is called as the kernel is. So a launcher of kernels
// can be tried with other code behind the kernels' names. Its arguments have
// the shapes of the buffers that the kernel gets: where the operation reads a
// part of one, or zeros beyond its end, so does the function. A result that is
// only a part of a buffer is an error: functions of tensors have no such
// results.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Conversion/EqualKernels.h"
#include "Mirage/Analysis/LayoutChains.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "TestPasses.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mirage;

namespace {
struct TestOutlineKernels
    : public PassWrapper<TestOutlineKernels, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestOutlineKernels)

  StringRef getArgument() const override { return "test-outline-kernels"; }
  StringRef getDescription() const override {
    return "Make a function of each operation that becomes a kernel";
  }

  void runOnOperation() override {
    for (auto function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      if (function.isExternal())
        continue;
      outlineAll(function);
      function.erase();
    }
  }

  void outlineAll(func::FuncOp function) {
    auto isKernel = [](Operation &op) {
      return isa_and_nonnull<kernel::KernelDialect>(op.getDialect());
    };
    // There is a plan for functions of kernel operations; others call these.
    Block &body = function.getBody().front();
    if (!llvm::all_of(body.without_terminator(), isKernel))
      return;
    // IREE has no kernels that select one of several buffers.
    DeviceBuffers plan(function, ScheduledLaunches::WithAttribute,
                       /*selectsBuffers=*/false);
    auto representatives = findEqualKernels(function, plan);
    LayoutChains chains(function, plan);
    SmallVector<Operation *> built;
    unsigned number = 0;
    for (Operation &op : body.without_terminator()) {
      if (isWeight(op) || chains.isAbsorbed(&op))
        continue;
      bool isNew = representatives.lookup(&op) == &op;
      if (chains.isChain(&op)) {
        isNew = llvm::none_of(built, [&](Operation *other) {
          return chains.areEqual(other, &op);
        });
        built.push_back(&op);
      }
      if (isNew)
        outline(op, plan, chains, function, number++);
    }
  }

  /// Copies an operation and those that it is a chain with to the builder's
  /// place, on what `values` has of their sources.
  static Operation *copyChain(OpBuilder &builder, Operation *op,
                              IRMapping &values) {
    for (Value operand : op->getOperands())
      if (!values.contains(operand))
        values.map(
            operand,
            copyChain(builder, operand.getDefiningOp(), values)->getResult(0));
    return builder.clone(*op, values);
  }

  /// The translation for IREE leaves such constants to its caller.
  static bool isWeight(Operation &op) {
    auto value = op.getAttrOfType<DenseElementsAttr>("value");
    return isa<kernel::ConstantOp>(op) && !(value && value.isSplat());
  }

  static RankedTensorType getTensorType(Value tensor) {
    return cast<RankedTensorType>(tensor.getType());
  }

  /// Returns a tensor of which `place` has a part, and which is zero where the
  /// buffer has ended.
  static Value readPlace(OpBuilder &builder, Value buffer,
                         const DeviceBuffers::Place &place,
                         RankedTensorType type) {
    Type element = type.getElementType();
    OpAttributes slice, pad, transpose;
    slice.offsets.assign(type.getRank(), 0);
    if (!place.part.offsets.empty())
      slice.offsets.assign(place.part.offsets.begin(),
                           place.part.offsets.end());
    slice.strides.assign(type.getRank(), 1);
    pad.offsets.assign(type.getRank(), 0);
    for (auto [whole, offset, size] :
         llvm::zip(place.part.whole, slice.offsets, type.getShape())) {
      slice.sizes.push_back(std::min(size, whole - offset));
      pad.sizes.push_back(size - slice.sizes.back());
    }
    auto add = [&](OpKind kind, const OpAttributes &attributes) {
      buffer = createComputeOp(builder, buffer.getLoc(), Level::Kernel, kind,
                               attributes, buffer, element)
                   ->getResult(0);
    };
    if (!place.order.empty()) {
      transpose.permutation.resize(place.order.size());
      for (auto [i, dim] : llvm::enumerate(place.order))
        transpose.permutation[dim] = static_cast<int64_t>(i);
      add(OpKind::Transpose, transpose);
    }
    if (getTensorType(buffer) != type)
      add(OpKind::Slice, slice);
    if (getTensorType(buffer) != type)
      add(OpKind::Pad, pad);
    return buffer;
  }

  void outline(Operation &op, const DeviceBuffers &plan,
               const LayoutChains &chains, func::FuncOp function,
               unsigned number) {
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    std::string name = (function.getName() + "_" + Twine(number) + "_" +
                        op.getName().stripDialect())
                           .str();
    auto getBufferType = [&](Value tensor) -> Type {
      const DeviceBuffers::Place &place = plan.getPlace(tensor);
      Shape shape = place.part.whole;
      for (auto [i, dim] : llvm::enumerate(place.order))
        shape[i] = place.part.whole[dim];
      return RankedTensorType::get(shape,
                                   getTensorType(tensor).getElementType());
    };
    SmallVector<Value> sources(op.getOperands());
    if (chains.isChain(&op))
      sources = llvm::to_vector_of<Value>(chains.getSources(&op));
    auto operands = llvm::map_to_vector(sources, getBufferType);
    auto alone = func::FuncOp::create(builder, op.getLoc(), name,
                                      builder.getFunctionType(operands, {}));
    builder.setInsertionPointToEnd(alone.addEntryBlock());
    IRMapping values;
    Operation *copy = nullptr;
    if (chains.isChain(&op)) {
      for (auto [source, argument] : llvm::zip(sources, alone.getArguments()))
        values.map(source, readPlace(builder, argument, plan.getPlace(source),
                                     getTensorType(source)));
      copy = copyChain(builder, &op, values);
    } else {
      copy = op.clone();
      for (auto [operand, argument] :
           llvm::zip(copy->getOpOperands(), alone.getArguments()))
        operand.set(readPlace(builder, argument, plan.getPlace(operand.get()),
                              getTensorType(operand.get())));
      builder.insert(copy);
    }
    SmallVector<Value> returned;
    for (auto [result, computed] :
         llvm::zip(op.getResults(), copy->getResults())) {
      // What does not exist in the buffer is not stored.
      const DeviceBuffers::Place &place = plan.getPlace(result);
      if (!place.part.offsets.empty()) {
        op.emitError("writes a part of a buffer, which no function can return");
        return signalPassFailure();
      }
      // What a kernel stores lies in memory in the buffer's order.
      DeviceBuffers::Place own = place;
      own.order.clear();
      Value stored = readPlace(
          builder, computed, own,
          RankedTensorType::get(place.part.whole,
                                getTensorType(result).getElementType()));
      if (!place.order.empty()) {
        OpAttributes transpose;
        transpose.permutation.assign(place.order.begin(), place.order.end());
        stored = createComputeOp(builder, stored.getLoc(), Level::Kernel,
                                 OpKind::Transpose, transpose, stored,
                                 getTensorType(result).getElementType())
                     ->getResult(0);
      }
      returned.push_back(stored);
    }
    func::ReturnOp::create(builder, op.getLoc(), returned);
    alone.setType(builder.getFunctionType(operands, ValueRange(returned)));
  }
};
} // namespace

void mirage::registerOutlineKernelsPass() {
  PassRegistration<TestOutlineKernels>();
}
