//===- MuGraphOpInterface.td - Operators of µGraphs --------*- tablegen -*-===//
//
// The interface through which passes, the interpreter, the search and the cost
// model see a compute operator of any level: it hands the operator's kind and
// attributes to the table of semantics and knows nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INTERFACES_MUGRAPHOPINTERFACE
#define MIRAGE_INTERFACES_MUGRAPHOPINTERFACE

include "mlir/IR/OpBase.td"

def MuGraphOpInterface : OpInterface<"MuGraphOpInterface"> {
  let cppNamespace = "::mirage";
  let description = [{
    Implemented by every compute operator of `mirage_kernel`, `mirage_block` and
    `mirage_thread`. An operator means the same at every level; the level says
    where its operands live.
  }];
  let methods = [
    StaticInterfaceMethod<
      "The operator's row in the table of semantics.",
      "::mirage::OpKind", "getOpKind">,
    InterfaceMethod<
      "The operator's attributes without IR.",
      "::mirage::OpAttributes", "getOpAttributes", (ins), [{}], [{
        return ::mirage::readOpAttributes($_op);
      }]>,
    InterfaceMethod<
      "Shapes of the operands.",
      "::llvm::SmallVector<::mirage::Shape, 4>", "getOperandShapes", (ins),
      [{}], [{
        return ::mirage::getShapes($_op->getOperandTypes());
      }]>,
    InterfaceMethod<
      "Arithmetic, exponentials and elements moved (counts, not bytes).",
      "::mirage::OpCounts", "getCounts", (ins), [{}], [{
        return ::mirage::countOp(ConcreteOp::getOpKind(),
                                 ::mirage::readOpAttributes($_op),
                                 ::mirage::getShapes($_op->getOperandTypes()));
      }]>,
    InterfaceMethod<
      "Bytes of all operands and results.",
      "int64_t", "getBytes", (ins), [{}], [{
        return ::mirage::getBytes($_op->getOperandTypes()) +
               ::mirage::getBytes($_op->getResultTypes());
      }]>,
    InterfaceMethod<
      "The operator's class as a primitive, or nothing if fission takes it "
      "apart.",
      "::std::optional<::mirage::PrimitiveClass>", "getPrimitiveClass", (ins),
      [{}], [{
        return ::mirage::getPrimitiveClass(ConcreteOp::getOpKind(),
                                           ::mirage::readOpAttributes($_op));
      }]>,
    InterfaceMethod<
      "Whether the operator is linear in this operand, the others held fixed.",
      "bool", "isLinearIn", (ins "unsigned":$operand), [{}], [{
        ::mirage::Linearity l =
            ::mirage::getOpInfo(ConcreteOp::getOpKind()).linearity;
        return l == ::mirage::Linearity::All || l == ::mirage::Linearity::Each ||
               (l == ::mirage::Linearity::First && operand == 0) ||
               (l == ::mirage::Linearity::AllButFirst && operand != 0);
      }]>
  ];
  let verify = [{ return ::mirage::verifyComputeOp($_op); }];
}

#endif // MIRAGE_INTERFACES_MUGRAPHOPINTERFACE
