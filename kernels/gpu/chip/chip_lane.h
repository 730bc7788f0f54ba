/* chip_lane.h - what a lane does in a task: the sweeps through a cell block.
 *
 * Plain C, for the threads of cuda_cells.cu and for a test that takes one after
 * another.  Lanes of a task go together over as many rows as the longest run
 * has; those that have ended read on, what others may be writing, or, of rows
 * that change, the last ones again, compute what nobody needs, and write
 * nothing.
 *
 * For a task, by all lanes of a warp, with 'run' each its own slice:
 *     bosc_chip_unpack_run()    from the image
 *     bosc_chip_add_entry()     for each row of its list, by some lane; then
 *                               the lanes of the warp meet
 *     bosc_constant_up()        or bosc_rows_up() (chip_lane_rows.h)
 *     bosc_constant_down()      or bosc_rows_down(), on the way down
 * No function allocates, fails or waits.  'shared' and 'far' are constants of
 * the caller, as those of the cell block (chip.h); addresses count doubles from
 * view->x.
 *
 * Internal to kernels.
 */
#ifndef BOSC_KERNELS_GPU_CHIP_CHIP_LANE_H
#define BOSC_KERNELS_GPU_CHIP_CHIP_LANE_H

#include "kernels/hines/hines.h"
#include "kernels/gpu/chip/chip.h"

#define BOSC_LANE BOSC_HD static inline __attribute__((always_inline))

/* Unpack words[BOSC_CHIP_WORDS(far)], as bosc_chip_pack_run() has packed them:
 * addresses of 16 bits, or of 32 with 'far', where an image is too large for
 * shared memory. */
BOSC_LANE bosc_chip_run_word bosc_chip_unpack_run(const uint64_t *words,
                                                  bool far)
{
    const uint64_t bits = words[far ? 1 : 0];
    bosc_chip_run_word run; /* member by member: NVRTC compiles this, too */

    run.first = (int32_t)(bits & 0xffff);
    run.child = (int32_t)(bits >> 16 & 0xffff);
    run.up = (int32_t)(bits >> 32 & 0xffff);
    run.rows = (int32_t)(bits >> BOSC_CHIP_ROW_SHIFT &
                         ((1 << BOSC_CHIP_ROW_BITS) - 1));
    run.end = (int32_t)(bits >> BOSC_CHIP_END_SHIFT & 3);
    run.e = (int32_t)(bits >> 56);
    if (far) {
        run.first = (int32_t)(words[0] & 0xffffffff);
        run.child = (int32_t)(words[0] >> 32);
        run.up = (int32_t)(bits & 0xffffffff);
    }
    return run;
}

/* What a lane knows of a cell block: pointers into its image or behind it,
 * which the thread block owns during a launch.  Numbers of a lane are
 * BOSC_CHIP_LANES apart, so that 32 lanes read 32 banks of shared memory. */
typedef struct bosc_chip_view {
    double *x;         /* the numbers: address 0 */
    double *changes;   /* rows that change */
    const double *e;   /* values of e (mV) */
    const double *all; /* with 'shared' constants of constant rows */
    const double *own; /* constants of rows that change */
    int32_t lane;      /* 0 .. 31 */
} bosc_chip_view;

/* A constant that is in the device's memory. */
BOSC_LANE double bosc_chip_behind(const double *p)
{
#if defined(__CUDA_ARCH__)
    return __ldcg(p);
#else
    return *p;
#endif
}

/* Two numbers side by side, the first at a multiple of 16 bytes. */
typedef struct bosc_chip_two {
    double first, second;
} bosc_chip_two;

/* By one instruction on a GPU. */
BOSC_LANE bosc_chip_two bosc_chip_read_two(const double *p)
{
#if defined(__CUDA_ARCH__)
    const double2 both = *(const double2 *)p;
    const bosc_chip_two two = {both.x, both.y};
#else
    const bosc_chip_two two = {p[0], p[1]};
#endif
    return two;
}

/* An address, or another integer, that is among the numbers. */
BOSC_LANE int32_t bosc_chip_integer(const double *p)
{
#if defined(__CUDA_ARCH__)
    return __double2loint(*p);
#else
    int64_t address;

    memcpy(&address, p, sizeof address);
    return (int32_t)address;
#endif
}

/* The upper half of such an integer. */
BOSC_LANE int32_t bosc_chip_upper(const double *p)
{
#if defined(__CUDA_ARCH__)
    return __double2hiint(*p);
#else
    int64_t number;

    memcpy(&number, p, sizeof number);
    return (int32_t)(number >> 32);
#endif
}

/* --- lists ---------------------------------------------------------------- */

/* From one number of a record to the next. */
BOSC_LANE int32_t bosc_join_step(bool shared)
{
    return shared ? BOSC_CHIP_LANES : 1;
}

