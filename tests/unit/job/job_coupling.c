/* Couplings in job files: what is read, what is refused and how. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lib/job.h"
#include "tests/lib/tap.h"

/* A job with a coupling of each type; cases change one place of it. */
static const char coupled[] =
    "tstop: 10\n"                                                    /* 1 */
    "populations:\n"                                                 /* 2 */
    "  - name: cells\n"                                              /* 3 */
    "    synthetic: {compartments: 319, sections: 157}\n"            /* 4 */
    "    count: 20\n"                                                /* 5 */
    "    regions: {all: {pas: {}}}\n"                                /* 6 */
    "sources:\n"                                                     /* 7 */
    "  - {name: pulses, type: regular, interval: 2}\n"               /* 8 */
    "projections:\n"                                                 /* 9 */
    "  - {name: taken, from: pulses, to: cells, synapse: exc,\n"     /* 10 */
    "     rule: all_to_all, weight: 0.001}\n"                        /* 11 */
    "synapses: [{name: exc, type: ExpSyn}]\n"                        /* 12 */
    "couplings:\n"                                                   /* 13 */
    "  - {type: gap, from: cells, to: cells, rule: ring,\n"          /* 14 */
    "     conductance: 0.25, source: {at: \"dend[3](0.5)\"}}\n"      /* 15 */
    "  - {name: slow, type: graded, from: cells, to: cells,\n"       /* 16 */
    "     rule: fixed_indegree, indegree: 3, format: ellpack,\n"     /* 17 */
    "     conductance: {uniform: [0.5, 2]}, at: {region: [axon]},\n" /* 18 */
    "     e: -80, half: -40 mV, slope: 4.5}\n";                      /* 19 */

/* '--set' finds a link by the name that it has without one, too. */
static void test_set(void)
{
    static const char *const good[] = {
        "couplings.cells-cells-gap.conductance=0.5", "couplings.slow.slope=5",
        "projections.pulses-cells.weight=0.5"};
    static const struct {
        const char *set, *message;
    } bad[] = {
        {"couplings.cells-cell-gap.conductance=1",
         "no entry 'cells-cell-gap' in couplings, which has 2; did you mean "
         "'cells-cells-gap'?"},
        {"couplings.gap.conductance=1",
         "no entry 'gap' in couplings, which has 2; there are cells-cells-gap, "
         "slow"},
        {"projections.pulses-cells-gap.weight=1",
         "no entry 'pulses-cells-gap' in projections, which has 1; did you "
         "mean 'pulses-cells'?"},
        {"couplings.2.conductance=1",
         "couplings[2] is a new entry, and 'type' is missing in it; couplings "
         "has 2, counted from 0: couplings[0] to couplings[1]"},
    };
    char *text = replaced(coupled, "name: taken, ", "");
    bosc_error err = {""};
    bosc_job *job = parse(text, (int)BOSC_LEN(good), good, &err);

    if (!ok(job != NULL && job->network.couplings[0].link.weight.a == 0.5 &&
                job->network.couplings[1].slope == 5 &&
                job->network.projections[0].weight.a == 0.5 &&
                strcmp(job->network.projections[0].name, "pulses-cells") == 0,
            "--set finds links by their names, default or not"))
        diag("%s", err.text);
    bosc_job_destroy(job);
    for (size_t i = 0; i < BOSC_LEN(bad); ++i) {
        job = parse(text, 1, &bad[i].set, &err);
        if (!ok(job == NULL && strstr(err.text, bad[i].message) != NULL,
                "--set %s is refused", bad[i].set))
            diag("%s", job != NULL ? "a job" : err.text);
        bosc_job_destroy(job);
    }
    free(text);
}

