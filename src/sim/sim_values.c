/* sim_values.c - the tables of values that a job's regions and stimuli name. */
#include "src/sim/sim_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/table/table.h"
#include "src/text/path.h"
#include "src/text/quantity.h"

/* --- which columns of which files ----------------------------------------- */

typedef struct lister {
    const bosc_job *job;
    bosc_sim_values *values;
    size_t room;
} lister;

static bosc_sim_table *find_table(const bosc_sim_values *values,
                                  const char *path)
{
    for (int k = 0; k < values->n; ++k)
        if (strcmp(values->tables[k].path, path) == 0)
            return &values->tables[k];
    return NULL;
}

/* The column's number; -1: the table has not been asked for it. */
static int find_column(const bosc_sim_table *table, const char *name)
{
    for (int k = 0; k < table->n_columns; ++k)
        if (strcmp(table->column[k], name) == 0)
            return k;
    return -1;
}

static bosc_status add_column(bosc_sim_table *table, const char *name,
                              bosc_error *err)
{
    size_t room = (size_t)table->n_columns;

    if (find_column(table, name) >= 0)
        return BOSC_OK;
    if (!bosc_grow(&table->column, &room, room + 1, sizeof *table->column))
        return bosc_no_memory(err, "the tables of values");
    table->column[table->n_columns++] = name;
    return BOSC_OK;
}

static bosc_status list_column(void *what, const bosc_column_asked *asked,
                               bosc_varying_column *column, bosc_error *err)
{
    lister *l = what;
    bosc_sim_values *values = l->values;
    char *path = bosc_path_join(l->job->folder, asked->file);
    bosc_sim_table *table = path == NULL ? NULL : find_table(values, path);

    (void)column;
    if (path != NULL && table == NULL &&
        bosc_grow(&values->tables, &l->room, (size_t)values->n + 1,
                  sizeof *values->tables)) {
        table = &values->tables[values->n++];
        *table =
            (bosc_sim_table){.path = path, .file = bosc_strdup(asked->file)};
        path = NULL;
    }
    free(path);
    return table == NULL || table->file == NULL
               ? bosc_no_memory(err, "the tables of values")
               : add_column(table, asked->name, err);
}

/* --- what a number finds there -------------------------------------------- */

static bosc_status find_number(const void *table, int column,
                               const bosc_place *place, double *number,
                               bosc_error *err)
{
    const bosc_value_place at = {.neuron = place->neuron,
                                 .region = place->region,
                                 .number = place->number,
                                 .myelin = place->named < 0 ? -place->named : 0,
                                 .compartment = place->compartment,
                                 .n_compartments = place->n_compartments};

    return bosc_value_table_find(table, column, &at, number, err);
}

static bosc_status link_column(void *what, const bosc_column_asked *asked,
                               bosc_varying_column *column, bosc_error *err)
{
    const lister *l = what;
    char *path = bosc_path_join(l->job->folder, asked->file);
    const bosc_sim_table *table;
    const char *unit;
    int k;

    if (path == NULL)
        return bosc_no_memory(err, "the tables of values");
    table = find_table(l->values, path);
    free(path);
    k = find_column(table, asked->name);
    unit = bosc_value_table_unit(table->table, k);
    if (unit[0] != '\0' && asked->unit[0] != '\0' &&
        !bosc_quantity_same(unit, asked->unit))
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s: column '%s' of '%s' is in %s, and the key takes "
                         "%s; convert it",
                         asked->where, asked->name, asked->file, unit,
                         asked->unit);
    *column = (bosc_varying_column){
        .find = find_number,
        .table = table->table,
        .column = k,
        .by_neuron = bosc_value_table_keys(table->table).neuron};
    return BOSC_OK;
}

/* --- all numbers of a job ------------------------------------------------- */

static bosc_status visit_spec(const bosc_region_spec *spec, int n_mechs,
                              bosc_column_visit *visit, lister *l,
                              bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int k = 0; k < BOSC_N_CABLE_KEYS && st == BOSC_OK; ++k)
        if (spec->varying[k] != NULL)
            st = bosc_varying_visit(spec->varying[k], visit, l, err);
    for (int m = 0; m < n_mechs && st == BOSC_OK; ++m) {
        const bosc_region_mech *own = &spec->mech[m];

        for (int i = 0; own->varying != NULL && i < own->n_params; ++i)
            if (own->varying[i] != NULL && st == BOSC_OK)
                st = bosc_varying_visit(own->varying[i], visit, l, err);
    }
    return st;
}

