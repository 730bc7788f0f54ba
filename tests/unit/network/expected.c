/* expected.c - what rules are expected to make against what they make: whole
 * networks are counted. */
#include <math.h>
#include <netcdf.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/io/netcdf_files.h"
#include "src/network/coupling_size.h"
#include "src/network/rule.h"
#include "src/table/table.h"
#include "tests/lib/netlist.h"
#include "tests/lib/tap.h"

enum { N = NETLIST_N_C, C = NETLIST_C, HALF = N / 2, NODES = 64 };

static const struct {
    const char *name, *line;
    double tolerance; /* of what is drawn, relative */
} rules[] = {
    {"ring", "rule: ring", 0},
    {"one_to_one", "rule: one_to_one", 0},
    {"all_to_all", "rule: all_to_all", 0},
    {"fixed_indegree", "rule: fixed_indegree, indegree: 40", 0.05},
    {"fixed_indegree of 1", "rule: fixed_indegree, indegree: 1", 0.2},
    {"fixed_probability", "rule: fixed_probability, probability: 0.2", 0.05},
    {"few by fixed_probability", "rule: fixed_probability, probability: 0.004",
     0.25},
    {"distance", "rule: distance, length: 30", 0.05},
    {"fixed_indegree anywhere",
     "rule: fixed_indegree, indegree: 40, at: {region: all}", 0.05},
};

static netlist make(const char *line)
{
    char text[400];

    snprintf(text, sizeof text,
             "  - {from: c, to: c, synapse: ampa, weight: 1, %s}\n", line);
    return netlist_create(text, 1, NULL);
}

static bool near(const char *what, double expected, double counted,
                 double tolerance)
{
    const double off = tolerance * counted + (tolerance > 0 ? 2 : 1e-9);

    if (fabs(expected - counted) <= off)
        return true;
    diag("%s: %g are expected, %g are there", what, expected, counted);
    return false;
}

/* Sources with a connection onto the first half of the targets, and targets
 * with one from the first half of the sources. */
static void count_ends(const netlist *list, double *senders, double *receivers)
{
    bool sends[N] = {false}, receives[N] = {false};

    for (size_t i = 0; i < list->n; ++i) {
        const int64_t source = list->arc[i].source - C;
        const int64_t target = list->arc[i].target - C;

        sends[source] = sends[source] || target < HALF;
        receives[target] = receives[target] || source < HALF;
    }
    *senders = *receivers = 0;
    for (int i = 0; i < N; ++i) {
        *senders += sends[i];
        *receivers += receives[i];
    }
}

static void test_rules(void)
{
    for (size_t k = 0; k < BOSC_LEN(rules); ++k) {
        netlist list = make(rules[k].line);
        const bosc_model scene = {list.job, list.gid_table, NULL, NULL};
        const bosc_expected e = bosc_rule_expect(&scene, 0, -1);
        const double tolerance = rules[k].tolerance;
        double senders, receivers;

        count_ends(&list, &senders, &receivers);
        ok(e.known &&
               near("connections", N * e.indegree, (double)list.n, tolerance) &&
               near("senders", N * bosc_expected_senders(&e, HALF), senders,
                    tolerance) &&
               near("receivers", N * bosc_expected_receivers(&e, HALF),
                    receivers, tolerance),
           "%s makes what is expected, and leaves out so many", rules[k].name);
        netlist_clear(&list);
    }
}

/* --- matrices of couplings ------------------------------------------------ */

/* Compartments: those of targets by node, and that of each source. */
enum { PLACES = N * NODES, ALL = PLACES + N };

typedef struct counted {
    double rows, columns, entries, width;
} counted;

/* The matrix of a coupling with these arcs whose targets and, of gaps, sources
 * are in the first half; a source has its soma at node 0. */
static counted count_matrix(const netlist *list, bool gap, bool one_place)
{
    bool *entry = bosc_alloc((size_t)N * NODES * N * 2, sizeof *entry);
    bool *column = bosc_alloc(ALL, sizeof *column);
    double *row = bosc_alloc(ALL, sizeof *row);
    counted c = {0, 0, 0, 0};

    for (size_t i = 0; i < list->n; ++i) {
        const netlist_arc *arc = &list->arc[i];
        const int64_t source = arc->source - C, target = arc->target - C;
        const int64_t place = target * NODES + arc->node;
        bool *here = &entry[(place * N + source) * 2];

        if (target < HALF && !here[0]) {
            here[0] = column[PLACES + source] = true;
            row[place] += 1;
        }
        if (gap && source < HALF && !here[1]) {
            here[1] = column[place] = true;
            row[one_place ? source * NODES + arc->node : PLACES + source] += 1;
        }
    }
    for (int i = 0; i < ALL; ++i) {
        c.rows += row[i] > 0;
        c.entries += row[i];
        c.columns += column[i];
        c.width = fmax(c.width, row[i]);
    }
    free(entry);
    free(column);
    free(row);
    return c;
}

