/* bench_plan.c - which methods of which backends, and what their devices can
 * do.
 */
#include "bench/solve/bench.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/solve/csv.h"
#include "src/comm/cpuset.h"
#include "src/select/resolve.h"
#include "src/text/did_you_mean.h"

/* What is asked for. */
typedef struct wish {
    const bosc_bench_request *request;
    bosc_bench_work work;
} wish;

/* Is it on the list, or measured along with one that is?  Time loops are only
 * measured where they are asked for: that of ref is slow. */
static bool is_chosen(const wish *a, const bosc_backend *backend)
{
    const char *list = a->request->backends;

    if (a->work == BOSC_BENCH_MULTIPLIES && !backend->multiplies)
        return false;
    return bosc_csv_has(list, "all") || bosc_csv_has(list, backend->name) ||
           (a->work != BOSC_BENCH_LOOPS && backend->along != NULL &&
            bosc_csv_has(list, backend->along));
}

/* Is it a method of a chosen backend that does the work? */
static bool may_do(const wish *a, const bosc_method *method)
{
    return is_chosen(a, method->backend) &&
           (a->work != BOSC_BENCH_LOOPS || method->engine.ops != NULL);
}

/* ---- backends ---- */

bosc_status bosc_bench_check_words(const char *option, const char *list,
                                   size_t n, const char *const *names,
                                   bosc_error *err)
{
    char word[64], text[400];

    for (int k = 0; bosc_csv_at(list, k, word, sizeof word); ++k) {
        if (!bosc_is_among(word, n, names))
            return bosc_fail(
                err, BOSC_EUSAGE, "--%s %s: unknown; %s", option, word,
                bosc_did_you_mean(word, n, names, "available:", text,
                                  sizeof text));
    }
    return BOSC_OK;
}

/* Does it do the work, as far as this build knows it? */
static bool does(bosc_bench_work work, const bosc_backend *backend)
{
    if (work == BOSC_BENCH_MULTIPLIES)
        return backend->multiplies;
    for (const bosc_method *m = bosc_methods; m->name != NULL; ++m)
        if (m->backend == backend &&
            (work == BOSC_BENCH_SOLVES || m->engine.ops != NULL ||
             (backend->processor == NULL && backend->along == NULL)))
            return true;
    return false;
}

/* Every word of --backend is "all" or a backend that does the work, and works
 * here. */
static bosc_status check_backends(const wish *a, bosc_error *err)
{
    const char *list = a->request->backends;
    const char *names[BOSC_BENCH_DEVICES] = {"all"};
    size_t n = 1;
    bosc_status st;

    for (int i = 0; bosc_backends[i] != NULL; ++i)
        if (does(a->work, bosc_backends[i]))
            names[n++] = bosc_backends[i]->name;
    st = bosc_bench_check_words("backend", list, n, names, err);
    for (size_t i = 1; st == BOSC_OK && i < n; ++i) {
        bosc_error why;

        if (!bosc_csv_has(list, names[i]))
            continue;
        st = bosc_backend_available(bosc_backend_find(names[i]), &why);
        if (st != BOSC_OK)
            bosc_fail(err, st, "--backend %s: %s", names[i], why.text);
    }
    return st;
}

/* The device of a backend; its copy bandwidth is measured when it is new. */
static bosc_status add_device(bosc_bench_plan *plan,
                              const bosc_backend *backend, int threads,
                              int *device, bosc_error *err)
{
    bosc_bench_device *new = &plan->device[plan->n_devices];

    for (*device = 0; *device < plan->n_devices; ++*device)
        if (plan->device[*device].backend->processor == backend->processor)
            return BOSC_OK;
    plan->n_devices++;
    new->backend = backend;
    backend->processor->name(new->name, sizeof new->name);
    return backend->processor->bandwidth(threads, &new->bandwidth, err);
}

/* ---- methods ---- */

/* A word stands for the method of that name, or for the family whose names
 * begin with it and a dash. */
static bool is_family(const char *word, const char *name)
{
    const size_t length = strlen(word);

    return strncmp(word, name, length) == 0 && name[length] == '-';
}

/* Does the word, of its own or as a family, stand for a method of the chosen
 * backends? */
static bool stands(const wish *a, const char *word, bool family)
{
    for (const bosc_method *m = bosc_methods; m->name != NULL; ++m)
        if (may_do(a, m) &&
            (family ? is_family(word, m->name) : strcmp(word, m->name) == 0))
            return true;
    return false;
}

static bool is_named(const wish *a, const char *name)
{
    const char *list = a->request->methods;
    char word[64];

    if (bosc_csv_has(list, name))
        return true;
    for (int k = 0; bosc_csv_at(list, k, word, sizeof word); ++k)
        if (is_family(word, name) && !stands(a, word, false))
            return true;
    return false;
}

static bosc_status refuse_method(const wish *a, const char *word,
                                 bosc_error *err)
{
    const char *names[BOSC_BENCH_ENTRIES];
    size_t n = 0;
    char text[800];

    if (bosc_method_renamed(word, text, sizeof text) != NULL)
        return bosc_fail(err, BOSC_EUSAGE, "--method %s: %s", word, text);
    for (const bosc_method *m = bosc_methods; m->name != NULL; ++m)
        if (may_do(a, m) && !bosc_is_among(m->name, n, names))
            names[n++] = m->name;
    return bosc_fail(
        err, BOSC_EUSAGE, "--method %s: unknown to backend %s; %s", word,
        a->request->backends,
        bosc_did_you_mean(word, n, names, "available:", text, sizeof text));
}

static bosc_status check_methods(const wish *a, bosc_error *err)
{
    char word[64];

    for (int k = 0; bosc_csv_at(a->request->methods, k, word, sizeof word); ++k)
        if (strcmp(word, "all") != 0 && !stands(a, word, false) &&
            !stands(a, word, true))
            return refuse_method(a, word, err);
    return BOSC_OK;
}

