//===- CudaModule.cpp - PTX modules and kernel launches -------------------===//

// Compiles PTX through the driver's JIT compiler, whose messages come along,
// and queues launches: with clusters or without, early or not.

#include "Mirage/Runtime/CudaDriver.h"

using namespace mirage::runtime;
using namespace mirage::runtime::cuda;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

Expected<Module> CudaDriver::loadModule(StringRef ptx) const {
  // The compiler reads up to a NUL; the logs are filled up to their size.
  std::string source = ptx.str();
  std::vector<char> info(size_t(1) << 16), errors(size_t(1) << 16);
  auto number = [](size_t value) { return reinterpret_cast<void *>(value); };
  CUjit_option options[] = {
      CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
      CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
      CU_JIT_LOG_VERBOSE};
  // The driver takes each size from the low 32 bits and puts the bytes used
  // there, so the values must not be shared between options.
  void *values[] = {info.data(), number(info.size() - 1), errors.data(),
                    number(errors.size() - 1), number(1)};
  CUmodule module = nullptr;
  CUresult result = api.cuModuleLoadDataEx(&module, source.c_str(),
                                           std::size(options), options, values);
  if (Error error = check(result, "cuModuleLoadDataEx")) {
    StringRef log = StringRef(errors.data()).rtrim();
    if (log.empty())
      return error;
    return createStringError(toString(std::move(error)) + "\n" + log);
  }
  return Module{CudaHandle<CUmodule>(module, api.cuModuleUnload),
                StringRef(info.data()).rtrim().str()};
}

Expected<CUfunction> CudaDriver::getFunction(const Module &module,
                                             StringRef name) const {
  CUfunction function = nullptr;
  if (Error error =
          check(api.cuModuleGetFunction(&function, module.handle.get(),
                                        name.str().c_str()),
                "cuModuleGetFunction of '" + name + "'"))
    return error;
  return function;
}

Expected<int> CudaDriver::getAttribute(CUfunction function,
                                       CUfunction_attribute attribute) const {
  int value = 0;
  if (Error error = check(api.cuFuncGetAttribute(&value, attribute, function),
                          "cuFuncGetAttribute"))
    return error;
  return value;
}

Error CudaDriver::setAttribute(CUfunction function,
                               CUfunction_attribute attribute,
                               int value) const {
  return check(api.cuFuncSetAttribute(function, attribute, value),
               "cuFuncSetAttribute");
}

Expected<CUtensorMap> CudaDriver::encode(const TensorMapDescription &map,
                                         CUdeviceptr address) const {
  // The driver's dimensions begin with the innermost, whose stride is implicit.
  llvm::SmallVector<uint64_t> sizes(llvm::reverse(map.shape)),
      strides(llvm::drop_begin(llvm::reverse(map.strides)));
  llvm::SmallVector<uint32_t> box(llvm::reverse(map.box)),
      steps(map.box.size(), 1);
  CUtensorMapSwizzle swizzle = map.box.back() == 16 ? CU_TENSOR_MAP_SWIZZLE_32B
                               : map.box.back() == 32
                                   ? CU_TENSOR_MAP_SWIZZLE_64B
                                   : CU_TENSOR_MAP_SWIZZLE_128B;
  CUtensorMap encoded;
  if (Error error = check(api.cuTensorMapEncodeTiled(
                              &encoded,
                              map.type == ElementType::bf16
                                  ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
                                  : CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
                              sizes.size(), reinterpret_cast<void *>(address),
                              sizes.data(), strides.data(), box.data(),
                              steps.data(), CU_TENSOR_MAP_INTERLEAVE_NONE,
                              swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                              CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE),
                          "cuTensorMapEncodeTiled of '" + map.buffer + "'"))
    return error;
  return encoded;
}

Error CudaDriver::launch(CUfunction function, const KernelDescription &kernel,
                         llvm::MutableArrayRef<void *> arguments,
                         const Stream &stream, bool early) const {
  const auto &[gridX, gridY, gridZ] = kernel.grid;
  const auto &[blockX, blockY, blockZ] = kernel.block;
  llvm::SmallVector<CUlaunchAttribute, 2> attributes;
  auto addAttribute = [&](CUlaunchAttributeID id) -> CUlaunchAttributeValue & {
    attributes.push_back({});
    attributes.back().id = id;
    return attributes.back().value;
  };
  if (kernel.cluster != Dim3{1, 1, 1})
    addAttribute(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim = {
        kernel.cluster[0], kernel.cluster[1], kernel.cluster[2]};
  if (early)
    addAttribute(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
        .programmaticStreamSerializationAllowed = 1;
  if (attributes.empty())
    return check(api.cuLaunchKernel(function, gridX, gridY, gridZ, blockX,
                                    blockY, blockZ, kernel.sharedMemoryBytes,
                                    stream.get(), arguments.data(), nullptr),
                 "cuLaunchKernel");
  CUlaunchConfig config = {};
  config.gridDimX = gridX;
  config.gridDimY = gridY;
  config.gridDimZ = gridZ;
  config.blockDimX = blockX;
  config.blockDimY = blockY;
  config.blockDimZ = blockZ;
  config.sharedMemBytes = kernel.sharedMemoryBytes;
  config.hStream = stream.get();
  config.attrs = attributes.data();
  config.numAttrs = static_cast<unsigned>(attributes.size());
  return check(
      api.cuLaunchKernelEx(&config, function, arguments.data(), nullptr),
      "cuLaunchKernelEx");
}
