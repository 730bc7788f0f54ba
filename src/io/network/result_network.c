#include "src/io/network/result_network.h"

#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/io/result_file.h"

enum { CHUNK = 1 << 16 }; /* rows of one, which is compressed once */

enum {
    PROJECTION,
    SOURCE,
    TARGET,
    SECTION,
    X,
    WEIGHT,
    DELAY,
    SYNAPSE,
    END_WEIGHT,
    COLUMNS
};

static const bosc_meaning columns[COLUMNS] = {
    {"connection_projection", NC_INT, NULL, "its projection"},
    {"connection_source", NC_INT64, NULL,
     "number among the sources of its projection"},
    {"connection_target", NC_INT64, NULL,
     "number among the targets of its projection"},
    {"connection_section", NC_INT, NULL,
     "section of the target: its number, those of soma, axon, dendrite, "
     "apical and custom in this order"},
    {"connection_x", NC_DOUBLE, NULL, "position in the section, 0 to 1"},
    {"connection_weight", NC_DOUBLE, "uS", "weight"},
    {"connection_delay", NC_DOUBLE, "ms", "delay"},
    {"connection_synapse", NC_INT, NULL, "kind of its synapse"},
    {"connection_end_weight", NC_DOUBLE, "uS", "weight at the end of the run"},
};

/* Numbers from 0, and what they mean. */
static void put_flags(bosc_result *s, int var, int n, const char *const *names)
{
    int *values = bosc_alloc((size_t)n, sizeof *values);
    char *text = bosc_strdup("");

    for (int i = 0; i < n && values != NULL && text != NULL; ++i) {
        char *more = bosc_format("%s%s%s", text, i > 0 ? " " : "", names[i]);

        values[i] = i;
        free(text);
        text = more;
    }
    if (values == NULL || text == NULL)
        bosc_result_ok(s, NC_ENOMEM, "write attribute", "flag_meanings");
    else if (s->failure.code == 0 && n > 0)
        bosc_result_ok(s,
                       nc_put_att_int(s->nc, var, "flag_values", NC_INT,
                                      (size_t)n, values),
                       "write attribute", "flag_values");
    if (text != NULL)
        bosc_result_text(s, var, "flag_meanings", text);
    free(values);
    free(text);
}

bosc_status bosc_result_network_begin(bosc_result *s,
                                      bosc_result_network *network,
                                      bosc_error *err)
{
    const size_t chunk =
        network->n < CHUNK && network->n > 0 ? (size_t)network->n : CHUNK;
    const double bytes = (double)network->n * 8 * (COLUMNS + network->n_params);

    network->at = 0;
    if (!bosc_result_fits(s, bytes))
        return bosc_result_status(s, err);

    const int dim = bosc_result_dim(s, "connection", (size_t)network->n);

    for (int c = 0; c < COLUMNS; ++c)
        if (c != END_WEIGHT || network->plastic)
            network->id[c] = bosc_result_var(s, &columns[c], 1, &dim, &chunk);
    put_flags(s, network->id[PROJECTION], network->n_projections,
              network->projections);
    put_flags(s, network->id[SYNAPSE], network->n_kinds, network->kinds);
    for (int p = 0; p < network->n_params; ++p) {
        char *name = bosc_format("synapse_%s", network->params[p]);
        const bosc_meaning meaning = {name, NC_DOUBLE, network->units[p],
                                      "parameter of its synapse"};

        if (name != NULL)
            network->param_id[p] =
                bosc_result_var(s, &meaning, 1, &dim, &chunk);
        else
            bosc_result_ok(s, NC_ENOMEM, "define variable", network->params[p]);
        free(name);
    }
    return bosc_result_status(s, err);
}

bosc_status bosc_result_network_add(bosc_result *s,
                                    bosc_result_network *network,
                                    const bosc_result_connections *some,
                                    bosc_error *err)
{
    const void *const values[COLUMNS] = {
        some->projection, some->source, some->target, some->section,   some->x,
        some->weight,     some->delay,  some->kind,   some->end_weight};
    const size_t start = (size_t)network->at, count = some->n;

    for (int c = 0; c < COLUMNS && count > 0; ++c)
        if (c != END_WEIGHT || network->plastic)
            bosc_result_put(s, network->id[c], &start, &count, values[c],
                            columns[c].name);
    for (int p = 0; p < network->n_params && count > 0; ++p)
        bosc_result_put(s, network->param_id[p], &start, &count,
                        some->numbers + (size_t)p * count, network->params[p]);
    network->at += (int64_t)count;
    return bosc_result_status(s, err);
}
