/* Probes and spikes of 3 ranks (or any number) come into the file, each in its
 * place, however many I/O ranks there are and however small the buffer is. */
#include <netcdf.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "kernels/mech/builtin.h"
#include "src/base/mem.h"
#include "src/mpi/mpi_comm.h"
#include "src/output/gather.h"
#include "tests/lib/mechs.h"
#include "tests/lib/ranks.h"

enum { NEURONS = 37, STEPS = 60, PROBES = 3, SETS = 4, MOST = 5 * NEURONS };
enum { NAMES = 1 + NEURONS }; /* soma[0], dend[0] to dend[36] */

static char path[64], partial[80];

/* Neurons are scattered over the ranks; the last rank has few. */
static int home(int64_t gid)
{
    return (int)(gid * gid % 7) % ranks;
}

/* Compartments recorded of a neuron: by probe. */
static int32_t n_nodes(int p, int64_t gid)
{
    const int32_t n[PROBES] = {1, (int32_t)(gid % 5), gid == 7 ? 4 : 0};

    return n[p];
}

/* The sets; the states of the second variable are at odd nodes only. */
static const struct {
    int probe, variable;
    int32_t every;
} sets[SETS] = {{0, 0, 2}, {1, 0, 5}, {1, 1, 5}, {2, 0, 1}};

static bool has_value(int s, int32_t node)
{
    return sets[s].variable == 0 || node % 2 == 1;
}

static double value(int s, int64_t gid, int32_t node, int64_t frame)
{
    return (double)s + (double)gid * 16 + node / 8.0 + (double)frame * 1024;
}

static bool spikes(int64_t gid, int64_t step)
{
    return (gid * 7 + step * 3) % 11 == 0 && step % 9 < 4;
}

/* A made-up run. */
struct world {
    bosc_job job;
    bosc_probe_spec probes[PROBES];
    bosc_variable variables[PROBES][2];
    bosc_population_spec populations[2];
    int64_t first_gid[3];
    bosc_gid_range ranges[2];
    bosc_gid_table gid_table;
    bosc_local_cells forest;
    int64_t gid[NEURONS];
    bosc_built_batch packed;
    bosc_columns columns[PROBES];
    bosc_column column[PROBES][MOST];
    bosc_column_geometry geometry[PROBES][MOST];
    bosc_recorded recorded[SETS];
    int64_t of_set[SETS][MOST];
    bosc_reading_set batch_sets[SETS];
    /* of a range, and of the one before, which travels */
    double values[BOSC_GATHER_RANGES][SETS][MOST * (STEPS + 1)];
    const double *set[BOSC_GATHER_RANGES][SETS]; /* into these */
    int range;
    bosc_spike spike[NEURONS * STEPS];
};

static void make_columns(struct world *w, int p)
{
    bosc_columns *columns = &w->columns[p];

    columns->n = 0;
    columns->column = w->column[p];
    columns->geometry = w->geometry[p];
    for (int32_t i = 0; i < w->forest.n; ++i)
        for (int32_t node = 0; node < n_nodes(p, w->gid[i]); ++node) {
            columns->geometry[columns->n] = (bosc_column_geometry){
                .xyz = {(float)w->gid[i], (float)node}, .parent = node / 2};
            columns->column[columns->n++] =
                p == 0 ? (bosc_column){w->gid[i], node, BOSC_SOMA, 0, 0.5}
                       : (bosc_column){w->gid[i], node, BOSC_DENDRITE,
                                       (int32_t)w->gid[i], node / 4.0};
        }
}

static void make_set(struct world *w, int s)
{
    const bosc_columns *columns = &w->columns[sets[s].probe];
    bosc_recorded *set = &w->recorded[s];

    *set = (bosc_recorded){.probe = sets[s].probe,
                           .variable = sets[s].variable,
                           .column = w->of_set[s]};
    for (int64_t c = 0; c < columns->n; ++c)
        if (has_value(s, columns->column[c].node))
            set->column[set->n++] = c;
    w->batch_sets[s].at = (bosc_frame_steps){0, INT64_MAX, sets[s].every};
    w->batch_sets[s].n = set->n;
    w->batch_sets[s].width = 1;
}

