/* refuse.c - what is wrong is told by a status and a sentence, and by nothing
 * else: nothing is printed, and no setting of the process is another one.
 */
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <omp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/lib/tap.h"
#include "tests/library/library.h"

/* --- what may not change --- */

enum { SIGNALS = 64 };

typedef struct surroundings {
    struct sigaction action[SIGNALS];
    sigset_t blocked;
    int threads;
    locale_t locale;
    char all[200], folder[200];
    mode_t mask;
} surroundings;

static surroundings look(void)
{
    surroundings s;

    memset(&s, 0, sizeof s);
    for (int i = 1; i < SIGNALS; ++i)
        sigaction(i, NULL, &s.action[i]);
    pthread_sigmask(SIG_SETMASK, NULL, &s.blocked);
    s.threads = omp_get_max_threads();
    s.locale = uselocale((locale_t)0);
    snprintf(s.all, sizeof s.all, "%s", setlocale(LC_ALL, NULL));
    if (getcwd(s.folder, sizeof s.folder) == NULL)
        s.folder[0] = '\0';
    s.mask = umask(0);
    umask(s.mask);
    return s;
}

static bool is_as_before(const surroundings *before)
{
    const surroundings now = look();

    for (int i = 1; i < SIGNALS; ++i)
        if (now.action[i].sa_handler != before->action[i].sa_handler)
            return false;
    for (int i = 1; i < SIGNALS; ++i)
        if (sigismember(&now.blocked, i) != sigismember(&before->blocked, i))
            return false;
    return now.threads == before->threads && now.locale == before->locale &&
           strcmp(now.all, before->all) == 0 &&
           strcmp(now.folder, before->folder) == 0 && now.mask == before->mask;
}

/* --- what is printed --- */

static int out[2];

/* What is printed from here on goes to a file, */
static void watch(void)
{
    const int file = open("printed", O_WRONLY | O_CREAT | O_TRUNC, 0600);

    fflush(stdout);
    for (int i = 0; i < 2; ++i) {
        out[i] = dup(1 + i);
        dup2(file, 1 + i);
    }
    close(file);
}

/* until here; how many bytes that was. */
static long printed(void)
{
    struct stat now;

    fflush(stdout);
    for (int i = 0; i < 2; ++i) {
        dup2(out[i], 1 + i);
        close(out[i]);
    }
    return stat("printed", &now) == 0 ? (long)now.st_size : -1;
}

/* --- jobs --- */

#define CELLS                                                                  \
    "tstop: 5\n"                                                               \
    "populations: [{name: c, synthetic: {compartments: 21, sections: 3},"      \
    " count: 2, regions: {all: {pas: {}}, soma: {hh: {}}}}]\n"
#define CLAMP "clamps: [{at: soma, duration: 3, amplitude: 0.3}]\n"
#define PROBE "probes: [{name: soma, interval: 1}]\n"

static const struct {
    const char *name, *text;
    bosc_status want;
    const char *says;
} jobs[] = {
    {"no YAML", "tstop: [1\n", BOSC_EFORMAT, "job:"},
    {"an empty job", "", BOSC_EFORMAT, "job"},
    {"a job of blanks", " \n\n", BOSC_EFORMAT, "job"},
    {"bytes that are no text", "\x80\xff\xfe: 1\n", BOSC_EFORMAT, "job"},
    {"an unknown key", CELLS "tstopp: 3\n", BOSC_EFORMAT, "job:3: "},
    {"a value out of range", "dt: -1\n" CELLS, BOSC_EFORMAT, "job:1: dt"},
    {"a key given twice", CELLS "tstop: 0\n", BOSC_EFORMAT, "given twice"},
    {"members of two time loops", CELLS "sweep: {grid: {celsius: [6, 7]}}\n",
     BOSC_EVALUE, "2 groups"},
    {"no mod file", "mechanisms: [nowhere]\n" CELLS, BOSC_ENOINPUT, "nowhere"},
    {"a bad mod file", "mechanisms: [bad.mod]\n" CELLS, BOSC_EFORMAT,
     "bad.mod:2"},
    {"no morphology",
     "tstop: 5\npopulations: [{name: c, morphologies: no.swc, regions: {all: "
     "{pas: {}}}}]\n",
     BOSC_EFORMAT, "no.swc"},
    {"a table in NetCDF without its reader",
     CELLS "synapses: [{name: s, type: ExpSyn}]\n"
           "projections: [{from: c, to: c, rule: list, synapse: s, "
           "file: edges.nc, weight: 1}]\n",
     BOSC_ENOINPUT, "bosc_set_files"},
    {"a strict job with a warning",
     "strict: true\n" CELLS
     "clamps: [{at: soma, delay: 100, duration: 1, amplitude: 1}]\n",
     BOSC_EVALUE, "strict"},
    {"a neuron that there is not",
     CELLS "probes: [{name: p, neurons: \"7\"}]\n", BOSC_EVALUE, "7"},
};

