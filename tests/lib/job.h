/* job.h - a small job for tests, ways to change and parse it, and jobs that
 * are refused. */
#ifndef BOSC_TESTS_LIB_JOB_H
#define BOSC_TESTS_LIB_JOB_H

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/job/job.h"
#include "tests/lib/mechs.h"
#include "tests/lib/tap.h"

/* A small job; cases change one line of it or add lines at its end. */
static const char base[] =
    "tstop: 10\n"                                         /* 1 */
    "populations:\n"                                      /* 2 */
    "  - name: cells\n"                                   /* 3 */
    "    synthetic: {compartments: 319, sections: 157}\n" /* 4 */
    "    count: 20\n"                                     /* 5 */
    "    regions:\n"                                      /* 6 */
    "      all: {Ra: 100, pas: {g: 1e-4}}\n"              /* 7 */
    "      soma: {hh: {}}\n"                              /* 8 */
    "clamps:\n"                                           /* 9 */
    "  - {at: soma, duration: 5, amplitude: 0.5}\n"       /* 10 */
    "probes:\n"                                           /* 11 */
    "  - {name: soma, interval: 0.1}\n";                  /* 12 */

/* 'text' with the first 'from' replaced by 'to'; from "" adds at the end. */
static inline char *replaced(const char *text, const char *from, const char *to)
{
    const char *at = from[0] != '\0' ? strstr(text, from) : text + strlen(text);

    if (at == NULL)
        return NULL;
    return bosc_format("%.*s%s%s", (int)(at - text), text, to,
                       at + strlen(from));
}

static inline char *changed(const char *from, const char *to)
{
    return replaced(base, from, to);
}

static inline bosc_job *parse(const char *text, int n_set,
                              const char *const *set, bosc_error *err)
{
    bosc_job *job = NULL;

    err->text[0] = '\0';
    return bosc_job_parse(test_mechs(), "dir/my job.yaml", text, n_set, set,
                          &job, err) == BOSC_OK
               ? job
               : NULL;
}

/* A job in which the first 'from' became 'to', and its message. */
typedef struct broken_job {
    const char *what, *from, *to, *message;
} broken_job;

static inline void refuses(const char *what, const char *text,
                           const char *message)
{
    bosc_error err = {"no such text"};
    bosc_job *job = text != NULL ? parse(text, 0, NULL, &err) : NULL;

    if (!ok(job == NULL && strstr(err.text, message) != NULL, "%s is refused",
            what)) {
        diag("wanted: %s", message);
        diag("got:    %s", job != NULL ? "a job" : err.text);
    }
    bosc_job_destroy(job);
}

static inline void refuses_all(const char *text, size_t n,
                               const broken_job *broken)
{
    for (size_t i = 0; i < n; ++i) {
        char *bad = replaced(text, broken[i].from, broken[i].to);

        refuses(broken[i].what, bad, broken[i].message);
        free(bad);
    }
}

#endif
