/* inputs.c - which inputs can be merged, and which members they have. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/merge/parts.h"

/* All numbers of a variable over dimension 'member'; NULL: they cannot be read.
 */
static int *read_numbers(bosc_merger *m, const bosc_merge_input *in,
                         const char *name)
{
    int variable,
        *numbers = bosc_merge_new(m, (size_t)in->n_members, sizeof *numbers);

    return nc_inq_varid(in->nc, name, &variable) == NC_NOERR &&
                   nc_get_var_int(in->nc, variable, numbers) == NC_NOERR
               ? numbers
               : NULL;
}

/* Why an input cannot be used; NULL: it can. */
static const char *look(bosc_merger *m, bosc_merge_input *in)
{
    const char *completed = bosc_merge_text(m, in->nc, "completed");
    size_t n;
    double all;
    int dim;

    if (completed == NULL || strcmp(completed, "yes") != 0)
        return "it is no finished result of bosc";
    if (nc_inq_dimid(in->nc, "member", &dim) != NC_NOERR ||
        nc_inq_dimlen(in->nc, dim, &n) != NC_NOERR ||
        nc_get_att_double(in->nc, NC_GLOBAL, "sweep_members", &all) != NC_NOERR)
        return "it has no members of a sweep";
    in->n_members = (int)n;
    in->n_all = (int)all;
    in->number = read_numbers(m, in, "member");
    in->status = read_numbers(m, in, "member_status");
    if (in->number == NULL || in->status == NULL)
        return "its members cannot be read";
    for (int i = 0; i < in->n_members; ++i)
        if (in->number[i] < 0 || in->number[i] >= in->n_all)
            return "its members cannot be read";
    return NULL;
}

/* Are both of one sweep?  Values of swept keys, and of all others, are in its
 * checksum. */
static bool same_sweep(bosc_merger *m, const bosc_merge_input *a,
                       const bosc_merge_input *b)
{
    const char *x = bosc_merge_text(m, a->nc, "sweep"),
               *y = bosc_merge_text(m, b->nc, "sweep");

    return x != NULL && y != NULL && strcmp(x, y) == 0;
}

/* Open an input, the next one unless it is left out. */
static void open_input(bosc_merger *m, const char *path)
{
    bosc_merge_input *in = &m->input[m->n_inputs];
    const char *why = NULL;
    int nc;
    const int code = nc_open(path, NC_NOWRITE, &nc);

    if (code == NC_NOERR) {
        *in = (bosc_merge_input){.path = path, .nc = nc};
        ++m->n_inputs; /* it is open, and to be closed */
        why = look(m, in);
        if (why != NULL) {
            --m->n_inputs;
            nc_close(nc);
        }
    } else {
        why = nc_strerror(code);
    }
    if (why != NULL) {
        bosc_merge_tell(m, "%s is left out: %s", path, why);
        return;
    }
    if (!same_sweep(m, &m->input[0], in))
        bosc_merge_stop(
            m, bosc_fail(m->err, BOSC_EVALUE,
                         "%s and %s are of different sweeps, or of one whose "
                         "job was changed; merge those of one, into another "
                         "file where this is not",
                         m->input[0].path, path));
    bosc_merge_add_contents(m, in);
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

static void choose_pieces(bosc_merger *m)
{
    bosc_merged *merged = m->merged;
    const int n_all = m->input[0].n_all;
    bosc_merge_piece *best = bosc_merge_new(m, (size_t)n_all, sizeof *best);
    int more = 0, more_failed = 0;

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
    m->piece = best;
    merged->n_members = m->n_pieces;
    merged->n_all = n_all;
}

void bosc_merge_open(bosc_merger *m)
{
    const bosc_merge_request *request = m->request;

    m->input = bosc_merge_new(m, (size_t)request->n + 1, sizeof *m->input);
    if (!request->overwrite && access(request->output, F_OK) == 0) {
        m->there = true;
        open_input(m, request->output);
        if (m->n_inputs == 0)
            bosc_merge_stop(
                m, bosc_fail(m->err, BOSC_EOUTPUT,
                             "%s: holds something else than members of a "
                             "sweep; choose another output, move it away, or "
                             "replace it with --overwrite",
                             request->output));
    }
    for (int i = 0; i < request->n; ++i)
        open_input(m, request->path[i]);
    if (m->n_inputs == 0)
        bosc_merge_stop(
            m,
            bosc_fail(m->err, BOSC_ENOINPUT,
                      "%s: there is nothing to merge: none of %d file%s "
                      "can be used",
                      request->output, request->n, request->n == 1 ? "" : "s"));
    choose_pieces(m);
}
