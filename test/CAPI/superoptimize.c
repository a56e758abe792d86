//===- superoptimize.c - The search from C --------------------------------===//

// RUN: mirage-capi-superoptimize 2>%t.err | FileCheck %s
// Nothing goes to stderr: it belongs to the program.
// RUN: count 0 < %t.err

#include "Mirage-C/Superoptimize.h"
#include "Support.h"
#include <math.h>
#include <string.h>

/// A norm before a product: the search takes the product of the plain argument.
/// The second function has nothing that can be searched for.
static const char *const program =
    "func.func @norm(%x: tensor<16x256xf16>, %w: tensor<256x128xf16>)\n"
    "    -> tensor<16x128xf16> {\n"
    "  %0 = mirage_kernel.rms_norm %x epsilon(1.0e-5)\n"
    "    : (tensor<16x256xf16>) -> tensor<16x256xf16>\n"
    "  %1 = mirage_kernel.matmul %0, %w\n"
    "    : (tensor<16x256xf16>, tensor<256x128xf16>) -> tensor<16x128xf16>\n"
    "  return %1 : tensor<16x128xf16>\n"
    "}\n"
    "func.func @integers(%x: tensor<8xi32>) -> tensor<8xi32> {\n"
    "  %0 = arith.addi %x, %x : tensor<8xi32>\n"
    "  return %0 : tensor<8xi32>\n"
    "}\n";

static void printResult(const char *name, MlirLogicalResult success,
                        const MirageSuperoptimizeResult *result) {
  static const char *const verdicts[] = {"proved", "equivalent", "unchanged",
                                         "unsupported"};
  printf("%s: %s, %s%s\n", name, describe(success), verdicts[result->verdict],
         result->wasCut ? ", cut" : "");
  if (result->reason.length)
    printf("  reason: %.*s\n", (int)result->reason.length, result->reason.data);
}

static void testSearch(MlirContext context) {
  MlirModule module = parseModule(context, program);
  MirageSuperoptimizeOptions options;
  mirageSuperoptimizeOptionsInit(&options, sizeof(options));
  options.kernels = 1;
  options.threads = 1;
  options.target = text("sm_80");
  options.keepOriginal = true;
  MirageSuperoptimizeResult result;
  mirageSuperoptimizeResultInit(&result, sizeof(result));
  MlirLogicalResult success =
      mirageSuperoptimize(module, text("norm"), &options, &result);
  printResult("norm", success, &result);
  printf("times: %d %d %d\n", result.originalMicroseconds > 0,
         result.fusedMicroseconds <= result.originalMicroseconds,
         result.microseconds < result.originalMicroseconds);
  mlirOperationPrint(mlirModuleGetOperation(module), printPart, stdout);
  // CHECK: norm: success, proved
  // CHECK-NEXT: times: 1 1 1
  // CHECK: func.func @norm({{.*}} attributes {mirage.equivalent_to = @norm_original, mirage.superoptimized = {
  // CHECK-SAME: verdict = "proved"
  // CHECK-NEXT: mirage_kernel.launch
  // CHECK: func.func private @norm_original

  success = mirageSuperoptimize(module, text("@integers"), NULL, &result);
  printResult("integers", success, &result);
  // CHECK: integers: success, unsupported
  // CHECK-NEXT: reason: {{.+}}
  mlirModuleDestroy(module);
}

/// A program that was compiled with a version that had fewer fields: it passes
/// less, and what it does not pass is the default.
static void testSizes(MlirContext context) {
  // The bytes behind a struct that ends early stay as they are.
  union {
    MirageSuperoptimizeResult result;
    unsigned char bytes[sizeof(MirageSuperoptimizeResult) + 16];
  } room;
  memset(&room, 0x5a, sizeof(room));
  size_t early = offsetof(MirageSuperoptimizeResult, originalMicroseconds);
  mirageSuperoptimizeResultInit(&room.result, early);
  printf("early: %d %d %d\n", room.result.structSize == early,
         room.bytes[early - 1], room.bytes[early]);
  // CHECK: early: 1 0 90
  // Those that this version does not know are zero.
  size_t late = sizeof(room);
  mirageSuperoptimizeResultInit(&room.result, late);
  printf("late: %d %d\n", room.result.structSize == late, room.bytes[late - 1]);
  // CHECK-NEXT: late: 1 0

  MlirModule module = parseModule(context, program);
  MirageSuperoptimizeOptions options;
  mirageSuperoptimizeOptionsInit(&options, sizeof(options));
  options.structSize = 8;
  printf("%s\n",
         describe(mirageSuperoptimize(module, text("norm"), &options, NULL)));
  options.structSize = sizeof(options) + 8;
  printf("%s\n",
         describe(mirageSuperoptimize(module, text("norm"), &options, NULL)));
  room.result.structSize = 0;
  printf("%s\n", describe(mirageSuperoptimize(module, text("norm"), NULL,
                                              &room.result)));
  // CHECK-NEXT: diagnostic: error at {{.*}}: a mirageSuperoptimizeOptions of 8 bytes is unknown to this library, whose own has {{[0-9]+}}; mirageSuperoptimizeOptionsInit sets its size
  // CHECK-NEXT: failure
  // CHECK-NEXT: diagnostic: error at {{.*}}: a mirageSuperoptimizeOptions of {{[0-9]+}} bytes is unknown
  // CHECK-NEXT: failure
  // CHECK-NEXT: diagnostic: error at {{.*}}: a mirageSuperoptimizeResult of 0 bytes is unknown
  // CHECK-NEXT: failure
  mlirModuleDestroy(module);
}

static void testErrors(MlirContext context) {
  MlirModule module = parseModule(context, program);
  MirageSuperoptimizeOptions options;
  mirageSuperoptimizeOptionsInit(&options, sizeof(options));
  printf("%s\n",
         describe(mirageSuperoptimize(module, text("g"), &options, NULL)));
  printf("%s\n",
         describe(mirageSuperoptimize(module, text(""), &options, NULL)));
  // CHECK-NEXT: diagnostic: error at {{.*}}: the module has no function @g to search for
  // CHECK-NEXT: failure
  // CHECK-NEXT: diagnostic: error at {{.*}}: the module has no function @ to search for
  // CHECK-NEXT: failure
  options.kernels = 3;
  printf("%s\n",
         describe(mirageSuperoptimize(module, text("norm"), &options, NULL)));
  // CHECK-NEXT: diagnostic: error at {{.*}}: option kernels of mirage-superoptimize must be 1 or 2
  // CHECK-NEXT: failure
  mirageSuperoptimizeOptionsInit(&options, sizeof(options));
  options.minGain = NAN;
  printf("%s\n",
         describe(mirageSuperoptimize(module, text("norm"), &options, NULL)));
  // CHECK-NEXT: diagnostic: error at {{.*}}: option min-gain of mirage-superoptimize must be no less than 0 and less than 1
  // CHECK-NEXT: failure
  mirageSuperoptimizeOptionsInit(&options, sizeof(options));
  options.target = text("sm_7");
  printf("%s\n",
         describe(mirageSuperoptimize(module, text("norm"), &options, NULL)));
  // CHECK-NEXT: diagnostic: error at {{.*}}: {{.*}}sm_7
  // CHECK-NEXT: failure
  mlirModuleDestroy(module);
  MlirModule null = {NULL};
  printf("null: %s\n",
         describe(mirageSuperoptimize(null, text("norm"), NULL, NULL)));
  // CHECK-NEXT: null: failure
}

int main(void) {
  MlirContext context = createContext();
  testSearch(context);
  testSizes(context);
  testErrors(context);
  mlirContextDestroy(context);
  return 0;
}
