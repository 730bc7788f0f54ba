/* write.c - a cell as the text of a job. */
#include "src/import/cell.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/version.h"
#include "src/import/values.h"
#include "src/text/print.h"

enum { COLUMNS = 79 };

/* A comment in lines of at most so many columns; control characters become
 * blanks. */
static void print_comment(FILE *file, const char *first, const char *text)
{
    const char *indent = first;

    while (*text != '\0') {
        const size_t room = COLUMNS - strlen(first);
        size_t n = strlen(text);

        if (n > room) {
            for (n = room; n > 0 && text[n] != ' ';)
                --n;
            if (n == 0) /* a word that fits no line */
                n = strcspn(text, " ");
        }
        fputs(indent, file);
        for (size_t i = 0; i < n; ++i)
            fputc((unsigned char)text[i] < ' ' ? ' ' : text[i], file);
        fputc('\n', file);
        text += n;
        text += strspn(text, " ");
        indent = strcmp(first, "# - ") == 0 ? "#   " : first;
    }
}

static void print_head(bosc_cell *cell, FILE *file)
{
    bosc_import *imp = cell->imp;

    print_comment(file, "# ",
                  bosc_import_print(imp, "A model of others, made a job by %s:",
                                    bosc_version()));
    fputs("#\n", file);
    print_comment(file, "#   ", imp->how->command);
    fputs("#\n# from\n", file);
    for (size_t i = 0; i < imp->files.n; ++i)
        print_comment(file, "# - ",
                      bosc_import_relative(imp, imp->files.item[i]));
    fputs("#\n# What was decided, and what was left out:\n", file);
    for (size_t i = 0; i < imp->notes.n; ++i)
        print_comment(file, "# - ", imp->notes.item[i]);
    fputc('\n', file);
}

/* The mod files that the cell needs, and no others of their folder. */
static void print_mechanisms(bosc_cell *cell, FILE *file)
{
    bosc_import *imp = cell->imp;
    bosc_import_list done = {0};

    for (size_t i = 0; i < cell->n; ++i) {
        const char *mech = cell->statement[i].mech;
        const bosc_import_mod *mod =
            mech == NULL ? NULL : bosc_import_mods_find(&cell->mods, mech);

        if (mod == NULL || mod->path == NULL || mod->of_job ||
            bosc_import_list_has(&done, mech) ||
            (imp->how->has_mod != NULL &&
             imp->how->has_mod(imp->how->models, mod->path)))
            continue;
        if (done.n == 0)
            fputs("mechanisms:\n", file);
        bosc_import_add(imp, &done, mech);
        fprintf(file, "  - %s\n",
                bosc_import_quote(imp, bosc_import_relative(imp, mod->path)));
    }
}

static void print_settings(bosc_cell *cell, FILE *file)
{
    bosc_import *imp = cell->imp;
    const bool of_job = imp->how->of_job;
    const char *dt = cell->dt != NULL || of_job ? cell->dt : "0.025";

    if (!of_job)
        fprintf(file, "name: %s\n", bosc_import_quote(imp, cell->name));
    if (dt != NULL)
        fprintf(file, "dt: %s\n", dt);
    if (!of_job)
        fputs("tstop: 1000\n", file);
    if (cell->celsius != NULL)
        fprintf(file, "celsius: %s\n", cell->celsius);
    if (cell->v_init != NULL)
        fprintf(file, "v_init: %s\n", cell->v_init);
    print_mechanisms(cell, file);
    fputs("\npopulations:\n  - name: cell\n", file);
    if (!of_job || imp->how->morphology == NULL)
        fprintf(file, "    morphologies: %s\n",
                bosc_import_quote(imp,
                                  bosc_import_relative(imp, cell->morphology)));
    if (cell->axon != NULL)
        fprintf(file, "    axon: {replace: %s}\n", cell->axon);
    fputs("    discretisation: {odd_per: 40}\n    regions:\n", file);
}

/* --- regions ---------------------------------------------------------------
 */

static bool is_of(const bosc_entry *e, unsigned where, const char *group)
{
    return e->where == where && strcmp(e->group, group) == 0;
}

