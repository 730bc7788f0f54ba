/* version.h - which bosc this is. */
#ifndef BOSC_SRC_BASE_VERSION_H
#define BOSC_SRC_BASE_VERSION_H

/* "bosc 0.2.0 (86f0dec1a2b3)": the version, and the commit that it was built
 * from, ", modified" where files were changed after it; without the commit
 * where a build does not know it. */
const char *bosc_version(void);

#endif
