/* commands.h - the commands of bosc-bench, as in src/cli/commands.h.
 *
 * argv[0] is the command's name.  Each prints its own result on standard output
 * and returns the status; main prints err and makes the exit code.
 */
#ifndef BOSC_BENCH_COMMANDS_H
#define BOSC_BENCH_COMMANDS_H

#include "src/base/status.h"

/* One of the measurements that argv[0] names: solve, papers, spmv, loop. */
bosc_status bosc_bench_cmd_measure(int argc, char **argv, bosc_error *err);

/* tune */
bosc_status bosc_bench_cmd_tune(int argc, char **argv, bosc_error *err);

/* tridiag */
bosc_status bosc_bench_cmd_tridiag(int argc, char **argv, bosc_error *err);

/* What a command is about, for the help. */
const char *bosc_bench_about(const char *name);
extern const char bosc_bench_about_tune[], bosc_bench_about_tridiag[];

/* BOSC_EUSAGE where a launcher has started several ranks. */
bosc_status bosc_bench_refuse_ranks(bosc_error *err);

#endif
