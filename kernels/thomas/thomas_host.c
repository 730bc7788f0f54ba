#include "kernels/thomas/thomas.h"

#include <stdlib.h>

#include "kernels/base/formula.h"
#include "kernels/base/isa.h"
#include "kernels/thomas/thomas_isa.h"
#include "src/base/mem.h"

const char *const bosc_thomas_names[BOSC_THOMAS_KINDS] = {
    [BOSC_THOMAS_FLAT] = "flat",
    [BOSC_THOMAS_INTERLEAVED] = "interleaved",
    [BOSC_THOMAS_UNIFIED] = "unified",
    [BOSC_THOMAS_CP] = "cp",
    [BOSC_THOMAS_NCP] = "ncp",
    [BOSC_THOMAS_SLICED] = "sliced",
};

/* Rows whose four doubles have addresses: 2^58. */
#define MOST_SLOTS (PTRDIFF_MAX / (4 * (ptrdiff_t)sizeof(double)))

/* What a kind is made of. */
static const struct {
    bool one_size, groups; /* each group of 32 has its own rows */
} kinds[BOSC_THOMAS_KINDS] = {
    [BOSC_THOMAS_INTERLEAVED] = {.one_size = true},
    [BOSC_THOMAS_UNIFIED] = {.one_size = true, .groups = true},
    [BOSC_THOMAS_SLICED] = {.groups = true},
};

void bosc_thomas_clear(bosc_thomas *layout)
{
    free(layout->lane);
    free(layout->rows);
    free(layout->first);
    *layout = (bosc_thomas){0};
}

size_t bosc_thomas_bytes(const bosc_thomas *layout)
{
    const size_t groups = (size_t)(layout->n_lanes / layout->width);

    return sizeof *layout + (size_t)layout->n * sizeof *layout->lane +
           (size_t)layout->n_lanes * sizeof *layout->rows +
           groups * sizeof *layout->first;
}

static bosc_status check(bosc_thomas_kind kind, int32_t n,
                         const int32_t *length, bosc_error *err)
{
    for (int32_t i = 0; i < n; ++i) {
        if (length[i] < 0)
            return bosc_fail(err, BOSC_EVALUE, "system %d has %d rows", i,
                             length[i]);
        if (kinds[kind].one_size && length[i] != length[0])
            return bosc_fail(err, BOSC_EVALUE,
                             "system %d has %d rows and system 0 has %d; "
                             "the layout %s is for one length",
                             i, length[i], length[0], bosc_thomas_names[kind]);
    }
    return BOSC_OK;
}

typedef struct sorted {
    int32_t length, system;
} sorted;

static int compare(const void *a, const void *b)
{
    const sorted *x = a, *y = b;

    if (x->length != y->length)
        return x->length > y->length ? -1 : 1;
    return (x->system > y->system) - (x->system < y->system);
}

/* Lanes in the order of systems, or for slices of length. */
static bool order_lanes(bosc_thomas *layout, const int32_t *length)
{
    sorted *order = bosc_alloc((size_t)layout->n, sizeof *order);

    if (order == NULL)
        return false;
    for (int32_t i = 0; i < layout->n; ++i)
        order[i] = (sorted){length[i], i};
    if (layout->kind == BOSC_THOMAS_SLICED)
        qsort(order, (size_t)layout->n, sizeof *order, compare);
    for (int32_t k = 0; k < layout->n; ++k) {
        layout->lane[order[k].system] = k;
        layout->rows[k] = order[k].length;
    }
    free(order);
    return true;
}

static int32_t most(const int32_t *rows, int32_t n)
{
    int32_t longest = 0;

    for (int32_t k = 0; k < n; ++k)
        longest = rows[k] > longest ? rows[k] : longest;
    return longest;
}

/* Groups one after another. */
static void place_groups(bosc_thomas *layout)
{
    layout->stride = layout->width;
    for (int32_t k = 0; k < layout->n_lanes; k += layout->width) {
        layout->first[k / layout->width] = layout->n_slots;
        layout->n_slots +=
            (ptrdiff_t)most(layout->rows + k, layout->width) * layout->width;
    }
}