static bosc_status visit_point(const bosc_point_process *type, int n_params,
                               bosc_column_visit *visit, lister *l,
                               bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int i = 0; type->varying != NULL && i < n_params; ++i)
        if (type->varying[i] != NULL && st == BOSC_OK)
            st = bosc_varying_visit(type->varying[i], visit, l, err);
    return st;
}

static bosc_status visit_job(const bosc_job *job, bosc_column_visit *visit,
                             lister *l, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int p = 0; p < job->n_populations; ++p)
        for (int k = 0; k < job->populations[p].n_regions && st == BOSC_OK; ++k)
            st = visit_spec(&job->populations[p].regions[k].spec, job->mechs->n,
                            visit, l, err);
    for (int i = 0; i < bosc_points_n(&job->points) && st == BOSC_OK; ++i) {
        const bosc_point_process *type = &bosc_points_at(&job->points, i)->type;

        st = visit_point(type, job->mechs->mech[type->mech]->n_params, visit, l,
                         err);
    }
    return st;
}

/* --- texts ---------------------------------------------------------------- */

/* Read at rank 0, parsed on all. */
static bosc_status share_table(const bosc_comm *comm, bosc_sim_table *table,
                               bosc_error *err)
{
    char *text = NULL;
    uint64_t bytes = 0;
    bosc_status st = BOSC_OK;

    if (comm->rank == 0 &&
        (st = bosc_text_load(table->path, "a table of values (text in UTF-8)",
                             &text, err)) == BOSC_OK)
        bytes = strlen(text) + 1;
    if ((st = bosc_agree(comm, st, err)) != BOSC_OK)
        goto done;
    bosc_bcast(comm, &bytes, sizeof bytes, 0);
    if (comm->rank != 0 && (text = malloc(bytes)) == NULL)
        st = bosc_no_memory(err, table->path);
    if ((st = bosc_agree(comm, st, err)) != BOSC_OK)
        goto done;
    bosc_bcast(comm, text, bytes, 0);
    st = bosc_agree(comm,
                    bosc_value_table_parse(text, table->path, table->n_columns,
                                           table->column, &table->table, err),
                    err);
done:
    free(text);
    return st;
}

/* --- tables that stimuli play --------------------------------------------- */

typedef struct playing {
    const bosc_job *job;
    const char *path;
    long long line; /* of the last row; 0: it has none */
    bosc_point_process *type;
} playing;

/* Its last point comes after those before it. */
static bosc_status check_point(const playing *p, bosc_error *err)
{
    const ptrdiff_t n = p->type->n_points;
    const double *last = p->type->points + 2 * (n - 1);

    if (n == 1 || last[0] > last[-2])
        return BOSC_OK;
    return bosc_fail_at(err, BOSC_EVALUE, p->path, p->line,
                        "row %lld: the time %.15g ms is not after %.15g ms; "
                        "sort the rows by time, and keep one of each time",
                        (long long)n, last[0], last[-2]);
}

static bosc_status check_end(const playing *p, bosc_error *err)
{
    const double *points = p->type->points, tstop = p->job->tstop;
    const ptrdiff_t n = p->type->n_points;

    if (n < 2)
        return bosc_fail_at(err, BOSC_EVALUE, p->path, p->line,
                            "the table has fewer than two rows; add some, from "
                            "the time 0 to the end of the run, %.15g ms",
                            tstop);
    if (points[0] > 0)
        return bosc_fail_at(err, BOSC_EVALUE, p->path, 0,
                            "the table begins at %.15g ms; add a row with the "
                            "time 0, and the number that is held until then",
                            points[0]);
    if (points[2 * n - 2] < tstop)
        return bosc_fail_at(err, BOSC_EVALUE, p->path, p->line,
                            "the table ends at %.15g ms, and the run at %.15g "
                            "ms; add a row with that time, and the number that "
                            "is held until then",
                            points[2 * n - 2], tstop);
    return BOSC_OK;
}

/* All rows of an open table. */
static bosc_status read_points(playing *p, bosc_table *table, bosc_error *err)
{
    bosc_point_process *type = p->type;
    size_t room = 0, got = 1;
    bosc_status st = BOSC_OK;

    while (st == BOSC_OK && got > 0) {
        const size_t n = 2 * (size_t)type->n_points;

        if (!bosc_grow(&type->points, &room, n + 2, sizeof *type->points))
            return bosc_no_memory(err, p->path);
        st = bosc_table_next(table, 1, type->points + n, &got, err);
        if (st != BOSC_OK || got == 0)
            continue;
        p->line = bosc_table_line(table);
        ++type->n_points;
        st = check_point(p, err);
    }
    return st == BOSC_OK ? check_end(p, err) : st;
}

