#include "config.h"

#include "src/base/version.h"

#include "src/base/commit.h" /* made by build-aux/commit */

const char *bosc_version(void)
{
    return BOSC_COMMIT[0] != '\0' ? PACKAGE_STRING " (" BOSC_COMMIT ")"
                                  : PACKAGE_STRING;
}
