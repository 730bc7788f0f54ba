/* run_network.c - the network comes out: at the end of a run rank 0 gets the
 * connections of all, some neurons at a time, and writes them.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/comm/comm.h"
#include "src/io/network/result_network.h"
#include "src/network/edges/network_rows.h"
#include "src/run/run.h"
#include "src/text/wrap.h"

enum {
    ROWS = 1 << 17,  /* that travel at once, about */
    NO_SECTION = -1, /* of rows; netCDF's fill value in the file: */
    MISSING = -INT_MAX,
    FIRST = 8 /* projections shown */
};

/* What rank 0 writes: columns of some rows, [room] each. */
typedef struct columns {
    size_t room, numbers_room;
    int32_t *projection, *kind, *section;
    int64_t *source, *target;
    double *x, *weight, *delay, *end_weight, *numbers;
} columns;

typedef struct writing {
    bosc_run *run;
    bosc_model model;
    bosc_network_params params;
    bosc_network_rows *rows;
    int64_t all;  /* rows of all ranks */
    int32_t next; /* of this rank's neurons */
    bosc_result_network network;
    const char **names, **kinds; /* of projections; of synapses */
    columns columns;
    int64_t last_target, run_length; /* of the rows so far, for in-degrees */
    int32_t last_projection;
} writing;

static void writing_clear(writing *w)
{
    columns *c = &w->columns;
    void *all[] = {c->projection, c->kind,   c->section, c->source,
                   c->target,     c->x,      c->weight,  c->delay,
                   c->end_weight, c->numbers};

    for (size_t i = 0; i < BOSC_LEN(all); ++i)
        free(all[i]);
    free(w->names);
    free(w->kinds);
    bosc_network_rows_destroy(w->rows);
    bosc_network_params_clear(&w->params);
}

static bosc_status make_room(columns *c, size_t n, size_t n_numbers,
                             bosc_error *err)
{
    size_t room[9];

    for (size_t i = 0; i < BOSC_LEN(room); ++i)
        room[i] = c->room;
    if (!bosc_grow(&c->projection, &room[0], n, sizeof *c->projection) ||
        !bosc_grow(&c->kind, &room[1], n, sizeof *c->kind) ||
        !bosc_grow(&c->section, &room[2], n, sizeof *c->section) ||
        !bosc_grow(&c->source, &room[3], n, sizeof *c->source) ||
        !bosc_grow(&c->target, &room[4], n, sizeof *c->target) ||
        !bosc_grow(&c->x, &room[5], n, sizeof *c->x) ||
        !bosc_grow(&c->weight, &room[6], n, sizeof *c->weight) ||
        !bosc_grow(&c->delay, &room[7], n, sizeof *c->delay) ||
        !bosc_grow(&c->end_weight, &room[8], n, sizeof *c->end_weight) ||
        !bosc_grow(&c->numbers, &c->numbers_room, n * n_numbers + 1,
                   sizeof *c->numbers))
        return bosc_no_memory(err, "the network");
    c->room = room[0];
    return BOSC_OK;
}

/* --- in-degrees ----------------------------------------------------------- */

/* The rows of a target and projection are over. */
static void count_target(writing *w)
{
    bosc_run_indegree *of = &w->run->indegree[w->last_projection];

    if (w->run_length == 0)
        return;
    ++of->targets;
    if (of->targets == 1 || w->run_length < of->least)
        of->least = w->run_length;
    if (w->run_length > of->most)
        of->most = w->run_length;
    w->run_length = 0;
}

static void count_row(writing *w, const bosc_network_row *row)
{
    if (row->target != w->last_target || row->projection != w->last_projection)
        count_target(w);
    w->last_target = row->target;
    w->last_projection = row->projection;
    ++w->run_length;
    ++w->run->indegree[row->projection].connections;
}

/* --- rows ----------------------------------------------------------------- */

/* A row, and where it stands among those that came. */
typedef struct order {
    int64_t gid;
    size_t at;
} order;

