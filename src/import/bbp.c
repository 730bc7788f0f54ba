/* bbp.c - packages of the Blue Brain Project: which files a model consists of,
 * by EModelRunner's config.ini, by BluePyEModel's recipes.json, or given one by
 * one. */
#include "src/import/bbp.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/import/ini.h"
#include "src/text/file_kind.h"

/* The folder that the paths of a file are relative to: that of the file, or the
 * one above it, whichever has the path. */
static const char *root_of(bosc_import *imp, const char *file, const char *path)
{
    const char *folder = bosc_import_parent(imp, file), *above;

    if (imp->st != BOSC_OK ||
        bosc_import_exists(bosc_import_join(imp, folder, path)))
        return folder;
    above = strcmp(folder, ".") == 0 ? ".." : bosc_import_parent(imp, folder);
    if (bosc_import_exists(bosc_import_join(imp, above, path)))
        return above;
    above = strcmp(above, ".") == 0 ? ".." : bosc_import_parent(imp, above);
    return bosc_import_exists(bosc_import_join(imp, above, path)) ? above
                                                                  : folder;
}

static void note_taper(bosc_import *imp, const char *who)
{
    bosc_import_note(imp,
                     "axon: %s replaces it by two tapered sections of 30 um "
                     "and 1000 um of myelin, with diameters of the first 60 um "
                     "of the axon of the file (rule bbp_v6)",
                     who);
}

/* --- EModelRunner ----------------------------------------------------------
 */

static void runner_axon(bosc_cell *cell, const bosc_ini *ini)
{
    bosc_import *imp = cell->imp;
    const char *replace =
        bosc_ini_text(imp, ini, "Morphology", "do_replace_axon", "True");
    const char *type = bosc_ini_text(imp, ini, "Package", "type", "sscx");

    if (strcasecmp(replace, "false") == 0 || strcasecmp(replace, "no") == 0 ||
        strcmp(replace, "0") == 0) {
        bosc_import_note(imp,
                         "axon: that of the file stays, as "
                         "do_replace_axon is %s",
                         replace);
    } else if (strcmp(type, "thalamus") == 0) {
        cell->axon = "thalamus";
        bosc_import_note(imp, "axon: EModelRunner's packages of the thalamus "
                              "replace it by two tapered sections of 30 um, "
                              "with diameters of the axon of the file, without "
                              "myelin");
    } else if (strcmp(type, "sscx") == 0 || strcmp(type, "synplas") == 0) {
        cell->axon = "bbp_v6";
        note_taper(imp, "EModelRunner");
    } else {
        bosc_import_fail(imp, BOSC_EFORMAT,
                         "%s: Package.type '%s' is neither sscx, synplas nor "
                         "thalamus, so the rule of the axon is not known; "
                         "correct it",
                         ini->file, type);
    }
}

/* What of a package is no part of the cell. */
static void note_left_out(bosc_import *imp, const bosc_ini *ini)
{
    static const char *const keys[][2] = {
        {"syn_data_file", "synapses"},
        {"spiketrain_path", "plasticity protocols"},
        {"prot_path", "protocols"},
        {"stimuli_path", "stimuli"},
        {"features_path", "features"},
        {"precell_morph_path", "the presynaptic cell"}};

    for (size_t i = 0; i < BOSC_LEN(keys); ++i)
        if (bosc_ini_find(ini, "Paths", keys[i][0]) != NULL)
            bosc_import_note(imp, "left out: %s (Paths.%s)", keys[i][1],
                             keys[i][0]);
}

