/* job_model.c - populations that name a published model of a cell.
 *
 * Files of models are read once, by src/sweep/models.c at rank 0, which puts
 * what they say behind the text of the job, so that it goes the way of the
 * text:
 *
 *     populations: [{name: cell, model: fit.json}]
 *     ^A
 *     - model: fit.json
 *       job:
 *         celsius: 34
 *         populations: [{name: cell, morphologies: cell.swc, regions: ...}]
 *
 * Here a copy of the job's tree gets what the entry does not say itself.  The
 * regions of the model stand before those of the entry, so that these override
 * them number by number; of other keys the entry's own counts as a whole.
 */
#include "src/job/job_keys.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/text/number.h"
#include "src/text/print.h"

static bosc_status no_memory(bosc_error *err)
{
    return bosc_no_memory(err, "the models");
}

/* --- which model ---------------------------------------------------------- */

/* The text of a key that has one; NULL: it has not. */
static const char *text_of(const bosc_yaml *map, const char *key)
{
    const bosc_yaml *own = map != NULL ? bosc_yaml_get(map, key) : NULL;

    return own != NULL && own->kind == BOSC_YAML_SCALAR &&
                   !bosc_yaml_is_null(own)
               ? own->text
               : NULL;
}

bool bosc_job_model_find(const bosc_yaml *entry, bosc_job_model *model)
{
    const bosc_yaml *axon = bosc_yaml_get(entry, "axon");
    const char *rule = text_of(axon, "replace");

    *model = (bosc_job_model){
        .node = bosc_yaml_get(entry, "model"),
        .source = text_of(entry, "model"),
        .values = text_of(entry, "model_values"),
        .name = text_of(entry, "model_name"),
        .axon = axon == NULL   ? NULL
                : rule == NULL ? "none"
                               : rule,
        .morphology = text_of(entry, "morphologies"),
    };
    return model->source != NULL && model->source[0] != '\0';
}

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

bool bosc_job_model_same(const bosc_job_model *a, const bosc_job_model *b)
{
    return strcmp(a->source, b->source) == 0 &&
           same_text(a->values, b->values) && same_text(a->name, b->name) &&
           same_text(a->axon, b->axon) &&
           (a->morphology == NULL) == (b->morphology == NULL);
}

/* What a model says, as the tree of a job; NULL: it has not been read. */
static const bosc_yaml *job_of(const bosc_yaml *models,
                               const bosc_job_model *own)
{
    bosc_job_model other;

    for (size_t i = 0; models != NULL && i < models->n; ++i)
        if (bosc_job_model_find(models->child[i], &other) &&
            bosc_job_model_same(own, &other))
            return bosc_yaml_get(models->child[i], "job");
    return NULL;
}

/* --- parts of trees ------------------------------------------------------- */

static void set_place(bosc_yaml *node, const char *source, int line)
{
    node->source = source;
    node->line = line;
    for (size_t i = 0; i < node->n; ++i)
        set_place(node->child[i], source, line);
}

/* Hang a copy of a node of a model into 'to'. */
static bosc_status add_copy(bosc_yaml *to, const bosc_yaml *node,
                            const char *source, int line, bosc_error *err)
{
    bosc_yaml *copy = bosc_yaml_copy(node);

    if (copy != NULL)
        set_place(copy, source, line);
    if (copy != NULL && bosc_yaml_append(to, copy))
        return BOSC_OK;
    bosc_yaml_destroy(copy);
    return no_memory(err);
}

/* The map at a key of 'to', made where there is none; NULL without memory. */
static bosc_yaml *map_at(bosc_yaml *to, const char *key)
{
    bosc_yaml *map = bosc_yaml_get(to, key);

    if (map != NULL)
        return map;
    map =
        bosc_yaml_create(BOSC_YAML_MAP, to->source, to->line, key, strlen(key));
    if (map != NULL && bosc_yaml_append(to, map))
        return map;
    bosc_yaml_destroy(map);
    return NULL;
}

