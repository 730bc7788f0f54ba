/* result_base.c - what all files of the result need: the struct, calls of
 * netCDF, sums of what grows while a run goes on, and the first failure. */
#include "config.h"

#include "src/io/result_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <netcdf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/checksum.h"
#include "src/base/mem.h"
#include "src/text/path.h"

/* HDF5 gives a variable a table of its chunks as it is defined, by netCDF's
 * default 4,133 of 8 bytes.  A few chunks are enough: tables are written in
 * order, and bosc_result_keep() and bosc_result_cache() ask for more. */
static void keep_few_chunks(void)
{
    enum { BYTES = 4 << 20, CHUNKS = 7 };

    nc_set_chunk_cache(BYTES, CHUNKS, 0.75F);
}

/* HDF5 1.10 crashes in its exit handler when a full disk kept it from
 * closing a file, so that is switched off before its first use: files are
 * closed here.  netCDF's pkg-config does not link HDF5, hence the look-up. */
void bosc_result_quiet_exit(void)
{
    int (*dont_atexit)(void);

    *(void **)&dont_atexit = dlsym(RTLD_DEFAULT, "H5dont_atexit");
    if (dont_atexit != NULL)
        dont_atexit();
    keep_few_chunks();
}

/* netCDF turns off the error messages of HDF5, but a thread-safe HDF5 only for
 * the calling thread. */
void bosc_result_enter(void)
{
    int (*set_auto)(int64_t, void *, void *);

    *(void **)&set_auto = dlsym(RTLD_DEFAULT, "H5Eset_auto2");
    if (set_auto != NULL)
        set_auto(0, NULL, NULL);
}

bosc_result *bosc_result_blank(const char *path, int compression)
{
    bosc_result *s = calloc(1, sizeof *s);

    if (s == NULL)
        return NULL;
    s->nc = -1;
    s->compression = compression;
    s->path = bosc_strdup(path);
    s->partial = bosc_format("%s.partial", path);
    s->folder = bosc_path_folder(path);
    if (s->path != NULL && s->partial != NULL && s->folder != NULL)
        return s;
    bosc_result_forget(s);
    return NULL;
}

static void sums_clear(bosc_result_sums *sums)
{
    free(sums->sum);
    free(sums->secured);
    free(sums->looked);
    free(sums->settled.range);
}

void bosc_result_forget(bosc_result *s)
{
    if (s == NULL)
        return;
    free(s->path);
    free(s->partial);
    free(s->folder);
    free(s->earlier);
    free(s->moved);
    free(s->later);
    free(s->warnings);
    free(s->set);
    free(s->member_gid);
    free(s->number);
    sums_clear(&s->sums);
    free(s);
}

/* HDF5 rarely gives a reason, so ask the file system whether it is full. */
static int find_reason(const bosc_result *s)
{
    const int reason = errno;

    if (reason == ENOSPC || reason == EFBIG || reason == EDQUOT)
        return reason;
    return bosc_result_room(s->folder) < 65536 ? ENOSPC : reason;
}

bool bosc_result_ok(bosc_result *s, int code, const char *verb,
                    const char *name)
{
    if (code == NC_NOERR)
        return true;
    if (s->failure.code == 0) {
        s->failure.code = code;
        s->failure.reason = code == NC_EHDFERR ? find_reason(s) : 0;
        snprintf(s->failure.what, sizeof s->failure.what, "%s %s", verb, name);
    }
    return false;
}

void bosc_result_put(bosc_result *s, int variable, const size_t *start,
                     const size_t *count, const void *values, const char *name)
{
    if (s->failure.code == 0)
        bosc_result_ok(s, nc_put_vara(s->nc, variable, start, count, values),
                       "write", name);
}

/* Doubles into a variable of floats.  netCDF would refuse an infinity. */
static void put_floats(bosc_result *s, int variable, const size_t *start,
                       const size_t *count, const double *values,
                       const char *name)
{
    const size_t n = count[0] * count[1];
    float *floats = bosc_alloc(n, sizeof *floats);

    if (floats == NULL) {
        bosc_result_ok(s, NC_ENOMEM, "write", name);
        return;
    }
    for (size_t i = 0; i < n; ++i)
        floats[i] = (float)values[i];
    bosc_result_put(s, variable, start, count, floats, name);
    free(floats);
}

/* Words of eight bytes: doubles, which the file may have as floats, or
 * integers. */
