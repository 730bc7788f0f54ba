/* bench_plan.c - which methods of which backends, and what their devices can
 * do.
 */
#include "src/bench.h"

#include <string.h>

#include "src/suggest.h"

/* What a word of --backend stands for besides itself. */
static const struct {
    const char *word, *also;
} companions[] = {{"cpu", "ref"}, {"cuda", "cusparse"}};

/* Backends that a build may lack. */
static const char *const optional[] = {"cuda", "cusparse"};

/* Is 'name' one of the words of a list with commas? */
static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);

    for (const char *word = list; word != NULL;) {
        const char *comma = strchr(word, ',');

        if (strcspn(word, ",") == length && strncmp(word, name, length) == 0)
            return true;
        word = comma != NULL ? comma + 1 : NULL;
    }
    return false;
}

static bool is_chosen(const char *list, const char *backend)
{
    if (is_listed(list, "all") || is_listed(list, backend))
        return true;
    for (size_t i = 0; i < BOSC_LEN(companions); ++i)
        if (strcmp(companions[i].also, backend) == 0)
            return is_listed(list, companions[i].word);
    return false;
}

/* Word number k of a list, into 'word'; false past the last. */
static bool word_at(const char *list, int k, char *word, size_t size)
{
    for (; k > 0 && list != NULL; --k) {
        list = strchr(list, ',');
        list = list != NULL ? list + 1 : NULL;
    }
    if (list == NULL)
        return false;
    snprintf(word, size, "%.*s", (int)strcspn(list, ","), list);
    return true;
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

    for (int k = 0; st == BOSC_OK && word_at(list, k, word, sizeof word); ++k)
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

static bool is_known(const char *word)
{
    for (int i = 0; bosc_solver_backends[i] != NULL; ++i)
        if (bosc_solver_method_find(bosc_solver_backends[i], word) >= 0)
            return true;
    return false;
}

static bool is_named(const char *list, const char *name)
{
    char word[64];

    if (is_listed(list, name))
        return true;
    for (int k = 0; word_at(list, k, word, sizeof word); ++k)
        if (!is_known(word) && is_family(word, name))
            return true;
    return false;
}

static bosc_status check_method(const bosc_bench_request *request,
                                const char *word, bosc_error *err)
{
    const char *names[BOSC_BENCH_ENTRIES];
    char meant[700];
    size_t n = 0;

    if (strcmp(word, "all") == 0)
        return BOSC_OK;
    for (int i = 0; bosc_solver_backends[i] != NULL; ++i) {
        const bosc_solver_backend *backend = bosc_solver_backends[i];

        if (!is_chosen(request->backends, backend->name))
            continue;
        for (int m = 0; m < backend->n_methods; ++m) {
            const char *name = backend->methods[m].name;
            size_t k = 0;

            if (strcmp(word, name) == 0 || is_family(word, name))
                return BOSC_OK;
            while (k < n && strcmp(names[k], name) != 0)
                ++k;
            if (k == n && n < BOSC_LEN(names))
                names[n++] = name;
        }
    }
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
         st == BOSC_OK && word_at(request->methods, k, word, sizeof word); ++k)
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

static bosc_status add_backend(const bosc_bench_request *request,
                               const bosc_solver_backend *backend,
                               bosc_bench_plan *plan, bosc_error *err)
{
    bosc_status st = backend->available(err);

    if (st == BOSC_ENOSUP && !is_listed(request->backends, backend->name)) {
        note_absent(plan, backend->name, err->text);
        return BOSC_OK;
    }
    if (st == BOSC_OK)
        st = add_device(plan, backend, request->solver.threads, err);
    for (int m = 0; st == BOSC_OK && m < backend->n_methods; ++m) {
        const bool all = is_listed(request->methods, "all");
        const char *name = backend->methods[m].name;
        int same = 0;

        while (same < plan->n && (plan->entry[same].backend != backend ||
                                  plan->entry[same].method != m))
            ++same;
        if (same < plan->n)
            plan->entry[same].named = !all && is_named(request->methods, name);
        else if (all || is_named(request->methods, name))
            add_entry(plan, backend, m, !all);
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
    if (is_listed(request->backends, "all") && !is_built(optional[0]))
        note_absent(out, optional[0], "this bosc was built without CUDA");
    return st;
}
