/* number.h - decimal numbers from text, whatever the locale.
 *
 * Serial code.  Texts need no terminating zero: a number ends at the first
 * character that cannot belong to it, at 'end' at the latest.
 */
#ifndef BOSC_SRC_TEXT_NUMBER_H
#define BOSC_SRC_TEXT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

static inline bool bosc_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Read "[+-]digits[.digits][e[+-]digits]", "nan" or "inf" from p, correctly
 * rounded.  Returns the first character after the number and sets *value, or
 * returns NULL when p starts with no number or one of over 500 characters. */
const char *bosc_number_parse(const char *p, const char *end, double *value);

/* True when all of p to end is a whole number, also if written as a decimal
 * ("3.0", "1.2e3").  Up to 18 digits are exact, decimals up to 2^53. */
bool bosc_number_whole(const char *p, const char *end, int64_t *value);

#endif
