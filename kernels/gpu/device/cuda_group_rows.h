/* cuda_group_rows.h - what a lane does in the rows of its neuron in a sweep
 * through a group that is streamed.
 *
 * Branches of lanes begin in different rows, and a warp waits for all of its
 * lanes: so nothing that a row needs may be far away when a lane comes to it.
 * The numbers of some rows, a batch, are read at a time; what branches hand on
 * is on a stack of each lane, for rows are depth-first (cuda_step.h).
 *
 * Included by cuda_group_sweep.h.
 */
#ifndef BOSC_KERNELS_GPU_DEVICE_CUDA_GROUP_ROWS_H
#define BOSC_KERNELS_GPU_DEVICE_CUDA_GROUP_ROWS_H

#include "kernels/gpu/device/cuda_group_lane.h"
#include "kernels/hines/pivot.h"

/* Row i of the lane. */
static __device__ __forceinline__ ptrdiff_t row_at(const lane *me, int32_t i)
{
    return me->group.first + (ptrdiff_t)i * me->group.width + me->k;
}

/* Constant of row i of the lane; of: where those of the group begin. */
static __device__ double constant(const lane *me, ptrdiff_t of, int32_t i)
{
    return __ldg(&me->s->streamed.constants[of + me->at + i * me->step]);
}

/* --- where numbers are ---------------------------------------------------- */

/* The arrays, at a row of a lane. */
typedef struct reader {
    const uint8_t *code;
    const double *c, *e, *u, *f, *r; /* constants */
    double *v, *d, *b;
    ptrdiff_t boundary; /* index in the constants: end of the boundaries that
                       are still to come; with shared constants begin of all */
} reader;

/* The arrays at row i of the lane. */
template <int width, int step>
static __device__ __forceinline__ reader reader_of(const lane *me, int32_t i)
{
    const bosc_cuda_step *s = me->s;
    const bosc_cuda_group *g = &me->group;
    const ptrdiff_t at = row_at(me, i);
    const double *k = s->streamed.constants + me->at + i * me->step;

    return reader{s->streamed.code + at,
                  k + g->c,
                  k + g->e,
                  k + g->u,
                  k + g->f,
                  k + g->r,
                  s->v + at,
                  s->d + at,
                  s->b + at,
                  g->boundary + (width == step ? 2 * me->k : 0)};
}

/* Move the reader by so many rows. */
template <int width, int step>
static __device__ __forceinline__ void move(reader *of, int32_t rows)
{
    of->code += rows * width;
    of->v += rows * width;
    of->d += rows * width;
    of->b += rows * width;
    of->c += rows * step;
    of->e += rows * step;
    of->u += rows * step;
    of->f += rows * step;
    of->r += rows * step;
}

/* The number of sides of row i, which has this code. */
static __device__ __forceinline__ int32_t sides_of(const lane *me, int32_t i,
                                                   int32_t code)
{
    const int32_t n = code / BOSC_CODE_SIDES;

    return n < BOSC_MANY_SIDES ? n : __ldg(&me->sides[i]);
}

/* --- codes ----------------------------------------------------------------
 *
 * They are read a batch before their rows: what they ask for is then read at
 * once. */

/* The codes of n rows from the first on, or backwards where 'step' is negative;
 * of rows past those that are left they are 0. */
template <int step, int n>
static __device__ __forceinline__ void read_codes(const uint8_t *first,
                                                  int32_t left, int32_t *code)
{
    BOSC_UNROLL
    for (int j = 0; j < n; ++j)
        code[j] = j < left ? __ldg(&first[j * step]) : 0;
}

/* Some codes in one word, which the compiler may not take apart: all of them
 * are waited for before what the first one asks for is on its way.  A wait for
 * the second would be one for that, too, as a processor counts few loads
 * apart, and the reads of a batch would come one after another. */
template <int n>
static __device__ __forceinline__ uint32_t together(const int32_t *code)
{
    uint32_t all = 0;

    BOSC_UNROLL
    for (int j = 0; j < n; ++j)
        all |= (uint32_t)code[j] << 8 * j;
    asm volatile("" : "+r"(all));
    return all;
}

/* Code j of some. */
static __device__ __forceinline__ int32_t code_of(const uint32_t *all, int j)
{
    return (int32_t)(all[j / 4] >> 8 * (j % 4) & 0xff);
}

