//===- Executables.cpp - Kernels as IREE's executables --------------------===//
//
// Builds hal.executable.source operations. Their dialect is not linked: the
// operations are unregistered ones, and attributes are written as text. They
// are those of IREE 3.12 and 3.13 (HALOps.td, HALAttrs.td there).
//
//===----------------------------------------------------------------------===//

#include "Executables.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::iree;
using runtime::KernelDescription;

UniqueNames::UniqueNames(ModuleOp module) {
  for (Operation &op : *module.getBody()) {
    auto name = op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    // An operation of a dialect that is not linked has it in its properties.
    if (!name && !op.isRegistered())
      if (auto properties =
              dyn_cast_or_null<DictionaryAttr>(op.getPropertiesAsAttribute()))
        name = properties.getAs<StringAttr>(SymbolTable::getSymbolAttrName());
    if (name)
      used.insert(name.getValue());
  }
}

std::string UniqueNames::get(StringRef stem) {
  std::string clean = stem.str();
  for (char &c : clean)
    if (!llvm::isAlnum(c) && c != '_')
      c = '_';
  std::string name = clean;
  for (unsigned i = 0; !used.insert(name).second; ++i)
    name = clean + "_" + std::to_string(i);
  return name;
}

Operation *iree::createUnknown(OpBuilder &builder, Location loc, StringRef name,
                               TypeRange results, ValueRange operands,
                               ArrayRef<NamedAttribute> properties,
                               unsigned numRegions) {
  OperationState state(loc, name);
  state.addTypes(results);
  state.addOperands(operands);
  if (!properties.empty())
    state.propertiesAttr = builder.getDictionaryAttr(properties);
  for (unsigned i = 0; i < numRegions; ++i)
    state.addRegion();
  return builder.create(state);
}

/// Returns #hal.<text>.
static Attribute getHALAttr(MLIRContext *context, StringRef text) {
  return OpaqueAttr::get(StringAttr::get(context, "hal"), text,
                         NoneType::get(context));
}

bool Executables::Export::launches(const KernelDescription &other,
                                   ArrayRef<Binding> otherBindings) const {
  return kernel->name == other.name && kernel->grid == other.grid &&
         kernel->block == other.block &&
         kernel->sharedMemoryBytes == other.sharedMemoryBytes &&
         ArrayRef(bindings) == otherBindings;
}

SymbolRefAttr Executables::getExport(const KernelDescription &kernel,
                                     ArrayRef<Binding> bindings, Location loc) {
  auto reference = [&](const Executable &executable) {
    MLIRContext *context = loc.getContext();
    return SymbolRefAttr::get(StringAttr::get(context, executable.name),
                              {FlatSymbolRefAttr::get(context, kernel.name)});
  };
  for (Executable &executable : executables) {
    auto sameName = llvm::find_if(executable.exports, [&](const Export &e) {
      return e.kernel->name == kernel.name;
    });
    if (sameName == executable.exports.end()) {
      executable.exports.push_back(
          {&kernel, SmallVector<Binding>(bindings), loc});
      return reference(executable);
    }
    if (sameName->launches(kernel, bindings))
      return reference(executable);
  }
  Executable &added = executables.emplace_back();
  added.name = names.get(stem + "_kernels");
  added.exports.push_back({&kernel, SmallVector<Binding>(bindings), loc});
  return reference(added);
}

void Executables::emit(ModuleOp module) const {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  for (const Executable &executable : executables)
    emit(executable, builder);
}

/// Returns #hal.pipeline.layout with a binding for each parameter.
static Attribute getLayout(MLIRContext *context, ArrayRef<Binding> bindings) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "pipeline.layout<bindings = [";
  llvm::interleaveComma(bindings, os, [&](Binding binding) {
    os << "#hal.pipeline.binding<storage_buffer"
       << (binding == Binding::ReadOnly ? ", ReadOnly>" : ">");
  });
  os << "]>";
  return getHALAttr(context, text);
}

/// Returns #hal.executable.objects with the PTX. The target has no
/// configuration, since IREE finds objects by the exact target.
///
/// IREE merges executables that differ in their symbols' names only, and then
/// launches the wrong kernels. It compares objects by path as well, so each
/// executable's object has a path of its own.
static Attribute getObjects(MLIRContext *context, StringRef name,
                            StringRef ptx) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "executable.objects<{#hal.executable.target<\"cuda\", "
        "\"cuda-nvptx-fb\"> = [#hal.executable.object<{path = \""
     << name << ".ptx\", data = dense<\"0x" << llvm::toHex(ptx)
     << "\"> : vector<" << ptx.size() << "xi8>}>]}>";
  return getHALAttr(context, text);
}

void Executables::emit(const Executable &executable, OpBuilder &builder) const {
  OpBuilder::InsertionGuard guard(builder);
  MLIRContext *context = builder.getContext();
  Location loc = executable.exports.front().loc;
  auto attribute = [&](StringRef name, Attribute value) {
    return builder.getNamedAttr(name, value);
  };
  Operation *source = createUnknown(
      builder, loc, "hal.executable.source", {}, {},
      {attribute("sym_name", builder.getStringAttr(executable.name)),
       attribute("sym_visibility", builder.getStringAttr("private")),
       attribute("objects", getObjects(context, executable.name, ptx))},
      /*numRegions=*/1);
  builder.createBlock(&source->getRegion(0));
  for (auto [ordinal, entry] : llvm::enumerate(executable.exports)) {
    const KernelDescription &kernel = *entry.kernel;
    SmallVector<Attribute> block;
    for (uint32_t size : kernel.block)
      block.push_back(builder.getIndexAttr(size));
    Operation *exported = createUnknown(
        builder, entry.loc, "hal.executable.export", {}, {},
        {attribute("sym_name", builder.getStringAttr(kernel.name)),
         attribute("sym_visibility", builder.getStringAttr("public")),
         attribute("ordinal", builder.getIndexAttr(ordinal)),
         attribute("layout", getLayout(context, entry.bindings)),
         attribute("workgroup_size", builder.getArrayAttr(block)),
         attribute("workgroup_local_memory",
                   builder.getIndexAttr(kernel.sharedMemoryBytes))},
        /*numRegions=*/2);
    // The first region computes the grid; the second one is a condition, which
    // is not needed.
    OpBuilder::InsertionGuard inner(builder);
    Type device = OpaqueType::get(StringAttr::get(context, "hal"), "device");
    builder.createBlock(&exported->getRegion(0), {}, {device}, {entry.loc});
    SmallVector<Value> grid;
    for (uint32_t size : kernel.grid)
      grid.push_back(arith::ConstantIndexOp::create(builder, entry.loc, size));
    createUnknown(builder, entry.loc, "hal.return", {}, grid, {});
  }
  createUnknown(builder, loc, "hal.executable.source_end", {}, {}, {});
}
