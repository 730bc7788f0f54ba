/* variants.c - run many variants of many jobs in one process, or on the ranks
 * of one launcher: to start MPI takes longer than a small job.
 *
 * usage: variants LIST      (alone, or by mpiexec on several ranks)
 *
 * Each line of LIST is a variant, its fields separated by tabs:
 *
 *   NAME RANKS ISA JOB OUTPUT [WORD]...
 *
 * RANKS is how many of the ranks run it, ISA a value of BOSC_ISA or "-".  A
 * WORD is KEY=VALUE, as of 'bosc run --set', or one of @member=LIST,
 * @epoch=STEPS, and @groups for a sweep whose groups are run and merged.
 *
 * A line "@load<tab>JOB" loads the mechanisms that a job names, once for all
 * that follow: jobs without mod files stand before it, others name the same,
 * or have probes that record what mechanisms compute.
 *
 * On standard output rank 0 writes "NAME<tab>begins", so that it is known in
 * which variant the program has died, and then
 *
 *   NAME STATUS SPIKES EVENTS CONNECTIONS COUPLED SECONDS MESSAGE
 *
 * with the status of 'bosc run', 0 for a run that is complete; numbers that are
 * not known are -1.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/job/job.h"
#include "src/mpi/mpi_comm.h"
#include "src/run/run.h"
#include "src/sim/mechanisms.h"

enum { MAX_RANKS = 8, MAX_WORDS = 64 };

typedef struct world {
    int rank, ranks;
    bosc_comm *of[MAX_RANKS + 1]; /* [n] the first n ranks; NULL on others */
    FILE *told;                   /* rank 0: what standard output was */
    bosc_mechs *mechs;            /* with those of mod files; NULL: none */
} world;

typedef struct variant {
    const char *name, *isa;
    int ranks;
    bool groups;
    bosc_run_request request;
    const char *set[MAX_WORDS];
} variant;

/* What a run tells of itself besides its file. */
typedef struct told {
    long long spikes, events, connections, coupled;
} told;

/* Until all ranks are here; one that waits sleeps, so that others have its
 * core. */
static void meet(void)
{
    const struct timespec while_ = {0, 2000000};
    MPI_Request request;
    int done = 0;

    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (MPI_Test(&request, &done, MPI_STATUS_IGNORE), !done)
        nanosleep(&while_, NULL);
}

static bool starts(const char *word, const char *with, const char **rest)
{
    const size_t n = strlen(with);

    *rest = word + n;
    return strncmp(word, with, n) == 0;
}

/* Take a line apart, which stays as long as the variant.  False: it is not as
 * it should be. */
static bool parse(char *line, variant *v)
{
    char *field[5] = {NULL}, *rest = line, *word;
    const char *value;
    int n = 0;

    *v = (variant){.request = {.group = -1,
                               .verify = -1,
                               .command = "variants",
                               .quiet = true,
                               .overwrite = true,
                               .share = true}};
    line[strcspn(line, "\n")] = '\0';
    while ((word = strsep(&rest, "\t")) != NULL) {
        if (n < 5)
            field[n++] = word;
        else if (strcmp(word, "@groups") == 0)
            v->groups = true;
        else if (starts(word, "@member=", &value))
            v->request.members = value;
        else if (starts(word, "@epoch=", &value))
            v->request.epoch = atoll(value);
        else if (v->request.set.n < MAX_WORDS)
            v->set[v->request.set.n++] = word;
    }
    if (n < 5)
        return false;
    v->name = field[0];
    v->ranks = atoi(field[1]);
    v->isa = field[2];
    v->request.path = field[3];
    v->request.output = field[4];
    v->request.set.text = v->set;
    return v->ranks > 0 && v->ranks <= MAX_RANKS;
}

static bosc_status run_one(const variant *v, told *out, bosc_error *err)
{
    bosc_run run;

    bosc_run_begin(&run, &v->request, 0);

    const bosc_status st = bosc_run_all(&run, err);

    if (st == BOSC_OK) {
        *out = (told){bosc_gather_look(run.gather).spikes, run.sim.net.events,
                      run.sim.net.connections, run.sim.net.coupled};
    }
    bosc_run_end(&run);
    return st;
}

/* Do probes record what mechanisms compute?  Then the job has mechanisms of its
 * own. */
