//===- ManifestTest.cpp - Description of lowered kernels ------------------===//

// Tests one manifest that round trips, and from it one broken manifest for each
// check of the reader and the verifier.

#include "Mirage/Runtime/Manifest.h"
#include "TestSupport.h"
#include "gtest/gtest.h"

using namespace mirage::runtime;

namespace {

const char *const kText = R"({
  "version": 7,
  "target": "sm_90a",
  "ptx": "program.ptx",
  "functions": [
    {
      "name": "rmsnorm",
      "buffers": [
        {
          "name": "x",
          "role": "input",
          "index": 0,
          "shape": [2,8],
          "type": "f16",
          "bytes": 32
        },
        {
          "name": "t",
          "role": "scratch",
          "shape": [],
          "type": "f32",
          "bytes": 128,
          "offset": 256
        },
        {
          "name": "y",
          "role": "output",
          "index": 0,
          "shape": [2,0],
          "type": "f8E4M3FN",
          "bytes": 0
        }
      ],
      "kernels": [
        {
          "name": "rmsnorm_k0",
          "grid": [4,2,1],
          "block": [128,1,1],
          "cluster": [2,1,1],
          "shared_memory_bytes": 65536,
          "arguments": ["x","t"],
          "tensor_maps": [
            {
              "buffer": "x",
              "type": "f16",
              "shape": [1,16],
              "strides": [48,2],
              "box": [1,16]
            }
          ],
          "reads": ["x"],
          "writes": ["t"],
          "waits": true,
          "stream": 0,
          "after": []
        }
      ],
      "scratch_bytes": 512,
      "results": ["y","x"]
    }
  ]
}
)";

/// Returns the text with the first occurrence of `from` replaced.
std::string edited(llvm::StringRef from, llvm::StringRef to) {
  std::string text = kText;
  size_t position = text.find(from.str());
  EXPECT_NE(position, std::string::npos) << from.str();
  return text.replace(position, from.size(), to.str());
}

void expectRefused(llvm::StringRef from, llvm::StringRef to,
                   llvm::StringRef message) {
  EXPECT_TRUE(contains(errorText(parseManifest(edited(from, to))), message));
}

TEST(Manifest, ParsesEveryField) {
  llvm::Expected<Manifest> manifest = parseManifest(kText);
  ASSERT_TRUE(bool(manifest)) << errorText(manifest.takeError());
  EXPECT_EQ(manifest->target, "sm_90a");
  EXPECT_EQ(manifest->ptx, "program.ptx");
  EXPECT_EQ(manifest->findFunction("softmax"), nullptr);
  const FunctionDescription *function = manifest->findFunction("rmsnorm");
  ASSERT_NE(function, nullptr);
  ASSERT_EQ(function->buffers.size(), 3u);
  const BufferDescription &x = function->buffers[0];
  EXPECT_EQ(function->findBuffer("x"), &x);
  EXPECT_EQ(function->findBuffer("z"), nullptr);
  EXPECT_EQ(function->countBuffers(BufferRole::Input), 1u);
  EXPECT_EQ(x.role, BufferRole::Input);
  EXPECT_EQ(x.index, 0u);
  EXPECT_EQ(x.shape, (llvm::SmallVector<int64_t>{2, 8}));
  EXPECT_EQ(x.type, ElementType::f16);
  EXPECT_EQ(x.bytes, 32u);
  EXPECT_EQ(function->buffers[1].role, BufferRole::Scratch);
  EXPECT_EQ(function->buffers[1].offset, 256u);
  EXPECT_EQ(function->scratchBytes, 512u);
  EXPECT_EQ(function->buffers[2].role, BufferRole::Output);
  ASSERT_EQ(function->kernels.size(), 1u);
  const KernelDescription &kernel = function->kernels[0];
  EXPECT_EQ(kernel.name, "rmsnorm_k0");
  EXPECT_EQ(kernel.grid, (Dim3{4, 2, 1}));
  EXPECT_EQ(kernel.block, (Dim3{128, 1, 1}));
  EXPECT_EQ(kernel.cluster, (Dim3{2, 1, 1}));
  EXPECT_EQ(kernel.sharedMemoryBytes, 65536u);
  EXPECT_EQ(kernel.arguments, (std::vector<std::string>{"x", "t"}));
  ASSERT_EQ(kernel.tensorMaps.size(), 1u);
  EXPECT_EQ(kernel.tensorMaps[0].buffer, "x");
  EXPECT_EQ(kernel.tensorMaps[0].type, ElementType::f16);
  EXPECT_EQ(kernel.tensorMaps[0].shape, (llvm::SmallVector<int64_t>{1, 16}));
  EXPECT_EQ(kernel.tensorMaps[0].strides, (llvm::SmallVector<int64_t>{48, 2}));
  EXPECT_EQ(kernel.tensorMaps[0].box, (llvm::SmallVector<int64_t>{1, 16}));
  EXPECT_EQ(kernel.reads, std::vector<std::string>{"x"});
  EXPECT_EQ(kernel.writes, std::vector<std::string>{"t"});
  EXPECT_EQ(function->results, (std::vector<std::string>{"y", "x"}));
}

