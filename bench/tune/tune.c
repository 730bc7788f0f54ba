/* tune.c - one batch after another, until the time is over.
 *
 * The first batches fill the space of all batches evenly.  Then every second
 * one is asked for where the nearest measured ones leave it least sure which
 * method is the fastest.
 */
#include "bench/tune/tune.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/solve/bench.h"
#include "bench/tune/data_set.h"
#include "bench/tune/draw.h"
#include "config.h"
#include "kernels/base/gpus.h"
#include "kernels/methods.h"
#include "src/base/mem.h"
#include "src/base/progress.h"
#include "src/base/signals.h"
#include "src/run/run.h"
#include "src/select/device.h"
#include "src/text/path.h"

enum { FIRST = 64 };                           /* batches before any is asked */
static const int64_t ASKED = (int64_t)1 << 40; /* numbers from here on */

const char *const bosc_tune_kinds[BOSC_TUNE_KINDS] = {"all", "loops",
                                                      "products"};
const char *const bosc_tune_backends[BOSC_TUNE_BACKENDS] = {"cpu", "cuda"};

/* Batches that fail one after another: then it is not for what they are. */
enum { FAILURES = 8 };

typedef struct tuning {
    const bosc_tune_request *request;
    bosc_tuned_files *files;
    bosc_tune_limits limits;
    double started, until; /* s */
    bool stopped;          /* by a signal */
    bool terminal;
    double shown; /* s, when the progress was shown last */
    int failures; /* since a batch was measured */
} tuning;

/* ---- where ---- */

static char *own_folder(void)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    char host[256] = "host";

    gethostname(host, sizeof host - 1);
    if (data != NULL && data[0] == '/')
        return bosc_format("%s/bosc/%s", data, host);
    return home != NULL && home[0] == '/'
               ? bosc_format("%s/.local/share/bosc/%s", home, host)
               : bosc_format("bosc-tune-%s", host);
}

static bosc_status make_folder(const char *path, bosc_error *err)
{
    struct stat about;

    bosc_path_make_folders(path, 0777);
    if (mkdir(path, 0777) == 0 ||
        (stat(path, &about) == 0 && S_ISDIR(about.st_mode)))
        return BOSC_OK;
    return bosc_fail(err, BOSC_EIO, "%s: %s; choose a folder with --output",
                     path, strerror(errno == EEXIST ? ENOTDIR : errno));
}

/* ---- batches ---- */

/* Batches from 'from' on have not been tried; asked for are those from ASKED
 * on.
 */
static int64_t next_number(const bosc_data_set *set, const int64_t from[2])
{
    int64_t even = from[0], asked = from[1], n_even = 0;

    for (int64_t i = 0; i < set->n; ++i) {
        const int64_t k = set->tuned[i].number;

        n_even += !set->tuned[i].asked;
        if (set->tuned[i].asked && k >= asked)
            asked = k + 1;
        if (!set->tuned[i].asked && k >= even)
            even = k + 1;
    }
    return n_even >= FIRST && set->n < 2 * n_even
               ? bosc_draw_ask(asked, set->n, set->tuned, set->methods)
               : even;
}

/* One that fails, for want of memory say, is left out. */
static bosc_status leave_out(tuning *t, const bosc_data_set *set, int64_t batch,
                             bosc_status st, bosc_error *err)
{
    if (st == BOSC_EINTR || ++t->failures == FAILURES)
        return st;
    fprintf(stderr, "%sbosc: %s: batch %lld is left out: %s\n",
            t->terminal ? "\r\033[K" : "", set->kind->name, (long long)batch,
            err->text);
    err->text[0] = '\0';
    return BOSC_OK;
}

static bosc_status measure_next(tuning *t, bosc_data_set *set, int64_t from[2],
                                bosc_error *err)
{
    bosc_tuned tuned = {.number = next_number(set, from)};
    bosc_status st;

    tuned.asked = tuned.number >= ASKED;
    from[tuned.asked] = tuned.number + 1;
    bosc_draw_point(tuned.number, tuned.point);
    st = set->kind->measure(&t->limits, &tuned, err);
    if (st != BOSC_OK)
        return leave_out(t, set, tuned.number, st, err);
    t->failures = 0;
    return bosc_data_set_add(set, &tuned, err);
}

/* How far it is, and the time left: every second on a terminal, else every
 * half a minute. */
static void show(tuning *t, const bosc_data_set *set)
{
    const double now = bosc_now(), every = t->terminal ? 1 : 30;
    const double left = t->started + 60 * t->request->minutes - now;
    char a[32];

    if (t->request->quiet || now < t->shown + every)
        return;
    t->shown = now;
    printf("%s  %-9s %lld batches in all, %s left%s",
           t->terminal ? "\r\033[K" : "", set->kind->name, (long long)set->n,
           bosc_human_seconds(left > 0 ? left : 0, a), t->terminal ? "" : "\n");
    fflush(stdout);
}