static bool same_number(const bosc_yaml *a, const bosc_yaml *b)
{
    double x, y;

    return a->kind == BOSC_YAML_SCALAR && b->kind == BOSC_YAML_SCALAR &&
           bosc_number_parse(a->text, a->text + strlen(a->text), &x) != NULL &&
           bosc_number_parse(b->text, b->text + strlen(b->text), &y) != NULL &&
           memcmp(&x, &y, sizeof x) == 0;
}

/* --- one population ------------------------------------------------------- */

/* An entry that names a model. */
typedef struct merging {
    bosc_job_merged *to;
    bosc_yaml *entry;
    bosc_job_model model;
    const bosc_yaml *job, *part; /* what the model says, of its population */
    const char *source;          /* of what is taken over */
} merging;

/* "job.yaml:7: model fit.json" */
static bosc_status add_source(merging *m, bosc_error *err)
{
    bosc_job_merged *to = m->to;
    char *where = bosc_yaml_where(m->model.node), *source = NULL;

    if (where != NULL && bosc_grow(&to->sources, &to->capacity,
                                   (size_t)to->n + 1, sizeof *to->sources))
        source = bosc_format("%s: model %.100s", where, m->model.source);
    free(where);
    if (source == NULL)
        return no_memory(err);
    to->sources[to->n++] = source;
    m->source = source;
    return BOSC_OK;
}

static bool is_of_model(const bosc_job_merged *to, const bosc_yaml *node)
{
    for (int i = 0; i < to->n; ++i)
        if (node->source == to->sources[i])
            return true;
    return false;
}

/* Take over what holds for the whole job.  A number of the job itself counts,
 * or, of what the model depends on, has to be the model's. */
static bosc_status take_shared(const merging *m, const char *key, bool depends,
                               bosc_error *err)
{
    bosc_yaml *root = m->to->root;
    const bosc_yaml *says = bosc_yaml_get(m->job, key),
                    *has = bosc_yaml_get(root, key);

    if (says == NULL)
        return BOSC_OK;
    if (has == NULL)
        return add_copy(root, says, m->source, 0, err);
    if (same_number(says, has))
        return BOSC_OK;
    if (is_of_model(m->to, has))
        return bosc_yaml_fail(err, m->model.node,
                              "model: %s has %s: %s, but %s has %s, and a job "
                              "has one; compute them in two jobs, or write one "
                              "out with 'bosc import' and change it there",
                              m->model.source, key, says->text, has->source,
                              has->text);
    if (!depends)
        return BOSC_OK;

    char *where = bosc_yaml_where(m->model.node);
    const bosc_status st =
        where == NULL
            ? no_memory(err)
            : bosc_yaml_fail(err, has,
                             "%s: is %s here, but %s in model %s (%s); remove "
                             "it, or write the model out with 'bosc import' "
                             "and change it there",
                             key, BOSC_SHOW(has), says->text, m->model.source,
                             where);

    free(where);
    return st;
}

/* The model's first voltage becomes that of the population's regions 'all', so
 * that other populations keep theirs. */
static bosc_status take_v_init(const merging *m, bosc_yaml *regions,
                               bosc_error *err)
{
    const bosc_yaml *says = bosc_yaml_get(m->job, "v_init"),
                    *has = bosc_yaml_get(m->to->root, "v_init"),
                    *own = bosc_yaml_get(m->entry, "regions"),
                    *all = own != NULL ? bosc_yaml_get(own, "all") : NULL;
    bosc_yaml *to;

    if (says == NULL || (all != NULL && bosc_yaml_get(all, "v_init") != NULL))
        return BOSC_OK;
    if (has != NULL && !same_number(says, has))
        return bosc_yaml_fail(err, has,
                              "v_init: is %s here, but %s in model %s of a "
                              "population; remove it, or override the model: "
                              "'regions: {all: {v_init: %s}}' beside 'model'",
                              BOSC_SHOW(has), says->text, m->model.source,
                              has->kind == BOSC_YAML_SCALAR ? has->text : "");
    to = map_at(regions, "all");
    return to != NULL ? add_copy(to, says, m->source, 0, err) : no_memory(err);
}

