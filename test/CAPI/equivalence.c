//===- equivalence.c - Comparisons of functions from C --------------------===//

// RUN: mirage-capi-equivalence 2>&1 | FileCheck %s

#include "Mirage-C/Equivalence.h"
#include "Support.h"
#include <math.h>

#define TYPES "(tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>"
#define HEAD "(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>) -> tensor<4x4xf32>"

/// @scale_first and @scale_last are equal, @other has another factor,
/// @transposed another type, @loses is exact and loses all digits.
static const char *const program =
    "func.func @scale_first" HEAD " {\n"
    "  %y = mirage_kernel.scale %x by 2.0\n"
    "    : (tensor<4x8xf32>) -> tensor<4x8xf32>\n"
    "  %0 = mirage_kernel.matmul %y, %w : " TYPES "\n"
    "  return %0 : tensor<4x4xf32>\n"
    "}\n"
    "func.func @scale_last" HEAD " {\n"
    "  %y = mirage_kernel.matmul %x, %w : " TYPES "\n"
    "  %0 = mirage_kernel.scale %y by 2.0\n"
    "    : (tensor<4x4xf32>) -> tensor<4x4xf32>\n"
    "  return %0 : tensor<4x4xf32>\n"
    "}\n"
    "func.func @other" HEAD " {\n"
    "  %y = mirage_kernel.matmul %x, %w : " TYPES "\n"
    "  %0 = mirage_kernel.scale %y by 3.0\n"
    "    : (tensor<4x4xf32>) -> tensor<4x4xf32>\n"
    "  return %0 : tensor<4x4xf32>\n"
    "}\n"
    "func.func @loses" HEAD " {\n"
    "  %y = mirage_kernel.matmul %x, %w : " TYPES "\n"
    "  %z = mirage_kernel.scale %y by 2.0\n"
    "    : (tensor<4x4xf32>) -> tensor<4x4xf32>\n"
    "  %c = arith.constant dense<1.0e7> : tensor<4x4xf32>\n"
    "  %a = mirage_kernel.add %z, %c\n"
    "    : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>\n"
    "  %0 = mirage_kernel.sub %a, %c\n"
    "    : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>\n"
    "  return %0 : tensor<4x4xf32>\n"
    "}\n"
    "func.func @transposed(%x: tensor<8x4xf32>, %w: tensor<4x8xf32>)\n"
    "    -> tensor<4x4xf32> {\n"
    "  %0 = mirage_kernel.matmul %w, %x : " TYPES "\n"
    "  return %0 : tensor<4x4xf32>\n"
    "}\n";

/// Compares the functions and prints all that the answer says.
static void compare(MlirModule module, const char *original,
                    const char *candidate,
                    const MirageEquivalenceOptions *options) {
  static const char *const names[] = {"proved", "equivalent", "refuted",
                                      "unknown"};
  MirageEquivalenceAnswer answer;
  MlirLogicalResult success = mirageVerifyEquivalence(
      module, text(original), text(candidate), options, &answer);
  if (mlirLogicalResultIsFailure(success)) {
    printf("failure, %s\n", mirageEquivalenceAnswerIsNull(answer)
                                ? "no answer"
                                : "with an answer");
    return;
  }
  printf("%s, %s\n", names[mirageEquivalenceAnswerGetEquivalence(answer)],
         mirageEquivalenceAnswerIsAccepted(answer) ? "accepted" : "refused");
  printf("  ");
  mirageEquivalenceAnswerGetMessage(answer, printPart, stdout);
  printf("\n");
  double log2Error = mirageEquivalenceAnswerGetLog2Error(answer);
  if (!isnan(log2Error))
    printf("  overlooks a difference in 2^%d\n", (int)log2Error);
  MirageWitness witness;
  if (mirageEquivalenceAnswerGetWitness(answer, &witness))
    printf("  result %d of rank %d at [%d, %d]: %s, below the modulus: %d\n",
           (int)witness.result, (int)witness.rank, (int)witness.index[0],
           (int)witness.index[1],
           witness.original != witness.candidate ? "values differ" : "equal",
           witness.original < witness.modulus &&
               witness.candidate < witness.modulus);
  MirageFloatWitness floats;
  if (mirageEquivalenceAnswerGetFloatWitness(answer, &floats))
    printf("  in float64, result %d of rank %d: a factor of %.6f\n",
           (int)floats.result, (int)floats.rank,
           floats.candidate / floats.original);
  MlirOperation operation = mirageEquivalenceAnswerGetOperation(answer);
  if (!mlirOperationIsNull(operation)) {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
    printf("  because of %.*s\n", (int)name.length, name.data);
  }
  mirageEquivalenceAnswerDestroy(answer);
}

