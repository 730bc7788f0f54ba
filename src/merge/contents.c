/* contents.c - with which files members were computed, and whether these were
 * the same for all.
 *
 * The attribute 'sweep_contents' of a result has a line "CHECKSUM NAME" for
 * each file, mechanism, and list of neurons, in the order of names
 * (src/run/run_contents.c).  Members of a sweep may have different ones; but
 * one that several have is the same.
 */
#include <stdio.h>
#include <string.h>

#include "src/merge/parts.h"

static const char attribute[] = "sweep_contents";

/* A line of it. */
typedef struct line {
    const char *sum, *name;
    int n_sum, n_name;
} line;

/* The line at *at, which moves on to the next; false: there is none. */
static bool next_line(const char **at, line *out)
{
    const char *end = strchr(*at, '\n'), *blank = strchr(*at, ' ');

    if (end == NULL || blank == NULL || blank > end)
        return false;
    *out = (line){*at, blank + 1, (int)(blank - *at), (int)(end - blank) - 1};
    *at = end + 1;
    return true;
}

static int compare_names(const line *a, const line *b)
{
    const int n = a->n_name < b->n_name ? a->n_name : b->n_name;
    const int order = memcmp(a->name, b->name, (size_t)n);

    return order != 0 ? order
                      : (a->n_name > b->n_name) - (a->n_name < b->n_name);
}

static bool same_sum(const line *a, const line *b)
{
    return a->n_sum == b->n_sum &&
           memcmp(a->sum, b->sum, (size_t)a->n_sum) == 0;
}

/* Put the lines of two texts together; *other is the first of 'b' that 'a' has
 * with another checksum. */
static const char *join(bosc_merger *m, const char *a, const char *b,
                        line *other)
{
    char *text = bosc_merge_new(m, strlen(a) + strlen(b) + 1, 1), *to = text;
    line x, y;
    bool has_x = next_line(&a, &x), has_y = next_line(&b, &y);

    while (has_x || has_y) {
        const int order = !has_x ? 1 : !has_y ? -1 : compare_names(&x, &y);
        const line *first = order <= 0 ? &x : &y;

        if (order == 0 && !same_sum(&x, &y) && other->name == NULL)
            *other = y;
        to += sprintf(to, "%.*s %.*s\n", first->n_sum, first->sum,
                      first->n_name, first->name);
        if (order <= 0)
            has_x = next_line(&a, &x);
        if (order >= 0)
            has_y = next_line(&b, &y);
    }
    return text;
}

/* The input before 'in' that has the same with another checksum. */
static const char *find_other(bosc_merger *m, const bosc_merge_input *in,
                              const line *what)
{
    const char *path = m->input[0].path;

    for (int f = 0; f < m->n_inputs && m->input[f].path != in->path; ++f) {
        const char *at = bosc_merge_text(m, m->input[f].nc, attribute);
        line own;

        while (at != NULL && next_line(&at, &own))
            if (compare_names(&own, what) == 0 && !same_sum(&own, what))
                path = m->input[f].path;
    }
    return path;
}

static _Noreturn void refuse(bosc_merger *m, const bosc_merge_input *in,
                             const line *what)
{
    const char *output = m->request->output;
    const bool merged = strcmp(m->input[0].path, output) == 0;

    bosc_merge_stop(
        m,
        bosc_fail(m->err, BOSC_EVALUE,
                  "%s: %.*s was another one than when %s was computed; run "
                  "the older of them again (bosc run --group K or --member "
                  "LIST, with --overwrite)%s%s%s",
                  in->path, what->n_name, what->name, find_other(m, in, what),
                  merged ? ", and merge with --overwrite, for " : "",
                  merged ? output : "", merged ? " has them, too" : ""));
}

void bosc_merge_add_contents(bosc_merger *m, const bosc_merge_input *in)
{
    const char *own = bosc_merge_text(m, in->nc, attribute);
    line other = {0};

    if (own == NULL) /* of an earlier version */
        return;
    m->contents = join(m, m->contents != NULL ? m->contents : "", own, &other);
    if (other.name != NULL)
        refuse(m, in, &other);
}
