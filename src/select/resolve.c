#include "src/select/resolve.h"

#include <stdio.h>
#include <string.h>

#include "src/text/did_you_mean.h"

enum { NAMES = 64 };

static bool is_auto(const char *name)
{
    return strcmp(name, "auto") == 0;
}

static bool is_of(const bosc_method *m, const char *backend)
{
    return is_auto(backend) || strcmp(m->backend->name, backend) == 0;
}

/* The first method of a backend by this name; either may be "auto". */
static const bosc_method *find(const char *backend, const char *method,
                               bool with_loop)
{
    for (const bosc_method *m = bosc_methods; m->name != NULL; ++m)
        if (is_of(m, backend) && (m->engine.ops != NULL || !with_loop) &&
            (is_auto(method) || strcmp(m->name, method) == 0))
            return m;
    return NULL;
}

static bool is_among(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* "auto", then the methods of a backend that have a time loop, or with NULL
 * the backends of these; each once. */
static size_t list(const char *backend, const char *names[NAMES])
{
    size_t n = 0;

    names[n++] = "auto";
    for (const bosc_method *m = bosc_methods; m->name != NULL; ++m) {
        const char *name = backend == NULL ? m->backend->name : m->name;

        if (m->engine.ops != NULL && n < NAMES &&
            (backend == NULL || is_of(m, backend)) && !is_among(name, names, n))
            names[n++] = name;
    }
    return n;
}

const char *bosc_method_renamed(const char *name, char *buffer, size_t size)
{
    const bosc_method *m = bosc_method_formerly(name);

    if (m == NULL)
        return NULL;
    snprintf(buffer, size, "method '%s' is now called '%s'", m->former,
             m->name);
    return buffer;
}

static bosc_status refuse_backend(const char *name, bosc_error *err)
{
    const char *names[NAMES];
    const size_t n = list(NULL, names);
    char text[200];

    const bosc_backend *backend = bosc_backend_find(name);

    if (backend != NULL && backend->processor == NULL)
        return bosc_backend_available(backend, err);
    if (backend != NULL)
        return bosc_fail(err, BOSC_EVALUE,
                         "backend '%s' only solves ('bosc-bench'); bosc run "
                         "needs one with a time loop:%s",
                         name,
                         bosc_join_names("", n, names, text, sizeof text));
    return bosc_fail(
        err, BOSC_EVALUE, "unknown backend '%s'; %s", name,
        bosc_did_you_mean(name, n, names, "available:", text, sizeof text));
}

static bosc_status refuse_method(const bosc_method_request *request,
                                 bosc_error *err)
{
    const char *names[NAMES], *name = request->method;
    const size_t n = list(request->backend, names);
    char text[400];

    if (bosc_method_renamed(name, text, sizeof text) != NULL)
        return bosc_fail(err, BOSC_EVALUE, "%s", text);
    if (find(request->backend, name, false) != NULL)
        return bosc_fail(err, BOSC_EVALUE,
                         "method '%s' only solves ('bosc-bench'); bosc run "
                         "needs one with a time loop:%s",
                         name,
                         bosc_join_names("", n, names, text, sizeof text));
    bosc_did_you_mean(name, n, names, "available:", text, sizeof text);
    if (is_auto(request->backend))
        return bosc_fail(err, BOSC_EVALUE, "unknown method '%s'; %s", name,
                         text);
    return bosc_fail(err, BOSC_EVALUE, "unknown method '%s' of backend %s; %s",
                     name, request->backend, text);
}

bosc_status bosc_method_resolve(const bosc_method_request *request,
                                const bosc_method **out, const char **key,
                                bosc_error *err)
{
    const bosc_method *m = find(request->backend, request->method, true);

    if (m != NULL) {
        *out = m;
        return BOSC_OK;
    }
    if (find(request->backend, "auto", true) == NULL) {
        *key = "backend";
        return refuse_backend(request->backend, err);
    }
    *key = "method";
    return refuse_method(request, err);
}
