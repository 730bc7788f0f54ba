/* table.c - fuzzing: any text as a table of numbers or a list of
 * morphologies.
 *
 * The first byte says which, the rest is the file.  NetCDF's own readers are
 * not tried: result.c writes the files that they are to read.
 */
#include <math.h>
#include <string.h>

#include "src/io/netcdf_files.h"
#include "src/model/gid_table.h"
#include "src/table/table.h"
#include "tests/fuzz/fuzz.h"

enum { BLOCK = 7, COLUMNS = 4 };

static const struct {
    int n;
    bosc_table_column column[COLUMNS];
} kinds[] = {
    {4,
     {{"source|pre|from", true, true, 0, 1e9, 0, NULL},
      {"target|post|to", true, true, 0, 1e9, 0, NULL},
      {"weight|conductance", false, false, -1e6, INFINITY, NAN, NULL},
      {"delay", false, false, 0, 1e9, NAN, NULL}}},
    {2,
     {{"time|time_ms|t|spike_time", true, false, 0, 1e12, 0, NULL},
      {"source|gid|spike_gid", false, true, 0, 1e9, 0, NULL}}},
    {3,
     {{"x", true, false, -INFINITY, INFINITY, 0, NULL},
      {"y", true, false, -INFINITY, INFINITY, 0, NULL},
      {"z", true, false, -INFINITY, INFINITY, 0, NULL}}},
};

static void check_value(const bosc_table_column *column, double value)
{
    if (!column->required && (value == column->standard ||
                              (isnan(value) && isnan(column->standard))))
        return;
    must(isfinite(value) && value >= column->low && value <= column->high);
    must(!column->whole || value == trunc(value));
}

static void read_table(int n, const bosc_table_column *columns)
{
    double rows[BLOCK * COLUMNS];
    bosc_table *table = NULL;
    bosc_error err = {""};
    size_t got = 1;
    bosc_status st = bosc_table_open(&bosc_netcdf_files, fuzz_path("input"),
                                     "job.yaml:1", n, columns, &table, &err);

    fuzz_must_explain(st, &err);
    while (st == BOSC_OK && got > 0) {
        st = bosc_table_next(table, BLOCK, rows, &got, &err);
        fuzz_must_explain(st, &err);
        must(got <= BLOCK);
        for (size_t i = 0; st == BOSC_OK && i < got * (size_t)n; ++i) {
            const int c = (int)(i % (size_t)n);

            check_value(&columns[c], rows[i]);
        }
    }
    bosc_table_close(table);
}

static void read_list(void)
{
    bosc_population_spec populations[] = {
        {.name = "a", .morphologies = "list.tsv", .count = 1},
        {.name = "b", .morphologies = "list.tsv", .count = 1},
    };
    char path[200], directory[100];
    const bosc_job job = {.path = path,
                          .folder = directory,
                          .n_populations = 2,
                          .populations = populations};
    bosc_gid_table *gid_table = NULL;
    bosc_error err = {""};
    int64_t n = 0;

    strcpy(directory, fuzz_folder());
    strcpy(path, fuzz_path("job.yaml"));

    const bosc_status st = bosc_gid_table_create(&job, &gid_table, &err);

    fuzz_must_explain(st, &err);
    if (st != BOSC_OK)
        return;
    for (int i = 0; i < gid_table->n_gid_ranges; ++i) {
        const bosc_gid_range *gid_range = &gid_table->gid_ranges[i];

        must(gid_range->gid == n && gid_range->count >= 0);
        must(gid_range->file >= -1 && gid_range->file < gid_table->n_files);
        must(gid_range->count == 0 ||
             bosc_gid_table_find(gid_table, n) == gid_range);
        n += gid_range->count;
    }
    must(n == gid_table->n_neurons);
    bosc_gid_table_destroy(gid_table);
}

static bool is_netcdf(const uint8_t *bytes, size_t n)
{
    return n >= 4 &&
           (memcmp(bytes, "CDF", 3) == 0 || memcmp(bytes, "\x89HDF", 4) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    if (n < 1 || n > FUZZ_LONGEST || is_netcdf(bytes + 1, n - 1))
        return -1;
    const size_t kind = bytes[0] % (BOSC_LEN(kinds) + 1);

    /* with it a list could ask for all files of this machine */
    if (kind == BOSC_LEN(kinds) && memchr(bytes, '/', n) != NULL)
        return -1;
    fuzz_put(bytes + 1, n - 1);
    if (kind == BOSC_LEN(kinds))
        read_list();
    else
        read_table(kinds[kind].n, kinds[kind].column);
    return 0;
}
