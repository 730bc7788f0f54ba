/* job_parse.c - from the text of a job to the struct.
 *
 * The text becomes a tree (yaml_tree.h), '--set' changes the tree, and
 * bosc_group_read() walks it along the table of keys.  Checks of more than one
 * key come last (job_check.c).
 */
#include "src/job/job.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/job/job_keys.h"
#include "src/text/path.h"
#include "src/text/print.h"

/* --- assignments of the command line ------------------------------------- */

enum { LONGEST_SHOWN = 120 };

/* A line break would end a comment; the last byte is one that should. */
static void join_lines(char *comment)
{
    char *p = comment + bosc_yaml_rest(comment);

    for (size_t n; (n = bosc_yaml_break(p)) > 0 && p[n] != '\0';
         p += bosc_yaml_rest(p))
        memset(p, ' ', n);
}

/* A text, which is freed, with that of models as comments behind it. */
static char *add_models(char *all, const char *models)
{
    const size_t n = strlen(all);
    bosc_print text;
    FILE *file = bosc_print_begin(&text);

    if (file != NULL) {
        fprintf(file, "%s%s# What the models say:\n", all,
                n > 0 && all[n - 1] != '\n' ? "\n" : "");
        for (const char *p = models; *p != '\0'; p = bosc_yaml_next_line(p))
            fprintf(file, "# %.*s\n", (int)bosc_yaml_rest(p), p);
    }
    free(all);
    return file != NULL ? bosc_print_end(&text) : NULL;
}

/* The text of a job with assignments as comments behind it, a line each, and
 * with what its models say, for the result file.  NULL without memory. */
static char *set_text(const char *text, int n_set, const char *const *set,
                      const char *models)
{
    char *all = bosc_strdup(text);

    for (int i = 0; all != NULL && i < n_set; ++i) {
        const size_t n = strlen(all);
        const char *apart = n > 0 && all[n - 1] != '\n' ? "\n" : "";
        char *longer = bosc_format("%s%s# --set %s\n", all, apart, set[i]);

        if (longer != NULL)
            join_lines(longer + n + strlen(apart));
        free(all);
        all = longer;
    }
    return all != NULL && models != NULL ? add_models(all, models) : all;
}

/* "--set key=value" in one line, cut where it is long. */
static char *name_source(const char *set)
{
    const bool longer = strlen(set) > LONGEST_SHOWN;
    char *source =
        bosc_format("--set %.*s%s", LONGEST_SHOWN, set, longer ? "..." : "");

    for (char *p = source; p != NULL && *p != '\0'; ++p)
        if ((unsigned char)*p < ' ' || *p == 127)
            *p = ' ';
    return source;
}

/* Apply the assignments to the tree.  sources [n_set], of NULLs: set to the
 * names of the new nodes' places, for the caller to free() after the tree, also
 * on failure. */
static bosc_status set_all(bosc_yaml *root, int n_set, const char *const *set,
                           char **sources, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int i = 0; st == BOSC_OK && i < n_set; ++i) {
        if ((sources[i] = name_source(set[i])) == NULL)
            return bosc_no_memory(err, "--set");
        st = bosc_yaml_assign(root, set[i], sources[i], bosc_entry_name, err);
    }
    return st;
}

/* --- the job ------------------------------------------------------------- */

/* "demo" of "jobs/demo.yaml". */
static char *stem(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = bosc_strdup(slash != NULL ? slash + 1 : path);
    char *dot = name != NULL ? strrchr(name, '.') : NULL;

    if (dot != NULL && dot != name)
        *dot = '\0';
    return name;
}

static bool fill_names(bosc_job *job)
{
    if (job->name == NULL)
        job->name = stem(job->path);
    if (job->output.file == NULL && job->name != NULL) {
        job->output.file = bosc_format("%s.nc", job->name);
        for (char *p = job->output.file; p != NULL && *p != '\0'; ++p)
            if (*p == '/' || *p == '\\') /* netCDF takes both for folders */
                *p = '-';
    }
    return job->name != NULL && job->output.file != NULL;
}