static void check_jobs(void)
{
    put_file("bad.mod", "NEURON { SUFFIX bad }\nBREAKPOINT { x = = 1 }\n");
    put_file("edges.nc", "CDF\x01 and so on");
    for (size_t i = 0; i < sizeof jobs / sizeof jobs[0]; ++i) {
        const surroundings before = look();

        watch();

        bosc_simulation *sim = open_here(jobs[i].text);
        const bosc_status st = bosc_build(sim);
        const long n = printed();

        ok(says(st, jobs[i].want, sim, jobs[i].says), "%s", jobs[i].name);
        ok(says(bosc_advance(sim, 1), jobs[i].want, sim, jobs[i].says) &&
               says(bosc_build(sim), jobs[i].want, sim, jobs[i].says) &&
               says(bosc_set(sim, "dt", "1"), jobs[i].want, sim,
                    jobs[i].says) &&
               saved(sim).at == NULL,
           "which all calls say from then on");
        watch();
        bosc_close(sim);
        ok(n + printed() == 0 && is_as_before(&before),
           "nothing is printed, and no setting changed");
    }
}

/* --- calls --- */

static void check_open(void)
{
    bosc_simulation *sim = NULL;
    bosc_status st;

    ok(bosc_open("no.yaml", &sim) == BOSC_ENOINPUT && sim != NULL &&
           says(bosc_build(sim), BOSC_ENOINPUT, sim, "no.yaml"),
       "a file that is not there");
    bosc_close(sim);
    ok(bosc_open(".", &sim) != BOSC_OK && strstr(bosc_last_error(sim), ".:"),
       "a folder");
    bosc_close(sim);
    ok(bosc_open("", &sim) == BOSC_ENOINPUT, "an empty name");
    bosc_close(sim);
    st = bosc_open(NULL, &sim);
    ok(says(st, BOSC_EUSAGE, sim, "NULL"), "no name");
    bosc_close(sim);
    st = bosc_open_text(NULL, NULL, &sim);
    ok(says(st, BOSC_EUSAGE, sim, "NULL"), "no text");
    bosc_close(sim);
    bosc_close(NULL);
    ok(strcmp(bosc_last_error(NULL), "out of memory") == 0 &&
           bosc_build(NULL) == BOSC_ENOMEM &&
           bosc_advance(NULL, 1) == BOSC_ENOMEM &&
           bosc_set(NULL, "dt", "1") == BOSC_ENOMEM &&
           bosc_n_neurons(NULL) == 0 && bosc_probe_name(NULL, 0) == NULL &&
           bosc_warning(NULL, 0) == NULL &&
           bosc_population(NULL, 0).name == NULL &&
           bosc_method_used(NULL)[0] == '\0' && isnan(bosc_time(NULL)) == 1,
       "no handle is one without memory");
    bosc_forget(NULL);
}

