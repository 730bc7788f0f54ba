/* handle.c - a handle of include/bosc.h before it is built: open, set. */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/job/job_keys.h"
#include "src/library/caller.h"
#include "src/library/simulation.h"
#include "src/text/print.h"

/* --- open --- */

static bosc_status open_job(const char *path, char *text, bosc_simulation **out)
{
    bosc_simulation *s = bosc_alloc(1, sizeof *s);

    *out = s;
    if (s == NULL) {
        free(text);
        return BOSC_ENOMEM;
    }
    s->owner = getpid();
    s->ranks = &bosc_comm_self;
    s->text = text;
    s->path = bosc_strdup(path);
    if (s->path == NULL)
        s->failed = bosc_no_memory(&s->err, path);
    return s->failed;
}

/* A handle of nothing. */
static bosc_status open_nothing(const char *what, bosc_simulation **out)
{
    const bosc_status st = open_job("job", NULL, out);

    if (st == BOSC_OK)
        (*out)->failed =
            bosc_fail(&(*out)->err, BOSC_EUSAGE, "%s is NULL", what);
    return *out != NULL ? (*out)->failed : st;
}

bosc_status bosc_open(const char *path, bosc_simulation **out)
{
    bosc_status st;

    if (path == NULL)
        return open_nothing("the path of the job", out);
    if ((st = open_job(path, NULL, out)) != BOSC_OK)
        return st;
    st = bosc_job_load_text(path, &(*out)->text, &(*out)->err);
    (*out)->failed = st;
    return st;
}

bosc_status bosc_open_text(const char *text, const char *folder,
                           bosc_simulation **out)
{
    if (text == NULL)
        return open_nothing("the text of the job", out);

    char *own = bosc_strdup(text);
    char *path = folder != NULL && folder[0] != '\0'
                     ? bosc_format("%s/job", folder)
                     : bosc_strdup("job");
    bosc_status st = BOSC_ENOMEM;

    *out = NULL;
    if (own != NULL && path != NULL)
        st = open_job(path, own, out);
    else
        free(own);
    free(path);
    return st;
}

const char *bosc_last_error(const bosc_simulation *s)
{
    return s != NULL ? s->err.text : "out of memory";
}

const char *bosc_warning(const bosc_simulation *s, int i)
{
    return s != NULL && i >= 0 && i < s->sim.warnings.n
               ? s->sim.warnings.text[i]
               : NULL;
}

/* --- before it is built --- */

static bosc_status refuse_process(bosc_error *err)
{
    return bosc_fail(err, BOSC_EUSAGE,
                     "a simulation stays in the process that has opened it: "
                     "open one after fork(), in a process that has not "
                     "simulated before, or start a new program "
                     "(multiprocessing of Python: method 'spawn')");
}

bosc_status bosc_simulation_enter(bosc_simulation *s)
{
    if (s == NULL)
        return BOSC_ENOMEM;
    if (s->owner != getpid())
        return refuse_process(&s->err);
    if (s->failed != BOSC_OK)
        return s->failed;
    s->err.text[0] = '\0';
    return BOSC_OK;
}

bosc_status bosc_simulation_claim_process(bosc_error *err)
{
    static _Atomic pid_t simulates; /* 0: none has simulated */
    pid_t none = 0;

    return atomic_compare_exchange_strong(&simulates, &none, getpid()) ||
                   none == getpid()
               ? BOSC_OK
               : refuse_process(err);
}

bosc_status bosc_simulation_enter_all(bosc_simulation *s)
{
    const bosc_status st = bosc_simulation_enter(s);

    return s == NULL || s->owner != getpid()
               ? st
               : bosc_agree(s->ranks, st, &s->err);
}

static bosc_status enter_unbuilt(bosc_simulation *s, const char *what)
{
    const bosc_status st = bosc_simulation_enter(s);

    if (st == BOSC_OK && s->built)
        return bosc_fail(&s->err, BOSC_EUSAGE,
                         "%s: the simulation is built; set what it is made of "
                         "before bosc_build()",
                         what);
    return st;
}

/* Add a setting, which becomes the handle's; NULL: there was no memory. */
static bosc_status add_set(bosc_simulation *s, char *text)
{
    const char **longer =
        realloc(s->set.text, ((size_t)s->set.n + 1) * sizeof *s->set.text);

    if (longer != NULL)
        s->set.text = longer;
    if (text == NULL || longer == NULL) {
        free(text);
        return bosc_no_memory(&s->err, "a setting");
    }
    s->set.text[s->set.n++] = text;
    return BOSC_OK;
}