static bosc_status read_tree(const bosc_schema *schema, const bosc_yaml *root,
                             const char *path, bosc_job *job, bosc_error *err)
{
    if (bosc_yaml_is_null(root))
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s: the file is empty; a job needs at least tstop "
                         "and populations",
                         path);
    if (root->kind != BOSC_YAML_MAP)
        return bosc_yaml_fail(err, root,
                              "this is no job file; it is made of 'key: "
                              "value' lines such as 'tstop: 100'");
    bosc_status st = bosc_group_read(schema, root, job, err);

    if (st == BOSC_OK && !fill_names(job))
        st = bosc_no_memory(err, path);
    return st == BOSC_OK ? bosc_job_check(job, root, err) : st;
}

void bosc_job_tree_clear(bosc_job_tree *tree)
{
    bosc_yaml_destroy(tree->root);
    bosc_yaml_destroy(tree->models);
    for (int i = 0; tree->sources != NULL && i < tree->n_set; ++i)
        free(tree->sources[i]);
    free(tree->sources);
    free(tree->text);
    *tree = (bosc_job_tree){0};
}

bosc_status bosc_job_tree_create(const char *path, const char *text, int n_set,
                                 const char *const *set, bosc_job_tree *tree,
                                 bosc_error *err)
{
    const char *models = strstr(text, BOSC_JOB_MODELS);
    char *own = models == NULL ? NULL : strndup(text, (size_t)(models - text));
    bosc_status st = BOSC_OK;

    if (models != NULL && own != NULL)
        text = own;
    if (models != NULL)
        models += strlen(BOSC_JOB_MODELS);
    *tree = (bosc_job_tree){
        .n_set = n_set,
        .sources = calloc((size_t)n_set + 1, sizeof *tree->sources),
        .text = set_text(text, n_set, set, models)};
    if (tree->sources == NULL || tree->text == NULL ||
        (models != NULL && own == NULL))
        st = bosc_no_memory(err, path);
    if (st == BOSC_OK)
        st = bosc_yaml_parse(text, path, true, &tree->root, err);
    if (st == BOSC_OK && models != NULL)
        st = bosc_yaml_parse(models, path, true, &tree->models, err);
    free(own);
    return st == BOSC_OK ? set_all(tree->root, n_set, set, tree->sources, err)
                         : st;
}

/* The paths of a text with a line each. */
static bosc_status split_paths(const char *folder, const char *lines,
                               char ***paths, int *n, bosc_error *err)
{
    size_t most = 0;

    for (const char *p = lines; *p != '\0'; ++p)
        most += *p == '\n';
    if ((*paths = bosc_alloc(most, sizeof **paths)) == NULL)
        return bosc_no_memory(err, "the paths of mechanisms");
    while ((size_t)*n < most) {
        const size_t length = strcspn(lines, "\n");
        char *own = bosc_format("%.*s", (int)length, lines);

        (*paths)[*n] = own == NULL ? NULL : bosc_path_join(folder, own);
        free(own);
        if ((*paths)[*n] == NULL)
            return bosc_no_memory(err, "the paths of mechanisms");
        ++*n;
        lines += length + 1;
    }
    return BOSC_OK;
}

