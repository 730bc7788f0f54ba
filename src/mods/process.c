#include "config.h" /* first: it asks for extensions */

#include "src/mods/process.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "src/base/mem.h"

enum { MOST = 64 };

extern char **environ;

typedef struct running {
    pid_t pid;
    int number;
    char *log;
} running;

struct bosc_processes {
    const char *folder;
    bosc_process_watch watch;
    int most, n, count;
    running one[MOST];
    bool failed;
    bosc_process_result result;
};

bosc_processes *bosc_processes_create(const char *folder,
                                      bosc_process_watch watch, bosc_error *err)
{
    bosc_processes *all = bosc_alloc(1, sizeof *all);
    cpu_set_t set;

    if (all == NULL) {
        bosc_no_memory(err, "processes");
        return NULL;
    }
    all->folder = folder;
    all->watch = watch;
    all->most = 1;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        all->most = CPU_COUNT(&set);
    all->most = all->most > MOST ? MOST : all->most < 1 ? 1 : all->most;
    return all;
}

/* The first line of a log that tells of an error, or the first. */
static void read_log(const char *path, char *said, size_t size)
{
    FILE *file = fopen(path, "r");
    char line[600];

    said[0] = '\0';
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (said[0] == '\0' || strstr(line, "error") != NULL)
            snprintf(said, size, "%s", line);
        if (strstr(line, "error") != NULL)
            break;
    }
    if (file != NULL)
        fclose(file);
}

/* Number i of those that run has ended. */
static void take_out(bosc_processes *all, int i, int status)
{
    const running ended = all->one[i];

    --all->n;
    memmove(all->one + i, all->one + i + 1,
            (size_t)(all->n - i) * sizeof *all->one);
    if (status != 0 && !all->failed) {
        all->failed = true;
        read_log(ended.log, all->result.said, sizeof all->result.said);
    }
    free(ended.log);
    if (status == 0 && all->watch.ended != NULL)
        all->watch.ended(all->watch.what, ended.number);
}

/* Wait for any of them.  The process may have other children, so each is asked
 * for by itself. */
static void wait_any(bosc_processes *all)
{
    const struct timespec pause = {.tv_nsec = 2000000};

    for (;;) {
        for (int i = 0; i < all->n; ++i) {
            int status = 0;
            const pid_t pid = waitpid(all->one[i].pid, &status, WNOHANG);

            if (pid != 0 && !(pid < 0 && errno == EINTR)) {
                take_out(all, i, pid < 0 ? 1 : status);
                return;
            }
        }
        nanosleep(&pause, NULL);
    }
}

static bosc_status spawn(bosc_processes *all, int number,
                         const char *const *argv, char *log, bosc_error *err)
{
    posix_spawn_file_actions_t actions;
    running *one = &all->one[all->n];
    int failed;

    if (posix_spawn_file_actions_init(&actions) != 0)
        return bosc_no_memory(err, argv[0]);
    failed = posix_spawn_file_actions_addchdir_np(&actions, all->folder) != 0 ||
             posix_spawn_file_actions_addopen(&actions, 0, "/dev/null",
                                              O_RDONLY, 0) != 0 ||
             posix_spawn_file_actions_addopen(
                 &actions, 2, log, O_WRONLY | O_CREAT | O_TRUNC, 0600) != 0 ||
             posix_spawn_file_actions_adddup2(&actions, 2, 1) != 0;
    if (!failed) {
        const int missing = posix_spawnp(&one->pid, argv[0], &actions, NULL,
                                         (char *const *)argv, environ);

        if (missing != 0) {
            all->failed = true;
            all->result.missing = missing;
            free(log);
        } else {
            one->log = log;
            one->number = number;
            ++all->n;
        }
    }
    posix_spawn_file_actions_destroy(&actions);
    return failed ? bosc_no_memory(err, argv[0]) : BOSC_OK;
}

bosc_status bosc_processes_start(bosc_processes *all, int number,
                                 const char *const *argv, bosc_error *err)
{
    char *log;

    while (all->n >= all->most)
        wait_any(all);
    if (all->failed)
        return BOSC_OK;
    log = bosc_format("%s/log.%d", all->folder, ++all->count);
    return log == NULL ? bosc_no_memory(err, argv[0])
                       : spawn(all, number, argv, log, err);
}

bool bosc_processes_end(bosc_processes *all, bosc_process_result *result)
{
    bool good;

    while (all->n > 0)
        wait_any(all);
    *result = all->result;
    good = !all->failed;
    free(all);
    return good;
}