static bool may_go_on(const tuning *t, const bosc_data_set *set, int64_t before)
{
    const int32_t most = t->request->batches;

    return bosc_now() < t->until && !t->stopped &&
           (most == 0 || set->n - before < most);
}

/* The kinds in turn, each for its part of the time left. */
static bosc_status tune_kind(tuning *t, const char *folder,
                             const bosc_tune_kind *kind, double until,
                             bosc_error *err)
{
    bosc_data_set set;
    bosc_status st =
        bosc_data_set_open(folder, kind, t->limits.backend, &set, err);
    const int64_t before = set.n;
    int64_t from[2] = {0, ASKED};

    t->until = until;
    while (st == BOSC_OK && may_go_on(t, &set, before)) {
        st = measure_next(t, &set, from, err);
        if (st == BOSC_EINTR ||
            bosc_signals_in_setup(&(bosc_error){""}) != BOSC_OK) {
            t->stopped = true;
            st = BOSC_OK;
        }
        show(t, &set);
    }
    if (st == BOSC_OK && !t->request->quiet) {
        printf("%s  %-9s %lld batches measured, %lld in all: %s\n",
               t->terminal ? "\r\033[K" : "", kind->name,
               (long long)(set.n - before), (long long)set.n, set.path);
        fflush(stdout);
    }
    if (st == BOSC_OK && set.n >= BOSC_TUNE_ENOUGH && !t->stopped) {
        t->files->path[t->files->n] = bosc_strdup(set.path);
        t->files->n += t->files->path[t->files->n] != NULL;
    }
    bosc_data_set_close(&set);
    return st;
}

static bosc_status tune_kinds(tuning *t, const char *folder, bosc_error *err)
{
    const double all = 60 * t->request->minutes;
    const double products = 0.2; /* part of the time */
    const int kind = t->request->kind;
    bosc_status st = BOSC_OK;

    if (kind != 1 && bosc_tune_products.method(t->limits.backend, 0) != NULL)
        st = tune_kind(t, folder, &bosc_tune_products,
                       t->started + (kind == 0 ? products : 1) * all, err);
    if (st == BOSC_OK && kind != 2)
        st = tune_kind(t, folder, &bosc_tune_loops, t->started + all, err);
    return st;
}

/* What a batch may take; of a GPU its memory, too, for all methods. */
static bosc_status find_limits(const bosc_tune_request *request,
                               bosc_tune_limits *limits, bosc_error *err)
{
    const double memory =
        (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE);
    const double bytes = 1500, device_bytes = 600; /* of a compartment */
    bosc_gpu *gpus = NULL;
    int32_t n;
    bosc_status st;

    *limits = (bosc_tune_limits){
        .backend = bosc_backend_find(bosc_tune_backends[request->backend]),
        .seconds = 0.01 * 60 * request->minutes,
        .bytes = memory / 4,
        .threads = request->threads};

    const bool on_gpu = limits->backend->on_gpu;
    const double each = on_gpu ? 1e-7 : 4e-6; /* s, of a compartment */

    limits->compartments =
        fmin(1e8, fmin(limits->seconds / each, limits->bytes / bytes));
    st = bosc_backend_available(limits->backend, err);
    if (st == BOSC_OK)
        st = bosc_bench_threads(&limits->threads, err);
    if (st == BOSC_OK && on_gpu)
        st = bosc_gpus_list(&gpus, &n, err);
    if (st == BOSC_OK && on_gpu)
        limits->compartments =
            fmin(limits->compartments, (double)gpus[0].memory / device_bytes);
    free(gpus);
    return st;
}

void bosc_tuned_files_clear(bosc_tuned_files *files)
{
    for (int k = 0; k < files->n; ++k)
        free(files->path[k]);
    files->n = 0;
}

bosc_status bosc_tune(const bosc_tune_request *request, bosc_tuned_files *files,
                      bosc_error *err)
{
    tuning t = {.request = request, .files = files};
    char device[BOSC_DEVICE_NAME];
    char *folder =
        request->output != NULL ? bosc_strdup(request->output) : own_folder();
    bosc_status st = folder != NULL ? make_folder(folder, err)
                                    : bosc_no_memory(err, "a folder");

    if (st == BOSC_OK)
        st = find_limits(request, &t.limits, err);
    if (st == BOSC_OK) {
        bosc_run_start_mpi();
        bosc_device_name(t.limits.backend, device);
        if (!request->quiet)
            printf("%s: what methods take on %s, %d thread%s, for %g minutes\n",
                   PACKAGE_STRING, device, t.limits.threads,
                   t.limits.threads == 1 ? "" : "s at most", request->minutes);
        t.started = bosc_now();
        t.terminal = !request->quiet && isatty(STDOUT_FILENO);
        t.shown = t.started;
        st = tune_kinds(&t, folder, err);
    }
    if (t.stopped)
        bosc_tuned_files_clear(files);
    free(folder);
    return st;
}
