/* emulate.h - a GPU on the host, for tests: kernels of CUDA, compiled by a C++
 * compiler, run lane by lane.
 *
 * A thread of a kernel is a fiber with a stack of its own.  It runs until it
 * waits for the other lanes of its warp, or for the other warps of its block;
 * then another one runs.  Blocks run one after another.  The memory of the
 * device is the host's; nothing in it, nor in shared memory, is set when it is
 * new: all bits are ones, which makes NaN of a double.
 *
 * What this shows: that the code of the kernels, and of the engine that calls
 * them, does the operations of backend cpu in their order, bit for bit; and
 * that lanes wait where they must, for they run in an order that a launch
 * chooses: forward, backward, or mixed.  A lane that reads what another should
 * have written before reads the value of before, in one of the orders.  Lanes
 * of a warp that wait for different things end the program.
 *
 * What it does not show: how fast anything is; two lanes that write one word at
 * once; reordering by a processor's memory; copies and launches that go on by
 * themselves while the host goes on; what nvcc makes of the code.
 *
 * Of what is shared only that which is extern is new in each block; what is
 * static there keeps its numbers.
 *
 * cuda_runtime.h is what kernels include, device.c the device as
 * kernels/base/cuda.h has it, compiler.c that of mod files' mechanisms.
 * BOSC_EMULATED_MEMORY in the environment says how many bytes a piece of memory
 * of the device may have.
 */
#ifndef BOSC_TESTS_EMULATE_EMULATE_H
#define BOSC_TESTS_EMULATE_EMULATE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    EMULATED_WARP = 32,
    EMULATED_WARPS = 32, /* of a block, at most */
    EMULATED_BARRIERS = 16,

    /* Bytes that a block may have, at most; BOSC_EMULATED_SHARED in the
     * environment makes them fewer. */
    EMULATED_SHARED = 227 * 1024
};

/* As threadIdx and its like: those of the lane that runs. */
typedef struct emulated_index {
    unsigned x;
} emulated_index;
extern emulated_index emulated_thread, emulated_block, emulated_block_size;

/* Run call(of) in each lane of each block. */
void emulated_launch(unsigned blocks, unsigned threads, size_t shared,
                     void (*call)(void *of), void *of);

/* By a lane: wait for all lanes of the warp, or of the block, that have not
 * ended; the votes of the warp as bits, or whether there is any of the block.
 */
unsigned emulated_warp(int vote);
int emulated_all(int vote);

/* By a lane: wait at a barrier until so many lanes of the block have come
 * there; come there, and go on. */
void emulated_some(unsigned barrier, unsigned lanes);
void emulated_arrive(unsigned barrier, unsigned lanes);

/* By a lane that waits for what a lane of another warp writes. */
void emulated_pause(void);

#ifdef __cplusplus
}
#endif

#endif
