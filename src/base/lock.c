#include "config.h"

#include "src/base/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/base/signals.h"

enum { TEXT = 512, HOST = 256, NOTE = 101 };

struct bosc_lock {
    char *path, *name; /* PATH, PATH.lock */
    int fd;
    char text[TEXT]; /* of this run */
    int period;      /* ms from one renewal to the next */
    time_t noted;    /* of the last note */
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t release;
    bool released; /* by 'mutex' */
};

/* What came of locking the file. */
typedef enum outcome { LOCKED, BUSY, NO_LOCKS } outcome;

/* A lock of the open file: one of the process would end as soon as any part of
 * the program closes the file. */
static outcome lock_file(int fd)
{
#ifdef F_OFD_SETLK
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

    if (fcntl(fd, F_OFD_SETLK, &whole) == 0)
        return LOCKED;
    if (errno == EAGAIN || errno == EACCES)
        return BUSY;
#endif
    (void)fd;
    return NO_LOCKS;
}

/* --- the text --------------------------------------------------------------
 */

static void host_name(char host[HOST])
{
    memset(host, 0, HOST);
    if (gethostname(host, HOST - 1) != 0 || host[0] == '\0')
        strcpy(host, "localhost");
}

static void describe(char text[TEXT])
{
    const char *job = getenv("SLURM_JOB_ID");
    const time_t now = time(NULL);
    struct tm local = {0};
    char host[HOST], date[64] = "";

    host_name(host);
    if (localtime_r(&now, &local) != NULL)
        strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S %Z", &local);
    snprintf(text, TEXT, "process %ld on %s%s%.32s, since %s\n", (long)getpid(),
             host, job != NULL ? ", SLURM job " : "", job != NULL ? job : "",
             date);
}

static void read_text(int fd, char text[TEXT])
{
    const ssize_t n = pread(fd, text, TEXT - 1, 0);

    text[n > 0 ? n : 0] = '\0';
}

/* Whose text it is: of a run on another machine or of unknown origin, of a
 * process here, or of a process that has ended. */
typedef enum owner { ELSEWHERE, HERE, GONE } owner;

static owner find_owner(const char *text)
{
    long process;
    char host[HOST], here[HOST];

    host_name(here);
    if (sscanf(text, "process %ld on %255[^, \n]", &process, host) != 2 ||
        strcmp(host, here) != 0)
        return ELSEWHERE;
    return kill((pid_t)process, 0) != 0 && errno == ESRCH ? GONE : HERE;
}

/* 'sure': the system's lock shows it, not only the text. */
static bosc_status refuse(const bosc_lock *lock, const char *text, bool sure,
                          bosc_error *err)
{
    const int n = (int)strcspn(text, "\n");

    return bosc_fail(err, BOSC_EOUTPUT,
                     "%s: another run is writing it%s%.*s; wait for its end or "
                     "choose another output%s%s%s",
                     lock->path, n > 0 ? ": " : "", n, text,
                     sure ? "" : ", or remove ", sure ? "" : lock->name,
                     sure ? "" : " if there is no such run");
}

/* --- watching --------------------------------------------------------------
 */

/* Opened each time, because a network file system may otherwise return cached
 * contents. */
static bool look(const bosc_lock *lock, struct stat *state, char text[TEXT])
{
    const int fd = open(lock->name, O_RDONLY | O_CLOEXEC);
    const bool there = fd >= 0 && fstat(fd, state) == 0;

    text[0] = '\0';
    if (there)
        read_text(fd, text);
    if (fd >= 0)
        close(fd);
    return there;
}

