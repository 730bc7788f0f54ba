#include "src/cli/program.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "src/base/mem.h"
#include "src/mpi/finalize.h"
#include "src/mpi/launcher.h"

/* --- signals ---------------------------------------------------------------
 */

static struct sigaction hangup; /* of SIGHUP, when the program was started */
static bool looked;

/* Called before the shared libraries' own initialisation, where the system can:
 * UCX takes SIGHUP there, for its log, also under nohup. */
__attribute__((unused)) static void look(void)
{
    looked = sigaction(SIGHUP, NULL, &hangup) == 0;
}

#ifdef __GLIBC__
__attribute__((section(".preinit_array"),
               used)) static void (*const early)(void) = look;
#endif

void bosc_program_begin(void)
{
    if (looked)
        sigaction(SIGHUP, &hangup, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is a failed write */
    bosc_mem_begin();
}

void bosc_program_turn_help(int argc, char **argv)
{
    static char option[] = "--help";

    if (argc <= 2 || strcmp(argv[1], "help") != 0)
        return;
    for (int i = 1; i + 1 < argc; ++i)
        argv[i] = argv[i + 1];
    argv[argc - 1] = option;
}

/* --- the end ---------------------------------------------------------------
 */

static const char stuck[] =
    "bosc: results are complete, but MPI_Finalize() has hung for 30 s; "
    "exiting.  Known with UCX over TCP: set UCX_TLS\n";
static volatile sig_atomic_t exit_code, first;

/* MPI keeps us after the work: a job would wait for its time limit. */
static void on_alarm(int number)
{
    const ssize_t written =
        first ? write(STDERR_FILENO, stuck, sizeof stuck - 1) : 0;

    (void)number;
    (void)written;
    _exit(exit_code);
}

/* What could not be printed is a failure of every command. */
static bosc_status check_output(bosc_status st, bosc_error *err)
{
    errno = 0;
    const bool lost = fflush(stdout) != 0 || ferror(stdout);

    if (st != BOSC_OK || !lost)
        return st;
    return bosc_fail(err, BOSC_EIO, "standard output: cannot be written: %s",
                     errno != 0 ? strerror(errno) : "is the disk full?");
}

int bosc_program_end(const char *program, const char *command, bosc_status st,
                     bosc_error *err)
{
    enum { PATIENCE = 30 }; /* s, which the message below says */

    st = check_output(st, err);
    if (st != BOSC_OK && err->text[0] != '\0')
        fprintf(stderr, "%s%s%s: %s\n", program, command != NULL ? " " : "",
                command != NULL ? command : "", err->text);
    if (st == BOSC_EINTERNAL && bosc_launched_first())
        fprintf(stderr, "%s: reports go to " BOSC_REPORTS "\n", program);
    exit_code = bosc_exit_code(st);
    first = bosc_leave_first();
    signal(SIGALRM, on_alarm);
    bosc_finalize(PATIENCE);
    return exit_code;
}
