//===- compare.c - A program in C that uses Mirage ------------------------===//
//
//   compare FILE ORIGINAL CANDIDATE
//
// says whether two functions compute the same. It exits with 0 if the candidate
// may stand for the original, with 1 if not, and with 2 on an error.
//
//===----------------------------------------------------------------------===//

#include "Mirage-C/Equivalence.h"
#include "Mirage-C/Registration.h"
#include <stdio.h>

static void print(MlirStringRef part, void *stream) {
  fwrite(part.data, 1, part.length, stream);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: compare FILE ORIGINAL CANDIDATE\n");
    return 2;
  }
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mirageRegisterAllDialects(registry);
  mirageRegisterUpstreamDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, true);
  mlirDialectRegistryDestroy(registry);

  // Errors go to stderr: MLIR prints what no handler takes.
  int status = 2;
  MlirModule module = mlirModuleCreateParseFromFile(
      context, mlirStringRefCreateFromCString(argv[1]));
  MirageEquivalenceAnswer answer = {NULL};
  if (!mlirModuleIsNull(module) &&
      mlirLogicalResultIsSuccess(mirageVerifyEquivalence(
          module, mlirStringRefCreateFromCString(argv[2]),
          mlirStringRefCreateFromCString(argv[3]), NULL, &answer))) {
    mirageEquivalenceAnswerGetMessage(answer, print, stdout);
    printf("\n");
    status = mirageEquivalenceAnswerIsAccepted(answer) ? 0 : 1;
    mirageEquivalenceAnswerDestroy(answer);
  }
  if (!mlirModuleIsNull(module))
    mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return status;
}
