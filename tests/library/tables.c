/* tables.c - members of a table have the bits that each has alone; tables in
 * NetCDF files are read by libbosc-netcdf.
 */
#include <bosc_netcdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/tap.h"
#include "tests/library/library.h"

static const char job[] =
    "tstop: 20\n"
    "populations:\n"
    "  - {name: c, synthetic: {compartments: 61, sections: 9}, count: 3,"
    " regions: {all: {pas: {}}, soma: {hh: {}}}}\n"
    "  - {name: d, synthetic: {compartments: 31, sections: 5}, count: 2,"
    " regions: {all: {pas: {}}, soma: {hh: {}}}}\n"
    "clamps: [{at: soma, delay: 1, duration: 15, amplitude: 0.3}]\n"
    "probes: [{name: soma, interval: 0.1},"
    " {name: all, population: d, at: everywhere, interval: 1}]\n";

enum { ROWS = 4, KEYS = 2 };

static const char *const keys[KEYS] = {"clamps.0.amplitude",
                                       "populations.c.regions.soma.hh.gnabar"};
static const double values[ROWS][KEYS] = {
    {0.1 + 0.2, 0.12}, {1.0 / 3, 0.11}, {0, 0.1 + 0.02}, {0.7, 1e-9}};

/* Columns first..first + n - 1 of 'all' are those of 'one'. */
static bool same_columns(const bosc_readings *all, int64_t first,
                         const bosc_readings *one)
{
    if (all->n_times != one->n_times ||
        first + one->n_columns > all->n_columns || one->n_columns == 0)
        return false;
    for (int64_t t = 0; t < one->n_times; ++t)
        if (memcmp(all->values + t * all->n_columns + first,
                   one->values + t * one->n_columns,
                   (size_t)one->n_columns * sizeof *one->values) != 0)
            return false;
    for (int64_t i = 0; i < one->n_columns; ++i)
        if (all->compartment[first + i] != one->compartment[i] ||
            all->x[first + i] != one->x[i] ||
            strcmp(all->section[first + i], one->section[i]) != 0 ||
            all->gid[first + i] - all->gid[first] != one->gid[i] - one->gid[0])
            return false;
    return true;
}

static int64_t spikes_of(bosc_simulation *sim, int64_t first, int64_t n)
{
    bosc_spike_list spikes;
    int64_t sum = 0;

    bosc_spikes(sim, &spikes);
    for (int64_t i = 0; i < spikes.n; ++i)
        sum += spikes.gid[i] >= first && spikes.gid[i] < first + n;
    return sum;
}

static bosc_simulation *open_alone(int member)
{
    bosc_simulation *sim = open_here(job);
    char text[40];

    for (int k = 0; k < KEYS; ++k) {
        snprintf(text, sizeof text, "%.17g", values[member][k]);
        bosc_set(sim, keys[k], text);
    }
    return sim;
}

static void check_member(bosc_simulation *all, int m)
{
    static const char *const probes[] = {"soma", "all"};
    bosc_simulation *one = open_alone(m);
    bool same = says(bosc_advance(one, 20), BOSC_OK, one, "");
    const int64_t n = bosc_n_neurons(one);

    for (int p = 0; p < 2; ++p) {
        bosc_readings a, b;

        same = bosc_read(all, probes[p], "v", &a) == BOSC_OK &&
               bosc_read(one, probes[p], "v", &b) == BOSC_OK &&
               a.n_columns == ROWS * b.n_columns &&
               same_columns(&a, m * b.n_columns, &b) && same;
    }
    ok(same, "member %d has the bits that it has alone", m);
    ok(spikes_of(all, m * n, n) == spikes_of(one, 0, n), "and its %lld spikes",
       (long long)spikes_of(one, 0, n));

    const bosc_group c = bosc_population(all, 2 * m),
                     d = bosc_population(all, 2 * m + 1);

    ok(c.name != NULL && d.name != NULL && strcmp(d.name, "d") == 0 &&
           c.member == m && d.member == m && c.first == m * n && c.n == 3 &&
           d.first == m * n + 3 && d.n == 2,
       "its populations are told");
    bosc_close(one);
}

static void check_table(void)
{
    bosc_simulation *all = open_here(job);

    ok(says(bosc_set_table(all, ROWS, KEYS, keys, &values[0][0]), BOSC_OK, all,
            "") &&
           says(bosc_advance(all, 20), BOSC_OK, all, ""),
       "a table of %d members is simulated", ROWS);
    for (int m = 0; m < ROWS; ++m)
        check_member(all, m);
    ok(bosc_population(all, 2 * ROWS).name == NULL, "there are no more");
    bosc_close(all);
}

/* --- NetCDF --- */

#define NETWORK                                                                \
    "tstop: 20\n"                                                              \
    "populations: [{name: c, synthetic: {compartments: 31, sections: 5},"      \
    " count: 3, regions: {all: {pas: {}}, soma: {hh: {}}}}]\n"                 \
    "synapses: [{name: s, type: ExpSyn, tau: 2}]\n"                            \
    "clamps: [{neurons: \"0\", at: soma, duration: 15, amplitude: 0.5}]\n"     \
    "probes: [{name: soma, interval: 0.1}]\n"                                  \
    "projections: [{from: c, to: c, rule: list, synapse: s, file: edges."

static bytes run(const char *text, const bosc_files *files)
{
    bosc_simulation *sim = open_here(text);
    bytes all = {0};

    bosc_set_files(sim, files);
    if (says(bosc_advance(sim, 20), BOSC_OK, sim, ""))
        all = readings(sim); /* states know the names of files */
    bosc_close(sim);
    return all;
}

static void check_files(void)
{
    bosc_simulation *sim;
    bytes text, netcdf;

    put_file("edges.tsv", "source target weight delay\n"
                          "0 1 0.05 2\n0 2 0.03 3.5\n1 2 0.04 1\n");
    put_file("edges.cdl",
             "netcdf edges {\ndimensions: edge = 3 ;\nvariables:\n"
             "int64 source(edge) ; int64 target(edge) ;\n"
             "double weight(edge) ; double delay(edge) ;\n"
             "data:\nsource = 0, 0, 1 ; target = 1, 2, 2 ;\n"
             "weight = 0.05, 0.03, 0.04 ; delay = 2, 3.5, 1 ;\n}\n");
    if (system("ncgen -4 -o edges.nc edges.cdl 2>/dev/null") != 0) {
        skip("no ncgen");
        return;
    }
    sim = open_here(NETWORK "nc}]\n");
    ok(says(bosc_build(sim), BOSC_ENOINPUT, sim, "bosc_set_files"),
       "a NetCDF table is refused without its reader");
    bosc_close(sim);
    netcdf = run(NETWORK "nc}]\n", bosc_netcdf());
    text = run(NETWORK "tsv}]\n", NULL);
    ok(same_bytes(text, netcdf), "with it it is the same as a table in text");
    free(netcdf.at);
    netcdf = run(NETWORK "tsv}]\n", bosc_netcdf());
    ok(same_bytes(text, netcdf), "which it reads, too");
    free(text.at);
    free(netcdf.at);
}

int main(void)
{
    own_folder();
    check_table();
    check_files();
    leave_folder();
    return done_testing();
}
