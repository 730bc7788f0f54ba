/* job_help.c - the table of keys, printed for people. */
#include "src/job/job_keys.h"

#include <stdio.h>
#include <string.h>

#include "src/text/wrap.h"

enum { INDENT = 4 }; /* of meanings */

/* "v: membrane voltage, in mV", each variable in a line. */
static void print_variables(const bosc_mechs *mechs, FILE *file)
{
    char name[BOSC_VARIABLE_NAME], meaning[120];
    bosc_variable variable;

    for (int i = 0; bosc_variable_at(mechs, i, &variable); ++i) {
        const char *unit = bosc_variable_unit(mechs, variable);
        const bool pure = strcmp(unit, "1") == 0;

        fprintf(file, "      %s: %s%s%s\n",
                bosc_variable_name(mechs, variable, '.', name),
                bosc_variable_meaning(mechs, variable, meaning, sizeof meaning),
                pure ? "" : ", in ", pure ? "" : unit);
    }
}

/* "dt: 0.025  (number, 1e-06 to 10 ms)" and the meaning below it. */
static void print_key(FILE *file, const char *parent, const bosc_key *key,
                      const char *standard)
{
    fprintf(file, "%s%s", parent, key->path);
    if (standard != NULL && strcmp(standard, "{}") != 0)
        fprintf(file, ": %s", standard);
    fprintf(file, "  (%s", bosc_value_types[key->type].name);
    if (key->low < key->high)
        fprintf(file, ", %g to %g%s%s", key->low, key->high,
                key->unit[0] != '\0' ? " " : "", key->unit);
    fprintf(file, "%s)\n", key->required ? ", required" : "");
    bosc_wrap_print(file, INDENT, "", "%s", key->meaning);
}

static void print_params(FILE *file, const char *parent, const bosc_mech *mech)
{
    for (int i = 0; i < mech->n_params; ++i) {
        const bosc_key key = bosc_key_of_mech(mech, i);
        char standard[32];

        snprintf(standard, sizeof standard, "%g", mech->params[i].standard);
        print_key(file, parent, &key, standard);
    }
}

static void print_mech(FILE *file, const bosc_mech *mech)
{
    char parent[80];

    fprintf(file, BOSC_REGION_PATH ".%s  (group)\n", mech->name);
    bosc_wrap_print(file, INDENT, "",
                    "mechanism; {} inserts it with its defaults, false removes "
                    "an inherited one");
    snprintf(parent, sizeof parent, BOSC_REGION_PATH ".%s.", mech->name);
    print_params(file, parent, mech);
}

/* What follows a key that the table of mechanisms continues. */
static void print_mechs(const bosc_mechs *mechs, FILE *file, const char *path,
                        bosc_mech_kind kind)
{
    for (int m = 0; m < mechs->n; ++m)
        if (strcmp(path, BOSC_REGION_PATH ".cm") == 0 &&
            mechs->mech[m]->kind == kind)
            print_mech(file, mechs->mech[m]);
}

static void print_points(const bosc_mechs *mechs, FILE *file, const char *path)
{
    static const char *const lists[] = {BOSC_SYNAPSE_PATH, BOSC_ARTIFICIAL_PATH,
                                        BOSC_POINT_PATH};
    char parent[60], type[80];

    for (size_t i = 0; i < BOSC_LEN(lists); ++i) {
        snprintf(parent, sizeof parent, "%s.", lists[i]);
        snprintf(type, sizeof type, "%stype", parent);
        for (int m = 0; strcmp(path, type) == 0 && m < mechs->n; ++m)
            if (bosc_point_fits(path, mechs->mech[m])) {
                fprintf(file, "  of type %s:\n", mechs->mech[m]->name);
                print_params(file, parent, mechs->mech[m]);
            }
    }
}

/* A key, with what the table of mechanisms adds to it. */
static void print_whole_key(const bosc_mechs *mechs, const bosc_key *key,
                            FILE *file)
{
    print_key(file, "", key, key->standard);
    if (key->type == BOSC_KEY_VARIABLES)
        print_variables(mechs, file);
    print_mechs(mechs, file, key->path, BOSC_MECH_DENSITY);
    print_mechs(mechs, file, key->path, BOSC_MECH_ION);
    print_points(mechs, file, key->path);
}

bool bosc_job_print_group(const bosc_mechs *mechs, const char *name, FILE *file)
{
    bool found = false;

    for (int i = 0; i < bosc_job_schema.n_keys; ++i) {
        const bosc_key *key = &bosc_job_schema.keys[i];
        const size_t n = strcspn(key->path, ".[");

        if (strlen(name) != n || strncmp(key->path, name, n) != 0)
            continue;
        found = true;
        print_whole_key(mechs, key, file);
    }
    return found;
}

void bosc_job_print_keys(const bosc_mechs *mechs, FILE *file)
{
    fprintf(file,
            "Keys of a job file: default, (type, range and unit), meaning.\n"
            "[] stands for each entry of a list, in --set for its index or "
            "name;\n"
            "REGION for all, soma, axon, dendrite, apical or custom;\n"
            "DRAW for weight, delay or conductance, which may have one of its "
            "keys\n"
            "besides min and max.\n\n");
    for (int i = 0; i < bosc_job_schema.n_keys; ++i)
        print_whole_key(mechs, &bosc_job_schema.keys[i], file);
}