static void make_world(struct world *w, int io_ranks, double buffer,
                       bosc_parallel parallel)
{
    static char *const names[PROBES] = {"soma", "some", "lone"};

    memset(w, 0, sizeof *w);
    w->job = (bosc_job){.path = "job.yaml",
                        .mechs = test_mechs(),
                        .dt = 0.125,
                        .tstop = STEPS * 0.125,
                        .output.parallel = parallel,
                        .output.io_ranks = io_ranks,
                        .output.buffer = buffer,
                        .n_populations = 2,
                        .populations = w->populations,
                        .n_probes = PROBES,
                        .probes = w->probes};
    for (int p = 0; p < PROBES; ++p) {
        w->probes[p].name = names[p];
        w->probes[p].variables.n = p == 1 ? 2 : 1;
        w->probes[p].variables.variable = w->variables[p];
        w->probes[p].variables.variable[0] =
            (bosc_variable){BOSC_COMPARTMENT, 0};
        w->probes[p].variables.variable[1] = (bosc_variable){BOSC_MECH_hh, 0};
    }
    for (int s = 0; s < SETS; ++s) {
        bosc_probe_spec *probe = &w->probes[sets[s].probe];

        probe->interval = sets[s].every * w->job.dt;
        probe->every = sets[s].every;
        probe->last = STEPS;
    }
    w->first_gid[1] = NEURONS / 3;
    w->first_gid[2] = NEURONS;
    w->gid_table.n_neurons = NEURONS;
    w->gid_table.first_gid = w->first_gid;
    w->gid_table.n_gid_ranges = 2;
    w->gid_table.gid_ranges = w->ranges;
    for (int32_t p = 0; p < 2; ++p)
        w->ranges[p] = (bosc_gid_range){
            w->first_gid[p], w->first_gid[p + 1] - w->first_gid[p], p, -1};
    for (int64_t g = 0; g < NEURONS; ++g)
        if (home(g) == rank)
            w->gid[w->forest.n++] = g;
    w->forest.gid = w->gid;
    w->packed.n_probes = PROBES;
    w->packed.columns = w->columns;
    w->packed.n_sets = SETS;
    w->packed.sets = w->recorded;
    w->packed.batch.sets = w->batch_sets;
    w->packed.batch.n_sets = SETS;
    for (int p = 0; p < PROBES; ++p)
        make_columns(w, p);
    for (int s = 0; s < SETS; ++s)
        make_set(w, s);
}

/* What a backend gives for the steps from..to - 1. */
static bosc_step_output make_record(struct world *w, int64_t from, int64_t to)
{
    static int64_t n_frames[SETS];
    bosc_step_output record = {.n_sets = SETS,
                               .n_frames = n_frames,
                               .values = w->set[w->range],
                               .spikes = w->spike};

    for (int s = 0; s < SETS; ++s) {
        const bosc_recorded *set = &w->recorded[s];
        double *at = w->values[w->range][s];

        n_frames[s] = 0;
        w->set[w->range][s] = at;
        for (int64_t step = from == 0 ? 0 : from + 1; step <= to; ++step) {
            if (step % sets[s].every != 0)
                continue;
            for (int64_t i = 0; i < set->n; ++i) {
                const bosc_column *c =
                    &w->columns[set->probe].column[set->column[i]];

                *at++ = value(s, c->gid, c->node, step / sets[s].every);
            }
            ++n_frames[s];
        }
    }
    for (int64_t step = from + 1; step <= to; ++step)
        for (int32_t i = 0; i < w->forest.n; ++i)
            if (spikes(w->gid[i], step))
                w->spike[record.n_spikes++] =
                    bosc_spike_detected(step, w->gid[i]);
    return record;
}

