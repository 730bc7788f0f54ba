#include "src/nmodl/nmodl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "src/text/file_kind.h"

/* ---- files ---- */

/* Read a file into the arena; NULL with the reason in 'why'. */
static bosc_nm_source *read_file(bosc_nm_arena *arena, const char *path,
                                 const char **why)
{
    /* taken first: requests may jump, and leave no file open */
    char *text = bosc_nm_new(arena, BOSC_NM_LONGEST_FILE + 2, 1);
    bosc_nm_source *source = bosc_nm_new(arena, 1, sizeof *source);
    struct stat s;
    FILE *file;

    source->name = bosc_nm_copy(arena, path, strlen(path));
    source->text = text;
    if (stat(path, &s) == 0 && !S_ISREG(s.st_mode)) { /* a pipe would wait */
        *why = S_ISDIR(s.st_mode) ? "it is a folder" : "it is no regular file";
        return NULL;
    }
    errno = 0;
    file = fopen(path, "rb");
    if (file != NULL)
        source->bytes = fread(text, 1, BOSC_NM_LONGEST_FILE + 1, file);
    const bool failed = file == NULL || ferror(file);
    const int error = errno;
    if (file != NULL)
        fclose(file);
    if (failed) {
        *why = bosc_nm_text(arena, "%s", strerror(error));
        return NULL;
    }
    return source;
}

/* INCLUDE "name": beside the file that includes it. */
static const bosc_nm_source *include_file(void *with, bosc_nm_arena *arena,
                                          const bosc_nm_source *from,
                                          const char *name)
{
    const char *slash = strrchr(from->name, '/'), *why;
    const char *path =
        name[0] == '/' || slash == NULL
            ? name
            : bosc_nm_text(arena, "%.*s%s", (int)(slash + 1 - from->name),
                           from->name, name);
    const bosc_nm_source *source = read_file(arena, path, &why);

    (void)with;
    return source != NULL && source->bytes <= BOSC_NM_LONGEST_FILE ? source
                                                                   : NULL;
}

/* ---- translation ---- */

static int by_line(const void *a, const void *b)
{
    const bosc_nm_problem *x = *(bosc_nm_problem *const *)a;
    const bosc_nm_problem *y = *(bosc_nm_problem *const *)b;

    if (x->place.line != y->place.line)
        return x->place.line < y->place.line ? -1 : 1;
    return strcmp(x->what, y->what);
}

/* The part of a leak that never changes stays where it is, so that what is
 * recorded changes no result. */
static bosc_nm_program *create_program(bosc_nm_mechanism *m,
                                       const char *const *shown)
{
    bosc_nm_program *p = bosc_nm_program_create(m), *leak;

    /* lowered twice: what becomes a leak is seen in the end */
    m->shown = shown;
    if (m->problems->n_errors > 0 || !bosc_nm_is_shown(m, NULL))
        return p;
    leak = p->form == BOSC_NM_STATIC ? p : NULL;
    p = bosc_nm_program_create(m);
    if (leak != NULL && p->form != BOSC_NM_STATIC)
        bosc_nm_keep_leak(p, leak);
    return p;
}

static void translate(bosc_nm_result *r, const bosc_nm_source *source,
                      bool files, const char *const *shown)
{
    const bosc_file_kind *kind;
    bosc_nm_tokens tokens = {.arena = r->arena,
                             .problems = &r->problems,
                             .include = files ? include_file : NULL};
    const bosc_nm_place whole = {source, 0, 0};

    if (source->bytes > BOSC_NM_LONGEST_FILE) {
        bosc_nm_refuse(&r->problems, whole, "is it a mod file?",
                       "the file has over %d bytes", BOSC_NM_LONGEST_FILE);
        return;
    }
    kind = bosc_file_kind_binary(source->text, source->bytes);
    if (kind != NULL) {
        bosc_nm_refuse(&r->problems, whole, kind->remedy, "it is %s",
                       kind->what);
        return;
    }
    r->mechanism =
        bosc_nm_model(r->arena, &r->problems, bosc_nm_parse(&tokens, source));
    if (r->problems.n_errors == 0)
        r->program = create_program(r->mechanism, shown);
}

