/* options.h - what every subcommand says about an option it does not know.
 *
 * Serial code.
 */
#ifndef BOSC_SRC_TEXT_OPTIONS_H
#define BOSC_SRC_TEXT_OPTIONS_H

#include <getopt.h>

#include "src/base/status.h"

/* Fail for the option that getopt_long() has just refused with 'code', '?' or
 * ':': name it as the user wrote it, one letter of several written together
 * too, and the one of 'options' that it is closest to.  argv[0] is the
 * subcommand. */
bosc_status bosc_option_fail(int code, char *const *argv,
                             const struct option *options, bosc_error *err);

/* "bosc" and the words of argv, for the history of a file; free()d by the
 * caller.  NULL without memory. */
char *bosc_command_line(int argc, char *const *argv);

#endif
