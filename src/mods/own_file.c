#include "config.h" /* first: it asks for extensions */

#include "src/mods/own_file.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/text/path.h"

/* --- who may write -------------------------------------------------------- */

/* The name of a user, or the number where it has none. */
typedef char user_name[64];
static const char *name_of(uid_t user, user_name text)
{
    char room[4096];
    struct passwd entry, *found = NULL;

    if (getpwuid_r(user, &entry, room, sizeof room, &found) != 0 ||
        found == NULL)
        snprintf(text, sizeof(user_name), "%lu", (unsigned long)user);
    else
        snprintf(text, sizeof(user_name), "%s", entry.pw_name);
    return text;
}

/* Is it the group of this user alone?  It has its name by convention; whoever
 * else is in it is listed. */
static bool is_private(gid_t group)
{
    char room[16384];
    struct group entry, *found = NULL;
    user_name me;
    bool alone = true;

    if (getgrgid_r(group, &entry, room, sizeof room, &found) != 0 ||
        found == NULL || strcmp(entry.gr_name, name_of(geteuid(), me)) != 0)
        return false;
    for (char **member = entry.gr_mem; *member != NULL; ++member)
        alone = alone && strcmp(*member, me) == 0;
    return alone;
}

/* With an access list the bits of the group stand for more than the group. */
static bool has_access_list(int fd)
{
    return fgetxattr(fd, "system.posix_acl_access", NULL, 0) > 0;
}

static bool others_write(int fd, const struct stat *s)
{
    if (S_ISDIR(s->st_mode) && (s->st_mode & S_ISVTX) != 0)
        return false;
    if ((s->st_mode & S_IWGRP) != 0 &&
        (has_access_list(fd) || !is_private(s->st_gid)))
        return true;
    return (s->st_mode & S_IWOTH) != 0;
}

/* 'what' is open as 'fd', and was asked for as part of 'path'. */
static bosc_status check(int fd, const struct stat *s, const char *path,
                         const char *what, bosc_error *err)
{
    const bool own = s->st_uid == geteuid() || s->st_uid == 0;
    const char *kind = S_ISDIR(s->st_mode) ? "folder " : "";
    user_name owner, me;

    if (own && !others_write(fd, s))
        return BOSC_OK;
    name_of(s->st_uid, owner);
    name_of(geteuid(), me);
    return bosc_fail(err, BOSC_EVALUE,
                     "%s: it is code, and %s%s of user %s (mode %04o) can be "
                     "written by %s, whose code would run as user %s",
                     path, kind, what, owner, (unsigned)s->st_mode & 07777,
                     !own                          ? "that user"
                     : (s->st_mode & S_IWOTH) != 0 ? "all users"
                                                   : "its group",
                     me);
}

/* Open a folder that files may be taken from.  *fd is -1 where it cannot be
 * opened: BOSC_ENOINPUT. */
static bosc_status open_folder(const char *folder, const char *path, int *fd,
                               bosc_error *err)
{
    struct stat s;

    *fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*fd < 0 || fstat(*fd, &s) != 0)
        return bosc_fail(err, BOSC_ENOINPUT, "%s: %s", path, strerror(errno));
    return check(*fd, &s, path, folder, err);
}

bosc_status bosc_own_folder_check(const char *folder, bosc_error *err)
{
    int fd;
    const bosc_status st = open_folder(folder, folder, &fd, err);

    if (fd >= 0)
        close(fd);
    return st == BOSC_ENOINPUT ? BOSC_OK : st;
}

/* --- reading -------------------------------------------------------------- */

