/* edge_list.c - files of edges: source, target and, as far as they say it,
 * weight, delay, section and position, kind of synapse, and its parameters.
 */
#include "src/network/edges/edge_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/model/value_table.h"
#include "src/text/did_you_mean.h"
#include "src/text/number.h"

/* Columns before those of parameters. */
enum { SOURCE, TARGET, WEIGHT, DELAY, LINE, SECTION, X, KIND, OF, PARAMS };

enum { MOST_NAMES = 64 };

/* While a file is read. */
typedef struct reading {
    const bosc_model *model;
    const bosc_projection_spec *spec;
    bool projection; /* else a coupling */
    bosc_edge_list *list;
    size_t edge_room, more_room;
    int64_t taken; /* rows of this link, on all ranks */
    bool has_of;   /* the file tells rows of several projections apart, of which
                      others may be as they like */
    double most[TARGET + 1]; /* numbers of this one's sources and targets */
    int n;                   /* columns */
    bosc_table_column column[BOSC_TABLE_MAX_COLUMNS];
    bosc_table_more more[BOSC_TABLE_MAX_COLUMNS];
    char name[BOSC_TABLE_MAX_COLUMNS][140];    /* of columns of parameters, */
    const char *param[BOSC_TABLE_MAX_COLUMNS]; /* and of these */
    int place[BOSC_TABLE_MAX_COLUMNS];         /* in list->more; -1: none */
} reading;

/* --- words ---------------------------------------------------------------- */

/* A section by its name, as a number below 0, or by its number. */
static const char *section_word(const void *words, const char *word,
                                double *value, char wrong[BOSC_TABLE_WRONG])
{
    const char *end = word + strlen(word);
    int32_t region, number;
    int64_t whole;

    (void)words;
    wrong[0] = '\0';
    if (bosc_number_whole(word, end, &whole) && whole >= 0 &&
        whole < INT32_MAX) {
        *value = (double)whole;
    } else if (bosc_section_parse(word, end, &region, &number)) {
        const int code = number < 0 ? BOSC_EDGE_MYELIN : region;

        *value = -1 - (code + (double)BOSC_EDGE_WORDS *
                                  (number < 0 ? -1 - number : number));
    } else {
        snprintf(wrong, BOSC_TABLE_WRONG,
                 "is no section; write soma, or axon, dend, apic, custom or "
                 "myelin and a number, \"dend[12]\", or a number alone, 0 for "
                 "the first of all%s",
                 strchr(word, '(') != NULL ? "; a position is column x" : "");
    }
    return wrong;
}

/* A kind of synapse of the job that this projection is from. */
static const char *kind_word(const void *words, const char *word, double *value,
                             char wrong[BOSC_TABLE_WRONG])
{
    const reading *r = words;
    const bosc_network_spec *network = &r->model->job->network;
    const bosc_synapse_params *params = &r->spec->params;
    const char *names[MOST_NAMES];
    size_t n = 0;

    wrong[0] = '\0';
    for (int i = 0; i < params->n_kinds; ++i) {
        const char *name = network->synapses[params->kinds[i]].name;

        if (n < MOST_NAMES)
            names[n++] = name;
        if (strcmp(name, word) != 0)
            continue;
        *value = params->kinds[i];
        return wrong;
    }
    *value = -1; /* it may be of a row of another projection */
    if (r->has_of)
        return wrong;
    snprintf(
        wrong, BOSC_TABLE_WRONG, "is no kind of 'synapses'; %s",
        bosc_did_you_mean(word, n, names, "there are", (char[150]){0}, 150));
    return wrong;
}

/* 1: the projection itself. */
static const char *projection_word(const void *words, const char *word,
                                   double *value, char wrong[BOSC_TABLE_WRONG])
{
    const reading *r = words;

    wrong[0] = '\0';
    *value = strcmp(word, r->spec->name) == 0;
    return wrong;
}

/* --- columns -------------------------------------------------------------- */

static void add_column(reading *r, bosc_table_column column,
                       bosc_table_more more)
{
    r->more[r->n] = more;
    r->column[r->n] = column;
    r->column[r->n].more = &r->more[r->n];
    ++r->n;
}

