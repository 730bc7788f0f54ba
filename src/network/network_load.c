#include "src/network/network_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/comm/comm.h"
#include "src/table/table.h"
#include "src/text/path.h"

enum {
    ROWS = 1 << 15,       /* of a block */
    FARTHEST = 1000000000 /* um; as of samples of morphologies */
};

/* What is to be done with each row, on every rank. */
typedef bosc_status take_row(void *what, const double *row, bosc_error *err);

/* One file. */
typedef struct reading {
    const bosc_job *job;
    const char *path, *where;
    int n_columns;
    const bosc_table_column *columns;
    take_row *take;
    void *what;
} reading;

/* The next block at rank 0; *n is 0 at the end. */
static bosc_status next_block(const reading *r, bosc_table **table,
                              double *rows, uint64_t *n, bosc_error *err)
{
    char *path;
    bosc_status st = BOSC_OK;
    size_t got = 0;

    if (*table == NULL) {
        path = bosc_path_join(r->job->folder, r->path);
        st = path == NULL
                 ? bosc_no_memory(err, r->path)
                 : bosc_table_open(r->job->files, path, r->where, r->n_columns,
                                   r->columns, table, err);
        free(path);
    }
    if (st == BOSC_OK)
        st = bosc_table_next(*table, ROWS, rows, &got, err);
    *n = got;
    return st;
}

static bosc_status take_block(const reading *r, const double *rows, uint64_t n,
                              bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (uint64_t i = 0; i < n && st == BOSC_OK; ++i)
        st = r->take(r->what, rows + i * (uint64_t)r->n_columns, err);
    return st;
}

static bosc_status read_file(const bosc_comm *comm, const reading *r,
                             bosc_error *err)
{
    double *rows = bosc_alloc(ROWS * (size_t)r->n_columns, sizeof *rows);
    bosc_table *table = NULL;
    uint64_t n = 1;
    int rank;
    bosc_status st = rows == NULL ? bosc_no_memory(err, r->path) : BOSC_OK;

    rank = comm->rank;
    while ((st = bosc_agree(comm, st, err)) == BOSC_OK && n > 0) {
        if (rank == 0)
            st = next_block(r, &table, rows, &n, err);
        if ((st = bosc_agree(comm, st, err)) != BOSC_OK)
            break;
        bosc_bcast(comm, &n, sizeof n, 0);
        bosc_bcast(comm, rows, n * (size_t)r->n_columns * sizeof *rows, 0);
        st = take_block(r, rows, n, err);
    }
    bosc_table_close(table);
    free(rows);
    return st;
}

/* --- lists of edges ------------------------------------------------------- */

typedef struct edges {
    const bosc_model *model;
    const bosc_projection_spec *spec;
    bosc_edge **edge;
    int64_t *n;
    size_t capacity;
} edges;

static bosc_status take_edge(void *what, const double *row, bosc_error *err)
{
    edges *e = what;
    const int64_t target = (int64_t)row[1];

    if (bosc_local_cells_find(
            e->model->cells,
            e->model->gid_table->first_gid[e->spec->to_index] + target) < 0)
        return BOSC_OK;
    if (isnan(row[2]) && isnan(e->spec->weight.a))
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: '%s' has no column 'weight', and '%s' none of "
                         "its own; give one, in uS",
                         e->spec->file_where, e->spec->file, e->spec->name);
    if (!bosc_grow(e->edge, &e->capacity, (size_t)*e->n + 1, sizeof **e->edge))
        return bosc_no_memory(err, e->spec->file);
    (*e->edge)[*e->n] =
        (bosc_edge){target, *e->n, (int64_t)row[0], row[2], row[3]};
    ++*e->n;
    return BOSC_OK;
}