static bosc_result *open_store(const struct world *w,
                               const bosc_gather_plan *plan)
{
    static const bosc_result_neurons neurons = {0};
    const bosc_gather_view view = bosc_gather_look(plan);
    const bosc_result_spec spec = {.path = path,
                                   .replace = true, /* that of before */
                                   .title = "test",
                                   .command = "",
                                   .job_text = "",
                                   .tstop = w->job.tstop,
                                   .compression = w->job.output.compression,
                                   .parallel =
                                       bosc_gather_look(plan).writers > 1,
                                   .neurons = &neurons,
                                   .n_sections = view.n_sections,
                                   .section_name = view.sections,
                                   .n_sets = PROBES,
                                   .sets = bosc_gather_look(plan).probes};
    bosc_result *store = NULL;
    bosc_error err = {""};

    if (rank == 0 && bosc_result_create(&spec, &store, &err) != BOSC_OK) {
        diag("%s", err.text);
        exit(1);
    }
    return store;
}

/* All steps in ranges of different lengths. */
static bosc_status go(struct world *w, bosc_gather_plan *plan, bosc_error *err)
{
    bosc_status st = BOSC_OK;
    int64_t steps = 1;

    for (int64_t from = 0; from < STEPS && st == BOSC_OK;
         from += steps, steps = steps * 5 % 7 + 1) {
        const int64_t to = from + steps < STEPS ? from + steps : STEPS;
        const bosc_step_output record = make_record(w, from, to);

        st = bosc_gather_sum(plan, &record, (const int64_t[]){from, to}, err);
        if (st == BOSC_OK)
            st = bosc_gather_take(plan, &record, from, to, err);
        w->range = (w->range + 1) % BOSC_GATHER_RANGES;
        memset(w->values[w->range], 0,
               sizeof w->values[0]); /* it has arrived */
        st = bosc_agree(world, st, err);
        if (st == BOSC_OK)
            bosc_gather_start(plan);
        for (int i = 0; i < rank; ++i)
            bosc_gather_poll(plan);
    }

    const bosc_status last = bosc_gather_finish(plan, err);

    return st != BOSC_OK ? st : bosc_agree(world, last, err);
}

/* --- what the file must have ------------------------------------------------
 */

static double *read_all(int nc, const char *name, size_t want)
{
    int var = -1, n = 0, dims[2];
    size_t size = 1, length = 0;
    double *values = bosc_alloc(want, sizeof *values);

    if (nc_inq_varid(nc, name, &var) != NC_NOERR)
        return values;
    nc_inq_varndims(nc, var, &n);
    nc_inq_vardimid(nc, var, dims);
    for (int i = 0; i < n; ++i) {
        nc_inq_dimlen(nc, dims[i], &length);
        size *= length;
    }
    if (size == want)
        nc_get_var_double(nc, var, values);
    else
        diag("%s has %zu values, not %zu", name, size, want);
    return values;
}

static bool set_is_right(int nc, int s)
{
    static const char *const names[SETS] = {"soma_v", "some_v", "some_m",
                                            "lone_v"};
    const int64_t n_frames = STEPS / sets[s].every + 1;
    size_t n = 0, at = 0;
    bool right = true;

    for (int64_t g = 0; g < NEURONS; ++g)
        n += (size_t)n_nodes(sets[s].probe, g);

    double *got = read_all(nc, names[s], n * (size_t)n_frames);

    for (int64_t f = 0; f < n_frames; ++f)
        for (int64_t g = 0; g < NEURONS; ++g)
            for (int32_t k = 0; k < n_nodes(sets[s].probe, g); ++k, ++at)
                right = right && (has_value(s, k) ? got[at] == value(s, g, k, f)
                                                  : got[at] != got[at]);
    free(got);
    return right;
}

