/* allen.c - fits of the Allen Cell Types Database, as AllenSDK applies them:
 * passive, then genome, then erev. */
#include "src/import/cell.h"

#include <string.h>

#include "src/text/did_you_mean.h"
#include "src/text/file_kind.h"

typedef struct fit {
    bosc_cell *cell;
    bosc_item top;
    const char *folder;
    bool all_active;
} fit;

/* NEURON takes sections whose name begins so. */
static bool find_section(const char *name, unsigned *where)
{
    static const struct {
        const char *name;
        unsigned where;
    } sections[] = {{"soma", BOSC_AT_SOMA},
                    {"axon", BOSC_AT_AXON},
                    {"dend", BOSC_AT_DENDRITE},
                    {"apic", BOSC_AT_APICAL}};

    for (size_t i = 0; i < BOSC_LEN(sections); ++i)
        if (strcmp(sections[i].name, name) == 0) {
            *where = sections[i].where;
            return true;
        }
    return false;
}

static unsigned section_of(bosc_import *imp, bosc_item entry)
{
    const bosc_item section = bosc_item_get(imp, entry, "section");
    const char *name = bosc_item_text(imp, section);
    unsigned where = BOSC_AT_SOMA;

    if (imp->st == BOSC_OK && !find_section(name, &where))
        bosc_import_fail_at(imp, section,
                            "'%s' is no section of Allen's models, which have "
                            "soma, axon, dend and apic; correct or remove it",
                            name);
    return where;
}

/* The only entry of a list that Allen's files have once: "passive": [{...}]. */
static bosc_item only(fit *f, const char *key)
{
    bosc_import *imp = f->cell->imp;
    const bosc_item list = bosc_item_get(imp, f->top, key);
    const size_t n = bosc_item_list(imp, list);

    if (n > 1)
        bosc_import_note(imp,
                         "%s has %zu entries; the first is used, as "
                         "AllenSDK does",
                         key, n);
    return bosc_item_at(imp, list, 0);
}

static void read_passive(fit *f)
{
    bosc_import *imp = f->cell->imp;
    const bosc_item passive = only(f, "passive");
    const bosc_item ra = bosc_item_get(imp, passive, "ra");
    const bosc_item e = bosc_item_get(imp, passive, "e_pas");
    const bosc_item cm = bosc_item_get(imp, passive, "cm");
    const size_t n = bosc_item_list(imp, cm);

    bosc_cell_set(f->cell, BOSC_AT_ALL, "Ra", bosc_item_number(imp, ra), ra);
    bosc_cell_insert(f->cell, BOSC_AT_ALL, "pas", passive);
    if (f->all_active && (bosc_item_has(e) || n > 0))
        bosc_import_note(imp, "e_pas and cm of 'passive' are left out, as "
                              "AllenSDK does for all-active models");
    if (f->all_active)
        return;
    bosc_cell_set(f->cell, BOSC_AT_ALL, "e_pas", bosc_item_number(imp, e), e);
    for (size_t i = 0; i < n && imp->st == BOSC_OK; ++i) {
        const bosc_item entry = bosc_item_at(imp, cm, i);
        const bosc_item own = bosc_item_get(imp, entry, "cm");

        bosc_cell_set(f->cell, section_of(imp, entry), "cm",
                      bosc_item_number(imp, own), own);
    }
}

static void read_gene(fit *f, bosc_item gene)
{
    bosc_import *imp = f->cell->imp;
    const bosc_item name = bosc_item_get(imp, gene, "name");
    const bosc_item value = bosc_item_get(imp, gene, "value");
    const bosc_item mech = bosc_item_get(imp, gene, "mechanism");
    const char *param = bosc_item_text(imp, name);
    const char *text = bosc_item_number(imp, value);
    const char *own = bosc_item_has(mech) ? bosc_item_text(imp, mech) : "";
    const size_t n = strlen(param), m = strlen(own);
    unsigned where;

    if (bosc_item_is(bosc_item_get(imp, gene, "section"), "glob")) {
        bosc_import_note(imp,
                         "%s (%s, section 'glob') is set everywhere, as "
                         "AllenSDK does; BMTK leaves it out",
                         param, gene.path);
        bosc_cell_set_global(f->cell, param, text, value);
        return;
    }
    where = section_of(imp, gene);
    if (imp->st == BOSC_OK && m > 0 &&
        (n < m + 2 || strcmp(param + n - m, own) != 0 ||
         param[n - m - 1] != '_'))
        bosc_import_fail_at(imp, mech,
                            "is '%s', but the name of the parameter, '%s', "
                            "does not end in '_%s'; correct one of them",
                            own, param, own);
    if (m > 0)
        bosc_cell_insert(f->cell, where, own, mech);
    bosc_cell_set(f->cell, where, param, text, value);
}