/* Relative paths begin at the working folder, where none is given. */
static void check_folder(void)
{
    static const char *const folders[] = {NULL, "", ".", "nowhere/.."};
    static const char job[] =
        "tstop: 5\npopulations: [{name: c, morphologies: ball.swc,"
        " regions: {all: {pas: {}}}}]\n";

    put_file("ball.swc", "1 1 0 0 0 5 -1\n");
    for (int i = 0; i < 4; ++i) {
        bosc_simulation *sim;
        bosc_status st = bosc_open_text(job, folders[i], &sim);

        if (st == BOSC_OK)
            st = bosc_build(sim);
        ok(i < 3 ? says(st, BOSC_OK, sim, "")
                 : says(st, BOSC_EFORMAT, sim, "nowhere/../job:2"),
           "relative paths from '%s'",
           folders[i] != NULL ? folders[i] : "NULL");
        bosc_close(sim);
    }
}

static void check_unbuilt(void)
{
    bosc_simulation *sim = open_here(CELLS PROBE);
    bosc_readings v;
    bosc_spike_list spikes;
    bosc_detection_list found;

    ok(says(bosc_read(sim, "soma", "v", &v), BOSC_EUSAGE, sim, "bosc_build") &&
           says(bosc_spikes(sim, &spikes), BOSC_EUSAGE, sim, "bosc_build") &&
           says(bosc_detections(sim, &found), BOSC_EUSAGE, sim, "bosc_build"),
       "nothing is read before it is built");
    ok(isnan(bosc_time(sim)) == 1 && bosc_n_neurons(sim) == 0 &&
           bosc_probe_name(sim, 0) == NULL && bosc_warning(sim, 0) == NULL &&
           bosc_population(sim, 0).name == NULL &&
           bosc_method_used(sim)[0] == '\0',
       "and there is nothing yet");
    bosc_forget(sim);
    ok(says(bosc_set(sim, NULL, "1"), BOSC_EUSAGE, sim, "NULL") &&
           says(bosc_set(sim, "dt", NULL), BOSC_EUSAGE, sim, "NULL"),
       "a key and a value are texts");
    ok(says(bosc_set_ranks(sim, NULL), BOSC_ENOMEM, sim, "memory") &&
           bosc_build(sim) == BOSC_ENOMEM,
       "ranks that nobody has made are out of memory");
    bosc_close(sim);
}

static void check_sets(void)
{
    static const struct {
        const char *key, *value, *says;
    } sets[] = {
        {"", "1", "no assignment"},
        {"tstopp", "1", "tstopp"},
        {"tstop", "", "tstop"},
        {"tstop", "5=6", "tstop"},
        {"tstop", "1e300", "tstop"},
        {"tstop", "nan", "tstop"},
        {"populations.c.count", "1e15", "count"},
        {"populations.9.count", "1", "populations"},
        {"a.b.c.d[0].e", "1", "a"},
        {"clamps.0.amplitude", "1", "clamps"},
    };

    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; ++i) {
        bosc_simulation *sim = open_here(CELLS PROBE);
        bosc_status st = bosc_set(sim, sets[i].key, sets[i].value);

        if (st == BOSC_OK)
            st = bosc_build(sim);
        ok(st != BOSC_OK && says(st, st, sim, sets[i].says),
           "%s = '%s' is refused: %s", sets[i].key, sets[i].value,
           bosc_last_error(sim));
        bosc_close(sim);
    }

    char *key = malloc(100001);
    bosc_simulation *sim = open_here(CELLS PROBE);

    memset(key, 'k', 100000);
    key[100000] = '\0';
    bosc_set(sim, key, "1");
    ok(bosc_build(sim) != BOSC_OK && strlen(bosc_last_error(sim)) > 20 &&
           strlen(bosc_last_error(sim)) < 2000,
       "a key of 100,000 letters is refused in a sentence");
    bosc_close(sim);
    free(key);
}

