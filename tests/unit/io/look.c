/* What a file says is found by another process: one that crashes the library
 * is a file that cannot be read.
 */
#include <dlfcn.h>
#include <math.h>
#include <netcdf.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/io/result.h"
#include "tests/lib/tap.h"

static char folder[] = "/tmp/bosc-look-XXXXXX";
static char path[64], partial[80];

/* netCDF's, which crashes on some files. */
int nc_open(const char *name, int mode, int *nc)
{
    int (*real)(const char *, int, int *);
    char begin[12] = "";
    FILE *file = fopen(name, "rb");
    void *found = dlsym(RTLD_NEXT, "nc_open");

    if (file != NULL) {
        if (fread(begin, 1, sizeof begin - 1, file) > 8 &&
            strcmp(begin + 4, "crashes") == 0)
            raise(SIGSEGV);
        fclose(file);
    }
    memcpy(&real, &found, sizeof real);
    return real(name, mode, nc);
}

static void put_crash(const char *name)
{
    FILE *file = fopen(name, "w");

    fputs("\x89HDFcrashes", file);
    fclose(file);
}

/* A sweep's result of three steps. */
static void put_result(const char *name)
{
    const double dt = 0.5, tstop = 9, times[] = {0, 0.5, 1.5};
    const int status[] = {0, 1, 0};
    const size_t start = 0, n = 3;
    int nc, dim, member, time, variable;

    nc_create(name, NC_NETCDF4, &nc);
    nc_put_att_text(nc, NC_GLOBAL, "completed", 3, "yes");
    nc_put_att_text(nc, NC_GLOBAL, "job_values", 4, "a: 1");
    nc_put_att_double(nc, NC_GLOBAL, "dt_ms", NC_DOUBLE, 1, &dt);
    nc_put_att_double(nc, NC_GLOBAL, "tstop_ms", NC_DOUBLE, 1, &tstop);
    nc_def_dim(nc, "time_a", NC_UNLIMITED, &dim);
    nc_def_var(nc, "time_a", NC_DOUBLE, 1, &dim, &time);
    nc_def_dim(nc, "member", n, &member);
    nc_def_var(nc, "member_status", NC_INT, 1, &member, &variable);
    nc_put_vara_double(nc, time, &start, &n, times);
    nc_put_var_int(nc, variable, status);
    nc_close(nc);
}

static void test_look(void)
{
    bosc_result_found found = bosc_result_look(path);

    ok(!found.there, "where there is no file none is found");
    put_result(path);
    found = bosc_result_look(path);
    ok(found.there && found.finished && found.closed && found.steps == 3 &&
           found.reached == 1.5 && found.tstop == 9,
       "of a result it is known how far it is");
    ok(found.values != NULL && strcmp(found.values, "a: 1") == 0,
       "and of which job");
    ok(found.n_members == 3 && found.status != NULL && found.status[0] == 0 &&
           found.status[1] == 1 && found.status[2] == 0,
       "and which members have failed");
    bosc_result_found_clear(&found);
    put_crash(path);
    found = bosc_result_look(path);
    ok(found.there && !found.finished && !found.closed && isinf(found.steps) &&
           isnan(found.reached) && found.values == NULL,
       "a file that crashes the library is there, and cannot be read");
    unlink(path);
}

static void test_kept(void)
{
    static const bosc_result_neurons neurons = {.n = 0};
    const bosc_result_spec spec = {.path = path,
                                   .title = "test",
                                   .command = "test",
                                   .job_text = "",
                                   .neurons = &neurons};
    bosc_error err = {""};
    bosc_result *s = NULL;
    char kept[100];
    struct stat there;

    put_crash(partial);
    ok(bosc_result_create(&spec, &s, &err) == BOSC_OK,
       "a run begins beside an unfinished file that crashes the library");
    diag("%s", err.text);
    snprintf(kept, sizeof kept, "%s.1", partial);
    ok(stat(kept, &there) == 0 && there.st_size == 11 && s != NULL &&
           strstr(bosc_result_earlier(s), kept) != NULL,
       "which is kept, and said to be");
    bosc_result_abandon(s, NULL);
    unlink(kept);
}

int main(void)
{
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/out.nc", folder);
    snprintf(partial, sizeof partial, "%s.partial", path);
    test_look();
    test_kept();
    rmdir(folder);
    return done_testing();
}