/* Unpack words[BOSC_CHIP_ENTRY_WORDS(far)]. */
BOSC_LANE bosc_chip_entry bosc_chip_unpack_entry(const uint64_t *words,
                                                 bool far)
{
    const uint64_t first = words[0], counts = words[far ? 2 : 1];
    bosc_chip_entry entry;

    entry.at = (uint32_t)(first & 0xffff);
    entry.own = (uint32_t)(first >> 16 & 0xffff);
    entry.stimulus = (uint32_t)(first >> 32 & 0xffff);
    entry.join = (uint32_t)(first >> 48);
    entry.stimuli = (uint16_t)(counts & 0xffff);
    entry.joins = (uint16_t)(counts >> 16 & 0xffff);
    entry.changes = (uint16_t)(counts >> 32);
    if (far) {
        entry.at = (uint32_t)first;
        entry.own = (uint32_t)(first >> 32);
        entry.stimulus = (uint32_t)words[1];
        entry.join = (uint32_t)(words[1] >> 32);
    }
    return entry;
}

/* Do what a packed entry says, before its row is swept: b of the row becomes c
 * (v + e), unless it has been assembled, plus the currents of the stimuli there
 * at 'middle' (ms) of the step, less the products f b of the branches that end
 * there; d of a row that changes gets their num.  The stimuli note what they
 * have injected (nA). */
BOSC_LANE void bosc_chip_add_entry(double *x, const uint64_t *words,
                                   double middle, bool shared, bool far)
{
    const int32_t step = bosc_join_step(shared);
    const bosc_chip_entry it = bosc_chip_unpack_entry(words, far);
    double *at = x + it.at;
    double b = at[0], d = it.changes ? at[BOSC_CHIP_LANES] : 0;
    double *stimulus = x + it.stimulus;
    const double *join = x + it.join;

    if (it.own != 0)
        b = x[it.own] * (b + x[it.own + 1]);
    BOSC_ROLLED
    for (int32_t k = 0; k < it.stimuli; ++k) {
        stimulus[BOSC_STIMULUS_I] =
            bosc_stimulus(bosc_chip_integer(stimulus + BOSC_STIMULUS_MECH),
                          stimulus + BOSC_STIMULUS_X, middle);
        b += stimulus[BOSC_STIMULUS_I];
        stimulus += bosc_chip_upper(stimulus + BOSC_STIMULUS_MECH);
    }
    BOSC_ROLLED
    for (int32_t k = 0; k < it.joins; ++k, join += BOSC_JOIN_FIELDS * step) {
        b -= join[BOSC_JOIN_F * step] * join[BOSC_JOIN_B * step];
        d += join[BOSC_JOIN_NUM * step];
    }
    at[0] = b;
    if (it.changes)
        at[BOSC_CHIP_LANES] = d;
}

/* Do what a packed entry says that is one record and nothing else; changes: as
 * the task. */
BOSC_LANE void bosc_chip_add_join(double *x, const uint64_t *words,
                                  bool changes, bool shared, bool far)
{
    const int32_t step = bosc_join_step(shared);
    double *at = x + (words[0] & (far ? 0xffffffffu : 0xffffu));
    const double *join = x + (far ? words[1] >> 32 : words[0] >> 48);

    at[0] -= join[BOSC_JOIN_F * step] * join[BOSC_JOIN_B * step];
    if (changes)
        at[BOSC_CHIP_LANES] += join[BOSC_JOIN_NUM * step];
}

/* --- constant rows -------------------------------------------------------- */

/* c (x + e), or where c says so x, which is 1 (x + 0). */
BOSC_LANE double bosc_constant_own(double c, double x, double e)
{
#if defined(__CUDA_ARCH__) /* the compiler would compute both, and select */
    asm("{\n\t"
        ".reg .pred adds;\n\t"
        "setp.ge.s32 adds, %2, 0;\n\t"
        "@adds add.rn.f64 %0, %0, %1;\n\t"
        "}"
        : "+d"(x)
        : "d"(e), "r"(__double2hiint(c)));
#else
    if (!signbit(c))
        x += e;
#endif
    return fabs(c) * x;
}

/* What a sweep up hands on: f (no unit) and b (nA) of the row below; the row
 * above takes f b off its own b. */
typedef struct bosc_chip_sweep {
    double f, b;
} bosc_chip_sweep;

/* AHEAD rows as they are read, while the rows before them are computed: x is v
 * (mV) on the way up and b (nA) on the way down. */
typedef struct bosc_constant_rows {
    double x[BOSC_CHIP_AHEAD], f[BOSC_CHIP_AHEAD], c[BOSC_CHIP_AHEAD],
        e[BOSC_CHIP_AHEAD]; /* r instead of c on the way down, and no e */
} bosc_constant_rows;

