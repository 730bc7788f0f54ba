/* commands.h - the subcommands of the program, one function each.
 *
 * argv[0] is the subcommand's name.  Each prints its own result on standard
 * output and returns the status; main prints err as "bosc NAME: text", unless
 * the text is empty, and makes the exit code.  '--help' prints the help on
 * standard output, BOSC_OK.
 */
#ifndef BOSC_SRC_CLI_COMMANDS_H
#define BOSC_SRC_CLI_COMMANDS_H

#include "src/base/status.h"

bosc_status bosc_cmd_run(int argc, char **argv, bosc_error *err);
bosc_status bosc_cmd_plan(int argc, char **argv, bosc_error *err);
bosc_status bosc_cmd_inspect(int argc, char **argv, bosc_error *err);
bosc_status bosc_cmd_generate(int argc, char **argv, bosc_error *err);
bosc_status bosc_cmd_devices(int argc, char **argv, bosc_error *err);
bosc_status bosc_cmd_bench(int argc, char **argv, bosc_error *err);

#endif
