/* Signals that ask a run to end: caught, delayed, ignored; heard in set-up and
 * in the loop. */
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "src/base/signals.h"
#include "tests/lib/tap.h"

static int library; /* what a library's own handler has got */

static void in_library(int number)
{
    library = number;
}

/* Each case in a process of its own, which ends with 'true' as 0. */
static bool apart(bool (*body)(int), int number)
{
    int status = 0;
    const pid_t child = fork();

    if (child == 0)
        _exit(!body(number));
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool is_heard(int number)
{
    bosc_error setup = {""}, loop = {""}, before = {"untouched"};

    bosc_signals_catch();
    if (bosc_signals_in_setup(&before) != BOSC_OK ||
        bosc_signals_in_loop(0, &before) != BOSC_OK ||
        strcmp(before.text, "untouched") != 0)
        return false;
    raise(number);
    raise(number); /* as launchers do, to a process and to its group */
    if (bosc_signals_in_setup(&setup) != BOSC_EINTR ||
        strstr(setup.text, strsignal(number)) == NULL ||
        strstr(setup.text, "during set-up") == NULL)
        return false;
    bosc_signals_begin_loop();
    return bosc_signals_in_setup(&setup) == BOSC_OK &&
           bosc_signals_in_loop(2.385, &loop) == BOSC_EINTR &&
           strstr(loop.text, "at t = 2.385 ms") != NULL;
}

static bool is_ignored(int number)
{
    signal(number, SIG_IGN);
    bosc_signals_catch();
    raise(number);
    return bosc_signals_in_setup(NULL) == BOSC_OK;
}

/* A library that takes SIGUSR1 in its initialisation does not get it. */
static bool is_kept_from_library(int number)
{
    bosc_signals_catch();
    bosc_signals_hold();
    signal(number, in_library);
    raise(number);
    if (library != 0 || bosc_signals_in_setup(NULL) != BOSC_OK)
        return false;
    bosc_signals_catch();
    return library == 0 && bosc_signals_in_setup(NULL) == BOSC_EINTR;
}

static bool comes_when_it_is_held(int number)
{
    bosc_signals_catch();
    bosc_signals_hold();
    raise(number);
    return bosc_signals_in_setup(NULL) == BOSC_EINTR;
}

/* The next one, later, is for who is not heard. */
static bool ends_at_last(int number)
{
    int status = 0;
    const pid_t child = fork();

    if (child == 0) {
        bosc_signals_catch();
        for (;;) {
            raise(number);
            nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
        }
    }
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == number;
}

int main(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGUSR1, SIGHUP};

    /* also under nohup and in the background of a shell, which ignore some */
    signal(SIGINT, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    for (size_t i = 0; i < BOSC_LEN(signals); ++i) {
        ok(apart(is_heard, signals[i]), "%s is heard in set-up and in the loop",
           strsignal(signals[i]));
        ok(apart(is_ignored, signals[i]), "%s that was ignored stays so",
           strsignal(signals[i]));
    }
    ok(apart(is_kept_from_library, SIGUSR1) &&
           apart(is_kept_from_library, SIGHUP),
       "what a library takes meanwhile is delayed, and ours again");
    ok(apart(comes_when_it_is_held, SIGTERM) &&
           apart(comes_when_it_is_held, SIGINT),
       "what asks for the end of a library that hangs is not");
    ok(ends_at_last(SIGTERM), "signals over seconds end the program");
    return done_testing();
}
