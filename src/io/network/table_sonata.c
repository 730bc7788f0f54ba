#include "src/io/network/table_sonata.h"

#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

enum { MOST_POPULATIONS = 256, NAMES = 300 };

static bool add_group(bosc_sonata *s, const char *file, const char *path,
                      int nc)
{
    char *name = bosc_format("%s:%s", file, path);

    if (name == NULL)
        return false;
    s->group[s->n++] = (bosc_input){name, nc};
    return true;
}

void bosc_sonata_clear(bosc_sonata *sonata)
{
    for (int g = 0; g < sonata->n; ++g)
        free((char *)sonata->group[g].path);
    *sonata = (bosc_sonata){0};
}

/* Does the table's column of projections mean this name? */
static bool is_meant(const bosc_table *table, const char *name)
{
    char wrong[BOSC_TABLE_WRONG];
    double value = 0;

    for (int c = 0; table != NULL && c < table->n_columns; ++c) {
        const bosc_table_column *column = &table->columns[c];

        if (strncmp(column->name, "projection|", 11) == 0)
            column->more->word(column->more->words, name, &value, wrong);
    }
    return value == 1;
}

/* The population of edges, of those in group 'edges'; its name. */
static bosc_status find_population(const bosc_input *in,
                                   const bosc_table *table, int edges,
                                   int *population, char name[NC_MAX_NAME + 1],
                                   bosc_error *err)
{
    int all[MOST_POPULATIONS], n = 0;
    char names[NAMES] = "";

    if (nc_inq_grps(edges, &n, NULL) != NC_NOERR || n > MOST_POPULATIONS ||
        nc_inq_grps(edges, &n, all) != NC_NOERR)
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s:/edges: has no groups, or over %d; it must have "
                         "one for each population of edges",
                         in->path, MOST_POPULATIONS);
    for (int g = 0; g < n; ++g) {
        const size_t at = strlen(names);

        *population = all[g];
        name[0] = '\0';
        nc_inq_grpname(all[g], name);
        if (n == 1 || is_meant(table, name))
            return BOSC_OK;
        snprintf(names + at, sizeof names - at, "%s%s", g > 0 ? ", " : "",
                 name);
    }
    return bosc_fail(err, BOSC_EFORMAT,
                     "%s:/edges: has %d populations of edges, %s; give the "
                     "projection the name of one",
                     in->path, n, n > 0 ? names : "none");
}

/* Groups of attributes are called 0, 1, ... */
static bosc_status check_groups(const bosc_input *in, const char *path,
                                int population, bosc_error *err)
{
    int group;

    if (nc_inq_grp_ncid(population, "1", &group) != NC_NOERR)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EFORMAT,
                     "%s:%s: has several groups of attributes, 0, 1, ...; "
                     "write its edges with one",
                     in->path, path);
}

static bool has(const bosc_sonata *sonata, const char *name)
{
    int variable;

    for (int g = 0; g < sonata->n; ++g)
        if (nc_inq_varid(sonata->group[g].nc, name, &variable) == NC_NOERR)
            return true;
    return false;
}

/* Weights of two conventions, in nS and in uS. */
static bosc_status check_weights(const bosc_sonata *sonata, bosc_error *err)
{
    if (!has(sonata, "conductance") || !has(sonata, "syn_weight"))
        return BOSC_OK;
    return bosc_fail(err, BOSC_EFORMAT,
                     "%s: has both conductance (nS) and syn_weight (uS); leave "
                     "out one",
                     sonata->group[0].path);
}

