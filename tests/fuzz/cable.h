/* cable.h - what must hold of any template. */
#ifndef BOSC_TESTS_FUZZ_CABLE_H
#define BOSC_TESTS_FUZZ_CABLE_H

#include "src/morphology/cable.h"

/* Parents, areas, places, and a copy that has equal bytes. */
void fuzz_check_cable(const bosc_cable *cable);

#endif
