#include "src/base/warning.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

bosc_status bosc_warn(bosc_warnings *w, bosc_error *err, const char *format,
                      ...)
{
    va_list args;

    va_start(args, format);
    char *text = bosc_vformat(format, args);
    va_end(args);
    if (text == NULL ||
        !bosc_grow(&w->text, &w->capacity, (size_t)w->n + 1, sizeof *w->text)) {
        free(text);
        return bosc_no_memory(err, "a warning");
    }
    w->text[w->n++] = text;
    return BOSC_OK;
}

void bosc_warnings_clear(bosc_warnings *w)
{
    for (int i = 0; i < w->n; ++i)
        free(w->text[i]);
    free(w->text);
    *w = (bosc_warnings){0};
}

void bosc_warnings_print(const bosc_warnings *w, int from)
{
    for (int i = from; i < w->n; ++i)
        fprintf(stderr, "warning: %s\n", w->text[i]);
}

char *bosc_warnings_join(const bosc_warnings *w)
{
    size_t length = 1, at = 0;
    char *all;

    for (int i = 0; i < w->n; ++i)
        length += strlen(w->text[i]) + 1;
    if ((all = bosc_alloc(length, 1)) == NULL)
        return NULL;
    for (int i = 0; i < w->n; ++i)
        at += (size_t)sprintf(all + at, "%s%s", i > 0 ? "\n" : "", w->text[i]);
    return all;
}

bosc_status bosc_warnings_refuse(const bosc_warnings *w, int from,
                                 bosc_error *err)
{
    const int more = w->n - from - 1;

    if (more < 0)
        return BOSC_OK;
    if (more == 0)
        return bosc_fail(err, BOSC_EVALUE, "%s; refused, the job is strict",
                         w->text[from]);
    return bosc_fail(err, BOSC_EVALUE,
                     "%s; refused, the job is strict (%d more warning%s)",
                     w->text[from], more, more == 1 ? "" : "s");
}
