/* import.h - models of cells as others publish them -> the text of a job.
 *
 * Serial code: no MPI.  Three kinds of sources are read: fits of the Allen Cell
 * Types Database (<id>_fit.json with a morphology), packages of the Blue Brain
 * Project (EModelRunner's config.ini, BluePyEModel's recipes.json, and the JSON
 * files that these name), and folders as BluePyOpt's examples/l5pc/config.  The
 * text is a job of one such cell with a step of current at its soma; comments
 * in it say where it comes from and what had to be decided.  Nothing of a
 * source is left out without a comment; what has no counterpart in a job is an
 * error that names the file, the path in it, the value and the remedy.
 *
 *     source.h   JSON and what stands where in it; notes for the comments
 *     cell.h     statements "parameter x is y in these locations", in the order
 *                of the source -> the regions of a job
 *     mods.h     which parameters and ions a mechanism has
 */
#ifndef BOSC_SRC_IMPORT_IMPORT_H
#define BOSC_SRC_IMPORT_IMPORT_H

#include "src/base/status.h"
#include "src/import/how.h"

/* Make the text of a job, and the path of the file that it is for.  Both are
 * free()d by the caller; on failure they are untouched.  Reads files, writes
 * none.  BOSC_EIO, BOSC_EFORMAT, BOSC_EVALUE, BOSC_EUSAGE or BOSC_ENOMEM. */
bosc_status bosc_import_text(const bosc_import_how *how, char **job,
                             char **text, bosc_error *err);

/* The kind of a source by what it has: a file with 'genome', a folder with
 * mechanisms.json, ...  BOSC_EIO where it is not there, BOSC_EFORMAT where it
 * is no model. */
bosc_status bosc_import_guess(const char *source, bosc_import_kind *kind,
                              bosc_error *err);

#endif