TEST(Manifest, PrintsWhatItParsed) {
  llvm::Expected<Manifest> manifest = parseManifest(kText);
  ASSERT_TRUE(bool(manifest)) << errorText(manifest.takeError());
  EXPECT_EQ(printManifest(*manifest), kText);

  TemporaryFile file;
  EXPECT_EQ(errorText(writeManifest(file.path(), *manifest)), "");
  EXPECT_EQ(file.read(), kText);
  EXPECT_EQ(errorText(readManifest(file.path())), "");
}

TEST(Manifest, ErrorsNameTheFile) {
  EXPECT_TRUE(contains(errorText(readManifest("/no/such/manifest.json")),
                       "'/no/such/manifest.json': "));
  TemporaryFile file("{\"version\": 7");
  EXPECT_TRUE(contains(errorText(readManifest(file.path())), file.path()));
  EXPECT_TRUE(contains(
      errorText(writeManifest("unused.json", Manifest())),
      "'unused.json': expected a chip such as \"sm_90a\" at manifest.target"));
}

TEST(Manifest, RefusesOtherVersions) {
  for (const char *version : {"1", "6", "-1"})
    expectRefused("\"version\": 7", std::string("\"version\": ") + version,
                  std::string("unknown version ") + version +
                      "; this reader knows version 7 at manifest.version");
  expectRefused("\"version\": 7,", "", "missing value at manifest.version");
  expectRefused("\"version\": 7", "\"version\": \"4\"",
                "expected integer at manifest.version");
  // Whatever else is in a later version, the version is the complaint.
  EXPECT_TRUE(contains(errorText(parseManifest("{\"version\": 9, \"a\": 0}")),
                       "unknown version"));
  EXPECT_TRUE(contains(errorText(parseManifest("[]")), "expected object"));
}

TEST(Manifest, RefusesMissingAndIllTypedFields) {
  const std::string function = "manifest.functions[0]";
  expectRefused("\"target\": \"sm_90a\",", "",
                "missing value at manifest.target");
  expectRefused("\"ptx\": \"program.ptx\"", "\"ptx\": 1",
                "expected string at manifest.ptx");
  expectRefused("\"index\": 0,", "",
                "missing value at " + function + ".buffers[0].index");
  expectRefused("\"index\": 0,", "\"index\": -1,",
                "integer out of range at " + function + ".buffers[0].index");
  expectRefused("\"input\"", "\"in\"", "at " + function + ".buffers[0].role");
  expectRefused("\"f16\"", "\"half\"", "at " + function + ".buffers[0].type");
  expectRefused("[2,8]", "[2,8.5]",
                "expected integer at " + function + ".buffers[0].shape[1]");
  expectRefused("\"bytes\": 32", "\"bytes\": \"32\"",
                "expected integer at " + function + ".buffers[0].bytes");
  expectRefused("[4,2,1]", "[4,2]",
                "expected three integers at " + function + ".kernels[0].grid");
  expectRefused("[4,2,1]", "[4,2,4294967297]",
                "integer out of range at " + function + ".kernels[0].grid[2]");
  expectRefused(",\n          \"offset\": 256", "",
                "missing value at " + function + ".buffers[1].offset");
  expectRefused("\"scratch_bytes\": 512,", "",
                "missing value at " + function + ".scratch_bytes");
  expectRefused("65536", "4294967296",
                "integer out of range at " + function +
                    ".kernels[0].shared_memory_bytes");
  expectRefused("\"stream\": 0", "\"stream\": -1",
                "integer out of range at " + function + ".kernels[0].stream");
  expectRefused("\"after\": []", "\"after\": [-1]",
                "integer out of range at " + function + ".kernels[0].after[0]");
  expectRefused("\"after\": []", "\"after\": [0]",
                "kernels wait for earlier ones on other streams at " +
                    function + ".kernels[0].after[0]");
  expectRefused("[\"x\",\"t\"]", "[\"x\",1]",
                "expected string at " + function + ".kernels[0].arguments[1]");
}

