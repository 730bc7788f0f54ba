/* A file gets a name that no file has, on file systems with and without
 * renameat2() and link(). */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/text/rename.h"
#include "tests/lib/tap.h"

/* What the file system has not: errno of the two calls, 0: it has it. */
static int no_renameat2, no_link;

int renameat2(int from_folder, const char *from, int to_folder, const char *to,
              unsigned flags)
{
    (void)from_folder;
    (void)to_folder;
    (void)flags;
    if (no_renameat2 == 0 && access(to, F_OK) == 0)
        no_renameat2 = EEXIST;
    errno = no_renameat2;
    return no_renameat2 != 0 ? -1 : rename(from, to);
}

int link(const char *from, const char *to)
{
    if (no_link == 0 && access(to, F_OK) == 0)
        no_link = EEXIST;
    errno = no_link;
    return no_link != 0 ? -1 : symlink(from, to);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    fputs(text, file);
    fclose(file);
}

static int holds(const char *path, const char *text)
{
    FILE *file = fopen(path, "r");
    char line[20] = "";
    const int same = file != NULL && fgets(line, sizeof line, file) != NULL &&
                     strcmp(line, text) == 0;

    if (file != NULL)
        fclose(file);
    return same;
}

int main(void)
{
    static const struct {
        const char *what;
        int no_renameat2, no_link;
    } systems[] = {
        {"renameat2()", 0, 0},
        {"no such flag, as on NFS, but links", EINVAL, 0},
        {"neither, as on FAT", EINVAL, EPERM},
        {"an old kernel", ENOSYS, EOPNOTSUPP},
    };
    char folder[] = "/tmp/bosc-rename-XXXXXX";

    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 1;
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; ++i) {
        const int linked =
            systems[i].no_renameat2 != 0 && systems[i].no_link == 0;

        no_renameat2 = systems[i].no_renameat2;
        no_link = systems[i].no_link;
        write_file("from", "new");
        ok(bosc_rename_new("from", "to") == 0 && access("from", F_OK) != 0 &&
               (linked || holds("to", "new")),
           "%s: a file is renamed", systems[i].what);
        unlink("to");
        no_renameat2 = systems[i].no_renameat2;
        no_link = systems[i].no_link;
        write_file("from", "new");
        write_file("to", "precious");
        ok(bosc_rename_new("from", "to") == EEXIST && holds("from", "new") &&
               holds("to", "precious"),
           "%s: but not over another one", systems[i].what);
        unlink("from");
        unlink("to");
    }
    ok(bosc_rename_new("missing", "to") != 0, "one that is missing is not");
    if (chdir("/") != 0 || rmdir(folder) != 0)
        return 1;
    return done_testing();
}
