/* program.h - what the programs, 'bosc' and 'bosc-bench', do before and after a
 * command.
 */
#ifndef BOSC_SRC_CLI_PROGRAM_H
#define BOSC_SRC_CLI_PROGRAM_H

#include "src/base/status.h"

/* Before all else: signals as they are for a program that writes files, and
 * what base/mem.h needs. */
void bosc_program_begin(void);

/* Make "help X" of argv[1..] "X --help". */
void bosc_program_turn_help(int argc, char **argv);

/* Print err, where it has a text, as "PROGRAM COMMAND: text" (command NULL:
 * "PROGRAM: text"), end MPI, and return the exit code.  What standard output
 * could not take is a failure of every command. */
int bosc_program_end(const char *program, const char *command, bosc_status st,
                     bosc_error *err);

#endif
