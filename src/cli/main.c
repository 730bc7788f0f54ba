#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "src/base/mem.h"
#include "src/cli/commands.h"
#include "src/mpi/finalize.h"
#include "src/text/did_you_mean.h"

static const struct {
    const char *name, *what;
    bosc_command *run;
} commands[] = {
#define COMMAND(name, what) {#name, what, bosc_cmd_##name},
    BOSC_COMMANDS(COMMAND)
#undef COMMAND
};

static void print_help(FILE *file)
{
    fputs("usage: bosc COMMAND [ARGUMENT]... [OPTION]...\n\n"
          "Simulate the membrane voltage of many branched neurons.\n\n",
          file);
    for (size_t i = 0; i < BOSC_LEN(commands); ++i)
        fprintf(file, "  %-10s %s\n", commands[i].name, commands[i].what);
    fputs("\n'bosc help COMMAND' shows the options of a command; the manual is "
          "bosc(1).\n",
          file);
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

static void reset_signals(void)
{
    if (looked)
        sigaction(SIGHUP, &hangup, NULL);
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is a failed write */
}

/* --- the end ---------------------------------------------------------------
 */

enum { PATIENCE = 30 }; /* s, which the message below says */

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

static int finish(const char *name, bosc_status st, bosc_error *err)
{
    st = check_output(st, err);
    if (st != BOSC_OK && err->text[0] != '\0')
        fprintf(stderr, "bosc%s%s: %s\n", name[0] != '-' ? " " : "",
                name[0] != '-' ? name : "", err->text);
    exit_code = bosc_exit_code(st);
    first = bosc_leave_first();
    signal(SIGALRM, on_alarm);
    bosc_finalize(PATIENCE);
    return exit_code;
}

/* What was meant by a word that is none of the commands. */
static const char *guess(const char *word, char *buffer, size_t size)
{
    static const struct {
        const char *ending, *command;
    } files[] = {{".yaml", "run"}, {".yml", "run"}, {".swc", "inspect"}};
    static const char *const options[] = {"help", "version"};
    const char *names[BOSC_LEN(commands)];
    const char *bare = word + strspn(word, "-"), *ending = strrchr(word, '.');
    const char *option = bosc_suggest(bare, BOSC_LEN(options), options);

    for (size_t i = 0; ending != NULL && i < BOSC_LEN(files); ++i)
        if (strcmp(ending, files[i].ending) == 0) {
            snprintf(buffer, size, "did you mean 'bosc %s %s'?",
                     files[i].command, word);
            return buffer;
        }
    if (option != NULL) {
        snprintf(buffer, size, "did you mean '--%s'?", option);
        return buffer;
    }
    for (size_t i = 0; i < BOSC_LEN(commands); ++i)
        names[i] = commands[i].name;
    return bosc_did_you_mean(bare, BOSC_LEN(names), names, "the commands are",
                             buffer, size);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "--help";
    bosc_error err = {""};

    reset_signals();
    bosc_mem_begin();
    if (strcmp(name, "help") == 0 && argc > 2) {
        static char option[] = "--help"; /* 'help X' is 'X --help' */

        for (int i = 1; i + 1 < argc; ++i)
            argv[i] = argv[i + 1];
        argv[argc - 1] = option;
        name = argv[1];
    }
    for (size_t i = 0; i < BOSC_LEN(commands); ++i)
        if (strcmp(name, commands[i].name) == 0)
            return finish(name, commands[i].run(argc - 1, argv + 1, &err),
                          &err);
    if (strcmp(name, "--version") == 0) {
        puts(PACKAGE_STRING);
        return finish(name, BOSC_OK, &err);
    }
    if (strcmp(name, "help") == 0 || strcmp(name, "--help") == 0 ||
        strcmp(name, "-h") == 0) {
        print_help(argc > 1 ? stdout : stderr);
        return finish("-", argc > 1 ? BOSC_OK : BOSC_EUSAGE, &err);
    }
    fprintf(stderr, "bosc: '%s' is not a command; %s\n", name,
            guess(name, (char[300]){0}, 300));
    return 2;
}