/* By target, those of one as in the file. */
static int by_target(const void *a, const void *b)
{
    const bosc_edge *x = a, *y = b;

    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static bosc_status read_edges(const bosc_comm *comm, const bosc_model *model,
                              int p, bosc_network_files *files, bosc_error *err)
{
    const bosc_projection_spec *spec =
        bosc_network_link(&model->job->network, p);
    const int64_t *to = model->gid_table->first_gid + spec->to_index;
    const double sources = (double)(bosc_model_n_sources(model, spec) - 1);
    const double targets = (double)(to[1] - to[0] - 1);
    const double least =
        p < model->job->network.n_projections ? -BOSC_MOST_WEIGHT : 0;
    const bosc_table_column columns[] = {
        {BOSC_NET_SOURCE, true, true, 0, sources, 0},
        {"target|post|to", true, true, 0, targets, 0},
        {"weight|conductance", false, false, least, BOSC_MOST_WEIGHT, NAN},
        {"delay", false, false, 0, BOSC_MOST_DELAY, NAN},
    };
    edges e = {model, spec, &files->edges[p], &files->n_edges[p], 0};
    const bosc_status st =
        read_file(comm,
                  &(reading){model->job, spec->file, spec->file_where,
                             BOSC_LEN(columns), columns, take_edge, &e},
                  err);

    if (st == BOSC_OK && files->n_edges[p] > 0)
        qsort(files->edges[p], (size_t)files->n_edges[p], sizeof(bosc_edge),
              by_target);
    return st;
}

/* --- positions ------------------------------------------------------------ */

typedef struct positions {
    double *xyz;
    int64_t n, wanted;
} positions;

static bosc_status take_position(void *what, const double *row, bosc_error *err)
{
    positions *p = what;

    (void)err;
    if (p->n < p->wanted)
        memcpy(p->xyz + 3 * p->n, row, 3 * sizeof *row);
    ++p->n; /* too many are counted, too */
    return BOSC_OK;
}

static bosc_status read_positions(const bosc_comm *comm,
                                  const bosc_model *model, int p,
                                  bosc_network_files *files, bosc_error *err)
{
    static const bosc_table_column columns[] = {
        {"x", true, false, -FARTHEST, FARTHEST, 0},
        {"y", true, false, -FARTHEST, FARTHEST, 0},
        {"z", true, false, -FARTHEST, FARTHEST, 0},
    };
    const bosc_population_spec *spec = &model->job->populations[p];
    const int64_t *first = model->gid_table->first_gid + p;
    positions all = {NULL, 0, first[1] - first[0]};
    bosc_status st = BOSC_OK;

    all.xyz = bosc_alloc(3 * (size_t)all.wanted, sizeof *all.xyz);
    files->positions[p] = all.xyz;
    if (all.xyz == NULL)
        st = bosc_no_memory(err, "the positions of neurons");
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        st = read_file(comm,
                       &(reading){model->job, spec->positions,
                                  spec->positions_where, BOSC_LEN(columns),
                                  columns, take_position, &all},
                       err);
    if (st == BOSC_OK && all.n != all.wanted)
        st = bosc_fail(err, BOSC_EVALUE,
                       "%s: %s has %lld positions, population '%s' %lld "
                       "neurons; give one for each, in their order",
                       spec->positions_where, spec->positions, (long long)all.n,
                       spec->name, (long long)all.wanted);
    return st;
}

double bosc_network_files_bytes(double n_edges, double n_positions)
{
    return n_edges * sizeof(bosc_edge) + n_positions * 3 * sizeof(double);
}

/* --- all of them ---------------------------------------------------------- */

bosc_status bosc_network_files_read(const bosc_comm *comm,
                                    const bosc_model *model,
                                    bosc_network_files *files, bosc_error *err)
{
    const bosc_job *job = model->job;
    bosc_status st = BOSC_ALLOC(
        err, "the files of the network",
        BOSC_ARRAY(files->n_edges, bosc_network_n_links(&job->network)),
        BOSC_ARRAY(files->edges, bosc_network_n_links(&job->network)),
        BOSC_ARRAY(files->positions, job->n_populations));

    st = bosc_agree(comm, st, err);
    for (int p = 0; p < bosc_network_n_links(&job->network) && st == BOSC_OK;
         ++p)
        if (bosc_network_link(&job->network, p)->rule == BOSC_RULE_LIST)
            st = read_edges(comm, model, p, files, err);
    for (int p = 0; p < job->n_populations && st == BOSC_OK; ++p)
        if (job->populations[p].positions != NULL)
            st = read_positions(comm, model, p, files, err);
    return st;
}

void bosc_network_files_clear(const bosc_job *job, bosc_network_files *files)
{
    for (int p = 0;
         files->edges != NULL && p < bosc_network_n_links(&job->network); ++p)
        free(files->edges[p]);
    for (int p = 0; files->positions != NULL && p < job->n_populations; ++p)
        free(files->positions[p]);
    free(files->n_edges);
    free(files->edges);
    free(files->positions);
    *files = (bosc_network_files){0};
}

/* --- times of sources ----------------------------------------------------- */

typedef struct times {
    bosc_sources *sources;
    int64_t first_id;
    double end; /* of the run, ms */
    int64_t n;  /* before it */
} times;

static bosc_status take_time(void *what, const double *row, bosc_error *err)
{
    times *t = what;

    t->n += row[0] < t->end;
    return bosc_sources_add(t->sources, t->first_id + (int64_t)row[1], row[0],
                            err);
}

bosc_status bosc_network_times_read(const bosc_comm *comm, const bosc_job *job,
                                    const int64_t *first_id,
                                    bosc_sources *sources, int64_t *n_times,
                                    bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int s = 0; s < job->network.n_sources && st == BOSC_OK; ++s) {
        const bosc_source_spec *spec = &job->network.sources[s];
        const bosc_table_column columns[] = {
            {BOSC_NET_TIME, true, false, 0, 1e12, 0},
            {"source|gid|spike_gid", spec->count > 1, true, 0,
             (double)(spec->count - 1), 0},
        };
        times all = {sources, first_id[s], job->tstop, 0};

        if (spec->type == BOSC_SOURCE_FILE)
            st = read_file(comm,
                           &(reading){job, spec->file, spec->where,
                                      BOSC_LEN(columns), columns, take_time,
                                      &all},
                           err);
        n_times[s] = all.n;
    }
    return st;
}
