/* cmd_report.c - 'bosc report' and 'bosc plot': scripts in Python that read a
 * result.
 */
#include "src/cli/commands.h"
#include "src/cli/script.h"

bosc_status bosc_cmd_report(int argc, char **argv, bosc_error *err)
{
    return bosc_script_become("jobs/report-run", "bosc report", argc - 1,
                              argv + 1, err);
}

bosc_status bosc_cmd_plot(int argc, char **argv, bosc_error *err)
{
    return bosc_script_become("jobs/plot-run", "bosc plot", argc - 1, argv + 1,
                              err);
}