TEST(Manifest, RefusesUnknownFields) {
  expectRefused("\"target\"", "\"author\": 1, \"target\"",
                "unknown field at manifest.author");
  expectRefused("\"role\": \"scratch\"", "\"role\": \"scratch\", \"index\": 0",
                "unknown field at manifest.functions[0].buffers[1].index");
  expectRefused("\"role\": \"output\"", "\"role\": \"output\", \"offset\": 0",
                "unknown field at manifest.functions[0].buffers[2].offset");
  expectRefused("\"grid\"", "\"priority\": 0, \"grid\"",
                "unknown field at manifest.functions[0].kernels[0].priority");
}

TEST(Manifest, RefusesBadNames) {
  expectRefused("sm_90a", "gfx942", "at manifest.target");
  expectRefused("program.ptx", "../program.ptx", "at manifest.ptx");
  expectRefused("\"rmsnorm\"", "\"\"",
                "empty name at manifest.functions[0].name");
  expectRefused("\"name\": \"y\"", "\"name\": \"x\"",
                "duplicate name 'x' at manifest.functions[0].buffers[2].name");
  expectRefused("[\"x\",\"t\"]", "[\"x\",\"u\"]",
                "no buffer is called 'u' at "
                "manifest.functions[0].kernels[0].arguments[1]");
  expectRefused("[\"y\",\"x\"]", "[\"q\"]",
                "no buffer is called 'q' at manifest.functions[0].results[0]");

  llvm::Expected<Manifest> manifest = parseManifest(kText);
  ASSERT_TRUE(bool(manifest)) << errorText(manifest.takeError());
  manifest->functions.push_back(manifest->functions[0]);
  EXPECT_EQ(errorText(verify(*manifest)),
            "duplicate name 'rmsnorm' at manifest.functions[1].name");
}

TEST(Manifest, RefusesAccessesThatCannotBe) {
  const std::string kernel = "manifest.functions[0].kernels[0]";
  expectRefused("\"reads\": [\"x\"],", "",
                "missing value at " + kernel + ".reads");
  expectRefused("\"reads\": [\"x\"]", "\"reads\": [\"y\"]",
                "the kernel has no argument 'y' at " + kernel + ".reads[0]");
  expectRefused("\"writes\": [\"t\"]", "\"writes\": [\"t\",\"x\"]",
                "the kernel writes the input 'x' at " + kernel + ".writes[1]");
  expectRefused("\"reads\": [\"x\"],\n          \"writes\": [\"t\"]",
                "\"reads\": [\"x\",\"t\"], \"writes\": []",
                "no kernel has written 't' before at " + kernel + ".reads[1]");
}

TEST(Manifest, RefusesTensorMapsThatCannotBe) {
  const std::string map = "manifest.functions[0].kernels[0].tensor_maps[0]";
  expectRefused("\"buffer\": \"x\"", "\"buffer\": \"y\"",
                "'y' is no argument of the kernel at " + map + ".buffer");
  expectRefused("\"type\": \"f16\",\n              \"shape\"",
                "\"type\": \"f32\", \"shape\"",
                "elements of tensor maps have 16 bits at " + map + ".type");
  expectRefused("[1,16],\n              \"strides\"", "[1], \"strides\"",
                "one to five sizes, and as many strides and sizes of the box");
  expectRefused("[1,16],\n              \"strides\"", "[1,0], \"strides\"",
                "size must be 1 to 4294967295 at " + map + ".shape[1]");
  expectRefused("[1,16],\n              \"strides\"", "[2,16], \"strides\"",
                "'x' has 32 bytes, not 80 at " + map + ".shape");
  expectRefused("[48,2]", "[40,2]",
                "strides must be multiples of 16 bytes, and the last one an "
                "element at " +
                    map + ".strides[0]");
  expectRefused("[48,2]", "[48,4]", "at " + map + ".strides[1]");
  expectRefused("\"box\": [1,16]", "\"box\": [257,16]",
                "size must be 1 to 256 at " + map + ".box[0]");
  expectRefused("\"box\": [1,16]", "\"box\": [1,8]",
                "the last size must be 16, 32 or 64 at " + map + ".box");
}

