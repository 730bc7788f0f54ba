/* The table of formats, and the file as one text. */
#include "src/morphology/morphology.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/base/mem.h"
#include "src/morphology/read/format.h"
#include "src/morphology/read/gzip.h"
#include "src/text/lines.h"

/* The first is that of all other endings.  A new one is a function from a text
 * to sections in a file of its own, and a row here. */
static const struct {
    const char *ending;
    bosc_format_read *read;
} formats[] = {
    {".swc", bosc_swc_sections},
    {".asc", bosc_asc_read},
    {".nml", bosc_nml_read},
    {".cylinders.tsv", bosc_cylinders_read},
};

static const char packed[] = ".gz";

/* Whether the first n characters of a path end so. */
static bool has_ending(const char *path, size_t n, const char *ending)
{
    const size_t m = strlen(ending);

    return n > m && strncasecmp(path + n - m, ending, m) == 0;
}

static bool is_packed(const char *path)
{
    return has_ending(path, strlen(path), packed);
}

static size_t format_of(const char *path)
{
    const size_t n = strlen(path) - (is_packed(path) ? strlen(packed) : 0);

    for (size_t i = 1; i < BOSC_LEN(formats); ++i)
        if (has_ending(path, n, formats[i].ending))
            return i;
    return 0;
}

bool bosc_morphology_ending(const char *path)
{
    return format_of(path) > 0 || has_ending(path, strlen(path), ".swc") ||
           is_packed(path);
}

static bosc_status load(const char *path, char **text, size_t *bytes,
                        bosc_error *err)
{
    if (is_packed(path))
        return bosc_gzip_load(path, BOSC_MORPHOLOGY_BYTES, text, bytes, err);

    FILE *file = fopen(path, "rb");
    bosc_status st = BOSC_OK;

    if (file == NULL)
        return bosc_fail(err, BOSC_ENOINPUT, "%s: cannot be opened: %s", path,
                         strerror(errno));
    if ((*text = bosc_lines_all(file, BOSC_MORPHOLOGY_BYTES, bytes)) == NULL)
        st = bosc_fail(err, BOSC_ENOMEM, "%s: out of memory", path);
    else if (ferror(file))
        st = bosc_fail(err, BOSC_ENOINPUT, "%s: cannot be read: %s", path,
                       strerror(errno));
    fclose(file);
    return st;
}

bosc_status bosc_morphology_parse(const char *text, size_t bytes,
                                  const char *name, bool strict,
                                  bosc_morphology **out, bosc_error *err)
{
    bosc_morphology *made = bosc_alloc(1, sizeof *made);
    const bosc_status st =
        made != NULL ? formats[format_of(name)].read(text, bytes, name, strict,
                                                     made, err)
                     : bosc_no_memory(err, name);

    if (st == BOSC_OK)
        *out = made;
    else
        bosc_morphology_destroy(made);
    return st;
}

bosc_status bosc_morphology_read(const char *path, bool strict,
                                 bosc_morphology **out, bosc_error *err)
{
    char *text = NULL;
    size_t bytes = 0;
    bosc_status st = load(path, &text, &bytes, err);

    if (st == BOSC_OK)
        st = bosc_morphology_parse(text, bytes, path, strict, out, err);
    free(text);
    return st;
}

bosc_status bosc_morphology_cut(const char *path, bool strict,
                                const bosc_cable_spec *spec, bosc_cable **out,
                                bosc_error *err)
{
    bosc_morphology *read = NULL;
    bosc_status st = bosc_morphology_read(path, strict, &read, err);

    if (st == BOSC_OK)
        st = bosc_cable_create(read->sections, spec, path, out, err);
    bosc_morphology_destroy(read);
    return st;
}

void bosc_morphology_destroy(bosc_morphology *morphology)
{
    if (morphology == NULL)
        return;
    bosc_sections_destroy(morphology->sections);
    bosc_warnings_clear(&morphology->repairs);
    free(morphology);
}
