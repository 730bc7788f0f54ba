#include "config.h" /* first: it asks for extensions */

#include "src/slurm/command.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/mem.h"

extern char **environ;

/* All that comes out of a pipe. */
static char *read_all(int fd)
{
    size_t n = 0, capacity = 0;
    char *text = NULL;
    ssize_t got;

    do {
        if (!bosc_grow(&text, &capacity, n + 512, 1)) {
            free(text);
            return NULL;
        }
        got = read(fd, text + n, capacity - n - 1);
        n += got > 0 ? (size_t)got : 0;
    } while (got > 0 || (got < 0 && errno == EINTR));
    while (n > 0 && text[n - 1] == '\n')
        --n;
    text[n] = '\0';
    return text;
}

/* Start it with its output at 'out'; 0, or errno. */
static int start(const char *const *argv, bool quiet, const int out[2],
                 pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);

    if (failed != 0)
        return failed;
    failed =
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (failed == 0)
        failed = posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    if (failed == 0)
        failed = posix_spawn_file_actions_addclose(&actions, out[0]);
    if (failed == 0)
        failed = posix_spawn_file_actions_addclose(&actions, out[1]);
    if (failed == 0 && quiet)
        failed = posix_spawn_file_actions_addopen(&actions, 2, "/dev/null",
                                                  O_WRONLY, 0);
    if (failed == 0)
        failed = posix_spawnp(pid, argv[0], &actions, NULL, (char *const *)argv,
                              environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

bosc_status bosc_command(const char *const *argv, bool quiet, char **text,
                         int *code, bosc_error *err)
{
    int out[2], status = 0;
    pid_t pid;

    *text = NULL;
    if (pipe(out) != 0)
        return bosc_fail(err, BOSC_EIO, "%s: no pipe: %s", argv[0],
                         strerror(errno));

    const int failed = start(argv, quiet, out, &pid);

    close(out[1]);
    *text = failed != 0 ? bosc_strdup("") : read_all(out[0]);
    close(out[0]);
    while (failed == 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (*text == NULL)
        return bosc_no_memory(err, argv[0]);
    if (failed != 0 && failed != ENOENT)
        return bosc_fail(err, BOSC_EIO, "%s: %s", argv[0], strerror(failed));
    *code = failed != 0         ? 127
            : WIFEXITED(status) ? WEXITSTATUS(status)
                                : 128 + WTERMSIG(status);
    return BOSC_OK;
}
