// Measures what streaming kernels reach on a GPU of compute capability 9.0: the
// bandwidth by number of blocks, the time of one iteration by tiles in flight,
// and the whole time by bytes. Mirage/Semantics/Target.cpp says which numbers
// of the preset sm_90a come from here.
//
//   nvcc -O3 -arch=sm_90a benchmarks/streaming.cu -o streaming && ./streaming
//
// Each block copies its part of a buffer to shared memory by bulk copies
// through a ring of tiles. Times are microseconds a kernel, medians of 15
// replays of CUDA graphs of 20 kernels. "hbm" reads other bytes in every
// kernel, 4 GiB in turn; "l2" the same 32 MiB.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

static char *buffer;

template <int stages>
__global__ void stream(const char *buffer, int iterations, size_t mask,
                       size_t offset, unsigned tile, size_t part) {
  extern __shared__ __align__(128) char ring[];
  __shared__ uint64_t barriers[stages];
  unsigned to = __cvta_generic_to_shared(ring),
           barrier = __cvta_generic_to_shared(barriers);
  if (threadIdx.x)
    return;
  for (int i = 0; i < stages; ++i)
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(barrier + 8 * i));
  asm volatile("fence.proxy.async;" ::: "memory");
  size_t from = offset + blockIdx.x * part;
  unsigned phase = 1;
  for (int i = 0; i < iterations + stages; i += stages, phase ^= 1)
#pragma unroll
    for (int s = 0; s < stages; ++s) {
      unsigned done = i == 0 || i + s - stages >= iterations;
      while (!done)
        asm volatile("{.reg .pred p;"
                     "mbarrier.try_wait.parity.shared.b64 p, [%1], %2;"
                     "selp.u32 %0, 1, 0, p;}"
                     : "=r"(done)
                     : "r"(barrier + 8 * s), "r"(phase)
                     : "memory");
      if (i + s >= iterations)
        continue;
      asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(
                       barrier + 8 * s),
                   "r"(tile));
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::"
          "complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to + s * tile),
          "l"(buffer + (from & mask)), "r"(tile), "r"(barrier + 8 * s)
          : "memory");
      from += tile;
    }
}

enum Source { hbm, l2, shared };

template <int stages>
float run(int blocks, size_t bytes, Source source, unsigned tile) {
  auto kernel = stream<stages>;
  int size = stages * tile;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       size);
  cudaStream_t s;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  for (size_t i = 0; i < 20; ++i)
    kernel<<<blocks, 128, size, s>>>(
        buffer, bytes / tile, (source == l2 ? 32ull << 20 : 4ull << 30) - 1,
        source == hbm  ? i * bytes * blocks
        : source == l2 ? 0
                       : i * bytes,
        tile, source == shared ? 0 : bytes);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> times;
  for (int i = 0; i < 15; ++i) {
    float ms;
    cudaEventRecord(begin, s);
    cudaGraphLaunch(exec, s);
    cudaEventRecord(end, s);
    cudaStreamSynchronize(s);
    cudaEventElapsedTime(&ms, begin, end);
    times.push_back(ms * 50);
  }
  std::sort(times.begin(), times.end());
  return times[7];
}

template <int stages> void iteration(int blocks, Source source, unsigned tile) {
  printf(" %.3f", (run<stages>(blocks, 128ull * tile, source, tile) -
                   run<stages>(blocks, 64ull * tile, source, tile)) /
                      64);
}

int main() {
  const char *names[] = {"hbm", "l2", "shared"};
  cudaMalloc(&buffer, 4ull << 30);
  cudaMemset(buffer, 1, 4ull << 30);
  for (Source source : {hbm, l2}) {
    printf("%s: blocks, GB/s beyond the first MiB of each\n", names[source]);
    for (int blocks : {1, 4, 16, 32, 64, 96, 132})
      printf(" %d %.0f\n", blocks,
             blocks * 1048.576 /
                 (run<6>(blocks, 2 << 20, source, 32768) -
                  run<6>(blocks, 1 << 20, source, 32768)));
    printf("%s: blocks, bytes of a tile, time of an iteration with 1, 2, 4, 6 "
           "tiles\n",
           names[source]);
    for (int blocks : {1, 16, 132})
      for (unsigned tile : {4096, 8192, 16384, 32768}) {
        printf(" %d %u", blocks, tile);
        iteration<1>(blocks, source, tile);
        iteration<2>(blocks, source, tile);
        iteration<4>(blocks, source, tile);
        iteration<6>(blocks, source, tile);
        puts("");
      }
  }
  for (Source source : {hbm, l2, shared}) {
    printf("%s: KiB a block, time of 132 blocks\n", names[source]);
    for (size_t kib : {0, 32, 64, 128, 256, 512, 1024})
      printf(" %zu %.2f\n", kib, run<6>(132, kib << 10, source, 32768));
  }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
