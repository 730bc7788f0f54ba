#include "src/mods/translate.h"

#include <ctype.h>
#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/mech/registry.h"
#include "src/base/mem.h"
#include "src/mods/headers.h"
#include "src/nmodl/emit/emit.h"
#include "src/nmodl/nmodl.h"
#include "src/text/file_kind.h"
#include "src/text/path.h"
#include "src/text/print.h"

static bosc_status check_there(const char *path, bosc_error *err)
{
    if (access(path, F_OK) == 0)
        return BOSC_OK;
    return bosc_fail(err, BOSC_ENOINPUT,
                     "%s: cannot be read: %s; name mod files or folders of "
                     "them, in a job relative to its file",
                     path, strerror(errno));
}

static const bosc_nm_problem *first_error(const bosc_nm_result *r)
{
    const bosc_nm_problem *first = NULL;

    for (int i = r->problems.all.n - 1; i >= 0; --i)
        if (!((const bosc_nm_problem *)r->problems.all.item[i])->warning)
            first = r->problems.all.item[i];
    return first;
}

static bosc_status refuse(const char *path, const bosc_nm_result *r,
                          bosc_error *err)
{
    if (setjmp(*bosc_nm_arena_end(r->arena)) != 0)
        return bosc_no_memory(err, path);
    return bosc_fail(err, BOSC_EFORMAT,
                     "%s; 'bosc mods check %s' tells all of it",
                     bosc_nm_problem_text(r->arena, first_error(r)), path);
}

/* --- names -----------------------------------------------------------------
 */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Does emitted text append the rest of a word to a mechanism's name? */
static bool is_emitted(const char *rest)
{
    static const char *const ends[] = {
        "_init",   "_current", "_advance",   "_receive",  "_connect",
        "_watch",  "_params",  "_global",    "_states",   "_ions",
        "_uses",   "_loops",   "_prepare",   "_constant", "_STATES",
        "_PARAMS", "_IONS",    "_CONSTANTS", "_WEIGHTS",  "_LINEAR",
        "_NS"};

    if (!is_word(*rest))
        return true;
    for (size_t i = 0; i < BOSC_LEN(ends); ++i)
        if (strncmp(rest, ends[i], strlen(ends[i])) == 0)
            return true;
    return false;
}

/* Does a header that the emitted text includes have such words, too? */
static bool is_taken(const char *text, const char *name)
{
    static const char *const begins[] = {"bosc_", "BOSC_"};

    for (size_t i = 0; i < BOSC_LEN(begins); ++i)
        for (const char *at = text; (at = strstr(at, begins[i])) != NULL;
             at += strlen(begins[i])) {
            const char *word = at + strlen(begins[i]);

            if ((at == text || !is_word(at[-1])) &&
                strncmp(word, name, strlen(name)) == 0 &&
                is_emitted(word + strlen(name)))
                return true;
        }
    return false;
}

static bool is_builtin(const char *name)
{
    for (int m = 0; bosc_mechs_builtin[m] != NULL; ++m)
        if (strcmp(bosc_mechs_builtin[m]->name, name) == 0)
            return true;
    return false;
}

void bosc_mods_check_name(bosc_nm_result *r)
{
    const char *name = r->accepted ? r->mechanism->name : "";
    bool taken = false;
    int n;
    const bosc_mods_header *headers = bosc_mods_headers(&n);

    for (int i = 0; i < n && r->accepted && !is_builtin(name) && !taken; ++i)
        taken = is_taken(headers[i].text, name);

    const bool reads = r->accepted && r->mechanism->reads_table &&
                       !is_builtin(name); /* nobody would bring its table */

    if (!(taken || reads) || setjmp(*bosc_nm_arena_end(r->arena)) != 0)
        return;
    if (reads)
        bosc_nm_refuse(&r->problems, r->mechanism->file->name_place,
                       "use CurrentPlayback or VoltagePlayback",
                       "bosc_played() is for built-in stimuli alone");
    else
        bosc_nm_refuse(&r->problems, r->mechanism->file->name_place,
                       "rename it", "bosc's own C code has a name made of '%s'",
                       name);
    r->accepted = false;
}