static bool spikes_are_right(int nc)
{
    size_t n = 0, at = 0;
    bool right = true;

    for (int64_t step = 1; step <= STEPS; ++step)
        for (int64_t g = 0; g < NEURONS; ++g)
            n += spikes(g, step);

    double *time = read_all(nc, "spike_time", n);
    double *gid = read_all(nc, "spike_gid", n);

    for (int64_t step = 1; step <= STEPS; ++step)
        for (int64_t g = 0; g < NEURONS; ++g)
            if (spikes(g, step)) {
                right = right && time[at] == (double)step * 0.125 &&
                        gid[at] == (double)g;
                ++at;
            }
    free(time);
    free(gid);
    return right && n > 50;
}

static bool places_are_right(int nc)
{
    double *gid, *node, *x, *x3d, *y3d, *parent;
    size_t n = 0, at = 0;
    bool right = true;
    char *name[NAMES] = {NULL};
    double *section;
    int var = -1, dim = -1;
    size_t n_names = 0;

    for (int64_t g = 0; g < NEURONS; ++g)
        n += (size_t)n_nodes(1, g);
    gid = read_all(nc, "some_gid", n);
    node = read_all(nc, "some_compartment", n);
    x = read_all(nc, "some_x", n);
    x3d = read_all(nc, "some_x3d", n);
    y3d = read_all(nc, "some_y3d", n);
    parent = read_all(nc, "some_parent", n);
    section = read_all(nc, "some_section", n);
    nc_inq_varid(nc, "section_name", &var);
    right = nc_inq_dimid(nc, "section", &dim) == NC_NOERR &&
            nc_inq_dimlen(nc, dim, &n_names) == NC_NOERR && n_names == NAMES &&
            nc_get_var_string(nc, var, name) == NC_NOERR;
    for (int64_t g = 0; g < NEURONS; ++g)
        for (int32_t k = 0; k < n_nodes(1, g); ++k, ++at) {
            char want[16] = "";

            snprintf(want, sizeof want, "dend[%d]", (int)g);
            right = right && gid[at] == (double)g && node[at] == k &&
                    x3d[at] == (double)g && y3d[at] == k &&
                    parent[at] == (k < 2 ? -1. : (double)at - k / 2) &&
                    x[at] == k / 4.0 && section[at] < NAMES &&
                    strcmp(name[(int)section[at]], want) == 0;
        }
    nc_free_string(BOSC_LEN(name), name);
    free(gid);
    free(node);
    free(x);
    free(x3d);
    free(y3d);
    free(parent);
    free(section);
    return right;
}

static bool file_is_right(void)
{
    int nc = -1;
    bool right = nc_open(path, NC_NOWRITE, &nc) == NC_NOERR;

    for (int s = 0; s < SETS; ++s)
        right = right && set_is_right(nc, s);
    right = right && spikes_are_right(nc) && places_are_right(nc);
    nc_close(nc);
    return right;
}

/* --- tests -------------------------------------------------------------------
 */

struct how {
    int io_ranks;
    double buffer; /* MB */
    bosc_parallel parallel;
    int compression;
    rlim_t most; /* bytes of the file */
};

static bosc_status run(struct world *w, struct how how, bosc_error *err)
{
    const struct rlimit limit = {how.most, RLIM_INFINITY};
    const struct rlimit none = {RLIM_INFINITY, RLIM_INFINITY};
    bosc_gather_plan *plan = NULL;
    bosc_status st;

    make_world(w, how.io_ranks, how.buffer, how.parallel);
    w->job.output.compression = how.compression;

    const bosc_model scene = {&w->job, &w->gid_table, &w->forest, NULL};

    st = bosc_gather_plan_create(world, &scene, &w->packed, &plan, err);
    if (st != BOSC_OK)
        return st;

    bosc_result *store = open_store(w, plan);

    st = bosc_gather_places(plan, store, err);
    if (st == BOSC_OK)
        st = bosc_gather_open(plan, store, err);
    setrlimit(RLIMIT_FSIZE, &limit);
    if (st == BOSC_OK)
        st = go(w, plan, err);
    if (st == BOSC_OK && rank == 0)
        st = bosc_result_finish(store, 0, NULL, NULL, NULL, err);
    else
        bosc_result_abandon(store, err);
    setrlimit(RLIMIT_FSIZE, &none);
    bosc_gather_plan_destroy(plan);
    return bosc_agree(world, st, err);
}

