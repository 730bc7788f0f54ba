#include "src/option.h"

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* True for "-abc" with 'c' in it and a letter behind that: getopt_long() has
 * not moved past such a word yet. */
static bool is_inside(const char *word, int c)
{
    return word != NULL && word[0] == '-' && word[1] != '-' &&
           strlen(word) > 2 && memchr(word + 1, c, strlen(word) - 2) != NULL;
}

const char *bosc_option_refused(char *const *argv, char letter[3])
{
    const bool inside = optopt != 0 && is_inside(argv[optind], optopt);
    const char *word = argv[inside ? optind : optind - 1];

    /* of a long option optopt is the code, 0 when it is unknown */
    if (strncmp(word, "--", 2) == 0 || optopt <= 0 || optopt > 127)
        return word;
    letter[0] = '-';
    letter[1] = (char)optopt;
    letter[2] = '\0';
    return letter;
}