static void test_matrix(const char *name, const netlist *list, bool gap,
                        double tolerance)
{
    const bosc_model scene = {list->job, list->gid_table, NULL, NULL};
    const bosc_expected e = bosc_rule_expect(&scene, 0, -1);
    const bool one_place =
        list->job->network.projections[0].at.kind == BOSC_TARGET_PLACE;
    bosc_coupling_spec spec = {.link = list->job->network.projections[0],
                               .type = gap ? BOSC_COUPLING_GAP
                                           : BOSC_COUPLING_GRADED};
    bosc_job job = *list->job;
    double here[3] = {0, 0, HALF}, places = one_place ? 1 : 0;
    const bosc_coupling_share share = {
        .job = &job, .links = &e, .places = &places, .here = here, .ranks = 2};

    for (int32_t i = 0; !one_place && i < list->cable->n; ++i)
        places += list->cable->area[i] > 0;
    job.network.n_couplings = 1;
    job.network.couplings = &spec;

    const bosc_coupling_size size = bosc_coupling_expect(&share, 0);
    const counted c = count_matrix(list, gap, one_place);

    /* places are taken as equally likely, lengths differ */
    ok(near("rows", size.matrix.rows, c.rows, tolerance) &&
           near("columns", size.matrix.columns, c.columns, tolerance) &&
           near("entries", size.matrix.entries, c.entries, tolerance) &&
           near("width", size.matrix.width, c.width, 0.3),
       "%s as %s: the matrix is as large as expected", name,
       gap ? "gaps" : "graded synapses");
}

static void test_matrices(void)
{
    for (size_t k = 0; k < BOSC_LEN(rules); ++k) {
        netlist list = make(rules[k].line);

        test_matrix(rules[k].name, &list, false, rules[k].tolerance + 0.03);
        test_matrix(rules[k].name, &list, true, rules[k].tolerance + 0.03);
        netlist_clear(&list);
    }
}

/* --- rows of files -------------------------------------------------------- */

static void write_rows(const char *path, long n)
{
    FILE *file = fopen(path, "w");

    if (file == NULL)
        abort();
    fputs("source\ttarget\n", file);
    for (long i = 0; i < n; ++i)
        fprintf(file, "%ld\t%ld\n", i, n - i);
    fclose(file);
}

static void test_rows(void)
{
    char folder[] = "/tmp/bosc-expect-XXXXXX";
    const size_t length = 321;
    int nc, dimension, variable;

    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        abort();
    write_rows("short.tsv", 17);
    ok(bosc_table_rows(&bosc_netcdf_files, "short.tsv", "source|pre") == 18,
       "the lines of a short table are counted");
    write_rows("long.tsv", 400000);
    ok(near("rows",
            bosc_table_rows(&bosc_netcdf_files, "long.tsv", "source|pre"),
            400000, 0.01),
       "those of a long one within a hundredth, from parts of it");
    if (nc_create("list.nc", NC_NETCDF4, &nc) != NC_NOERR)
        abort();
    nc_def_dim(nc, "edge", length, &dimension);
    nc_def_var(nc, "pre", NC_INT64, 1, &dimension, &variable);
    nc_close(nc);
    ok(bosc_table_rows(&bosc_netcdf_files, "list.nc", "source|pre") ==
           (double)length,
       "a NetCDF file says how many there are");
    ok(bosc_table_rows(&bosc_netcdf_files, "list.nc", "source") < 0,
       "unless it has no such variable");
    mkfifo("pipe", 0600);
    ok(bosc_table_rows(&bosc_netcdf_files, "pipe", "source") < 0,
       "a pipe is not opened");
    ok(bosc_table_rows(&bosc_netcdf_files, "nowhere", "source") < 0,
       "nor what is not there");
    unlink("short.tsv");
    unlink("long.tsv");
    unlink("list.nc");
    unlink("pipe");
    if (chdir("/") == 0)
        rmdir(folder);
}

static void test_lists(void)
{
    netlist list = make("rule: ring");
    const bosc_model scene = {list.job, list.gid_table, NULL, NULL};
    bosc_expected known, unknown;

    list.job->network.projections[0].rule = BOSC_RULE_LIST;
    known = bosc_rule_expect(&scene, 0, 5 * N);
    unknown = bosc_rule_expect(&scene, 0, -1);
    ok(known.known && known.indegree == 5, "the rows of a list are shared");
    ok(!unknown.known && unknown.indegree == 0,
       "what nobody has counted is not known");
    list.job->network.projections[0].rule = BOSC_RULE_DISTANCE;
    list.job->network.projections[0].length = 10;
    list.job->populations[2].positions = bosc_strdup("xyz.tsv");
    ok(!bosc_rule_expect(&scene, 0, -1).known,
       "nor are distances between positions of a file");
    netlist_clear(&list);
}

int main(void)
{
    test_rules();
    test_matrices();
    test_rows();
    test_lists();
    return done_testing();
}