static void check_table(void)
{
    static const char *const keys[] = {"clamps.0.amplitude", "clamps.0.delay"};
    static const char *const bad[] = {"seed", NULL};
    static const char *const odd[] = {"seed\": [1], \"dt", "seed"};
    double values[] = {0.1, 1, 0.2, 1.5};
    bosc_simulation *sim = open_here(CELLS PROBE CLAMP);

    ok(says(bosc_set_table(sim, 0, 2, keys, values), BOSC_EVALUE, sim, "0") &&
           says(bosc_set_table(sim, 2, 0, keys, values), BOSC_EVALUE, sim,
                "0") &&
           says(bosc_set_table(sim, -1, -1, keys, values), BOSC_EVALUE, sim,
                "-1"),
       "a table without rows or keys is refused");
    ok(says(bosc_set_table(sim, 2, 2, bad, values), BOSC_EVALUE, sim, "NULL") &&
           says(bosc_set_table(sim, 2, 2, odd, values), BOSC_EVALUE, sim,
                "no key"),
       "and one with what is no key");
    values[3] = NAN;
    ok(says(bosc_set_table(sim, 2, 2, keys, values), BOSC_EVALUE, sim,
            "clamps.0.delay in row 1"),
       "and one with a value that is not finite");
    values[3] = 1.5;
    ok(says(bosc_set_table(sim, 2, 2, keys, values), BOSC_OK, sim, "") &&
           says(bosc_set_table(sim, 2, 2, keys, values), BOSC_EUSAGE, sim,
                "a table was set"),
       "a second one, too");
    ok(says(bosc_build(sim), BOSC_OK, sim, "") && bosc_n_neurons(sim) == 4,
       "the first one is still good");
    bosc_close(sim);
    sim = open_here(CELLS PROBE CLAMP
                    "sweep: {grid: {clamps.0.amplitude: [6, 7, 8]}}\n");
    ok(says(bosc_set_table(sim, 2, 2, keys, values), BOSC_EUSAGE, sim, "sweep"),
       "a table for a job that has a sweep is refused");
    bosc_close(sim);
}

static void check_built(void)
{
    static const char *const keys[] = {"celsius"};
    const double values[] = {6.3};
    bosc_simulation *sim = open_here(CELLS PROBE);
    bosc_readings v = {.n_times = -7};

    ok(says(bosc_build(sim), BOSC_OK, sim, "") &&
           says(bosc_build(sim), BOSC_OK, sim, ""),
       "a simulation that is built again is as it was");
    ok(says(bosc_set(sim, "dt", "0.1"), BOSC_EUSAGE, sim, "bosc_build") &&
           says(bosc_set_table(sim, 1, 1, keys, values), BOSC_EUSAGE, sim,
                "bosc_build") &&
           says(bosc_set_files(sim, NULL), BOSC_EUSAGE, sim, "bosc_build") &&
           says(bosc_set_ranks(sim, NULL), BOSC_EUSAGE, sim, "bosc_build"),
       "nothing is set then");
    ok(says(bosc_read(sim, "some", "v", &v), BOSC_EVALUE, sim, "'some'") &&
           says(bosc_read(sim, "soma", "m", &v), BOSC_EVALUE, sim, "'m'") &&
           says(bosc_read(sim, "soma", "", &v), BOSC_EVALUE, sim, "''") &&
           says(bosc_read(sim, NULL, "v", &v), BOSC_EUSAGE, sim, "NULL") &&
           v.n_times == -7,
       "an unknown probe, an unknown variable");
    ok(says(bosc_advance(sim, 5.1), BOSC_EVALUE, sim, "tstop") &&
           says(bosc_advance(sim, INFINITY), BOSC_EVALUE, sim, "tstop") &&
           says(bosc_advance(sim, NAN), BOSC_EVALUE, sim, "not a number") &&
           bosc_time(sim) == 0,
       "a time after tstop, or none");
    ok(says(bosc_advance(sim, -INFINITY), BOSC_OK, sim, "") &&
           says(bosc_advance(sim, 0), BOSC_OK, sim, "") && bosc_time(sim) == 0,
       "a time that is over is where it is");
    ok(says(bosc_advance(sim, 3), BOSC_OK, sim, "") &&
           says(bosc_advance(sim, 1), BOSC_OK, sim, "") && bosc_time(sim) == 3,
       "time does not go back");
    ok(says(bosc_read(sim, "soma", "v", &v), BOSC_OK, sim, "") &&
           v.n_times == 4 && v.n_columns == 2 && v.time[0] == 0 &&
           v.time[3] == 3 && strcmp(v.section[1], "soma[0]") == 0,
       "all the same it records");
    bosc_forget(sim);
    ok(bosc_read(sim, "soma", "v", &v) == BOSC_OK && v.n_times == 0 &&
           bosc_advance(sim, 5) == BOSC_OK &&
           bosc_read(sim, "soma", "v", &v) == BOSC_OK && v.n_times == 2 &&
           v.time[0] == 4,
       "and forgets");
    ok(bosc_probe_name(sim, -1) == NULL && bosc_probe_name(sim, 1) == NULL &&
           bosc_population(sim, -1).name == NULL &&
           bosc_population(sim, 1).name == NULL &&
           bosc_warning(sim, -1) == NULL,
       "there is nothing before the first and after the last");
    bosc_close(sim);
}

