/* mechs.h - the mechanisms that tests use. */
#ifndef BOSC_TESTS_LIB_MECHS_H
#define BOSC_TESTS_LIB_MECHS_H

#include "kernels/mech/registry.h"
#include "src/cost/costs.h"

/* A set with the built-in mechanisms, the same one at each call, for the life
 * of the test, which may add some.  Not for several threads. */
bosc_mechs *test_mechs(void);

/* bosc_costs_standard() with those of the first call. */
const bosc_costs *test_costs(void);

#endif