/* Row by row, all groups. */
static void place_rows(bosc_thomas *layout)
{
    const int32_t longest = most(layout->rows, layout->n_lanes);

    layout->stride = layout->n_lanes;
    layout->n_slots = (ptrdiff_t)layout->n_lanes * longest;
    for (int32_t k = 0; k < layout->n_lanes; k += layout->width)
        layout->first[k / layout->width] = k;
    for (int32_t k = 0; layout->kind == BOSC_THOMAS_CP && k < layout->n; ++k)
        layout->rows[k] = longest;
}

bosc_status bosc_thomas_create(bosc_thomas_kind kind, int32_t n,
                               const int32_t *length, bosc_thomas *out,
                               bosc_error *err)
{
    const bool flat = kind == BOSC_THOMAS_FLAT;
    const int32_t width = flat ? 1 : BOSC_THOMAS_WIDTH;
    bosc_thomas made = {.kind = kind, .n = n, .width = width};
    bosc_status st = check(kind, n, length, err);

    if (st != BOSC_OK)
        return st;
    if (n > INT32_MAX - width)
        return bosc_fail(err, BOSC_EVALUE, "%d systems are too many", n);
    made.n_lanes = (n + width - 1) / width * width;
    if (!BOSC_ARRAYS(BOSC_ARRAY(made.lane, n),
                     BOSC_ARRAY(made.rows, made.n_lanes),
                     BOSC_ARRAY(made.first, (size_t)(made.n_lanes / width))) ||
        !order_lanes(&made, length)) {
        bosc_thomas_clear(&made);
        return bosc_no_memory(err, "the layout of systems");
    }
    if (flat || kinds[kind].groups)
        place_groups(&made);
    else
        place_rows(&made);
    if (made.n_slots > MOST_SLOTS) {
        st = bosc_fail(err, BOSC_EVALUE,
                       "%d systems in the layout %s take %.3g rows with their "
                       "padding, more than memory can have; take fewer, or "
                       "the layout sliced",
                       n, bosc_thomas_names[kind], (double)made.n_slots);
        bosc_thomas_clear(&made);
        return st;
    }
    *out = made;
    return BOSC_OK;
}

static const bosc_thomas_code *const codes[] = BOSC_ISA_TABLES(bosc_thomas);

const bosc_thomas_code *bosc_thomas_code_here(void)
{
    return codes[bosc_isa()];
}

#define real double
#define REAL(name) name##_double
#include "kernels/thomas/thomas_pivot.h"
#undef REAL
#undef real
#define real float
#define REAL(name) name##_single
#include "kernels/thomas/thomas_pivot.h"
#undef REAL
#undef real

static void find_pivots(const bosc_thomas *layout, const bosc_thomas_rows *rows,
                        bool single, int threads, int32_t *info)
{
#pragma omp parallel for num_threads(threads)
    for (int32_t i = 0; i < layout->n; ++i) {
        const bosc_thomas_walk walk =
            bosc_thomas_walk_of(layout, layout->lane[i]);

        info[i] = single ? thomas_pivot_single(rows, &walk)
                         : thomas_pivot_double(rows, &walk);
    }
}

bosc_status bosc_thomas_solve(const bosc_thomas *layout,
                              const bosc_thomas_rows *rows, bool single,
                              int threads, int32_t *info, bosc_error *err)
{
    const int32_t n = layout->n_lanes / layout->width;
    const bosc_status st = bosc_isa_available(err);
    const bosc_thomas_code *code;

    if (st != BOSC_OK)
        return st;
    code = bosc_thomas_code_here();
#pragma omp parallel for num_threads(threads) schedule(dynamic, 4)
    for (int32_t g = 0; g < n; ++g) {
        const bosc_thomas_group group = bosc_thomas_group_of(layout, g);

        code->general[single](&group, rows, NULL);
        code->down[single](&group, rows, NULL);
    }
    if (info != NULL)
        find_pivots(layout, rows, single, threads, info);
    return BOSC_OK;
}
