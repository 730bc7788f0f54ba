#include "config.h" /* first: it asks for extensions */

#include "src/text/rename.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int bosc_rename_new(const char *from, const char *to)
{
    struct stat there;

#ifdef RENAME_NOREPLACE
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return errno;
#endif
    if (link(from, to) == 0)
        return unlink(from) == 0 || errno == ENOENT ? 0 : errno;
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS &&
        errno != EMLINK)
        return errno;
    if (lstat(to, &there) == 0)
        return EEXIST;
    return rename(from, to) == 0 ? 0 : errno;
}
