#include "src/sweep/models.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/checksum.h"
#include "src/base/mem.h"
#include "src/import/import.h"
#include "src/sweep/members.h"
#include "src/text/path.h"
#include "src/text/print.h"
#include "src/text/wrap.h"

/* The models that were read, so far. */
typedef struct models {
    const char *path, *folder; /* of the job */
    int n_mods;
    char **mods; /* [n_mods] mod files and folders that the job itself names */
    size_t n, capacity;
    char **head; /* [n] which model it is: its lines before "job:" */
    size_t n_used, used_room;
    char **used; /* [n_used] mod files of all models */
    char *text;
} models;

static bosc_status no_memory(bosc_error *err)
{
    return bosc_no_memory(err, "the models of the job");
}

/* --- one model ------------------------------------------------------------ */

static void put_quoted(FILE *file, const char *begin, const char *key,
                       const char *text)
{
    if (text == NULL)
        return;
    fprintf(file, "%s%s: \"", begin, key);
    for (; *text != '\0'; ++text)
        if ((unsigned char)*text < ' ')
            fprintf(file, "\\x%02x", (unsigned)(unsigned char)*text);
        else
            fprintf(file, "%s%c", strchr("\"\\", *text) != NULL ? "\\" : "",
                    *text);
    fputs("\"\n", file);
}

/* The keys of the population that the model depends on; to be freed, NULL
 * without memory. */