/* "NaTs: {gbar: 0.98}", or a line a key where that is too long. */
static void print_group(bosc_cell *cell, FILE *file, unsigned where,
                        const char *group)
{
    bosc_import *imp = cell->imp;
    const char *line = "", *comma = "";

    for (size_t i = 0; i < cell->n_entries; ++i) {
        const bosc_entry *e = &cell->entry[i];

        if (!is_of(e, where, group) || e->key == NULL)
            continue;
        line =
            bosc_import_print(imp, "%s%s%s: %s", line, comma, e->key, e->value);
        comma = ", ";
    }
    if (strlen(group) + strlen(line) + 12 <= COLUMNS) {
        fprintf(file, "        %s: {%s}\n", group, line);
        return;
    }
    fprintf(file, "        %s:\n", group);
    for (size_t i = 0; i < cell->n_entries; ++i) {
        const bosc_entry *e = &cell->entry[i];

        if (is_of(e, where, group) && e->key != NULL)
            fprintf(file, "          %s: %s\n", e->key, e->value);
    }
}

/* The keys of a region itself, and then its mechanisms in their order. */
static void print_entries(bosc_cell *cell, FILE *file, unsigned where)
{
    for (size_t i = 0; i < cell->n_entries; ++i)
        if (is_of(&cell->entry[i], where, ""))
            fprintf(file, "        %s: %s\n", cell->entry[i].key,
                    cell->entry[i].value);
    for (size_t i = 0; i < cell->n_entries; ++i) {
        const bosc_entry *e = &cell->entry[i];
        bool is_first = e->where == where && e->group[0] != '\0';

        for (size_t j = 0; j < i && is_first; ++j)
            is_first = !is_of(&cell->entry[j], where, e->group);
        if (is_first)
            print_group(cell, file, where, e->group);
    }
}

static bool has_entries(const bosc_cell *cell, unsigned where)
{
    for (size_t i = 0; i < cell->n_entries; ++i)
        if (cell->entry[i].where == where)
            return true;
    return false;
}

/* Myelin is of region custom, which without a word is as the dendrites. */
static void print_myelin(bosc_cell *cell, FILE *file)
{
    const bool any = has_entries(cell, BOSC_AT_MYELIN);

    fprintf(file, "      custom:%s # the myelin\n", any ? "" : " {}");
    print_entries(cell, file, BOSC_AT_MYELIN);
}

/* "soma, apical", or one name. */
static void print_names(FILE *file, unsigned where)
{
    static const char *const names[] = {"soma", "axon", "dendrite", "apical"};
    const char *comma = "";

    for (size_t i = 0; i < BOSC_LEN(names); ++i)
        if ((where >> i & 1u) != 0) {
            fprintf(file, "%s%s", comma, names[i]);
            comma = ", ";
        }
}

/* Sets of several locations come before single ones; no entry is in two that
 * have a location in common. */
static void print_regions(bosc_cell *cell, FILE *file)
{
    if (has_entries(cell, BOSC_AT_ALL)) {
        fputs("      all:\n", file);
        print_entries(cell, file, BOSC_AT_ALL);
    }
    for (int size = 4; size > 0; --size)
        for (unsigned where = 1; where < BOSC_AT_MYELIN; ++where) {
            const char *quote = size > 1 ? "\"" : "";

            if (__builtin_popcount(where) != size || !has_entries(cell, where))
                continue;
            fprintf(file, "      %s", quote);
            print_names(file, where);
            fprintf(file, "%s:\n", quote);
            print_entries(cell, file, where);
        }
    if (bosc_cell_has_myelin(cell))
        print_myelin(cell, file);
}

static void print_protocol(bosc_cell *cell, FILE *file)
{
    const bool usual = cell->dt == NULL || strcmp(cell->dt, "0.025") == 0;

    fputs("\n# A step of current, which is not of the source: change it, and "
          "'tstop', as you\n# need.\nclamps:\n"
          "  - {at: soma, delay: 200, duration: 600, amplitude: 0.2}\n"
          "\nprobes:\n  - name: soma\n    at: soma\n",
          file);
    if (usual)
        fputs("    interval: 0.1\n", file);
}

char *bosc_cell_write(bosc_cell *cell)
{
    bosc_print print;
    FILE *file = bosc_print_begin(&print);
    char *text = NULL;

    if (file != NULL) {
        print_head(cell, file);
        print_settings(cell, file);
        print_regions(cell, file);
        if (!cell->imp->how->of_job)
            print_protocol(cell, file);
        text = bosc_print_end(&print);
    }
    if (text == NULL)
        bosc_import_fail(cell->imp, BOSC_ENOMEM, "out of memory for a job");
    if (cell->imp->st == BOSC_OK)
        return text;
    free(text);
    return NULL;
}