/// Returns a program whose function "f" has two inputs and a third, which
/// "f.load" makes of the second.
Manifest getLoadedProgram() {
  auto describe = [](llvm::StringRef name, BufferRole role, uint32_t index,
                     int64_t size) {
    BufferDescription buffer;
    buffer.name = name.str();
    buffer.role = role;
    buffer.index = index;
    buffer.shape = {size};
    buffer.type = ElementType::f32;
    buffer.bytes = 4 * size;
    return buffer;
  };
  Manifest manifest;
  manifest.target = "sm_90a";
  manifest.ptx = "kernels.ptx";
  FunctionDescription function, maker;
  function.name = "f";
  function.buffers = {describe("x", BufferRole::Input, 0, 8),
                      describe("w", BufferRole::Input, 1, 4),
                      describe("l", BufferRole::Input, 2, 2)};
  function.results = {"x"};
  function.load = LoadDescription{"f.load", {1}};
  maker.name = "f.load";
  maker.buffers = {describe("w", BufferRole::Input, 0, 4),
                   describe("l", BufferRole::Output, 0, 2)};
  maker.results = {"l"};
  manifest.functions = {function, maker};
  return manifest;
}

TEST(Manifest, KeepsHowInputsAreLoaded) {
  Manifest manifest = getLoadedProgram();
  std::string text = printManifest(manifest);
  llvm::Expected<Manifest> read = parseManifest(text);
  ASSERT_TRUE(bool(read)) << errorText(read.takeError());
  ASSERT_TRUE(read->functions[0].load.has_value());
  EXPECT_EQ(read->functions[0].load->function, "f.load");
  EXPECT_EQ(read->functions[0].load->constants, (std::vector<uint32_t>{1}));
  EXPECT_FALSE(read->functions[1].load.has_value());
  EXPECT_EQ(printManifest(*read), text);
}

TEST(Manifest, RefusesInputsThatCannotBeLoaded) {
  const std::string load = "manifest.functions[0].load";
  auto expectError = [&](auto change, const std::string &message) {
    Manifest manifest = getLoadedProgram();
    change(manifest);
    EXPECT_EQ(errorText(verify(manifest)), message);
  };
  expectError([](Manifest &) {}, "");
  for (const char *name : {"f", "g"})
    expectError([&](Manifest &m) { m.functions[0].load->function = name; },
                "'" + std::string(name) +
                    "' is no other function that is given all of its inputs "
                    "at " +
                    load + ".function");
  expectError(
      [](Manifest &m) {
        m.functions[1].results = {"l", "l", "l", "l"};
      },
      "'f.load' makes 4 inputs of 3 at " + load + ".function");
  expectError([](Manifest &m) { m.functions[1].results = {"w"}; },
              "'w' of 'f.load' has another type than 'l' at " + load +
                  ".function");
  expectError([](Manifest &m) { m.functions[0].load->constants = {}; },
              "'f.load' takes 1 inputs at " + load + ".constants");
  for (uint32_t index : {0, 2})
    expectError([&](Manifest &m) { m.functions[0].load->constants = {index}; },
                "no input before those that are made has this index and the "
                "type of 'w' at " +
                    load + ".constants[0]");
}

TEST(Manifest, RefusesSizesThatDisagree) {
  expectRefused("\"bytes\": 32", "\"bytes\": 64",
                "shape and type need 32 bytes, not 64 at "
                "manifest.functions[0].buffers[0].bytes");
  expectRefused("\"bytes\": 128", "\"bytes\": 3",
                "shape and type need 4 bytes, not 3");
  expectRefused("[2,8]", "[-2,-8]", "negative size");
  expectRefused("512", "300",
                "'t' ends beyond the 300 bytes of scratch memory at "
                "manifest.functions[0].buffers[1].offset");
  expectRefused("[2,8]", "[4294967296,4294967296]", "overflows 64 bits");
  expectRefused("\"index\": 0", "\"index\": 1",
                "input indices must be 0 to 0, each once at "
                "manifest.functions[0].buffers[0].index");
}

TEST(Manifest, RefusesLaunchesThatCudaCannotDo) {
  expectRefused("[4,2,1]", "[4,65536,1]", "size must be 1 to 65535");
  expectRefused("[4,2,1]", "[4,0,1]", "integer out of range");
  expectRefused("[128,1,1]", "[1025,1,1]", "size must be 1 to 1024");
  expectRefused("[128,1,1]", "[64,64,1]", "4096 threads in a block");
  expectRefused("[2,1,1]", "[3,1,1]", "divide the grid's 4");

  FunctionDescription function;
  KernelDescription kernel;
  kernel.name = "k";
  kernel.grid = kernel.cluster = {16, 2, 1};
  function.kernels = {kernel};
  EXPECT_EQ(errorText(verify(function)),
            "32 blocks in a cluster, 16 are possible at "
            "function.kernels[0].cluster");
}

} // namespace
