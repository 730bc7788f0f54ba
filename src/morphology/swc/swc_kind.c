/* What a file is that holds no sample: other formats of morphologies, and what
 * is named or downloaded by mistake.  Only asked where reading failed before
 * the first sample, so no SWC file is refused because of a word in it.
 */
#include <string.h>
#include <strings.h>

#include "src/morphology/swc/swc_reader.h"
#include "src/text/file_kind.h"

enum { LOOK = 4096 /* bytes of the file in which signs are looked for */ };

/* Remedies */
#define CONVERT                                                                \
    "convert it, for example with 'morph-tool convert file IN OUT.swc', or "   \
    "take the SWC file of NeuroMorpho.org (CNG version)"
#define EXPORT(tool) "write SWC from it, for example with " tool
#define XYZ2SWC "xyz2swc of NeuroMorpho.org"
#define NAME "name an SWC file"

/* A sign stands somewhere in the file or, with '^', where its text begins.
 * Endings are those of file names, with a blank after each. */
static const struct kind {
    const char *name, *sign[4], *endings, *remedy;
} kinds[] = {
    {"HDF5", {"^\x89HDF\r\n"}, ".h5 .hdf5 ", CONVERT},
    {"an HTML page",
     {"<html", "<!DOCTYPE html", "<!doctype html"},
     ".html .htm ",
     "download the SWC file itself"},
    {"NeuroML 1", {"<morphml"}, "", EXPORT(XYZ2SWC)},
    {"NeuroML", {"<neuroml"}, ".nml ", "end its name in .nml"},
    {"a KNOSSOS skeleton", {"<things"}, "", EXPORT(XYZ2SWC)},
    {"XML", {"^<?xml", "^<mbf"}, ".xml ", EXPORT(XYZ2SWC)},
    {"a NEURON program",
     {"pt3dadd", "load_file(", "create soma"},
     ".hoc ",
     EXPORT("hoc2swc")},
    {"a Python program", {"^import ", "\nimport ", "\ndef "}, ".py ", NAME},
    {"Neurolucida ASCII",
     {"(CellBody", "(Dendrite)", "(Axon)", "MicroBrightField"},
     ".asc ",
     "end its name in .asc"},
    {"a GENESIS cell", {"*relative", "*cartesian"}, ".p ", EXPORT(XYZ2SWC)},
    {"a Gmsh geometry", {"Point(", "$MeshFormat"}, ".geo .msh ", NAME},
    {"JSON", {"^{", "^["}, ".json ", NAME},
    {"a job", {NULL}, ".yaml .yml ", "'bosc run --dry-run' checks it"},
};

static bool has_sign(const struct kind *kind, const char *text)
{
    for (size_t k = 0; k < BOSC_LEN(kind->sign) && kind->sign[k]; ++k) {
        const char *sign = kind->sign[k];

        if (sign[0] == '^' ? strncmp(text, sign + 1, strlen(sign + 1)) == 0
                           : strstr(text, sign) != NULL)
            return true;
    }
    return false;
}

static bool has_ending(const struct kind *kind, const char *ending)
{
    const size_t n = strlen(ending);

    for (const char *e = kind->endings; *e != '\0'; e += strcspn(e, " ") + 1)
        if (strcspn(e, " ") == n && strncasecmp(e, ending, n) == 0)
            return true;
    return false;
}

static bosc_status fail(const char *name, const char *what, const char *how,
                        const char *remedy, bosc_error *err)
{
    return bosc_fail(err, BOSC_EFORMAT, "%s: this is %s%s, not SWC; %s", name,
                     what, how, remedy);
}

/* Remove comments, from '#' to the end of the line: in an SWC file they may
 * name the format that it was converted from. */
static void remove_comments(char *text)
{
    char *to = text;

    for (const char *from = text; *from != '\0';) {
        if (*from == '#')
            from += strcspn(from, "\r\n");
        else
            *to++ = *from++;
    }
    *to = '\0';
}

bosc_status bosc_swc_name_kind(const char *text, size_t bytes, const char *name,
                               bosc_error *err)
{
    const char *ending = strrchr(name, '.');
    char head[LOOK + 1];
    const size_t n = bytes < LOOK ? bytes : LOOK;

    memcpy(head, text, n);
    head[n] = '\0';

    const bosc_file_kind *binary = bosc_file_kind_binary(head, n);

    remove_comments(head);

    const char *begin = head + (strncmp(head, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0);

    begin += strspn(begin, " \t\r\n");
    if (binary != NULL && ending != NULL &&
        (strcmp(ending, ".nc") == 0 || strcmp(ending, ".partial") == 0))
        return fail(name, binary->what, "", binary->remedy, err);
    for (size_t k = 0; k < BOSC_LEN(kinds); ++k)
        if (has_sign(&kinds[k], begin))
            return fail(name, kinds[k].name, "", kinds[k].remedy, err);
    if (binary != NULL)
        return fail(name, binary->what, "", binary->remedy, err);
    for (size_t k = 0; ending != NULL && k < BOSC_LEN(kinds); ++k)
        if (has_ending(&kinds[k], ending))
            return fail(name, kinds[k].name, " by its ending", kinds[k].remedy,
                        err);
    return BOSC_EFORMAT;
}
