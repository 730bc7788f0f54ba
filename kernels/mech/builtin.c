#include "kernels/mech/builtin.h"
#include "kernels/mech/registry.h"

const bosc_mech *const bosc_mechs_builtin[] = {BOSC_BUILTIN_MECHS, NULL};

bosc_status bosc_builtin_check(const bosc_mech *mech, const double *p,
                               int *param, bosc_error *err)
{
    const int rise = bosc_mech_param_find(&bosc_Exp2Syn, "tau1");
    const int decay = bosc_mech_param_find(&bosc_Exp2Syn, "tau2");

    if (mech != bosc_mechs_builtin[BOSC_MECH_Exp2Syn] || p[rise] < p[decay])
        return BOSC_OK;
    *param = rise;
    return bosc_fail(err, BOSC_EVALUE,
                     "%.15g ms is not less than tau2, %.15g ms; with one time "
                     "constant the type is ExpSyn",
                     p[rise], p[decay]);
}