static void put_words(bosc_result *s, int variable, const size_t *start,
                      const size_t *count, const void *values, const char *name)
{
    nc_type type = NC_NAT;

    if (s->failure.code != 0 ||
        !bosc_result_ok(s, nc_inq_vartype(s->nc, variable, &type), "write",
                        name))
        return;
    if (type == NC_FLOAT)
        put_floats(s, variable, start, count, values, name);
    else
        bosc_result_put(s, variable, start, count, values, name);
}

/* --- what grows, with sums of it ------------------------------------------ */

const char *const bosc_result_event_dims[BOSC_N_RESULT_EVENTS] = {"spike",
                                                                  "detection"};
const char *const bosc_result_event_names[BOSC_N_RESULT_EVENTS][4] = {
    {"spike_time", "spike_gid"},
    {"detection_time", "detection_gid", "detection_probe", "detection_column"}};

void bosc_result_list_events(bosc_result *s, const bosc_result_spec *spec)
{
    s->events[BOSC_RESULT_SPIKES].n_variables = 2;
    for (int k = 0; k < spec->n_sets; ++k)
        if (spec->sets[k].detects)
            s->events[BOSC_RESULT_DETECTIONS].n_variables =
                1 + BOSC_DETECTION_LISTS;
}

bool bosc_result_begin_sums(bosc_result *s)
{
    for (int e = 0; e < BOSC_N_RESULT_EVENTS; ++e) {
        s->events[e].sum = s->sums.n;
        s->sums.n += s->events[e].n_variables;
    }
    for (int k = 0; k < s->n_sets; ++k) {
        s->set[k].sum = s->sums.n;
        s->sums.n += 1 + s->set[k].n_variables;
    }

    const bosc_array arrays[] = {BOSC_ARRAY(s->sums.sum, s->sums.n),
                                 BOSC_ARRAY(s->sums.secured, s->sums.n),
                                 BOSC_ARRAY(s->sums.looked, s->sums.n)};

    return bosc_arrays_alloc(BOSC_LEN(arrays), arrays);
}

bosc_result_growing bosc_result_grows(const bosc_result *s, int i)
{
    const bosc_result_set *set = s->set;

    for (int e = 0; e < BOSC_N_RESULT_EVENTS; ++e) {
        const bosc_result_events *events = &s->events[e];

        if (i >= events->sum && i < events->sum + events->n_variables)
            return (bosc_result_growing){events->variable[i - events->sum], 1,
                                         events->n, 1};
    }
    while (i > set->sum + set->n_variables)
        ++set;
    if (i == set->sum)
        return (bosc_result_growing){set->time, 1, set->frames, 1};
    return (bosc_result_growing){set->variable + i - set->sum - 1, 2,
                                 set->frames, set->n};
}

void bosc_result_add(bosc_result *s, int i, const size_t start[2],
                     const size_t count[2], const void *values,
                     const char *name)
{
    put_words(s, bosc_result_grows(s, i).variable, start, count, values, name);
    if (s->failure.code == 0)
        s->sums.sum[i] +=
            bosc_checksum_block(values, start[0], start[1], count[0], count[1]);
}

/* --- the first failure ---------------------------------------------------- */

static const struct {
    int code;
    const char *remedy;
} remedies[] = {
    {ENOSPC, "free some space, record less or choose another output"},
    {EDQUOT, "free some space, record less or choose another output"},
    {EFBIG, "raise the limit (ulimit -f) or record less"},
    {EACCES, "choose another output"},
    {ENOLCK, "set HDF5_USE_FILE_LOCKING=FALSE"},
    {NC_ENAMEINUSE, "give the probe another name"},
    {NC_EBADNAME, "give the probe another name"},
    {NC_EMAXNAME, "give the probe a shorter name"},
};

static const char *remedy(int code)
{
    for (size_t i = 0; code != 0 && i < BOSC_LEN(remedies); ++i)
        if (remedies[i].code == code)
            return remedies[i].remedy;
    return NULL;
}

bosc_status bosc_result_status(const bosc_result *s, bosc_error *err)
{
    const bosc_result_failure *failure = &s->failure;
    const bool known = failure->reason != 0;
    const char *do_this = remedy(known ? failure->reason : failure->code);

    if (failure->code == 0)
        return BOSC_OK;
    return bosc_fail(err, failure->code == NC_ENOMEM ? BOSC_ENOMEM : BOSC_EIO,
                     "%s: cannot %s: %s%s%s%s", s->path, failure->what,
                     known ? strerror(failure->reason)
                           : nc_strerror(failure->code),
                     do_this != NULL ? "; " : "",
                     do_this != NULL ? do_this : "", failure->need);
}