/* Of a voltage beyond the limit, and of one that is not finite. */
static void check_numbers(void)
{
    bosc_simulation *sim =
        open_here(CELLS "clamps: [{at: soma, duration: 5, amplitude: 150}]\n");

    ok(bosc_advance(sim, 5) == BOSC_OK && bosc_warning(sim, 0) != NULL,
       "a warning is read: %s", bosc_warning(sim, 0));
    bosc_close(sim);
    sim = open_here(CELLS "clamps: [{at: \"dend[0](0.9)\", duration: 1,"
                          " amplitude: -1e6}]\n");
    ok(says(bosc_advance(sim, 5), BOSC_EVALUE, sim, "not finite") &&
           says(bosc_advance(sim, 5), BOSC_EVALUE, sim, "not finite") &&
           saved(sim).at == NULL,
       "a voltage that is not finite ends it: %s", bosc_last_error(sim));
    bosc_close(sim);
}

/* German numbers have a comma. */
static void check_locale(void)
{
    static const char *const keys[] = {"clamps.0.amplitude"};
    const double values[] = {0.25, 0.125};
    const char *made = "localedef -i de_DE -f UTF-8 ./de_DE.UTF-8"
                       " >/dev/null 2>&1";
    bosc_simulation *sim;
    bytes point, comma;

    sim = open_here(CELLS PROBE CLAMP);
    bosc_set_table(sim, 2, 1, keys, values);
    bosc_advance(sim, 5);
    point = recorded(sim);
    bosc_close(sim);
    setenv("LOCPATH", ".", 1);
    if (system(made) < 0 || setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        skip("no locale with commas");
    } else {
        const surroundings before = look();

        sim = open_here(CELLS PROBE CLAMP);
        bosc_set_table(sim, 2, 1, keys, values);
        ok(says(bosc_advance(sim, 5), BOSC_OK, sim, ""),
           "a program whose numbers have commas");
        comma = recorded(sim);
        ok(same_bytes(point, comma), "has the same bits");
        ok(is_as_before(&before), "and its commas");
        free(comma.at);
        bosc_close(sim);
    }
    setlocale(LC_ALL, "C");
    free(point.at);
}

int main(void)
{
    surroundings before;

    own_folder();
    omp_set_num_threads(3);
    before = look();
    check_jobs();
    check_open();
    check_folder();
    check_unbuilt();
    check_sets();
    check_table();
    check_built();
    check_numbers();
    ok(is_as_before(&before), "the process is as it was");
    check_locale();
    leave_folder();
    return done_testing();
}
