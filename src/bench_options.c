/* bench_options.c - the command line of 'bosc bench solve' and 'papers'. */
#include <getopt.h>
#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "src/bench.h"
#include "src/number.h"
#include "src/option.h"
#include "src/threads.h"

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

static bosc_status read_whole(const char *option, const char *text,
                              const char *end, int32_t least, int32_t most,
                              int32_t *out, bosc_error *err)
{
    int64_t value = 0;

    if (!bosc_number_whole(text, end, &value) || value < least || value > most)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--%s %.*s: not a whole number from %" PRId32
                         " to %" PRId32,
                         option, (int)(end - text), text, least, most);
    *out = (int32_t)value;
    return BOSC_OK;
}

static bosc_status read_sizes(const char *text, bosc_bench_request *r,
                              bosc_error *err)
{
    bosc_status st = BOSC_OK;

    r->n_sizes = 0;
    while (st == BOSC_OK && text != NULL) {
        const char *end = text + strcspn(text, ",");

        if (r->n_sizes == BOSC_BENCH_SIZES)
            return bosc_fail(err, BOSC_EUSAGE,
                             "--neurons: at most %d numbers; measure the rest "
                             "in another run",
                             BOSC_BENCH_SIZES);
        st = read_whole("neurons", text, end, 1, INT32_MAX / 2,
                        &r->sizes[r->n_sizes++], err);
        text = *end == ',' ? end + 1 : NULL;
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

static bosc_status take_number(int code, const char *text,
                               bosc_bench_request *r, bosc_error *err)
{
    const char *end = strchr(text, '\0');
    int32_t value = 0;
    bosc_status st;

    switch (code) {
    case 'd':
        return read_whole("distinct", text, end, 1, INT32_MAX / 2, &r->distinct,
                          err);
    case 'B':
        return read_whole("block", text, end, 1, 1024, &r->solver.block, err);
    case 't':
        st = read_whole("threads", text, end, 1, BOSC_MAX_THREADS, &value, err);
        r->solver.threads = value;
        return st;
    default:
        st = read_whole("repeat", text, end, BOSC_BENCH_REPEAT_LEAST, 1000,
                        &value, err);
        r->repeat = value;
        return st;
    }
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
    if (strchr("dBtr", code) != NULL)
        return take_number(code, optarg, r, err);
    r->help = r->help || code == 'h';
    r->tsv = r->tsv || code == 'T';
    r->shared_u = r->shared_u || code == 'u';
    if ((size_t)code < BOSC_LEN(texts) && texts[code] != NULL)
        *texts[code] = optarg;
    return BOSC_OK;
}

/* As a run of one rank chooses them. */
static bosc_status choose_threads(bosc_bench_request *r, bosc_error *err)
{
    const bosc_cpus mine = bosc_cpus_mine();
    int asked = r->solver.threads;
    bosc_status st = BOSC_OK;

    if (asked == 0)
        st = bosc_threads_asked(getenv("OMP_NUM_THREADS"), &asked, err);
    r->solver.threads = asked > 0 ? asked : bosc_cpus_count(&mine);
    omp_set_num_threads(r->solver.threads);
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
    return choose_threads(out, err);
}
