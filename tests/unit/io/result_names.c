/* Names in the NetCDF file: strings, each of them once. */
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/io/result.h"
#include "tests/lib/tap.h"

enum { MOST = 40 };

static const char *const populations[] = {"pyramidal", "körbchen", "c"};
static const char *const files[] = {"morphologies/small-low.swc", "a b.swc"};
static const char *const sections[] = {"soma[0]", "dend[0]", "dend[12]"};
static const char *const works[] = {"neuron", "equal"};
static const bosc_variable v_only[] = {{BOSC_COMPARTMENT, 0}};
static const bosc_result_probes soma = {"soma", 0, 0.5,    3,   false,
                                        2,      1, v_only, NULL};

static bool write_file(const char *path, const bosc_result_neurons *neurons)
{
    static const double rates[BOSC_LEN(populations)] = {2.385};
    static const bosc_rank_row row = {.neurons = 1};
    const bosc_result_costs costs = {
        .n_works = BOSC_LEN(works), .work_names = works, .source = "test"};
    const bool some = neurons->n_populations > 0;
    const bosc_result_spec spec = {.path = path,
                                   .replace = true,
                                   .title = "test",
                                   .command = "test",
                                   .job_text = "",
                                   .dt = 0.025,
                                   .tstop = 1,
                                   .neurons = neurons,
                                   .n_sections = some ? BOSC_LEN(sections) : 0,
                                   .section_name = sections,
                                   .n_sets = some,
                                   .sets = &soma};
    bosc_result *store = NULL;
    bosc_error err = {""};
    bosc_status st = bosc_result_create(&spec, &store, &err);

    if (st == BOSC_OK)
        st = bosc_result_finish(store, 1, &row, &costs, rates, &err);
    if (st != BOSC_OK)
        diag("%s", err.text);
    return st == BOSC_OK;
}

/* Is the variable these strings, over that dimension? */
static bool same(int nc, const char *name, const char *dimension, size_t n,
                 const char *const *want)
{
    int var = -1, n_dims = 0, dims[NC_MAX_VAR_DIMS] = {-1};
    char found[NC_MAX_NAME + 1] = "", *got[MOST] = {NULL};
    nc_type type = NC_NAT;
    size_t length = 0;

    nc_inq_varid(nc, name, &var);
    nc_inq_var(nc, var, NULL, &type, &n_dims, dims, NULL);
    nc_inq_dim(nc, dims[0], found, &length);

    bool equal = type == NC_STRING && n_dims == 1 && length == n && n <= MOST &&
                 strcmp(found, dimension) == 0 &&
                 nc_get_var_string(nc, var, got) == NC_NOERR;

    for (size_t i = 0; equal && i < n; ++i)
        equal = strcmp(got[i], want[i]) == 0;
    if (!equal)
        diag("%s: type %d, %d dimensions, %zu values of '%s', '%s'...", name,
             (int)type, n_dims, length, found, got[0] != NULL ? got[0] : "");
    nc_free_string(MOST, got);
    return equal;
}

static void test_names(int nc)
{
    const struct {
        const char *name, *dimension;
        size_t n;
        const char *const *want;
    } cases[] = {
        {"population_name", "population", BOSC_LEN(populations), populations},
        {"morphology_file", "morphology", BOSC_LEN(files), files},
        {"section_name", "section", BOSC_LEN(sections), sections},
        {"work_name", "work", BOSC_LEN(works), works},
        {"phase_name", "phase", BOSC_N_PHASES, bosc_phase_names},
    };

    for (size_t i = 0; i < BOSC_LEN(cases); ++i)
        ok(same(nc, cases[i].name, cases[i].dimension, cases[i].n,
                cases[i].want),
           "%s is netCDF strings", cases[i].name);
}

static void test_types(int nc)
{
    int n_vars = 0, n_char = 0, var = -1;
    nc_type type = NC_NAT;

    nc_inq_nvars(nc, &n_vars);
    for (int i = 0; i < n_vars; ++i) {
        nc_inq_vartype(nc, i, &type);
        n_char += type == NC_CHAR;
    }
    ok(n_vars > 20 && n_char == 0, "no variable is an array of characters");
    nc_inq_varid(nc, "soma_section", &var);
    nc_inq_vartype(nc, var, &type);
    ok(type == NC_INT, "the section of a column is an index");
}

int main(void)
{
    static const bosc_result_neurons nobody = {0};
    static const bosc_result_neurons neurons = {
        1, BOSC_LEN(populations), BOSC_LEN(files), populations, files};
    char folder[] = "/tmp/bosc-names-XXXXXX";
    char *path = mkdtemp(folder) ? bosc_format("%s/run.nc", folder) : NULL;
    int nc = -1;

    if (path == NULL)
        return 1;
    if (ok(write_file(path, &neurons) && nc_open(path, 0, &nc) == NC_NOERR,
           "there is a file")) {
        test_names(nc);
        test_types(nc);
        nc_close(nc);
    }
    ok(write_file(path, &nobody) && nc_open(path, 0, &nc) == NC_NOERR &&
           same(nc, "population_name", "population", 0, NULL) &&
           same(nc, "section_name", "section", 0, NULL),
       "tables of names may be empty");
    nc_close(nc);
    unlink(path);
    rmdir(folder);
    free(path);
    return done_testing();
}
