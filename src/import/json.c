#include "src/import/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The unit of UTF-16 that "\uXXXX" stands for; 0: none. */
static unsigned unit(const char *p)
{
    char digits[5] = "";
    char *end;
    unsigned long value;

    if (p[0] != '\\' || p[1] != 'u' || strnlen(p, 6) < 6)
        return 0;
    memcpy(digits, p + 2, 4);
    value = strtoul(digits, &end, 16);
    return end == digits + 4 && digits[0] != '-' && digits[0] != '+' &&
                   digits[0] != ' '
               ? (unsigned)value
               : 0;
}

char *bosc_json_as_yaml(const char *text)
{
    char *out = malloc(strlen(text) + 1), *to = out;
    int quoted = 0;

    for (const char *p = text; out != NULL && *p != '\0'; ++p) {
        const unsigned high = quoted ? unit(p) : 0;
        const unsigned low = high >> 10 == 0x36 ? unit(p + 6) : 0;

        if (low >> 10 == 0x37) { /* twelve characters become ten */
            to += sprintf(to, "\\U%08x",
                          0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff));
            p += 11;
        } else if (quoted && p[0] == '\\' && p[1] == '/') {
            *to++ = *++p;
        } else if (quoted && p[0] == '\\' && p[1] != '\0') {
            *to++ = *p++;
            *to++ = *p;
        } else {
            quoted ^= *p == '"';
            *to++ = *p == '\t' && !quoted ? ' ' : *p;
        }
    }
    if (out != NULL)
        *to = '\0';
    return out;
}
