/* exit.c - what a merge stops at: memory, and calls of netCDF. */
#include <stdarg.h>
#include <stdio.h>

#include "src/merge/parts.h"

_Noreturn void bosc_merge_stop(bosc_merger *m, bosc_status st)
{
    m->st = st;
    longjmp(m->end, 1);
}

void *bosc_merge_own(bosc_merger *m, void *memory)
{
    void *own = bosc_pool_own(&m->pool, memory);

    if (own == NULL)
        bosc_merge_stop(m, bosc_no_memory(m->err, "the merged file"));
    return own;
}

void *bosc_merge_new(bosc_merger *m, size_t n, size_t size)
{
    return bosc_merge_own(m, bosc_alloc(n, size));
}

static void check(bosc_merger *m, int code, const char *path, const char *name)
{
    if (code != NC_NOERR)
        bosc_merge_stop(m, bosc_fail(m->err, BOSC_EIO, "%s: '%s': %s", path,
                                     name, nc_strerror(code)));
}

void bosc_merge_in(bosc_merger *m, int f, int code, const char *name)
{
    check(m, code, m->input[f].path, name);
}

void bosc_merge_out(bosc_merger *m, int code, const char *name)
{
    check(m, code, m->request->output, name);
}

char *bosc_merge_text(bosc_merger *m, int nc, const char *name)
{
    nc_type type;
    size_t n;
    char *text;

    if (nc_inq_att(nc, NC_GLOBAL, name, &type, &n) != NC_NOERR ||
        type != NC_CHAR)
        return NULL;
    text = bosc_merge_new(m, n + 1, 1);
    return nc_get_att_text(nc, NC_GLOBAL, name, text) == NC_NOERR ? text : NULL;
}

size_t bosc_merge_length_of(int nc, const char *name)
{
    size_t n = 0;
    int dim;

    return nc_inq_dimid(nc, name, &dim) == NC_NOERR &&
                   nc_inq_dimlen(nc, dim, &n) == NC_NOERR
               ? n
               : 0;
}

void bosc_merge_tell(const bosc_merger *m, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "%s: ", m->request->program);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}
