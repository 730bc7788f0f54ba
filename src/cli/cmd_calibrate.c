/* cmd_calibrate.c - 'bosc calibrate': its command line. */
#include "src/calibrate/calibrate.h"

#include <stddef.h>

#include "src/cli/commands.h"
#include "src/text/options.h"

#define FIELD(member) offsetof(bosc_calibrate_request, member)

static const bosc_option rows[] = {
    {"output", 'o', "FILE", BOSC_OPTION_TEXT, FIELD(output),
     .help = "write FILE (default $BOSC_MACHINE, or "
             "~/.config/bosc/HOSTNAME.yaml)"},
    {"seconds", 0, "S", BOSC_OPTION_REAL, FIELD(seconds), 1e-3, 60,
     .help = "seconds for each of 18 forests, and 15 for each method of a "
             "GPU, and 3 passes"},
};

static const bosc_options options = {
    .command = "calibrate",
    .about = "Measure the cost model of this machine, for 'bosc plan' and "
             "'bosc run'.",
    .notes = "This takes a minute, two with a GPU, on a machine that does "
             "nothing else.  Under a launcher all ranks measure at the same "
             "time, and each node gets a file.",
    .n = BOSC_LEN(rows),
    .rows = rows,
};

bosc_status bosc_cmd_calibrate(int argc, char **argv, bosc_error *err)
{
    bosc_calibrate_request request = {.seconds = 0.25};
    bosc_arguments rest;
    const bosc_status st =
        bosc_options_parse(&options, argc, argv, &request, &rest, err);

    /* Of a wrong command line, too: all ranks must end MPI together. */
    return rest.done ? st : bosc_calibrate(&request, st, err);
}
