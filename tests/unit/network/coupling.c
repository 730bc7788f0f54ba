/* coupling.c - ends become a matrix, and a matrix pushes: the same bits in
 * whatever order the ends come, the right numbers against long double. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/network/coupling_build.h"
#include "tests/lib/tap.h"

enum { SLOTS = 40, ENDS = 600, ORDERS = 5 };

static uint64_t state = 4711;

static double uniform(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) * 0x1p-53;
}

static int32_t below(int32_t n)
{
    return (int32_t)(uniform() * n);
}

/* Who is partner has its voltage in slot SLOTS + gid here. */
enum { PARTNERS = 30 };

static void make_halves(bosc_coupling_end *ends)
{
    for (int64_t k = 0; k < ENDS; ++k) {
        const int32_t gid = below(PARTNERS);

        ends[k] = (bosc_coupling_end){
            .other = {gid, 0, gid % 3 == 0 ? BOSC_AT_SOURCE : gid},
            .slot = below(SLOTS),
            .index = k,
            .conductance = exp(5 * uniform() - 7),
        };
    }
}

static void shuffle(bosc_coupling_end *ends)
{
    for (int32_t k = ENDS - 1; k > 0; --k) {
        const int32_t other = below(k + 1);
        const bosc_coupling_end held = ends[k];

        ends[k] = ends[other];
        ends[other] = held;
    }
}

/* A matrix of the ends, ready to injection. */
static bosc_coupling_matrix mesh_of(const bosc_coupling_spec *spec,
                                    bosc_coupling_end *ends)
{
    bosc_coupling_matrix matrix;

    if (bosc_coupling_matrix_create(spec, ENDS, ends, &matrix, NULL) != BOSC_OK)
        abort();
    for (int32_t j = 0; j < matrix.conductance.n_columns; ++j)
        matrix.from[j] = SLOTS + (ptrdiff_t)matrix.endpoint[j].gid;
    for (int32_t i = 0; i < matrix.conductance.n_rows; ++i)
        matrix.injection[i] = i;
    return matrix;
}

static void make_voltages(double *v)
{
    for (int32_t i = 0; i < SLOTS + PARTNERS; ++i)
        v[i] = 120 * uniform() - 90;
}

static long double opened(const bosc_coupling_spec *spec, double v)
{
    return 1 / (1 + expl(-((long double)v - spec->half) / spec->slope));
}

/* The largest error of the pushes, relative to the largest term of a row. */
static double error_of(const bosc_coupling_spec *spec,
                       const bosc_coupling_end *ends, const double *v,
                       const bosc_coupling_matrix *matrix,
                       const bosc_injection *injection)
{
    const bool graded = spec->type == BOSC_COUPLING_GRADED;
    double worst = 0;

    for (int32_t i = 0; i < matrix->conductance.n_rows; ++i) {
        long double g = 0, current = 0, size = 0;

        for (int32_t k = 0; k < ENDS; ++k) {
            const double partner = v[SLOTS + ends[k].other.gid];
            const long double own =
                ends[k].conductance * (graded ? opened(spec, partner) : 1);

            if (ends[k].slot != matrix->slot[i])
                continue;
            g += own;
            current += own * (graded ? spec->e : partner);
            size += fabsl(own * (graded ? spec->e : partner));
        }
        worst = fmax(worst, (double)(fabsl(g - injection[i].conductance) / g));
        worst =
            fmax(worst, (double)(fabsl(current - injection[i].current) / size));
    }
    return worst;
}

static void test_type(const bosc_coupling_spec *type)
{
    const char *name = bosc_coupling_names[type->type];
    bosc_coupling_end ends[ENDS], drawn[ENDS];
    bosc_injection first[SLOTS], injection[SLOTS];
    double v[SLOTS + PARTNERS];
    bool same = true;
    int32_t rows = 0;

    make_halves(ends);
    make_voltages(v);
    for (int order = 0; order < ORDERS; ++order)
        for (int f = BOSC_SPMV_AUTO; f < BOSC_N_SPMV_FORMATS; ++f) {
            bosc_coupling_spec spec = *type;
            bosc_coupling_matrix matrix;

            spec.format = (bosc_spmv_format)f;
            memcpy(drawn, ends, sizeof drawn);
            matrix = mesh_of(&spec, drawn);
            memset(injection, 0, sizeof injection);
            bosc_coupling_matrix_inject(&matrix, v, NULL, 1 + order % 2,
                                        injection);
            if (order == 0 && f == 0) {
                rows = matrix.conductance.n_rows;
                memcpy(first, injection, sizeof first);
                ok(error_of(&spec, ends, v, &matrix, injection) < 4e-15,
                   "%s: the pushes are right to rounding", name);
            }
            same = same && matrix.conductance.n_rows == rows &&
                   memcmp(first, injection, sizeof first) == 0;
            bosc_coupling_matrix_clear(&matrix);
            if (f == BOSC_N_SPMV_FORMATS - 1)
                shuffle(ends);
        }
    ok(rows > SLOTS / 2, "%s: most slots are pushed", name);
    ok(same, "%s: the same bits in any order and format", name);
}

