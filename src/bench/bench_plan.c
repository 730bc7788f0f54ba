/* bench_plan.c - which methods of which backends, and what their devices can
 * do.
 */
#include "src/bench/bench.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "src/mpi/cpuset.h"
#include "src/text/csv.h"
#include "src/text/did_you_mean.h"

/* What a word of --backend stands for besides itself. */
static const struct {
    const char *word, *also;
} companions[] = {{"cpu", "ref"}, {"cuda", "cusparse"}};

/* Backends that a build may lack. */
static const char *const optional[] = {"cuda", "cusparse"};

static bool is_chosen(const char *list, const char *backend)
{
    if (bosc_csv_has(list, "all") || bosc_csv_has(list, backend))
        return true;
    for (size_t i = 0; i < BOSC_LEN(companions); ++i)
        if (strcmp(companions[i].also, backend) == 0)
            return bosc_csv_has(list, companions[i].word);
    return false;
}

/* ---- backends ---- */

static bool is_built(const char *backend)
{
    return bosc_solver_backend_find(backend) != NULL;
}

static bosc_status check_backend(const char *word, bosc_error *err)
{
    static const char *const known[] = {"all", "cpu", "cuda", "ref",
                                        "cusparse"};
    char meant[200];

    if (strcmp(word, "all") == 0)
        return BOSC_OK;
    if (is_built(word))
        return bosc_solver_backend_find(word)->available(err);
    for (size_t i = 0; i < BOSC_LEN(companions); ++i)
        if (strcmp(word, companions[i].word) == 0 &&
            is_built(companions[i].also))
            return BOSC_OK;
    for (size_t i = 0; i < BOSC_LEN(optional); ++i)
        if (strcmp(word, optional[i]) == 0)
            return bosc_fail(err, BOSC_ENOSUP,
                             "--backend %s: this bosc was built without CUDA; "
                             "configure it where nvcc is found",
                             word);
    return bosc_fail(err, BOSC_EUSAGE,
                     "--backend %s: there is no such backend; %s", word,
                     bosc_did_you_mean(word, BOSC_LEN(known), known,
                                       "there are:", meant, sizeof meant));
}

static bosc_status check_backends(const char *list, bosc_error *err)
{
    bosc_status st = BOSC_OK;
    char word[64];

    for (int k = 0; st == BOSC_OK && bosc_csv_at(list, k, word, sizeof word);
         ++k)
        st = check_backend(word, err);
    return st;
}

static int find_device(const bosc_bench_plan *plan,
                       const bosc_solver_backend *backend)
{
    int i = 0;

    while (i < plan->n_devices &&
           plan->device[i].backend->bandwidth != backend->bandwidth)
        ++i;
    return i;
}

/* The device of a backend; measured when it is the first to use it. */
static bosc_status add_device(bosc_bench_plan *plan,
                              const bosc_solver_backend *backend, int threads,
                              bosc_error *err)
{
    const int i = find_device(plan, backend);
    bosc_bench_device *device = &plan->device[i];

    if (i < plan->n_devices)
        return BOSC_OK;
    plan->n_devices++;
    device->backend = backend;
    backend->device(device->name, sizeof device->name);
    return backend->bandwidth(threads, &device->bandwidth, err);
}

static void note_absent(bosc_bench_plan *plan, const char *backend,
                        const char *why)
{
    snprintf(plan->absent[plan->n_absent++], sizeof plan->absent[0],
             "%s: not measured: %.150s", backend, why);
}

/* ---- methods ---- */

/* A word stands for the method of that name, or for the family whose names
 * begin with it and a dash. */
static bool is_family(const char *word, const char *name)
{
    const size_t length = strlen(word);

    return strncmp(word, name, length) == 0 && name[length] == '-';
}

/* Each method of the chosen backends once; returns how many. */
static size_t list_methods(const bosc_bench_request *request,
                           const char *names[BOSC_BENCH_ENTRIES])
{
    size_t n = 0;

    for (int i = 0; bosc_solver_backends[i] != NULL; ++i) {
        const bosc_solver_backend *backend = bosc_solver_backends[i];

        if (!is_chosen(request->backends, backend->name))
            continue;
        for (int m = 0; m < backend->n_methods; ++m) {
            size_t k = 0;

            while (k < n && strcmp(names[k], backend->methods[m].name) != 0)
                ++k;
            if (k == n && n < BOSC_BENCH_ENTRIES)
                names[n++] = backend->methods[m].name;
        }
    }
    return n;
}

/* How many of the names 'word' stands for: that of its own, or a family. */
static size_t count_meant(const char *word, size_t n, const char *const *names,
                          bool family)
{
    size_t meant = 0;

    for (size_t i = 0; i < n; ++i)
        meant +=
            family ? is_family(word, names[i]) : strcmp(word, names[i]) == 0;
    return meant;
}

static bool is_named(const bosc_bench_request *request, const char *name)
{
    const char *names[BOSC_BENCH_ENTRIES];
    const size_t n = list_methods(request, names);
    char word[64];

    if (bosc_csv_has(request->methods, name))
        return true;
    for (int k = 0; bosc_csv_at(request->methods, k, word, sizeof word); ++k)
        if (is_family(word, name) && count_meant(word, n, names, false) == 0)
            return true;
    return false;
}

