/* many.c - a process that opens and closes simulations all day does not grow.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/lib/tap.h"
#include "tests/library/library.h"

static const char job[] =
    "tstop: 2\n"
    "threads: 2\n"
    "populations: [{name: c, synthetic: {compartments: 31, sections: 5},"
    " count: 3, regions: {all: {pas: {}}, soma: {hh: {}}}}]\n"
    "synapses: [{name: s, type: ExpSyn}]\n"
    "projections: [{from: c, to: c, rule: all_to_all, synapse: s, weight: 0.01,"
    " delay: 1}]\n"
    "clamps: [{at: soma, delay: 100, duration: 1, amplitude: 1}]\n"
    "probes: [{name: soma, interval: 0.1}]\n";

static int open_files(void)
{
    DIR *dir = opendir("/proc/self/fd");
    int n = 0;

    while (readdir(dir) != NULL)
        ++n;
    closedir(dir);
    return n;
}

/* Bytes that are resident. */
static long resident(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long all = 0, mine = 0;

    if (fscanf(file, "%ld %ld", &all, &mine) != 2)
        mine = -1;
    fclose(file);
    return mine * sysconf(_SC_PAGESIZE);
}

/* Built, run, read, saved, restored; and one with an error now and then. */
static bool once(const char *text, int i)
{
    bosc_simulation *sim = open_here(i % 7 == 0 ? "tstop: [" : text);
    bosc_readings v;
    bytes state;
    bool good = bosc_build(sim) == BOSC_OK;

    if (good && i % 2 == 0) {
        good = bosc_advance(sim, 1) == BOSC_OK &&
               bosc_read(sim, "soma", "v", &v) == BOSC_OK;
        if (i % 4 == 0) {
            state = saved(sim);
            good = good && bosc_restore(sim, state.at, state.n) == BOSC_OK &&
                   bosc_advance(sim, 2) == BOSC_OK;
            free(state.at);
        }
    }
    bosc_close(sim);
    return good == (i % 7 != 0);
}

static void check(const char *name, const char *text, int n, int warm)
{
#ifdef __SANITIZE_ADDRESS__
    const int rounds = 1;
#else
    const int rounds = 3;
#endif
    const long most = 1 << 18;
    bool good = true;
    int files;
    long more = most;

    for (int i = 1; i <= warm; ++i)
        good = once(text, i) && good;
    files = open_files();
    /* Pages come and go; what is lost is lost in every round. */
    for (int round = 0; round < rounds && more >= most; ++round) {
        const long before = resident();

        for (int i = 1; i <= n; ++i)
            good = once(text, i) && good;
        more = resident() - before;
    }
    ok(good, "%s: %d times it is opened, built and closed", name, n);
    ok(open_files() == files, "%s: no file is left open", name);
#ifdef __SANITIZE_ADDRESS__
    skip("%s: the address sanitizer keeps what is freed", name);
#else
    ok(more < most, "%s: and the process does not grow", name);
#endif
    diag("by %ld bytes", more);
}

int main(void)
{
    own_folder();
    check("a network", job, 1000, 200);
    if (put_mods())
        check("mod files", mods_job, 200, 200);
    leave_folder();
    return done_testing();
}
