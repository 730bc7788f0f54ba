#include "src/text/wrap.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/text/number.h"

enum { WIDTH = 80 };

/* Columns of n bytes of UTF-8: a character's first byte counts. */
static int columns(const char *text, size_t n)
{
    int count = 0;

    for (size_t i = 0; i < n; ++i)
        count += (text[i] & 0xC0) != 0x80;
    return count;
}

/* Bytes up to the first blank where a line may end: no digit is beside it,
 * unless that is too much for a line. */
static size_t unbroken(const char *text, int most)
{
    const size_t word = strcspn(text, " ");
    size_t n = word;

    while (n > 0 && text[n] == ' ' &&
           (bosc_is_digit(text[n - 1]) || bosc_is_digit(text[n + 1])))
        n += 1 + strcspn(text + n + 1, " ");
    return columns(text, n) <= most ? n : word;
}

/* Returns the column after the word. */
static int print_word(const bosc_wrap *w, int column, const char *word,
                      size_t n)
{
    const int width = columns(word, n);

    if (column > 0 && column >= w->indent && column + 1 + width > WIDTH) {
        putc('\n', w->file);
        column = 0;
    }
    const int blanks = column < w->indent ? w->indent - column : column > 0;

    fprintf(w->file, "%*s%.*s", blanks, "", (int)n, word);
    return column + blanks + width;
}

static void add(bosc_wrap *w, const char *format, va_list args)
{
    char *more = bosc_vformat(format, args);
    const size_t n = more != NULL ? strlen(more) : 0;

    if (more != NULL && bosc_grow(&w->text, &w->capacity, w->n + n + 1, 1)) {
        memcpy(w->text + w->n, more, n + 1);
        w->n += n;
    }
    free(more);
}

bosc_wrap bosc_wrap_begin(FILE *file, int indent, const char *label, ...)
{
    bosc_wrap w = {.file = file, .indent = indent};
    va_list args;

    va_start(args, label);
    add(&w, label, args);
    va_end(args);
    w.label = w.n;
    return w;
}

void bosc_wrap_add(bosc_wrap *w, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add(w, format, args);
    va_end(args);
}

void bosc_wrap_end(bosc_wrap *w)
{
    const char *p = w->text;
    int column = 0;

    if (p != NULL) {
        column = columns(p, w->label);
        fprintf(w->file, "%.*s", (int)w->label, p);
        p += w->label;
    }
    while (p != NULL && *(p += strspn(p, " ")) != '\0') {
        const size_t n = unbroken(p, WIDTH - w->indent);

        column = print_word(w, column, p, n);
        p += n;
    }
    putc('\n', w->file);
    free(w->text);
}

void bosc_wrap_print(FILE *file, int indent, const char *label,
                     const char *format, ...)
{
    bosc_wrap w = bosc_wrap_begin(file, indent, "%s", label);
    va_list args;

    va_start(args, format);
    add(&w, format, args);
    va_end(args);
    bosc_wrap_end(&w);
}