static void read_runner(bosc_cell *cell, const char *path)
{
    bosc_import *imp = cell->imp;
    const char *params, *root, *emodel, *values;
    bosc_import_values own = {0};
    bosc_ini ini = {0};
    bosc_item top;

    bosc_ini_read(imp, path, &ini);
    params = bosc_ini_text(imp, &ini, "Paths", "unoptimized_params_path", NULL);
    values = bosc_ini_text(imp, &ini, "Paths", "params_path",
                           "config/params/final.json");
    emodel = bosc_ini_text(imp, &ini, "Cell", "emodel", NULL);
    root = root_of(imp, path, params);
    bosc_cell_place(
        cell,
        bosc_import_join(imp, root, bosc_import_print(imp, "%s.json", emodel)));
    if (imp->how->values != NULL)
        values = imp->how->values;
    else
        values = bosc_import_join(imp, root, values);
    bosc_import_values_read(
        imp, values, imp->how->model != NULL ? imp->how->model : emodel, &own);
    cell->morphology =
        imp->how->morphology != NULL
            ? imp->how->morphology
            : bosc_import_join(
                  imp, root,
                  bosc_ini_text(imp, &ini, "Paths", "morph_path", NULL));
    runner_axon(cell, &ini);
    top = bosc_import_json(imp, bosc_import_join(imp, root, params));
    bosc_bbp_model(cell, top, &own);
    cell->celsius =
        bosc_ini_number(imp, &ini, "Cell", "celsius",
                        cell->celsius != NULL ? cell->celsius : "34");
    cell->v_init = bosc_ini_number(imp, &ini, "Cell", "v_init",
                                   cell->v_init != NULL ? cell->v_init : "-80");
    cell->dt = bosc_ini_number(imp, &ini, "Sim", "dt", "0.025");
    bosc_import_note(imp, "celsius, v_init and dt are those of [Cell] and "
                          "[Sim], which override the parameters, as in "
                          "EModelRunner");
    note_left_out(imp, &ini);
    bosc_cell_finish(cell, (const char *[]){root, NULL});
}

/* --- BluePyEModel ----------------------------------------------------------
 */

/* How morph_modifiers change the axon; NULL and [null]: the default. */
static void recipe_axon(bosc_cell *cell, bosc_item modifiers)
{
    static const struct {
        const char *name, *rule;
    } rules[] = {{"replace_axon_with_taper", "bbp_v6"},
                 {"replace_axon_legacy", "thalamus"},
                 {"bluepyopt_replace_axon", "bluepyopt"}};
    bosc_import *imp = cell->imp;
    const bool one = bosc_item_has(modifiers) && !bosc_item_is_list(modifiers);
    const size_t n = one                        ? 1
                     : bosc_item_has(modifiers) ? bosc_item_list(imp, modifiers)
                                                : 0;

    if (!bosc_item_has(modifiers) ||
        (n == 1 && !one && !bosc_item_has(bosc_item_at(imp, modifiers, 0)))) {
        cell->axon = "bbp_v6";
        note_taper(imp, "BluePyEModel, without morph_modifiers,");
    } else if (n == 0) {
        bosc_import_note(imp, "axon: that of the file stays, as "
                              "morph_modifiers is empty");
    }
    for (size_t i = 0; i < n && cell->axon == NULL && imp->st == BOSC_OK; ++i) {
        const bosc_item own = one ? modifiers : bosc_item_at(imp, modifiers, i);

        for (size_t k = 0; k < BOSC_LEN(rules); ++k)
            if (bosc_item_is(own, rules[k].name))
                cell->axon = rules[k].rule;
        if (cell->axon == NULL || n > 1)
            bosc_import_fail_at(
                imp, own,
                "is none of the modifiers that a job has rules for "
                "(replace_axon_with_taper, replace_axon_legacy, "
                "bluepyopt_replace_axon), or one of several; choose a rule "
                "with --axon and remove it here");
        bosc_import_note(imp, "axon: morph_modifiers has %s (rule %s)",
                         bosc_item_text(imp, own), cell->axon);
    }
}

static bosc_item choose_recipe(bosc_import *imp, bosc_item top,
                               const char **name)
{
    const size_t n = bosc_item_map(imp, top);
    bosc_item found = {.path = "", .file = top.file, .line = 1};
    const char *names = "";
    size_t n_found = 0;

    for (size_t i = 0; i < n && imp->st == BOSC_OK; ++i) {
        const bosc_item own = bosc_item_at(imp, top, i);

        names = bosc_import_print(imp, "%s%s%s", names, i == 0 ? "" : ", ",
                                  own.node->key);
        if (imp->how->model != NULL &&
            strcmp(imp->how->model, own.node->key) != 0)
            continue;
        found = own;
        *name = own.node->key;
        ++n_found;
    }
    if (imp->st == BOSC_OK && n_found != 1)
        bosc_import_fail_at(imp, top,
                            "choose one of the models with --model: %s", names);
    return found;
}

