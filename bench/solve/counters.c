/* counters.c - a GPU's counters by CUPTI's range profiler.
 *
 * The interface is that of CUDA 12.6 and newer, whose headers a build without
 * CUDA lacks: every function takes one structure, which begins with its size,
 * so that a newer library knows which members it has.
 */
#include "config.h"

#include "bench/solve/counters.h"

#include <dlfcn.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/gpus.h"
#include "src/base/mem.h"

static const char *metrics[BOSC_COUNTERS] = {
    [BOSC_COUNTER_OCCUPANCY] =
        "sm__warps_active.avg.pct_of_peak_sustained_active",
    [BOSC_COUNTER_L2_HITS] = "lts__t_sector_hit_rate.pct",
    [BOSC_COUNTER_INSTRUCTIONS] = "sm__inst_executed.avg.per_cycle_active",
};

/* The likeliest first; the last may be any version's. */
static const char *const libraries[] = {
    "libcupti.so.13",
    "libcupti.so.12",
#ifdef CUDA_HOME
    CUDA_HOME "/extras/CUPTI/lib64/libcupti.so",
    CUDA_HOME "/lib64/libcupti.so",
    CUDA_HOME "/lib/libcupti.so",
#endif
    "libcupti.so",
};

enum { USER_RANGE = 2, USER_REPLAY = 3, RANGE_PROFILER = 0, DENIED = 35 };

/* --- what the functions take ---------------------------------------------- */

typedef struct plain {
    size_t size;
    void *unused;
} plain;

typedef struct chip_name {
    size_t size;
    void *unused;
    size_t device;
    const char *name; /* out */
} chip_name;

typedef struct availability {
    size_t size;
    void *unused, *context;
    size_t bytes; /* of the image; 0: it is asked for */
    uint8_t *image;
} availability;

typedef struct host {
    size_t size;
    void *unused;
    int type;
    const char *chip;
    const uint8_t *available;
    void *host; /* out */
} host;

typedef struct host_end {
    size_t size;
    void *unused, *host;
} host_end;

typedef struct host_metrics {
    size_t size;
    void *unused, *host;
    const char **names;
    size_t n;
} host_metrics;

typedef struct host_image_size {
    size_t size;
    void *unused, *host;
    size_t bytes; /* out */
} host_image_size;

typedef struct host_image {
    size_t size;
    void *unused, *host;
    size_t bytes;
    uint8_t *image;
} host_image;

typedef struct host_values {
    size_t size;
    void *unused, *host;
    const uint8_t *counted;
    size_t bytes, range;
    const char **names;
    size_t n;
    double *value;
} host_values;

typedef struct range_enable {
    size_t size;
    void *unused, *context, *range; /* range: out */
} range_enable;

typedef struct range_plain {
    size_t size;
    void *unused, *range;
} range_plain;

typedef struct range_counted_size {
    size_t size;
    void *unused, *range;
    const char **names;
    size_t n, most_ranges;
    uint32_t most_nodes;
    size_t bytes; /* out */
} range_counted_size;

typedef struct range_counted {
    size_t size;
    void *unused, *range;
    size_t bytes;
    uint8_t *counted;
} range_counted;

typedef struct range_config {
    size_t size;
    void *unused, *range;
    size_t config_bytes;
    const uint8_t *config;
    size_t bytes;
    uint8_t *counted;
    int kind, replay;
    size_t most_ranges;
    uint16_t levels, least_level;
    size_t pass;
    uint16_t level;
} range_config;

typedef struct range_push {
    size_t size;
    void *unused, *range;
    const char *name;
} range_push;

typedef struct range_stop {
    size_t size;
    void *unused, *range;
    size_t pass, level; /* out, as 'all' */
    uint8_t all;        /* passes have been made */
} range_stop;

typedef struct range_decode {
    size_t size;
    void *unused, *range;
    size_t dropped; /* out */
} range_decode;

/* With the size up to a structure's last member. */
#define SIZED(type, last)                                                      \
    .size = offsetof(type, last) + sizeof(((type *)NULL)->last)

