#include "src/import/cell.h"

#include <string.h>

#include "src/base/status.h"
#include "src/text/did_you_mean.h"

static const struct {
    const char *name;
    unsigned where;
} locations[] = {
    {"somatic", BOSC_AT_SOMA},
    {"axonal", BOSC_AT_AXON},
    {"basal", BOSC_AT_DENDRITE},
    {"apical", BOSC_AT_APICAL},
    {"myelinated", BOSC_AT_MYELIN},
    {"all", BOSC_AT_ALL},
    {"alldend", BOSC_AT_DENDRITE | BOSC_AT_APICAL},
    {"somadend", BOSC_AT_SOMA | BOSC_AT_DENDRITE | BOSC_AT_APICAL},
    {"allnoaxon", BOSC_AT_SOMA | BOSC_AT_DENDRITE | BOSC_AT_APICAL},
    {"somaxon", BOSC_AT_SOMA | BOSC_AT_AXON},
    {"allact", BOSC_AT_SOMA | BOSC_AT_AXON | BOSC_AT_DENDRITE | BOSC_AT_APICAL},
};

bool bosc_cell_locations(const char *name, unsigned *where)
{
    for (size_t i = 0; i < BOSC_LEN(locations); ++i)
        if (strcmp(locations[i].name, name) == 0) {
            *where = locations[i].where;
            return true;
        }
    return false;
}

const char *bosc_cell_show(bosc_import *imp, unsigned where)
{
    static const char *const names[] = {"soma", "axon", "dendrite", "apical",
                                        "myelin"};
    const char *text = "";

    if (where == BOSC_AT_ALL)
        return "all";
    for (size_t i = 0; i < BOSC_LEN(names); ++i)
        if ((where >> i & 1u) != 0)
            text = bosc_import_print(imp, "%s%s%s", text,
                                     text[0] == '\0' ? "" : ", ", names[i]);
    return text;
}

bool bosc_cell_has_myelin(const bosc_cell *cell)
{
    return cell->axon != NULL && strcmp(cell->axon, "bbp_v6") == 0;
}

static void add(bosc_cell *cell, bosc_statement statement)
{
    if (bosc_import_grow(cell->imp, &cell->statement, &cell->capacity,
                         cell->n + 1, sizeof *cell->statement))
        cell->statement[cell->n++] = statement;
}

void bosc_cell_insert(bosc_cell *cell, unsigned where, const char *mech,
                      bosc_item at)
{
    add(cell, (bosc_statement){.where = where, .mech = mech, .at = at});
}

void bosc_cell_set(bosc_cell *cell, unsigned where, const char *name,
                   const char *value, bosc_item at)
{
    add(cell, (bosc_statement){
                  .where = where, .name = name, .value = value, .at = at});
}

void bosc_cell_set_global(bosc_cell *cell, const char *name, const char *value,
                          bosc_item at)
{
    if (strcmp(name, "celsius") == 0)
        cell->celsius = value;
    else if (strcmp(name, "v_init") == 0)
        cell->v_init = value;
    else if (strcmp(name, "dt") == 0)
        cell->dt = value;
    else
        bosc_cell_set(cell, BOSC_AT_INSERTED, name, value, at);
}

/* --- statements -> entries -------------------------------------------------
 */

static void add_entry(bosc_cell *cell, unsigned where, const char *group,
                      const char *key, const char *value)
{
    if (where == 0)
        return;
    if ((where & BOSC_AT_MYELIN) != 0 && where != BOSC_AT_ALL) {
        add_entry(cell, where & ~(unsigned)BOSC_AT_MYELIN, group, key, value);
        where = BOSC_AT_MYELIN; /* a region of its own */
    }
    if (bosc_import_grow(cell->imp, &cell->entry, &cell->n_room,
                         cell->n_entries + 1, sizeof *cell->entry))
        cell->entry[cell->n_entries++] = (bosc_entry){where, group, key, value};
}

/* Where a mechanism is inserted. */
static unsigned inserted(const bosc_cell *cell, const char *mech)
{
    unsigned where = 0;

    for (size_t i = 0; i < cell->n; ++i)
        if (cell->statement[i].mech != NULL &&
            strcmp(cell->statement[i].mech, mech) == 0)
            where |= cell->statement[i].where;
    return where;
}

