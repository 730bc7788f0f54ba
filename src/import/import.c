#include "src/import/import.h"

#include <stdlib.h>

#include "src/base/mem.h"
#include "src/import/cell.h"

const char *const bosc_import_kinds[BOSC_N_IMPORT_KINDS] = {"allen", "bbp",
                                                            "bluepyopt"};

bosc_status bosc_import_text(const bosc_import_how *how, char **job,
                             char **text, bosc_error *err)
{
    static void (*const readers[BOSC_N_IMPORT_KINDS])(bosc_cell * cell) = {
        bosc_import_allen, bosc_import_bbp, bosc_import_bluepyopt};
    bosc_import imp = {.how = how, .err = err, .job = "", .folder = "."};
    bosc_cell cell = {.imp = &imp, .name = "", .morphology = ""};
    char *path = NULL, *out = NULL;

    readers[how->kind](&cell);
    if (imp.st == BOSC_OK)
        out = bosc_cell_write(&cell);
    if (imp.st == BOSC_OK && (path = bosc_strdup(imp.job)) == NULL)
        bosc_import_fail(&imp, BOSC_ENOMEM, "out of memory for a model");
    if (imp.st == BOSC_OK) {
        *job = path;
        *text = out;
    } else {
        free(out);
    }
    bosc_import_clear(&imp);
    return imp.st;
}
