/* job_places.c - values that name several places of a neuron: groups, lists. */
#include "src/job/grammar/job_where.h"

#include "src/base/mem.h"

bosc_status bosc_places_read(const bosc_yaml *node, const bosc_key *key,
                             void *field, bosc_error *err)
{
    bosc_location *to = field;

    if (node->kind == BOSC_YAML_SCALAR ||
        bosc_yaml_get(node, "section") != NULL)
        return bosc_location_read(node, key, to, err);
    *to = (bosc_location){.kind = BOSC_AT_WHERE};
    return BOSC_OK;
}

/* What a group says, below what was added last. */
static bosc_status add_group(const bosc_schema *schema, const bosc_yaml *node,
                             const bosc_own_regions *own, bosc_where *to,
                             bosc_error *err)
{
    bosc_where group = {0};
    bosc_status st = bosc_where_read(schema, node, own, &group, err);

    for (size_t i = 0; i < group.n && st == BOSC_OK; ++i) {
        st = bosc_where_add(to, &group.node[i], err);
        if (st == BOSC_OK)
            to->node[to->n - 1].n_below = group.node[i].n_below;
    }
    bosc_where_clear(&group);
    return st;
}

static bosc_status add_point(const bosc_yaml *node, const bosc_key *key,
                             bosc_where *to, bosc_error *err)
{
    bosc_location place;
    bosc_status st = bosc_point_read(node, key, &place, err);
    bosc_where_node point = {.kind = BOSC_WHERE_POINT, .line = node->line};

    if (st != BOSC_OK)
        return st;
    if (place.kind == BOSC_AT_SECTION)
        point.place[0] =
            (bosc_where_place){true, place.region, place.number, place.x + 0.0};
    return bosc_where_add(to, &point, err);
}

bosc_status bosc_places_complete(const bosc_schema *schema,
                                 const bosc_yaml *node,
                                 const bosc_own_regions *own, bosc_location *to,
                                 bosc_error *err)
{
    static const bosc_key key = {
        .path = "at", .type = BOSC_KEY_PLACES, .meaning = "places"};
    bosc_where made = {0};
    bosc_status st;

    if (node->kind == BOSC_YAML_MAP)
        return bosc_where_read(schema, node, own, &to->holds, err);
    if (node->n == 0)
        return bosc_yaml_fail(err, node, "at: the list is empty");
    made.source = bosc_strdup(node->source);
    st = made.source != NULL
             ? bosc_where_add(&made, &(bosc_where_node){.kind = BOSC_WHERE_OR},
                              err)
             : bosc_no_memory(err, node->source);
    for (size_t i = 0; i < node->n && st == BOSC_OK; ++i) {
        const bosc_yaml *one = node->child[i];

        st = one->kind == BOSC_YAML_MAP && bosc_yaml_get(one, "section") == NULL
                 ? add_group(schema, one, own, &made, err)
                 : add_point(one, &key, &made, err);
    }
    if (st == BOSC_OK) {
        bosc_where_close(&made, 0);
        to->holds = made;
    } else {
        bosc_where_clear(&made);
    }
    return st;
}