/* Where a table says the unit of its numbers, it is that of the stimulus, which
 * is that of its parameter 'offset'; in a uniform field V/m. */
static bosc_status check_unit(const bosc_job *job, const char *path,
                              const bosc_point_spec *spec, const char *unit,
                              bosc_error *err)
{
    const bosc_mech *mech = job->mechs->mech[spec->type.mech];
    const char *wanted = "V/m";

    for (int j = 0; j < mech->n_params && spec->outside.direction.n == 0; ++j)
        if (strcmp(mech->params[j].name, "offset") == 0)
            wanted = mech->params[j].unit;
    if (unit == NULL || strcmp(unit, wanted) == 0)
        return BOSC_OK;
    return bosc_fail_at(
        err, BOSC_EVALUE, path, 0,
        "%s is in %s, and %s plays %s; name another time series "
        "or take another type",
        spec->column, unit, mech->name, wanted);
}

/* At rank 0. */
static bosc_status read_played(const bosc_job *job, const char *path,
                               bosc_point_spec *spec, bosc_error *err)
{
    const char *column =
        spec->column != NULL ? spec->column : "value|current|voltage";
    const double all = INFINITY;
    const bosc_table_column columns[] = {
        {.name = "time|t", .required = true, .low = -all, .high = all},
        {.name = column, .required = true, .low = -all, .high = all}};
    playing p = {.job = job, .path = path, .type = &spec->type};
    bosc_table *table = NULL;
    bosc_status st = bosc_table_open(job->files, path, spec->table_where,
                                     BOSC_LEN(columns), columns, &table, err);

    if (st == BOSC_OK)
        st = check_unit(job, path, spec, bosc_table_unit(table), err);
    if (st == BOSC_OK)
        st = read_points(&p, table, err);
    bosc_table_close(table);
    return st;
}

/* Collective. */
static bosc_status share_played(const bosc_comm *comm, const bosc_job *job,
                                bosc_point_spec *spec, bosc_error *err)
{
    bosc_point_process *type = &spec->type;
    char *path = bosc_path_join(job->folder, spec->table);
    bosc_status st =
        path == NULL ? bosc_no_memory(err, "the tables of stimuli") : BOSC_OK;

    if (st == BOSC_OK && comm->rank == 0)
        st = read_played(job, path, spec, err);
    free(path);
    if ((st = bosc_agree(comm, st, err)) != BOSC_OK)
        return st;
    bosc_bcast(comm, &type->n_points, sizeof type->n_points, 0);
    if (comm->rank != 0)
        type->points =
            bosc_alloc(2 * (size_t)type->n_points, sizeof *type->points);
    if (type->points == NULL)
        st = bosc_no_memory(err, "the tables of stimuli");
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        bosc_bcast(comm, type->points,
                   2 * (size_t)type->n_points * sizeof *type->points, 0);
    return st;
}

bosc_status bosc_sim_values_read(const bosc_comm *comm, bosc_job *job,
                                 bosc_sim_values *values, bosc_error *err)
{
    lister l = {.job = job, .values = values};
    bosc_status st;

    *values = (bosc_sim_values){0};
    st = bosc_agree(comm, visit_job(job, list_column, &l, err), err);
    for (int k = 0; k < values->n && st == BOSC_OK; ++k)
        st = share_table(comm, &values->tables[k], err);
    for (int i = 0; i < job->points.n_stimuli && st == BOSC_OK; ++i)
        if (job->points.stimuli[i].table != NULL &&
            job->points.stimuli[i].type.points == NULL)
            st = share_played(comm, job, &job->points.stimuli[i], err);
    return st == BOSC_OK
               ? bosc_agree(comm, visit_job(job, link_column, &l, err), err)
               : st;
}

void bosc_sim_values_clear(bosc_sim_values *values)
{
    for (int k = 0; k < values->n; ++k) {
        free(values->tables[k].path);
        free(values->tables[k].file);
        free(values->tables[k].column);
        bosc_value_table_destroy(values->tables[k].table);
    }
    free(values->tables);
    *values = (bosc_sim_values){0};
}
