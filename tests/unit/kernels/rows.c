/* rows.c - which rows change: those that graded synapses drive, and those that
 * gap junctions do only where constants are shared; what is constant of a row
 * has the conductance of its gap junctions. */
#include <stdlib.h>
#include <string.h>

#include "kernels/step/rows.h"
#include "tests/lib/model_cells.h"
#include "tests/lib/tap.h"

enum { N_NODES = 5, AT = 3, WIDTH = 2 };

static const forest_set passive = {BOSC_MECH_pas, {0.0005, -68}};

/* Two neurons, of one shape or of two; their rows, with something that drives
 * node AT of the first one or with nothing. */
typedef struct stage {
    forest_shape shapes[2];
    int32_t shape[2];
    forest f;
    bosc_batch batch;
    bosc_rows rows;
    bosc_injection push;
    bool constant;
    ptrdiff_t *first;
    bosc_injected drive;
} stage;

static void set_up(stage *s, bool alike, int32_t width)
{
    *s = (stage){.shape = {0, alike ? 0 : 1}};
    s->shapes[0] = forest_shape_of(N_NODES, forest_in_chain);
    s->shapes[1] = forest_shape_of(N_NODES, forest_in_comb);
    s->f = (forest){.n_shapes = 2,
                    .shapes = s->shapes,
                    .n_sets = 1,
                    .sets = &passive,
                    .n_neurons = 2,
                    .shape = s->shape,
                    .dt = 0.025};
    s->batch = forest_pack(&s->f, width);
}

static bool make(stage *s)
{
    return bosc_rows_create(&s->batch, NULL, 0, 1, &s->rows, NULL) == BOSC_OK;
}

static ptrdiff_t driven(const stage *s)
{
    return bosc_slot(&s->batch.layout, 0, AT);
}

static void drive(stage *s, double conductance, bool constant)
{
    const int32_t n = s->batch.layout.n_groups;

    s->push = (bosc_injection){driven(s), conductance, 0};
    s->constant = constant;
    s->first = forest_get((size_t)n + 1, sizeof *s->first);
    for (int32_t g = s->batch.layout.group[0] + 1; g <= n; ++g)
        s->first[g] = 1;
    s->drive = (bosc_injected){s->first, &s->push, &s->constant};
    s->batch.drive = &s->drive;
}

static void take_down(stage *s)
{
    bosc_rows_clear(&s->rows);
    bosc_batch_clear(&s->batch);
    forest_shape_clear(&s->shapes[0]);
    forest_shape_clear(&s->shapes[1]);
    free(s->first);
}

static int kind(const stage *s, int32_t neuron, int32_t node)
{
    return s->rows.kind[bosc_slot(&s->batch.layout, neuron, node)];
}

static int32_t constant(const stage *s, int32_t neuron)
{
    int32_t n = 0;

    for (int32_t i = 0; i < N_NODES; ++i)
        n += (kind(s, neuron, i) & BOSC_ROW_CONSTANT) != 0;
    return n;
}

static void test_gap(int32_t width)
{
    const double g = 0.0013;
    const size_t bytes = (size_t)(2 * N_NODES) * sizeof(double);
    stage s, same;

    set_up(&s, false, width);
    set_up(&same, false, width);
    drive(&s, g, true);
    same.batch.system.d[driven(&same)] += g;
    ok(make(&s) && constant(&s, 0) == N_NODES && constant(&s, 1) == N_NODES,
       "width %d: a gap junction's row and its parents are constant", width);
    ok((kind(&s, 0, AT) & BOSC_ROW_ASSEMBLED) != 0,
       "its current is added before the sweep");
    ok(make(&same) &&
           memcmp(s.batch.system.u, same.batch.system.u, bytes) == 0 &&
           memcmp(s.batch.system.d, same.batch.system.d, bytes) == 0,
       "they have its conductance");
    take_down(&s);
    take_down(&same);
}

static void test_others(void)
{
    stage s;

    set_up(&s, false, WIDTH);
    drive(&s, 0, false);
    ok(make(&s) && constant(&s, 0) == N_NODES - AT - 1 &&
           constant(&s, 1) == N_NODES,
       "a graded synapse changes its row and those on the way to the soma");
    take_down(&s);

    set_up(&s, true, WIDTH);
    drive(&s, 0.0013, true);
    ok(make(&s) && constant(&s, 0) == N_NODES - AT - 1,
       "so does a gap junction where constants are shared");
    ok(constant(&s, 1) == N_NODES, "but not in another neuron");
    take_down(&s);
}

int main(void)
{
    test_gap(1);
    test_gap(WIDTH);
    test_others();
    return done_testing();
}