/* A format that was chosen, but for rows that are nearly alike. */
static void test_chosen(void)
{
    enum { N = 40 };
    const bosc_coupling_spec spec = {.type = BOSC_COUPLING_GAP,
                                     .chosen = BOSC_SPMV_ELLPACK};
    bosc_coupling_end ends[2 * N];
    bosc_coupling_matrix matrix;
    bosc_error err;

    for (int i = 0; i < 2 * N; ++i)
        ends[i] = (bosc_coupling_end){{i % N, 0, 2}, i < N ? i : 0, i, 1};
    ok(bosc_coupling_matrix_create(&spec, N, ends, &matrix, &err) == BOSC_OK &&
           matrix.conductance.format == BOSC_SPMV_ELLPACK,
       "a format that was chosen is taken");
    bosc_coupling_matrix_clear(&matrix);
    ok(bosc_coupling_matrix_create(&spec, 2 * N, ends, &matrix, &err) ==
               BOSC_OK &&
           matrix.conductance.format == BOSC_SPMV_CSR,
       "but not where one row has most of the entries");
    bosc_coupling_matrix_clear(&matrix);
}

/* Pairs that join the same compartments are one entry. */
static void test_twice(void)
{
    const bosc_coupling_spec gap = {.type = BOSC_COUPLING_GAP};
    bosc_coupling_end ends[] = {
        {{7, 0, 2}, 5, 1, 0.25},
        {{7, 0, BOSC_AT_SOURCE}, 5, 0, 1},
        {{7, 0, 2}, 5, 0, 0.5},
        {{3, 0, 2}, 1, 0, 2},
    };
    const double v[] = {-60, -50, -40};
    bosc_injection injection[2] = {{0}};
    bosc_coupling_matrix matrix;

    bosc_coupling_matrix_create(&gap, BOSC_LEN(ends), ends, &matrix, NULL);
    ok(matrix.conductance.n_rows == 2 && matrix.conductance.n_columns == 3,
       "what is joined twice is one entry; two places of a neuron are two");
    ok(matrix.slot[0] == 1 && matrix.slot[1] == 5 &&
           matrix.endpoint[0].gid == 3 &&
           matrix.endpoint[1].node == BOSC_AT_SOURCE &&
           matrix.endpoint[2].node == 2,
       "rows go by slot, columns by partner");
    for (int j = 0; j < 3; ++j)
        matrix.from[j] = j == 0 ? 0 : -j; /* two of them from other ranks */
    matrix.injection[0] = 1;
    bosc_coupling_matrix_inject(&matrix, v, v + 1, 1, injection);
    ok(injection[1].conductance == 2 && injection[1].current == -120,
       "a injection goes where the drive has its place");
    ok(injection[0].conductance == 1.75 &&
           injection[0].current == -50 - 0.75 * 40,
       "what has arrived is partner as what is here");
    bosc_coupling_matrix_clear(&matrix);
}

static void test_nobody(void)
{
    const bosc_coupling_spec gap = {.type = BOSC_COUPLING_GAP};
    bosc_coupling_matrix matrix;

    ok(bosc_coupling_matrix_create(&gap, 0, NULL, &matrix, NULL) == BOSC_OK,
       "a rank may have no part in a coupling");
    bosc_coupling_matrix_inject(&matrix, NULL, NULL, 2, NULL);
    bosc_coupling_matrix_clear(&matrix);
}

int main(void)
{
    test_type(&(bosc_coupling_spec){.type = BOSC_COUPLING_GAP});
    test_type(&(bosc_coupling_spec){
        .type = BOSC_COUPLING_GRADED, .e = -80, .half = -42.5, .slope = 6.25});
    test_chosen();
    test_twice();
    test_nobody();
    return done_testing();
}