bosc_status bosc_job_mechanisms(const char *path, const char *text, int n_set,
                                const char *const *set, char ***paths, int *n,
                                bosc_error *err)
{
    const bosc_key *key = bosc_key_find(&bosc_job_schema, "", "mechanisms");
    char *folder = bosc_path_folder(path), *lines = NULL;
    const bosc_yaml *own = NULL;
    bosc_job_tree tree = {0};
    bosc_status st = folder == NULL ? bosc_no_memory(err, path) : BOSC_OK;

    *paths = NULL;
    *n = 0;
    if (st == BOSC_OK) {
        /* whatever else is wrong with it is told when the job is read */
        st = bosc_job_tree_create(path, text, n_set, set, &tree, NULL);
        if (st == BOSC_OK)
            own = bosc_yaml_get(tree.root, "mechanisms");
        st = st == BOSC_ENOMEM ? bosc_no_memory(err, path) : BOSC_OK;
    }
    if (own != NULL)
        st = bosc_value_read(own, key, &lines, err);
    for (size_t i = 0; tree.models != NULL && i < tree.models->n; ++i) {
        const bosc_yaml *more = bosc_job_models_mechanisms(&tree, i);

        if (st == BOSC_OK && more != NULL)
            st = bosc_value_read(more, key, &lines, err);
    }
    if (st == BOSC_OK && lines != NULL)
        st = split_paths(folder, lines, paths, n, err);
    bosc_job_tree_clear(&tree);
    free(folder);
    free(lines);
    return st;
}

static const char *text_of(const bosc_yaml *root, const char *key)
{
    const bosc_yaml *own = root != NULL ? bosc_yaml_get(root, key) : NULL;

    return own != NULL && own->kind == BOSC_YAML_SCALAR ? own->text : NULL;
}

typedef struct recorded {
    const bosc_yaml *synapses; /* NULL: the job has none */
    char **word;               /* [n + 1] */
    size_t n, room;
} recorded;

static bosc_status recorded_word(const bosc_yaml *node, const char *word,
                                 size_t length, void *to, bosc_error *err)
{
    recorded *all = to;
    const char *dot = memchr(word, '.', length), *name = word;
    size_t n = dot == NULL ? 0 : (size_t)(dot - word);

    for (size_t i = 0; n > 0 && all->synapses != NULL && i < all->synapses->n;
         ++i) {
        const bosc_yaml *one = all->synapses->child[i];
        const char *own = text_of(one, "name"), *type = text_of(one, "type");

        if (own != NULL && type != NULL && strncmp(own, word, n) == 0 &&
            own[n] == '\0') {
            name = type;
            n = strlen(type);
            break;
        }
    }
    if (n == 0)
        return BOSC_OK;
    if (!bosc_grow(&all->word, &all->room, all->n + 2, sizeof *all->word) ||
        (all->word[all->n] =
             bosc_format("%.*s%.*s", (int)n, name,
                         (int)(length - (size_t)(dot - word)), dot)) == NULL)
        return bosc_no_memory(err, node->source);
    all->word[++all->n] = NULL;
    return BOSC_OK;
}

bosc_status bosc_job_recorded(const char *path, const char *text, int n_set,
                              const char *const *set, char ***words, int *n,
                              bosc_error *err)
{
    const bosc_key *key =
        bosc_key_find(&bosc_job_schema, "probes", "variables");
    bosc_job_tree tree = {0};
    /* whatever is wrong with the text is told when the job is read */
    bosc_status st = bosc_job_tree_create(path, text, n_set, set, &tree, NULL);
    const bosc_yaml *probes = st == BOSC_OK && tree.root->kind == BOSC_YAML_MAP
                                  ? bosc_yaml_get(tree.root, "probes")
                                  : NULL;
    recorded all = {.synapses = probes == NULL
                                    ? NULL
                                    : bosc_yaml_get(tree.root, "synapses")};

    st = st == BOSC_ENOMEM ? bosc_no_memory(err, path) : BOSC_OK;
    for (size_t i = 0; probes != NULL && st == BOSC_OK && i < probes->n; ++i) {
        const bosc_yaml *own =
            probes->child[i]->kind == BOSC_YAML_MAP
                ? bosc_yaml_get(probes->child[i], "variables")
                : NULL;

        if (own != NULL)
            st = bosc_words_read(own, key, recorded_word, &all, NULL);
        st = st == BOSC_ENOMEM ? bosc_no_memory(err, path) : BOSC_OK;
    }
    bosc_job_tree_clear(&tree);
    *words = all.word;
    *n = (int)all.n;
    return st;
}

