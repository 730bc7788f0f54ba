/* cuda_cyclic.h - what the threads of a block of the kernel of cyclic reduction
 * do for their neuron: kernels/cyclic_reduction/cuda_cyclic_plan.h.
 *
 * Row i that goes, from between its parent p and its child c (u_c = 0: none),
 * in the form of kernels/hines/hines.h:
 *     inv = 1 / (d_i - u_i - u_c)
 *     d_p -= u_i d_i inv;  b_p -= u_i b_i inv
 *     d_c -= u_c d_i inv;  b_c -= u_c b_i inv;  u_c' = -u_i u_c inv
 *     v_i = (b_i - u_i v_p - u_c v_c) inv          on the way back
 * Sums of d do not cancel here either.
 *
 * Phases, between which all threads wait for each other: bring and load; then
 * for each round go, take; root; for each round in reverse, back; store.
 *
 * Included by cuda_cyclic.cu and tests for each precision: 'real' is its type
 * and REAL(name) a name that has it.
 */
#include "kernels/base/formula.h"
#include "kernels/cyclic_reduction/cuda_cyclic_plan.h"

/* A neuron as one of its threads sees it. */
typedef struct REAL(cyclic) {
    int32_t thread, threads;
    int32_t rows, n_rounds;
    const bosc_cyclic_round *rounds;
    const bosc_cyclic_step *steps;
    const bosc_cyclic_taker *takers;
    const int32_t *sources;
    /* In the room that the threads share, all [rows]; at the end b is v. */
    real *d, *u, *b;
    real *inv, *u_child; /* of rows that are gone */
} REAL(cyclic);

/* Thread 'thread' of those that solve a neuron of tree t.  'room', which they
 * share, holds BOSC_CYCLIC_ROOM numbers for each row. */
BOSC_HD static inline REAL(cyclic)
    REAL(cyclic_at)(const bosc_cyclic_plan *plan, int32_t t, real *room,
                    int32_t thread, int32_t threads)
{
    const bosc_cyclic_tree tree = plan->trees[t];
    REAL(cyclic) me;

    me.thread = thread;
    me.threads = threads;
    me.rows = tree.rows;
    me.n_rounds = tree.n_rounds;
    me.rounds = plan->rounds + tree.round;
    me.steps = plan->steps + tree.step;
    me.takers = plan->takers + tree.taker;
    me.sources = plan->sources + tree.source;
    me.d = room;
    me.u = me.d + tree.rows;
    me.b = me.u + tree.rows;
    me.inv = me.b + tree.rows;
    me.u_child = me.inv + tree.rows;
    return me;
}

/* Copy n words to *room, and go on after them. */
BOSC_HD static inline const void *REAL(cyclic_copy)(const REAL(cyclic) * me,
                                                    const void *from, int32_t n,
                                                    int32_t **room)
{
    int32_t *to = *room;

    for (int32_t i = me->thread; i < n; i += me->threads)
        to[i] = ((const int32_t *)from)[i];
    *room += n;
    return to;
}

/* Bring the tree's plan into memory on the chip, the plan's most_words, since
 * each phase waits for it. */
BOSC_HD static inline void REAL(cyclic_bring)(REAL(cyclic) * me, int32_t *room)
{
    const int32_t steps = me->rows - 1;
    const int32_t takers = me->rounds[me->n_rounds].taker;

    me->rounds = (const bosc_cyclic_round *)REAL(cyclic_copy)(
        me, me->rounds, 2 * (me->n_rounds + 1), &room);
    me->steps = (const bosc_cyclic_step *)REAL(cyclic_copy)(me, me->steps,
                                                            3 * steps, &room);
    me->takers = (const bosc_cyclic_taker *)REAL(cyclic_copy)(
        me, me->takers, 4 * takers, &room);
    me->sources =
        (const int32_t *)REAL(cyclic_copy)(me, me->sources, steps, &room);
}

/* Load the system of the neuron, [rows] each: d and u (uS), b (nA). */
BOSC_HD static inline void REAL(cyclic_load)(const REAL(cyclic) * me,
                                             const real *d, const real *u,
                                             const real *b)
{
    for (int32_t i = me->thread; i < me->rows; i += me->threads) {
        me->d[i] = d[i];
        me->u[i] = u[i];
        me->b[i] = b[i];
    }
}

/* The rows that go in a round: their divisions.  They read rows that stay
 * alone, and write their own. */
BOSC_HD static inline void REAL(cyclic_go)(const REAL(cyclic) * me,
                                           int32_t round)
{
    const int32_t end = me->rounds[round + 1].step;

    for (int32_t k = me->rounds[round].step + me->thread; k < end;
         k += me->threads) {
        const bosc_cyclic_step step = me->steps[k];
        const real u_child = step.child < 0 ? 0 : me->u[step.child];
        const int32_t i = step.row;

        me->u_child[i] = u_child;
        me->inv[i] = 1 / (me->d[i] - me->u[i] - u_child);
    }
}

/* A row that stays takes what its children that go hand on, in the order of the
 * sources, then its parent's; if the parent goes, u becomes the bypass. */
BOSC_HD static inline void REAL(cyclic_take_one)(const REAL(cyclic) * me,
                                                 const bosc_cyclic_taker *taker)
{
    const int32_t i = taker->row, p = taker->parent;
    real d = me->d[i], b = me->b[i];

    for (int32_t k = taker->first; k < taker->first + taker->n; ++k) {
        const int32_t child = me->sources[k];
        const real f = me->u[child] * me->inv[child];

        d -= f * me->d[child];
        b -= f * me->b[child];
    }
    if (p >= 0) {
        const real f = me->u[i] * me->inv[p];

        d -= f * me->d[p];
        b -= f * me->b[p];
        me->u[i] = -f * me->u[p];
    }
    me->d[i] = d;
    me->b[i] = b;
}

/* All rows that take in a round; go of the same round has ended. */
BOSC_HD static inline void REAL(cyclic_take)(const REAL(cyclic) * me,
                                             int32_t round)
{
    const int32_t end = me->rounds[round + 1].taker;

    for (int32_t k = me->rounds[round].taker + me->thread; k < end;
         k += me->threads)
        REAL(cyclic_take_one)(me, &me->takers[k]);
}

/* The root, which is left alone: its b becomes v (mV). */
BOSC_HD static inline void REAL(cyclic_root)(const REAL(cyclic) * me)
{
    if (me->thread == 0)
        me->b[0] = me->b[0] * (1 / (me->d[0] - me->u[0]));
}

/* The rows that went in a round, from the voltages of their neighbours of then,
 * which have come back in rounds before. */
BOSC_HD static inline void REAL(cyclic_back)(const REAL(cyclic) * me,
                                             int32_t round)
{
    const int32_t end = me->rounds[round + 1].step;

    for (int32_t k = me->rounds[round].step + me->thread; k < end;
         k += me->threads) {
        const bosc_cyclic_step step = me->steps[k];
        const int32_t i = step.row;
        const real v_child = step.child < 0 ? 0 : me->b[step.child];

        me->b[i] = (me->b[i] - me->u[i] * me->b[step.parent] -
                    me->u_child[i] * v_child) *
                   me->inv[i];
    }
}

/* Store the voltages, [rows] (mV). */
BOSC_HD static inline void REAL(cyclic_store)(const REAL(cyclic) * me, real *b)
{
    for (int32_t i = me->thread; i < me->rows; i += me->threads)
        b[i] = me->b[i];
}