/* --- rows of any kind, on the way up -------------------------------------- */

/* The next free places of a lane's stacks, which share its room.  On the way up
 * they have products of b, and from the other end those of d; on the way down
 * b has voltages. */
typedef struct places {
    double *b, *d;
} places;

/* x less the last n products on a stack, in the order in which they came. */
static __device__ __forceinline__ double less(double x, const double *from,
                                              ptrdiff_t width, int32_t n)
{
    x -= n > 0 ? from[0] : 0;
#pragma unroll 1
    for (int32_t k = 1; k < n; ++k)
        x -= from[k * width];
    return x;
}

/* What is read of a row before a lane comes to it. */
typedef struct ahead {
    int32_t code, sides;
    double c, v, e, f, r; /* ASSEMBLED: b in the place of c; not CONSTANT: u and
                             d in those of f and r */
    double num, den;      /* of a boundary; else 0 and 1 */
} ahead;

/* The numbers of row i, j rows before the reader's, which its code asks for. */
template <int width, int step>
static __device__ __forceinline__ void read_up(const lane *me, reader *of,
                                               int32_t i, int j, ahead *row)
{
    const bool shared = width != step;
    const int32_t code = row->code;
    const bool assembled = (code & BOSC_ROW_ASSEMBLED) != 0;
    const bool constant = (code & BOSC_ROW_CONSTANT) != 0;

    row->sides = sides_of(me, i, code);
    row->c = *(assembled ? &of->b[-j * width] : &of->c[-j * step]);
    row->v = assembled ? 0 : of->v[-j * width];
    row->e = (code & BOSC_CODE_E) != 0 ? of->e[-j * step] : 0;
    row->f = *(shared && !constant ? &of->u[-j * step] : &of->f[-j * step]);
    row->r = *(constant ? &of->r[-j * step] : &of->d[-j * width]);
    if ((code & BOSC_ROW_BOUNDARY) != 0) {
        of->boundary -= shared ? 0 : 2 * width;
        if (constant && (code & BOSC_CODE_D) != 0) {
            const double *at =
                me->s->streamed.constants + of->boundary + (shared ? i : 0);

            row->num = __ldg(at);
            row->den = __ldg(&at[shared ? me->group.rows : 1]);
        }
    }
}

/* The numbers of a batch, of whose rows 'left' are left, the last one first. */
template <int width, int step, int batch>
static __device__ __forceinline__ void read_batch_up(const lane *me, reader *of,
                                                     int32_t left,
                                                     uint32_t codes, ahead *row)
{
    BOSC_UNROLL
    for (int j = 0; j < batch; ++j) {
        row[j] = ahead{code_of(&codes, j), 0, 0, 0, 0, 0, 0, 0, 1};
        if (j < left)
            read_up<width, step>(me, of, left - 1 - j, j, &row[j]);
    }
}

/* What a lane has of the rows after, on the way up. */
typedef struct upward {
    bosc_pivot next; /* nothing: its parent is not the row that comes */
    double e;        /* of all rows until one reads its own; of a row without
                        capacitance it is 0 */
} upward;

/* Eliminate a row that has been read, or pass the right-hand side through a
 * constant one; take what is on the stack for it, and put its products there
 * where a branch begins.  *to_d and *to_b are its d and b. */
template <int width>
static __device__ __forceinline__ void
up_row(const ahead *row, upward *up, places *stack, double *to_d, double *to_b)
{
    bosc_pivot *next = &up->next;
    double b = row->c;

    up->e = (row->code & BOSC_CODE_E) != 0 ? row->e : up->e;
    if ((row->code & BOSC_ROW_ASSEMBLED) == 0)
        b *= row->v + (row->c == 0 ? 0 : up->e);
    stack->b -= row->sides * width;
    b = less(b, stack->b, width, row->sides);
    if ((row->code & BOSC_ROW_CONSTANT) != 0) {
        next->b = fma(-next->f, next->b, b);
        next->f = row->f;
        next->num = row->num;
        next->den = row->den;
        next->inverse = 1;
        *to_b = row->r * next->b;
    } else {
        stack->d += row->sides * width;
        bosc_pivot_row(less(row->r, stack->d, -width, row->sides), row->f, b,
                       next);
        *to_d = next->f;
        *to_b = next->w;
    }
    if ((row->code & BOSC_CODE_BRANCH) == 0)
        return;
    *stack->b = next->f * next->b;
    stack->b += width;
    if ((row->code & BOSC_CODE_D) != 0) {
        *stack->d = -next->num * next->inverse;
        stack->d -= width;
    }
    bosc_pivot_leave(next);
}

