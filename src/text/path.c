#include "src/text/path.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/base/status.h"
#include "src/text/file_kind.h"

char *bosc_path_folder(const char *path)
{
    const char *slash = strrchr(path, '/');

    if (slash == NULL)
        return bosc_strdup(".");
    return bosc_format("%.*s", slash == path ? 1 : (int)(slash - path), path);
}

char *bosc_path_join(const char *folder, const char *path)
{
    while (path[0] == '.' && path[1] == '/')
        path += 2 + strspn(path + 2, "/");
    if (path[0] == '/' || strcmp(folder, ".") == 0)
        return bosc_strdup(path);
    return bosc_format("%s%s%s", folder,
                       folder[strlen(folder) - 1] == '/' ? "" : "/", path);
}

ptrdiff_t bosc_path_literal(const char *folder, const char *path)
{
    ptrdiff_t literal = 0;
    const char *slash = path;

    while (*slash != '\0' && (slash = strchr(slash + 1, '/')) != NULL) {
        char *front = bosc_format("%.*s", (int)(slash - path), path);
        char *name = front != NULL ? bosc_path_join(folder, front) : NULL;
        const bool has_memory = name != NULL,
                   exists = has_memory && bosc_is_folder(name);

        free(front);
        free(name);
        if (!exists)
            return has_memory ? literal : -1;
        literal = slash - path + 1;
    }
    return literal;
}

/* 'n' bytes of a path, with a backslash before what glob() would read; NULL
 * without memory. */
static char *quote(const char *path, size_t n)
{
    char *quoted = malloc(2 * n + 1), *p = quoted;

    if (quoted == NULL)
        return NULL;
    for (size_t i = 0; i < n; ++i) {
        if (strchr("*?[]\\", path[i]) != NULL)
            *p++ = '\\';
        *p++ = path[i];
    }
    *p = '\0';
    return quoted;
}

char *bosc_path_pattern(const char *folder, const char *path)
{
    const ptrdiff_t literal = bosc_path_literal(folder, path);
    char *quoted = literal < 0 ? NULL : quote(folder, strlen(folder)),
         *front = quoted != NULL ? quote(path, (size_t)literal) : NULL,
         *whole =
             front != NULL ? bosc_format("%s%s", front, path + literal) : NULL,
         *pattern = whole != NULL ? bosc_path_join(quoted, whole) : NULL;

    free(quoted);
    free(front);
    free(whole);
    return pattern;
}

char *bosc_path_insert(const char *path, const char *word)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash != NULL ? slash : path, '.');
    const int stem = dot != NULL ? (int)(dot - path) : (int)strlen(path);

    return bosc_format("%.*s.%s%s", stem, path, word, dot != NULL ? dot : "");
}

char *bosc_path_of_user(const char *variable, const char *usual,
                        const char *name)
{
    const char *own = getenv(variable), *home = getenv("HOME");

    if (own != NULL && own[0] == '/')
        return bosc_format("%s/bosc/%s", own, name);
    return bosc_format("%s/%s/bosc/%s",
                       home != NULL && home[0] != '\0' ? home : ".", usual,
                       name);
}

void bosc_path_make_folders(const char *path, unsigned mode)
{
    char *copy = bosc_strdup(path);

    for (char *p = copy;
         p != NULL && p[0] != '\0' && (p = strchr(p + 1, '/')) != NULL;) {
        *p = '\0';
        mkdir(copy, (mode_t)mode);
        *p = '/';
    }
    free(copy);
}

/* What a link leads to, as seen from where 'path' is seen from; NULL: it is
 * none, or there is no memory. */
static char *read_link(const char *path)
{
    char target[PATH_MAX];
    const ssize_t n = readlink(path, target, sizeof target - 1);
    char *folder, *joined;

    if (n <= 0)
        return NULL;
    target[n] = '\0';
    folder = bosc_path_folder(path);
    joined = folder != NULL ? bosc_path_join(folder, target) : NULL;
    free(folder);
    return joined;
}

char *bosc_path_target(const char *path)
{
    enum { MOST = 40 }; /* as the system follows */
    char *at = bosc_strdup(path), *next = NULL;
    int n = 0;

    while (at != NULL && n < MOST && (next = read_link(at)) != NULL) {
        free(at);
        at = next;
        ++n;
    }
    if (n < MOST)
        return at;
    free(at);
    return bosc_strdup(path);
}

void bosc_path_program_folder(char *folder)
{
    const ssize_t n = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    char *end;

    folder[n > 0 ? n : 0] = '\0';
    end = strrchr(folder, '/');
    if (end != NULL)
        *end = '\0';
}

bool bosc_path_of_bosc(const char *name, char **out)
{
    char folder[PATH_MAX];
    bool enough = true;

    bosc_path_program_folder(folder);

    char *places[] = {bosc_format("%s/%s", folder, name),
                      bosc_format("%s/../share/bosc/%s", folder, name),
                      bosc_format("%s/%s", BOSC_PKGDATADIR, name)};

    *out = NULL;
    for (size_t i = 0; i < BOSC_LEN(places); ++i) {
        enough = enough && places[i] != NULL;
        if (enough && *out == NULL && access(places[i], R_OK) == 0)
            *out = places[i];
        else
            free(places[i]);
    }
    return enough || *out != NULL;
}
