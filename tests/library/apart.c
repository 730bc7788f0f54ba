/* apart.c - simulations whose mechanisms have the same name and other formulas:
 * one after another, by turns, and at the same time each gives the bits that it
 * gives alone in a process.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/lib/tap.h"
#include "tests/library/library.h"

enum { N = 2 };

static const char job[] =
    "tstop: 20\n"
    "threads: 2\n"
    "mechanisms: [mods]\n"
    "populations: [{name: c, synthetic: {compartments: 60, sections: 13},"
    " count: 16, regions: {all: {pas: {}, slow: {}}, soma: {hh: {}}}}]\n"
    "clamps: [{at: soma, delay: 1, duration: 15, amplitude: 0.4}]\n"
    "probes: [{name: soma, variables: [v, hh.m], interval: 0.1},\n"
    "  {name: all, at: everywhere, interval: 1}]\n";

static void put_mod(const char *folder, const char *current)
{
    char path[100], text[600];

    mkdir(folder, 0700);
    snprintf(path, sizeof path, "%s/mods", folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/mods/slow.mod", folder);
    snprintf(text, sizeof text,
             "NEURON { SUFFIX slow NONSPECIFIC_CURRENT i RANGE g }\n"
             "PARAMETER { g = 0.0002 (S/cm2) }\n"
             "ASSIGNED { v (mV) i (mA/cm2) }\n"
             "STATE { s }\n"
             "INITIAL { s = 0 }\n"
             "BREAKPOINT { SOLVE d METHOD cnexp %s }\n"
             "DERIVATIVE d { s' = (1 / (1 + exp(-(v + 30) / 9)) - s) / 5 }\n",
             current);
    put_file(path, text);
}

static bosc_simulation *open_one(int which)
{
    bosc_simulation *sim;

    bosc_open_text(job, which == 0 ? "a" : "b", &sim);
    return sim;
}

static bytes whole(int which)
{
    bosc_simulation *sim = open_one(which);
    bytes all = {0};

    if (says(bosc_advance(sim, 20), BOSC_OK, sim, ""))
        all = recorded(sim);
    bosc_close(sim);
    return all;
}

/* In a process of its own. */
static bytes alone(int which)
{
    bytes all = {0};
    FILE *file;
    const pid_t child = fork();

    if (child == 0) {
        all = whole(which);
        file = fopen("alone", "w");
        fwrite(all.at, 1, all.n, file);
        fclose(file);
        free(all.at);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    file = fopen("alone", "r");
    fseek(file, 0, SEEK_END);
    all.n = (size_t)ftell(file);
    rewind(file);
    all.at = malloc(all.n + 1);
    all.n = fread(all.at, 1, all.n, file);
    fclose(file);
    return all;
}

static void by_turns(const bytes *wanted)
{
    bosc_simulation *sim[N] = {open_one(0), open_one(1)};

    for (int i = 0; i < N; ++i)
        ok(says(bosc_build(sim[i]), BOSC_OK, sim[i], ""), "%d is built", i);
    for (int k = 1; k <= 10; ++k)
        for (int i = 0; i < N; ++i)
            bosc_advance(sim[i], 2 * k);
    for (int i = 0; i < N; ++i) {
        bytes mine = recorded(sim[i]);

        ok(same_bytes(mine, wanted[i]), "%d by turns with another", i);
        free(mine.at);
    }

    bytes state = saved(sim[0]);

    ok(says(bosc_restore(sim[1], state.at, state.n), BOSC_EFORMAT, sim[1],
            "another job"),
       "the state of one is refused by another of the same job and other mods");
    free(state.at);
    bosc_close(sim[0]);

    bytes mine = recorded(sim[1]);

    ok(same_bytes(mine, wanted[1]), "it is as it was when the other is closed");
    free(mine.at);
    bosc_close(sim[1]);
}

typedef struct work {
    int which, rounds, good;
    bytes wanted;
} work;

static void *in_thread(void *what)
{
    work *w = what;

    for (int i = 0; i < w->rounds; ++i) {
        bytes mine = whole(w->which);

        w->good += same_bytes(mine, w->wanted);
        free(mine.at);
    }
    return NULL;
}

static void at_once(const bytes *wanted)
{
    pthread_t thread[2 * N];
    work w[2 * N];

    for (int i = 0; i < 2 * N; ++i) {
        w[i] = (work){i % N, 4, 0, wanted[i % N]};
        pthread_create(&thread[i], NULL, in_thread, &w[i]);
    }
    for (int i = 0; i < 2 * N; ++i) {
        pthread_join(thread[i], NULL);
        ok(w[i].good == 4, "%d in thread %d of four, again and again",
           w[i].which, i);
    }
}

int main(void)
{
    bytes wanted[N];

    own_folder();
    if (!put_mods()) {
        skip("no C compiler");
        leave_folder();
        return done_testing();
    }
    put_mod("a", "i = g * s * (v + 80)");
    put_mod("b", "i = 2 * g * s * s * (v + 75)");
    for (int i = 0; i < N; ++i) {
        wanted[i] = alone(i);
        ok(wanted[i].n > 0, "%d alone in its process", i);
    }
    ok(wanted[0].n != wanted[1].n ||
           memcmp(wanted[0].at, wanted[1].at, wanted[0].n) != 0,
       "the two differ");
    for (int k = 0; k < 4; ++k) {
        bytes mine = whole(k % N);

        ok(same_bytes(mine, wanted[k % N]), "%d after another", k % N);
        free(mine.at);
    }
    by_turns(wanted);
    at_once(wanted);
    for (int i = 0; i < N; ++i)
        free(wanted[i].at);
    leave_folder();
    return done_testing();
}
