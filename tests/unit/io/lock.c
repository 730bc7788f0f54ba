/* Locks of outputs: one run at a time has one, and nobody is kept away by what
 * a killed run has left. */
#include "src/base/lock.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/base/signals.h"
#include "tests/lib/tap.h"

static char folder[] = "/tmp/bosc-lock-XXXXXX";
static char path[128], name[160];

static bool exists(void)
{
    return access(name, F_OK) == 0;
}

static void write_text(const char *text)
{
    FILE *file = fopen(name, "w");

    fputs(text, file);
    fclose(file);
}

static void test_held(void)
{
    bosc_error err = {""};
    bosc_lock *lock = NULL, *other = NULL;
    char *want = bosc_format("process %ld on ", (long)getpid());

    ok(bosc_lock_take(path, 0, &lock, &err) == BOSC_OK && exists(),
       "an output is locked");
    ok(bosc_lock_check(lock, &err) == BOSC_OK, "and the lock is ours");
    ok(bosc_lock_take(path, 0, &other, &err) == BOSC_EOUTPUT && other == NULL &&
           strstr(err.text, "another run is writing") != NULL &&
           strstr(err.text, want) != NULL && strstr(err.text, "since 2") &&
           strstr(err.text, "choose another output") != NULL &&
           strstr(err.text, "remove") == NULL,
       "another run is refused, and told whose it is");
    diag("%s", err.text);
    bosc_lock_release(lock);
    ok(!exists(), "a released lock leaves nothing");
    ok(bosc_lock_take(path, 0, &other, &err) == BOSC_OK,
       "and the next run may write");
    bosc_lock_release(other);
    bosc_lock_release(NULL);
    free(want);
}

static void test_killed(void)
{
    bosc_error err = {""};
    bosc_lock *lock = NULL;
    const pid_t child = fork();
    int status;

    if (child == 0) {
        bosc_lock_take(path, 0, &lock, &err);
        _exit(0);
    }
    waitpid(child, &status, 0);
    ok(exists(), "a killed run leaves its lock");
    ok(bosc_lock_take(path, 100, &lock, &err) == BOSC_OK &&
           bosc_lock_check(lock, &err) == BOSC_OK,
       "which keeps nobody away, not even for a second");
    bosc_lock_release(lock);
}

/* --- another machine's, where locks of the system do not reach -------------
 */

static const char moon[] = "process 1 on moon, SLURM job 7, since tomorrow\n";

static void test_silent(void)
{
    bosc_error err = {""};
    bosc_lock *lock = NULL;

    write_text(moon);
    ok(bosc_lock_take(path, 1, &lock, &err) == BOSC_OK &&
           bosc_lock_check(lock, &err) == BOSC_OK,
       "another machine's lock that stays as it is is taken over");
    bosc_lock_release(lock);
}

/* The standard error of what 'body' does, at most 'size' - 1 bytes. */
static void read_errors(void (*body)(void), char *text, size_t size)
{
    FILE *file = tmpfile();
    const int before = dup(STDERR_FILENO);

    dup2(fileno(file), STDERR_FILENO);
    body();
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

static void take_and_release(void)
{
    bosc_lock *lock = NULL;

    bosc_lock_take(path, 1, &lock, NULL);
    bosc_lock_release(lock);
}

static void test_announced(void)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {moon, ".lock exists and may be a running job's (process 1 on moon, "
               "SLURM job 7, since tomorrow): watching it for 1 s\n"},
        {"\033[2Jwho\twas\nit?", "( [2Jwho was): watching it for 1 s\n"},
    };
    char text[400];

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        write_text(cases[i].text);
        read_errors(take_and_release, text, sizeof text);
        ok(strstr(text, cases[i].want) != NULL &&
               strchr(text, '\n') == strrchr(text, '\n'),
           "before watching there is a line on standard error");
        diag("%s", text);
    }
    read_errors(take_and_release, text, sizeof text);
    ok(text[0] == '\0', "and none where there is nothing to watch");
}

/* Do something until the parent has had enough. */
static pid_t meanwhile(void (*something)(void))
{
    const pid_t child = fork();

    for (; child == 0; usleep(20000))
        something();
    return child;
}

static void end(pid_t child)
{
    int status;

    kill(child, SIGKILL);
    waitpid(child, &status, 0);
}

static void touch(void)
{
    utimensat(AT_FDCWD, name, NULL, 0);
}

static void test_alive(void)
{
    bosc_error err = {""};
    bosc_lock *lock = NULL;

    write_text(moon);

    const pid_t child = meanwhile(touch);

    ok(bosc_lock_take(path, 60, &lock, &err) == BOSC_EOUTPUT && lock == NULL &&
           strstr(err.text,
                  "process 1 on moon, SLURM job 7, since tomorrow;") &&
           strstr(err.text, ".lock if there is no such run") != NULL,
       "one that is renewed is not, and the remedy is told");
    diag("%s", err.text);
    end(child);
    unlink(name);
}

