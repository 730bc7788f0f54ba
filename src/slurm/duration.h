/* duration.h - how long, as people and SLURM write it.
 *
 * Serial code.
 */
#ifndef BOSC_SRC_SLURM_DURATION_H
#define BOSC_SRC_SLURM_DURATION_H

#include <stdbool.h>

/* "90" (minutes, as SLURM has it), "30:00", "12:00:00", "2-12", "2-12:30:00",
 * or a number and its unit, "90 s", "30 min", "1.5 h", "2 d".  False, with
 * *seconds as it was, for anything else, and for nothing at all. */
bool bosc_duration_parse(const char *text, double *seconds);

/* "02:30:00" or "1-02:30:00" into text (at least 40 bytes); returns text. */
char *bosc_duration_show(double seconds, char *text);

#endif