/* The first n rows of a batch, the last row of the neuron first. */
template <int width, int batch>
static __device__ __forceinline__ void batch_up(const ahead *row, int32_t n,
                                                upward *up, places *stack,
                                                const reader *to)
{
    BOSC_UNROLL
    for (int j = 0; j < batch; ++j)
        if (j < n)
            up_row<width>(&row[j], up, stack, &to->d[-j * width],
                          &to->b[-j * width]);
    static_assert(batch <= BOSC_PIVOT_ROWS, "den stays in range");
    bosc_pivot_rescale(&up->next);
}

/* --- and down ------------------------------------------------------------- */

/* What is read of a row on the way down: v with the second-order method alone.
 */
typedef struct below {
    int32_t code, sides;
    double f, w, v;
} below;

/* The numbers of a batch from row 'first' on; the codes of four rows are a
 * word.
 */
template <int width, int step, int batch>
static __device__ __forceinline__ void
read_batch_down(const lane *me, const reader *of, int32_t first,
                const uint32_t *codes, below *row)
{
    const int32_t left = me->group.rows - first;

    BOSC_UNROLL
    for (int j = 0; j < batch; ++j) {
        const int32_t code = code_of(codes, j);

        row[j] = below{code, 0, 0, 0, 0};
        if (j >= left)
            continue;
        row[j].sides = sides_of(me, first + j, code);
        row[j].f = *((code & BOSC_ROW_CONSTANT) != 0 ? &of->f[j * step]
                                                     : &of->d[j * width]);
        row[j].w = of->b[j * width];
        if (me->s->second_order)
            row[j].v = of->v[j * width];
    }
}

/* Substitute the rows of a batch, of which 'left' are left.  *x is the solution
 * of the row before; where a branch begins it comes from the stack, and a row
 * with sides puts its own there, once for each. */
template <int width, int batch>
static __device__ __forceinline__ void
batch_down(const below *row, int32_t left, bool second_order, places *stack,
           double *x, double *v)
{
    BOSC_UNROLL
    for (int j = 0; j < batch; ++j) {
        if (j >= left)
            break;
        if ((row[j].code & BOSC_CODE_BRANCH) != 0) {
            stack->b -= width;
            *x = *stack->b;
        }
        *x = bosc_substitute(row[j].f, row[j].w, *x);
        v[j * width] = second_order ? 2 * *x - row[j].v : *x;
#pragma unroll 1
        for (int32_t k = 0; k < row[j].sides; ++k) {
            *stack->b = *x;
            stack->b += width;
        }
    }
}

/* --- plain rows -----------------------------------------------------------
 *
 * Most rows are plain (cuda_step.h).  A lane whose next batch is all plain
 * goes through it with few instructions and hardly a branch: for each that some
 * lanes take the others wait. */

/* The stacks of a lane whose product or voltage that came last is in a
 * register.  There is a place more than they need. */
typedef struct tops {
    double *b;   /* place of 'last'; the others are below it */
    double last; /* what came last */
    double *d;   /* next free place, as in 'places' */
} tops;

/* Store the last product or voltage, too. */
template <int width>
static __device__ __forceinline__ places all_of(const tops *of)
{
    *of->b = of->last;
    return places{of->b + width, of->d};
}

/* Load the last product or voltage. */
template <int width> static __device__ __forceinline__ tops tops_of(places of)
{
    return tops{of.b - width, of.b[-width], of.d};
}

/* Put a number on the stack: the one that came last goes to memory, and x stays
 * in the register. */
template <int width>
static __device__ __forceinline__ void push(tops *of, double x)
{
    *of->b = of->last;
    of->b += width;
    of->last = x;
}

/* Take the number that came last, and load the one before it. */
template <int width> static __device__ __forceinline__ double pop(tops *of)
{
    const double x = of->last;

    of->b -= width;
    of->last = *of->b;
    return x;
}

