//===- MirageDialect.cpp - Attributes shared by the three levels ----------===//
//
// Registers the dialect's attributes, and parses, prints and verifies targets.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Schedule/LaunchSchedule.h"
#include "Mirage/Support/Bytecode.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mirage;

#include "Mirage/Dialect/Mirage/IR/MirageDialect.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "Mirage/Dialect/Mirage/IR/MirageAttributes.cpp.inc"

void MirageDialect::initialize() {
  addInterfaces<VersionedBytecode>();
  registerAttributes();
}

void MirageDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Mirage/Dialect/Mirage/IR/MirageAttributes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// TargetAttr
//===----------------------------------------------------------------------===//

/// Keywords hold letters, digits and underscores, so every chip is one.
Attribute TargetAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef chip;
  if (parser.parseLess() || parser.parseKeyword(&chip))
    return {};
  FailureOr<TargetDescription> target =
      parseTargetPreset(chip, [&] { return parser.emitError(loc); });
  if (failed(target))
    return {};
  llvm::SmallDenseSet<const TargetField *> seen;
  while (succeeded(parser.parseOptionalComma())) {
    StringRef name;
    SMLoc nameLoc = parser.getCurrentLocation();
    int64_t value;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return {};
    const TargetField *field =
        llvm::find_if(getTargetFields(),
                      [&](const TargetField &f) { return f.name == name; });
    if (field == getTargetFields().end()) {
      auto diagnostic = parser.emitError(nameLoc)
                        << "a target has no quantity '" << name << "'; it has ";
      llvm::interleaveComma(
          getTargetFields(), diagnostic,
          [&](const TargetField &f) { diagnostic << f.name; });
      return {};
    }
    if (!seen.insert(field).second) {
      parser.emitError(nameLoc) << "second value for " << name;
      return {};
    }
    SMLoc valueLoc = parser.getCurrentLocation();
    if (parser.parseInteger(value))
      return {};
    // Zero bytes of another block's shared memory say that there are no
    // clusters.
    bool mayBeZero = field->member == &TargetDescription::clusterPerClock;
    if (value < 0 || (value == 0 && !mayBeZero)) {
      parser.emitError(valueLoc)
          << name
          << (mayBeZero ? " must not be negative" : " must be positive");
      return {};
    }
    (*target).*field->member = value;
  }
  if (parser.parseGreater())
    return {};
  return get(parser.getContext(), *target);
}

void TargetAttr::print(AsmPrinter &printer) const {
  const TargetDescription &target = getDescription();
  printer << "<" << target.chip;
  std::optional<TargetDescription> preset = getTargetPreset(target.chip);
  for (const TargetField &field : getTargetFields())
    if (!preset || target.*field.member != (*preset).*field.member)
      printer << ", " << field.name << " = " << target.*field.member;
  printer << ">";
}

LogicalResult
ScheduleAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     int64_t rowWarps, int64_t columnWarps, int64_t loopGroups,
                     int64_t stages, int64_t clusterBlocks, bool wgmma,
                     int64_t loaderWarps, bool loaderPrepares, bool bulkCopies,
                     bool indexMasks, int64_t persistentBlocks,
                     int64_t workerRegisters, bool deferredProducts,
                     bool productSums, bool keptTiles) {
  if (rowWarps < 1 || columnWarps < 1 || loopGroups < 1 || stages < 2 ||
      clusterBlocks < 1)
    return emitError()
           << "a schedule has positive numbers of warps, groups and blocks, "
              "and at least two stages (schedule_c1)";
  constexpr int64_t mostWarps = 32;
  if (loaderWarps < 0)
    return emitError() << "a schedule has " << loaderWarps
                       << " warps that load (schedule_c6)";
  if (loaderPrepares && loaderWarps == 0)
    return emitError() << "a schedule whose loader prepares operands has no "
                          "warps that load (schedule_c7)";
  if (bulkCopies && loaderWarps == 0)
    return emitError() << "a schedule with bulk copies has no warps that load "
                          "(schedule_c8)";
  if (deferredProducts && (loaderWarps == 0 || !wgmma))
    return emitError() << "a schedule that defers products has no warps that "
                          "load, or no wgmma (schedule_c12)";
  if (productSums && !wgmma)
    return emitError() << "a schedule whose products add up rows has no wgmma "
                          "(schedule_c15)";
  if (keptTiles && (loaderWarps > 0 || indexMasks))
    return emitError() << "a schedule that keeps tiles has warps that load, or "
                          "computes masks (schedule_c16)";
  if (persistentBlocks < 0 ||
      (persistentBlocks > 0 && (loaderWarps == 0 || clusterBlocks > 1)))
    return emitError()
           << "a schedule with " << persistentBlocks
           << " persistent blocks has no such number, no warps that "
              "load, or a cluster (schedule_c10)";
  if (workerRegisters != 0 &&
      (workerRegisters < 24 || workerRegisters > 240 || workerRegisters % 8 ||
       loaderWarps == 0 || loaderWarps % 4 ||
       rowWarps * columnWarps * loopGroups % 4 ||
       getLoaderRegisters(workerRegisters, rowWarps * columnWarps * loopGroups,
                          loaderWarps) < 24))
    return emitError() << "a schedule with " << workerRegisters
                       << " registers for each thread of the warps that do not "
                          "load has no such number, or warps that are no whole "
                          "warpgroups or have too few left (schedule_c11)";
  if (rowWarps > mostWarps || columnWarps > mostWarps ||
      loopGroups > mostWarps || loaderWarps > mostWarps ||
      rowWarps * columnWarps * loopGroups + loaderWarps > mostWarps)
    return emitError() << "a schedule of " << rowWarps << " x " << columnWarps
                       << " x " << loopGroups << " + " << loaderWarps
                       << " warps has more than a block (schedule_c2)";
  constexpr int64_t mostBlocks = 8;
  if (clusterBlocks > mostBlocks)
    return emitError() << "a cluster of " << clusterBlocks
                       << " blocks has more "
                       << "than " << mostBlocks << " (schedule_c4)";
  if (wgmma && rowWarps % 4 && (rowWarps != 1 || columnWarps % 4))
    return emitError() << "a schedule with wgmma has " << rowWarps << " x "
                       << columnWarps
                       << " warps along rows and columns, where neither the "
                          "rows nor the columns alone have the four of a "
                          "warpgroup (schedule_c5)";
  return success();
}