bosc_status bosc_job_output(const char *path, const char *text, char **output,
                            bosc_error *err)
{
    bosc_job job = {.path = (char *)path};
    bosc_yaml *root = NULL;
    const char *file, *name;
    bosc_status st = bosc_yaml_parse(text, path, true, &root, err);

    if (st != BOSC_OK)
        return st;
    file = text_of(bosc_yaml_get(root, "output"), "file");
    name = text_of(root, "name");
    job.output.file = file != NULL ? bosc_strdup(file) : NULL;
    job.name = name != NULL ? bosc_strdup(name) : NULL;
    if (!fill_names(&job))
        st = bosc_no_memory(err, path);
    free(job.name);
    bosc_yaml_destroy(root);
    if (st == BOSC_OK)
        *output = job.output.file;
    else
        free(job.output.file);
    return st;
}

bosc_status bosc_job_of_tree(const bosc_schema *schema,
                             const bosc_job_tree *tree, const bosc_yaml *root,
                             const char *path, bosc_job **out, bosc_error *err)
{
    bosc_job *job = calloc(1, sizeof *job);
    bosc_job_merged merged = {0};
    bosc_status st = BOSC_OK;

    if (job == NULL || (job->path = bosc_strdup(path)) == NULL ||
        (job->folder = bosc_path_folder(path)) == NULL)
        st = bosc_no_memory(err, path);
    if (job != NULL)
        job->mechs = schema->mechs;
    if (st == BOSC_OK)
        st = bosc_job_models_merge(root, tree->models, &merged, &job->models,
                                   err);
    if (st == BOSC_OK)
        st = read_tree(schema, merged.root != NULL ? merged.root : root, path,
                       job, err);
    st = bosc_job_models_place(&merged, st, err);
    bosc_job_merged_clear(&merged);
    if (st == BOSC_OK)
        *out = job;
    else
        bosc_job_destroy(job);
    return st;
}

bosc_status bosc_job_parse(const bosc_mechs *mechs, const char *path,
                           const char *text, int n_set, const char *const *set,
                           bosc_job **out, bosc_error *err)
{
    bosc_schema schema = bosc_job_schema;
    bosc_job_tree tree = {0};
    bosc_status st = bosc_job_tree_create(path, text, n_set, set, &tree, err);

    schema.mechs = mechs;
    if (st == BOSC_OK)
        st = bosc_job_of_tree(&schema, &tree, tree.root, path, out, err);
    if (st == BOSC_OK) {
        (*out)->text = tree.text;
        tree.text = NULL;
    }
    bosc_job_tree_clear(&tree);
    return st;
}

void bosc_sweep_destroy(bosc_sweep *sweep)
{
    if (sweep == NULL)
        return;
    for (int k = 0; sweep->keys != NULL && k < sweep->n_keys; ++k) {
        free(sweep->keys[k].path);
        free(sweep->keys[k].name);
    }
    for (int i = 0; sweep->members != NULL && i < sweep->n_members; ++i) {
        for (int k = 0; sweep->members[i].value != NULL && k < sweep->n_keys;
             ++k)
            free(sweep->members[i].value[k]);
        free(sweep->members[i].value);
        free(sweep->members[i].x);
        free(sweep->members[i].name);
    }
    free(sweep->keys);
    free(sweep->members);
    free(sweep->values);
    free(sweep);
}

void bosc_job_destroy(bosc_job *job)
{
    bosc_schema schema = bosc_job_schema;

    if (job == NULL)
        return;
    schema.mechs = job->mechs;
    for (int i = 0; i < job->points.n_clamps; ++i)
        free(job->points.clamps[i].point.type.p);
    bosc_group_free(&schema, job);
    bosc_warnings_clear(&job->notes);
    bosc_warnings_clear(&job->models);
    bosc_sweep_destroy(job->sweep);
    free(job->path);
    free(job->folder);
    free(job->text);
    free(job);
}