int main(void) {
  MlirContext context = createContext();
  MlirModule module = parseModule(context, program);

  compare(module, "scale_first", "scale_last", NULL);
  // CHECK: proved, accepted
  // CHECK-NEXT: @scale_last computes what @scale_first does: proved;

  MirageEquivalenceOptions options;
  mirageEquivalenceOptionsInit(&options, sizeof(options));
  options.prove = false;
  options.errorBits = 50;
  options.threads = 1;
  compare(module, "@scale_first", "@scale_last", &options);
  // CHECK-NEXT: equivalent, accepted
  // CHECK-NEXT: @scale_last computes what @scale_first does: equivalent with error at most 2^-
  // CHECK-NEXT: overlooks a difference in 2^-{{[5-9][0-9]|[1-9][0-9][0-9]}}

  compare(module, "scale_first", "other", NULL);
  // CHECK-NEXT: refuted, refused
  // CHECK-NEXT: @other does not compute what @scale_first does: refuted, result 0 differs at
  // CHECK-NEXT: result 0 of rank 2 at [{{[0-3]}}, {{[0-3]}}]: values differ, below the modulus: 1
  // CHECK-NEXT: in float64, result 0 of rank 2: a factor of 1.500000

  compare(module, "scale_first", "loses", NULL);
  // CHECK-NEXT: proved, refused
  // CHECK-NEXT: @loses computes what @scale_first does: proved; {{.*}}; refused as numerically unstable
  // CHECK-NEXT: because of mirage_kernel.

  compare(module, "scale_first", "transposed", NULL);
  // CHECK-NEXT: unknown, refused
  // CHECK-NEXT: @transposed may or may not compute what @scale_first does: unknown, the functions have different types
  // CHECK-NEXT: because of func.func

  compare(module, "scale_first", "missing", NULL);
  // CHECK-NEXT: diagnostic: error at {{.*}}: the module has no function @missing to compare
  // CHECK-NEXT: failure, no answer

  options.maxTests = 1;
  compare(module, "scale_first", "scale_last", &options);
  // CHECK-NEXT: diagnostic: error at {{.*}}: option maxTests of mirageVerifyEquivalence must be at least 2
  // CHECK-NEXT: failure, no answer
  mirageEquivalenceOptionsInit(&options, sizeof(options));
  options.errorBits = INFINITY;
  compare(module, "scale_first", "scale_last", &options);
  // CHECK-NEXT: diagnostic: error at {{.*}}: option errorBits of mirageVerifyEquivalence must be positive and finite
  // CHECK-NEXT: failure, no answer
  mirageEquivalenceOptionsInit(&options, sizeof(options));
  options.structSize += 8;
  compare(module, "scale_first", "scale_last", &options);
  // CHECK-NEXT: diagnostic: error at {{.*}}: a mirageEquivalenceOptions of {{[0-9]+}} bytes is unknown to this library
  // CHECK-NEXT: failure, no answer

  MlirModule null = {NULL};
  compare(null, "scale_first", "scale_last", NULL);
  // CHECK-NEXT: failure, no answer

  // The module can still be printed after all of that.
  printf("valid: %d\n", mlirOperationVerify(mlirModuleGetOperation(module)));
  // CHECK-NEXT: valid: 1
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return 0;
}