static bool same_time(const struct stat *a, const struct stat *b)
{
    return a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Refuse if the run that wrote the lock renews or changes it. */
static bosc_status watch(const bosc_lock *lock, int seconds, bosc_error *err)
{
    enum { TIMES = 4 }; /* a second */
    struct stat first, now;
    char text[TEXT], new_text[TEXT];
    bosc_error note;
    bosc_status st = BOSC_OK;

    if (!look(lock, &first, text))
        return BOSC_OK;
    /* its text may be anything */
    bosc_fail(&note, BOSC_OK,
              "%s exists and may be a running job's (%.*s): watching it for "
              "%d s",
              lock->name, (int)strcspn(text, "\n"), text, seconds);
    if (seconds > 0)
        fprintf(stderr, "bosc: %s\n", note.text);
    for (int k = 0; k < TIMES * seconds && st == BOSC_OK; ++k) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000000 / TIMES}, NULL);
        if (!look(lock, &now, new_text))
            return BOSC_OK;
        if (!same_time(&first, &now) || strcmp(text, new_text) != 0)
            return refuse(lock, new_text, false, err);
        st = bosc_signals_in_setup(err);
    }
    return st;
}

/* --- taking ----------------------------------------------------------------
 */

static bosc_status examine(const bosc_lock *lock, int seconds, bosc_error *err)
{
    const outcome locked = lock_file(lock->fd);
    char text[TEXT];

    read_text(lock->fd, text);
    if (locked == BUSY)
        return refuse(lock, text, true, err);
    if (text[0] == '\0')
        return BOSC_OK;

    const owner left_by = find_owner(text);

    if (left_by == GONE || (left_by == HERE && locked == LOCKED))
        return BOSC_OK;
    return left_by == HERE ? refuse(lock, text, false, err)
                           : watch(lock, seconds, err);
}

/* The file may have been removed between opening and locking. */
static bool is_there(const bosc_lock *lock)
{
    struct stat mine, there;

    return fstat(lock->fd, &mine) == 0 && stat(lock->name, &there) == 0 &&
           mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
}

static bosc_status sign(bosc_lock *lock, bosc_error *err)
{
    const size_t n = strlen(lock->text);

    errno = 0;
    if (ftruncate(lock->fd, 0) == 0 &&
        pwrite(lock->fd, lock->text, n, 0) == (ssize_t)n &&
        fsync(lock->fd) == 0)
        return BOSC_OK;

    const int reason = errno != 0 ? errno : ENOSPC;

    unlink(lock->name);
    return bosc_fail(err, BOSC_EOUTPUT,
                     "%s: cannot write %s: %s; choose another output",
                     lock->path, lock->name, strerror(reason));
}

static bosc_status open_and_lock(bosc_lock *lock, int seconds, bosc_error *err)
{
    bosc_status st;

    for (;;) {
        lock->fd = open(lock->name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (lock->fd < 0)
            return bosc_fail(err, BOSC_EOUTPUT,
                             "%s: cannot open %s: %s; %s or choose another "
                             "output",
                             lock->path, lock->name, strerror(errno),
                             errno == ENOENT ? "make its folder" : "remove it");
        st = examine(lock, seconds, err);
        if (st != BOSC_OK)
            return st;
        if (is_there(lock))
            return sign(lock, err);
        close(lock->fd);
    }
}

/* --- renewing --------------------------------------------------------------
 */

static struct timespec after(int ms)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += ms / 1000;
    t.tv_nsec += ms % 1000 * 1000000L;
    if (t.tv_nsec >= 1000000000L) {
        t.tv_nsec -= 1000000000L;
        ++t.tv_sec;
    }
    return t;
}

static void *renew(void *what)
{
    bosc_lock *lock = what;
    struct timespec next = after(lock->period);

    pthread_mutex_lock(&lock->mutex);
    while (!lock->released) {
        if (pthread_cond_timedwait(&lock->release, &lock->mutex, &next) == 0)
            continue;
        futimens(lock->fd, NULL);
        next = after(lock->period);
    }
    pthread_mutex_unlock(&lock->mutex);
    return NULL;
}

static bosc_status start_renewing(bosc_lock *lock, bosc_error *err)
{
    pthread_condattr_t monotonic;
    sigset_t all, before;

    pthread_mutex_init(&lock->mutex, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&lock->release, &monotonic);
    pthread_condattr_destroy(&monotonic);

    sigfillset(&all); /* signals are for the thread that computes */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int code = pthread_create(&lock->thread, NULL, renew, lock);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code == 0)
        return BOSC_OK;
    unlink(lock->name);
    return bosc_fail(err, BOSC_ENOMEM,
                     "%s: no thread, or no memory for it, to renew %s: %s; "
                     "raise the limit of processes (ulimit -u)",
                     lock->path, lock->name, strerror(code));
}