/* Where a mechanism is that uses an ion. */
static unsigned uses(const bosc_cell *cell, const char *ion)
{
    unsigned where = 0;

    for (size_t i = 0; i < cell->n; ++i) {
        const bosc_statement *s = &cell->statement[i];
        const bosc_import_mod *mod =
            s->mech == NULL ? NULL
                            : bosc_import_mods_find(&cell->mods, s->mech);

        if (mod != NULL && bosc_import_list_has(&mod->ions, ion))
            where |= s->where;
    }
    return where;
}

/* The ion that a name such as ena, nai or nao belongs to; NULL: none. */
static const char *ion_of(bosc_cell *cell, const char *name)
{
    static const char *const usual[] = {"na", "k", "ca"};
    const size_t n = strlen(name);
    const char *ion;

    if (n < 2)
        return NULL;
    if (name[0] == 'e')
        ion = name + 1;
    else if (name[n - 1] == 'i' || name[n - 1] == 'o')
        ion = bosc_import_print(cell->imp, "%.*s", (int)(n - 1), name);
    else
        return NULL;
    for (size_t i = 0; i < cell->mods.n; ++i)
        if (bosc_import_list_has(&cell->mods.mod[i].ions, ion))
            return ion;
    return bosc_is_among(ion, BOSC_LEN(usual), usual) ? ion : NULL;
}

/* Potentials and concentrations are of the ions that mechanisms use; hh, which
 * is built in, has potentials of its own. */
static void set_ion(bosc_cell *cell, const bosc_statement *s, const char *ion)
{
    bosc_import *imp = cell->imp;
    const bosc_import_mod *hh = bosc_import_mods_find(&cell->mods, "hh");
    const unsigned used = uses(cell, ion);
    unsigned own = 0;

    if (hh != NULL && bosc_import_list_has(&hh->params, s->name))
        own = inserted(cell, "hh");
    add_entry(cell, s->where & own, "hh", s->name, s->value);
    add_entry(cell, s->where & used, bosc_import_print(imp, "%s_ion", ion),
              s->name, s->value);
    if ((s->where & ~(used | own)) != 0 && s->where != BOSC_AT_ALL)
        bosc_import_note(
            imp, "%s is left out in %s, where no mechanism uses %s", s->name,
            bosc_cell_show(imp, s->where & ~(used | own)), ion);
}

/* The mechanism that "gbar_NaTs" is of: the one with the longest name. */
static const char *mech_of(const bosc_cell *cell, const char *name,
                           bool is_inserted)
{
    const char *best = NULL;
    const size_t n = strlen(name);

    for (size_t i = 0; i < cell->mods.n; ++i) {
        const char *mech = cell->mods.mod[i].name;
        const size_t m = strlen(mech);

        if (n > m + 1 && name[n - m - 1] == '_' &&
            strcmp(name + n - m, mech) == 0 &&
            (!is_inserted || inserted(cell, mech) != 0) &&
            (best == NULL || m > strlen(best)))
            best = mech;
    }
    return best;
}

static void refuse_name(bosc_cell *cell, const bosc_statement *s)
{
    bosc_import *imp = cell->imp;
    const char *known = mech_of(cell, s->name, false);

    if (known != NULL)
        bosc_import_fail_at(imp, s->at,
                            "'%s' is a parameter of %s, which is inserted "
                            "nowhere; insert it, or remove this parameter",
                            s->name, known);
    else
        bosc_import_fail_at(
            imp, s->at,
            "'%s' is no parameter that is known: neither cm, Ra, a potential "
            "of an ion (ena), nor of an inserted mechanism (g_pas); correct or "
            "remove it, or give the mod files with --mechanisms",
            s->name);
}