/* "morphology" is a name, or [["name", "file"]]. */
static const char *recipe_morphology(bosc_import *imp, bosc_item recipe,
                                     const char *root)
{
    const bosc_item folder = bosc_item_get(imp, recipe, "morph_path");
    bosc_item own = bosc_item_get(imp, recipe, "morphology");

    if (bosc_item_is_list(own)) {
        if (bosc_item_list(imp, own) > 1)
            bosc_import_note(imp, "the first of %zu morphologies is taken",
                             bosc_item_list(imp, own));
        own = bosc_item_at(imp, own, 0);
    }
    if (bosc_item_is_list(own))
        own = bosc_item_at(imp, own, bosc_item_list(imp, own) - 1);
    return bosc_import_join(imp,
                            bosc_import_join(imp, root,
                                             bosc_item_has(folder)
                                                 ? bosc_item_text(imp, folder)
                                                 : "."),
                            bosc_item_text(imp, own));
}

static const char *recipe_values(bosc_import *imp, bosc_item recipe,
                                 const char *root)
{
    static const char *const names[] = {"final.json",
                                        "config/params/final.json", NULL};
    const bosc_item own = bosc_item_get(imp, recipe, "final");

    if (imp->how->values != NULL)
        return imp->how->values;
    return bosc_item_has(own)
               ? bosc_import_join(imp, root, bosc_item_text(imp, own))
               : bosc_import_find(imp, root, names);
}

static void read_recipe(bosc_cell *cell, const char *path, bosc_item top)
{
    bosc_import *imp = cell->imp;
    const char *name = "", *root, *params, *values;
    const bosc_item recipe = choose_recipe(imp, top, &name);
    const bosc_item settings = bosc_item_get(imp, recipe, "pipeline_settings");
    bosc_item modifiers = bosc_item_get(imp, settings, "morph_modifiers");
    bosc_import_values own = {0};

    if (bosc_item_map(imp, bosc_item_get(imp, recipe, "multiloc_map")) > 0)
        bosc_import_fail_at(imp, bosc_item_get(imp, recipe, "multiloc_map"),
                            "locations of the recipe's own are not read; write "
                            "them out in its parameters, and remove this");
    if (modifiers.node == NULL)
        modifiers = bosc_item_get(imp, recipe, "morph_modifiers");
    params = bosc_item_text(imp, bosc_item_get(imp, recipe, "params"));
    root = root_of(imp, path, params);
    bosc_cell_place(
        cell,
        bosc_import_join(imp, root, bosc_import_print(imp, "%s.json", name)));
    values = recipe_values(imp, recipe, root);
    if (values != NULL)
        bosc_import_values_read(imp, values, name, &own);
    cell->morphology = imp->how->morphology != NULL
                           ? imp->how->morphology
                           : recipe_morphology(imp, recipe, root);
    recipe_axon(cell, modifiers);
    bosc_bbp_model(
        cell, bosc_import_json(imp, bosc_import_join(imp, root, params)), &own);
    bosc_import_note(imp, "left out: features, protocols and settings of the "
                          "recipe");
    if (!bosc_item_has(settings))
        bosc_import_note(imp, "the recipe has no pipeline_settings, so it may "
                              "be one of BluePyOpt before BluePyEModel: there "
                              "the axon is that of --axon bluepyopt, and in "
                              "some examples alldend and somadend have no "
                              "apical dendrite");
    bosc_cell_finish(cell, (const char *[]){root, NULL});
}

/* --- files one by one ------------------------------------------------------
 */

