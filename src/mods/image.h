/* image.h - a file of 'bosc mods build', a .bmod: a shared object, and behind
 * it a label that says for which bosc and machine it was made, how long the
 * object is and its hash.  So whatever is wrong with a file is known before the
 * system's loader sees it.
 *
 * Serial code: no MPI.
 */
#ifndef BOSC_SRC_MODS_IMAGE_H
#define BOSC_SRC_MODS_IMAGE_H

#include <stddef.h>

#include "kernels/mech/object.h"
#include "src/base/status.h"

/* What only this version of bosc, and its headers, understand. */
const char *bosc_image_version(void);

/* Put the label behind the object of *size bytes.  BOSC_ENOMEM. */
bosc_status bosc_image_label(unsigned char **bytes, size_t *size,
                             bosc_error *err);

/* Is it a whole file, for this bosc and this machine?  'name' is how messages
 * call it. */
bosc_status bosc_image_check(const char *name, const unsigned char *bytes,
                             size_t size, bosc_error *err);

/* Load a file that was checked.  The object stays as long as the program. */
bosc_status bosc_image_load(const char *name, const unsigned char *bytes,
                            size_t size, const bosc_mech_object **out,
                            bosc_error *err);

#endif
