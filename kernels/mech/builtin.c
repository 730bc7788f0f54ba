#include "kernels/mech/builtin.h"
#include "kernels/mech/registry.h"

#include <math.h>
#include <string.h>

const bosc_mech *const bosc_mechs_builtin[] = {BOSC_BUILTIN_MECHS, NULL};

static bosc_status check_Exp2Syn(const double *p, int *param, bosc_error *err)
{
    const int rise = bosc_mech_param_find(&bosc_Exp2Syn, "tau1");
    const int decay = bosc_mech_param_find(&bosc_Exp2Syn, "tau2");

    if (p[rise] < p[decay])
        return BOSC_OK;
    *param = rise;
    return bosc_fail(err, BOSC_EVALUE,
                     "%.15g ms is not less than tau2, %.15g ms; with one time "
                     "constant the type is ExpSyn",
                     p[rise], p[decay]);
}

static bosc_status check_Pulses(const double *p, int *param, bosc_error *err)
{
    const int count = bosc_mech_param_find(&bosc_Pulses, "count");
    const int period = bosc_mech_param_find(&bosc_Pulses, "period");
    const int duration = bosc_mech_param_find(&bosc_Pulses, "duration");

    *param = count;
    if (p[count] != floor(p[count]))
        return bosc_fail(err, BOSC_EVALUE, "%.15g is no whole number",
                         p[count]);
    if (p[count] == 1 || (p[period] > 0 && p[period] >= p[duration]))
        return BOSC_OK;
    *param = period;
    return bosc_fail(err, BOSC_EVALUE,
                     "%.15g ms is less than a pulse of %.15g ms takes, and "
                     "there are %.15g; write the time from the start of one to "
                     "the start of the next",
                     p[period], p[duration], p[count]);
}

/* By name: where a probe asks for a variable, it is translated anew. */
bosc_status bosc_builtin_check(const bosc_mech *mech, const double *p,
                               int *param, bosc_error *err)
{
    return strcmp(mech->name, bosc_Exp2Syn.name) == 0
               ? check_Exp2Syn(p, param, err)
           : strcmp(mech->name, bosc_Pulses.name) == 0
               ? check_Pulses(p, param, err)
               : BOSC_OK;
}
