/* cuda_group_ring.h - the sweeps through a group whose rows come by a ring on
 * the chip: while a batch is worked on, those after it are on their way.
 *
 * Where multiprocessors have few warps, each waited for memory most of its
 * time.  The ring has what plain rows need; others read their numbers when
 * a lane comes to them, so it is for groups, of a whole warp, that have few of
 * these.
 *
 * The ring is BOSC_CUDA_STAGES stages of a batch each, in BOSC_CUDA_RING bytes
 * of shared memory of the warp; batch m is in stage m modulo their number:
 *
 *     work on batch     m         m + 1     m + 2
 *     arrived           m         m + 1     m + 2
 *     on the way      m+1 m+2   m+2 m+3   m+3 m+4
 *
 * (the way up counts down).  No thread but those of the warp looks at it, and a
 * sweep begins with an empty one.
 *
 * Included by cuda_group_sweep.h.
 */
#ifndef BOSC_KERNELS_GPU_DEVICE_CUDA_GROUP_RING_H
#define BOSC_KERNELS_GPU_DEVICE_CUDA_GROUP_RING_H

#include "kernels/base/cuda_copy.h"
#include "kernels/gpu/device/cuda_group_rows.h"

enum { LANES = BOSC_CUDA_WIDTH, STAGES = BOSC_CUDA_STAGES };

/* A batch on the chip: of each row a number of each lane, and constants, with
 * 'shared' one for all lanes. */
template <int constants, int rows, bool shared> struct stage {
    double x[rows][LANES];
    double k[constants][rows][shared ? 1 : LANES];
    uint8_t code[rows][LANES];

    /* Constant 'number' of a row in a lane. */
    __device__ __forceinline__ double own(int number, int row, int lane) const
    {
        return k[number][row][shared ? 0 : lane];
    }
};

/* Where it comes from: row 0 of lane 0. */
template <int constants> struct source {
    const double *x, *k[constants];
    const uint8_t *code;
    int32_t rows;
};

/* Start to copy batch m into its stage, which no lane reads any more.  Where
 * there is no such batch, before the first or after the last, the set of copies
 * is empty: bosc_copy_arrived() counts sets. */
template <int constants, int rows, bool shared>
static __device__ __forceinline__ void
fetch(stage<constants, rows, shared> *ring, const source<constants> *from,
      int32_t m, int32_t lane)
{
    const int32_t left = from->rows - m * rows;
    const int32_t n = left < rows ? left : rows;

    bosc_copy_meet();
    if (m >= 0 && n > 0) {
        const ptrdiff_t row = (ptrdiff_t)m * rows;
        stage<constants, rows, shared> *to = &ring[m % STAGES];

        bosc_copy_rows(to->x, from->x + row * LANES, n, rows, lane,
                       sizeof(double));
        BOSC_UNROLL
        for (int c = 0; c < constants; ++c)
            if (shared)
                bosc_copy_shared(to->k[c], from->k[c] + row, n, lane,
                                 sizeof(double));
            else
                bosc_copy_rows(to->k[c], from->k[c] + row * LANES, n, rows,
                               lane, sizeof(double));
        bosc_copy_codes(to->code, from->code + row * LANES, n, rows, lane);
    }
    bosc_copy_end();
}

/* Start to copy the first batches of a sweep, all but the one that the ring has
 * no stage for: m, m + step and so on. */
template <int step, int constants, int rows, bool shared>
static __device__ __forceinline__ void
fetch_first(stage<constants, rows, shared> *ring, const source<constants> *from,
            int32_t m, int32_t lane)
{
    BOSC_UNROLL
    for (int i = 0; i < STAGES - 1; ++i)
        fetch(ring, from, m + i * step, lane);
}

/* The codes of a batch's rows in a lane, the last row's in the lowest byte. */
template <int constants, int rows, bool shared>
static __device__ __forceinline__ uint32_t
codes_up(const stage<constants, rows, shared> *now, int32_t lane)
{
    uint32_t codes = 0;

    BOSC_UNROLL
    for (int j = 0; j < rows; ++j)
        codes = codes << 8 | now->code[j][lane];
    return codes;
}

/* Sweep up, as sweep_up(): batches of ROWS rows from the last on, each of which
 * has come into the ring while the two before it were worked on.  'room' has
 * BOSC_CUDA_RING bytes. */
