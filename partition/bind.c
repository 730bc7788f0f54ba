#include "partition/bind.h"

int64_t bosc_bound_to(int64_t *leader, int64_t i)
{
    while (leader[i] != i) {
        leader[i] = leader[leader[i]]; /* halve the way for the next time */
        i = leader[i];
    }
    return i;
}

void bosc_bind(int64_t *leader, int64_t a, int64_t b)
{
    a = bosc_bound_to(leader, a);
    b = bosc_bound_to(leader, b);
    if (a < b)
        leader[b] = a;
    else
        leader[a] = b;
}