static void read_conditions(fit *f)
{
    bosc_import *imp = f->cell->imp;
    const bosc_item conditions = only(f, "conditions");
    const bosc_item erev = bosc_item_get(imp, conditions, "erev");
    const size_t n = bosc_item_list(imp, erev);

    f->cell->celsius =
        bosc_item_number(imp, bosc_item_get(imp, conditions, "celsius"));
    f->cell->v_init =
        bosc_item_number(imp, bosc_item_get(imp, conditions, "v_init"));
    for (size_t i = 0; i < n && imp->st == BOSC_OK; ++i) {
        const bosc_item entry = bosc_item_at(imp, erev, i);
        const unsigned where = section_of(imp, entry);
        const size_t keys = bosc_item_map(imp, entry);

        for (size_t k = 0; k < keys && imp->st == BOSC_OK; ++k) {
            const bosc_item own = bosc_item_at(imp, entry, k);

            if (strcmp(own.node->key, "section") != 0)
                bosc_cell_set(f->cell, where, own.node->key,
                              bosc_item_number(imp, own), own);
        }
    }
    bosc_import_note(imp, "ions of sections that 'erev' does not name have "
                          "NEURON's potentials");
}

/* --- what the manifest says ------------------------------------------------
 */

/* manifest.json beside the fit: the kind of model, and its axon. */
static const char *read_manifest(fit *f, const char **morphology)
{
    bosc_import *imp = f->cell->imp;
    static const char *const names[] = {"manifest.json", NULL};
    const char *path = bosc_import_find(imp, f->folder, names);
    const char *axon = NULL;
    bosc_item top, list;
    size_t n;

    if (path == NULL)
        return NULL;
    top = bosc_import_json(imp, path);
    list = bosc_item_get(imp, top, "biophys");
    n = bosc_item_list(imp, list);
    for (size_t i = 0; i < n && imp->st == BOSC_OK; ++i) {
        const bosc_item entry = bosc_item_at(imp, list, i);
        const bosc_item type = bosc_item_get(imp, entry, "model_type");
        const bosc_item own = bosc_item_get(imp, entry, "axon_type");

        if (bosc_item_has(type))
            f->all_active =
                strstr(bosc_item_text(imp, type), "all active") != NULL;
        if (bosc_item_has(own))
            axon = bosc_item_text(imp, own);
    }
    list = bosc_item_get(imp, top, "manifest");
    n = bosc_item_list(imp, list);
    for (size_t i = 0; i < n && imp->st == BOSC_OK; ++i) {
        const bosc_item entry = bosc_item_at(imp, list, i);

        if (bosc_item_is(bosc_item_get(imp, entry, "key"), "MORPHOLOGY"))
            *morphology = bosc_import_join(
                imp, f->folder,
                bosc_item_text(imp, bosc_item_get(imp, entry, "spec")));
    }
    return axon;
}

static void choose_axon(fit *f, const char *type)
{
    bosc_import *imp = f->cell->imp;

    bosc_import_note(
        imp, "the model is %s: 'passive' has %s",
        f->all_active ? "all-active" : "perisomatic",
        bosc_item_has(bosc_item_get(imp, only(f, "passive"), "e_pas"))
            ? "e_pas"
            : "no e_pas");
    if (!f->all_active || (type != NULL && strcmp(type, "stub") == 0)) {
        f->cell->axon = "allen_perisomatic";
        bosc_import_note(imp,
                         "axon: AllenSDK replaces it by two cylinders of 30 um "
                         "and 1 um in the middle of the soma, and so does "
                         "BMTK's aibs_perisomatic");
        return;
    }
    f->cell->axon = "allen_truncated";
    if (type != NULL && strcmp(type, "truncated") != 0)
        bosc_import_fail(imp, BOSC_EFORMAT,
                         "%s: axon_type '%s' of manifest.json is neither "
                         "truncated nor stub; choose a rule with --axon",
                         f->top.file, type);
    bosc_import_note(imp,
                     "axon: AllenSDK truncates it to two cylinders of 30 um "
                     "with diameters of the axon of the file, at the end of "
                     "the soma; BMTK's aibs_allactive takes another second "
                     "diameter: --axon aibs_allactive");
}

