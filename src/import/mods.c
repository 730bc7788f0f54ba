#include "src/import/mods.h"

#include <string.h>

#include "kernels/mech/registry.h"
#include "src/nmodl/nmodl.h"
#include "src/text/did_you_mean.h"
#include "src/text/file_kind.h"

bool bosc_import_list_has(const bosc_import_list *list, const char *text)
{
    return bosc_is_among(text, list->n, list->item);
}

const bosc_import_mod *bosc_import_mods_find(const bosc_import_mods *mods,
                                             const char *name)
{
    for (size_t i = 0; i < mods->n; ++i)
        if (strcmp(mods->mod[i].name, name) == 0)
            return &mods->mod[i];
    return NULL;
}

static bosc_import_mod *add(bosc_import *imp, bosc_import_mods *mods,
                            const char *name)
{
    bosc_import_mod *mod;

    if (!bosc_import_grow(imp, &mods->mod, &mods->capacity, mods->n + 1,
                          sizeof *mods->mod))
        return NULL;
    mod = &mods->mod[mods->n++];
    *mod = (bosc_import_mod){.name = bosc_import_print(imp, "%s", name)};
    return mod;
}

static void add_builtin(bosc_import *imp, bosc_import_mods *mods)
{
    for (int m = 0; bosc_mechs_builtin[m] != NULL; ++m) {
        const bosc_mech *mech = bosc_mechs_builtin[m];
        bosc_import_mod *mod = add(imp, mods, mech->name);

        if (mod == NULL)
            return;
        mod->density =
            mech->kind != BOSC_MECH_POINT && mech->kind != BOSC_MECH_ION;
        for (int p = 0; p < mech->n_params; ++p)
            bosc_import_add(imp, &mod->params, mech->params[p].name);
    }
}

/* What a file says, also of one that is refused. */
static void describe(bosc_import *imp, const bosc_nm_result *result,
                     bosc_import_mod *mod)
{
    const bosc_nm_mechanism *m = result->mechanism;

    mod->density = m->kind == BOSC_NM_SUFFIX;
    for (int i = 0; i < m->symbols.n; ++i) {
        const bosc_nm_symbol *s = m->symbols.item[i];
        const char *name;

        if (s->kind != BOSC_NM_PARAMETER || s->declared == NULL)
            continue;
        name = bosc_import_print(imp, "%s", s->name);
        bosc_import_add(imp, &mod->params, name);
        if (!s->range)
            bosc_import_add(imp, &mod->globals, name);
    }
    for (int i = 0; i < m->ions.n; ++i) {
        const bosc_nm_ion *ion = m->ions.item[i];

        bosc_import_add(imp, &mod->ions,
                        bosc_import_print(imp, "%s", ion->name));
    }
}

static const char *reason(bosc_import *imp, bosc_nm_result *result)
{
    for (int i = 0; i < result->problems.all.n; ++i) {
        const bosc_nm_problem *problem = result->problems.all.item[i];

        if (!problem->warning)
            return bosc_import_print(
                imp, "%s:%d: %s%s%s",
                problem->place.source == NULL ? "?"
                                              : problem->place.source->name,
                problem->place.line, problem->what,
                problem->remedy[0] == '\0' ? "" : "; ", problem->remedy);
    }
    return "bosc does not understand its mod file; see 'bosc mods check'";
}

/* One that cannot be read at all is of no mechanism that is known.  Of several
 * files with one mechanism the first is taken. */
static void add_file(bosc_import *imp, bosc_import_mods *mods, const char *path)
{
    bosc_nm_result result;
    const bosc_nm_mechanism *own;
    bosc_import_mod *mod = NULL;

    imp->st = bosc_nm_translate_file(path, &result, imp->err);
    if (imp->st != BOSC_OK)
        return;
    own = result.mechanism;
    if (own != NULL && own->name[0] != '\0' &&
        bosc_import_mods_find(mods, own->name) == NULL)
        mod = add(imp, mods, own->name);
    if (mod != NULL) {
        mod->path = path;
        describe(imp, &result, mod);
        mod->refused = result.accepted ? NULL : reason(imp, &result);
    }
    bosc_nm_result_clear(&result);
}

static void add_folder(bosc_import *imp, bosc_import_mods *mods,
                       const char *folder)
{
    static const char *const endings[] = {".mod", NULL};
    const bosc_import_list names = bosc_import_names(imp, folder, endings);

    for (size_t i = 0; i < names.n && imp->st == BOSC_OK; ++i)
        add_file(imp, mods, bosc_import_join(imp, folder, names.item[i]));
}

/* What the job itself names: mod files, and folders of them. */
static void add_own(bosc_import *imp, bosc_import_mods *mods)
{
    const size_t builtin = mods->n;

    for (int i = 0; i < imp->how->n_mods && imp->st == BOSC_OK; ++i) {
        const char *path = imp->how->mods[i], *ending = strrchr(path, '.');

        if (bosc_is_folder(path))
            add_folder(imp, mods, path);
        else if (ending != NULL && strcmp(ending, ".mod") == 0)
            add_file(imp, mods, path);
    }
    for (size_t i = builtin; i < mods->n; ++i)
        mods->mod[i].of_job = true;
}

void bosc_import_mods_read(bosc_import *imp, const char *folder,
                           bosc_import_mods *mods)
{
    mods->folder = folder;
    add_builtin(imp, mods);
    add_own(imp, mods);
    if (folder == NULL)
        return;
    if (!bosc_is_folder(folder)) {
        bosc_import_fail(imp, BOSC_EIO,
                         "%s: is no folder that can be read; give the one that "
                         "has the mod files with --mechanisms",
                         folder);
        return;
    }
    add_folder(imp, mods, folder);
}

const char *bosc_import_mods_folder(bosc_import *imp,
                                    const char *const *folders)
{
    static const char *const names[] = {"modfiles", "mechanisms", "mechanism",
                                        "mods",     "mod",        NULL};

    if (imp->how->mechanisms != NULL)
        return imp->how->mechanisms;
    for (; *folders != NULL; ++folders) {
        const char *found = bosc_import_find(imp, *folders, names);

        if (found != NULL && bosc_is_folder(found))
            return found;
    }
    return NULL;
}