static void test_read(const bosc_job *job)
{
    const bosc_coupling_spec *gap = &job->network.couplings[0];
    const bosc_coupling_spec *slow = &job->network.couplings[1];

    ok(job->network.n_couplings == 2 && gap->type == BOSC_COUPLING_GAP &&
           slow->type == BOSC_COUPLING_GRADED,
       "couplings have a type");
    ok(strcmp(gap->link.name, "cells-cells-gap") == 0 &&
           strcmp(slow->link.name, "slow") == 0,
       "and a name, which may be made of their ends");
    ok(gap->link.rule == BOSC_RULE_RING && gap->link.offset == 1 &&
           slow->link.indegree == 3 && gap->link.from_index == 0 &&
           slow->link.to_index == 0,
       "they have rules and ends as projections");
    ok(gap->link.weight.a == 0.25 &&
           slow->link.weight.kind == BOSC_DRAW_UNIFORM &&
           slow->link.weight.b == 2,
       "their conductance is a number, or drawn");
    ok(gap->link.source_at.kind == BOSC_AT_SECTION &&
           gap->link.source_at.number == 3 &&
           gap->link.at.kind == BOSC_TARGET_PLACE &&
           slow->link.at.kind == BOSC_TARGET_LENGTH &&
           slow->link.at.region.type[BOSC_AXON] &&
           !slow->link.at.region.type[BOSC_SOMA],
       "each end has its place");
    ok(slow->e == -80 && slow->half == -40 && slow->slope == 4.5,
       "a graded one has its three voltages");
    ok(gap->format == BOSC_SPMV_AUTO && slow->format == BOSC_SPMV_ELLPACK,
       "and the matrix its format");
    ok(bosc_network_n_links(&job->network) == 3 &&
           bosc_network_link(&job->network, 0) ==
               &job->network.projections[0] &&
           bosc_network_link(&job->network, 2) == &slow->link,
       "links are projections, then couplings");
    ok(strcmp(slow->link.weight.where, "dir/my job.yaml:18") == 0,
       "what is said is remembered with its line");
}

static const broken_job broken[] = {
    {"a coupling of no type", "type: gap, ", "",
     ":14: 'type' is missing; add it: gap"},
    {"a mistyped type", "type: gap", "type: gaps",
     ":14: type: unknown type 'gaps'; did you mean 'gap'?"},
    {"a source of spikes at its end", "type: gap, from: cells",
     "type: gap, from: pulses",
     ":14: from: 'pulses' is a source, which has no voltage; name a "
     "population"},
    {"a population that is not there", "type: gap, from: cells",
     "type: gap, from: cell",
     ":14: from: unknown population 'cell'; did you mean 'cells'?"},
    {"no conductance", "conductance: 0.25, ", "",
     ":14: 'conductance' is missing: rule ring needs it"},
    {"a negative conductance", "conductance: 0.25", "conductance: -0.25",
     ":15: conductance: '-0.25' is out of range; allowed: 0 to 1000000 uS"},
    {"a lognormal deviation beyond all means", "conductance: 0.25",
     "conductance: {lognormal: [1e-300, 1]}",
     ":15: lognormal: a standard deviation of 1 uS is over 1e+06 times the "
     "mean, 1e-300 uS: nearly all numbers would be 0; write a smaller one"},
    {"a voltage of a gap", "conductance: 0.25", "conductance: 0.25, half: -40",
     ":15: half has no effect: the type is gap; remove half, or write 'type: "
     "graded'"},
    {"a graded one without its reversal potential", "e: -80, ", "",
     ":16: 'e' is missing: type graded needs it"},
    {"one without its half", "half: -40 mV, ", "",
     ":16: 'half' is missing: type graded needs it"},
    {"a slope of nothing", "slope: 4.5", "slope: 0",
     ":19: slope: '0' is out of range"},
    {"the key of another rule", "rule: ring", "rule: ring, indegree: 2",
     ":14: indegree has no effect: the rule is ring"},
    {"a mistyped format", "format: ellpack", "format: elpack",
     ":17: format: unknown format 'elpack'; did you mean 'ellpack'?"},
    {"a source that is everywhere", "\"dend[3](0.5)\"", "everywhere",
     ":15: at: a coupling has one end on its source"},
    {"the name of a projection", "name: slow", "name: taken",
     ":16: name: entry 0 of projections is called 'taken' as well"},
    {"a conductance by distance without positions", "conductance: 0.25",
     "conductance: {distance: [1, -0.1]}",
     ":15: conductance: a distance needs positions"},
    {"a delay", "conductance: 0.25", "conductance: 0.25, delay: 1",
     ":15: unknown key 'delay'"},
};

/* A list may have the conductances itself. */
static void test_list(void)
{
    char *text = replaced(coupled, "rule: ring,\n     conductance: 0.25",
                          "rule: list,\n     file: gaps.tsv");
    bosc_error err;
    bosc_job *job = parse(text, 0, NULL, &err);

    ok(job != NULL && isnan(job->network.couplings[0].link.weight.a) &&
           strcmp(job->network.couplings[0].link.file_where,
                  "dir/my job.yaml:15") == 0,
       "a list needs no conductance");
    bosc_job_destroy(job);
    free(text);
}

int main(void)
{
    bosc_error err;
    bosc_job *job = parse(coupled, 0, NULL, &err);

    if (ok(job != NULL, "a job with couplings is read"))
        test_read(job);
    else
        diag("%s", err.text);
    bosc_job_destroy(job);
    test_list();
    refuses_all(coupled, BOSC_LEN(broken), broken);
    test_set();
    return done_testing();
}
