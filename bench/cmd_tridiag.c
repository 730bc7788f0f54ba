/* cmd_tridiag.c - 'bosc-bench tridiag': its command line. */
#include "bench/commands.h"

#include <stddef.h>

#include "bench/solve/bench.h"
#include "bench/tridiag/tridiag.h"
#include "src/comm/cpuset.h"
#include "src/text/options.h"

#define FIELD(member) offsetof(bosc_gtsv_request, member)

static const bosc_option rows[] = {
    {"rows", 0, "N,...", BOSC_OPTION_TEXT, FIELD(rows),
     .help = "rows of each system; N-M: systems of N to M rows"},
    {"systems", 0, "N", BOSC_OPTION_INT32, FIELD(systems), 1, INT32_MAX / 2,
     .help = "systems (default as many as have 1,048,576 rows together, at "
             "least 32)"},
    {"matrix", 0, "NAME,...", BOSC_OPTION_TEXT, FIELD(matrices),
     .help = "dominant, laplace, random, or all; see below"},
    {"precision", 0, "NAME,...", BOSC_OPTION_TEXT, FIELD(precision),
     .help = "fp64, fp32, or both"},
    {"method", 0, "NAME,...", BOSC_OPTION_TEXT, FIELD(methods),
     .help = "layouts of cpu and cuda, routines of lapack and cusparse"},
    {"backend", 0, "NAME,...", BOSC_OPTION_TEXT, FIELD(backends),
     .help = "cpu, lapack, cuda, cusparse, or all that this machine has"},
    {"lapack", 0, "FILE", BOSC_OPTION_TEXT, FIELD(lapack),
     .help = "shared library with dgtsv and sgtsv (default liblapack, "
             "OpenBLAS or MKL, where one is found)"},
    {"threads", 0, "N", BOSC_OPTION_INT32, FIELD(threads), 1, BOSC_MAX_THREADS,
     .help = "threads of the host (default OMP_NUM_THREADS, or all "
             "processors)"},
    {"repeat", 0, "N", BOSC_OPTION_INT32, FIELD(repeat),
     BOSC_BENCH_REPEAT_LEAST, 1000,
     .help = "time at least N repetitions, 7 or more; short ones are repeated "
             "for 50 ms"},
    {"tsv", 0, NULL, BOSC_OPTION_FLAG, FIELD(tsv),
     .help = "print tab-separated values, with more columns"},
};

const char bosc_bench_about_tridiag[] =
    "Solve batches of tridiagonal systems by libbosc-tridiag, LAPACK and "
    "cuSPARSE, on the same numbers: time, error and memory of each.";

static const bosc_options options = {
    .program = "bosc-bench",
    .command = "tridiag",
    .about = bosc_bench_about_tridiag,
    .notes =
        "Matrices:\n"
        "  dominant  off-diagonals of -1 to 1, the diagonal 0.1 more than 1.1\n"
        "            times the sum of their magnitudes\n"
        "  laplace   -1 2 -1; its condition grows as the square of the size\n"
        "  random    all numbers of -1 to 1, which needs rows to be "
        "exchanged:\n"
        "            gtsv and gtsv-interleaved-1 and -2 do\n"
        "\n"
        "Times are of the solve alone: numbers are brought back outside, and "
        "the first solve does not count.  gtsv is called for each system, by "
        "all threads.  The error is that of the worst system: the largest of "
        "x, relative to the largest x, against elimination with exchanges in "
        "long double.  Zero pivots are systems whose info is not 0.  Index is "
        "what a batch holds to find its systems; workspace what a routine "
        "takes besides the four arrays.",
    .n = BOSC_LEN(rows),
    .rows = rows,
};

bosc_status bosc_bench_cmd_tridiag(int argc, char **argv, bosc_error *err)
{
    bosc_gtsv_request request = {.rows = "32,128,512,2048,8192,32768",
                                 .matrices = "dominant,laplace",
                                 .precision = "fp64,fp32",
                                 .methods = "all",
                                 .backends = "all",
                                 .repeat = BOSC_BENCH_REPEAT};
    bosc_arguments rest;
    bosc_status st =
        bosc_options_parse(&options, argc, argv, &request, &rest, err);

    if (st == BOSC_OK && !rest.done)
        st = bosc_bench_refuse_ranks(err);
    if (st == BOSC_OK && !rest.done)
        st = bosc_bench_tridiag(&request, err);
    return st;
}
