/* bluepyopt.c - folders as examples/l5pc of BluePyOpt: parameters.json, or
 * fixed_params.json with params.json, mechanisms.json, and a morphology. */
#include "src/import/bbp.h"

#include <string.h>

#include "src/text/file_kind.h"

typedef struct folder {
    bosc_cell *cell;
    const char *config, *root; /* of the JSON files; of the example */
    bosc_import_values values;
} folder;

/* What "exp" means in fixed_params.json and params.json, which the example's
 * script makes parameters.json of; that has the formula itself. */
static const char exp_of_l5pc[] =
    "(-0.8696 + 2.087*math.exp(({distance})*0.0031))*{value}";

static void read_mechanisms(folder *f, const char *path)
{
    bosc_import *imp = f->cell->imp;
    const bosc_item top = bosc_import_json(imp, path);
    const size_t n = bosc_item_map(imp, top);

    for (size_t i = 0; i < n && imp->st == BOSC_OK; ++i) {
        const bosc_item list = bosc_item_at(imp, top, i);
        const unsigned where = bosc_bbp_location(imp, list, list.node->key);
        const size_t n_own = bosc_item_list(imp, list);

        for (size_t k = 0; k < n_own && imp->st == BOSC_OK; ++k) {
            const bosc_item name = bosc_item_at(imp, list, k);

            bosc_cell_insert(f->cell, where, bosc_item_text(imp, name), name);
        }
    }
}

/* The numbers of "{names}" of a formula besides distance and value. */
static const char *formula_values(folder *f, bosc_item at, const char *text)
{
    bosc_import *imp = f->cell->imp;
    const char *more = "";

    for (const char *p = strchr(text, '{'); p != NULL; p = strchr(p + 1, '{')) {
        const char *name =
            bosc_import_print(imp, "%.*s", (int)strcspn(p + 1, "}"), p + 1);
        const char *full = bosc_import_print(imp, "%s.", name);
        bosc_import_value *own = NULL;

        if (strcmp(name, "distance") == 0 || strcmp(name, "value") == 0 ||
            strstr(more, bosc_import_print(imp, ", %s:", name)) != NULL)
            continue;
        for (size_t i = 0; i < f->values.n; ++i)
            if (strncmp(f->values.value[i].name, full, strlen(full)) == 0)
                own = &f->values.value[i];
        if (own == NULL) {
            bosc_import_fail_at(imp, at,
                                "'{%s}' has no value; give a JSON file with "
                                "\"%s.distribution\": VALUE with --values",
                                name, name);
            return "";
        }
        own->used = true;
        more = bosc_import_print(imp, "%s, %s: %s", more, name,
                                 bosc_item_number(imp, own->at));
    }
    return more;
}

static const char *distribute(folder *f, bosc_item dist, const char *value)
{
    bosc_import *imp = f->cell->imp;
    const char *text = bosc_item_text(imp, dist);

    return bosc_import_formula(imp, text, value, formula_values(f, dist, text));
}

/* {"param_name": "g_pas", "sectionlist": "all", "type": "section", ...} */
static void read_parameter(folder *f, bosc_item own)
{
    bosc_import *imp = f->cell->imp;
    const char *name =
        bosc_item_text(imp, bosc_item_get(imp, own, "param_name"));
    const bosc_item type = bosc_item_get(imp, own, "type");
    const bosc_item list = bosc_item_get(imp, own, "sectionlist");
    const bosc_item dist_type = bosc_item_get(imp, own, "dist_type");
    bosc_item value = bosc_item_get(imp, own, "value");
    const char *location, *text;

    if (!bosc_item_has(value))
        value = bosc_item_get(imp, own, "bounds");
    if (bosc_item_is(type, "global")) {
        bosc_cell_set_global(
            f->cell, name,
            bosc_import_value_of(imp, &f->values, name, "global", value),
            value);
        return;
    }
    if (imp->st == BOSC_OK && !bosc_item_is(type, "section") &&
        !bosc_item_is(type, "range"))
        bosc_import_fail_at(imp, type,
                            "is '%s', which is none of global, section and "
                            "range; correct it",
                            bosc_item_text(imp, type));
    location = bosc_item_text(imp, list);
    text = bosc_import_value_of(imp, &f->values, name, location, value);
    if (bosc_item_has(dist_type) && !bosc_item_is(dist_type, "uniform"))
        text = distribute(f, bosc_item_get(imp, own, "dist"), text);
    bosc_cell_set(f->cell, bosc_bbp_location(imp, list, location), name, text,
                  value);
}

