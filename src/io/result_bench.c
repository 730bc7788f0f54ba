#include "src/io/result_bench.h"

#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/io/result_define.h"

#define AT(field) offsetof(bosc_bench_result, field)

/* Texts that a result points to. */
static const struct {
    bosc_meaning meaning;
    size_t offset;
} texts[] = {
    {{"experiment", NC_STRING, NULL, "experiment"}, AT(experiment)},
    {{"shape", NC_STRING, NULL, "shape of the neurons"}, AT(shape)},
    {{"precision", NC_STRING, NULL, "precision of the solve"}, AT(precision)},
    {{"method", NC_STRING, NULL, "method"}, AT(row.method)},
    {{"backend", NC_STRING, NULL, "backend"}, AT(row.backend)},
    {{"device", NC_STRING, NULL, "what it ran on"}, AT(device)},
};

static const struct {
    bosc_meaning meaning;
    size_t offset, size;
} numbers[] = {
    {{"neurons", NC_INT, "1", "neurons"}, AT(row.neurons), 4},
    {{"trees", NC_INT, "1", "different trees among them"}, AT(trees), 4},
    {{"repeats", NC_INT, "1", "solves that were timed"}, AT(row.repeats), 4},
    {{"compartments", NC_INT64, "1", "compartments of all neurons"},
     AT(row.facts.compartments),
     8},
    {{"slots", NC_INT64, "1", "compartments and padding"},
     AT(row.facts.slots),
     8},
    {{"seconds_median", NC_DOUBLE, "s", "median time of a solve"},
     AT(row.seconds.median),
     8},
    {{"seconds_least", NC_DOUBLE, "s", "least time of a solve"},
     AT(row.seconds.least),
     8},
    {{"seconds_most", NC_DOUBLE, "s", "largest time of a solve"},
     AT(row.seconds.most),
     8},
    {{"traffic", NC_DOUBLE, "byte", "least that a solve must move"},
     AT(row.facts.least_bytes),
     8},
    {{"memory", NC_DOUBLE, "byte", "memory that the solver holds"},
     AT(row.facts.memory),
     8},
    {{"copy_bandwidth", NC_DOUBLE, "byte s-1",
      "copy bandwidth of the device, read and written"},
     AT(row.bandwidth),
     8},
    {{"residual", NC_DOUBLE, "1",
      "largest residual, relative to the largest term of its row"},
     AT(row.residual),
     8},
    {{"over_sequential", NC_DOUBLE, "1", "speed-up over sequential Hines"},
     AT(row.over_sequential),
     8},
    {{"over_openmp", NC_DOUBLE, "1", "speed-up over OpenMP Hines"},
     AT(row.over_openmp),
     8},
};

/* column: room for n pointers */
static void put_texts(bosc_result *s, int dim, size_t n,
                      const bosc_bench_result *results, const char **column)
{
    for (size_t k = 0; k < BOSC_LEN(texts); ++k) {
        for (size_t i = 0; i < n; ++i)
            memcpy(&column[i], (const char *)&results[i] + texts[k].offset,
                   sizeof *column);
        bosc_result_strings(s, dim, n, &texts[k].meaning, column);
    }
    for (size_t i = 0; i < n; ++i)
        column[i] = results[i].row.why;
    bosc_result_strings(s, dim, n,
                        &(bosc_meaning){"why_not", NC_STRING, NULL,
                                        "why it could not be measured"},
                        column);
}

/* column: room for n numbers of 8 bytes */
static void put_numbers(bosc_result *s, int dim, size_t n,
                        const bosc_bench_result *results, char *column)
{
    for (size_t k = 0; k < BOSC_LEN(numbers); ++k) {
        for (size_t i = 0; i < n; ++i)
            memcpy(column + i * numbers[k].size,
                   (const char *)&results[i] + numbers[k].offset,
                   numbers[k].size);
        bosc_result_column(s, dim, (int64_t)n, numbers[k].meaning, column);
    }
}

bosc_status bosc_result_bench(const char *path,
                              const bosc_result_bench_origin *origin, size_t n,
                              const bosc_bench_result *results, bosc_error *err)
{
    const char **pointers = bosc_alloc(n, sizeof *pointers);
    char *column = bosc_alloc(n, sizeof(double));
    bosc_result *s = NULL;
    bosc_status st = pointers != NULL && column != NULL
                         ? bosc_result_open(path, 1, false, NULL, &s, err)
                         : bosc_no_memory(err, path);

    if (st == BOSC_OK) {
        const int dim = bosc_result_dim(s, "measurement", n);

        bosc_result_heading(s, "bosc bench papers", origin->command);
        bosc_result_text(s, NC_GLOBAL, "host", origin->host);
        if (origin->driver[0] != '\0')
            bosc_result_text(s, NC_GLOBAL, "driver", origin->driver);
        put_texts(s, dim, n, results, pointers);
        put_numbers(s, dim, n, results, column);
        st = bosc_result_close(s, err);
    }
    free(pointers);
    free(column);
    return st;
}
