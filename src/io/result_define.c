#include "src/io/result_file.h"

#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/history.h"
#include "src/base/mem.h"
#include "src/base/version.h"

void bosc_result_text(bosc_result *s, int var, const char *name,
                      const char *text)
{
    if (s->failure.code == 0)
        bosc_result_ok(s, nc_put_att_text(s->nc, var, name, strlen(text), text),
                       "write attribute", name);
}

void bosc_result_number(bosc_result *s, const char *name, double value)
{
    if (s->failure.code == 0)
        bosc_result_ok(
            s, nc_put_att_double(s->nc, NC_GLOBAL, name, NC_DOUBLE, 1, &value),
            "write attribute", name);
}

int bosc_result_dim(bosc_result *s, const char *name, size_t length)
{
    int dim = -1;

    if (s->failure.code == 0)
        bosc_result_ok(s, nc_def_dim(s->nc, name, length, &dim),
                       "define dimension", name);
    return dim;
}

/* A variable over n_dims dimensions, chunked as asked (NULL: as netCDF likes)
 * and compressed. */
static int define(bosc_result *s, const bosc_meaning *m, int n_dims,
                  const int *dims, const size_t *chunk, int level)
{
    const char *verb = "define variable";
    int var = -1;

    if (s->failure.code != 0 ||
        !bosc_result_ok(s,
                        nc_def_var(s->nc, m->name, m->type, n_dims, dims, &var),
                        verb, m->name))
        return -1;
    if (chunk != NULL)
        bosc_result_ok(s, nc_def_var_chunking(s->nc, var, NC_CHUNKED, chunk),
                       verb, m->name);
    if (level > 0)
        bosc_result_ok(s, nc_def_var_deflate(s->nc, var, 1, 1, level), verb,
                       m->name);
    if (m->units != NULL)
        bosc_result_text(s, var, "units", m->units);
    bosc_result_text(s, var, "long_name", m->long_name);
    return var;
}

int bosc_result_var(bosc_result *s, const bosc_meaning *m, int n_dims,
                    const int *dims, const size_t *chunk)
{
    return define(s, m, n_dims, dims, chunk,
                  s->compression > 1 ? s->compression : 1);
}

int bosc_result_small(bosc_result *s, const bosc_meaning *m, int dim)
{
    return define(s, m, 1, &dim, NULL, 0);
}

/* What several ranks write, HDF5 would fill in advance. */
static int define_growing(bosc_result *s, const bosc_meaning *m, int n_dims,
                          const int *dims, const size_t *chunk, int level)
{
    const int var = define(s, m, n_dims, dims, chunk, level);

    if (s->failure.code == 0 && s->parallel && level == 0)
        bosc_result_ok(s, nc_def_var_fill(s->nc, var, NC_NOFILL, NULL),
                       "define variable", m->name);
    return var;
}

int bosc_result_stream(bosc_result *s, const bosc_meaning *m, int n_dims,
                       const int *dims, const size_t *chunk)
{
    return define_growing(s, m, n_dims, dims, chunk, s->compression);
}

int bosc_result_log(bosc_result *s, const bosc_meaning *m, int dim,
                    size_t chunk)
{
    const int level = s->compression > 1 ? s->compression : 1;

    return define_growing(s, m, 1, &dim, &chunk, s->parallel ? 0 : level);
}

void bosc_result_keep(bosc_result *s, int var, const char *name, size_t bytes)
{
    if (s->failure.code == 0)
        bosc_result_ok(s, nc_set_var_chunk_cache(s->nc, var, bytes, 7, 1),
                       "set the cache of", name);
}

static void put_values(bosc_result *s, int var, const char *name,
                       const void *values)
{
    if (s->failure.code == 0)
        bosc_result_ok(s, nc_put_var(s->nc, var, values), "write", name);
}

void bosc_result_strings(bosc_result *s, int dim, size_t n,
                         const bosc_meaning *m, const char *const *text)
{
    /* level 0: HDF5 would compress references, not the strings */
    const int var = define(s, m, 1, &dim, NULL, 0);

    if (n > 0)
        put_values(s, var, m->name, text);
}

void bosc_result_column_put(bosc_result *s, int dim, int64_t n, bosc_meaning m,
                            const void *values)
{
    const int var = bosc_result_var(s, &m, 1, &dim, NULL);

    if (n > 0)
        put_values(s, var, m.name, values);
}

static void put_history(bosc_result *s, const char *command)
{
    char *line = bosc_history_line(command);

    if (line != NULL)
        bosc_result_text(s, NC_GLOBAL, "history", line);
    else
        bosc_result_ok(s, NC_ENOMEM, "write attribute", "history");
    free(line);
}

/* Add what later runs have to say. */
static void add_later(bosc_result *s)
{
    size_t n = 0;
    char *text = NULL;

    if (s->failure.code == 0 &&
        bosc_result_ok(s, nc_inq_attlen(s->nc, NC_GLOBAL, "history", &n),
                       "read attribute", "history"))
        text = calloc(n + strlen(s->later) + 2, 1);
    if (text != NULL &&
        bosc_result_ok(s, nc_get_att_text(s->nc, NC_GLOBAL, "history", text),
                       "read attribute", "history")) {
        text[n] = '\n';
        strcpy(text + n + 1, s->later);
        bosc_result_text(s, NC_GLOBAL, "history", text);
    }
    if (text == NULL)
        bosc_result_ok(s, NC_ENOMEM, "write attribute", "history");
    free(text);
    free(s->later);
    s->later = NULL;
}

void bosc_result_completed(bosc_result *s, const char *text)
{
    if (s->later != NULL)
        add_later(s);
    if (s->warnings != NULL)
        bosc_result_text(s, NC_GLOBAL, "warnings", s->warnings);
    free(s->warnings);
    s->warnings = NULL;
    bosc_result_text(s, NC_GLOBAL, "completed", text);
}

/* HDF5 1.10 cannot close a file that was gone on with, if a text in it grows
 * before much else is written; so texts grow last of all. */
void bosc_result_warnings(bosc_result *s, const char *text)
{
    size_t n;

    if (nc_inq_attlen(s->nc, NC_GLOBAL, "warnings", &n) != NC_NOERR) {
        bosc_result_text(s, NC_GLOBAL, "warnings", text);
        return;
    }
    free(s->warnings);
    s->warnings = bosc_strdup(text);
    if (s->warnings == NULL)
        bosc_result_ok(s, NC_ENOMEM, "write attribute", "warnings");
}

void bosc_result_verified(bosc_result *s, const char *text)
{
    bosc_result_text(s, NC_GLOBAL, "verified", text);
}

void bosc_result_heading(bosc_result *s, const char *title, const char *command)
{
    bosc_result_text(s, NC_GLOBAL, "Conventions", "CF-1.8");
    bosc_result_text(s, NC_GLOBAL, "title", title);
    bosc_result_text(s, NC_GLOBAL, "source", bosc_version());
    put_history(s, command);
    bosc_result_completed(s, BOSC_RESULT_RUNNING);
}