static bosc_status check_method(const bosc_bench_request *request,
                                const char *word, bosc_error *err)
{
    const char *names[BOSC_BENCH_ENTRIES];
    const size_t n = list_methods(request, names);
    char meant[700];

    if (strcmp(word, "all") == 0 || count_meant(word, n, names, false) > 0 ||
        count_meant(word, n, names, true) > 0)
        return BOSC_OK;
    return bosc_fail(
        err, BOSC_EUSAGE,
        "--method %s: there is no such method of backend %s; %s", word,
        request->backends,
        bosc_did_you_mean(word, n, names, "there are:", meant, sizeof meant));
}

static bosc_status check_methods(const bosc_bench_request *request,
                                 bosc_error *err)
{
    bosc_status st = BOSC_OK;
    char word[64];

    for (int k = 0;
         st == BOSC_OK && bosc_csv_at(request->methods, k, word, sizeof word);
         ++k)
        st = check_method(request, word, err);
    return st;
}

/* ---- the plan ---- */

static void add_entry(bosc_bench_plan *plan, const bosc_solver_backend *backend,
                      int method, bool named)
{
    if (plan->n < BOSC_BENCH_ENTRIES)
        plan->entry[plan->n++] = (bosc_bench_entry){
            backend, method, find_device(plan, backend), named};
}

/* A method that speed-ups are over: its entry, or -1 where it is missing. */
static int add_yardstick(bosc_bench_plan *plan, const char *backend_name,
                         const char *name)
{
    const bosc_solver_backend *backend = bosc_solver_backend_find(backend_name);
    const int method =
        backend != NULL ? bosc_solver_method_find(backend, name) : -1;

    if (method < 0)
        return -1;
    add_entry(plan, backend, method, false);
    return plan->n - 1;
}

/* The entry of a method, or -1. */
static int find_entry(const bosc_bench_plan *plan,
                      const bosc_solver_backend *backend, int method)
{
    for (int i = 0; i < plan->n; ++i)
        if (plan->entry[i].backend == backend &&
            plan->entry[i].method == method)
            return i;
    return -1;
}

static bosc_status add_backend(const bosc_bench_request *request,
                               const bosc_solver_backend *backend,
                               bosc_bench_plan *plan, bosc_error *err)
{
    const bool all = bosc_csv_has(request->methods, "all");
    bosc_status st = backend->available(err);

    if (st == BOSC_ENOSUP && !bosc_csv_has(request->backends, backend->name)) {
        note_absent(plan, backend->name, err->text);
        return BOSC_OK;
    }
    if (st == BOSC_OK)
        st = add_device(plan, backend, request->solver.threads, err);
    for (int m = 0; st == BOSC_OK && m < backend->n_methods; ++m) {
        const bool named = is_named(request, backend->methods[m].name);

        if ((all || named) && find_entry(plan, backend, m) < 0)
            add_entry(plan, backend, m, named);
    }
    return st;
}

/* The first line, without the words that every driver has in it. */
static void find_driver(char *text, size_t size)
{
    FILE *file = fopen("/proc/driver/nvidia/version", "r");
    char line[256] = "";
    const char *from = line;

    if (file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        from = strncmp(line, "NVRM version: ", 14) == 0 ? line + 14 : line;
    }
    if (file != NULL)
        fclose(file);
    snprintf(text, size, "%.150s", from);
}

bosc_status bosc_bench_plan_create(const bosc_bench_request *request,
                                   bosc_bench_plan *out, bosc_error *err)
{
    const bosc_solver_backend *host = bosc_solver_backends[0];
    bosc_status st = check_backends(request->backends, err);

    *out = (bosc_bench_plan){0};
    find_driver(out->driver, sizeof out->driver);
    if (st == BOSC_OK)
        st = check_methods(request, err);
    if (st == BOSC_OK)
        st = add_device(out, host, request->solver.threads, err);
    out->sequential = add_yardstick(out, "ref", "hines");
    out->openmp = add_yardstick(out, "cpu", "hines-flat");
    for (int i = 0; st == BOSC_OK && bosc_solver_backends[i] != NULL; ++i)
        if (is_chosen(request->backends, bosc_solver_backends[i]->name))
            st = add_backend(request, bosc_solver_backends[i], out, err);
    if (bosc_csv_has(request->backends, "all") && !is_built(optional[0]))
        note_absent(out, optional[0], "this bosc was built without CUDA");
    return st;
}

bosc_status bosc_bench_threads(int *threads, bosc_error *err)
{
    const bosc_cpuset mine = bosc_cpuset_mine();
    int asked = *threads;
    bosc_status st = BOSC_OK;

    if (asked == 0)
        st = bosc_threads_asked(getenv("OMP_NUM_THREADS"), &asked, err);
    *threads = asked > 0 ? asked : bosc_cpuset_count(&mine);
    omp_set_num_threads(*threads);
    return st;
}
