//===- ManifestJSON.cpp - The manifest as JSON text -----------------------===//

// Converts text to a Manifest and back. The readers check each field's type and
// refuse unknown fields; what fields mean together is checked in Manifest.cpp.

#include "Mirage/Runtime/Manifest.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>

namespace json = llvm::json;
using llvm::StringRef;

namespace mirage::runtime {

// The overloads are in this namespace, not an anonymous one, so that the
// templates of llvm::json find them.

/// Reports the first field of `value` that is not among `known`.
static bool refuseUnknown(const json::Value &value,
                          llvm::ArrayRef<StringRef> known, json::Path path) {
  for (const auto &field : *value.getAsObject()) {
    StringRef name = field.first;
    if (llvm::is_contained(known, name))
      continue;
    path.field(name).report("unknown field");
    return false;
  }
  return true;
}

/// Reads a field that must be an integer from `low` to `high`.
template <typename T>
static bool mapInteger(json::ObjectMapper &object, llvm::StringLiteral name,
                       T &out, json::Path path, int64_t low,
                       uint64_t high = std::numeric_limits<T>::max()) {
  int64_t value;
  if (!object.map(name, value))
    return false;
  if (value < low || static_cast<uint64_t>(value) > high) {
    path.field(name).report("integer out of range");
    return false;
  }
  out = static_cast<T>(value);
  return true;
}

/// Reads a field that must be a list of integers that are not negative.
static bool mapIndices(json::ObjectMapper &object, llvm::StringLiteral name,
                       std::vector<uint32_t> &out, json::Path path) {
  std::vector<int64_t> indices;
  if (!object.map(name, indices))
    return false;
  for (auto [position, index] : llvm::enumerate(indices)) {
    if (index < 0 || index > std::numeric_limits<uint32_t>::max()) {
      path.field(name).index(position).report("integer out of range");
      return false;
    }
    out.push_back(static_cast<uint32_t>(index));
  }
  return true;
}

static bool mapDim3(json::ObjectMapper &object, llvm::StringLiteral name,
                    Dim3 &out, json::Path path) {
  std::vector<int64_t> sizes;
  if (!object.map(name, sizes))
    return false;
  if (sizes.size() != 3) {
    path.field(name).report("expected three integers");
    return false;
  }
  for (unsigned i = 0; i < 3; ++i) {
    if (sizes[i] < 1 || sizes[i] > std::numeric_limits<uint32_t>::max()) {
      path.field(name).index(i).report("integer out of range");
      return false;
    }
    out[i] = static_cast<uint32_t>(sizes[i]);
  }
  return true;
}

static bool fromJSON(const json::Value &value, BufferRole &out,
                     json::Path path) {
  for (BufferRole role :
       {BufferRole::Input, BufferRole::Output, BufferRole::Scratch}) {
    if (value.getAsString() != stringifyBufferRole(role))
      continue;
    out = role;
    return true;
  }
  path.report("expected \"input\", \"output\" or \"scratch\"");
  return false;
}

static bool fromJSON(const json::Value &value, ElementType &out,
                     json::Path path) {
  std::optional<StringRef> name = value.getAsString();
  std::optional<ElementType> type =
      name ? parseElementType(*name) : std::nullopt;
  if (!type) {
    path.report("expected an element type: \"f16\", \"bf16\", \"f32\", "
                "\"f64\", \"f8E4M3FN\" or \"f8E5M2\"");
    return false;
  }
  out = *type;
  return true;
}

static bool fromJSON(const json::Value &value, BufferDescription &out,
                     json::Path path) {
  json::ObjectMapper object(value, path);
  std::vector<int64_t> shape;
  if (!object || !object.map("name", out.name) ||
      !object.map("role", out.role) || !object.map("shape", shape) ||
      !object.map("type", out.type) ||
      !mapInteger(object, "bytes", out.bytes, path, 0))
    return false;
  out.shape.assign(shape.begin(), shape.end());
  if (out.role == BufferRole::Scratch)
    return mapInteger(object, "offset", out.offset, path, 0) &&
           refuseUnknown(value,
                         {"name", "role", "shape", "type", "bytes", "offset"},
                         path);
  return mapInteger(object, "index", out.index, path, 0) &&
         refuseUnknown(
             value, {"name", "role", "index", "shape", "type", "bytes"}, path);
}

static bool fromJSON(const json::Value &value, TensorMapDescription &out,
                     json::Path path) {
  json::ObjectMapper object(value, path);
  std::vector<int64_t> shape, strides, box;
  if (!object || !object.map("buffer", out.buffer) ||
      !object.map("type", out.type) || !object.map("shape", shape) ||
      !object.map("strides", strides) || !object.map("box", box))
    return false;
  out.shape.assign(shape.begin(), shape.end());
  out.strides.assign(strides.begin(), strides.end());
  out.box.assign(box.begin(), box.end());
  return refuseUnknown(value, {"buffer", "type", "shape", "strides", "box"},
                       path);
}

static bool fromJSON(const json::Value &value, KernelDescription &out,
                     json::Path path) {
  json::ObjectMapper object(value, path);
  return object && object.map("name", out.name) &&
         mapDim3(object, "grid", out.grid, path) &&
         mapDim3(object, "block", out.block, path) &&
         mapDim3(object, "cluster", out.cluster, path) &&
         mapInteger(object, "shared_memory_bytes", out.sharedMemoryBytes, path,
                    0) &&
         object.map("arguments", out.arguments) &&
         object.map("tensor_maps", out.tensorMaps) &&
         object.map("reads", out.reads) && object.map("writes", out.writes) &&
         object.map("waits", out.waits) &&
         mapInteger(object, "stream", out.stream, path, 0) &&
         mapIndices(object, "after", out.after, path) &&
         refuseUnknown(value,
                       {"name", "grid", "block", "cluster",
                        "shared_memory_bytes", "arguments", "tensor_maps",
                        "reads", "writes", "waits", "stream", "after"},
                       path);
}

static bool fromJSON(const json::Value &value, LoadDescription &out,
                     json::Path path) {
  json::ObjectMapper object(value, path);
  return object && object.map("function", out.function) &&
         mapIndices(object, "constants", out.constants, path) &&
         refuseUnknown(value, {"function", "constants"}, path);
}

static bool fromJSON(const json::Value &value, FunctionDescription &out,
                     json::Path path) {
  json::ObjectMapper object(value, path);
  return object && object.map("name", out.name) &&
         object.map("buffers", out.buffers) &&
         object.map("kernels", out.kernels) &&
         mapInteger(object, "scratch_bytes", out.scratchBytes, path, 0) &&
         object.map("results", out.results) &&
         object.mapOptional("load", out.load) &&
         refuseUnknown(
             value,
             {"name", "buffers", "kernels", "scratch_bytes", "results", "load"},
             path);
}

static bool fromJSON(const json::Value &value, Manifest &out, json::Path path) {
  json::ObjectMapper object(value, path);
  int64_t version = 0;
  return object && object.map("version", version) &&
         object.map("target", out.target) && object.map("ptx", out.ptx) &&
         object.map("functions", out.functions) &&
         refuseUnknown(value, {"version", "target", "ptx", "functions"}, path);
}

llvm::Expected<Manifest> parseManifest(StringRef text) {
  llvm::Expected<json::Value> value = json::parse(text);
  if (!value)
    return value.takeError();
  // Other versions may differ in anything else, so nothing else is looked at.
  if (const json::Object *object = value->getAsObject())
    if (std::optional<int64_t> version = object->getInteger("version");
        version && *version != Manifest::version)
      return llvm::createStringError(
          "unknown version " + llvm::Twine(*version) +
          "; this reader knows version " + llvm::Twine(Manifest::version) +
          " at manifest.version");
  json::Path::Root root("manifest");
  Manifest manifest;
  if (!fromJSON(*value, manifest, root))
    return root.getError();
  if (llvm::Error error = verify(manifest))
    return error;
  return manifest;
}

/// Writes a list on one line.
template <typename Range>
static void printList(json::OStream &os, StringRef name, const Range &values) {
  std::string list;
  llvm::raw_string_ostream text(list);
  text << json::Value(json::Array(values));
  os.attributeBegin(name);
  os.rawValue(list);
  os.attributeEnd();
}

/// Writes each of `items` as an object.
template <typename Range, typename Print>
static void printObjects(json::OStream &os, StringRef name, const Range &items,
                         Print print) {
  os.attributeArray(name, [&] {
    for (const auto &item : items)
      os.object([&] { print(item); });
  });
}

static void print(json::OStream &os, const BufferDescription &buffer) {
  os.attribute("name", buffer.name);
  os.attribute("role", stringifyBufferRole(buffer.role));
  if (buffer.role != BufferRole::Scratch)
    os.attribute("index", buffer.index);
  printList(os, "shape", buffer.shape);
  os.attribute("type", stringifyElementType(buffer.type));
  os.attribute("bytes", buffer.bytes);
  if (buffer.role == BufferRole::Scratch)
    os.attribute("offset", buffer.offset);
}

static void print(json::OStream &os, const TensorMapDescription &map) {
  os.attribute("buffer", map.buffer);
  os.attribute("type", stringifyElementType(map.type));
  printList(os, "shape", map.shape);
  printList(os, "strides", map.strides);
  printList(os, "box", map.box);
}

static void print(json::OStream &os, const KernelDescription &kernel) {
  os.attribute("name", kernel.name);
  printList(os, "grid", kernel.grid);
  printList(os, "block", kernel.block);
  printList(os, "cluster", kernel.cluster);
  os.attribute("shared_memory_bytes", kernel.sharedMemoryBytes);
  printList(os, "arguments", kernel.arguments);
  printObjects(os, "tensor_maps", kernel.tensorMaps,
               [&](const auto &map) { print(os, map); });
  printList(os, "reads", kernel.reads);
  printList(os, "writes", kernel.writes);
  os.attribute("waits", kernel.waits);
  os.attribute("stream", kernel.stream);
  printList(os, "after", kernel.after);
}

std::string printManifest(const Manifest &manifest) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  json::OStream os(stream, /*IndentSize=*/2);
  os.object([&] {
    os.attribute("version", Manifest::version);
    os.attribute("target", manifest.target);
    os.attribute("ptx", manifest.ptx);
    printObjects(os, "functions", manifest.functions,
                 [&](const FunctionDescription &function) {
                   os.attribute("name", function.name);
                   printObjects(os, "buffers", function.buffers,
                                [&](const auto &item) { print(os, item); });
                   printObjects(os, "kernels", function.kernels,
                                [&](const auto &item) { print(os, item); });
                   os.attribute("scratch_bytes", function.scratchBytes);
                   printList(os, "results", function.results);
                   if (function.load)
                     os.attributeObject("load", [&] {
                       os.attribute("function", function.load->function);
                       printList(os, "constants", function.load->constants);
                     });
                 });
  });
  stream << '\n';
  return text;
}

} // namespace mirage::runtime
