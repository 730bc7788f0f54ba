/* swc_file.h - for tests: the forest of an SWC file, which the program only
 * reads as sections (src/morphology/morphology.h).
 */
#ifndef BOSC_TESTS_LIB_SWC_FILE_H
#define BOSC_TESTS_LIB_SWC_FILE_H

#include "src/morphology/swc.h"

/* As bosc_swc_parse(), of a file that is there. */
bosc_status swc_file_read(const char *path, bool strict, bosc_swc **out,
                          bosc_error *err);

#endif