/* Replace the entry's regions by the model's with them behind. */
static bosc_status take_regions(const merging *m, bosc_error *err)
{
    bosc_yaml *own = bosc_yaml_get(m->entry, "regions");
    const bosc_yaml *says = bosc_yaml_get(m->part, "regions");
    const bosc_yaml *at = own != NULL ? own : m->model.node;
    bosc_yaml *all;
    bosc_status st = BOSC_OK;

    if (own != NULL && own->kind != BOSC_YAML_MAP && !bosc_yaml_is_null(own))
        return BOSC_OK; /* which the reader of regions tells */
    all = bosc_yaml_create(BOSC_YAML_MAP, at->source, at->line, "regions",
                           strlen("regions"));
    if (all == NULL)
        return no_memory(err);
    for (size_t i = 0; says != NULL && st == BOSC_OK && i < says->n; ++i)
        st = add_copy(all, says->child[i], m->source, 0, err);
    if (st == BOSC_OK)
        st = take_v_init(m, all, err);
    for (size_t i = 0; own != NULL && st == BOSC_OK && i < own->n; ++i) {
        bosc_yaml *copy = bosc_yaml_copy(own->child[i]);

        if (copy == NULL || !bosc_yaml_append(all, copy)) {
            bosc_yaml_destroy(copy);
            st = no_memory(err);
        }
    }
    if (st == BOSC_OK && own == NULL && !bosc_yaml_append(m->entry, all))
        st = no_memory(err);
    if (st != BOSC_OK) {
        bosc_yaml_destroy(all);
        return st;
    }
    for (size_t i = 0; own != NULL && i < m->entry->n; ++i)
        if (m->entry->child[i] == own)
            m->entry->child[i] = all;
    bosc_yaml_destroy(own);
    return BOSC_OK;
}

/* Keys of the population that the entry has not. */
static bosc_status take_keys(const merging *m, bosc_error *err)
{
    static const char *const keys[] = {"morphologies", "axon",
                                       "discretisation"};
    const bosc_yaml *node = m->model.node;
    bosc_status st = BOSC_OK;

    for (size_t i = 0; st == BOSC_OK && i < BOSC_LEN(keys); ++i) {
        const bosc_yaml *says = bosc_yaml_get(m->part, keys[i]);

        /* messages about the morphology begin with the line of 'model' */
        if (says != NULL && bosc_yaml_get(m->entry, keys[i]) == NULL)
            st = i == 0
                     ? add_copy(m->entry, says, node->source, node->line, err)
                     : add_copy(m->entry, says, m->source, 0, err);
    }
    return st;
}

static bosc_status refuse_others(const merging *m, bosc_error *err)
{
    static const char *const others[] = {"synthetic", "artificial"};

    for (size_t i = 0; i < BOSC_LEN(others); ++i) {
        const bosc_yaml *own = bosc_yaml_get(m->entry, others[i]);

        if (own != NULL)
            return bosc_yaml_fail(err, own,
                                  "%s: the population is of model %s, whose "
                                  "neurons come from files; remove one of them",
                                  others[i], m->model.source);
    }
    return BOSC_OK;
}

/* What the entry has of its model, for people. */
static bosc_status tell(const merging *m, bosc_warnings *told, bosc_error *err)
{
    static const char *const shared[][2] = {
        {"celsius", "degC"}, {"v_init", "mV"}, {"dt", "ms"}};
    const bosc_yaml *mechs = bosc_yaml_get(m->job, "mechanisms"),
                    *axon = bosc_yaml_get(m->part, "axon");
    const char *name = text_of(m->entry, "name"),
               *morphology = text_of(m->part, "morphologies");
    bosc_print text;
    FILE *file = bosc_print_begin(&text);
    bosc_status st;
    char *line;

    if (file == NULL)
        return no_memory(err);
    fprintf(file, "%s: %s", name != NULL ? name : "?", m->model.source);
    if (morphology != NULL)
        fprintf(file, ", morphology %s", morphology);
    for (size_t i = 0; i < BOSC_LEN(shared); ++i)
        if (text_of(m->job, shared[i][0]) != NULL)
            fprintf(file, ", %s %s %s", shared[i][0],
                    text_of(m->job, shared[i][0]), shared[i][1]);
    if (text_of(axon, "replace") != NULL && m->model.axon == NULL)
        fprintf(file, ", axon %s", text_of(axon, "replace"));
    for (size_t i = 0; mechs != NULL && i < mechs->n; ++i) {
        const char *path = mechs->child[i]->text, *slash = strrchr(path, '/');

        fprintf(file, ", %s", slash != NULL ? slash + 1 : path);
    }
    if ((line = bosc_print_end(&text)) == NULL)
        return no_memory(err);
    st = bosc_warn(told, err, "%s", line);
    free(line);
    return st;
}

