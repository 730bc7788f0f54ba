/* report.h - what became of mod files, for people and for programs.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_NMODL_REPORT_H
#define BOSC_SRC_NMODL_REPORT_H

#include <stdio.h>

#include "src/nmodl/model/model.h"

typedef enum bosc_nm_report_form {
    BOSC_NM_TABLES, /* problems, and tables of what accepted files have */
    BOSC_NM_BRIEF,  /* problems alone */
    BOSC_NM_TSV     /* a line a file: path, accepted, name, kind, problems */
} bosc_nm_report_form;

void bosc_nm_report_head(FILE *out, bosc_nm_report_form form);
/* A file with problems other than warnings is refused; m is NULL where it could
 * not be read. */
void bosc_nm_report(FILE *out, const char *path,
                    const bosc_nm_problems *problems,
                    const bosc_nm_mechanism *m, bosc_nm_report_form form);

#endif
