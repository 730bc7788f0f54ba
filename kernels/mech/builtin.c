#include "kernels/mech/builtin.h"
#include "kernels/mech/registry.h"

#define ADDRESS(name, kind) &bosc_##name,

const bosc_mech *const bosc_mechs_builtin[] = {BOSC_BUILTIN_MECHS(ADDRESS)
                                                   NULL};
