/* inputs.c - which inputs can be merged, and which members they have. */
#include <netcdf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/merge/parts.h"

void bosc_merge_tell(const bosc_merger *m, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "%s: ", m->request->program);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}

/* All numbers of a variable over dimension 'member'. */
static int *read_numbers(const bosc_merge_input *in, const char *name)
{
    int variable, *numbers = bosc_alloc((size_t)in->n_members, sizeof *numbers);

    if (numbers != NULL && nc_inq_varid(in->nc, name, &variable) == NC_NOERR &&
        nc_get_var_int(in->nc, variable, numbers) == NC_NOERR)
        return numbers;
    free(numbers);
    return NULL;
}

/* Why an input cannot be used; NULL: it can. */
static const char *look(bosc_merge_input *in)
{
    char *completed = bosc_merge_text(in->nc, NC_GLOBAL, "completed");
    const bool finished = completed != NULL && strcmp(completed, "yes") == 0;
    size_t n;
    double all;
    int dim;

    free(completed);
    if (!finished)
        return "it is no finished result of bosc";
    if (nc_inq_dimid(in->nc, "member", &dim) != NC_NOERR ||
        nc_inq_dimlen(in->nc, dim, &n) != NC_NOERR ||
        nc_get_att_double(in->nc, NC_GLOBAL, "sweep_members", &all) != NC_NOERR)
        return "it has no members of a sweep";
    in->n_members = (int)n;
    in->n_all = (int)all;
    in->number = read_numbers(in, "member");
    in->status = read_numbers(in, "member_status");
    if (in->number == NULL || in->status == NULL)
        return "its members cannot be read";
    for (int i = 0; i < in->n_members; ++i)
        if (in->number[i] < 0 || in->number[i] >= in->n_all)
            return "its members cannot be read";
    return NULL;
}

/* Are both of one sweep?  Values of swept keys, and of all others, are in its
 * checksum. */
static bool same_sweep(const bosc_merge_input *a, const bosc_merge_input *b)
{
    char *x = bosc_merge_text(a->nc, NC_GLOBAL, "sweep"),
         *y = bosc_merge_text(b->nc, NC_GLOBAL, "sweep");
    const bool same = x != NULL && y != NULL && strcmp(x, y) == 0;

    free(x);
    free(y);
    return same;
}

static void input_clear(bosc_merge_input *in)
{
    if (in->nc >= 0)
        nc_close(in->nc);
    free(in->number);
    free(in->status);
}

/* Open an input, the next one unless it is left out. */
static bosc_status open_input(bosc_merger *m, const char *path)
{
    bosc_merge_input in = {.path = path, .nc = -1};
    const int code = nc_open(path, NC_NOWRITE, &in.nc);
    const char *why = NULL;

    if (code != NC_NOERR) {
        in.nc = -1;
        why = nc_strerror(code);
    } else {
        why = look(&in);
    }
    if (why != NULL) {
        bosc_merge_tell(m, "%s is left out: %s", path, why);
        input_clear(&in);
        return BOSC_OK;
    }
    m->input[m->n_inputs++] = in;
    if (same_sweep(&m->input[0], &in))
        return bosc_merge_add_contents(m, &in);
    return bosc_fail(m->err, BOSC_EVALUE,
                     "%s and %s are of different sweeps, or of one whose job "
                     "was changed; merge those of one, into another file where "
                     "this is not",
                     m->input[0].path, path);
}

/* Is piece b of the same member better than a, which an earlier input has? */
static bool is_better(const bosc_merger *m, const bosc_merge_piece *a,
                      const bosc_merge_piece *b)
{
    return m->input[b->input].status[b->index] == 0 ||
           m->input[a->input].status[a->index] != 0;
}

/* "3, 5 and 2 more" */
static void add_number(char *list, size_t size, int number, int *n)
{
    const size_t at = strlen(list);

    if (at + 40 < size)
        snprintf(list + at, size - at, "%s%d", at > 0 ? ", " : "", number);
    else
        ++*n;
}

static void end_list(char *list, size_t size, int more)
{
    const size_t at = strlen(list);

    if (more > 0)
        snprintf(list + at, size - at, " and %d more", more);
}

static bosc_status choose_pieces(bosc_merger *m, bosc_merged *merged)
{
    const int n_all = m->input[0].n_all;
    bosc_merge_piece *best = bosc_alloc((size_t)n_all, sizeof *best);
    int more = 0, more_failed = 0;

    m->piece = best;
    if (best == NULL)
        return bosc_no_memory(m->err, "the members");
    for (int i = 0; i < n_all; ++i)
        best[i].number = -1;
    for (int f = 0; f < m->n_inputs; ++f)
        for (int i = 0; i < m->input[f].n_members; ++i) {
            const bosc_merge_piece own = {m->input[f].number[i], f, i};

            if (best[own.number].number < 0 ||
                is_better(m, &best[own.number], &own))
                best[own.number] = own;
        }
    for (int i = 0; i < n_all; ++i) {
        if (best[i].number < 0) {
            add_number(merged->missing, sizeof merged->missing, i, &more);
            continue;
        }
        if (m->input[best[i].input].status[best[i].index] != 0)
            add_number(merged->failed, sizeof merged->failed, i, &more_failed);
        best[m->n_pieces++] = best[i];
    }
    end_list(merged->missing, sizeof merged->missing, more);
    end_list(merged->failed, sizeof merged->failed, more_failed);
    merged->n_members = m->n_pieces;
    merged->n_all = n_all;
    return BOSC_OK;
}

bosc_status bosc_merge_open(bosc_merger *m, bosc_merged *merged)
{
    const bosc_merge_request *request = m->request;
    bosc_status st = BOSC_OK;

    m->input = bosc_alloc((size_t)request->n + 1, sizeof *m->input);
    if (m->input == NULL)
        return bosc_no_memory(m->err, "the inputs");
    if (!request->overwrite && access(request->output, F_OK) == 0) {
        m->there = true;
        st = open_input(m, request->output);
        if (st == BOSC_OK && m->n_inputs == 0)
            st = bosc_fail(m->err, BOSC_EOUTPUT,
                           "%s: holds something else than members of a sweep; "
                           "choose another output, move it away, or replace it "
                           "with --overwrite",
                           request->output);
    }
    for (int i = 0; i < request->n && st == BOSC_OK; ++i)
        st = open_input(m, request->path[i]);
    if (st == BOSC_OK && m->n_inputs == 0)
        st = bosc_fail(m->err, BOSC_ENOINPUT,
                       "%s: there is nothing to merge: none of %d file%s can "
                       "be used",
                       request->output, request->n, request->n == 1 ? "" : "s");
    return st == BOSC_OK ? choose_pieces(m, merged) : st;
}

void bosc_merge_close(bosc_merger *m)
{
    for (int f = 0; f < m->n_inputs; ++f)
        input_clear(&m->input[f]);
    free(m->input);
    free(m->piece);
    free(m->contents);
    if (m->nc >= 0)
        nc_close(m->nc);
}