template <bool shared>
static __device__ __forceinline__ void ring_up(const lane *me, void *room,
                                               places stack)
{
    enum { ROWS = BOSC_CUDA_ROWS_UP, STEP = shared ? 1 : LANES };
    typedef stage<3, ROWS, shared> batch;
    static_assert(sizeof(batch) * STAGES <= BOSC_CUDA_RING, "has room");
    const bosc_cuda_step *s = me->s;
    const bosc_cuda_group *g = &me->group;
    const double *k = s->streamed.constants;
    const source<3> from = {s->v + g->first,
                            {k + g->c, k + g->f, k + g->r},
                            s->streamed.code + g->first,
                            g->rows};
    const int32_t last = (g->rows - 1) / ROWS;
    batch *ring = (batch *)room;
    double *b = s->b + row_at(me, last * ROWS);
    boundaries<STEP> boundary(me, g->boundary + (shared ? 0 : 2 * me->k), true);
    tops top = {stack.b, 0, stack.d};
    upward up = {bosc_pivot_none(), 0};

    fetch_first<-1>(ring, &from, last, me->k);
#pragma unroll 1
    for (int32_t m = last; m >= 0; --m, b -= ROWS * LANES) {
        const batch *now = &ring[m % STAGES];
        const int32_t first = m * ROWS;
        const int32_t n = g->rows - first < ROWS ? g->rows - first : ROWS;

        fetch(ring, &from, m - (STAGES - 1), me->k);
        bosc_copy_arrived(STAGES - 1);
        const uint32_t codes = codes_up(now, me->k);

        if (n == ROWS && plain_up(codes)) {
            BOSC_UNROLL
            for (int j = ROWS - 1; j >= 0; --j) {
                const plain_row row = {first + j,
                                       code_of(&codes, ROWS - 1 - j),
                                       now->own(0, j, me->k),
                                       now->x[j][me->k],
                                       now->own(1, j, me->k),
                                       now->own(2, j, me->k)};

                up_plain<LANES, STEP>(me, &row, &up, &boundary, &top,
                                      &b[j * LANES]);
            }
        } else {
            reader of = reader_of<LANES, STEP>(me, first + n - 1);
            ahead row[ROWS];

            stack = all_of<LANES>(&top);
            of.boundary = boundary.at - k;
            read_batch_up<LANES, STEP, ROWS>(me, &of, first + n,
                                             codes >> 8 * (ROWS - n), row);
            batch_up<LANES, ROWS>(row, n, &up, &stack, &of);
            top = tops_of<LANES>(stack);
            boundary = boundaries<STEP>(me, of.boundary, true);
        }
    }
}

/* Sweep down, as sweep_down(), from the first batch on: the ring brings f and
 * w. */
template <bool shared>
static __device__ __forceinline__ void ring_down(const lane *me, void *room,
                                                 places stack)
{
    enum { ROWS = BOSC_CUDA_ROWS_DOWN, STEP = shared ? 1 : LANES };
    typedef stage<1, ROWS, shared> batch;
    static_assert(sizeof(batch) * STAGES <= BOSC_CUDA_RING, "has room");
    const bosc_cuda_step *s = me->s;
    const bosc_cuda_group *g = &me->group;
    const source<1> from = {s->b + g->first,
                            {s->streamed.constants + g->f},
                            s->streamed.code + g->first,
                            g->rows};
    batch *ring = (batch *)room;
    double *v = s->v + row_at(me, 0);
    tops top = {stack.b, 0, NULL};
    double x = 0;

    fetch_first<1>(ring, &from, 0, me->k);
#pragma unroll 1
    for (int32_t m = 0; m * ROWS < g->rows; ++m, v += ROWS * LANES) {
        const batch *now = &ring[m % STAGES];
        const int32_t first = m * ROWS, left = g->rows - first;
        uint32_t codes[2] = {0, 0};

        fetch(ring, &from, m + STAGES - 1, me->k);
        bosc_copy_arrived(STAGES - 1);
        BOSC_UNROLL
        for (int j = ROWS / 2 - 1; j >= 0; --j) {
            codes[0] = codes[0] << 8 | now->code[j][me->k];
            codes[1] = codes[1] << 8 | now->code[j + ROWS / 2][me->k];
        }
        if (left >= ROWS && !s->second_order && plain_down(codes)) {
            BOSC_UNROLL
            for (int j = 0; j < ROWS; ++j)
                down_plain<LANES>(code_of(codes, j), now->own(0, j, me->k),
                                  now->x[j][me->k], &top, &x, &v[j * LANES]);
        } else {
            const reader of = reader_of<LANES, STEP>(me, first);
            below row[ROWS];

            stack = all_of<LANES>(&top);
            read_batch_down<LANES, STEP, ROWS>(me, &of, first, codes, row);
            batch_down<LANES, ROWS>(row, left, s->second_order, &stack, &x, v);
            top = tops_of<LANES>(stack);
        }
    }
}

/* Both sweeps by one ring. */
template <bool shared>
static __device__ __forceinline__ void ring_sweep(const lane *me, void *room,
                                                  places stack)
{
    ring_up<shared>(me, room, stack);
    ring_down<shared>(me, room, stack);
}

#endif