static void set_param(bosc_cell *cell, const bosc_statement *s)
{
    bosc_import *imp = cell->imp;
    const char *mech = mech_of(cell, s->name, true), *key;
    const bosc_import_mod *mod;
    unsigned there, where;
    char meant[300];

    if (mech == NULL) {
        refuse_name(cell, s);
        return;
    }
    mod = bosc_import_mods_find(&cell->mods, mech);
    key = bosc_import_print(imp, "%.*s",
                            (int)(strlen(s->name) - strlen(mech) - 1), s->name);
    there = inserted(cell, mech);
    where = s->where == BOSC_AT_INSERTED ? there : s->where;
    if (!bosc_cell_has_myelin(cell))
        where &= ~(unsigned)BOSC_AT_MYELIN;
    if (!bosc_import_list_has(&mod->params, key))
        bosc_import_fail_at(
            imp, s->at, "%s has no parameter '%s'; %s", mech, key,
            bosc_did_you_mean(key, mod->params.n, mod->params.item, "there are",
                              meant, sizeof meant));
    else if ((where & ~there) != 0)
        bosc_import_fail_at(imp, s->at,
                            "'%s' is set in %s, but %s is inserted only in %s; "
                            "insert it there, too, or correct this location",
                            s->name, bosc_cell_show(imp, where & ~there), mech,
                            bosc_cell_show(imp, there));
    add_entry(cell, where, mech, key, s->value);
}

static void insert(bosc_cell *cell, const bosc_statement *s)
{
    bosc_import *imp = cell->imp;
    const bosc_import_mod *mod = bosc_import_mods_find(&cell->mods, s->mech);

    if (mod == NULL && cell->mods.folder == NULL)
        bosc_import_fail_at(imp, s->at,
                            "mechanism '%s' is not built in, and no folder of "
                            "mod files lies beside the source; give it with "
                            "--mechanisms",
                            s->mech);
    else if (mod == NULL)
        bosc_import_fail_at(imp, s->at,
                            "mechanism '%s' is in no mod file of %s; give "
                            "the folder that has it with --mechanisms",
                            s->mech, cell->mods.folder);
    else if (mod->refused != NULL)
        bosc_import_fail_at(imp, s->at, "mechanism '%s' cannot be used: %s",
                            s->mech, mod->refused);
    else if (!mod->density)
        bosc_import_fail_at(imp, s->at,
                            "'%s' is a point process and no mechanism of a "
                            "membrane; remove it here",
                            s->mech);
    add_entry(cell, s->where, s->mech, NULL, NULL);
}

static bool is_same(const bosc_entry *a, const bosc_entry *b)
{
    return strcmp(a->group, b->group) == 0 &&
           (a->key == NULL) == (b->key == NULL) &&
           (a->key == NULL || strcmp(a->key, b->key) == 0);
}

/* Take the locations away that later entries override; of "all" only where
 * nothing is left, as the others come after it. */
static void override(bosc_cell *cell)
{
    const unsigned all = bosc_cell_has_myelin(cell)
                             ? BOSC_AT_ALL
                             : BOSC_AT_ALL & ~(unsigned)BOSC_AT_MYELIN;

    for (size_t i = 0; i < cell->n_entries; ++i) {
        bosc_entry *e = &cell->entry[i];
        unsigned left = e->where & all;

        for (size_t j = i + 1; j < cell->n_entries; ++j)
            if (is_same(e, &cell->entry[j]))
                left &= ~cell->entry[j].where;
        e->where = (e->where & all) == all && left != 0 ? BOSC_AT_ALL : left;
    }
}

void bosc_cell_resolve(bosc_cell *cell)
{
    bosc_import *imp = cell->imp;

    for (size_t i = 0; i < cell->n && imp->st == BOSC_OK; ++i) {
        const bosc_statement *s = &cell->statement[i];
        const char *ion = s->mech == NULL ? ion_of(cell, s->name) : NULL;

        if (s->where == BOSC_AT_MYELIN && !bosc_cell_has_myelin(cell)) {
            bosc_import_note(imp,
                             "%s of the myelin is left out, since the axon has "
                             "none",
                             s->mech != NULL ? s->mech : s->name);
            continue;
        }
        if (s->mech != NULL)
            insert(cell, s);
        else if (s->where != BOSC_AT_INSERTED &&
                 (strcmp(s->name, "cm") == 0 || strcmp(s->name, "Ra") == 0))
            add_entry(cell, s->where, "", s->name, s->value);
        else if (ion != NULL && s->where != BOSC_AT_INSERTED)
            set_ion(cell, s, ion);
        else
            set_param(cell, s);
    }
    override(cell);
}
