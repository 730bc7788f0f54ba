/* forked.c - fork(): a simulation stays in its process, and a child of a
 * process that has simulated is refused, where it would wait for ever.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/tap.h"
#include "tests/library/library.h"

/* Run it in a child: the exit code, or -1 after 20 s. */
static int in_child(int (*what)(bosc_simulation *), bosc_simulation *sim)
{
    const pid_t child = fork();
    int status;

    if (child == 0) {
        alarm(20);
        _exit(what(sim));
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool is_refused(bosc_status st, const bosc_simulation *sim)
{
    return st == BOSC_EUSAGE && strstr(bosc_last_error(sim), "fork()") &&
           strstr(bosc_last_error(sim), "spawn");
}

/* The number of the first call that is not refused; 0: all are. */
static int use(bosc_simulation *sim)
{
    static const char *const keys[] = {"seed"};
    const double values[] = {1};
    bosc_readings v;
    bosc_spike_list spikes;
    void *state = NULL;
    size_t n = 0;
    const bosc_status all[] = {
        bosc_build(sim),
        bosc_advance(sim, 60),
        bosc_set(sim, "dt", "1"),
        bosc_set_table(sim, 1, 1, keys, values),
        bosc_set_ranks(sim, NULL),
        bosc_set_files(sim, NULL),
        bosc_read(sim, "soma", "v", &v),
        bosc_spikes(sim, &spikes),
        bosc_save(sim, &state, &n),
        bosc_restore(sim, "state", 5),
    };

    for (int i = 0; i < (int)(sizeof all / sizeof all[0]); ++i)
        if (!is_refused(all[i], sim))
            return i + 1;
    bosc_forget(sim);
    bosc_close(sim);
    return 0;
}

/* 0: it computes; 1: it is refused as it should be. */
static int compute(bosc_simulation *unused)
{
    bosc_simulation *sim = open_here(ring_job);
    const bosc_status st = bosc_advance(sim, 20);
    const int code = st == BOSC_OK ? 0 : is_refused(st, sim) ? 1 : 2;

    (void)unused;
    bosc_close(sim);
    return code;
}

/* A new program that a child starts. */
static int start_program(bosc_simulation *unused)
{
    (void)unused;
    execl("/proc/self/exe", "forked.t", "computes", (char *)NULL);
    return 3;
}

int main(int argc, char **argv)
{
    bosc_simulation *sim, *whole;
    bytes mine, wanted;

    own_folder();
    if (argc > 1 && strcmp(argv[1], "computes") == 0) {
        const int code = compute(NULL);

        leave_folder();
        return code;
    }
    sim = open_here(ring_job);
    ok(in_child(compute, NULL) == 0,
       "the child of a process that has not simulated computes");
    ok(in_child(use, sim) == 0, "but not with what its parent has opened");
    ok(says(bosc_advance(sim, 20), BOSC_OK, sim, ""), "the parent computes");
    ok(in_child(use, sim) == 0,
       "its child is refused the simulation, and closes it");
    ok(in_child(compute, NULL) == 1, "and one of its own");
    ok(in_child(start_program, NULL) == 0, "a program that it starts computes");
    ok(says(bosc_advance(sim, 60), BOSC_OK, sim, ""),
       "the parent goes on after that");
    mine = recorded(sim);
    whole = open_here(ring_job);
    bosc_advance(whole, 60);
    wanted = recorded(whole);
    ok(same_bytes(mine, wanted), "with the same bits");
    free(mine.at);
    free(wanted.at);
    bosc_close(sim);
    bosc_close(whole);
    leave_folder();
    return done_testing();
}