static bool has_own_mechanisms(const variant *v)
{
    char *text = NULL, **words = NULL;
    int n = 0;
    bosc_error err;

    if (bosc_job_load_text(v->request.path, &text, &err) == BOSC_OK)
        bosc_job_recorded(v->request.path, text, v->request.set.n, v->set,
                          &words, &n, &err);
    for (int i = 0; i < n; ++i)
        free(words[i]);
    free(words);
    free(text);
    return n > 0;
}

/* On the ranks of the variant. */
static void run(const world *w, variant *v)
{
    const double began = bosc_now();
    char outcome[60];
    bosc_error err = {""};
    told seen = {-1, -1, -1, -1};
    bosc_status st;

    if (strcmp(v->isa, "-") == 0)
        unsetenv("BOSC_ISA");
    else
        setenv("BOSC_ISA", v->isa, 1);
    if (w->rank == 0) {
        fprintf(w->told, "%s\tbegins\n", v->name);
        fflush(w->told);
    }
    v->request.comm = w->of[v->ranks];
    v->request.started = began;
    v->request.mechs = has_own_mechanisms(v) ? NULL : w->mechs;
    st = v->groups ? bosc_run_groups(&v->request, outcome, &err)
                   : run_one(v, &seen, &err);
    if (w->rank == 0) {
        fprintf(w->told, "%s\t%d\t%lld\t%lld\t%lld\t%lld\t%.4f\t%s\n", v->name,
                (int)st, seen.spikes, seen.events, seen.connections,
                seen.coupled, bosc_now() - began,
                st == BOSC_OK ? "" : err.text);
        fflush(w->told);
    }
}

/* On all ranks.  A failure is told again by each job that needs them. */
static void load(world *w, const char *path)
{
    static const bosc_texts none = {0};
    bosc_error err = {""};
    char *text = NULL;
    bosc_compiled compiled;
    bosc_status st = bosc_job_load_text(path, &text, &err);

    if (st == BOSC_OK)
        st = bosc_mechs_create(&w->mechs, &err);
    if ((st = bosc_agree(bosc_mpi_world(), st, &err)) == BOSC_OK)
        st = bosc_mechanisms_load(
            bosc_mpi_world(),
            &(bosc_job_source){path, text, &none, false, false, true}, w->mechs,
            &compiled, &err);
    if (st != BOSC_OK) {
        bosc_mechs_destroy(w->mechs);
        w->mechs = NULL;
    }
    free(text);
}

/* What is written to standard output goes to standard error from now on. */
static void begin(world *w)
{
    fflush(stdout);
    w->told = fdopen(dup(STDOUT_FILENO), "w");
    dup2(STDERR_FILENO, STDOUT_FILENO);
    bosc_run_start_mpi();
    MPI_Comm_rank(MPI_COMM_WORLD, &w->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w->ranks);
    for (int n = 1; n <= MAX_RANKS; ++n) {
        MPI_Comm some;

        if (n > w->ranks)
            break;
        MPI_Comm_split(MPI_COMM_WORLD, w->rank < n ? 0 : MPI_UNDEFINED, w->rank,
                       &some);
        if (some != MPI_COMM_NULL)
            w->of[n] = bosc_mpi_comm(some, true);
    }
    /* A run on one of several ranks is meant here. */
    unsetenv("PMI_SIZE");
    unsetenv("OMPI_COMM_WORLD_SIZE");
}

int main(int argc, char **argv)
{
    world w = {.mechs = NULL};
    variant v;
    char *line = NULL;
    size_t room = 0;
    FILE *list = argc == 2 ? fopen(argv[1], "r") : NULL;

    if (list == NULL) {
        fprintf(stderr, "usage: variants LIST\n");
        return 2;
    }
    begin(&w);
    while (getline(&line, &room, list) > 0) {
        const char *path;

        if (starts(line, "@load\t", &path)) {
            line[strcspn(line, "\n")] = '\0';
            load(&w, path);
            continue;
        }
        if (!parse(line, &v) || v.ranks > w.ranks) {
            fprintf(stderr, "variants: not a variant: %s\n", line);
            MPI_Abort(MPI_COMM_WORLD, 2);
        }
        if (w.rank < v.ranks)
            run(&w, &v);
        if (w.ranks > 1)
            meet();
    }
    free(line);
    fclose(list);
    bosc_mechs_destroy(w.mechs);
    MPI_Finalize();
    return 0;
}