/* ---- the plan ---- */

/* Add an entry, unless there is one of the same method. */
static void add_entry(bosc_bench_plan *plan, const bosc_bench_entry *entry)
{
    int i = 0;

    while (i < plan->n && plan->entry[i].method != entry->method)
        ++i;
    if (i == plan->n && i < BOSC_BENCH_ENTRIES)
        plan->entry[plan->n++] = *entry;
}

static bosc_status add_backend(const wish *a, const bosc_backend *backend,
                               bosc_bench_plan *plan, bosc_error *err)
{
    const bosc_bench_request *request = a->request;
    const bool products = a->work == BOSC_BENCH_MULTIPLIES;
    const bool all = bosc_csv_has(request->methods, "all");
    bosc_status st = bosc_backend_available(backend, err);
    bosc_bench_entry entry = {.backend = backend};

    if (st == BOSC_ENOSUP && !bosc_csv_has(request->backends, backend->name)) {
        if (products || backend->processor != NULL || backend->along == NULL)
            snprintf(plan->absent[plan->n_absent++], sizeof plan->absent[0],
                     "%s: %s%.150s", backend->name,
                     products ? "" : "not measured: ", err->text);
        return BOSC_OK;
    }
    if (st == BOSC_OK)
        st = add_device(plan, backend, request->solver.threads, &entry.device,
                        err);
    if (st != BOSC_OK)
        return st;
    if (products)
        plan->entry[plan->n++] = entry;
    for (const bosc_method *m = bosc_methods; !products && m->name != NULL;
         ++m) {
        entry.method = m;
        entry.named = is_named(a, m->name);
        if (m->backend == backend && may_do(a, m) && (all || entry.named))
            add_entry(plan, &entry);
    }
    return BOSC_OK;
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

/* What all speed-ups are over. */
static bosc_status add_yardsticks(const bosc_bench_request *request,
                                  bosc_bench_plan *plan, bosc_error *err)
{
    const bosc_method *method[] = {
        [BOSC_BENCH_SEQUENTIAL] = bosc_method_find("ref", "hines"),
        [BOSC_BENCH_OPENMP] = bosc_method_find("cpu", "hines-flat")};
    int host = 0;
    const bosc_status st = add_device(plan, method[0]->backend,
                                      request->solver.threads, &host, err);

    for (size_t i = 0; i < BOSC_LEN(method); ++i)
        add_entry(plan, &(bosc_bench_entry){method[i]->backend, method[i], host,
                                            false});
    return st;
}

/* What this rank can do. */
static bosc_status make_plan(const bosc_bench_request *request,
                             bosc_bench_work work, bosc_bench_plan *out,
                             bosc_error *err)
{
    const wish a = {request, work};
    int host;
    bosc_status st = check_backends(&a, err);

    if (st == BOSC_OK && work != BOSC_BENCH_MULTIPLIES) {
        find_driver(out->driver, sizeof out->driver);
        st = check_methods(&a, err);
    }
    if (st == BOSC_OK && work == BOSC_BENCH_SOLVES)
        st = add_yardsticks(request, out, err);
    if (st == BOSC_OK && work == BOSC_BENCH_LOOPS) /* the host has a part */
        st = add_device(out, bosc_backend_find("ref"), request->solver.threads,
                        &host, err);
    for (int i = 0; st == BOSC_OK && bosc_backends[i] != NULL; ++i)
        if (is_chosen(&a, bosc_backends[i]) && does(work, bosc_backends[i]))
            st = add_backend(&a, bosc_backends[i], out, err);
    return st;
}

/* All ranks are to measure the same: those of rank 0. */
static bosc_status check_ranks(const bosc_bench_ranks *ranks,
                               const bosc_bench_plan *plan, bosc_error *err)
{
    const bosc_comm *comm = bosc_bench_comm(ranks);
    int of_first[] = {plan->n, plan->n_devices};

    bosc_bcast(comm, of_first, sizeof of_first, 0);
    if (of_first[0] == plan->n && of_first[1] == plan->n_devices)
        return BOSC_OK;
    return bosc_fail(err, BOSC_ENOSUP,
                     "has %d methods of %d devices, and rank 0 has %d of %d; "
                     "name a backend that all have, by --backend",
                     plan->n, plan->n_devices, of_first[0], of_first[1]);
}

/* Copies of all ranks at a time: ranks of one device share what it has. */
static bosc_status measure_copies(const bosc_bench_request *request,
                                  bosc_bench_plan *plan, bosc_error *err)
{
    bosc_status st = BOSC_OK;

    for (int d = 0; d < plan->n_devices && st == BOSC_OK; ++d) {
        bosc_bench_device *device = &plan->device[d];

        bosc_barrier(bosc_bench_comm(request->ranks));
        st = device->backend->processor->bandwidth(request->solver.threads,
                                                   &device->bandwidth, err);
        st = bosc_bench_agree(request->ranks, st, err);
        bosc_bench_sum(request->ranks, &device->bandwidth, 1);
    }
    return st;
}

bosc_status bosc_bench_plan_create(const bosc_bench_request *request,
                                   bosc_bench_work work, bosc_bench_plan *out,
                                   bosc_error *err)
{
    bosc_status st;

    *out = (bosc_bench_plan){0};
    st = bosc_bench_agree(request->ranks, make_plan(request, work, out, err),
                          err);
    if (st != BOSC_OK || bosc_bench_comm(request->ranks)->ranks == 1)
        return st;
    st = bosc_bench_agree(request->ranks, check_ranks(request->ranks, out, err),
                          err);
    return st == BOSC_OK ? measure_copies(request, out, err) : st;
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
