/* type_name.h - the type of a section or a group by its name. */
#ifndef BOSC_SRC_MORPHOLOGY_READ_TYPE_NAME_H
#define BOSC_SRC_MORPHOLOGY_READ_TYPE_NAME_H

#include <stdint.h>

/* The SWC code of a name that has "apic", "axon", "soma", "dend" or "basal" in
 * it, in any case; 0: none of them, or several.  "apical_dendrites" are
 * apical. */
int32_t bosc_type_of_name(const char *name);

#endif
