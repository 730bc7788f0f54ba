/* Text for people: lines of at most 80 columns. */
#include <stdlib.h>
#include <string.h>

#include "src/base/status.h"
#include "src/text/wrap.h"
#include "tests/lib/tap.h"

#define TEN "abcdefghi " /* 10 columns with its blank */
#define FORTY TEN TEN TEN TEN
#define LONG "abcdefghijklmnopqrstuvwxyz-and-nothing-more-"
#define INDENT "    "

static const struct {
    const char *name, *label, *text, *want;
} cases[] = {
    {"a short text is one line", "  a", "b c", "  a b c\n"},
    {"a text begins at its indent", "a", "b", "a   b\n"},
    {"a long label pushes it on", "label", "text", "label text\n"},
    {"a label as long as the indent is no part of the text", "four", "text",
     "four text\n"},
    {"80 columns fit a line", "", FORTY TEN TEN TEN "jklmno",
     INDENT FORTY TEN TEN TEN "jklmno\n"},
    {"81 do not", "", FORTY TEN TEN TEN "jklmnop",
     INDENT FORTY TEN TEN "abcdefghi\n" INDENT "jklmnop\n"},
    {"a number stays with its unit and its name", "",
     FORTY TEN TEN "at 123 mV, and then",
     INDENT FORTY TEN TEN "at 123 mV, and\n" INDENT "then\n"},
    {"in one line or the next", "", FORTY TEN TEN "abcdefg at 123 mV, then",
     INDENT FORTY TEN TEN "abcdefg\n" INDENT "at 123 mV, then\n"},
    {"characters count, not bytes", "",
     FORTY TEN TEN TEN "\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc",
     INDENT FORTY TEN TEN TEN "\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\n"},
    {"a word that fits no line has one", "", "in /" LONG LONG "x is",
     INDENT "in\n" INDENT "/" LONG LONG "x\n" INDENT "is\n"},
    {"nor does it stay with a number", "",
     LONG "abcdefghijklmnopqrstuvwxyz1234 5 Hz",
     INDENT LONG "abcdefghijklmnopqrstuvwxyz1234\n" INDENT "5 Hz\n"},
    {"blanks become one", "", " a  b ", INDENT "a b\n"},
    {"no text is an empty line", "  a", "", "  a\n"},
};

int main(void)
{
    char *got = NULL;
    size_t n = 0;

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        FILE *file = open_memstream(&got, &n);

        bosc_wrap_print(file, 4, cases[i].label, "%s", cases[i].text);
        fclose(file);
        if (!ok(strcmp(got, cases[i].want) == 0, "%s", cases[i].name))
            diag("it is: %s", got);
        free(got);
    }

    FILE *file = open_memstream(&got, &n);
    bosc_wrap w = bosc_wrap_begin(file, 17, "  rates");

    for (int i = 0; i < 9; ++i)
        bosc_wrap_add(&w, "%sgranule_%d %.1f Hz", i > 0 ? ", " : "", i,
                      2.5 * i);
    bosc_wrap_end(&w);
    fclose(file);
    ok(strncmp(got, "  rates          granule_0 0.0 Hz, granule_1 2.5 Hz, ",
               53) == 0,
       "what is added goes on");
    ok(strstr(got, "\n                 granule_") != NULL,
       "and go on in the next line");
    free(got);
    return done_testing();
}