static const char *find_morphology(fit *f, const char *named)
{
    static const char *const endings[] = {".swc", ".swc.gz", ".asc", NULL};
    bosc_import *imp = f->cell->imp;
    const char *several = NULL, *found = named;

    if (imp->how->morphology != NULL)
        return imp->how->morphology;
    if (found == NULL)
        found = bosc_import_only(imp, f->folder, endings, &several);
    if (found == NULL)
        bosc_import_fail(imp, BOSC_EUSAGE,
                         "%s: %s%s%s; give the morphology behind the fit: bosc "
                         "import allen FIT.json CELL.swc",
                         f->top.file,
                         several == NULL ? "no morphology lies beside it"
                                         : "several morphologies lie beside "
                                           "it (",
                         several == NULL ? "" : several,
                         several == NULL ? "" : ")");
    return found == NULL ? "" : found;
}

/* The keys that are read; any other is told. */
static void note_others(fit *f)
{
    static const char *const known[] = {"passive", "fitting", "conditions",
                                        "genome", "axon_morph"};
    bosc_import *imp = f->cell->imp;
    const size_t n = bosc_item_map(imp, f->top);
    const bosc_item fitting = only(f, "fitting");
    const bosc_item junction =
        bosc_item_get(imp, fitting, "junction_potential");

    for (size_t i = 0; i < n && imp->st == BOSC_OK; ++i) {
        const bosc_item item = bosc_item_at(imp, f->top, i);
        if (!bosc_is_among(item.node->key, BOSC_LEN(known), known))
            bosc_import_note(imp,
                             "'%s' is left out: it is no part of the "
                             "model",
                             item.node->key);
    }
    if (bosc_item_has(junction))
        bosc_import_note(imp,
                         "the junction potential, %s mV, is not applied: it "
                         "shifts recorded traces, not the model",
                         bosc_item_number(imp, junction));
    if (bosc_item_has(bosc_item_get(imp, fitting, "sweeps")))
        bosc_import_note(imp, "the sweeps of the experiment that 'fitting' "
                              "names are left out");
    if (bosc_item_has(bosc_item_get(imp, f->top, "axon_morph")))
        bosc_import_note(imp, "'axon_morph', text for hoc, is left out, as "
                              "AllenSDK does");
}

void bosc_import_allen(bosc_cell *cell)
{
    bosc_import *imp = cell->imp;
    static const char *const endings[] = {"_fit.json", "fit_parameters.json",
                                          NULL};
    const char *path = imp->how->source, *several = NULL, *named = NULL, *type;
    fit f = {.cell = cell};
    bosc_item genome;
    size_t n;

    if (bosc_is_folder(path)) {
        path = bosc_import_only(imp, path, endings, &several);
        if (path == NULL) {
            bosc_import_fail(imp, BOSC_EUSAGE, "%s: has %s%s; give the file",
                             imp->how->source,
                             several == NULL ? "no *_fit.json" : "several: ",
                             several == NULL ? "" : several);
            return;
        }
    }
    bosc_cell_place(cell, path);
    f.top = bosc_import_json(imp, path);
    f.folder = bosc_import_parent(imp, path);
    genome = bosc_item_get(imp, f.top, "genome");
    if (imp->st == BOSC_OK && !bosc_item_has(genome))
        bosc_import_fail_at(imp, f.top,
                            "has no 'genome', so it is no fit of the Allen "
                            "Cell Types Database");
    f.all_active =
        !bosc_item_has(bosc_item_get(imp, only(&f, "passive"), "e_pas"));
    type = read_manifest(&f, &named);
    cell->morphology = find_morphology(&f, named);
    choose_axon(&f, type);
    note_others(&f);
    read_passive(&f);
    n = bosc_item_list(imp, genome);
    for (size_t i = 0; i < n && imp->st == BOSC_OK; ++i)
        read_gene(&f, bosc_item_at(imp, genome, i));
    read_conditions(&f);
    if (!f.all_active)
        bosc_import_note(imp, "values are those of the file; AllenSDK rounds "
                              "them to six digits, BMTK does not");
    bosc_cell_finish(
        cell,
        (const char *[]){f.folder, bosc_import_parent(imp, f.folder), NULL});
}