static void read_parameters(folder *f, const char *path)
{
    bosc_import *imp = f->cell->imp;
    const bosc_item top = bosc_import_json(imp, path);
    const size_t n = bosc_item_list(imp, top);

    for (size_t i = 0; i < n && imp->st == BOSC_OK; ++i)
        read_parameter(f, bosc_item_at(imp, top, i));
}

/* --- fixed_params.json, params.json ----------------------------------------
 */

/* The distribution of a value, the last of an entry's words. */
static const char *by_name(folder *f, bosc_item dist, const char *value)
{
    bosc_import *imp = f->cell->imp;

    if (!bosc_item_has(dist) || bosc_item_is(dist, "uniform"))
        return value;
    if (imp->st == BOSC_OK && !bosc_item_is(dist, "exp"))
        bosc_import_fail_at(imp, dist,
                            "distribution '%s' is neither uniform nor exp; "
                            "write parameters.json, which has formulas",
                            bosc_item_text(imp, dist));
    bosc_import_note(imp, "distribution 'exp' is the one of BluePyOpt's "
                          "examples/l5pc");
    return bosc_import_formula(imp, exp_of_l5pc, value, "");
}

/* ["cm", 2, "uniform"] */
static void read_fixed(folder *f, bosc_item own, bosc_item location)
{
    bosc_import *imp = f->cell->imp;
    const char *name = bosc_item_text(imp, bosc_item_at(imp, own, 0));
    const bosc_item value = bosc_item_at(imp, own, 1);
    const char *text = bosc_item_number(imp, value);

    if (strcmp(location.node->key, "global") == 0)
        bosc_cell_set_global(f->cell, name, text, value);
    else
        bosc_cell_set(f->cell,
                      bosc_bbp_location(imp, location, location.node->key),
                      name, by_name(f, bosc_item_at(imp, own, 2), text), value);
}

/* ["Ih", "gIhbar", low, high, "uniform"]; a number where both are the same. */
static void read_bounds(folder *f, bosc_item own, bosc_item location)
{
    bosc_import *imp = f->cell->imp;
    const char *mech = bosc_item_text(imp, bosc_item_at(imp, own, 0));
    const char *param = bosc_item_text(imp, bosc_item_at(imp, own, 1));
    const bosc_item low = bosc_item_at(imp, own, 2);
    const char *name = bosc_import_print(imp, "%s_%s", param, mech);
    const char *full =
        bosc_import_print(imp, "%s.%s", name, location.node->key);
    const char *text = NULL;

    for (size_t i = 0; i < f->values.n; ++i)
        if (strcmp(f->values.value[i].name, full) == 0) {
            f->values.value[i].used = true;
            text = bosc_item_number(imp, f->values.value[i].at);
        }
    if (text == NULL)
        bosc_import_fail_at(imp, low,
                            "%s is free, within [%s, %s], and has no value; "
                            "give a JSON file with the values of free "
                            "parameters with --values",
                            full, bosc_item_number(imp, low),
                            bosc_item_number(imp, bosc_item_at(imp, own, 3)));
    bosc_cell_set(
        f->cell, bosc_bbp_location(imp, location, location.node->key), name,
        by_name(f, bosc_item_at(imp, own, 4), text == NULL ? "0" : text), low);
}

