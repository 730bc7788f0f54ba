#include "src/import/import.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/mem.h"
#include "src/import/cell.h"
#include "src/text/file_kind.h"

const char *const bosc_import_kinds[BOSC_N_IMPORT_KINDS] = {"allen", "bbp",
                                                            "bluepyopt"};

bosc_status bosc_import_text(const bosc_import_how *how, char **job,
                             char **text, bosc_error *err)
{
    static void (*const readers[BOSC_N_IMPORT_KINDS])(bosc_cell * cell) = {
        bosc_import_allen, bosc_import_bbp, bosc_import_bluepyopt};
    bosc_import imp = {.how = how, .err = err, .job = "", .folder = "."};
    bosc_cell cell = {.imp = &imp, .name = "", .morphology = ""};
    char *path = NULL, *out = NULL;

    readers[how->kind](&cell);
    if (imp.st == BOSC_OK)
        out = bosc_cell_write(&cell);
    if (imp.st == BOSC_OK && (path = bosc_strdup(imp.job)) == NULL)
        bosc_import_fail(&imp, BOSC_ENOMEM, "out of memory for a model");
    if (imp.st == BOSC_OK) {
        *job = path;
        *text = out;
    } else {
        free(out);
    }
    bosc_import_clear(&imp);
    return imp.st;
}

/* --- the kind of a source --------------------------------------------------
 */

static bosc_import_kind kind_of_folder(bosc_import *imp, const char *folder)
{
    static const char *const bluepyopt[] = {"mechanisms.json",
                                            "config/mechanisms.json", NULL};
    static const char *const recipes[] = {"recipes.json", "config/recipes.json",
                                          NULL};
    static const char *const ini[] = {".ini", NULL};
    static const char *const fits[] = {"_fit.json", "fit_parameters.json",
                                       NULL};

    if (bosc_import_find(imp, folder, bluepyopt) != NULL)
        return BOSC_IMPORT_BLUEPYOPT;
    if (bosc_import_find(imp, folder, recipes) != NULL ||
        bosc_import_names(imp, folder, ini).n > 0 ||
        bosc_import_names(imp, bosc_import_join(imp, folder, "config"), ini).n >
            0)
        return BOSC_IMPORT_BBP;
    if (bosc_import_names(imp, folder, fits).n == 0)
        bosc_import_fail(
            imp, BOSC_EFORMAT,
            "%s: is no model: it has neither *_fit.json (Allen Cell Types "
            "Database), nor recipes.json or config/*.ini (BluePyEModel, "
            "EModelRunner), nor mechanisms.json (BluePyOpt); name a file or "
            "folder that is one",
            folder);
    return BOSC_IMPORT_ALLEN;
}

/* A recipe has the name of its parameters' file. */
static bool has_recipe(bosc_import *imp, bosc_item top)
{
    for (size_t i = 0; i < top.node->n; ++i)
        if (bosc_item_has(
                bosc_item_get(imp, bosc_item_at(imp, top, i), "params")))
            return true;
    return false;
}

static bosc_import_kind kind_of_json(bosc_import *imp, const char *path)
{
    const bosc_item top = bosc_import_json(imp, path);

    if (bosc_item_has(bosc_item_get(imp, top, "genome")))
        return BOSC_IMPORT_ALLEN;
    if (imp->st == BOSC_OK &&
        !bosc_item_has(bosc_item_get(imp, top, "mechanisms")) &&
        !has_recipe(imp, top))
        bosc_import_fail_at(
            imp, top,
            "is no model: it has neither 'genome', as fits of the Allen Cell "
            "Types Database, nor 'mechanisms', nor recipes with 'params'; name "
            "a file or folder that is one");
    return BOSC_IMPORT_BBP;
}

bosc_status bosc_import_guess(const char *source, bosc_import_kind *kind,
                              bosc_error *err)
{
    const bosc_import_how how = {.of_job = true};
    bosc_import imp = {.how = &how, .err = err, .job = "", .folder = "."};
    const char *ending = strrchr(source, '.');

    if (!bosc_import_exists(source))
        bosc_import_fail(&imp, BOSC_EIO, "%s: %s; check the path", source,
                         strerror(errno));
    else if (bosc_is_folder(source))
        *kind = kind_of_folder(&imp, source);
    else if (ending != NULL && strcasecmp(ending, ".ini") == 0)
        *kind = BOSC_IMPORT_BBP;
    else
        *kind = kind_of_json(&imp, source);
    bosc_import_clear(&imp);
    return imp.st;
}
