/* emulate.c - the lanes of a block as fibers, one of which runs at a time.
 *
 * setjmp() and longjmp() switch between them: they leave signals alone, so they
 * take some nanoseconds, and the tests switch some ten million times.
 */
#undef _FORTIFY_SOURCE /* that takes another stack for a mistake */
#include "tests/emulate/emulate.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#else
#define ASAN_POISON_MEMORY_REGION(from, bytes) (void)(bytes)
#define ASAN_UNPOISON_MEMORY_REGION(from, bytes)
#define __sanitizer_start_switch_fiber(fake, stack, bytes)
#define __sanitizer_finish_switch_fiber(fake, stack, bytes)
#endif

enum {
    LANES = EMULATED_WARP * EMULATED_WARPS,
    HOST = LANES,     /* the fiber that is no lane */
    STACK = 64 * 4001 /* bytes; no power of 2, for all are used at once */
};

emulated_index emulated_thread, emulated_block, emulated_block_size;

/* What kernels declare as extern and shared. */
extern double near_room[];
extern unsigned char memory[];
double near_room[EMULATED_SHARED / sizeof(double)];
unsigned char memory[EMULATED_SHARED] __attribute__((aligned(16)));

static struct fiber {
    jmp_buf at;
    ucontext_t begin;
    bool begun;
    const void *stack; /* for the address sanitizer, as the next two */
    size_t bytes;
    void *fake;
} fibers[LANES + 1];

static int running = HOST;
static void (*call)(void *of);
static void *call_of;

/* Of a warp, a bit of each lane: those that go on, wait for the warp, wait for
 * the block, or for some of its lanes at a barrier, and have voted. */
typedef struct warp {
    uint32_t ready, in_warp, in_all, in_some, votes, result;
    unsigned barrier; /* that of in_some */
} warp;
static warp warps[EMULATED_WARPS];
static int n_warps;
static int vote_of_all, result_of_all;
static unsigned waiting[EMULATED_BARRIERS]; /* lanes */

static enum { FORWARD, BACKWARD, MIXED, ORDERS } order;
static uint32_t mixer;

static void end_program(const char *why)
{
    fprintf(stderr, "emulated GPU: %s\n", why);
    abort();
}

/* --- switching ------------------------------------------------------------ */

/* Go on with another fiber, until one goes on with this one. */
static void go(int to)
{
    const int from = running;

    if (to == from)
        return;
    running = to;
    emulated_thread.x = (unsigned)to;
    __sanitizer_start_switch_fiber(&fibers[from].fake, fibers[to].stack,
                                   fibers[to].bytes);
    if (_setjmp(fibers[from].at) == 0) {
        if (fibers[to].begun)
            _longjmp(fibers[to].at, 1);
        fibers[to].begun = true;
        setcontext(&fibers[to].begin);
    }
    __sanitizer_finish_switch_fiber(fibers[from].fake, NULL, NULL);
}

static int first_of(uint32_t lanes)
{
    return __builtin_ctz(lanes);
}

static int last_of(uint32_t lanes)
{
    return EMULATED_WARP - 1 - __builtin_clz(lanes);
}

/* The lane that goes on, as the order has it; HOST when all have ended. */
static int pick(void)
{
    int first = 0, from = 0;

    if (order == MIXED) {
        mixer = mixer * 1664525 + 1013904223;
        first = (int)(mixer >> 16) % n_warps;
        from = (int)(mixer >> 27);
    }
    for (int i = 0; i < n_warps; ++i) {
        const int w =
            order == BACKWARD ? n_warps - 1 - i : (first + i) % n_warps;
        const uint32_t ready = warps[w].ready, behind = ready >> from << from;

        if (ready != 0)
            return EMULATED_WARP * w + (order == BACKWARD ? last_of(ready)
                                        : behind != 0     ? first_of(behind)
                                                          : first_of(ready));
    }
    for (int w = 0; w < n_warps; ++w)
        if ((warps[w].in_warp | warps[w].in_all | warps[w].in_some) != 0)
            end_program("lanes of a warp wait for different things");
    return HOST;
}

/* A lane of the warp no longer goes on: has a wait come to its end? */
static void settle(warp *own)
{
    if (own->ready != 0)
        return;
    if (own->in_warp != 0 && (own->in_all | own->in_some) == 0) {
        own->ready = own->in_warp;
        own->result = own->votes;
        own->in_warp = own->votes = 0;
        return;
    }
    for (int w = 0; w < n_warps; ++w)
        if ((warps[w].ready | warps[w].in_warp | warps[w].in_some) != 0)
            return;
    for (int w = 0; w < n_warps; ++w) {
        warps[w].ready = warps[w].in_all;
        warps[w].in_all = 0;
    }
    result_of_all = vote_of_all;
    vote_of_all = 0;
}

