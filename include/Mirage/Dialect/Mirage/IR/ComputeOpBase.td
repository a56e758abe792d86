//===- ComputeOpBase.td - What compute operators share -----*- tablegen -*-===//
//
// Defines operands, folding, type inference and assembly of the compute
// operators, and the forms that most of them have.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_IR_COMPUTEOPBASE
#define MIRAGE_DIALECT_MIRAGE_IR_COMPUTEOPBASE

include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "Mirage/Dialect/Mirage/IR/MirageDialect.td"
include "Mirage/Interfaces/MuGraphOpInterface.td"

def Mirage_Tensor
    : RankedTensorOf<[F16, BF16, F32, F64, F8E4M3FN, F8E5M2]> {
  let summary = "ranked tensor of f16, bf16, f32, f64, f8E4M3FN or f8E5M2";
}

// Declarations and definitions that all compute operators share.
class Mirage_ComputeOp<Dialect dialect, string mnemonic, string kind,
                       list<Trait> traits = []>
    : Op<dialect, mnemonic, traits # [
        Pure, ComputeOpInterface,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
            ["reifyResultShapes"]>,
        DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  code commonDeclaration = [{
    static constexpr ::mirage::OpKind getOpKind() { return ::mirage::OpKind::}] # kind # [{; }
  }];
  code commonDefinition = [{
    ::llvm::LogicalResult $cppClass::reifyResultShapes(
        ::mlir::OpBuilder &builder,
        ::mlir::ReifiedRankedShapedTypeDims &shapes) {
      return ::mirage::reifyComputeShapes(getOperation(), builder, shapes);
    }
    void $cppClass::getAsmResultNames(
        ::mlir::OpAsmSetValueNameFn setName) {
      if (getOperation()->getNumResults())
        setName(getOperation()->getResult(0), "}] # mnemonic # [{");
    }
  }];
  code foldDeclaration = "";
  code foldOne = [{
    ::mlir::OpFoldResult $cppClass::fold(FoldAdaptor adaptor) {
      ::llvm::SmallVector<::mlir::OpFoldResult, 1> results;
      if (::llvm::failed(::mirage::foldComputeOp(
              getOperation(), adaptor.getOperands(), results)))
        return {};
      return results.front();
    }
  }];
  let extraClassDeclaration = commonDeclaration;
  let extraClassDefinition = commonDefinition # foldOne;
  let hasFolder = 1;
  let results = (outs Mirage_Tensor:$result);
}

// Compute operators whose result types follow from operands and attributes.
class Mirage_InferredOp<Dialect dialect, string mnemonic, string kind,
                        list<Trait> traits = []>
    : Mirage_ComputeOp<dialect, mnemonic, kind, traits # [
        InferTypeOpInterface]> {
  code inferDeclaration = [{
    static ::llvm::LogicalResult
    inferReturnTypes(::mlir::MLIRContext *context,
                     ::std::optional<::mlir::Location> location,
                     ::mlir::ValueRange operands,
                     ::mlir::DictionaryAttr attributes,
                     ::mlir::OpaqueProperties properties,
                     ::mlir::RegionRange regions,
                     ::llvm::SmallVectorImpl<::mlir::Type> &types);
    /// Shapes and element types are verified with constraint op_c5.
    static bool isCompatibleReturnTypes(::mlir::TypeRange,
                                        ::mlir::TypeRange) {
      return true;
    }
  }];
  code inferDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *context,
        ::std::optional<::mlir::Location> location,
        ::mlir::ValueRange operands, ::mlir::DictionaryAttr attributes,
        ::mlir::OpaqueProperties properties, ::mlir::RegionRange regions,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      if (properties)
        attributes = ::llvm::dyn_cast_or_null<::mlir::DictionaryAttr>(
            getPropertiesAsAttr(
                context,
                *properties.as<InferredProperties<$cppClass> *>()));
      return ::mirage::inferComputeTypes(getOperationName(), getOpKind(),
                                         context, location, operands,
                                         attributes, types);
    }
  }];
  let extraClassDeclaration = commonDeclaration # inferDeclaration;
  let extraClassDefinition = commonDefinition # inferDefinition # foldOne;
}

class Mirage_BinaryOp<Dialect dialect, string mnemonic, string kind,
                      string meaning, list<Trait> traits = []>
    : Mirage_InferredOp<dialect, mnemonic, kind, traits> {
  let summary = meaning # ", elementwise";
  let description = [{
    Computes }] # meaning # [{ of each pair of elements. A dimension of size one
    stands for any size of the other operand's.

    Constraints:
    * (}] # mnemonic # [{_c1) the operands have one rank, and each dimension's
      sizes are equal or one of them is one.
  }];
  let arguments = (ins Mirage_Tensor:$lhs, Mirage_Tensor:$rhs);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` functional-type(operands, results)
  }];
}

class Mirage_UnaryOp<Dialect dialect, string mnemonic, string kind,
                     string meaning>
    : Mirage_InferredOp<dialect, mnemonic, kind> {
  let summary = meaning # ", elementwise";
  let description = "Computes " # meaning # " of each element x.";
  let arguments = (ins Mirage_Tensor:$input);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
}

#endif // MIRAGE_DIALECT_MIRAGE_IR_COMPUTEOPBASE