/* x less the last n > 1, the one that came first first. */
template <int width>
static __device__ __forceinline__ double less_some(double x, tops *of,
                                                   int32_t n)
{
#pragma unroll 1
    for (int32_t k = n - 1; k > 0; --k)
        x -= of->b[-k * width];
    x -= of->last;
    of->b -= n * width;
    of->last = *of->b;
    return x;
}

/* Bits of each of four codes. */
#define BOSC_IN_EACH(bits) ((uint32_t)(bits)*0x01010101u)

/* Are four rows plain, on the way up? */
static __device__ __forceinline__ bool plain_up(uint32_t codes)
{
    return (codes & BOSC_IN_EACH(BOSC_CODE_PLAIN)) ==
           BOSC_IN_EACH(BOSC_ROW_CONSTANT);
}

/* What is read of a plain row. */
typedef struct plain_row {
    int32_t i, code;
    double c, v, f, r;
} plain_row;

/* The boundaries of a lane, backwards; with constants of its own, 'step' from
 * row to row, it reads the next one before its row comes. */
template <int step> struct boundaries {
    const double *at;
    double num, den; /* of the next one */

    __device__ __forceinline__ boundaries(const lane *me, ptrdiff_t end,
                                          bool any)
        : at(me->s->streamed.constants + end), num(0), den(1)
    {
        if (step > 1 && any)
            read_own();
    }

    __device__ __forceinline__ void read_own()
    {
        num = __ldg(at - 2 * step);
        den = __ldg(at - 2 * step + 1);
    }

    /* Go on to the next one. */
    __device__ __forceinline__ void pass()
    {
        if (step > 1) {
            at -= 2 * step;
            read_own();
        }
    }
};

template <int width, int step>
static __device__ __forceinline__ void
up_plain(const lane *me, const plain_row *row, upward *up,
         boundaries<step> *boundary, tops *stack, double *to_b)
{
    const int32_t code = row->code;
    const bool branches = (code & BOSC_CODE_BRANCH) != 0;
    bosc_pivot *next = &up->next;
    double b = row->c * (row->v + (row->c == 0 ? 0 : up->e));

    if (code >= 2 * BOSC_CODE_SIDES)
        b = less_some<width>(b, stack, sides_of(me, row->i, code));
    if (code / BOSC_CODE_SIDES == 1)
        b -= pop<width>(stack);
    next->b = fma(-next->f, next->b, b);
    next->f = row->f;
    *to_b = row->r * next->b;
    if ((code & BOSC_ROW_BOUNDARY) != 0) {
        const double num =
            step > 1 ? boundary->num : __ldg(&boundary->at[row->i]);

        if ((code & BOSC_CODE_D) != 0 && branches) {
            *stack->d = -num;
            stack->d -= width;
        } else if ((code & BOSC_CODE_D) != 0) {
            next->num = num;
            next->den = step > 1
                            ? boundary->den
                            : __ldg(&boundary->at[me->group.rows + row->i]);
        }
        boundary->pass();
    }
    /* num and den are 0 and 1, but before a row that changes. */
    if (branches) {
        push<width>(stack, next->f * next->b);
        next->f = 0;
    }
}

/* Are eight rows plain, on the way down: constant, and at most two branches end
 * in each? */
static __device__ __forceinline__ bool plain_down(const uint32_t codes[2])
{
    const uint32_t many =
        (codes[0] & codes[0] << 1) | (codes[1] & codes[1] << 1);

    return (codes[0] & codes[1] & BOSC_IN_EACH(BOSC_ROW_CONSTANT)) ==
               BOSC_IN_EACH(BOSC_ROW_CONSTANT) &&
           (many & BOSC_IN_EACH(2 * BOSC_CODE_SIDES)) == 0;
}

template <int width>
static __device__ __forceinline__ void
down_plain(int32_t code, double f, double w, tops *stack, double *x, double *v)
{
    if ((code & BOSC_CODE_BRANCH) != 0)
        *x = pop<width>(stack);
    *x = bosc_substitute(f, w, *x);
    *v = *x;
    if (code >= BOSC_CODE_SIDES)
        push<width>(stack, *x);
    if (code >= 2 * BOSC_CODE_SIDES)
        push<width>(stack, *x);
}

#endif