static bosc_status merge_entry(merging *m, const bosc_yaml *models,
                               bosc_warnings *told, bosc_error *err)
{
    const bosc_yaml *list;
    bosc_status st;

    m->job = job_of(models, &m->model);
    list = m->job != NULL ? bosc_yaml_get(m->job, "populations") : NULL;
    if (list == NULL || list->n == 0)
        return bosc_yaml_fail(err, m->model.node,
                              "internal error, please report: model %s has "
                              "not been read",
                              m->model.source);
    m->part = list->child[0];
    st = refuse_others(m, err);
    if (st == BOSC_OK)
        st = add_source(m, err);
    if (st == BOSC_OK)
        st = take_shared(m, "celsius", true, err);
    if (st == BOSC_OK)
        st = take_shared(m, "dt", false, err);
    if (st == BOSC_OK)
        st = take_keys(m, err);
    if (st == BOSC_OK)
        st = take_regions(m, err);
    return st == BOSC_OK ? tell(m, told, err) : st;
}

/* --- a job ---------------------------------------------------------------- */

void bosc_job_merged_clear(bosc_job_merged *merged)
{
    bosc_yaml_destroy(merged->root);
    for (int i = 0; i < merged->n; ++i)
        free(merged->sources[i]);
    free(merged->sources);
    *merged = (bosc_job_merged){0};
}

static bool has_models(const bosc_yaml *root)
{
    const bosc_yaml *list = bosc_yaml_get(root, "populations");
    bosc_job_model model;

    for (size_t i = 0; list != NULL && i < list->n; ++i)
        if (bosc_job_model_find(list->child[i], &model))
            return true;
    return false;
}

bosc_status bosc_job_models_merge(const bosc_yaml *root,
                                  const bosc_yaml *models,
                                  bosc_job_merged *merged, bosc_warnings *told,
                                  bosc_error *err)
{
    const bosc_yaml *list;
    bosc_status st = BOSC_OK;

    *merged = (bosc_job_merged){0};
    if (!has_models(root))
        return BOSC_OK;
    if ((merged->root = bosc_yaml_copy(root)) == NULL)
        return no_memory(err);
    list = bosc_yaml_get(merged->root, "populations");
    for (size_t i = 0; list != NULL && st == BOSC_OK && i < list->n; ++i) {
        merging m = {.to = merged, .entry = list->child[i]};

        if (bosc_job_model_find(m.entry, &m.model))
            st = merge_entry(&m, models, told, err);
    }
    return st;
}

bosc_status bosc_job_models_place(const bosc_job_merged *merged, bosc_status st,
                                  const bosc_error *err)
{
    for (int i = 0; st == BOSC_EUSAGE && err != NULL && i < merged->n; ++i)
        if (strncmp(merged->sources[i], "--set ", 6) != 0 &&
            strncmp(err->text, merged->sources[i],
                    strlen(merged->sources[i])) == 0)
            return BOSC_EFORMAT;
    return st;
}

const bosc_yaml *bosc_job_models_mechanisms(const bosc_job_tree *tree, size_t i)
{
    const bosc_yaml *job = bosc_yaml_get(tree->models->child[i], "job");

    return job != NULL ? bosc_yaml_get(job, "mechanisms") : NULL;
}