static bosc_status write_text(const char *path, const bosc_nm_program *p,
                              bosc_mods_text *out, bosc_error *err)
{
    bosc_print print;
    FILE *file = bosc_print_begin(&print);

    if (file != NULL)
        bosc_nm_emit(file, p);
    out->text = bosc_print_end(&print);
    out->bytes = print.bytes;
    out->name = bosc_strdup(p->m->name);
    out->file = bosc_strdup(path);
    out->form = p->form;
    return out->text == NULL || out->name == NULL || out->file == NULL
               ? bosc_no_memory(err, path)
               : BOSC_OK;
}

/* Of a built-in mechanism: functions of its name are there already. */
static void rename_code(bosc_nm_result *r)
{
    if (!r->accepted || setjmp(*bosc_nm_arena_end(r->arena)) != 0)
        return;
    r->mechanism->job_name = r->mechanism->name;
    r->mechanism->name = bosc_nm_text(r->arena, "%s_shown", r->mechanism->name);
}

/* The text of a built-in mechanism; NULL: that of the file. */
static bosc_status add_text(const char *path, const char *text,
                            const char *const *recorded, bosc_mods_texts *texts,
                            bosc_error *err)
{
    bosc_nm_result result;
    size_t room = (size_t)texts->n;
    bosc_status st =
        bosc_nm_translate_shown(path, text, recorded, &result, err);

    if (st != BOSC_OK)
        return st;
    bosc_mods_check_name(&result);
    if (text != NULL)
        rename_code(&result);
    if (!result.accepted)
        st = refuse(path, &result, err);
    if (st == BOSC_OK &&
        !bosc_grow(&texts->text, &room, room + 1, sizeof *texts->text))
        st = bosc_no_memory(err, path);
    if (st == BOSC_OK) {
        bosc_mods_text *to = &texts->text[texts->n++];

        *to = (bosc_mods_text){.name = NULL};
        st = write_text(path, result.program, to, err);
    }
    bosc_nm_result_clear(&result);
    return st;
}

static bosc_status add_file(const char *path, const char *const *recorded,
                            bosc_mods_texts *texts, bosc_error *err)
{
    return add_text(path, NULL, recorded, texts, err);
}

/* Is a variable of the mechanism recorded that is none of its states? */
static bool is_to_be_shown(const bosc_mech *mech, const char *const *recorded)
{
    const size_t n = strlen(mech->name);

    for (; recorded != NULL && *recorded != NULL; ++recorded) {
        bool known = mech->stimulus || strncmp(*recorded, mech->name, n) != 0 ||
                     (*recorded)[n] != '.';

        for (int j = 0; !known && j < mech->n_states; ++j)
            known = strcmp(mech->states[j].name, *recorded + n + 1) == 0;
        if (!known)
            return true;
    }
    return false;
}

static bosc_status add_builtin(const char *const *recorded,
                               bosc_mods_texts *texts, bosc_error *err)
{
    bosc_status st = BOSC_OK;
    int n;
    const bosc_mods_header *headers = bosc_mods_headers(&n);

    for (int m = 0; bosc_mechs_builtin[m] != NULL && st == BOSC_OK; ++m) {
        const bosc_mech *mech = bosc_mechs_builtin[m];

        for (int i = 0; i < n && is_to_be_shown(mech, recorded); ++i) {
            char *path = bosc_format("kernels/mech/%s.mod", mech->name);

            if (path == NULL)
                return bosc_no_memory(err, mech->name);
            if (strcmp(headers[i].path, path) == 0)
                st = add_text(path, headers[i].text, recorded, texts, err);
            free(path);
        }
    }
    return st;
}

/* "gate" of "mods/gate.mod" */
static char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *stem = bosc_strdup(slash != NULL ? slash + 1 : path);

    if (stem != NULL && strrchr(stem, '.') != NULL)
        *strrchr(stem, '.') = '\0';
    return stem;
}

