/* systems.h - for tests: systems for the solvers, of neurons described plainly.
 *
 * Running out of memory ends the test.
 */
#ifndef BOSC_TESTS_LIB_SYSTEMS_H
#define BOSC_TESTS_LIB_SYSTEMS_H

#include "kernels/solve/solver.h"

enum { GROVE_MAX_TREES = 200 };

/* Trees of one systems, and who has which.  A shape without function and with
 * n > 0 is random, its share of tips about 'branching'. */
typedef struct systems_plan {
    const char *name;
    int32_t n_neurons;
    bool shared_u;
    struct {
        int32_t n;
        int32_t (*parent)(int32_t i);
        double branching;
    } shapes[6];
} systems_plan;

/* A systems with numbers for its rows, d >= 0 and b, in flat order. */
typedef struct systems {
    const char *name;
    bosc_systems is;
    bosc_tree trees[GROVE_MAX_TREES];
    int32_t *shape;
    double *u, *d, *b;
} systems;

/* Plant by a plan: neuron i has shape i modulo the number of shapes. */
void systems_plant(systems *g, const systems_plan *plan);

/* The same from trees made by add, a neuron of each; then number it. */
void systems_add(systems *g, int32_t n, const int32_t *parent);
void systems_number(systems *g);

void systems_clear(systems *g);

/* Have all trees no branches? */
bool systems_is_chains(const systems *g);

#endif