static void add_columns(reading *r)
{
    const bosc_projection_spec *spec = r->spec;
    const double sources = (double)(bosc_model_n_sources(r->model, spec) - 1);
    const double targets = (double)(bosc_model_n_targets(r->model, spec) - 1);
    const double least = r->projection ? -BOSC_MOST_WEIGHT : 0;

    add_column(
        r,
        (bosc_table_column){BOSC_NET_SOURCE, true, true, 0, sources, 0, NULL},
        (bosc_table_more){0});
    add_column(
        r,
        (bosc_table_column){"target|post|to|connection_target|target_node_id",
                            true, true, 0, targets, 0, NULL},
        (bosc_table_more){0});
    add_column(r,
               (bosc_table_column){
                   r->projection ? "weight|conductance|syn_weight|"
                                   "connection_weight"
                                 : "conductance|weight|connection_weight",
                   false, false, least, BOSC_MOST_WEIGHT, NAN, NULL},
               (bosc_table_more){.unit = "uS"});
    add_column(r,
               (bosc_table_column){"delay|connection_delay", false, false, 0,
                                   BOSC_MOST_DELAY, NAN, NULL},
               (bosc_table_more){.unit = "ms"});
    add_column(r, (bosc_table_column){"", false, true, 0, INFINITY, 0, NULL},
               (bosc_table_more){.line = true});
    add_column(
        r,
        (bosc_table_column){
            "section|section_id|afferent_section_id|connection_section", false,
            true, 0, INFINITY, NAN, NULL},
        (bosc_table_more){.named = true, .gaps = true, .word = section_word});
    add_column(r,
               (bosc_table_column){"x|afferent_section_pos|connection_x", false,
                                   false, 0, 1, NAN, NULL},
               (bosc_table_more){.named = true, .gaps = true});
    if (!r->projection)
        return;
    add_column(r,
               (bosc_table_column){"synapse|connection_synapse", false, true, 0,
                                   INFINITY, NAN, NULL},
               (bosc_table_more){
                   .named = true, .gaps = true, .word = kind_word, .words = r});
    add_column(
        r,
        (bosc_table_column){"projection|connection_projection", false, true, 0,
                            1, 1, NULL},
        (bosc_table_more){.named = true, .word = projection_word, .words = r});
}

static bool is_known(const reading *r, const char *name)
{
    for (int c = PARAMS; c < r->n; ++c)
        if (strcmp(r->param[c], name) == 0)
            return true;
    return false;
}

/* What SONATA files call a parameter of published mod files, "|u_syn" of Use;
 * "": as the mod file does. */
static const char *published_name(const char *param)
{
    static const char *const names[][2] = {{"Use", "|u_syn"},
                                           {"Dep", "|depression_time"},
                                           {"Fac", "|facilitation_time"},
                                           {"Nrrp", "|n_rrp_vesicles"}};

    for (size_t i = 0; i < BOSC_LEN(names); ++i)
        if (strcmp(names[i][0], param) == 0)
            return names[i][1];
    return "";
}

/* The parameters of all kinds: those of one name share a column, whose unit is
 * that of the first. */
static bosc_status add_params(reading *r, bosc_error *err)
{
    const bosc_job *job = r->model->job;
    const bosc_synapse_params *params = &r->spec->params;

    for (int i = 0; i < params->n_kinds; ++i) {
        const int k = params->kinds[i];
        const bosc_mech *mech =
            job->mechs->mech[job->network.synapses[k].type.mech];

        for (int j = 0; j < mech->n_params && bosc_mech_is_own(mech); ++j) {
            const bosc_mech_param *param = &mech->params[j];

            if ((mech->global != NULL && mech->global[j]) ||
                strlen(param->name) > 50 || is_known(r, param->name))
                continue;
            if (r->n == BOSC_TABLE_MAX_COLUMNS)
                return bosc_fail(err, BOSC_EVALUE,
                                 "%s: the kinds of 'synapses' have over %d "
                                 "parameters, which columns of %s may be "
                                 "named after; move some kinds to another job",
                                 r->spec->file_where,
                                 BOSC_TABLE_MAX_COLUMNS - PARAMS,
                                 r->spec->file);
            snprintf(r->name[r->n], sizeof r->name[r->n], "%s|synapse_%s%s",
                     param->name, param->name, published_name(param->name));
            r->param[r->n] = param->name;
            add_column(r,
                       (bosc_table_column){r->name[r->n], false, false,
                                           -INFINITY, INFINITY, NAN, NULL},
                       (bosc_table_more){
                           .unit = param->unit, .named = true, .gaps = true});
        }
    }
    return BOSC_OK;
}

