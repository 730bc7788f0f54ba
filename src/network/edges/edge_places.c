/* edge_places.c - where on their neurons the edges of a list end. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/base/mem.h"
#include "src/model/locate.h"
#include "src/morphology/cable.h"
#include "src/network/edges/edge_list.h"

bosc_status bosc_section_ids_find(bosc_section_ids *ids,
                                  const bosc_cable *cable, bosc_error *err)
{
    int32_t next[BOSC_N_REGIONS] = {0}, sum = 0;

    if (!bosc_grow(&ids->section, &ids->room, (size_t)cable->n_sections,
                   sizeof *ids->section))
        return bosc_no_memory(err, "the sections of a neuron");
    for (int32_t s = 0; s < cable->n_sections; ++s)
        ++next[cable->sections[s].region];
    for (int r = 0; r < BOSC_N_REGIONS; ++r) {
        ids->first[r] = sum;
        sum += next[r];
    }
    ids->first[BOSC_N_REGIONS] = ids->n = sum;
    for (int32_t s = 0; s < cable->n_sections; ++s) {
        const bosc_cable_section *of = &cable->sections[s];

        /* numbers of a region are 0, 1, ... (section.c) */
        ids->section[ids->first[of->region] + of->number] = s;
    }
    return BOSC_OK;
}

void bosc_section_ids_clear(bosc_section_ids *ids)
{
    free(ids->section);
    *ids = (bosc_section_ids){0};
}

/* The section that a code means as a place. */
static bosc_location place_of(double code, double x, char *where)
{
    const double word = -1 - code, number = floor(word / BOSC_EDGE_WORDS);
    const int region = (int)(word - BOSC_EDGE_WORDS * number);
    bosc_location at = {.kind = BOSC_AT_SECTION, .x = x, .where = where};

    at.region = region == BOSC_EDGE_MYELIN ? BOSC_CUSTOM : (bosc_region)region;
    at.number =
        region == BOSC_EDGE_MYELIN ? -1 - (int32_t)number : (int32_t)number;
    return at;
}

bosc_status bosc_edge_node(const bosc_edge_target *target,
                           const bosc_edge *edge, int32_t *node,
                           bosc_error *err)
{
    const bosc_model *model = target->model;
    const bosc_cable *cable = target->cable;
    const bosc_section_ids *ids = target->ids;
    const bosc_edge_list *list = &model->files->lists[target->link];
    const double code = bosc_edge_number(list, edge, list->section),
                 said = bosc_edge_number(list, edge, list->x),
                 x = isnan(said) ? 0.5 : said;
    char where[BOSC_EDGE_WHERE], name[200];

    *node = -1;
    if (isnan(code))
        return BOSC_OK;
    bosc_location at = place_of(code, x, where);

    if (code >= 0 && code < ids->n)
        *node = bosc_cable_section_node(cable, ids->section[(int32_t)code], x);
    else if (code < 0 && at.number >= 0 &&
             at.number < ids->first[at.region + 1] - ids->first[at.region])
        *node = bosc_cable_section_node(
            cable, ids->section[ids->first[at.region] + at.number], x);
    if (*node >= 0)
        return BOSC_OK;
    bosc_edge_where(bosc_network_link(&model->job->network, target->link), list,
                    edge, where);
    if (code < 0) { /* of myelin, or one that is not there */
        bosc_nodes nodes;
        const bosc_status st =
            bosc_locate_nodes(model, &at, target->neuron, &nodes, err);

        *node = nodes.first;
        return st;
    }
    bosc_locate_neuron(model, target->neuron, name, sizeof name);
    return bosc_fail(err, BOSC_EVALUE,
                     "%s: section %.0f: %s has sections 0 to %d, those of "
                     "soma, axon, dendrite, apical and custom in this order",
                     where, code, name, (int)ids->n - 1);
}
