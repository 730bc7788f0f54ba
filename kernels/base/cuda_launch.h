/* cuda_launch.h - the launch of a kernel: blocks of threads, with so many bytes
 * of shared memory each.
 *
 * Only nvcc knows <<<>>>; where another compiler makes the kernels, for tests
 * on the host, its <cuda_runtime.h> says what a launch is.
 */
#ifndef BOSC_KERNELS_BASE_CUDA_LAUNCH_H
#define BOSC_KERNELS_BASE_CUDA_LAUNCH_H

#if !defined(BOSC_LAUNCH)
/* clang-format off */
#define BOSC_LAUNCH(kernel, blocks, threads, bytes, ...)                       \
    kernel<<<blocks, threads, bytes>>>(__VA_ARGS__)
/* In a stream of CUDA, which a caller of ours has made. */
#define BOSC_LAUNCH_ON(stream, kernel, blocks, threads, ...)                   \
    kernel<<<blocks, threads, 0, (cudaStream_t)(stream)>>>(__VA_ARGS__)
/* clang-format on */
#endif

#endif
