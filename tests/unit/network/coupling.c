/* t_couple.c - halves become a matrix, and a matrix pushes: the same bits in
 * whatever order the halves come, the right numbers against long double. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/network/coupling_build.h"
#include "tests/lib/tap.h"

enum { SLOTS = 40, HALVES = 600, ORDERS = 5 };

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

/* Who is felt has its voltage in slot SLOTS + gid here. */
enum { FELT = 30 };

static void make_halves(bosc_coupling_end *halves)
{
    for (int64_t k = 0; k < HALVES; ++k) {
        const int32_t felt = below(FELT);

        halves[k] = (bosc_coupling_end){
            .felt = {felt, 0, felt % 3 == 0 ? BOSC_AT_SOURCE : felt},
            .slot = below(SLOTS),
            .index = k,
            .conductance = exp(5 * uniform() - 7),
        };
    }
}

static void shuffle(bosc_coupling_end *halves)
{
    for (int32_t k = HALVES - 1; k > 0; --k) {
        const int32_t other = below(k + 1);
        const bosc_coupling_end held = halves[k];

        halves[k] = halves[other];
        halves[other] = held;
    }
}

/* A mesh of the halves, ready to push. */
static bosc_coupling_matrix mesh_of(const bosc_coupling_spec *spec,
                                    bosc_coupling_end *halves)
{
    bosc_coupling_matrix mesh;

    if (bosc_coupling_matrix_create(spec, HALVES, halves, &mesh, NULL) !=
        BOSC_OK)
        abort();
    for (int32_t j = 0; j < mesh.conductance.n_columns; ++j)
        mesh.from[j] = SLOTS + (ptrdiff_t)mesh.felt[j].gid;
    for (int32_t i = 0; i < mesh.conductance.n_rows; ++i)
        mesh.push[i] = i;
    return mesh;
}

static void make_voltages(double *v)
{
    for (int32_t i = 0; i < SLOTS + FELT; ++i)
        v[i] = 120 * uniform() - 90;
}

static long double opened(const bosc_coupling_spec *spec, double v)
{
    return 1 / (1 + expl(-((long double)v - spec->half) / spec->slope));
}

/* The largest error of the pushes, relative to the largest term of a row. */
static double error_of(const bosc_coupling_spec *spec,
                       const bosc_coupling_end *halves, const double *v,
                       const bosc_coupling_matrix *mesh,
                       const bosc_injection *push)
{
    const bool graded = spec->type == BOSC_COUPLING_GRADED;
    double worst = 0;

    for (int32_t i = 0; i < mesh->conductance.n_rows; ++i) {
        long double g = 0, current = 0, size = 0;

        for (int32_t k = 0; k < HALVES; ++k) {
            const double felt = v[SLOTS + halves[k].felt.gid];
            const long double own =
                halves[k].conductance * (graded ? opened(spec, felt) : 1);

            if (halves[k].slot != mesh->slot[i])
                continue;
            g += own;
            current += own * (graded ? spec->e : felt);
            size += fabsl(own * (graded ? spec->e : felt));
        }
        worst = fmax(worst, (double)(fabsl(g - push[i].conductance) / g));
        worst = fmax(worst, (double)(fabsl(current - push[i].current) / size));
    }
    return worst;
}

static void test_type(const bosc_coupling_spec *type)
{
    const char *name = bosc_coupling_names[type->type];
    bosc_coupling_end halves[HALVES], drawn[HALVES];
    bosc_injection first[SLOTS], push[SLOTS];
    double v[SLOTS + FELT];
    bool same = true;
    int32_t rows = 0;

    make_halves(halves);
    make_voltages(v);
    for (int order = 0; order < ORDERS; ++order)
        for (int f = BOSC_SPMV_AUTO; f < BOSC_N_SPMV_FORMATS; ++f) {
            bosc_coupling_spec spec = *type;
            bosc_coupling_matrix mesh;

            spec.format = (bosc_spmv_format)f;
            memcpy(drawn, halves, sizeof drawn);
            mesh = mesh_of(&spec, drawn);
            memset(push, 0, sizeof push);
            bosc_coupling_matrix_push(&mesh, v, NULL, 1 + order % 2, push);
            if (order == 0 && f == 0) {
                rows = mesh.conductance.n_rows;
                memcpy(first, push, sizeof first);
                ok(error_of(&spec, halves, v, &mesh, push) < 4e-15,
                   "%s: the pushes are right to rounding", name);
            }
            same = same && mesh.conductance.n_rows == rows &&
                   memcmp(first, push, sizeof first) == 0;
            bosc_coupling_matrix_clear(&mesh);
            if (f == BOSC_N_SPMV_FORMATS - 1)
                shuffle(halves);
        }
    ok(rows > SLOTS / 2, "%s: most slots are pushed", name);
    ok(same, "%s: the same bits in any order and format", name);
}

/* Pairs that join the same compartments are one entry. */
static void test_twice(void)
{
    const bosc_coupling_spec gap = {.type = BOSC_COUPLING_GAP};
    bosc_coupling_end halves[] = {
        {{7, 0, 2}, 5, 1, 0.25},
        {{7, 0, BOSC_AT_SOURCE}, 5, 0, 1},
        {{7, 0, 2}, 5, 0, 0.5},
        {{3, 0, 2}, 1, 0, 2},
    };
    const double v[] = {-60, -50, -40};
    bosc_injection push[2] = {{0}};
    bosc_coupling_matrix mesh;

    bosc_coupling_matrix_create(&gap, BOSC_LEN(halves), halves, &mesh, NULL);
    ok(mesh.conductance.n_rows == 2 && mesh.conductance.n_columns == 3,
       "what is joined twice is one entry; two places of a neuron are two");
    ok(mesh.slot[0] == 1 && mesh.slot[1] == 5 && mesh.felt[0].gid == 3 &&
           mesh.felt[1].node == BOSC_AT_SOURCE && mesh.felt[2].node == 2,
       "rows go by slot, columns by what is felt");
    for (int j = 0; j < 3; ++j)
        mesh.from[j] = j == 0 ? 0 : -j; /* two of them from other ranks */
    mesh.push[0] = 1;
    bosc_coupling_matrix_push(&mesh, v, v + 1, 1, push);
    ok(push[1].conductance == 2 && push[1].current == -120,
       "a push goes where the drive has its place");
    ok(push[0].conductance == 1.75 && push[0].current == -50 - 0.75 * 40,
       "what has arrived is felt as what is here");
    bosc_coupling_matrix_clear(&mesh);
}

static void test_nobody(void)
{
    const bosc_coupling_spec gap = {.type = BOSC_COUPLING_GAP};
    bosc_coupling_matrix mesh;

    ok(bosc_coupling_matrix_create(&gap, 0, NULL, &mesh, NULL) == BOSC_OK,
       "a rank may have no part in a coupling");
    bosc_coupling_matrix_push(&mesh, NULL, NULL, 2, NULL);
    bosc_coupling_matrix_clear(&mesh);
}

int main(void)
{
    test_type(&(bosc_coupling_spec){.type = BOSC_COUPLING_GAP});
    test_type(&(bosc_coupling_spec){
        .type = BOSC_COUPLING_GRADED, .e = -80, .half = -42.5, .slope = 6.25});
    test_twice();
    test_nobody();
    return done_testing();
}
