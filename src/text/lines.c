#include "src/text/lines.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/* Bytes of the buffer: a line, and one more that shows whether it ends. */
enum { ROOM = BOSC_LONGEST_LINE + 1 };

static void skip_mark(bosc_lines *l)
{
    if (l->stop - l->at >= 3 && memcmp(l->at, "\xef\xbb\xbf", 3) == 0)
        l->at += 3;
}

bosc_lines bosc_lines_of(const char *text, size_t bytes)
{
    bosc_lines l = {.number = 1, .at = text, .stop = text + bytes};

    skip_mark(&l);
    return l;
}

/* Keep what is left from 'begin' on, and read more behind it.  False at the end
 * of the file, or without room. */
static bool read_more(bosc_lines *l)
{
    const size_t kept = (size_t)(l->stop - l->begin);

    if (l->file == NULL || kept == ROOM)
        return false;
    memmove(l->buffer, l->begin, kept);
    l->begin = l->buffer;
    l->at = l->buffer + kept;

    const size_t got = fread(l->buffer + kept, 1, ROOM - kept, l->file);

    l->stop = l->at + got;
    return got > 0;
}

bool bosc_lines_open(FILE *file, bosc_lines *lines)
{
    *lines = (bosc_lines){.number = 1, .file = file};
    lines->buffer = bosc_alloc(ROOM + 1, 1);
    if (lines->buffer == NULL)
        return false;
    lines->begin = lines->at = lines->stop = lines->buffer;
    read_more(lines);
    skip_mark(lines);
    return true;
}

void bosc_lines_close(bosc_lines *lines)
{
    free(lines->buffer);
    *lines = (bosc_lines){0};
}

static bool ends_line(char c)
{
    return c == '\n' || c == '\r';
}

/* Pass over what ends lines, and count it; false at the end of the text. */
static bool skip_ends(bosc_lines *l)
{
    int64_t returns = 0; /* CR so far, which an LF may follow */

    for (;; ++l->at) {
        l->begin = l->at;
        if ((l->at == l->stop && !read_more(l)) || !ends_line(*l->at))
            break;
        returns = *l->at == '\r' ? returns + 1 : 0;
        l->number += *l->at == '\n';
    }
    l->number += returns;
    return l->at < l->stop;
}

bool bosc_lines_next(bosc_lines *l)
{
    if (!skip_ends(l))
        return false;
    do
        while (l->at < l->stop && !ends_line(*l->at))
            ++l->at;
    while (l->at == l->stop && read_more(l));
    l->end = l->at;
    l->last = l->at == l->stop;
    l->too_long = l->end - l->begin > BOSC_LONGEST_LINE && l->file != NULL;
    return !l->too_long && (l->file == NULL || !ferror(l->file));
}

char *bosc_lines_all(FILE *file, size_t most, size_t *bytes)
{
    enum { CHUNK = 1 << 16 };
    size_t room = 0, n = 0, got;
    char *text = NULL;
    bool zero;

    do {
        if (!bosc_grow(&text, &room, n + CHUNK + 1, 1)) {
            free(text);
            return NULL;
        }
        got = fread(text + n, 1, CHUNK, file);
        zero = memchr(text + n, '\0', got) != NULL;
        n += got;
    } while (got == CHUNK && !zero && n <= most);
    text[n] = '\0';
    *bytes = n;
    return text;
}
