#include "src/text/lookalike.h"

#include <string.h>

#include "src/base/status.h"

static const struct {
    const char *bytes; /* UTF-8 */
    bool blank;
    const char *message;
} characters[] = {
#define FOR_BLANK(name) "a " name " is there; write a plain blank"
#define FOR(sign, name) "a " name " is there; write a plain " sign
    {"\xc2\xa0", true, FOR_BLANK("no-break space (U+00A0)")},
    {"\xe2\x80\xaf", true, FOR_BLANK("narrow no-break space (U+202F)")},
    {"\xe3\x80\x80", true, FOR_BLANK("wide space (U+3000)")},
    {"\xe2\x80\x8b", true, "a space of no width (U+200B) is there; remove it"},
    {"\xef\xbb\xbf", true, "a byte order mark (U+FEFF) is there; remove it"},
    {"\xe2\x88\x92", false, FOR("'-'", "minus sign (U+2212)")},
    {"\xe2\x80\x90", false, FOR("'-'", "hyphen (U+2010)")},
    {"\xe2\x80\x93", false, FOR("'-'", "dash (U+2013)")},
    {"\xe2\x80\x94", false, FOR("'-'", "dash (U+2014)")},
    {"\xe2\x80\xa2", false, FOR("'-'", "bullet (U+2022)")},
    {"\xef\xbc\x9a", false, FOR("':'", "wide colon (U+FF1A)")},
    {"\xe2\x80\x98", false, FOR("'\"'", "curly quotation mark (U+2018)")},
    {"\xe2\x80\x99", false, FOR("'\"'", "curly quotation mark (U+2019)")},
    {"\xe2\x80\x9c", false, FOR("'\"'", "curly quotation mark (U+201C)")},
    {"\xe2\x80\x9d", false, FOR("'\"'", "curly quotation mark (U+201D)")},
};

const char *bosc_lookalike(const char *p, size_t n, bool only_blanks)
{
    for (const char *end = p + n; p < end; ++p)
        for (size_t i = 0; i < BOSC_LEN(characters); ++i) {
            const size_t length = strlen(characters[i].bytes);

            if ((characters[i].blank || !only_blanks) &&
                (size_t)(end - p) >= length &&
                memcmp(p, characters[i].bytes, length) == 0)
                return characters[i].message;
        }
    return NULL;
}