static void test_contents(struct world *w)
{
    static const struct {
        int io_ranks;
        double buffer; /* MB */
        const char *name;
    } cases[] = {
        {0, 64, "an I/O rank a node"},
        {1, 64, "one I/O rank"},
        {2, 64, "two I/O ranks"},
        {3, 64, "every rank is an I/O rank"},
        {1, 0.001, "slices of some columns"},
        {2, 0.001, "slices by way of an I/O rank"},
        {3, 0.004, "a buffer of some frames"},
    };

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        const bool several = bosc_gather_able() && cases[i].io_ranks > 1;
        bosc_error err = {""};
        bosc_status st;

        if (cases[i].io_ranks > ranks)
            continue;
        for (int all = 0; all <= several; ++all) {
            const struct how how = {cases[i].io_ranks, cases[i].buffer,
                                    all ? BOSC_PARALLEL_YES : BOSC_PARALLEL_NO,
                                    (int)i % 2, RLIM_INFINITY};
            char name[120];

            snprintf(name, sizeof name, "%s%s", cases[i].name,
                     all ? ", and all of them write" : "");
            st = run(w, how, &err);
            if (st != BOSC_OK && rank == 0)
                diag("%s", err.text);
            all_ok(st == BOSC_OK && (rank != 0 || file_is_right()), name);
        }
    }
}

static void test_refusals(struct world *w)
{
    bosc_error err = {""};
    bosc_status st =
        run(w, (struct how){ranks + 1, 64, .most = RLIM_INFINITY}, &err);

    all_ok(st == BOSC_EVALUE && strstr(err.text, "output.io_ranks") != NULL,
           "more I/O ranks than ranks are refused, everywhere");
    if (!bosc_gather_able()) {
        st = run(w, (struct how){1, 64, BOSC_PARALLEL_YES, 0, RLIM_INFINITY},
                 &err);
        all_ok(st == BOSC_EVALUE &&
                   strstr(err.text, "output.parallel: yes, but ") != NULL,
               "several writers are refused where netCDF has one");
    }
    if (rank == 0)
        unlink(path);
    for (int io_ranks = 1; io_ranks <= ranks; ++io_ranks) {
        if (rank == 0)
            unlink(partial); /* HDF5 cannot close the one before */
        /* less than the variables take: nor can the file be closed */
        st = run(w, (struct how){io_ranks, 0.001, .most = 65536}, &err);
        all_ok(st == BOSC_EIO && strstr(err.text, "File too large") != NULL,
               "a file that may not grow ends it on every rank");
        all_ok(rank != 0 || access(path, F_OK) != 0,
               "and none that looks finished is there");
    }
}

int main(int argc, char **argv)
{
    struct world *w = malloc(sizeof *w);

    int level;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    begin_ranks();
    signal(SIGXFSZ, SIG_IGN);
    snprintf(path, sizeof path, "/tmp/bosc-gather-%d.nc", (int)getpid());
    snprintf(partial, sizeof partial, "%s.partial", path);
    if (rank == 0) /* of a killed test that had this number */
        unlink(partial);
    test_contents(w);
    test_refusals(w);
    if (rank == 0) {
        unlink(path);
        unlink(partial);
    }
    free(w);
    const int failed = rank == 0 ? done_testing() : 0;
    MPI_Finalize();
    return failed;
}
