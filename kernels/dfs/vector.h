/* vector.h - the vectors of the instruction set that a file is compiled for.
 *
 * BYTES is what a vector register holds; WIDE(op) names an instruction of it,
 * where there are such names.  Included by files that are compiled once for
 * each set (kernels/base/isa.h).
 */
#ifndef BOSC_KERNELS_DFS_VECTOR_H
#define BOSC_KERNELS_DFS_VECTOR_H

#if defined(__AVX512F__)
#include <immintrin.h>
#define BYTES 64
#define WIDE(op) _mm512_##op
#elif defined(__AVX2__)
#include <immintrin.h>
#define BYTES 32
#define WIDE(op) _mm256_##op
#else
#define BYTES 16
#endif

#define INLINE static inline __attribute__((always_inline))
#define JOIN_OF(a, b) a##_##b
#define JOIN(a, b) JOIN_OF(a, b)

#endif
