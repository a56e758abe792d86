//===- MuGraphOpInterface.td - Operators of µGraphs --------*- tablegen -*-===//
//
// Declares the interfaces through which passes, the interpreter, the search and
// the cost model see operators. MuGraphOpInterface is all that an operator of any dialect
// needs to take part: it says what the operator computes. ComputeOpInterface is
// that of the operators of the table of semantics: it hands the operator's kind
// and attributes to the table and knows nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INTERFACES_MUGRAPHOPINTERFACE
#define MIRAGE_INTERFACES_MUGRAPHOPINTERFACE

include "mlir/IR/OpBase.td"

def MuGraphOpInterface : OpInterface<"MuGraphOpInterface"> {
  let cppNamespace = "::mirage";
  let description = [{
    An operator of a kernel graph that says what it computes. The operators of
    the table of semantics implement it, and so may operations of any other
    dialect, which are *custom operators* then: their meaning is a graph of
    operators of `mirage_kernel` and of other custom operators. Whoever needs
    it asks `Meaning` (Meaning.h), which checks the constraints meaning_c1 to
    meaning_c6 of the dialect `mirage`.
  }];
  let methods = [
    InterfaceMethod<
      [{
        Builds what the operator computes from its operands, where `builder`
        stands, and returns a value for each of its results. A failure's reason
        is emitted as an error. The operation may be a copy in a block of its
        own, so that nothing around it can be looked at; it is not to be changed
        or erased. `MeaningBuilder` helps.
      }],
      "::llvm::FailureOr<::llvm::SmallVector<::mlir::Value>>", "buildMeaning",
      (ins "::mlir::OpBuilder &":$builder)>
  ];
}

def ComputeOpInterface
    : OpInterface<"ComputeOpInterface", [MuGraphOpInterface]> {
  let cppNamespace = "::mirage";
  let description = [{
    Implemented by every compute operator of `mirage_kernel`, `mirage_block` and
    `mirage_thread`. An operator means the same at every level; the level says
    where its operands live.
  }];
  let extraTraitClassDeclaration = [{
    /// The operator's row is its meaning.
    ::llvm::FailureOr<::llvm::SmallVector<::mlir::Value>>
    buildMeaning(::mlir::OpBuilder &builder) {
      return ::mirage::buildRow($_op, ConcreteOp::getOpKind(), builder);
    }
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
