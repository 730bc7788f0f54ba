/* sim_values.c - the tables of values that a job's regions and stimuli name. */
#include "src/sim/sim_values.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
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

bosc_status bosc_sim_values_read(const bosc_comm *comm, bosc_job *job,
                                 bosc_sim_values *values, bosc_error *err)
{
    lister l = {.job = job, .values = values};
    bosc_status st;

    *values = (bosc_sim_values){0};
    st = bosc_agree(comm, visit_job(job, list_column, &l, err), err);
    for (int k = 0; k < values->n && st == BOSC_OK; ++k)
        st = share_table(comm, &values->tables[k], err);
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