/* --- the library ---------------------------------------------------------- */

typedef enum function {
    INITIALIZE,
    CHIP_NAME,
    AVAILABILITY,
    HOST_INITIALIZE,
    HOST_DEINITIALIZE,
    HOST_ADD,
    HOST_IMAGE_SIZE,
    HOST_IMAGE,
    HOST_EVALUATE,
    ENABLE,
    DISABLE,
    COUNTED_SIZE,
    COUNTED_INITIALIZE,
    CONFIGURE,
    START,
    PUSH,
    POP,
    STOP,
    DECODE,
    FUNCTIONS
} function;

static const char *const functions[FUNCTIONS] = {
    [INITIALIZE] = "cuptiProfilerInitialize",
    [CHIP_NAME] = "cuptiDeviceGetChipName",
    [AVAILABILITY] = "cuptiProfilerGetCounterAvailability",
    [HOST_INITIALIZE] = "cuptiProfilerHostInitialize",
    [HOST_DEINITIALIZE] = "cuptiProfilerHostDeinitialize",
    [HOST_ADD] = "cuptiProfilerHostConfigAddMetrics",
    [HOST_IMAGE_SIZE] = "cuptiProfilerHostGetConfigImageSize",
    [HOST_IMAGE] = "cuptiProfilerHostGetConfigImage",
    [HOST_EVALUATE] = "cuptiProfilerHostEvaluateToGpuValues",
    [ENABLE] = "cuptiRangeProfilerEnable",
    [DISABLE] = "cuptiRangeProfilerDisable",
    [COUNTED_SIZE] = "cuptiRangeProfilerGetCounterDataSize",
    [COUNTED_INITIALIZE] = "cuptiRangeProfilerCounterDataImageInitialize",
    [CONFIGURE] = "cuptiRangeProfilerSetConfig",
    [START] = "cuptiRangeProfilerStart",
    [PUSH] = "cuptiRangeProfilerPushRange",
    [POP] = "cuptiRangeProfilerPopRange",
    [STOP] = "cuptiRangeProfilerStop",
    [DECODE] = "cuptiRangeProfilerDecodeData",
};

struct bosc_cupti {
    void *library;
    int (*call[FUNCTIONS])(void *of);
    uint8_t *available, *config, *counted; /* images */
    size_t config_bytes, counted_bytes;
    void *host, *range; /* NULL: none */
};

static bosc_status call(const struct bosc_cupti *c, function which, void *of,
                        bosc_error *err)
{
    const int code = c->call[which](of);

    if (code == 0)
        return BOSC_OK;
    if (code == DENIED)
        return bosc_fail(err, BOSC_ENOSUP,
                         "counters: %s: no permission; ask for it "
                         "(NVreg_RestrictProfilingToAdminUsers=0), or be root",
                         functions[which]);
    return bosc_fail(err, BOSC_ENOSUP, "counters: %s: CUPTI's error %d",
                     functions[which], code);
}

static bosc_status open_library(struct bosc_cupti *c, bosc_error *err)
{
    for (size_t i = 0; i < BOSC_LEN(libraries) && c->library == NULL; ++i)
        c->library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
    if (c->library == NULL)
        return bosc_fail(err, BOSC_ENOSUP,
                         "counters: %s, of CUDA 12.6 or newer, is not found; "
                         "load the module of CUDA, or name the library's "
                         "folder in LD_LIBRARY_PATH",
                         libraries[0]);
    for (int f = 0; f < FUNCTIONS; ++f) {
        void *there = dlsym(c->library, functions[f]);

        if (there == NULL)
            return bosc_fail(err, BOSC_ENOSUP,
                             "counters: libcupti.so has no %s; load CUDA 12.6 "
                             "or newer",
                             functions[f]);
        memcpy(&c->call[f], &there, sizeof there);
    }
    return BOSC_OK;
}