/* Read AHEAD rows on the way up; k: their constants with 'shared'. */
BOSC_LANE void bosc_constant_read_up(bosc_constant_rows *rows, const double *p,
                                     const double *k, bool shared)
{
    const int32_t step = BOSC_CHIP_STEP(false, shared);

    BOSC_UNROLL
    for (int32_t i = 0; i < BOSC_CHIP_AHEAD; ++i) {
        rows->x[i] = p[i * step];
        if (shared) {
            const bosc_chip_two ce =
                bosc_chip_read_two(k + i * BOSC_ALL_FIELDS + BOSC_ALL_C);

            rows->f[i] = k[i * BOSC_ALL_FIELDS + BOSC_ALL_F];
            rows->c[i] = ce.first;
            rows->e[i] = ce.second;
        } else {
            rows->f[i] = p[i * step + BOSC_CONSTANT_F * BOSC_CHIP_LANES];
            rows->c[i] = p[i * step + BOSC_CONSTANT_C * BOSC_CHIP_LANES];
        }
    }
}

/* Sweep up through the rows that were read, and write b (nA) of as many as are
 * left.  e (mV): that of all rows of the run, not with 'shared'. */
BOSC_LANE void bosc_constant_up_rows(const bosc_constant_rows *rows, double *p,
                                     int32_t left, double e, bool shared,
                                     bosc_chip_sweep *s)
{
    BOSC_UNROLL
    for (int32_t i = 0; i < BOSC_CHIP_AHEAD; ++i) {
        const double own = shared
                               ? rows->c[i] * (rows->x[i] + rows->e[i])
                               : bosc_constant_own(rows->c[i], rows->x[i], e);

        s->b = fma(-s->f, s->b, own);
        s->f = rows->f[i];
        if (i < left)
            p[i * BOSC_CHIP_STEP(false, shared)] = s->b;
    }
}

/* Number of rows of a slice that a lane writes, of n that it goes over. */
BOSC_LANE int32_t bosc_chip_own_rows(bosc_chip_run_word run, int32_t n,
                                     bool shared)
{
    return shared ? n : run.end == BOSC_END_IDLE ? 0 : run.rows;
}

/* Sweep up through a run of constant rows.  n: rows of the longest run of the
 * task. Two batches are read alternately, so that none is copied. */
BOSC_LANE void bosc_constant_up(const bosc_chip_view *view,
                                bosc_chip_run_word run, int32_t n, bool shared)
{
    enum { AHEAD = BOSC_CHIP_AHEAD };
    const int32_t step = BOSC_CHIP_STEP(false, shared);
    double *x = view->x, *p = x + run.first + (shared ? view->lane : 0);
    const double *k = view->all + run.first / BOSC_CHIP_LANES * BOSC_ALL_FIELDS;
    const double e = shared ? 0 : view->e[run.e];
    int32_t left = bosc_chip_own_rows(run, n, shared);
    bosc_chip_sweep s = {0, 0};
    bosc_constant_rows rows, later;
    const double *last = p + ((shared ? n : run.rows) - 1) * step;
    double handed = 1; /* what of the last b: -f, if it is the product */

    bosc_constant_read_up(&rows, p, k, shared);
    if (shared) {
        s.f = view->all[run.child / BOSC_CHIP_LANES * BOSC_ALL_FIELDS +
                        BOSC_ALL_F];
        s.b = x[run.child + view->lane];
        if (run.end == BOSC_END_SIDE)
            handed = -k[(n - 1) * BOSC_ALL_FIELDS + BOSC_ALL_F];
    } else {
        s.f = x[run.child + BOSC_CONSTANT_F * BOSC_CHIP_LANES];
        s.b = x[run.child];
        if (run.end == BOSC_END_SIDE)
            handed = -last[BOSC_CONSTANT_F * BOSC_CHIP_LANES];
    }
    BOSC_ROLLED
    for (; n > 2 * AHEAD; n -= 2 * AHEAD) {
        bosc_constant_read_up(&later, p + AHEAD * step,
                              k + AHEAD * BOSC_ALL_FIELDS, shared);
        bosc_constant_up_rows(&rows, p, left, e, shared, &s);
        bosc_constant_read_up(&rows, p + 2 * AHEAD * step,
                              k + 2 * AHEAD * BOSC_ALL_FIELDS, shared);
        bosc_constant_up_rows(&later, p + AHEAD * step, left - AHEAD, e, shared,
                              &s);
        left -= 2 * AHEAD;
        p += 2 * AHEAD * step;
        k += 2 * AHEAD * BOSC_ALL_FIELDS;
    }
    /* At most once, so k need not go on. */
    BOSC_ROLLED
    for (; n > AHEAD; n -= AHEAD) {
        bosc_constant_read_up(&later, p + AHEAD * step,
                              k + AHEAD * BOSC_ALL_FIELDS, shared);
        bosc_constant_up_rows(&rows, p, left, e, shared, &s);
        rows = later;
        left -= AHEAD;
        p += AHEAD * step;
    }
    bosc_constant_up_rows(&rows, p, left, e, shared, &s);
    if (run.end == BOSC_END_SIDE || run.end == BOSC_END_JOIN)
        x[run.up + (shared ? view->lane : 0)] = handed * *last;
}

