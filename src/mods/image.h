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
#include "kernels/mech/registry.h"
#include "src/base/status.h"

/* What only this version of bosc, and its headers, understand: written to
 * 'text', which is returned. */
typedef char bosc_image_words[96];
const char *bosc_image_version(bosc_image_words text);

/* Put the label behind the object of *size bytes.  BOSC_ENOMEM. */
bosc_status bosc_image_label(unsigned char **bytes, size_t *size,
                             bosc_error *err);

/* Is it a whole file, for this bosc and this machine?  'name' is how messages
 * call it. */
bosc_status bosc_image_check(const char *name, const unsigned char *bytes,
                             size_t size, bosc_error *err);

/* Load a file that was checked, with data of its own however often it is
 * loaded. The object stays as long as 'mechs', which owns it. */
bosc_status bosc_image_load(const char *name, const unsigned char *bytes,
                            size_t size, bosc_mechs *mechs,
                            const bosc_mech_object **out, bosc_error *err);

#endif
