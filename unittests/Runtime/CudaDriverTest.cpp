//===- CudaDriverTest.cpp - Loading the CUDA driver -----------------------===//

// Checks what loading says where there is no driver, no suitable one, or no
// device. None of it needs a GPU.

#include "Mirage/Runtime/CudaDriver.h"
#include "FakeCuda.h"
#include "TestSupport.h"
#include "gtest/gtest.h"

using namespace mirage::runtime;

namespace {

TEST(CudaDriver, SaysThatThereIsNoLibrary) {
  std::string error = errorText(CudaDriver::load("libno-such-driver.so.1"));
  EXPECT_TRUE(contains(error, "cannot load libno-such-driver.so.1: "));
  EXPECT_TRUE(contains(error, "No such file"));
  EXPECT_TRUE(contains(error, "; an NVIDIA driver is needed to run "
                              "kernels"));
}

#ifdef __linux__
TEST(CudaDriver, SaysWhichFunctionALibraryLacks) {
  EXPECT_EQ(errorText(CudaDriver::load("libm.so.6")),
            "libm.so.6 has no function cuGetErrorName; kernels need an "
            "NVIDIA driver of CUDA 12.0 or later to run");
}
#endif

TEST(CudaDriver, SaysThatThereIsNoDevice) {
  FakeCuda::instance().reset();
  EXPECT_EQ(errorText(CudaDriver::create(fakeCudaFunctions(), 1)),
            "there is no CUDA device 1; the NVIDIA driver shows 1");
  FakeCuda::instance().deviceCount = 0;
  EXPECT_EQ(errorText(CudaDriver::create(fakeCudaFunctions())),
            "there is no CUDA device 0; the NVIDIA driver shows 0");
  EXPECT_EQ(FakeCuda::instance().liveObjects(), 0);
}

TEST(CudaDriver, ErrorsNameTheCallAndTheReason) {
  FakeCuda::instance().reset();
  cuda::CudaFunctions functions = fakeCudaFunctions();
  functions.cuInit = [](unsigned) { return cuda::CUDA_ERROR_INVALID_VALUE; };
  EXPECT_EQ(errorText(CudaDriver::create(functions)),
            "cuInit failed: CUDA_ERROR_INVALID_VALUE (some text)");
  functions.cuInit = [](unsigned) { return static_cast<cuda::CUresult>(9999); };
  EXPECT_EQ(errorText(CudaDriver::create(functions)),
            "cuInit failed: CUDA error 9999 (some text)");
}

TEST(CudaDriver, DescribesTheDevice) {
  FakeCuda::instance().reset();
  {
    llvm::Expected<std::unique_ptr<CudaDriver>> driver =
        CudaDriver::create(fakeCudaFunctions());
    ASSERT_TRUE(bool(driver)) << errorText(driver.takeError());
    EXPECT_EQ((*driver)->deviceName(), "Fake GPU");
    EXPECT_EQ((*driver)->chip(), "sm_90");
    EXPECT_EQ((*driver)->maxSharedMemoryBytes(), 232448u);
    EXPECT_EQ(FakeCuda::instance().liveContexts, 1);
  }
  EXPECT_EQ(FakeCuda::instance().liveContexts, 0);
}

} // namespace