FailureOr<TargetDescription>
mirage::parseTargetPreset(StringRef chip,
                          llvm::function_ref<InFlightDiagnostic()> emitError) {
  if (std::optional<TargetDescription> preset = getTargetPreset(chip))
    return *preset;
  InFlightDiagnostic diagnostic = emitError() << "unknown target '" << chip
                                              << "'; known are ";
  llvm::interleaveComma(getTargetPresetNames(), diagnostic);
  return diagnostic;
}

TargetAttr mirage::lookupTarget(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto target =
            op->getAttrOfType<TargetAttr>(MirageDialect::getTargetAttrName()))
      return target;
  return {};
}

LogicalResult
MirageDialect::verifyRegionArgAttribute(Operation *op, unsigned /*region*/,
                                        unsigned argument,
                                        NamedAttribute attribute) {
  if (attribute.getName() != getConstantAttrName())
    return op->emitError() << "the dialect mirage has no attribute '"
                           << attribute.getName().getValue()
                           << "' of arguments; known is '"
                           << getConstantAttrName() << "'";
  if (isa<FunctionOpInterface>(op) && isa<UnitAttr>(attribute.getValue()))
    return success();
  return op->emitOpError() << "'" << getConstantAttrName() << "' of argument "
                           << argument
                           << " belongs on an argument of a function and has "
                              "no value (load_c1)";
}

/// Checks that the function that `mirage.load` names makes the last arguments
/// of the constant ones before them. Lowered functions have results as
/// arguments.
static LogicalResult verifyLoad(Operation *op, Attribute name) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  auto symbol = dyn_cast<FlatSymbolRefAttr>(name);
  auto load = symbol
                  ? SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
                        op->getParentOp(), symbol)
                  : FunctionOpInterface();
  if (!function || !load || load == function)
    return op->emitOpError() << "'" << MirageDialect::getLoadAttrName()
                             << "' belongs on a function and names another one "
                                "of its module (load_c2)";
  StringRef lowered = MirageDialect::getNumInputsAttrName();
  if (function->hasAttr(lowered) || load->hasAttr(lowered))
    return success();
  ArrayRef<Type> arguments = function.getArgumentTypes(),
                 results = load.getResultTypes();
  auto isConstant = [&](unsigned number) {
    return function.getArgAttr(number, MirageDialect::getConstantAttrName()) !=
           nullptr;
  };
  if (results.size() > arguments.size() ||
      arguments.take_back(results.size()) != results ||
      !llvm::all_of(
          llvm::seq(arguments.size() - results.size(), arguments.size()),
          isConstant))
    return op->emitOpError() << "has no constant arguments at its end of the "
                                "types of the results of @"
                             << load.getName() << " (load_c3)";
  SmallVector<Type> taken;
  for (auto [number, type] :
       llvm::enumerate(arguments.drop_back(results.size())))
    if (isConstant(number))
      taken.push_back(type);
  if (load.getArgumentTypes() != ArrayRef<Type>(taken))
    return op->emitOpError() << "has other constant arguments than @"
                             << load.getName() << " takes (load_c4)";
  return success();
}

