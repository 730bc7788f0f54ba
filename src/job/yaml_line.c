#include "src/job/yaml_line.h"

#include <string.h>

#include "src/base/status.h"

static const char *const breaks[] = {
    "\r\n", "\r", "\n", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
static const char firsts[] = "\r\n\xc2\xe2"; /* their first bytes */

size_t bosc_yaml_break(const char *p)
{
    for (size_t i = 0; i < BOSC_LEN(breaks); ++i) {
        const size_t n = strlen(breaks[i]);

        if (strncmp(p, breaks[i], n) == 0)
            return n;
    }
    return 0;
}

size_t bosc_yaml_rest(const char *p)
{
    size_t n = strcspn(p, firsts);

    while (p[n] != '\0' && bosc_yaml_break(p + n) == 0)
        n += 1 + strcspn(p + n + 1, firsts);
    return n;
}

const char *bosc_yaml_next_line(const char *p)
{
    p += bosc_yaml_rest(p);
    return p + bosc_yaml_break(p);
}

const char *bosc_yaml_line_at(const char *text, int line)
{
    while (--line > 0 && *text != '\0')
        text = bosc_yaml_next_line(text);
    return text;
}

int bosc_yaml_line_of(const char *text, size_t offset)
{
    const char *p = text;

    for (int line = 1;; ++line) {
        const char *end = p + bosc_yaml_rest(p);

        p = end + bosc_yaml_break(end);
        if (p == end || (size_t)(p - text) > offset)
            return line;
    }
}