static void read_older(folder *f, const char *path,
                       void (*read)(folder *f, bosc_item own,
                                    bosc_item location))
{
    bosc_import *imp = f->cell->imp;
    const bosc_item top = bosc_import_json(imp, path);
    const size_t n = bosc_item_map(imp, top);

    for (size_t i = 0; i < n && imp->st == BOSC_OK; ++i) {
        const bosc_item list = bosc_item_at(imp, top, i);
        const size_t n_own = bosc_item_list(imp, list);

        for (size_t k = 0; k < n_own && imp->st == BOSC_OK; ++k)
            read(f, bosc_item_at(imp, list, k), list);
    }
}

/* --- the folder ------------------------------------------------------------
 */

static const char *file_of(folder *f, const char *name)
{
    return bosc_import_find(f->cell->imp, f->config,
                            (const char *const[]){name, NULL});
}

static const char *find_morphology(folder *f)
{
    static const char *const names[] = {"morphology", "morphologies", NULL};
    static const char *const endings[] = {".asc", ".swc", NULL};
    bosc_import *imp = f->cell->imp;
    const char *place, *found, *several = NULL;

    if (imp->how->morphology != NULL)
        return imp->how->morphology;
    place = bosc_import_find(imp, f->root, names);
    found = bosc_import_only(imp, place == NULL ? f->root : place, endings,
                             &several);
    if (found == NULL)
        bosc_import_fail(imp, BOSC_EUSAGE,
                         "%s: has %s%s; give the morphology with --morphology",
                         place == NULL ? f->root : place,
                         several == NULL ? "no morphology"
                                         : "several morphologies: ",
                         several == NULL ? "" : several);
    return found == NULL ? "" : found;
}

static void read_all_parameters(folder *f)
{
    bosc_import *imp = f->cell->imp;
    const char *listed = file_of(f, "parameters.json");
    const char *fixed = file_of(f, "fixed_params.json");
    const char *free_ones = file_of(f, "params.json");

    if (listed != NULL) {
        read_parameters(f, listed);
        if (fixed != NULL || free_ones != NULL)
            bosc_import_note(imp, "fixed_params.json and params.json are not "
                                  "read: parameters.json has all of them");
        return;
    }
    if (fixed == NULL && free_ones == NULL)
        bosc_import_fail(imp, BOSC_EUSAGE,
                         "%s: has neither parameters.json nor "
                         "fixed_params.json; is it a folder as BluePyOpt's "
                         "examples/l5pc?",
                         f->config);
    if (fixed != NULL)
        read_older(f, fixed, read_fixed);
    if (free_ones != NULL)
        read_older(f, free_ones, read_bounds);
}

void bosc_import_bluepyopt(bosc_cell *cell)
{
    bosc_import *imp = cell->imp;
    folder f = {.cell = cell, .config = imp->how->source};
    const char *mechanisms;

    if (!bosc_is_folder(f.config)) {
        bosc_import_fail(imp, BOSC_EUSAGE,
                         "%s: is no folder; give the one that has "
                         "parameters.json and mechanisms.json",
                         f.config);
        return;
    }
    mechanisms = file_of(&f, "mechanisms.json");
    f.root = bosc_import_join(imp, f.config, "..");
    if (mechanisms == NULL) {
        f.root = f.config;
        f.config = bosc_import_join(imp, f.root, "config");
        mechanisms = file_of(&f, "mechanisms.json");
    }
    if (mechanisms == NULL) {
        bosc_import_fail(imp, BOSC_EUSAGE,
                         "%s: has no mechanisms.json; is it a folder as "
                         "BluePyOpt's examples/l5pc?",
                         f.root);
        return;
    }
    bosc_cell_place(cell, f.root);
    if (imp->how->values != NULL)
        bosc_import_values_read(imp, imp->how->values, imp->how->model,
                                &f.values);
    cell->morphology = find_morphology(&f);
    cell->axon = "bluepyopt";
    bosc_import_note(imp, "axon: BluePyOpt's morphologies replace it by two "
                          "cylinders of 30 um with diameters of the axon of "
                          "the file, unless do_replace_axon is false: --axon "
                          "none");
    read_mechanisms(&f, mechanisms);
    read_all_parameters(&f);
    bosc_import_values_end(imp, &f.values);
    bosc_cell_finish(cell, (const char *[]){f.root, f.config, NULL});
}