bosc_status bosc_set(bosc_simulation *s, const char *key, const char *value)
{
    const bosc_status st = enter_unbuilt(s, key != NULL ? key : "bosc_set");

    if (st != BOSC_OK)
        return st;
    if (key == NULL || value == NULL)
        return bosc_fail(&s->err, BOSC_EUSAGE,
                         "bosc_set: a key and a value, not NULL");
    return add_set(s, bosc_format("%s=%s", key, value));
}

/* A text that is no job has none: bosc_build() tells. */
static bosc_status refuse_sweep(bosc_simulation *s)
{
    bosc_job_tree tree = {0};
    const bosc_yaml *sweep = NULL;
    bosc_status st = bosc_job_tree_create(s->path, s->text, s->set.n,
                                          s->set.text, &tree, NULL);

    if (st == BOSC_OK)
        sweep = bosc_yaml_get(tree.root, "sweep");
    if (st == BOSC_ENOMEM)
        bosc_no_memory(&s->err, s->path);
    else if (sweep == NULL || bosc_yaml_is_null(sweep))
        st = BOSC_OK;
    else
        st = bosc_fail(&s->err, BOSC_EUSAGE,
                       "the job has a sweep, or a table was set: remove the "
                       "key 'sweep', and give all keys in one table");
    bosc_job_tree_clear(&tree);
    return st;
}

static bosc_status check_table(bosc_simulation *s, int n_rows, int n_keys,
                               const char *const *keys, const double *values)
{
    const size_t n = (size_t)(n_keys > 0 ? n_keys : 0);

    if (n_rows < 1 || n_keys < 1)
        return bosc_fail(&s->err, BOSC_EVALUE,
                         "a table has rows and keys, not %d and %d", n_rows,
                         n_keys);
    for (size_t k = 0; k < n; ++k)
        if (keys[k] == NULL || strpbrk(keys[k], "\"\\\n") != NULL)
            return bosc_fail(&s->err, BOSC_EVALUE, "a table: no key is '%s'",
                             keys[k] != NULL ? keys[k] : "NULL");
    for (size_t i = 0; i < (size_t)n_rows * n; ++i)
        if (!isfinite(values[i]))
            return bosc_fail(&s->err, BOSC_EVALUE,
                             "the value of %s in row %zu of a table is not "
                             "finite",
                             keys[i % n], i / n);
    return refuse_sweep(s);
}

static void write_table(FILE *file, int n_rows, int n_keys,
                        const char *const *keys, const double *values)
{
    fputs("sweep={zip: {", file);
    for (int k = 0; k < n_keys; ++k) {
        fprintf(file, "%s\"%s\": [", k > 0 ? ", " : "", keys[k]);
        for (int i = 0; i < n_rows; ++i)
            fprintf(file, "%s%.17g", i > 0 ? ", " : "",
                    values[(size_t)i * (size_t)n_keys + (size_t)k]);
        fputc(']', file);
    }
    fputs("}}", file);
}

bosc_status bosc_set_table(bosc_simulation *s, int n_rows, int n_keys,
                           const char *const *keys, const double *values)
{
    bosc_status st = enter_unbuilt(s, "bosc_set_table");
    bosc_print print;
    FILE *file;
    char *text;

    if (st == BOSC_OK)
        st = check_table(s, n_rows, n_keys, keys, values);
    if (st != BOSC_OK)
        return st;
    if ((file = bosc_print_begin(&print)) == NULL)
        return bosc_no_memory(&s->err, "a table");

    const bosc_caller before = bosc_caller_enter(&s->sim);

    write_table(file, n_rows, n_keys, keys, values);
    bosc_caller_leave(&before, &s->sim);
    text = bosc_print_end(&print);
    return text != NULL ? add_set(s, text) : bosc_no_memory(&s->err, "a table");
}

/* Also where this rank has failed: the others are to learn it. */
bosc_status bosc_set_ranks(bosc_simulation *s, const bosc_comm *ranks)
{
    const bosc_status st = enter_unbuilt(s, "bosc_set_ranks");

    if (s == NULL || s->owner != getpid() || s->built)
        return st;
    if (ranks != NULL)
        s->ranks = ranks;
    else if (st == BOSC_OK)
        s->failed = bosc_no_memory(&s->err, "messages between ranks");
    return s->failed;
}

bosc_status bosc_set_files(bosc_simulation *s, const bosc_files *files)
{
    const bosc_status st = enter_unbuilt(s, "bosc_set_files");

    if (st == BOSC_OK)
        s->files = files;
    return st;
}