static bosc_status read_all(int fd, const char *path, unsigned char **bytes,
                            size_t *size, bosc_error *err)
{
    unsigned char *all = NULL;
    size_t capacity = 0, n = 0;
    ssize_t got;

    do {
        if (!bosc_grow(&all, &capacity, n + 65536, 1)) {
            free(all);
            return bosc_no_memory(err, path);
        }
        do
            got = read(fd, all + n, capacity - n);
        while (got < 0 && errno == EINTR);
        n += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    if (got < 0) {
        const int why = errno;

        free(all);
        return bosc_fail(err, BOSC_ENOINPUT, "%s: %s", path, strerror(why));
    }
    *bytes = all;
    *size = n;
    return BOSC_OK;
}

/* Open a file of an open folder, and check what was opened.  Of a pipe nothing
 * is waited for. */
static bosc_status open_file(int folder, const char *name, const char *path,
                             int *fd, bosc_error *err)
{
    struct stat s;

    *fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (*fd < 0 || fstat(*fd, &s) != 0)
        return bosc_fail(err, BOSC_ENOINPUT, "%s: %s", path, strerror(errno));
    if (!S_ISREG(s.st_mode))
        return bosc_fail(err, BOSC_ENOINPUT, "%s: it is no regular file", path);
    return check(*fd, &s, path, path, err);
}

/* What a link leads to, NULL for anything else. */
static char *target_of(int folder, const char *name, const char *path)
{
    struct stat s;

    return fstatat(folder, name, &s, AT_SYMLINK_NOFOLLOW) == 0 &&
                   S_ISLNK(s.st_mode)
               ? realpath(path, NULL)
               : NULL;
}

static bosc_status read_in(const char *path, bool follow, unsigned char **bytes,
                           size_t *size, bosc_error *err)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    char *folder = bosc_path_folder(path), *target = NULL;
    int at = -1, fd = -1;
    bosc_status st = folder == NULL ? bosc_no_memory(err, path)
                                    : open_folder(folder, path, &at, err);

    if (st == BOSC_OK && follow)
        target = target_of(at, name, path);
    if (st == BOSC_OK && target != NULL)
        st = read_in(target, false, bytes, size, err);
    else if (st == BOSC_OK &&
             (st = open_file(at, name, path, &fd, err)) == BOSC_OK)
        st = read_all(fd, path, bytes, size, err);
    if (fd >= 0)
        close(fd);
    if (at >= 0)
        close(at);
    free(target);
    free(folder);
    return st;
}

bosc_status bosc_own_file_read(const char *path, unsigned char **bytes,
                               size_t *size, bosc_error *err)
{
    return read_in(path, true, bytes, size, err);
}

/* --- writing -------------------------------------------------------------- */

/* A file of a name that nothing has, with the permissions that the umask gives.
 * Where somebody has guessed the name, it is not opened. */
static int open_fresh(const char *path, char **name)
{
    char host[64] = "";
    struct timespec now;

    gethostname(host, sizeof host - 1);
    clock_gettime(CLOCK_MONOTONIC, &now);
    *name = bosc_format("%s.%s.%ld.%lx%lx.part", path, host, (long)gettid(),
                        (unsigned long)now.tv_sec, (unsigned long)now.tv_nsec);
    return *name == NULL
               ? -1
               : open(*name,
                      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                      0644);
}

bool bosc_write_all(int fd, const unsigned char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t n = write(fd, bytes, size);

        if (n == 0)
            errno = ENOSPC;
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        if (n > 0) {
            bytes += n;
            size -= (size_t)n;
        }
    }
    return true;
}

bosc_status bosc_own_file_write(const char *path, const unsigned char *bytes,
                                size_t size, bosc_error *err)
{
    char *part = NULL;
    int fd, why = 0;

    errno = 0;
    fd = open_fresh(path, &part);
    if (fd < 0)
        why = errno != 0 ? errno : ENOMEM;
    if (why == 0 && !bosc_write_all(fd, bytes, size))
        why = errno;
    if (fd >= 0 && close(fd) != 0 && why == 0)
        why = errno;
    if (why == 0 && rename(part, path) != 0)
        why = errno;
    if (why != 0 && fd >= 0)
        unlink(part);
    free(part);
    return why == 0 ? BOSC_OK
                    : bosc_fail(err, BOSC_EIO, "%s: cannot be written: %s",
                                path, strerror(why));
}