/* The file is open: what of its columns is kept, and where? */
static bosc_status begin(void *what, const bool *has, bool has_lines,
                         bosc_error *err)
{
    reading *r = what;
    bosc_edge_list *list = r->list;
    int n_params = 0, p = 0;

    for (int c = PARAMS; c < r->n; ++c)
        n_params += has[c];
    list->has_lines = has_lines;
    r->has_of = r->projection && has[OF];
    for (int c = SOURCE; c <= TARGET; ++c) {
        r->most[c] = r->column[c].high;
        r->column[c].high = r->has_of ? INFINITY : r->column[c].high;
    }
    if (has[X] && !has[SECTION])
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: '%s' has a column 'x', a position in a section, "
                         "and none 'section'; add it, or remove x",
                         r->spec->file_where, r->spec->file);
    if (BOSC_ALLOC(err, r->spec->file, BOSC_ARRAY(list->param, n_params),
                   BOSC_ARRAY(list->name, n_params)) != BOSC_OK)
        return BOSC_ENOMEM;
    for (int c = 0; c < r->n; ++c) {
        const bool kept = has[c] && c != OF && c >= SECTION;

        r->place[c] = kept ? list->n_more++ : -1;
        if (kept && c >= PARAMS) {
            list->param[p] = r->place[c];
            list->name[p++] = r->param[c];
        }
    }
    list->n_params = n_params;
    list->section = r->place[SECTION];
    list->x = r->place[X];
    list->kind = r->projection ? r->place[KIND] : -1;
    if (list->n_more > 0)
        list->line = r->place[LINE] = list->n_more++;
    return BOSC_OK;
}

/* --- rows ----------------------------------------------------------------- */

static void where_of(const bosc_projection_spec *spec, bool has_lines,
                     double line, char where[BOSC_EDGE_WHERE])
{
    snprintf(where, BOSC_EDGE_WHERE, has_lines ? "%.250s:%.0f" : "%.250s[%.0f]",
             spec->file, line);
}

void bosc_edge_where(const bosc_projection_spec *spec,
                     const bosc_edge_list *list, const bosc_edge *edge,
                     char where[BOSC_EDGE_WHERE])
{
    where_of(spec, list->has_lines, bosc_edge_number(list, edge, list->line),
             where);
}

/* A parameter of the kind that the row is of. */
static bosc_status check_param(const reading *r, int c, double value,
                               const bosc_synapse_spec *kind, const char *where,
                               bosc_error *err)
{
    const bosc_mech *mech = r->model->job->mechs->mech[kind->type.mech];
    const char *name = r->param[c];
    const int j = bosc_mech_param_find(mech, name);
    char wrong[BOSC_TABLE_WRONG];

    if (j < 0 || !bosc_mech_is_own(mech) ||
        (mech->global != NULL && mech->global[j]))
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s: %s %.15g: synapses of kind '%s' are of type %s, "
                         "%s; write '-' there, or another kind",
                         where, name, value, kind->name, mech->name,
                         j < 0 ? "which has no such parameter"
                               : "which has one value of it for all");
    const bosc_table_column range = {.low = mech->params[j].low,
                                     .high = mech->params[j].high};

    if (bosc_table_wrong(&range, value, wrong)[0] != '\0')
        return bosc_fail(err, BOSC_EFORMAT, "%s: %s %.15g %s", where, name,
                         value, wrong);
    return BOSC_OK;
}

/* What a row says besides, of a kind of synapse. */
static bosc_status check_more(const reading *r, const double *row,
                              bosc_error *err)
{
    const bosc_network_spec *network = &r->model->job->network;
    const bosc_population_spec *to =
        &r->model->job->populations[r->spec->to_index];
    char where[BOSC_EDGE_WHERE];
    bosc_status st = BOSC_OK;

    where_of(r->spec, r->list->has_lines, row[LINE], where);
    if (!isnan(row[X]) && isnan(row[SECTION]))
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s: x %.15g, but no section; add it, or write '-' "
                         "for both",
                         where, row[X]);
    if (to->is_artificial && !isnan(row[SECTION]))
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s: a section, but '%s' is of artificial cells, "
                         "which have none; remove the column",
                         where, to->name);
    if (!r->projection)
        return BOSC_OK;

    const int k = isnan(row[KIND]) ? r->spec->synapse_index : (int)row[KIND];

    if (to->is_artificial && !isnan(row[KIND]))
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s: a kind of synapse, but '%s' is of artificial "
                         "cells, which receive events themselves; remove the "
                         "column",
                         where, to->name);
    for (int c = PARAMS; c < r->n && st == BOSC_OK; ++c)
        if (r->place[c] >= 0 && !isnan(row[c]))
            st = check_param(r, c, row[c], &network->synapses[k], where, err);
    return st;
}

