/* reading_list.c - the terms of a set of readings, one after the other. */
#include <string.h>

#include "src/base/mem.h"
#include "src/batch/build_read.h"

/* From copies to sums: every reading so far is one term. */
static bool make_sums(bosc_reading_list *list)
{
    bosc_reading_set *set = list->set;

    set->first = bosc_alloc((size_t)list->n_columns + 1, sizeof *set->first);
    if (set->first == NULL ||
        !bosc_grow(&set->weight, &list->weight_room, (size_t)list->n + 1,
                   sizeof *set->weight))
        return false;
    for (ptrdiff_t i = 0; i <= set->n; ++i) /* of width 1, or there are none */
        set->first[i] = i;
    for (ptrdiff_t t = 0; t < list->n; ++t)
        set->weight[t] = 1;
    return true;
}

bosc_status bosc_reading_list_add(bosc_reading_list *list, int32_t array,
                                  ptrdiff_t at, const double *weight,
                                  bosc_error *err)
{
    bosc_reading_set *set = list->set;
    const size_t n = (size_t)list->n + 1, width = (size_t)set->width;
    const bool is_copy = list->n_open == 0 && width == 1 && weight[0] == 1;
    bool enough = bosc_grow(&set->term, &list->room, n, sizeof *set->term);

    if (array > BOSC_LAST_ARRAY)
        return bosc_fail(err, BOSC_ENOSUP,
                         "probes: this rank has more than %d kinds of states, "
                         "and one that is recorded comes after them; run "
                         "fewer members of the sweep at once, or more ranks",
                         BOSC_LAST_ARRAY);
    if (enough && !is_copy && set->first == NULL)
        enough = make_sums(list);
    if (enough && set->first != NULL)
        enough = bosc_grow(&set->weight, &list->weight_room, n * width,
                           sizeof *set->weight);
    if (!enough)
        return bosc_no_memory(err, "the probes");
    set->term[list->n] = bosc_term_make(array, at);
    if (set->first != NULL)
        memcpy(set->weight + (size_t)list->n * width, weight,
               width * sizeof *weight);
    ++list->n;
    ++list->n_open;
    return BOSC_OK;
}

void bosc_reading_list_end(bosc_reading_list *list)
{
    bosc_reading_set *set = list->set;

    for (int32_t k = 0; list->n_open > 0 && k < set->width; ++k) {
        set->group[set->n++] = list->group;
        list->recorded->column[list->recorded->n++] = list->column + k;
    }
    if (list->n_open > 0 && set->first != NULL)
        set->first[set->n / set->width] = list->n;
    list->n_open = 0;
    list->column += set->width;
}
