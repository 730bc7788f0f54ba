#include "partition/union_find.h"

int64_t bosc_union_root(int64_t *leader, int64_t i)
{
    while (leader[i] != i) {
        leader[i] = leader[leader[i]]; /* halve the way for the next time */
        i = leader[i];
    }
    return i;
}

void bosc_union_join(int64_t *leader, int64_t a, int64_t b)
{
    a = bosc_union_root(leader, a);
    b = bosc_union_root(leader, b);
    if (a < b)
        leader[b] = a;
    else
        leader[a] = b;
}
