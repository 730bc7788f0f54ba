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
/* clang-format on */
#endif

#endif