/* Read AHEAD rows on the way down, from p towards lower addresses; k: their
 * constants with 'shared'. */
BOSC_LANE void bosc_constant_read_down(bosc_constant_rows *rows,
                                       const double *p, const double *k,
                                       bool shared)
{
    const int32_t step = BOSC_CHIP_STEP(false, shared);

    BOSC_UNROLL
    for (int32_t i = 0; i < BOSC_CHIP_AHEAD; ++i) {
        rows->x[i] = p[-i * step];
        if (shared) {
            const bosc_chip_two fr =
                bosc_chip_read_two(k - i * BOSC_ALL_FIELDS + BOSC_ALL_F);

            rows->f[i] = fr.first;
            rows->c[i] = fr.second;
        } else {
            rows->f[i] = p[BOSC_CONSTANT_F * BOSC_CHIP_LANES - i * step];
            rows->c[i] = p[BOSC_CONSTANT_R * BOSC_CHIP_LANES - i * step];
        }
    }
}

/* Sweep down through the rows that were read: *v is the voltage (mV) of the row
 * above, then of the last one.  Write as many as are left. */
BOSC_LANE void bosc_constant_down_rows(const bosc_constant_rows *rows,
                                       double *p, int32_t left, bool shared,
                                       double *v)
{
    BOSC_UNROLL
    for (int32_t i = 0; i < BOSC_CHIP_AHEAD; ++i) {
        *v = bosc_substitute(rows->f[i], rows->c[i] * rows->x[i], *v);
        if (i < left)
            p[-i * BOSC_CHIP_STEP(false, shared)] = *v;
    }
}

/* The address of the row above a run; a record has it among its numbers. */
BOSC_LANE int32_t bosc_chip_above(const bosc_chip_view *view,
                                  bosc_chip_run_word run, bool shared)
{
    if (run.end == BOSC_END_JOIN)
        return bosc_chip_integer(
            &view->x[run.up + (shared ? view->lane : 0) +
                     BOSC_JOIN_UP * bosc_join_step(shared)]);
    return run.up + (shared ? view->lane : 0);
}

/* Sweep down through a run of constant rows; n: rows of the longest run of the
 * task. */
BOSC_LANE void bosc_constant_down(const bosc_chip_view *view,
                                  bosc_chip_run_word run, int32_t n,
                                  bool shared)
{
    enum { AHEAD = BOSC_CHIP_AHEAD };
    const int32_t step = BOSC_CHIP_STEP(false, shared);
    int32_t left = bosc_chip_own_rows(run, n, shared);
    double *p = view->x + run.first + (shared ? view->lane : 0) +
                ((shared ? n : run.rows) - 1) * step;
    const double *k =
        view->all +
        (run.first / BOSC_CHIP_LANES + (shared ? n - 1 : 0)) * BOSC_ALL_FIELDS;
    bosc_constant_rows rows, later;
    double v;

    bosc_constant_read_down(&rows, p, k, shared);
    v = view->x[bosc_chip_above(view, run, shared)];
    BOSC_ROLLED
    for (; n > 2 * AHEAD; n -= 2 * AHEAD) {
        bosc_constant_read_down(&later, p - AHEAD * step,
                                k - AHEAD * BOSC_ALL_FIELDS, shared);
        bosc_constant_down_rows(&rows, p, left, shared, &v);
        bosc_constant_read_down(&rows, p - 2 * AHEAD * step,
                                k - 2 * AHEAD * BOSC_ALL_FIELDS, shared);
        bosc_constant_down_rows(&later, p - AHEAD * step, left - AHEAD, shared,
                                &v);
        left -= 2 * AHEAD;
        p -= 2 * AHEAD * step;
        k -= 2 * AHEAD * BOSC_ALL_FIELDS;
    }
    /* At most once, so k need not go on. */
    BOSC_ROLLED
    for (; n > AHEAD; n -= AHEAD) {
        bosc_constant_read_down(&later, p - AHEAD * step,
                                k - AHEAD * BOSC_ALL_FIELDS, shared);
        bosc_constant_down_rows(&rows, p, left, shared, &v);
        rows = later;
        left -= AHEAD;
        p -= AHEAD * step;
    }
    bosc_constant_down_rows(&rows, p, left, shared, &v);
}

#endif
