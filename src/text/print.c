#include "src/text/print.h"

#include <stdbool.h>
#include <stdlib.h>

FILE *bosc_print_begin(bosc_print *print)
{
    *print = (bosc_print){0};
    return print->file = open_memstream(&print->text, &print->bytes);
}

char *bosc_print_end(bosc_print *print)
{
    bool whole = print->file != NULL && ferror(print->file) == 0;

    if (print->file != NULL)
        whole = fclose(print->file) == 0 && whole;
    if (whole)
        return print->text;
    free(print->text);
    return NULL;
}

void bosc_print_real(FILE *file, double value)
{
    char text[40];

    snprintf(text, sizeof text, "%.15g", value);
    if (strtod(text, NULL) != value)
        snprintf(text, sizeof text, "%.17g", value);
    fputs(text, file);
}
