//===- Registration.cpp - Mirage's dialects and passes for C --------------===//
//
// Implements Mirage-C/Registration.h by the registration functions of C++.
//
//===----------------------------------------------------------------------===//

#include "Mirage-C/Registration.h"
#include "Mirage/InitAllDialects.h"
#include "Mirage/InitAllExtensions.h"
#include "Mirage/InitAllPasses.h"
#include "Mirage/InitUpstream.h"
#include "Mirage/Target/PTX.h"
#include "mlir/CAPI/Registration.h"

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Mirage, mirage, mirage::MirageDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(MirageKernel, mirage_kernel,
                                      mirage::kernel::KernelDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(MirageBlock, mirage_block,
                                      mirage::block::BlockDialect)
MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(MirageThread, mirage_thread,
                                      mirage::thread::ThreadDialect)

void mirageRegisterAllDialects(MlirDialectRegistry registry) {
  mirage::registerAllDialects(*unwrap(registry));
  mirage::registerAllExtensions(*unwrap(registry));
}

void mirageRegisterUpstreamDialects(MlirDialectRegistry registry) {
  mirage::registerUpstreamDialects(*unwrap(registry));
}

void mirageRegisterAllTranslations(MlirDialectRegistry registry) {
  mirage::registerPTXTarget(*unwrap(registry));
}

void mirageRegisterAllPasses() {
  static const bool registered = (mirage::registerAllPasses(), true);
  (void)registered;
}

void mirageRegisterUpstreamPasses() {
  static const bool registered = (mirage::registerUpstreamPasses(), true);
  (void)registered;
}
