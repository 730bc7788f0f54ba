/* commands.h - the subcommands of the program: one row, and one file, each.
 *
 * argv[0] is the subcommand's name.  Each prints its own result on standard
 * output and returns the status; main prints err as "bosc NAME: text", unless
 * the text is empty, and makes the exit code.
 */
#ifndef BOSC_SRC_CLI_COMMANDS_H
#define BOSC_SRC_CLI_COMMANDS_H

#include "src/base/status.h"

/* X(name, what it does): bosc_cmd_NAME() is in cmd_NAME.c. */
#define BOSC_COMMANDS(X)                                                       \
    X(run, "simulate the neurons of a job file")                               \
    X(plan, "estimate time and memory of a job before it runs")                \
    X(submit, "submit a job to SLURM, with what it is expected to need")       \
    X(status, "show the state of a job")                                       \
    X(merge, "merge results of members of a sweep into one file")              \
    X(inspect,                                                                 \
      "show what morphology files contain, and the neurons they give")         \
    X(import, "make a job of a model of a cell that others have published")    \
    X(generate, "make synthetic morphologies")                                 \
    X(mods, "show which mechanisms in mod files are understood")               \
    X(devices, "show which rank gets which GPU")                               \
    X(plot, "draw spikes and voltages of a result")                            \
    X(report, "write a page about a result: numbers and figures")              \
    X(calibrate, "measure what neurons cost on this machine, for plans")

typedef bosc_status bosc_command(int argc, char **argv, bosc_error *err);

#define BOSC_DECLARE_COMMAND(name, what) bosc_command bosc_cmd_##name;
BOSC_COMMANDS(BOSC_DECLARE_COMMAND)
#undef BOSC_DECLARE_COMMAND

/* 'bench' and 'tune': tell the new command, and become it. */
bosc_command bosc_cmd_former;

#endif