static void read_alone(bosc_cell *cell, const char *path, bosc_item top)
{
    bosc_import *imp = cell->imp;
    const char *folder = bosc_import_parent(imp, path);
    bosc_import_values own = {0};

    bosc_cell_place(cell, path);
    if (imp->how->morphology == NULL)
        bosc_import_fail(imp, BOSC_EUSAGE,
                         "%s: names no morphology; give it with --morphology",
                         path);
    if (imp->how->values != NULL)
        bosc_import_values_read(imp, imp->how->values, imp->how->model, &own);
    cell->morphology = imp->how->morphology;
    cell->axon = "bbp_v6";
    note_taper(imp, "BluePyEModel, by default,");
    bosc_bbp_model(cell, top, &own);
    bosc_cell_finish(
        cell, (const char *[]){folder, bosc_import_parent(imp, folder), NULL});
}

/* All that is read of a configuration, as one text. */
static const char *cell_of(bosc_import *imp, const char *path)
{
    static const char *const keys[][2] = {{"Package", "type"},
                                          {"Paths", "unoptimized_params_path"},
                                          {"Paths", "params_path"},
                                          {"Paths", "morph_path"},
                                          {"Morphology", "do_replace_axon"},
                                          {"Cell", "emodel"},
                                          {"Cell", "celsius"},
                                          {"Cell", "v_init"},
                                          {"Sim", "dt"}};
    const char *text = "";
    bosc_ini ini = {0};

    bosc_ini_read(imp, path, &ini);
    for (size_t i = 0; i < BOSC_LEN(keys) && imp->st == BOSC_OK; ++i)
        text = bosc_import_print(
            imp, "%s%s\n", text,
            bosc_ini_text(imp, &ini, keys[i][0], keys[i][1], ""));
    return text;
}

/* Packages have a configuration for each protocol: the first of them, where all
 * say the same of the cell; NULL: they do not. */
static const char *find_agreed(bosc_import *imp, const char *folder,
                               const char *several)
{
    static const char *const ini[] = {".ini", NULL};
    const bosc_import_list names = bosc_import_names(imp, folder, ini);
    const char *first = NULL, *says = "";

    for (size_t i = 0; i < names.n && imp->st == BOSC_OK; ++i) {
        const char *path = bosc_import_join(imp, folder, names.item[i]);
        const char *own = cell_of(imp, path);

        if (i == 0) {
            first = path;
            says = own;
        } else if (strcmp(says, own) != 0) {
            return NULL;
        }
    }
    bosc_import_note(imp, "%s say the same of the cell; the first is taken",
                     several);
    return first;
}

/* The file of a package that says which its files are. */
static const char *find_main(bosc_import *imp, const char *folder)
{
    static const char *const names[] = {"recipes.json", "config/recipes.json",
                                        "config.ini", "config/config.ini",
                                        NULL};
    static const char *const ini[] = {".ini", NULL};
    const char *path = bosc_import_find(imp, folder, names), *several = NULL;
    const char *config = bosc_import_join(imp, folder, "config");

    if (path == NULL)
        path = bosc_import_only(imp, config, ini, &several);
    if (several != NULL)
        path = find_agreed(imp, config, several);
    if (path == NULL && several == NULL) {
        path = bosc_import_only(imp, folder, ini, &several);
        if (several != NULL)
            path = find_agreed(imp, folder, several);
    }
    if (path == NULL)
        bosc_import_fail(
            imp, BOSC_EUSAGE, "%s: has %s%s; give %s", folder,
            several != NULL ? "several configurations of different cells: "
                            : "no config.ini and no recipes.json",
            several != NULL ? several : "",
            several != NULL ? "one of them" : "the file that has these");
    return path == NULL ? "" : path;
}

void bosc_import_bbp(bosc_cell *cell)
{
    bosc_import *imp = cell->imp;
    const char *path = imp->how->source, *ending;
    bosc_item top;

    if (bosc_is_folder(path))
        path = find_main(imp, path);
    ending = strrchr(path, '.');
    if (imp->st != BOSC_OK)
        return;
    if (ending != NULL && strcasecmp(ending, ".ini") == 0) {
        read_runner(cell, path);
        return;
    }
    top = bosc_import_json(imp, path);
    if (bosc_item_has(bosc_item_get(imp, top, "mechanisms")))
        read_alone(cell, path, top);
    else
        read_recipe(cell, path, top);
}