/* --- by a lane ------------------------------------------------------------ */

unsigned emulated_warp(int vote)
{
    warp *own = &warps[running / EMULATED_WARP];
    const uint32_t me = 1u << running % EMULATED_WARP;

    own->ready &= ~me;
    own->in_warp |= me;
    own->votes |= vote != 0 ? me : 0;
    settle(own);
    go(pick());
    return own->result;
}

int emulated_all(int vote)
{
    warp *own = &warps[running / EMULATED_WARP];
    const uint32_t me = 1u << running % EMULATED_WARP;

    own->ready &= ~me;
    own->in_all |= me;
    vote_of_all = vote_of_all || vote != 0;
    settle(own);
    go(pick());
    return result_of_all;
}

void emulated_arrive(unsigned barrier, unsigned lanes)
{
    if (++waiting[barrier] < lanes)
        return;
    waiting[barrier] = 0;
    for (int w = 0; w < n_warps; ++w)
        if (warps[w].in_some != 0 && warps[w].barrier == barrier) {
            warps[w].ready |= warps[w].in_some;
            warps[w].in_some = 0;
        }
}

void emulated_some(unsigned barrier, unsigned lanes)
{
    warp *own = &warps[running / EMULATED_WARP];
    const uint32_t me = 1u << running % EMULATED_WARP;

    if (own->in_some != 0 && own->barrier != barrier)
        end_program("lanes of a warp wait at different barriers");
    own->ready &= ~me;
    own->in_some |= me;
    own->barrier = barrier;
    emulated_arrive(barrier, lanes);
    go(pick());
}

void emulated_pause(void)
{
    const int own = running / EMULATED_WARP;

    for (int i = 1; i < n_warps; ++i) {
        const int w = (own + i) % n_warps;

        if (warps[w].ready != 0) {
            go(EMULATED_WARP * w + first_of(warps[w].ready));
            return;
        }
    }
    end_program("a warp waits for what no other will write");
}

/* A fiber lives on for the next blocks. */
static void lane(void)
{
    const int me = running;

    __sanitizer_finish_switch_fiber(NULL, &fibers[HOST].stack,
                                    &fibers[HOST].bytes);
    for (;;) {
        call(call_of);
        warps[me / EMULATED_WARP].ready &= ~(1u << me % EMULATED_WARP);
        settle(&warps[me / EMULATED_WARP]);
        go(pick());
    }
}

/* --- a launch ------------------------------------------------------------- */

static void make_fibers(unsigned n)
{
    static char *stacks;

    if (stacks == NULL)
        stacks = malloc((size_t)LANES * STACK);
    if (stacks == NULL)
        end_program("out of memory");
    fibers[HOST].begun = true;
    for (unsigned i = 0; i < n; ++i) {
        struct fiber *fiber = &fibers[i];

        if (fiber->stack != NULL)
            continue;
        fiber->stack = stacks + (size_t)i * STACK;
        fiber->bytes = STACK;
        getcontext(&fiber->begin);
        fiber->begin.uc_stack.ss_sp = stacks + (size_t)i * STACK;
        fiber->begin.uc_stack.ss_size = STACK;
        makecontext(&fiber->begin, lane, 0);
    }
}

/* So many bytes of what is shared, with nothing in them. */
static void make_shared(void *shared, size_t bytes)
{
    ASAN_UNPOISON_MEMORY_REGION(shared, EMULATED_SHARED);
    memset(shared, 0xff, EMULATED_SHARED);
    ASAN_POISON_MEMORY_REGION((char *)shared + bytes, EMULATED_SHARED - bytes);
}

void emulated_launch(unsigned blocks, unsigned threads, size_t shared,
                     void (*run)(void *of), void *of)
{
    if (blocks == 0 || threads == 0 || threads > LANES ||
        threads % EMULATED_WARP != 0 || shared > EMULATED_SHARED)
        end_program("a launch that no GPU accepts");
    make_fibers(threads);
    n_warps = (int)threads / EMULATED_WARP;
    order = (order + 1) % ORDERS;
    call = run;
    call_of = of;
    emulated_block_size.x = threads;
    for (unsigned b = 0; b < blocks; ++b) {
        emulated_block.x = b;
        make_shared(near_room, shared);
        make_shared(memory, shared);
        for (int w = 0; w < n_warps; ++w)
            warps[w] = (warp){.ready = UINT32_MAX};
        go(pick());
    }
}
