#include "src/network/network_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/network/edges/edge_list.h"

enum { FARTHEST = 1000000000 /* um; as of samples of morphologies */ };

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
        {"x", true, false, -FARTHEST, FARTHEST, 0, NULL},
        {"y", true, false, -FARTHEST, FARTHEST, 0, NULL},
        {"z", true, false, -FARTHEST, FARTHEST, 0, NULL},
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
        st = bosc_shared_rows_read(
            comm,
            &(bosc_shared_rows){model->job, spec->positions,
                                spec->positions_where, BOSC_LEN(columns),
                                columns, NULL, take_position, &all},
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
        BOSC_ARRAY(files->lists, bosc_network_n_links(&job->network)),
        BOSC_ARRAY(files->positions, job->n_populations));

    st = bosc_agree(comm, st, err);
    for (int p = 0; p < bosc_network_n_links(&job->network) && st == BOSC_OK;
         ++p)
        if (bosc_network_link(&job->network, p)->rule == BOSC_RULE_LIST)
            st = bosc_edge_list_read(comm, model, p, &files->lists[p], err);
    for (int p = 0; p < job->n_populations && st == BOSC_OK; ++p)
        if (job->populations[p].positions != NULL)
            st = read_positions(comm, model, p, files, err);
    return st;
}

void bosc_network_files_clear(const bosc_job *job, bosc_network_files *files)
{
    for (int p = 0;
         files->lists != NULL && p < bosc_network_n_links(&job->network); ++p)
        bosc_edge_list_clear(&files->lists[p]);
    for (int p = 0; files->positions != NULL && p < job->n_populations; ++p)
        free(files->positions[p]);
    free(files->lists);
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
            {BOSC_NET_TIME, true, false, 0, 1e12, 0, NULL},
            {"source|gid|spike_gid", spec->count > 1, true, 0,
             (double)(spec->count - 1), 0, NULL},
        };
        times all = {sources, first_id[s], job->tstop, 0};

        if (spec->type == BOSC_SOURCE_FILE)
            st = bosc_shared_rows_read(
                comm,
                &(bosc_shared_rows){job, spec->file, spec->where,
                                    BOSC_LEN(columns), columns, NULL, take_time,
                                    &all},
                err);
        n_times[s] = all.n;
    }
    return st;
}