/* The context of the CUDA driver that this thread uses. */
static bosc_status current_context(void **context, bosc_error *err)
{
    int (*get)(void **context) = NULL;
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    void *there = driver != NULL ? dlsym(driver, "cuCtxGetCurrent") : NULL;
    int code = -1;

    memcpy(&get, &there, sizeof there);
    if (get != NULL)
        code = get(context);
    if (driver != NULL)
        dlclose(driver); /* CUDA holds it */
    return code == 0 && *context != NULL
               ? BOSC_OK
               : bosc_fail(err, BOSC_ENOSUP,
                           "counters: the CUDA driver has no context");
}

static bosc_status image(uint8_t **out, size_t bytes, bosc_error *err)
{
    *out = bosc_alloc(bytes, 1);
    return *out != NULL ? BOSC_OK : bosc_no_memory(err, "counters");
}

/* What is to be counted, for this kind of GPU. */
static bosc_status choose_metrics(struct bosc_cupti *c, bosc_error *err)
{
    plain all = {SIZED(plain, unused)};
    chip_name chip = {SIZED(chip_name, name),
                      .device = (size_t)bosc_gpu_in_use()};
    availability can = {SIZED(availability, image)};
    host made = {SIZED(host, host), .type = RANGE_PROFILER};
    bosc_status st = call(c, INITIALIZE, &all, err);

    if (st == BOSC_OK)
        st = call(c, CHIP_NAME, &chip, err);
    if (st == BOSC_OK)
        st = call(c, AVAILABILITY, &can, err);
    if (st == BOSC_OK)
        st = image(&c->available, can.bytes, err);
    if (st != BOSC_OK)
        return st;
    can.image = c->available;
    made.chip = chip.name;
    made.available = c->available;
    st = call(c, AVAILABILITY, &can, err);
    if (st == BOSC_OK)
        st = call(c, HOST_INITIALIZE, &made, err);
    if (st != BOSC_OK)
        return st;
    c->host = made.host;

    host_metrics add = {SIZED(host_metrics, n), .host = c->host,
                        .names = metrics, .n = BOSC_COUNTERS};
    host_image_size size = {SIZED(host_image_size, bytes), .host = c->host};
    host_image config = {SIZED(host_image, image), .host = c->host};

    st = call(c, HOST_ADD, &add, err);
    if (st == BOSC_OK)
        st = call(c, HOST_IMAGE_SIZE, &size, err);
    if (st == BOSC_OK)
        st = image(&c->config, c->config_bytes = size.bytes, err);
    config.bytes = c->config_bytes;
    config.image = c->config;
    return st == BOSC_OK ? call(c, HOST_IMAGE, &config, err) : st;
}

/* Where counters are kept. */
static bosc_status open_range(struct bosc_cupti *c, bosc_error *err)
{
    range_enable enable = {SIZED(range_enable, range)};
    bosc_status st = current_context(&enable.context, err);

    if (st == BOSC_OK)
        st = call(c, ENABLE, &enable, err);
    if (st != BOSC_OK)
        return st;
    c->range = enable.range;

    range_counted_size size = {SIZED(range_counted_size, bytes),
                               .range = c->range,
                               .names = metrics,
                               .n = BOSC_COUNTERS,
                               .most_ranges = 1,
                               .most_nodes = 1};

    st = call(c, COUNTED_SIZE, &size, err);
    c->counted_bytes = size.bytes;
    return st == BOSC_OK ? image(&c->counted, size.bytes, err) : st;
}

static void clear(struct bosc_cupti *c)
{
    range_plain range = {SIZED(range_plain, range), .range = c->range};
    host_end made = {SIZED(host_end, host), .host = c->host};

    if (c->range != NULL)
        c->call[DISABLE](&range);
    if (c->host != NULL)
        c->call[HOST_DEINITIALIZE](&made);
    free(c->available);
    free(c->config);
    free(c->counted);
    free(c); /* CUPTI stays: it must not be unloaded */
}

