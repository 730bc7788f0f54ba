/* bench_options.c - the command line of 'bosc bench solve' and 'papers'. */
#include <getopt.h>
#include <inttypes.h>
#include <omp.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "src/bench/bench.h"
#include "src/mpi/cpuset.h"
#include "src/text/csv.h"
#include "src/text/number.h"
#include "src/text/options.h"

static const struct {
    const char *name;
    int code;
    bool has_value, solve, papers;
} known[] = {
    {"shape", 's', true, true, false},     {"distinct", 'd', true, true, false},
    {"shared-u", 'u', false, true, false}, {"tsv", 'T', false, true, false},
    {"only", 'O', true, false, true},      {"output", 'o', true, false, true},
    {"neurons", 'n', true, true, true},    {"method", 'm', true, true, true},
    {"backend", 'b', true, true, true},    {"precision", 'p', true, true, true},
    {"block", 'B', true, true, true},      {"threads", 't', true, true, true},
    {"repeat", 'r', true, true, true},     {"help", 'h', false, true, true},
};

/* What getopt_long() wants for one of the two commands. */
static void select_options(bool papers, struct option *out)
{
    for (size_t i = 0; i < BOSC_LEN(known); ++i)
        if (papers ? known[i].papers : known[i].solve)
            *out++ = (struct option){known[i].name,
                                     known[i].has_value ? required_argument
                                                        : no_argument,
                                     NULL, known[i].code};
    *out = (struct option){0};
}

bosc_status bosc_bench_whole(const char *option, const char *text,
                             int32_t least, int32_t most, int32_t *out,
                             bosc_error *err)
{
    int64_t value = 0;

    if (!bosc_number_whole(text, strchr(text, '\0'), &value) || value < least ||
        value > most)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--%s %s: not a whole number from %" PRId32
                         " to %" PRId32,
                         option, text, least, most);
    *out = (int32_t)value;
    return BOSC_OK;
}

static bosc_status read_sizes(const char *text, bosc_bench_request *r,
                              bosc_error *err)
{
    bosc_status st = BOSC_OK;
    char word[32];

    r->n_sizes = 0;
    for (int k = 0; st == BOSC_OK && bosc_csv_at(text, k, word, sizeof word);
         ++k) {
        if (k == BOSC_BENCH_SIZES)
            return bosc_fail(err, BOSC_EUSAGE,
                             "--neurons: at most %d numbers; measure the rest "
                             "in another run",
                             BOSC_BENCH_SIZES);
        st = bosc_bench_whole("neurons", word, 1, INT32_MAX / 2,
                              &r->sizes[r->n_sizes++], err);
    }
    return st;
}

static bosc_status read_precision(const char *text, bosc_bench_request *r,
                                  bosc_error *err)
{
    r->solver.single = strcmp(text, "fp32") == 0;
    if (r->solver.single || strcmp(text, "fp64") == 0)
        return BOSC_OK;
    return bosc_fail(err, BOSC_EUSAGE, "--precision %s: it is fp64 or fp32",
                     text);
}

static const struct {
    const char *name;
    int code;
    int32_t least, most;
    size_t offset; /* of an int32_t or int in the request */
} numbers[] = {
    {"distinct", 'd', 1, INT32_MAX / 2, offsetof(bosc_bench_request, distinct)},
    {"block", 'B', 32, 512, offsetof(bosc_bench_request, solver.block)},
    {"threads", 't', 1, BOSC_MAX_THREADS,
     offsetof(bosc_bench_request, solver.threads)},
    {"repeat", 'r', BOSC_BENCH_REPEAT_LEAST, 1000,
     offsetof(bosc_bench_request, repeat)},
};

static bosc_status take_number(size_t k, const char *text,
                               bosc_bench_request *r, bosc_error *err)
{
    int32_t value = 0;
    const bosc_status st = bosc_bench_whole(
        numbers[k].name, text, numbers[k].least, numbers[k].most, &value, err);

    if (st == BOSC_OK)
        memcpy((char *)r + numbers[k].offset, &value, sizeof value);
    return st;
}

static bosc_status take_option(int code, bosc_bench_request *r, bosc_error *err)
{
    const char **const texts[] = {['s'] = &r->shape,
                                  ['O'] = &r->only,
                                  ['o'] = &r->output,
                                  ['m'] = &r->methods,
                                  ['b'] = &r->backends};

    if (code == 'n')
        return read_sizes(optarg, r, err);
    if (code == 'p')
        return read_precision(optarg, r, err);
    for (size_t k = 0; k < BOSC_LEN(numbers); ++k)
        if (code == numbers[k].code)
            return take_number(k, optarg, r, err);
    r->help = r->help || code == 'h';
    r->tsv = r->tsv || code == 'T';
    r->shared_u = r->shared_u || code == 'u';
    if ((size_t)code < BOSC_LEN(texts) && texts[code] != NULL)
        *texts[code] = optarg;
    return BOSC_OK;
}

bosc_status bosc_bench_threads(int *threads, bosc_error *err)
{
    const bosc_cpuset mine = bosc_cpuset_mine();
    int asked = *threads;
    bosc_status st = BOSC_OK;

    if (asked == 0)
        st = bosc_threads_asked(getenv("OMP_NUM_THREADS"), &asked, err);
    *threads = asked > 0 ? asked : bosc_cpuset_count(&mine);
    omp_set_num_threads(*threads);
    return st;
}

bosc_status bosc_bench_parse(int argc, char **argv, bool papers,
                             bosc_bench_request *out, bosc_error *err)
{
    struct option options[BOSC_LEN(known) + 1];
    int code;

    *out = (bosc_bench_request){.papers = papers,
                                .shape = "mix",
                                .methods = "all",
                                .backends = "all",
                                .repeat = BOSC_BENCH_REPEAT,
                                .distinct = BOSC_BENCH_DISTINCT};
    select_options(papers, options);
    optind = 0; /* glibc: start afresh */
    opterr = 0;
    while ((code = getopt_long(argc, argv, papers ? ":o:h" : ":h", options,
                               NULL)) != -1) {
        if (code == '?' || code == ':')
            return bosc_option_fail(code, argv, options, err);
        const bosc_status st = take_option(code, out, err);
        if (st != BOSC_OK || out->help)
            return st;
    }
    if (optind < argc)
        return bosc_fail(err, BOSC_EUSAGE,
                         "%s: options begin with --%s; see bosc %s --help",
                         argv[optind],
                         papers ? ""
                                : ", shapes follow --shape, and a pattern of "
                                  "files is quoted",
                         argv[0]);
    return bosc_bench_threads(&out->solver.threads, err);
}
