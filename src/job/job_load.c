/* job_load.c - the text of a job or a list; what to do where there is none.
 */
#include "src/job/job.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/base/signals.h"
#include "src/text/did_you_mean.h"
#include "src/text/file_kind.h"
#include "src/text/lines.h"

enum { MAX_FILE = 256 << 20 };

/* --- remedies ------------------------------------------------------------ */

static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_job(const char *ending)
{
    return ending != NULL &&
           (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".yml") == 0);
}

/* True if a file with that ending may have been meant by one with 'wanted';
 * a job's may be left out. */
static bool may_mean(const char *wanted, const char *ending)
{
    if (wanted == NULL || is_job(wanted))
        return is_job(ending);
    return ending != NULL && strcmp(wanted, ending) == 0;
}

/* Of n files the one that was meant by 'name', or the first job where that is
 * ""; of 'whole' names a job's, else those of the ending wanted, without it.
 * NULL: none. */
static char *choose(const char *name, bool whole, int n, struct dirent **files)
{
    const char *dot = whole ? NULL : strrchr(name, '.'), *best = NULL;
    const char **names = bosc_alloc((size_t)n, sizeof *names);
    char *stem =
             strndup(name, dot != NULL ? (size_t)(dot - name) : strlen(name)),
         *found = NULL;
    size_t kept = 0;

    for (int i = 0; names != NULL && i < n; ++i) {
        char *ending = strrchr(files[i]->d_name, '.');

        if (!may_mean(dot, ending))
            continue;
        if (!whole)
            *ending = '\0'; /* what follows is still there */
        names[kept++] = files[i]->d_name;
    }
    if (stem != NULL && kept > 0)
        best = name[0] == '\0' ? names[0] : bosc_suggest(stem, kept, names);
    if (best != NULL)
        found = whole ? bosc_strdup(best)
                      : bosc_format("%s.%s", best, best + strlen(best) + 1);
    free(stem);
    free(names);
    return found;
}

/* The file in the folder that choose() returns; the caller frees it. */
static char *look_in(const char *folder, const char *name)
{
    struct dirent **files = NULL;
    const int n = scandir(folder, &files, is_shown, by_name);
    char *found =
        n > 0 && name[0] != '\0' ? choose(name, true, n, files) : NULL;

    if (n > 0 && found == NULL)
        found = choose(name, false, n, files);
    for (int i = 0; i < n; ++i)
        free(files[i]);
    free(files);
    return found;
}

static bosc_status fail_missing(const char *path, bosc_error *err)
{
    const char *slash = strrchr(path, '/');
    const int length = slash != NULL ? (int)(slash + 1 - path) : 0;
    char *folder = bosc_format("%.*s.", length, path);
    char *meant = folder != NULL ? look_in(folder, path + length) : NULL;
    const bosc_status st =
        meant != NULL
            ? bosc_fail(err, BOSC_ENOINPUT, "%s: %s; did you mean '%.*s%s'?",
                        path, strerror(ENOENT), length, path, meant)
            : bosc_fail(err, BOSC_ENOINPUT, "%s: %s; check the path", path,
                        strerror(ENOENT));

    free(folder);
    free(meant);
    return st;
}

static bosc_status fail_folder(const char *path, bosc_error *err)
{
    const char *end = path[strlen(path) - 1] == '/' ? "" : "/";
    char *job = look_in(path, "");
    const bosc_status st =
        job != NULL ? bosc_fail(err, BOSC_ENOINPUT,
                                "%s: %s; name a file in it, such as '%s%s%s'",
                                path, strerror(EISDIR), path, end, job)
                    : bosc_fail(err, BOSC_ENOINPUT, "%s: %s; name a file", path,
                                strerror(EISDIR));

    free(job);
    return st;
}

/* Report the error of the system. */
static bosc_status fail_file(const char *path, int why, bosc_error *err)
{
    if (why == EINTR && bosc_signals_in_setup(err) != BOSC_OK)
        return BOSC_EINTR;
    if (why == ENOENT && path[0] != '\0')
        return fail_missing(path, err);
    if (why == EISDIR)
        return fail_folder(path, err);
    return bosc_fail(err, BOSC_ENOINPUT, "%s: %s%s", path, strerror(why),
                     why == EACCES ? "; check who may read it" : "");
}

/* --- reading ------------------------------------------------------------- */

/* All of a file, or as much as shows that it is no text. */
static bosc_status read_file(FILE *file, const char *path, const char *wanted,
                             char **bytes, bosc_error *err)
{
    size_t n = 0;

    if ((*bytes = bosc_lines_all(file, MAX_FILE, &n)) == NULL)
        return bosc_no_memory(err, path);
    if (ferror(file))
        return fail_file(path, errno, err);

    const bosc_file_kind *kind = bosc_file_kind_of(*bytes, n);

    if (kind != NULL)
        return bosc_fail(err, BOSC_EFORMAT, "%s: this is %s, not %s; %s", path,
                         kind->what, wanted, kind->remedy);
    if (memchr(*bytes, '\0', n) != NULL)
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s: holds NUL characters; it should be %s", path,
                         wanted);
    if (n > MAX_FILE)
        return bosc_fail(err, BOSC_EFORMAT,
                         "%s: over %d MiB; is this the right file?", path,
                         MAX_FILE >> 20);
    return BOSC_OK;
}

bosc_status bosc_text_load(const char *path, const char *wanted, char **text,
                           bosc_error *err)
{
    FILE *file = fopen(path, "rb");
    char *bytes = NULL;

    if (file == NULL)
        return fail_file(path, errno, err);
    const bosc_status st = read_file(file, path, wanted, &bytes, err);

    fclose(file);
    if (st == BOSC_OK)
        *text = bytes;
    else
        free(bytes);
    return st;
}

bosc_status bosc_job_load_text(const char *path, char **text, bosc_error *err)
{
    return bosc_text_load(path, "a job (YAML in UTF-8)", text, err);
}