static int by_gid(const void *a, const void *b)
{
    const order *x = a, *y = b;

    if (x->gid != y->gid)
        return x->gid < y->gid ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Rank 0: write n rows, which come by ranks, in the order of gids. */
static bosc_status write_rows(writing *w, size_t n, const bosc_network_row *row,
                              const double *numbers, bosc_error *err)
{
    const size_t n_numbers = (size_t)w->params.n;
    columns *c = &w->columns;
    order *sorted = bosc_alloc(n, sizeof *sorted);
    bosc_status st = sorted == NULL ? bosc_no_memory(err, "the network")
                                    : make_room(c, n, n_numbers, err);

    for (size_t i = 0; i < n && st == BOSC_OK; ++i)
        sorted[i] = (order){row[i].gid, i};
    if (st == BOSC_OK && n > 0)
        qsort(sorted, n, sizeof *sorted, by_gid);
    for (size_t i = 0; i < n && st == BOSC_OK; ++i) {
        const bosc_network_row *r = &row[sorted[i].at];

        count_row(w, r);
        c->projection[i] = r->projection;
        c->kind[i] = r->kind;
        c->section[i] = r->section == NO_SECTION ? MISSING : r->section;
        c->source[i] = r->source;
        c->target[i] = r->target;
        c->x[i] = r->x;
        c->weight[i] = r->weight;
        c->delay[i] = r->delay;
        c->end_weight[i] = r->end_weight;
        for (size_t p = 0; p < n_numbers; ++p)
            c->numbers[p * n + i] = numbers[sorted[i].at * n_numbers + p];
    }
    free(sorted);
    if (st != BOSC_OK)
        return st;
    return bosc_result_network_add(
        w->run->result, &w->network,
        &(bosc_result_connections){n, c->projection, c->kind, c->section,
                                   c->source, c->target, c->x, c->weight,
                                   c->delay, c->end_weight, c->numbers},
        err);
}

/* The rows of this rank's neurons before gid 'end'. */
static bosc_status list_rows(writing *w, int64_t end, bosc_error *err)
{
    const bosc_local_cells *cells = w->run->sim.cells;
    bosc_status st = BOSC_OK;

    bosc_network_rows_begin(w->rows);
    for (; st == BOSC_OK && w->next < cells->n && cells->gid[w->next] < end;
         ++w->next)
        st = bosc_network_rows_add(w->rows, w->next, err);
    return st;
}

/* Collective. */
static bosc_status move_rows(writing *w, int64_t end, bosc_error *err)
{
    const bosc_comm *comm = w->run->sim.comm;
    const bosc_network_row *row = NULL;
    const double *numbers = NULL;
    const size_t n_numbers = (size_t)w->params.n;
    void *all = NULL, *all_numbers = NULL;
    size_t *offset = NULL, n = 0;
    bosc_status st = bosc_agree(comm, list_rows(w, end, err), err);

    if (st == BOSC_OK)
        n = bosc_network_rows_look(w->rows, &row, &numbers);
    if (st == BOSC_OK)
        st = bosc_gather(comm, row, n * sizeof *row, &all, &offset, err);
    if (st == BOSC_OK && n_numbers > 0)
        st = bosc_gather(comm, numbers, n * n_numbers * sizeof *numbers,
                         &all_numbers, NULL, err);
    if (st == BOSC_OK && comm->rank == 0)
        st = write_rows(w, offset[comm->ranks] / sizeof *row, all, all_numbers,
                        err);
    free(all);
    free(all_numbers);
    free(offset);
    return bosc_agree(comm, st, err);
}

/* --- all of it ------------------------------------------------------------ */

/* How many connections are there, and has any synapse another weight than it
 * began with?  Collective. */
static bosc_status look_at_all(writing *w, bosc_error *err)
{
    const bosc_local_cells *cells = w->run->sim.cells;
    int64_t changed = 0;
    bosc_status st = BOSC_OK;

    w->all = 0;

    for (int32_t i = 0; i < cells->n && st == BOSC_OK; ++i) {
        const bosc_network_row *row;
        const double *numbers;

        bosc_network_rows_begin(w->rows);
        st = bosc_network_rows_add(w->rows, i, err);

        const size_t n = bosc_network_rows_look(w->rows, &row, &numbers);

        w->all += (int64_t)n;
        for (size_t k = 0; k < n; ++k)
            changed +=
                !isnan(row[k].end_weight) && row[k].end_weight != row[k].weight;
    }
    bosc_sum_int64(w->run->sim.comm, &changed, 1);
    bosc_sum_int64(w->run->sim.comm, &w->all, 1);
    w->network.plastic = changed > 0;
    return bosc_agree(w->run->sim.comm, st, err);
}

/* What the file is told first, at rank 0. */
static bosc_status begin(writing *w, bosc_error *err)
{
    const bosc_network_spec *spec = &w->run->sim.job->network;
    bosc_result_network *network = &w->network;
    const bosc_status st = BOSC_ALLOC(err, "the network",
                                      BOSC_ARRAY(w->names, spec->n_projections),
                                      BOSC_ARRAY(w->kinds, spec->n_synapses));

    if (st != BOSC_OK)
        return st;
    for (int p = 0; p < spec->n_projections; ++p)
        w->names[p] = spec->projections[p].name;
    for (int k = 0; k < spec->n_synapses; ++k)
        w->kinds[k] = spec->synapses[k].name;
    network->n = w->all;
    network->n_projections = spec->n_projections;
    network->n_kinds = spec->n_synapses;
    network->n_params = w->params.n;
    network->projections = w->names;
    network->kinds = w->kinds;
    network->params = w->params.name;
    network->units = w->params.unit;
    return bosc_result_network_begin(w->run->result, network, err);
}

static bosc_status write_all(writing *w, bosc_error *err)
{
    const bosc_sim *sim = &w->run->sim;
    const int64_t n = sim->gid_table->n_neurons;
    int64_t step = n;
    bosc_status st = look_at_all(w, err);

    if (w->all > ROWS)
        step = n / (w->all / ROWS) + 1;

    if (st == BOSC_OK && sim->comm->rank == 0)
        st = begin(w, err);
    st = bosc_agree(sim->comm, st, err);
    for (int64_t gid = 0; gid < n && st == BOSC_OK; gid += step)
        st = move_rows(w, gid + step < n ? gid + step : n, err);
    if (st == BOSC_OK && sim->comm->rank == 0)
        count_target(w);
    return st;
}

bosc_status bosc_run_write_network(bosc_run *run, bosc_error *err)
{
    const bosc_sim *sim = &run->sim;
    writing w = {.run = run,
                 .model = {sim->job, sim->gid_table, sim->cells, &sim->files}};
    bosc_status st;

    if (!sim->job->output.network || sim->job->network.n_projections == 0)
        return BOSC_OK;
    st = sim->method->engine.ops->download(sim->engine, err);
    if (st == BOSC_OK)
        st = BOSC_ALLOC(
            err, "the network",
            BOSC_ARRAY(run->indegree, sim->job->network.n_projections));
    if (st == BOSC_OK)
        st = bosc_network_params_find(&w.model, &w.params, err);
    if (st == BOSC_OK && w.params.n > BOSC_NETWORK_PARAMS)
        st = bosc_fail(err, BOSC_EVALUE,
                       "network: true: the connections have %d parameters of "
                       "their own, more than the %d that a result holds; draw "
                       "fewer, or leave out 'network'",
                       w.params.n, BOSC_NETWORK_PARAMS);
    if (st == BOSC_OK)
        st = bosc_network_rows_create(&w.model, &sim->built->net,
                                      &sim->built->batch, &w.params, &w.rows,
                                      err);
    st = bosc_agree(sim->comm, st, err);
    if (st == BOSC_OK)
        st = write_all(&w, err);
    writing_clear(&w);
    return st;
}

/* "in-degree        ring 1, noise 19.8 (9 to 31)" */
void bosc_run_tell_indegree(const bosc_run *run)
{
    const bosc_network_spec *network = &run->sim.job->network;
    const bosc_model model = {run->sim.job, run->sim.gid_table, NULL, NULL};
    bosc_wrap out;

    if (run->indegree == NULL)
        return;
    out = bosc_wrap_begin(stdout, BOSC_RUN_TEXT, "  %s", "in-degree");
    for (int p = 0; p < network->n_projections && p < FIRST; ++p) {
        const bosc_run_indegree *of = &run->indegree[p];
        const bosc_projection_spec *spec = &network->projections[p];
        const int64_t targets = bosc_model_n_targets(&model, spec);
        const int64_t least = of->targets < targets ? 0 : of->least;

        bosc_wrap_add(&out, "%s%s %.3g", p > 0 ? ", " : "", spec->name,
                      (double)of->connections / (double)targets);
        if (least < of->most)
            bosc_wrap_add(&out, " (%lld to %lld)", (long long)least,
                          (long long)of->most);
    }
    if (network->n_projections > FIRST)
        bosc_wrap_add(&out, ", and %d more", network->n_projections - FIRST);
    bosc_wrap_end(&out);
}
