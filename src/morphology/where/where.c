/* where.c - predicates of compartments as data: copy, compare, print. */
#include "src/morphology/where/where.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/text/print.h"

bosc_status bosc_where_add(bosc_where *where, const bosc_where_node *node,
                           bosc_error *err)
{
    if (!bosc_grow(&where->node, &where->capacity, where->n + 1, sizeof *node))
        return bosc_no_memory(err, "'where' of a region");
    where->node[where->n] = *node;
    where->node[where->n++].n_below = 0;
    return BOSC_OK;
}

void bosc_where_close(bosc_where *where, size_t at)
{
    where->node[at].n_below = (int32_t)(where->n - at - 1);
}

void bosc_where_clear(bosc_where *where)
{
    free(where->source);
    free(where->node);
    *where = (bosc_where){0};
}

static bool same_place(const bosc_where_place *a, const bosc_where_place *b)
{
    return a->in_section == b->in_section && a->region == b->region &&
           a->number == b->number && a->x == b->x;
}

static bool same_node(const bosc_where_node *a, const bosc_where_node *b)
{
    return a->kind == b->kind && a->n_below == b->n_below &&
           a->index == b->index && a->region == b->region &&
           a->first == b->first && a->last == b->last && a->low == b->low &&
           a->high == b->high && same_place(&a->place[0], &b->place[0]) &&
           same_place(&a->place[1], &b->place[1]);
}

bool bosc_where_same(const bosc_where *a, const bosc_where *b)
{
    for (size_t i = 0; i < a->n && a->n == b->n; ++i)
        if (!same_node(&a->node[i], &b->node[i]))
            return false;
    return a->n == b->n;
}

/* --- text ---------------------------------------------------------------- */

static void print_range(const bosc_where_node *node, FILE *file)
{
    bosc_print_real(file, node->low);
    fputs(" to ", file);
    bosc_print_real(file, node->high);
}

static void print_place(const bosc_where_place *place, FILE *file)
{
    char name[BOSC_SECTION_NAME];

    if (!place->in_section) {
        fputs("soma", file);
        return;
    }
    fprintf(file, "%s(", bosc_section_name(place->region, place->number, name));
    bosc_print_real(file, place->x);
    fputc(')', file);
}

static void print_sections(const bosc_where_node *node, FILE *file)
{
    fprintf(file, "%s[%d-", bosc_region_prefixes[node->region],
            (int)node->first);
    if (node->last < INT32_MAX)
        fprintf(file, "%d", (int)node->last);
    fputc(']', file);
}

static void print_leaf(const bosc_where_node *node, FILE *file)
{
    static const char *const words[BOSC_N_WHERE_KINDS] = {
        [BOSC_WHERE_REGION] = "region ",     [BOSC_WHERE_TYPE] = "type ",
        [BOSC_WHERE_DISTANCE] = "distance ", [BOSC_WHERE_AT] = "at ",
        [BOSC_WHERE_DIAMETER] = "diameter ", [BOSC_WHERE_ORDER] = "order ",
        [BOSC_WHERE_BETWEEN] = "between ",   [BOSC_WHERE_TIP] = "tip"};

    if (words[node->kind] != NULL)
        fputs(words[node->kind], file);
    if (node->kind == BOSC_WHERE_REGION || node->kind == BOSC_WHERE_TYPE)
        fprintf(file, "%d", (int)node->index);
    if (node->kind == BOSC_WHERE_KIND)
        fputs(bosc_region_names[node->region], file);
    if (node->kind == BOSC_WHERE_SECTIONS)
        print_sections(node, file);
    if (node->kind == BOSC_WHERE_DISTANCE ||
        node->kind == BOSC_WHERE_DIAMETER || node->kind == BOSC_WHERE_ORDER)
        print_range(node, file);
    if (node->kind == BOSC_WHERE_AT)
        bosc_print_real(file, node->low);
    if (node->kind == BOSC_WHERE_POINT)
        print_place(&node->place[0], file);
    if ((node->kind == BOSC_WHERE_DISTANCE || node->kind == BOSC_WHERE_AT) &&
        node->place[0].in_section) {
        fputs(" from ", file);
        print_place(&node->place[0], file);
    }
    if (node->kind == BOSC_WHERE_BETWEEN) {
        print_place(&node->place[0], file);
        fputs(" and ", file);
        print_place(&node->place[1], file);
    }
}

static void print_node(const bosc_where *where, size_t at, FILE *file)
{
    const bosc_where_node *node = &where->node[at];
    const bool or = node->kind == BOSC_WHERE_OR;

    if (node->kind > BOSC_WHERE_NOT) {
        print_leaf(node, file);
        return;
    }
    fputs(node->kind == BOSC_WHERE_NOT ? "not (" : "(", file);
    if (node->n_below == 0)
        fputs(or ? "none" : "all", file);
    for (size_t i = at + 1; i <= at + (size_t)node->n_below;
         i += 1 + (size_t)where->node[i].n_below) {
        if (i > at + 1)
            fputs(or ? " or " : " and ", file);
        print_node(where, i, file);
    }
    fputc(')', file);
}

void bosc_where_print(const bosc_where *where, FILE *file)
{
    if (where->n == 0)
        fputs("all", file);
    else
        print_node(where, 0, file);
}
