/* The table of formats, and the file as one text. */
#include "src/morphology/morphology.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"
#include "src/morphology/sections/edit.h"
#include "src/morphology/ending.h"
#include "src/morphology/read/format.h"
#include "src/morphology/read/gzip.h"
#include "src/text/lines.h"

/* A new format is a function from a text to sections in a file of its own, a
 * row here and one in ending.c. */
static bosc_format_read *const readers[BOSC_N_FORMATS] = {
    [BOSC_FORMAT_SWC] = bosc_swc_sections,
    [BOSC_FORMAT_ASC] = bosc_asc_read,
    [BOSC_FORMAT_NML] = bosc_nml_read,
    [BOSC_FORMAT_CYLINDERS] = bosc_cylinders_read,
};

static bosc_status load(const char *path, char **text, size_t *bytes,
                        bosc_error *err)
{
    if (bosc_morphology_packed(path))
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
    const bosc_status st = made != NULL
                               ? readers[bosc_morphology_format_of(name)](
                                     text, bytes, name, strict, made, err)
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
        st = bosc_sections_edit(&read->sections, &spec->edit, path,
                                &read->repairs, err);
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
