/* files.c - files beside a source, and paths as a job names them. */
#include "src/import/source.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "src/base/search.h"
#include "src/text/path.h"

bool bosc_import_exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static const char *own(bosc_import *imp, char *path)
{
    const char *text = bosc_pool_own(&imp->pool, path);

    if (text != NULL)
        return text;
    bosc_import_fail(imp, BOSC_ENOMEM, "out of memory for a path");
    return "";
}

const char *bosc_import_parent(bosc_import *imp, const char *path)
{
    return own(imp, bosc_path_folder(path));
}

const char *bosc_import_join(bosc_import *imp, const char *folder,
                             const char *path)
{
    if (strncmp(path, "./", 2) == 0)
        path += 2;
    return strcmp(folder, ".") == 0 ? path
                                    : own(imp, bosc_path_join(folder, path));
}

const char *bosc_import_find(bosc_import *imp, const char *folder,
                             const char *const *names)
{
    for (; *names != NULL; ++names) {
        const char *path = bosc_import_join(imp, folder, *names);

        if (imp->st == BOSC_OK && bosc_import_exists(path))
            return path;
    }
    return NULL;
}

static bool ends(const char *name, const char *const *endings)
{
    const size_t n = strlen(name);

    for (; *endings != NULL; ++endings)
        if (n >= strlen(*endings) &&
            strcasecmp(name + n - strlen(*endings), *endings) == 0)
            return true;
    return false;
}

/* The names of a folder in their order; those that 'takes' are kept. */
static bosc_import_list names_of(bosc_import *imp, const char *folder,
                                 bool (*takes)(const char *name,
                                               const char *const *endings),
                                 const char *const *endings)
{
    bosc_import_list names = {0};
    DIR *dir = opendir(folder);
    const struct dirent *entry;

    while (dir != NULL && imp->st == BOSC_OK && (entry = readdir(dir)) != NULL)
        if (takes(entry->d_name, endings))
            bosc_import_add(imp, &names,
                            bosc_import_print(imp, "%s", entry->d_name));
    if (dir != NULL)
        closedir(dir);
    if (names.n > 1)
        qsort(names.item, names.n, sizeof *names.item, bosc_by_text);
    return names;
}

bosc_import_list bosc_import_names(bosc_import *imp, const char *folder,
                                   const char *const *endings)
{
    return names_of(imp, folder, ends, endings);
}

const char *bosc_import_only(bosc_import *imp, const char *folder,
                             const char *const *endings, const char **several)
{
    const bosc_import_list names = names_of(imp, folder, ends, endings);

    *several = NULL;
    if (names.n == 0)
        return NULL;
    if (names.n == 1)
        return bosc_import_join(imp, folder, names.item[0]);
    for (size_t i = 0; i < names.n; ++i)
        *several = bosc_import_print(imp, "%s%s%s", i == 0 ? "" : *several,
                                     i == 0 ? "" : ", ", names.item[i]);
    return NULL;
}

/* The path of a file that need not be there, through no links. */
static bool resolve(const char *path, char real[PATH_MAX])
{
    return realpath(path, real) != NULL;
}

const char *bosc_import_relative(bosc_import *imp, const char *path)
{
    char from[PATH_MAX], to[PATH_MAX];
    size_t same = 0;
    const char *text = "";

    if (path[0] == '\0' || !resolve(imp->folder, from) || !resolve(path, to))
        return path;
    for (size_t i = 0; from[i] == to[i] || from[i] == '\0'; ++i) {
        if (from[i] == '\0' && (to[i] == '/' || to[i] == '\0'))
            same = i;
        if (from[i] == '\0' || to[i] == '\0')
            break;
        if (from[i] == '/' && from[i + 1] != '\0')
            same = i;
    }
    for (const char *p = from + same; *p != '\0'; ++p)
        if (*p == '/' && p[1] != '\0')
            text = bosc_import_print(imp, "../%s", text);
    text = bosc_import_print(imp, "%s%s", text,
                             to[same] == '/' ? to + same + 1 : to + same);
    return text[0] == '\0' ? "." : text;
}

/* --- licences --------------------------------------------------------------
 */

static bool is_licence(const char *name, const char *const *beginnings)
{
    for (; *beginnings != NULL; ++beginnings)
        if (strncasecmp(name, *beginnings, strlen(*beginnings)) == 0)
            return true;
    return false;
}

void bosc_import_licences(bosc_import *imp, const char *const *folders)
{
    static const char *const beginnings[] = {"LICENSE", "LICENCE", "COPYING",
                                             NULL};
    bool any = false;

    for (; *folders != NULL; ++folders) {
        const bosc_import_list names =
            names_of(imp, *folders, is_licence, beginnings);

        for (size_t i = 0; i < names.n; ++i) {
            bosc_import_note(
                imp, "licence of the source: see %s",
                bosc_import_relative(
                    imp, bosc_import_join(imp, *folders, names.item[i])));
            any = true;
        }
    }
    if (!any)
        bosc_import_note(imp, "no file of a licence lies beside the source; "
                              "ask where it came from before you pass this "
                              "job on");
}
