#include "tests/lib/tree.h"

#include <stdlib.h>

#include "src/base/mem.h"

/* Children of node i are child[first[i]] to child[first[i + 1] - 1]. */
typedef struct forks {
    int32_t *first; /* [n + 2] */
    int64_t *child; /* [n] need << 32 | number: sorts by need, then number */
    int32_t *need;  /* [n] open branches while the subtree is walked */
} forks;

static void find_children(int32_t n, const int32_t *parent, forks *f)
{
    for (int32_t i = 1; i < n; ++i)
        ++f->first[parent[i] + 2];
    for (int32_t i = 0; i < n; ++i)
        f->first[i + 2] += f->first[i + 1];
    for (int32_t i = 1; i < n; ++i)
        f->child[f->first[parent[i] + 1]++] = i;
}

static int by_need(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Sort the children of every node.  The walk takes the last child first, and
 * keeps one more branch open for each child it has finished. */
static void sort_children(int32_t n, forks *f)
{
    for (int32_t i = n - 1; i >= 0; --i) {
        int64_t *child = f->child + f->first[i];
        const int32_t n_children = f->first[i + 1] - f->first[i];

        for (int32_t k = 0; k < n_children; ++k)
            child[k] |= (int64_t)f->need[child[k]] << 32;
        qsort(child, (size_t)n_children, sizeof *child, by_need);
        for (int32_t k = 0; k < n_children; ++k) {
            const int32_t open = (int32_t)(child[k] >> 32) + n_children - 1 - k;

            f->need[i] = open > f->need[i] ? open : f->need[i];
        }
    }
}

/* Number depth-first: what is left to number waits on a stack, which lies at
 * the far end of 'order'.  It cannot run over the numbered ones, because no
 * node is in both. */
static void walk(int32_t n, const forks *f, int32_t *order)
{
    int32_t top = n;

    order[--top] = 0;
    for (int32_t next = 0; next < n; ++next) {
        const int32_t i = order[top++];

        order[next] = i;
        for (int32_t k = f->first[i + 1] - 1; k >= f->first[i]; --k)
            order[--top] = (int32_t)(f->child[k] & INT32_MAX);
    }
}

bosc_status tree_order(int32_t n, const int32_t *parent, int32_t *order,
                       bosc_error *err)
{
    forks f = {
        .first = bosc_alloc((size_t)n + 2, sizeof *f.first),
        .child = bosc_alloc((size_t)n, sizeof *f.child),
        .need = bosc_alloc((size_t)n, sizeof *f.need),
    };
    bosc_status st = BOSC_OK;

    if (f.first == NULL || f.child == NULL || f.need == NULL) {
        st = bosc_fail(err, BOSC_ENOMEM, "out of memory for a tree of %d nodes",
                       n);
    } else if (n > 0) {
        find_children(n, parent, &f);
        sort_children(n, &f);
        walk(n, &f, order);
    }
    free(f.first);
    free(f.child);
    free(f.need);
    return st;
}

bosc_status tree_renumber(int32_t n, const int32_t *parent,
                          const int32_t *order, int32_t *new_parent,
                          bosc_error *err)
{
    int32_t *number = bosc_alloc((size_t)n, sizeof *number);

    if (number == NULL)
        return bosc_fail(err, BOSC_ENOMEM,
                         "out of memory for a tree of %d nodes", n);
    for (int32_t k = 0; k < n; ++k) {
        number[order[k]] = k;
        new_parent[k] = k == 0 ? -1 : number[parent[order[k]]];
    }
    free(number);
    return BOSC_OK;
}