static bosc_status begin(bosc_nm_result *result, bosc_error *err)
{
    *result = (bosc_nm_result){.arena = bosc_nm_arena_create()};
    result->problems.arena = result->arena;
    return result->arena == NULL ? bosc_no_memory(err, "a mod file") : BOSC_OK;
}

/* After a jump out of the translation: where the arena is full, that is a
 * problem of the file, in a new arena. */
static bosc_status jumped(const char *name, bosc_nm_result *r, bosc_error *err)
{
    const bool full = bosc_nm_arena_full(r->arena);
    bosc_nm_source *source;

    bosc_nm_result_clear(r);
    if (!full || begin(r, err) != BOSC_OK)
        return bosc_no_memory(err, name);
    if (setjmp(*bosc_nm_arena_end(r->arena)) != 0)
        return bosc_no_memory(err, name);
    source = bosc_nm_new(r->arena, 1, sizeof *source);
    source->name = bosc_nm_copy(r->arena, name, strlen(name));
    bosc_nm_refuse(&r->problems, (bosc_nm_place){source, 0, 0},
                   "make its loops shorter",
                   "the file becomes too large when its loops and functions "
                   "are written out");
    return BOSC_OK;
}

static void finish(bosc_nm_result *r)
{
    if (r->problems.all.n > 1)
        qsort(r->problems.all.item, (size_t)r->problems.all.n,
              sizeof *r->problems.all.item, by_line);
    r->accepted = r->problems.n_errors == 0 && r->program != NULL;
    if (!r->accepted)
        r->program = NULL;
}

/* A text; NULL: that of the file 'name'. */
typedef struct what {
    const char *name, *text;
    size_t bytes;
    bool files;
    const char *const *shown;
} what;

static bosc_status translate_all(what of, bosc_nm_result *result,
                                 bosc_error *err)
{
    const char *name = of.name;
    bosc_status st = begin(result, err);

    if (st != BOSC_OK)
        return st;
    if (setjmp(*bosc_nm_arena_end(result->arena)) != 0) {
        st = jumped(name, result, err);
    } else {
        const char *why = "";
        bosc_nm_source *named = bosc_nm_new(result->arena, 1, sizeof *named);
        bosc_nm_source *source = named;

        named->name = bosc_nm_copy(result->arena, name, strlen(name));
        if (of.text == NULL) {
            source = read_file(result->arena, name, &why);
        } else {
            source->text = bosc_nm_copy(result->arena, of.text, of.bytes);
            source->bytes = of.bytes;
        }
        if (source == NULL)
            bosc_nm_refuse(&result->problems, (bosc_nm_place){named, 0, 0}, "",
                           "cannot be read: %s", why);
        else
            translate(result, source, of.files, of.shown);
        finish(result);
    }
    if (st != BOSC_OK)
        bosc_nm_result_clear(result);
    return st;
}

bosc_status bosc_nm_translate(const char *name, const char *text, size_t bytes,
                              bool files, bosc_nm_result *result,
                              bosc_error *err)
{
    return translate_all((what){name, text, bytes, files, NULL}, result, err);
}

bosc_status bosc_nm_translate_file(const char *path, bosc_nm_result *result,
                                   bosc_error *err)
{
    return translate_all((what){path, NULL, 0, true, NULL}, result, err);
}

bosc_status bosc_nm_translate_shown(const char *name, const char *text,
                                    const char *const *shown,
                                    bosc_nm_result *result, bosc_error *err)
{
    return translate_all((what){name, text, text == NULL ? 0 : strlen(text),
                                text == NULL, shown},
                         result, err);
}

void bosc_nm_result_clear(bosc_nm_result *result)
{
    bosc_nm_arena_destroy(result->arena);
    *result = (bosc_nm_result){.arena = NULL};
}
