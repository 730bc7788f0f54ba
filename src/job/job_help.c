/* job_help.c - the table of keys, printed for people. */
#include "src/job/job_keys.h"

#include <stdio.h>
#include <string.h>

/* Indented, in lines of at most 80 columns. */
static void print_wrapped(FILE *file, const char *text)
{
    int column = fprintf(file, "   ");

    while (*text != '\0') {
        const int word = (int)strcspn(text, " ");

        if (column + 1 + word > 80)
            column = fprintf(file, "\n   ") - 1;
        column += fprintf(file, " %.*s", word, text);
        text += word + (text[word] == ' ');
    }
    fputc('\n', file);
}

/* "v: membrane voltage, in mV", each variable in a line. */
static void print_variables(FILE *file)
{
    char name[BOSC_VARIABLE_NAME], meaning[120];
    bosc_variable variable;

    for (int i = 0; bosc_variable_at(i, &variable); ++i) {
        const char *unit = bosc_variable_unit(variable);
        const bool pure = strcmp(unit, "1") == 0;

        fprintf(file, "      %s: %s%s%s\n",
                bosc_variable_name(variable, '.', name),
                bosc_variable_meaning(variable, meaning, sizeof meaning),
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
    print_wrapped(file, key->meaning);
    if (key->type == BOSC_KEY_VARIABLES)
        print_variables(file);
}

static void print_params(FILE *file, const char *parent, int m)
{
    for (int i = 0; i < bosc_mech_at(m)->n_params; ++i) {
        const bosc_key key = bosc_key_of_mech(m, i);
        char standard[32];

        snprintf(standard, sizeof standard, "%g",
                 bosc_mech_at(m)->params[i].standard);
        print_key(file, parent, &key, standard);
    }
}

static void print_mech(FILE *file, int m)
{
    char parent[80];

    fprintf(file, BOSC_REGION_PATH ".%s  (group)\n", bosc_mech_at(m)->name);
    print_wrapped(file, "mechanism; {} inserts it with its defaults, false "
                        "removes an inherited one");
    snprintf(parent, sizeof parent, BOSC_REGION_PATH ".%s.",
             bosc_mech_at(m)->name);
    print_params(file, parent, m);
}

static void print_point(FILE *file, const char *parent, int m)
{
    fprintf(file, "  of type %s:\n", bosc_mech_at(m)->name);
    print_params(file, parent, m);
}

/* What follows a key that the table of mechanisms continues. */
static void print_mechs(FILE *file, const char *path, bosc_mech_kind kind)
{
    for (int m = 0; m < bosc_n_mechs(); ++m)
        if (strcmp(path, BOSC_REGION_PATH ".cm") == 0 &&
            bosc_mech_at(m)->kind == kind)
            print_mech(file, m);
}

static void print_points(FILE *file, const char *path)
{
    for (int m = 0; m < bosc_n_mechs(); ++m)
        if (strcmp(path, BOSC_SYNAPSE_PATH ".type") == 0 &&
            bosc_point_fits(path, bosc_mech_at(m)))
            print_point(file, BOSC_SYNAPSE_PATH ".", m);
        else if (strcmp(path, BOSC_POINT_PATH ".type") == 0 &&
                 bosc_point_fits(path, bosc_mech_at(m)))
            print_point(file, BOSC_POINT_PATH ".", m);
}

void bosc_job_print_keys(FILE *file)
{
    const bosc_key *keys = bosc_job_schema.keys;

    fprintf(file,
            "Keys of a job file: default, (type, range and unit), meaning.\n"
            "[] stands for each entry of a list, in --set for its index or "
            "name;\n"
            "REGION for all, soma, axon, dendrite, apical or custom;\n"
            "DRAW for weight, delay or conductance, which may have one of its "
            "keys\n"
            "besides min and max.\n\n");
    for (int i = 0; i < bosc_job_schema.n_keys; ++i) {
        print_key(file, "", &keys[i], keys[i].standard);
        print_mechs(file, keys[i].path, BOSC_MECH_DENSITY);
        print_mechs(file, keys[i].path, BOSC_MECH_ION);
        print_points(file, keys[i].path);
    }
}