LogicalResult
MirageDialect::verifyOperationAttribute(Operation *op,
                                        NamedAttribute attribute) {
  // The attribute says how many of a host function's arguments are inputs.
  if (attribute.getName() == getNumInputsAttrName()) {
    if (isa<FunctionOpInterface>(op) && isa<IntegerAttr>(attribute.getValue()))
      return success();
    return op->emitOpError() << "'" << getNumInputsAttrName()
                             << "' belongs on a function and holds an integer";
  }
  if (attribute.getName() == getSuperoptimizeAttrName()) {
    if (isa<FunctionOpInterface>(op) && isa<UnitAttr>(attribute.getValue()))
      return success();
    return op->emitOpError() << "'" << getSuperoptimizeAttrName()
                             << "' belongs on a function and has no value";
  }
  if (attribute.getName() == getPrimitiveClassAttrName()) {
    if (isa<PrimitiveClassAttr>(attribute.getValue()))
      return success();
    return op->emitOpError() << "'" << getPrimitiveClassAttrName()
                             << "' holds a #mirage.primitive_class";
  }
  // The attribute names the function that this one must compute, and says what
  // is known of that.
  if (attribute.getName() == getEquivalentToAttrName()) {
    if (isa<FunctionOpInterface>(op) &&
        isa<FlatSymbolRefAttr>(attribute.getValue()))
      return success();
    return op->emitOpError() << "'" << getEquivalentToAttrName()
                             << "' belongs on a function and names another";
  }
  // The attribute says what was found out about a function.
  if (attribute.getName() == getEquivalenceAttrName() ||
      attribute.getName() == getSuperoptimizedAttrName()) {
    if (isa<FunctionOpInterface>(op) &&
        isa<DictionaryAttr>(attribute.getValue()))
      return success();
    return op->emitOpError()
           << "'" << attribute.getName().getValue()
           << "' belongs on a function and holds a dictionary";
  }
  if (attribute.getName() == getLoadAttrName())
    return verifyLoad(op, attribute.getValue());
  // Launches check that loops can be shared, once their bodies are verified.
  if (attribute.getName() == getScheduleAttrName()) {
    if (op->getName().getStringRef() == "mirage_kernel.launch" &&
        isa<ScheduleAttr>(attribute.getValue()))
      return success();
    return op->emitOpError() << "'" << getScheduleAttrName()
                             << "' belongs on a mirage_kernel.launch and holds "
                                "a #mirage.schedule (schedule_c3)";
  }
  // The lowering checks that the operation can be executed so.
  StringRef name = op->getName().getStringRef();
  if (attribute.getName() == getCopyWayAttrName()) {
    if (name == "mirage_block.load" && isa<CopyWayAttr>(attribute.getValue()))
      return success();
    return op->emitOpError() << "'" << getCopyWayAttrName()
                             << "' belongs on a mirage_block.load and holds a "
                                "#mirage.copy_way (schedule_c13)";
  }
  if (attribute.getName() == getProductInstructionAttrName()) {
    if ((name == "mirage_block.matmul" ||
         name == "mirage_block.concat_matmul") &&
        isa<ProductInstructionAttr>(attribute.getValue()))
      return success();
    return op->emitOpError()
           << "'" << getProductInstructionAttrName()
           << "' belongs on a product of a block graph and holds a "
              "#mirage.product_instruction (schedule_c14)";
  }
  if (attribute.getName() != getTargetAttrName())
    return op->emitError() << "the dialect mirage has no attribute '"
                           << attribute.getName().getValue() << "'; known are '"
                           << getTargetAttrName() << "', '"
                           << getNumInputsAttrName() << "', '"
                           << getSuperoptimizeAttrName() << "', '"
                           << getSuperoptimizedAttrName() << "', '"
                           << getPrimitiveClassAttrName() << "', '"
                           << getScheduleAttrName() << "', '"
                           << getCopyWayAttrName() << "', '"
                           << getProductInstructionAttrName() << "', '"
                           << getEquivalentToAttrName() << "', '"
                           << getEquivalenceAttrName() << "' and '"
                           << getLoadAttrName() << "'";
  // Launches check target_c2 themselves, once their bodies are verified.
  if (!isa<ModuleOp>(op) || !isa<TargetAttr>(attribute.getValue()))
    return op->emitOpError() << "'" << getTargetAttrName()
                             << "' belongs on a module and holds a "
                                "#mirage.target (target_c1)";
  return success();
}
