/* option.h - what every subcommand says about an option it does not know.
 *
 * Serial code.
 */
#ifndef BOSC_SRC_OPTION_H
#define BOSC_SRC_OPTION_H

/* The option that getopt_long() has just refused, as the user wrote it: the
 * letter ("-x") where it is one of short options written together, else the
 * word.  'letter' is room for the former. */
const char *bosc_option_refused(char *const *argv, char letter[3]);

#endif