bosc_status bosc_sonata_open(const bosc_input *in, const bosc_table *table,
                             bosc_sonata *out, bosc_error *err)
{
    char name[NC_MAX_NAME + 1], path[NC_MAX_NAME + 40];
    int edges, population = -1, group, format = 0;
    bosc_status st = BOSC_OK;
    bool enough;

    *out = (bosc_sonata){0};
    nc_inq_format(in->nc, &format);
    if (format != NC_FORMAT_NETCDF4 ||
        nc_inq_grp_ncid(in->nc, "edges", &edges) != NC_NOERR) {
        enough = add_group(out, in->path, "", in->nc);
        if (enough) /* the file is called as it is */
            ((char *)out->group[0].path)[strlen(in->path)] = '\0';
        return enough ? BOSC_OK : bosc_no_memory(err, in->path);
    }
    out->is = true;
    st = find_population(in, table, edges, &population, name, err);
    if (st != BOSC_OK)
        return st;
    snprintf(path, sizeof path, "/edges/%s", name);
    if ((st = check_groups(in, path, population, err)) != BOSC_OK)
        return st;
    enough = add_group(out, in->path, path, population);
    if (enough && nc_inq_grp_ncid(population, "0", &group) == NC_NOERR) {
        strcat(path, "/0");
        enough = add_group(out, in->path, path, group);
        if (enough &&
            nc_inq_grp_ncid(group, "dynamics_params", &group) == NC_NOERR) {
            strcat(path, "/dynamics_params");
            enough = add_group(out, in->path, path, group);
        }
    }
    return enough ? check_weights(out, err) : bosc_no_memory(err, in->path);
}

const char *bosc_sonata_unit(const bosc_sonata *sonata, const char *name)
{
    return sonata->is && strcmp(name, "conductance") == 0 ? "nS" : "";
}

bosc_status bosc_sonata_unknown(const bosc_sonata *sonata,
                                bosc_sonata_found *found, const void *what,
                                bosc_error *err)
{
    /* places, and how the edge was found */
    static const char *const told[] = {"afferent_",  "efferent_",
                                       "spine_",     "morpho_",
                                       "synapse_id", "syn_type_id"};
    enum { MOST_ATTRIBUTES = 512 };

    for (int g = 1; g < sonata->n; ++g) {
        const bosc_input *in = &sonata->group[g];
        int id[MOST_ATTRIBUTES], n = 0;

        if (nc_inq_varids(in->nc, &n, NULL) != NC_NOERR ||
            n > MOST_ATTRIBUTES || nc_inq_varids(in->nc, &n, id) != NC_NOERR)
            return bosc_fail(err, BOSC_EFORMAT,
                             "%s: its attributes cannot be listed", in->path);
        for (int v = 0; v < n; ++v) {
            char name[NC_MAX_NAME + 1] = "?";
            bool known = found(what, in, id[v]);

            nc_inq_varname(in->nc, id[v], name);
            for (size_t k = 0; k < BOSC_LEN(told) && !known; ++k)
                known = strncmp(name, told[k], strlen(told[k])) == 0;
            if (!known)
                return bosc_fail(
                    err, BOSC_EFORMAT,
                    "%s: attribute '%s' of the edges is no parameter of the "
                    "kinds of 'synapses'; give it the name that the mod file "
                    "has for it, or leave it out",
                    in->path, name);
        }
    }
    return BOSC_OK;
}

bosc_status bosc_sonata_check(const bosc_sonata *sonata, size_t first, size_t n,
                              bosc_error *err)
{
    static const char *const names[] = {"edge_group_id", "edge_group_index"};
    double *values;
    int variable;
    bosc_status st = BOSC_OK;

    if (!sonata->is)
        return BOSC_OK;
    if ((values = bosc_alloc(n, sizeof *values)) == NULL)
        return bosc_no_memory(err, sonata->group[0].path);
    for (int k = 0; k < 2 && n > 0 && st == BOSC_OK; ++k) {
        const bosc_input *in = &sonata->group[0];

        if (nc_inq_varid(in->nc, names[k], &variable) != NC_NOERR)
            continue; /* one group in the order of the edges */
        if (nc_get_vara_double(in->nc, variable, &first, &n, values) !=
            NC_NOERR)
            st = bosc_fail(err, BOSC_EFORMAT,
                           "%s: %s: it must be as long as source_node_id",
                           in->path, names[k]);
        for (size_t i = 0; i < n && st == BOSC_OK; ++i)
            if (values[i] != (k == 0 ? 0 : (double)(first + i)))
                st = bosc_fail(err, BOSC_EFORMAT,
                               "%s: %s[%zu]: %.15g; it must be %zu: write "
                               "edges of one group, in its order",
                               in->path, names[k], first + i, values[i],
                               k == 0 ? 0 : first + i);
    }
    free(values);
    return st;
}