static char *head_of(const bosc_job_model *model)
{
    bosc_print text;
    FILE *file = bosc_print_begin(&text);

    if (file == NULL)
        return NULL;
    put_quoted(file, "- ", "model", model->source);
    put_quoted(file, "  ", "model_values", model->values);
    put_quoted(file, "  ", "model_name", model->name);
    put_quoted(file, "  axon:\n    ", "replace", model->axon);
    if (model->morphology != NULL)
        fputs("  morphologies: own\n", file);
    return bosc_print_end(&text);
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static bool same_file(const char *a, const char *b)
{
    uint64_t x, y;

    return strcmp(base_of(a), base_of(b)) == 0 &&
           bosc_checksum_file(a, UINT64_MAX, &x, NULL) == BOSC_OK &&
           bosc_checksum_file(b, UINT64_MAX, &y, NULL) == BOSC_OK && x == y;
}

/* Models often come with copies of the same mod files, of which a job needs
 * one; files that differ are told when they are compiled. */
static bool has_mod(void *to, const char *path)
{
    models *all = to;

    for (size_t i = 0; i < all->n_used; ++i)
        if (same_file(all->used[i], path))
            return true;
    if (bosc_grow(&all->used, &all->used_room, all->n_used + 1,
                  sizeof *all->used) &&
        (all->used[all->n_used] = bosc_strdup(path)) != NULL)
        ++all->n_used;
    return false;
}

/* A file that is not there is one of the job's. */
static bosc_status fail_model(const bosc_job_model *model, bosc_status st,
                              const bosc_error *why, bosc_error *err)
{
    char *where = bosc_yaml_where(model->node);

    if (where == NULL || st == BOSC_ENOMEM) {
        free(where);
        return no_memory(err);
    }
    st = bosc_fail(err,
                   st == BOSC_EIO                               ? BOSC_ENOINPUT
                   : st == BOSC_EUSAGE && model->node->line > 0 ? BOSC_EFORMAT
                                                                : st,
                   "%s: model: %s", where, why->text);
    free(where);
    return st;
}

static bosc_status import(models *all, const bosc_job_model *model, char **job,
                          bosc_error *err)
{
    char *source = bosc_path_join(all->folder, model->source),
         *values = model->values != NULL
                       ? bosc_path_join(all->folder, model->values)
                       : NULL,
         *path = NULL;
    bosc_import_how how = {.source = source,
                           .morphology = model->morphology,
                           .values = values,
                           .model = model->name,
                           .axon = model->axon,
                           .job = all->path,
                           .command = "a population's key 'model'",
                           .of_job = true,
                           .n_mods = all->n_mods,
                           .mods = all->mods,
                           .has_mod = has_mod,
                           .models = all};
    bosc_error why;
    bosc_status st = BOSC_ENOMEM;

    if (source != NULL && (model->values == NULL || values != NULL))
        st = bosc_import_guess(source, &how.kind, &why);
    if (st == BOSC_OK)
        st = bosc_import_text(&how, &path, job, &why);
    free(source);
    free(values);
    free(path);
    return st == BOSC_OK ? st : fail_model(model, st, &why, err);
}

/* Append a model to the text: its head, and what it says, indented. */
static bosc_status append(models *all, const char *head, const char *job,
                          bosc_error *err)
{
    bosc_print text;
    FILE *file = bosc_print_begin(&text);

    if (file == NULL)
        return no_memory(err);
    fprintf(file, "%s%s%s  job:\n", all->text,
            all->n == 0 ? BOSC_JOB_MODELS : "", head);
    for (const char *p = job; *p != '\0'; p = bosc_yaml_next_line(p))
        fprintf(file, "    %.*s\n", (int)bosc_yaml_rest(p), p);
    free(all->text);
    all->text = bosc_print_end(&text);
    return all->text != NULL ? BOSC_OK : no_memory(err);
}

static bosc_status add_model(models *all, const bosc_job_model *model,
                             bosc_error *err)
{
    char *head = head_of(model), *job = NULL;
    bosc_status st = head != NULL ? BOSC_OK : no_memory(err);

    for (size_t i = 0; st == BOSC_OK && i < all->n; ++i)
        if (strcmp(all->head[i], head) == 0) {
            free(head);
            return BOSC_OK;
        }
    if (st == BOSC_OK &&
        !bosc_grow(&all->head, &all->capacity, all->n + 1, sizeof *all->head))
        st = no_memory(err);
    if (st == BOSC_OK)
        st = import(all, model, &job, err);
    if (st == BOSC_OK)
        st = append(all, head, job, err);
    free(job);
    if (st == BOSC_OK)
        all->head[all->n++] = head;
    else
        free(head);
    return st;
}

/* --- all of a job --------------------------------------------------------- */

static bosc_status add_models(const bosc_yaml *root, void *to, bosc_error *err)
{
    const bosc_yaml *list =
        root->kind == BOSC_YAML_MAP ? bosc_yaml_get(root, "populations") : NULL;
    bosc_job_model model;
    bosc_status st = BOSC_OK;

    for (size_t i = 0; list != NULL && st == BOSC_OK && i < list->n; ++i)
        if (bosc_job_model_find(list->child[i], &model))
            st = add_model(to, &model, err);
    return st;
}

static void clear(models *all)
{
    for (size_t i = 0; i < all->n; ++i)
        free(all->head[i]);
    for (size_t i = 0; i < all->n_used; ++i)
        free(all->used[i]);
    for (int i = 0; i < all->n_mods; ++i)
        free(all->mods[i]);
    free(all->head);
    free(all->used);
    free(all->mods);
    free(all->text);
}

/* With the tree of the job. */
static bosc_status read_all(const bosc_job_tree *tree, const bosc_texts *set,
                            models *all, bosc_error *err)
{
    bosc_mechs *mechs = NULL;
    bosc_status st = bosc_job_mechanisms(
        all->path, all->text, set->n, set->text, &all->mods, &all->n_mods, err);

    if (st == BOSC_OK)
        st = bosc_mechs_create(&mechs, err);
    if (st == BOSC_OK)
        st = bosc_sweep_visit(mechs, tree, add_models, all, err);
    bosc_mechs_destroy(mechs);
    return st;
}

static bool may_name_one(const char *text, const bosc_texts *set)
{
    bool may = strstr(text, "model") != NULL;

    for (int i = 0; i < set->n; ++i)
        may = may || strstr(set->text[i], "model") != NULL;
    return may;
}

bosc_status bosc_models_read(const char *path, const bosc_texts *set,
                             char **text, bosc_error *err)
{
    models all = {.path = path, .text = *text};
    bosc_job_tree tree = {0};
    char *folder;
    bosc_status st;

    if (!may_name_one(*text, set))
        return BOSC_OK;
    if ((folder = bosc_path_folder(path)) == NULL)
        return no_memory(err);
    all.folder = folder;
    /* what is wrong with the text is told when the job is read */
    st = bosc_job_tree_create(path, *text, set->n, set->text, &tree, NULL);
    if (st == BOSC_ENOMEM)
        no_memory(err);
    else if (st != BOSC_OK)
        st = BOSC_OK;
    else
        st = read_all(&tree, set, &all, err);
    *text = all.text;
    all.text = NULL;
    clear(&all);
    bosc_job_tree_clear(&tree);
    free(folder);
    return st;
}

void bosc_models_tell(const bosc_job *job, int column)
{
    enum { MOST = 8 };

    for (int i = 0; i < job->models.n && i < MOST; ++i)
        bosc_wrap_print(stdout, column, "  model", "%s", job->models.text[i]);
    if (job->models.n > MOST)
        bosc_wrap_print(stdout, column, "  ...",
                        "and %d more; attribute 'job' of the result has all",
                        job->models.n - MOST);
}
