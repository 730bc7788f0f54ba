#include "src/text/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/text/did_you_mean.h"

enum { MAX_OPTIONS = 64, LONGEST = 40 };

/* True for "-abc" with 'c' in it and a letter behind that: getopt_long() has
 * not moved past such a word yet. */
static bool is_inside(const char *word, int c)
{
    return word != NULL && word[0] == '-' && word[1] != '-' &&
           strlen(word) > 2 && memchr(word + 1, c, strlen(word) - 2) != NULL;
}

/* The option as the user wrote it: the letter ("-x") where it is one of short
 * options written together, else the word.  'letter' is room for the former. */
static const char *refused(char *const *argv, char letter[3])
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

/* The long option that 'word' was meant to be; NULL: none is close. */
static const char *meant_by(const char *word, const struct option *options)
{
    const char *names[MAX_OPTIONS];
    char name[LONGEST];
    size_t n = 0;

    if (strncmp(word, "--", 2) != 0)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    for (; n < MAX_OPTIONS && options[n].name != NULL; ++n)
        names[n] = options[n].name;
    return bosc_suggest(name, n, names);
}

bosc_status bosc_option_fail(int code, char *const *argv,
                             const struct option *options, bosc_error *err)
{
    const char *word = refused(argv, (char[3]){0});
    const char *meant = meant_by(word, options);

    if (code == ':')
        return bosc_fail(err, BOSC_EUSAGE,
                         "%s: needs a value; see bosc %s "
                         "--help",
                         word, argv[0]);
    if (strncmp(word, "--", 2) == 0 && optopt != 0)
        return bosc_fail(err, BOSC_EUSAGE,
                         "%s: takes no value; see bosc %s "
                         "--help",
                         word, argv[0]);
    if (meant != NULL)
        return bosc_fail(err, BOSC_EUSAGE,
                         "%s: no such option; did you mean "
                         "'--%s'?",
                         word, meant);
    return bosc_fail(err, BOSC_EUSAGE,
                     "%s: no such option; see bosc %s "
                     "--help",
                     word, argv[0]);
}

char *bosc_command_line(int argc, char *const *argv)
{
    size_t bytes = sizeof "bosc";
    char *text;

    for (int i = 0; i < argc; ++i)
        bytes += strlen(argv[i]) + 1;
    if ((text = malloc(bytes)) == NULL)
        return NULL;
    strcpy(text, "bosc");
    for (int i = 0; i < argc; ++i)
        strcat(strcat(text, " "), argv[i]);
    return text;
}
