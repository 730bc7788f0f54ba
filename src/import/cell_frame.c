/* cell_frame.c - what all readers begin and end with. */
#include "src/import/cell.h"

#include <stdlib.h>
#include <string.h>

#include "src/text/file_kind.h"

/* The last name of a path, without its ending. */
static const char *stem(bosc_import *imp, const char *path)
{
    char *real = realpath(path, NULL);
    const char *name = real != NULL ? real : path, *ending;
    const char *slash = strrchr(name, '/');

    name = slash != NULL ? slash + 1 : name;
    ending = bosc_is_folder(path) ? NULL : strrchr(name, '.');
    name = ending == NULL || ending == name
               ? bosc_import_print(imp, "%s", name)
               : bosc_import_print(imp, "%.*s", (int)(ending - name), name);
    free(real);
    return name;
}

void bosc_cell_place(bosc_cell *cell, const char *path)
{
    bosc_import *imp = cell->imp;
    const char *folder =
        bosc_is_folder(path) ? path : bosc_import_parent(imp, path);

    cell->name = stem(imp, path);
    imp->job =
        imp->how->job != NULL
            ? imp->how->job
            : bosc_import_join(imp, folder,
                               bosc_import_print(imp, "%s.yaml", cell->name));
    imp->folder =
        strcmp(imp->job, "-") == 0 ? "." : bosc_import_parent(imp, imp->job);
}

/* The folders of a reader, and those of the morphology and the mod files. */
static void find_licences(bosc_cell *cell, const char *const *folders)
{
    bosc_import *imp = cell->imp;
    const char *all[6];
    size_t n = 0;

    while (n < 3 && folders[n] != NULL) {
        all[n] = folders[n];
        ++n;
    }
    all[n++] = bosc_import_parent(imp, cell->morphology);
    if (cell->mods.folder != NULL)
        all[n++] = cell->mods.folder;
    all[n] = NULL;
    bosc_import_licences(imp, all);
}

void bosc_cell_finish(bosc_cell *cell, const char *const *folders)
{
    bosc_import *imp = cell->imp;

    const bool own = imp->how->of_job && imp->how->morphology != NULL;

    if (imp->st == BOSC_OK && !own && !bosc_import_exists(cell->morphology))
        bosc_import_fail(imp, BOSC_EIO,
                         "%s: there is no such morphology; give the file with "
                         "--morphology",
                         cell->morphology);
    if (imp->how->axon != NULL) {
        cell->axon =
            strcmp(imp->how->axon, "none") == 0 ? NULL : imp->how->axon;
        bosc_import_note(imp, "axon: %s chose rule %s instead",
                         imp->how->of_job ? "the job" : "--axon",
                         imp->how->axon);
    }
    if (imp->st != BOSC_OK)
        return;
    bosc_import_mods_read(imp, bosc_import_mods_folder(imp, folders),
                          &cell->mods);
    bosc_cell_resolve(cell);
    find_licences(cell, folders);
}
