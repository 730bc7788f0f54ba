/* What methods cannot do themselves: each row of the table, from where on it is
 * met. */
#include <string.h>

#include "kernels/methods.h"
#include "src/base/mem.h"
#include "tests/lib/tap.h"

static const struct {
    int limit;
    bosc_needs met, not_met;
} of_all[] = {
    {BOSC_LIMIT_POINTS, {.own_points = true}, {.own_points = false}},
    {BOSC_LIMIT_COUPLINGS, {.couplings = true}, {.epoch = 40}},
    {BOSC_LIMIT_SECOND_ORDER, {.second_order = true}, {.epoch = 0}},
    {BOSC_LIMIT_EPOCH, {.epoch = 3}, {.epoch = 4}},
    {BOSC_LIMIT_EPOCH, {.epoch = 1}, {.epoch = 0}},
    {BOSC_LIMIT_DENSE,
     {.own_dense = true, .crowd = 8.1},
     {.own_dense = true, .crowd = 8}},
    {BOSC_LIMIT_WIDTH, {.width = 8}, {.width = 32}},
    {BOSC_LIMIT_SLOTS, {.slots = 4294967295.}, {.slots = 4294967294.}},
    {BOSC_LIMIT_POINTS, {.own_points = true, .width = 8}, {.slots = 1}},
};

static const struct {
    int limit;
    bosc_neuron_needs met, not_met;
} of_one[] = {
    {BOSC_LIMIT_SIZE, {.numbers = 33554432}, {.numbers = 33554431}},
    {BOSC_LIMIT_SIZE,
     {.near = true, .numbers = 65536},
     {.near = true, .numbers = 65535}},
    {BOSC_LIMIT_INSTANCES, {.instances = 65536}, {.instances = 65535}},
    {BOSC_LIMIT_STIMULI, {.stimuli = 65536}, {.stimuli = 65535}},
    {BOSC_LIMIT_ENTRIES, {.entries = 65535}, {.entries = 65534}},
    {BOSC_LIMIT_TASKS, {.tasks = 65536}, {.tasks = 65535}},
    {BOSC_LIMIT_VALUES, {.values = 257}, {.values = 256}},
};

static void test_rows(void)
{
    const bosc_limit *t = bosc_chip_limits;
    bool tried[BOSC_CHIP_LIMITS] = {false};
    int untried = 0;

    for (size_t i = 0; i < BOSC_LEN(of_all); ++i) {
        tried[of_all[i].limit] = true;
        ok(bosc_limit_met(t, &of_all[i].met, false) == &t[of_all[i].limit] &&
               bosc_limit_met(t, &of_all[i].not_met, false) == NULL,
           "all neurons: %s", t[of_all[i].limit].what);
    }
    for (size_t i = 0; i < BOSC_LEN(of_one); ++i) {
        tried[of_one[i].limit] = true;
        ok(bosc_limit_met_by(t, &of_one[i].met) == &t[of_one[i].limit] &&
               bosc_limit_met_by(t, &of_one[i].not_met) == NULL,
           "a neuron: %s", t[of_one[i].limit].what);
    }
    for (int k = 0; k < BOSC_CHIP_LIMITS; ++k)
        untried += !tried[k] || t[k].why == NULL;
    ok(untried == 0 && t[BOSC_CHIP_LIMITS].what == NULL,
       "these are all rows of the table");
}

static void test_methods(void)
{
    const bosc_method *cells = bosc_method_find("cuda", "cell-blocks");
    const bosc_method *dfs = bosc_method_find("cuda", "depth-first");
    const bosc_needs mods = {.own_points = true}, brief = {.epoch = 1},
                     none = {0};
    int lost = 0;

    ok(bosc_method_computing(cells, &mods) == dfs &&
           bosc_method_computing(cells, &none) == cells,
       "what cell blocks cannot do depth-first does");
    ok(bosc_method_computing(dfs, &mods) == dfs,
       "a method without limits does all");
    ok(bosc_limit_met(bosc_chip_limits, &brief, true) == NULL &&
           bosc_limit_met(bosc_chip_limits, &mods, true) != NULL,
       "a job tells of mod files for sure, and of its epochs it does not");
    for (const bosc_method *m = bosc_methods; m->name != NULL; ++m)
        lost += m->engine.instead != NULL &&
                bosc_method_find(m->backend->name, m->engine.instead) == NULL;
    ok(lost == 0, "what a method names instead of it is one");
}

int main(void)
{
    test_rows();
    test_methods();
    return done_testing();
}