/* A row of this projection, of a file that has others, too. */
static bosc_status check_own(const reading *r, const double *row,
                             bosc_error *err)
{
    static const char *const names[] = {"source", "target"};
    char where[BOSC_EDGE_WHERE];

    where_of(r->spec, r->list->has_lines, row[LINE], where);
    for (int c = SOURCE; c <= TARGET; ++c)
        if (row[c] > r->most[c])
            return bosc_fail(err, BOSC_EFORMAT,
                             "%s: %s %.15g of projection '%s' is out of range; "
                             "allowed: 0 to %.15g",
                             where, names[c], row[c], r->spec->name,
                             r->most[c]);
    if (row[KIND] < 0)
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s: the synapse of projection '%s' is of a kind that "
                         "'synapses' has not; give it that name",
                         where, r->spec->name);
    return BOSC_OK;
}

static bosc_status take(void *what, const double *row, bosc_error *err)
{
    reading *r = what;
    const bosc_projection_spec *spec = r->spec;
    bosc_edge_list *list = r->list;
    const size_t n = (size_t)list->n, n_more = (size_t)list->n_more;
    const int64_t target = (int64_t)row[TARGET];
    bosc_status st = BOSC_OK;

    if (r->has_of && row[OF] == 0)
        return BOSC_OK;
    ++r->taken;
    if (r->has_of && (st = check_own(r, row, err)) != BOSC_OK)
        return st;
    if (bosc_local_cells_find(r->model->cells,
                              r->model->gid_table->first_gid[spec->to_index] +
                                  target) < 0)
        return BOSC_OK;
    if (isnan(row[WEIGHT]) && isnan(spec->weight.a))
        return bosc_fail(err, BOSC_EVALUE,
                         "%s: '%s' has no column 'weight', and '%s' none of "
                         "its own; give one, in uS",
                         spec->file_where, spec->file, spec->name);
    if (n_more > 0)
        st = check_more(r, row, err);
    if (st != BOSC_OK)
        return st;
    if (!bosc_grow(&list->edge, &r->edge_room, n + 1, sizeof *list->edge) ||
        !bosc_grow(&list->more, &r->more_room, (n + 1) * n_more,
                   sizeof *list->more))
        return bosc_no_memory(err, spec->file);
    list->edge[n] = (bosc_edge){target, (int64_t)n, (int64_t)row[SOURCE],
                                row[WEIGHT], row[DELAY]};
    for (int c = LINE; c < r->n && n_more > 0; ++c)
        if (r->place[c] >= 0)
            list->more[n * n_more + (size_t)r->place[c]] = row[c];
    ++list->n;
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

bosc_status bosc_edge_list_read(const bosc_comm *comm, const bosc_model *model,
                                int link, bosc_edge_list *list, bosc_error *err)
{
    const bosc_projection_spec *spec =
        bosc_network_link(&model->job->network, link);
    reading *r = bosc_alloc(1, sizeof *r);
    bosc_status st = r == NULL ? bosc_no_memory(err, spec->file) : BOSC_OK;

    list->line = list->section = list->x = list->kind = -1;
    if (st == BOSC_OK) {
        r->model = model;
        r->spec = spec;
        r->projection = link < model->job->network.n_projections;
        r->list = list;
        add_columns(r);
        st = add_params(r, err);
    }
    if ((st = bosc_agree(comm, st, err)) == BOSC_OK)
        st = bosc_shared_rows_read(
            comm,
            &(bosc_shared_rows){model->job, spec->file, spec->file_where, r->n,
                                r->column, begin, take, r},
            err);
    if (st == BOSC_OK && r->has_of && r->taken == 0)
        st = bosc_fail(err, BOSC_EVALUE,
                       "%s: no edge of %s is of projection '%s', which its "
                       "column 'projection' tells; give the projection the "
                       "name that they have, or leave out the column",
                       spec->file_where, spec->file, spec->name);
    if (st == BOSC_OK && list->n > 0)
        qsort(list->edge, (size_t)list->n, sizeof *list->edge, by_target);
    free(r);
    return st;
}

void bosc_edge_list_clear(bosc_edge_list *list)
{
    free(list->edge);
    free(list->more);
    free(list->param);
    free(list->name);
    *list = (bosc_edge_list){0};
}