/* A file of a folder may be refused: nobody may ask for it. */
static bosc_status add_of_folder(const char *path, const char *const *recorded,
                                 bosc_mods_texts *texts, bosc_error *why,
                                 bosc_error *err)
{
    const bosc_status st = add_file(path, recorded, texts, why);
    char *stem, *more;

    if (st == BOSC_OK)
        return BOSC_OK;
    if (st == BOSC_ENOMEM)
        return bosc_no_memory(err, path);
    stem = stem_of(path);
    more = stem == NULL
               ? NULL
               : bosc_format("%s%s\t%s\n",
                             texts->refused != NULL ? texts->refused : "", stem,
                             why->text);
    free(stem);
    if (more == NULL)
        return bosc_no_memory(err, path);
    free(texts->refused);
    texts->refused = more;
    return BOSC_OK;
}

bosc_status bosc_mods_list(const char *folder, glob_t *found, bosc_error *err)
{
    char *pattern = bosc_path_pattern(folder, "*.mod");

    if (pattern == NULL)
        return bosc_no_memory(err, folder);
    *found = (glob_t){0};
    const int failed = glob(pattern, 0, NULL, found);
    free(pattern);
    if (failed == 0)
        return BOSC_OK;
    globfree(found);
    return failed == GLOB_NOSPACE
               ? bosc_no_memory(err, folder)
               : bosc_fail(err, BOSC_ENOINPUT,
                           "%s: is a folder without mod files", folder);
}

static bosc_status add_folder(const char *path, const char *const *recorded,
                              bosc_mods_texts *texts, bosc_error *err)
{
    const int before = texts->n;
    bosc_error why = {""};
    glob_t found;
    bosc_status st = bosc_mods_list(path, &found, err);

    if (st != BOSC_OK)
        return st;
    for (size_t i = 0; i < found.gl_pathc && st == BOSC_OK; ++i)
        st = add_of_folder(found.gl_pathv[i], recorded, texts, &why, err);
    globfree(&found);
    if (st == BOSC_OK && texts->n == before)
        st = bosc_fail(err, BOSC_EFORMAT, "%s", why.text);
    return st;
}

static int by_name(const void *a, const void *b)
{
    const bosc_mods_text *x = a, *y = b;
    const int order = strcmp(x->name, y->name);

    return order != 0 ? order : strcmp(x->file, y->file);
}

bosc_status bosc_mods_translate(int n, char *const *paths,
                                const char *const *recorded,
                                bosc_mods_texts *texts, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    *texts = (bosc_mods_texts){.n = 0};
    for (int i = 0; i < n && st == BOSC_OK; ++i) {
        st = check_there(paths[i], err);
        if (st == BOSC_OK)
            st = (bosc_is_folder(paths[i]) ? add_folder : add_file)(
                paths[i], recorded, texts, err);
    }
    if (st == BOSC_OK)
        st = add_builtin(recorded, texts, err);
    if (st == BOSC_OK && texts->n > 0)
        qsort(texts->text, (size_t)texts->n, sizeof *texts->text, by_name);
    for (int i = 1; i < texts->n && st == BOSC_OK; ++i)
        if (strcmp(texts->text[i].name, texts->text[i - 1].name) == 0)
            st = bosc_fail(err, BOSC_EVALUE,
                           "%s: mechanism %s is in %s, too; rename one, or "
                           "keep one of the files",
                           texts->text[i].file, texts->text[i].name,
                           texts->text[i - 1].file);
    return st;
}

void bosc_mods_texts_clear(bosc_mods_texts *texts)
{
    for (int i = 0; i < texts->n; ++i) {
        free(texts->text[i].name);
        free(texts->text[i].file);
        free(texts->text[i].text);
    }
    free(texts->text);
    free(texts->refused);
    *texts = (bosc_mods_texts){.n = 0};
}