static void stop_renewing(bosc_lock *lock)
{
    pthread_mutex_lock(&lock->mutex);
    lock->released = true;
    pthread_cond_signal(&lock->release);
    pthread_mutex_unlock(&lock->mutex);
    pthread_join(lock->thread, NULL);
    pthread_cond_destroy(&lock->release);
    pthread_mutex_destroy(&lock->mutex);
}

/* --- from take to release --------------------------------------------------
 */

static void forget(bosc_lock *lock)
{
    if (lock->fd >= 0)
        close(lock->fd);
    free(lock->path);
    free(lock->name);
    free(lock);
}

bosc_status bosc_lock_take(const char *path, int seconds, bosc_lock **out,
                           bosc_error *err)
{
    bosc_lock *lock = calloc(1, sizeof *lock);
    bosc_status st;

    if (lock == NULL)
        return bosc_no_memory(err, path);
    lock->fd = -1;
    lock->period = seconds > 0 ? seconds * 400 : 400;
    lock->path = bosc_strdup(path);
    lock->name = bosc_format("%s.lock", path);
    describe(lock->text);
    st = lock->path != NULL && lock->name != NULL
             ? open_and_lock(lock, seconds, err)
             : bosc_no_memory(err, path);
    if (st == BOSC_OK)
        st = start_renewing(lock, err);
    if (st != BOSC_OK) {
        forget(lock);
        return st;
    }
    *out = lock;
    return BOSC_OK;
}

bosc_status bosc_lock_check(const bosc_lock *lock, bosc_error *err)
{
    struct stat state;
    char text[TEXT];

    if (!look(lock, &state, text))
        return bosc_fail(err, BOSC_EOUTPUT,
                         "%s: %s was removed, so another run may be writing "
                         "it; start again when there is none",
                         lock->path, lock->name);
    return strncmp(text, lock->text, strlen(lock->text)) == 0
               ? BOSC_OK
               : refuse(lock, text, false, err);
}

void bosc_lock_note(bosc_lock *lock, const char *text)
{
    char line[NOTE + 1];
    const time_t now = time(NULL);

    if (lock == NULL || lock->noted == now)
        return;
    lock->noted = now;
    /* always as long, so that no reader sees the end of another one */
    snprintf(line, sizeof line, "%-*.*s\n", NOTE - 1, NOTE - 1, text);
    if (pwrite(lock->fd, line, NOTE, (off_t)strlen(lock->text)) != NOTE)
        lock->noted = now + 1; /* nobody depends on it */
}

bosc_lock_words bosc_lock_read(const char *path)
{
    bosc_lock_words words = {.there = false};
    char *name = bosc_format("%s.lock", path), text[TEXT] = "";
    const bosc_lock lock = {.name = name};
    struct stat state;
    size_t n;

    if (name != NULL && look(&lock, &state, text)) {
        words.there = true;
        words.gone = find_owner(text) == GONE;
        words.age = difftime(time(NULL), state.st_mtime);
        n = strcspn(text, "\n");
        snprintf(words.run, sizeof words.run, "%.*s", (int)n, text);
        if (text[n] == '\n')
            snprintf(words.note, sizeof words.note, "%.*s",
                     (int)strcspn(text + n + 1, "\n"), text + n + 1);
        for (n = strlen(words.note); n > 0 && words.note[n - 1] == ' ';)
            words.note[--n] = '\0';
    }
    free(name);
    return words;
}

void bosc_lock_release(bosc_lock *lock)
{
    if (lock == NULL)
        return;
    stop_renewing(lock);
    if (bosc_lock_check(lock, NULL) == BOSC_OK)
        unlink(lock->name);
    forget(lock);
}