static bosc_status open_cupti(bosc_counters *counters, bosc_error *err)
{
    struct bosc_cupti *c = bosc_alloc(1, sizeof *c);
    bosc_status st =
        c == NULL ? bosc_no_memory(err, "counters") : open_library(c, err);

    if (st == BOSC_OK)
        st = choose_metrics(c, err);
    if (st == BOSC_OK)
        st = open_range(c, err);
    if (st == BOSC_OK)
        counters->cupti = c;
    else if (c != NULL)
        clear(c);
    return st;
}

/* --- a reading ------------------------------------------------------------ */

static bosc_status begin(const struct bosc_cupti *c, bosc_error *err)
{
    range_counted counted = {SIZED(range_counted, counted), .range = c->range,
                             .bytes = c->counted_bytes, .counted = c->counted};
    range_config config = {SIZED(range_config, level),
                           .range = c->range,
                           .config_bytes = c->config_bytes,
                           .config = c->config,
                           .bytes = c->counted_bytes,
                           .counted = c->counted,
                           .kind = USER_RANGE,
                           .replay = USER_REPLAY,
                           .most_ranges = 1,
                           .levels = 1,
                           .least_level = 1};
    const bosc_status st = call(c, COUNTED_INITIALIZE, &counted, err);

    return st == BOSC_OK ? call(c, CONFIGURE, &config, err) : st;
}

/* One of the passes; *broken: 'once' has failed. */
static bosc_status pass(const struct bosc_cupti *c,
                        bosc_status (*once)(void *of, bosc_error *err),
                        void *of, bool *last, bosc_status *broken,
                        bosc_error *err)
{
    range_plain range = {SIZED(range_plain, range), .range = c->range};
    range_push push = {SIZED(range_push, name), .range = c->range,
                       .name = "solve"};
    range_stop stop = {SIZED(range_stop, all), .range = c->range};
    bosc_status st = call(c, START, &range, err);

    if (st == BOSC_OK)
        st = call(c, PUSH, &push, err);
    if (st != BOSC_OK)
        return st;
    *broken = once(of, err);
    if (*broken != BOSC_OK)
        return *broken;
    st = call(c, POP, &range, err);
    if (st == BOSC_OK)
        st = call(c, STOP, &stop, err);
    *last = stop.all != 0;
    return st;
}

static bosc_status evaluate(const struct bosc_cupti *c, double *value,
                            bosc_error *err)
{
    range_decode decode = {SIZED(range_decode, dropped), .range = c->range};
    host_values values = {SIZED(host_values, value),
                          .host = c->host,
                          .counted = c->counted,
                          .bytes = c->counted_bytes,
                          .names = metrics,
                          .n = BOSC_COUNTERS,
                          .value = value};
    const bosc_status st = call(c, DECODE, &decode, err);

    return st == BOSC_OK ? call(c, HOST_EVALUATE, &values, err) : st;
}

bosc_status bosc_counters_read(bosc_counters *counters,
                               bosc_status (*before)(void *of, bosc_error *err),
                               bosc_status (*once)(void *of, bosc_error *err),
                               void *of, double value[BOSC_COUNTERS],
                               bosc_error *err)
{
    bosc_status st = BOSC_OK, broken = BOSC_OK;
    bool last = false;

    for (int k = 0; k < BOSC_COUNTERS; ++k)
        value[k] = NAN;
    if (counters->why.text[0] != '\0')
        return BOSC_OK;
    if (counters->cupti == NULL)
        st = open_cupti(counters, &counters->why);
    if (st == BOSC_OK)
        st = begin(counters->cupti, &counters->why);
    while (st == BOSC_OK && !last) {
        if ((broken = before(of, err)) != BOSC_OK)
            return broken;
        st = pass(counters->cupti, once, of, &last, &broken, &counters->why);
    }
    if (broken != BOSC_OK)
        return bosc_fail(err, broken, "%s", counters->why.text);
    return st == BOSC_OK ? evaluate(counters->cupti, value, &counters->why)
                         : BOSC_OK;
}

void bosc_counters_close(bosc_counters *counters)
{
    if (counters->cupti != NULL)
        clear(counters->cupti);
    *counters = (bosc_counters){0};
}
