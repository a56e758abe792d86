//===- pipelines.c - Pipelines and translations from C --------------------===//

// RUN: mirage-capi-pipelines 2>&1 | FileCheck %s

#include "Mirage-C/Pipelines.h"
#include "Support.h"
#include <string.h>

static const char *const program =
    "func.func @f(%x: tensor<64x32xf16>, %w: tensor<32x64xf16>)\n"
    "    -> tensor<64x64xf16> {\n"
    "  %e = tensor.empty() : tensor<64x64xf16>\n"
    "  %z = arith.constant 0.0 : f16\n"
    "  %i = linalg.fill ins(%z : f16) outs(%e : tensor<64x64xf16>)\n"
    "    -> tensor<64x64xf16>\n"
    "  %0 = linalg.matmul\n"
    "    ins(%x, %w : tensor<64x32xf16>, tensor<32x64xf16>)\n"
    "    outs(%i : tensor<64x64xf16>) -> tensor<64x64xf16>\n"
    "  return %0 : tensor<64x64xf16>\n"
    "}\n";

/// What the translation to PTX hands over.
struct Output {
  size_t ptxLength;
  char manifest[8192];
};

static void addPTX(MlirStringRef part, void *userData) {
  ((struct Output *)userData)->ptxLength += part.length;
}

static void addManifest(MlirStringRef part, void *userData) {
  struct Output *output = userData;
  size_t used = strlen(output->manifest);
  if (used + part.length < sizeof(output->manifest))
    memcpy(output->manifest + used, part.data, part.length);
}

static void addLength(MlirStringRef part, void *userData) {
  *(size_t *)userData += part.length;
}

static void testDialects(MlirContext context) {
  MlirDialectHandle handles[] = {mlirGetDialectHandle__mirage__(),
                                 mlirGetDialectHandle__mirage_kernel__(),
                                 mlirGetDialectHandle__mirage_block__(),
                                 mlirGetDialectHandle__mirage_thread__()};
  for (size_t i = 0; i < sizeof(handles) / sizeof(*handles); ++i) {
    MlirDialect dialect = mlirDialectHandleLoadDialect(handles[i], context);
    MlirStringRef name = mlirDialectGetNamespace(dialect);
    printf("dialect %.*s\n", (int)name.length, name.data);
  }
  // CHECK: dialect mirage{{$}}
  // CHECK-NEXT: dialect mirage_kernel{{$}}
  // CHECK-NEXT: dialect mirage_block{{$}}
  // CHECK-NEXT: dialect mirage_thread{{$}}
}

/// From linalg to PTX.
static void testLowering(MlirContext context) {
  MlirModule module = parseModule(context, program);
  MlirLogicalResult result = mirageRunPipeline(
      module, text("builtin.module(mirage-import-linalg,"
                   "mirage-lower-to-nvvm{chip=sm_80 threads=128})"));
  printf("lowering: %s\n", describe(result));
  // CHECK: lowering: success

  struct Output output = {0, ""};
  result = mirageTranslateToPTX(module, addPTX, addManifest, &output);
  printf("PTX: %s, %s\n%s", describe(result),
         output.ptxLength > 1000 ? "and it is there" : "and it is missing",
         output.manifest);
  // CHECK: PTX: success, and it is there
  // CHECK: "version": 7,
  // CHECK: "target": "sm_80",
  // CHECK: "reads": ["input0","input1"],
  // CHECK: "writes": ["output0"],
  // CHECK-NEXT: "waits": false,

  // The module is still what it was, and can be translated once more.
  size_t length = output.ptxLength;
  output.ptxLength = 0;
  result = mirageTranslateToPTX(module, addPTX, addManifest, &output);
  printf("again: %s, %s\n", describe(result),
         output.ptxLength == length ? "the same" : "different");
  // CHECK: again: success, the same
  mlirModuleDestroy(module);
}

static void testIREE(MlirContext context) {
  MlirModule module = parseModule(context, program);
  MlirLogicalResult result =
      mirageRunPipeline(module, text("builtin.module(mirage-import-linalg)"));
  size_t length = 0;
  if (mlirLogicalResultIsSuccess(result))
    result =
        mirageTranslateToIREE(module, text("threads=128"), addLength, &length);
  printf("IREE: %s, %s\n", describe(result), length ? "text" : "no text");
  // CHECK: IREE: success, text

  length = 0;
  result =
      mirageTranslateToIREE(module, text("chips=sm_80"), addLength, &length);
  printf("IREE: %s, %s\n", describe(result), length ? "text" : "no text");
  // CHECK: diagnostic: error at {{.*}}: 'chips=sm_80' are no options of mirage-lower-to-nvvm: <Pass-Options-Parser>: no such option chips
  // CHECK: IREE: failure, no text
  mlirModuleDestroy(module);
}

static void testErrors(MlirContext context) {
  MlirModule module = parseModule(context, program);
  struct Output output = {0, ""};
  printf("%s\n",
         describe(mirageTranslateToPTX(module, addPTX, addManifest, &output)));
  // CHECK: diagnostic: error at {{.*}}: {{.*}}names no mirage.target; lower it with mirage-lower-to-nvvm first
  // CHECK-NEXT: failure

  const char *const pipelines[] = {
      "builtin.module(mirage-fly)", "mirage-import-linalg",
      "func.func(mirage-fission)", "",
      "builtin.module(mirage-lower-to-nvvm{chip=sm_1})"};
  for (size_t i = 0; i < sizeof(pipelines) / sizeof(*pipelines); ++i)
    printf("%s\n", describe(mirageRunPipeline(module, text(pipelines[i]))));
  // CHECK-NEXT: diagnostic: error at {{.*}}: 'builtin.module(mirage-fly)' is no pipeline: {{.*}}'mirage-fly' does not refer to a registered pass or pass pipeline
  // CHECK: failure
  // CHECK-NEXT: diagnostic: error at {{.*}}: 'mirage-import-linalg' is no pipeline: expected pass pipeline to be wrapped with the anchor operation type
  // CHECK: failure
  // CHECK-NEXT: diagnostic: error at {{.*}}: pipeline 'func.func(mirage-fission)' is for func.func; one for modules is written builtin.module(...)
  // CHECK-NEXT: failure
  // CHECK-NEXT: diagnostic: error at {{.*}}: '' is no pipeline: expected pass pipeline to be wrapped with the anchor operation type
  // CHECK: failure
  // CHECK-NEXT: diagnostic: error at {{.*}}: {{.*}}sm_1
  // CHECK-NEXT: failure
  mlirModuleDestroy(module);

  MlirModule null = {NULL};
  printf("null: %s, %s, %s\n",
         describe(mirageRunPipeline(null, text("builtin.module()"))),
         describe(mirageTranslateToPTX(null, addPTX, addManifest, &output)),
         describe(mirageTranslateToIREE(null, text(""), addLength, &output)));
  // CHECK-NEXT: null: failure, failure, failure
}

int main(void) {
  mirageRegisterAllPasses();
  mirageRegisterAllPasses();
  mirageRegisterUpstreamPasses();
  MlirContext context = createContext();
  testDialects(context);
  testLowering(context);
  testIREE(context);
  testErrors(context);
  mlirContextDestroy(context);
  return 0;
}
