/* cable_order.c - number the nodes of a template depth first.
 *
 *   hang      each section on a node of a section: its host
 *   collect   the sections of each host, in one array
 *   measure   from the last section to the first: sort a host's sections and
 *             find the stack that its subtree needs
 *   number    from section 0 on, with a stack of sections instead of recursion
 *
 * A section's nodes are numbered one after the other, so its branches follow
 * in the order of their places, the farthest place first; at one place the
 * branch with the greatest need comes first, so that it goes on where the
 * section ends: what a row hands on to the row before it need not wait.  A walk
 * downwards from the last node meets branches in reverse: while it is in the
 * j-th, j - 1 results wait on the stack, and all wait when it starts at the
 * section's own tip.
 *
 * Example: a section of 2 compartments (nodes 0 to 3, node 3 its end) with
 * branches A and B of 1 compartment at its end and C in its first compartment:
 * A is 4, 5, B is 6, 7, C is 8, 9.  Downwards: C waits, B waits, A runs into
 * node 3, which takes B; node 1 takes C.  The stack had 2 places.
 */
#include "src/morphology/cable_order.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/* A section as a branch of its host. */
struct branch {
    int32_t at;   /* compartment of the host; -1: its node at x = 0 */
    int32_t need; /* places of stack */
    int32_t section;
};

struct tree {
    const bosc_sections *all;
    const int32_t *count;
    int32_t *host;         /* [n] section, -1: none */
    int32_t *at;           /* [n] compartment of the host */
    int32_t *start;        /* [n + 2] of each host's branches */
    int32_t *place;        /* [n] of each section among the branches */
    struct branch *branch; /* [n] */
};

/* x = 0 of a section that hangs on a node is that node.  Parts without any
 * connection hang on the first node. */
static void hang(struct tree *t)
{
    for (int32_t s = 0; s < t->all->n; ++s) {
        const bosc_section *sec = &t->all->section[s];
        const int32_t p = sec->parent;

        t->at[s] = -1;
        t->host[s] = p >= 0 ? p : s > 0 ? 0 : -1;
        if (p < 0)
            continue;
        if (sec->parent_x >= 1) {
            t->at[s] = t->count[p];
        } else if (sec->parent_x > 0) {
            t->at[s] = (int32_t)(sec->parent_x * t->count[p]);
        } else if (t->all->section[p].parent >= 0) {
            t->host[s] = t->host[p];
            t->at[s] = t->at[p];
        }
    }
}

static void collect(struct tree *t)
{
    const int32_t n = t->all->n;

    memset(t->start, 0, ((size_t)n + 2) * sizeof *t->start);
    for (int32_t s = 1; s < n; ++s)
        t->start[t->host[s] + 2]++;
    for (int32_t s = 2; s <= n; ++s)
        t->start[s] += t->start[s - 1];
    for (int32_t s = 1; s < n; ++s) { /* start[h + 1] grows up to h's end */
        const int32_t k = t->start[t->host[s] + 1]++;

        t->place[s] = k;
        t->branch[k] = (struct branch){.at = t->at[s], .section = s};
    }
}

static int compare(const void *a, const void *b)
{
    const struct branch *x = a, *y = b;

    if (x->at != y->at)
        return x->at > y->at ? -1 : 1;
    if (x->need != y->need)
        return x->need > y->need ? -1 : 1;
    return x->section < y->section ? -1 : 1;
}

static void measure(struct tree *t)
{
    for (int32_t s = t->all->n - 1; s >= 0; --s) {
        struct branch *b = t->branch + t->start[s];
        const int32_t n = t->start[s + 1] - t->start[s];

        if (n > 1)
            qsort(b, (size_t)n, sizeof *b, compare);
        int32_t need = n > 0 && b[0].at < t->count[s] ? n : 0;

        for (int32_t k = n - 1, waiting = 0; k >= 0; --k, ++waiting)
            if (waiting + b[k].need > need)
                need = waiting + b[k].need;
        if (s > 0)
            t->branch[t->place[s]].need = need;
    }
}

/* 'stack' has room for all sections: each is put there once. */
static void number(const struct tree *t, int32_t *stack, bosc_cable_order *out)
{
    int32_t depth = 0, next = 0;

    stack[depth++] = 0;
    while (depth > 0) {
        const int32_t s = stack[--depth];

        next += t->all->section[s].parent < 0;
        out->first[s] = next;
        out->host[s] = t->host[s] < 0 ? -1 : out->first[t->host[s]] + t->at[s];
        next += t->count[s] + 1;
        for (int32_t k = t->start[s + 1] - 1; k >= t->start[s]; --k)
            stack[depth++] = t->branch[k].section;
    }
}

void bosc_cable_order_free(bosc_cable_order *order)
{
    free(order->first);
    free(order->host);
}

bosc_status bosc_cable_order_create(const bosc_sections *sections,
                                    const int32_t *count, const char *name,
                                    bosc_cable_order *out, bosc_error *err)
{
    const int32_t n = sections->n;
    struct tree t = {.all = sections, .count = count};
    const bosc_array arrays[] = {
        BOSC_ARRAY(t.host, n), BOSC_ARRAY(t.at, n), BOSC_ARRAY(t.start, n + 2),
        BOSC_ARRAY(t.place, n), BOSC_ARRAY(t.branch, n)};
    bosc_cable_order made = {0};
    bosc_status st = BOSC_ALLOC(NULL, NULL, BOSC_ARRAY(made.first, n),
                                BOSC_ARRAY(made.host, n));
    void *room = bosc_arrays_room(BOSC_LEN(arrays), arrays);

    if (room == NULL || st != BOSC_OK) {
        st = bosc_fail(err, BOSC_ENOMEM, "%s: out of memory", name);
        bosc_cable_order_free(&made);
    } else {
        hang(&t);
        collect(&t);
        measure(&t);
        number(&t, t.place, &made); /* measure() was the last to need it */
        *out = made;
    }
    free(room);
    return st;
}
