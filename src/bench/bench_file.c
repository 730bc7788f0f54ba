#include "src/bench/bench_file.h"

#include "src/io/result_table.h"

#define TEXT(name, of, meaning)                                                \
    {                                                                          \
        name, NULL, meaning, BOSC_RESULT_TEXT, offsetof(bosc_bench_result, of) \
    }
#define NUMBER(name, units, type, of, meaning)                                 \
    {                                                                          \
        name, units, meaning, BOSC_RESULT_##type,                              \
            offsetof(bosc_bench_result, of)                                    \
    }

static const bosc_result_column columns[] = {
    TEXT("experiment", experiment, "experiment"),
    TEXT("shape", shape, "shape of the neurons"),
    TEXT("precision", precision, "precision of the solve"),
    TEXT("method", row.method, "method"),
    TEXT("backend", row.backend, "backend"),
    TEXT("device", device, "what it ran on"),
    NUMBER("why_not", NULL, CHARS, row.why, "why it could not be measured"),
    NUMBER("neurons", "1", INT, row.neurons, "neurons"),
    NUMBER("trees", "1", INT, trees, "different trees among them"),
    NUMBER("repeats", "1", INT, row.repeats, "solves that were timed"),
    NUMBER("compartments", "1", INT64, row.facts.compartments,
           "compartments of all neurons"),
    NUMBER("slots", "1", INT64, row.facts.slots, "compartments and padding"),
    NUMBER("seconds_median", "s", DOUBLE, row.seconds.median,
           "median time of a solve"),
    NUMBER("seconds_least", "s", DOUBLE, row.seconds.least,
           "least time of a solve"),
    NUMBER("seconds_most", "s", DOUBLE, row.seconds.most,
           "largest time of a solve"),
    NUMBER("traffic", "byte", DOUBLE, row.facts.least_bytes,
           "least that a solve must move"),
    NUMBER("memory", "byte", DOUBLE, row.facts.memory,
           "memory that the solver holds"),
    NUMBER("copy_bandwidth", "byte s-1", DOUBLE, row.bandwidth,
           "copy bandwidth of the device, read and written"),
    NUMBER("residual", "1", DOUBLE, row.residual,
           "largest residual, relative to the largest term of its row"),
    NUMBER("over_sequential", "1", DOUBLE, row.over_sequential,
           "speed-up over sequential Hines"),
    NUMBER("over_openmp", "1", DOUBLE, row.over_openmp,
           "speed-up over OpenMP Hines"),
};

bosc_status bosc_bench_file_write(const char *path,
                                  const bosc_bench_origin *origin, size_t n,
                                  const bosc_bench_result *results,
                                  bosc_error *err)
{
    const bosc_result_attribute attributes[] = {{"host", origin->host},
                                                {"driver", origin->driver}};

    return bosc_result_table_write(
        path,
        &(bosc_result_table){.title = "bosc bench papers",
                             .command = origin->command,
                             .dimension = "measurement",
                             .n_attributes = BOSC_LEN(attributes),
                             .attributes = attributes,
                             .n_columns = BOSC_LEN(columns),
                             .columns = columns,
                             .n = n,
                             .size = sizeof *results,
                             .rows = results,
                             .lock = origin->lock},
        err);
}