static void test_ends(void)
{
    bosc_error err = {""};
    bosc_lock *lock = NULL;
    int status;

    write_text(moon);

    const pid_t child = fork();

    if (child == 0) {
        usleep(300000);
        unlink(name);
        _exit(0);
    }
    ok(bosc_lock_take(path, 60, &lock, &err) == BOSC_OK && exists(),
       "a run that ends meanwhile is followed at once");
    waitpid(child, &status, 0);
    bosc_lock_release(lock);
}

/* Where locks of the system do not reach, only this shows that a run goes on,
 * also during a set-up that writes nothing. */
static void test_renewed(void)
{
    const struct timespec past[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    bosc_error err = {""};
    bosc_lock *lock = NULL;
    struct stat state = {0};

    bosc_lock_take(path, 1, &lock, &err);
    utimensat(AT_FDCWD, name, past, 0);
    for (int k = 0; k < 100 && state.st_mtime <= 1000; ++k) {
        usleep(100000);
        stat(name, &state);
    }
    ok(state.st_mtime > 1000, "a lock renews itself");
    bosc_lock_release(lock);
}

static void test_removed(void)
{
    bosc_error err = {""};
    bosc_lock *lock = NULL;

    bosc_lock_take(path, 0, &lock, &err);
    unlink(name);
    ok(bosc_lock_check(lock, &err) == BOSC_EOUTPUT &&
           strstr(err.text, "out.nc.lock was removed") != NULL,
       "a run finds out that its lock was removed");
    diag("%s", err.text);
    bosc_lock_release(lock);
}

static void test_taken_over(void)
{
    bosc_error err = {""};
    bosc_lock *lock = NULL;

    bosc_lock_take(path, 0, &lock, &err);
    write_text(moon);
    ok(bosc_lock_check(lock, &err) == BOSC_EOUTPUT &&
           strstr(err.text, "process 1 on moon") != NULL,
       "a run finds out that another has taken over");
    bosc_lock_release(lock);
    ok(exists(), "and leaves its lock alone");
    unlink(name);
}

static void test_signal(void)
{
    bosc_error err = {""};
    bosc_lock *lock = NULL;
    int status = 1;
    const pid_t child = fork();

    if (child == 0) {
        write_text(moon);
        bosc_signals_catch();
        raise(SIGUSR1);
        _exit(bosc_lock_take(path, 60, &lock, &err) != BOSC_EINTR);
    }
    waitpid(child, &status, 0);
    ok(status == 0, "a signal ends the waiting");
    unlink(name);
}

/* --- trouble ---------------------------------------------------------------
 */

static void test_refused(void)
{
    bosc_error err = {""};
    bosc_lock *lock = NULL;

    mkdir(name, 0700);
    ok(bosc_lock_take(path, 0, &lock, &err) == BOSC_EOUTPUT && lock == NULL &&
           strstr(err.text, "Is a directory; remove it or choose another"),
       "a folder in the way is an error");
    rmdir(name);
    ok(bosc_lock_take("/nowhere/out.nc", 0, &lock, &err) == BOSC_EOUTPUT,
       "so is a folder that is not there");
}

/* Many at once: 'mark' is there as long as one has the lock. */
static void test_exclusive(void)
{
    enum { RUNS = 6, TIMES = 50 };
    char *mark = bosc_format("%s/mark", folder);
    int wrong = 0;

    for (int i = 0; i < RUNS; ++i) {
        if (fork() != 0)
            continue;
        for (int k = 0; k < TIMES; ++k) {
            bosc_lock *lock = NULL;

            if (bosc_lock_take(path, 0, &lock, NULL) != BOSC_OK)
                continue;
            const int fd = open(mark, O_CREAT | O_EXCL, 0600);

            usleep(100);
            wrong |= fd < 0 || unlink(mark) != 0;
            close(fd);
            bosc_lock_release(lock);
        }
        _exit(wrong);
    }
    for (int i = 0; i < RUNS; ++i) {
        int status = 0;

        wait(&status);
        wrong += status != 0;
    }
    ok(wrong == 0 && !exists(), "of many at once one at a time has the lock");
    free(mark);
}

int main(void)
{
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/out.nc", folder);
    snprintf(name, sizeof name, "%s.lock", path);
    test_held();
    test_killed();
    test_silent();
    test_announced();
    test_alive();
    test_ends();
    test_renewed();
    test_removed();
    test_taken_over();
    test_signal();
    test_refused();
    test_exclusive();
    if (rmdir(folder) != 0)
        diag("%s is left", folder);
    return done_testing();
}
