/* Networks in job files: what is read, what is refused and how. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/mech/builtin.h"
#include "tests/lib/job.h"
#include "tests/lib/tap.h"

/* Parameters, as in ExpSyn.mod and Exp2Syn.mod. */
enum { TAU, E };
enum { TAU1, TAU2, E_OF_2 };

/* A small network; cases change one place of it. */
static const char network[] =
    "tstop: 10\n"                                                     /* 1 */
    "populations:\n"                                                  /* 2 */
    "  - name: cells\n"                                               /* 3 */
    "    synthetic: {compartments: 319, sections: 157}\n"             /* 4 */
    "    count: 20\n"                                                 /* 5 */
    "    positions: {box: [100, 90 um, 0]}\n"                         /* 6 */
    "    regions: {all: {pas: {}}, soma: {hh: {}}}\n"                 /* 7 */
    "  - name: others\n"                                              /* 8 */
    "    synthetic: {compartments: 31, sections: 15}\n"               /* 9 */
    "    regions: {all: {pas: {}}}\n"                                 /* 10 */
    "synapses:\n"                                                     /* 11 */
    "  - {name: exc, type: ExpSyn, tau: 2}\n"                         /* 12 */
    "  - {name: inh, type: Exp2Syn, e: -80}\n"                        /* 13 */
    "sources:\n"                                                      /* 14 */
    "  - {name: pulses, type: regular, interval: 2}\n"                /* 15 */
    "  - {name: noise, type: poisson, rate: 20 Hz, count: 7}\n"       /* 16 */
    "projections:\n"                                                  /* 17 */
    "  - {from: pulses, to: cells, synapse: exc, rule: all_to_all,\n" /* 18 */
    "     weight: 0.001}\n"                                           /* 19 */
    "  - {from: noise, to: others, synapse: exc, weight: 0.25 uS,\n"  /* 20 */
    "     rule: fixed_indegree, indegree: 3}\n"                       /* 21 */
    "  - {name: loop, from: cells, to: cells, synapse: inh,\n"        /* 22 */
    "     rule: ring, weight: 0.5, delay: 2.5 ms}\n"                  /* 23 */
    "probes:\n"                                                       /* 24 */
    "  - {name: soma, interval: 0.1}\n";                              /* 25 */

/* The network with one change; NULL, with a diagnosis, where it is refused. */
static bosc_job *parse_changed(const char *from, const char *to)
{
    char *text = replaced(network, from, to);
    bosc_error err = {"no such text"};
    bosc_job *job = text != NULL ? parse(text, 0, NULL, &err) : NULL;

    if (job == NULL)
        diag("%s", err.text);
    free(text);
    return job;
}

static void test_lists(const bosc_job *job)
{
    const bosc_synapse_spec *inh = &job->network.synapses[1];
    const bosc_source_spec *pulses = &job->network.sources[0],
                           *noise = &job->network.sources[1];

    ok(job->network.n_synapses == 2 &&
           job->network.synapses[0].type.mech == BOSC_MECH_ExpSyn &&
           job->network.synapses[0].type.p[TAU] == 2 &&
           job->network.synapses[0].type.p[E] == 0,
       "a synapse has a type, its parameters, and defaults for others");
    ok(inh->type.mech == BOSC_MECH_Exp2Syn && inh->type.p[TAU1] == 0.1 &&
           inh->type.p[TAU2] == 10 && inh->type.p[E_OF_2] == -80,
       "so has one of the other type");
    ok(job->network.n_sources == 2 && pulses->type == BOSC_SOURCE_REGULAR &&
           pulses->interval == 2 && pulses->count == 1 && pulses->start == 0 &&
           pulses->stop == 10 && pulses->noise == 0 &&
           pulses->number == INT64_MAX,
       "a regular source goes on until tstop unless said");
    ok(noise->type == BOSC_SOURCE_POISSON && noise->rate == 20 &&
           noise->count == 7,
       "a Poisson source has a rate");
    ok(job->populations[0].box[1] == 90 &&
           bosc_has_positions(&job->populations[0]) &&
           !bosc_has_positions(&job->populations[1]),
       "a population has positions where the job gives them");
}

static void test_projections(const bosc_job *job)
{
    const bosc_projection_spec *in = &job->network.projections[0],
                               *random = &job->network.projections[1],
                               *loop = &job->network.projections[2];

    ok(job->network.n_projections == 3 && in->from_index == -1 &&
           in->to_index == 0 && random->from_index == -2 &&
           random->to_index == 1 && loop->from_index == 0 &&
           loop->to_index == 0,
       "projections know their ends");
    ok(in->synapse_index == 0 && loop->synapse_index == 1,
       "and their synapses");
    ok(strcmp(in->name, "pulses-cells") == 0 && strcmp(loop->name, "loop") == 0,
       "they are named after their ends unless said");
    ok(in->rule == BOSC_RULE_ALL_TO_ALL && in->autapses &&
           random->rule == BOSC_RULE_FIXED_INDEGREE && random->indegree == 3 &&
           loop->rule == BOSC_RULE_RING && loop->offset == 1,
       "rules have their keys and defaults");
    ok(in->weight.kind == BOSC_DRAW_CONSTANT && in->weight.a == 0.001 &&
           in->delay.kind == BOSC_DRAW_CONSTANT && in->delay.a == 1 &&
           random->weight.a == 0.25 && loop->delay.a == 2.5 &&
           loop->delay.low == 2.5 && loop->delay.high == 2.5,
       "weights and delays may be numbers; a delay is 1 ms unless said");
    ok(in->at.kind == BOSC_TARGET_PLACE && in->at.place.kind == BOSC_AT_SOMA &&
           loop->source_at.kind == BOSC_AT_SOMA &&
           isnan(loop->source_threshold),
       "synapses and detectors are at somata unless said");
    ok(strcmp(in->where, "dir/my job.yaml:18") == 0 &&
           strcmp(in->weight.where, "dir/my job.yaml:19") == 0 &&
           strcmp(in->at.where, in->where) == 0 &&
           strcmp(in->at.place.where, in->where) == 0,
       "projections remember their lines");
}

/* --- draws --------------------------------------------------------------- */

static void test_draws(void)
{
    static const struct {
        const char *what, *weight;
        int kind;
        double a, b, low, high;
    } cases[] = {
        {"a constant may be negative", "-2.5", BOSC_DRAW_CONSTANT, -2.5, 0,
         -2.5, -2.5},
        {"uniform stays in itself", "{uniform: [0.1, 0.3 uS]}",
         BOSC_DRAW_UNIFORM, 0.1, 0.3, 0.1, 0.3},
        {"uniform may be cut", "{uniform: [0.1, 0.3], min: 0.2, max: 7}",
         BOSC_DRAW_UNIFORM, 0.1, 0.3, 0.2, 0.3},
        {"normal keeps the sign of its mean", "{normal: [0.1, 0.3]}",
         BOSC_DRAW_NORMAL, 0.1, 0.3, 0, 1e6},
        {"a negative one too", "{normal: [-0.1, 0.3]}", BOSC_DRAW_NORMAL, -0.1,
         0.3, -1e6, 0},
        {"a mean of 0 has no sign", "{normal: [0, 0.3]}", BOSC_DRAW_NORMAL, 0,
         0.3, -1e6, 1e6},
        {"min lets the sign change", "{min: -1, normal: [0.1, 0.3]}",
         BOSC_DRAW_NORMAL, 0.1, 0.3, -1, 1e6},
        {"lognormal is positive", "{lognormal: [0.1, 0.3], min: -1, max: 2}",
         BOSC_DRAW_LOGNORMAL, 0.1, 0.3, 0, 2},
        {"a change per um may be negative", "{distance: [0.1, -0.001 uS/um]}",
         BOSC_DRAW_DISTANCE, 0.1, -0.001, 0, 1e6},
    };

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        char *to = bosc_format("rule: ring, weight: %s", cases[i].weight);
        bosc_job *job = parse_changed("rule: ring, weight: 0.5", to);
        const bosc_draw *draw =
            job != NULL ? &job->network.projections[2].weight : &(bosc_draw){0};

        ok((int)draw->kind == cases[i].kind && draw->a == cases[i].a &&
               draw->b == cases[i].b && draw->low == cases[i].low &&
               draw->high == cases[i].high && job != NULL,
           "%s", cases[i].what);
        bosc_job_destroy(job);
        free(to);
    }
}

/* --- places and files ----------------------------------------------------- */

static bosc_job *parse_at(const char *at)
{
    char *to = bosc_format("rule: ring, at: %s,", at);
    bosc_job *job = parse_changed("rule: ring,", to);

    free(to);
    return job;
}

/* Regions of the user's own by their number among those of the target. */
static void test_own_regions(void)
{
    char *text = replaced(network, "soma: {hh: {}}}\n",
                          "soma: {hh: {}}, near: {where: {distance: [0, 9]}}, "
                          "\"axon, apical\": {}, far: {where: {tip: true}}}\n"),
         *at = replaced(text, "rule: ring, ",
                        "rule: ring, at: {region: [far, axon, near]}, "),
         *there =
             replaced(text, "indegree: 3", "indegree: 3, at: {region: far}"),
         *like = replaced(text, "rule: ring, ",
                          "rule: ring, at: {region: [nera]}, ");
    bosc_error err;
    bosc_job *job = parse(at, 0, NULL, &err);
    const bosc_region_list *list =
        job != NULL ? &job->network.projections[2].at.region : NULL;

    if (!ok(list != NULL && list->own == (1u << 2 | 1u << 4) &&
                list->type[BOSC_AXON] && !list->type[BOSC_APICAL] &&
                !list->type[BOSC_SOMA],
            "regions of the user's own may be among them"))
        diag("%s", err.text);
    refuses("a region of another population", there,
            ":21: region: unknown region 'far'; available: all, soma, axon, "
            "dendrite, apical, custom");
    refuses("a mistyped region of the user's own", like,
            ":23: region: unknown region 'nera'; did you mean 'near'?");
    bosc_job_destroy(job);
    free(text);
    free(at);
    free(there);
    free(like);
}

static void test_targets(void)
{
    bosc_job *job = parse_at("{region: [dendrite, apical], by: area, "
                             "distance: [50, 200 um]}");
    const bosc_target_location *at =
        job != NULL ? &job->network.projections[2].at : NULL;

    ok(at != NULL && at->kind == BOSC_TARGET_AREA &&
           !at->region.type[BOSC_SOMA] && !at->region.type[BOSC_AXON] &&
           at->region.type[BOSC_DENDRITE] && at->region.type[BOSC_APICAL] &&
           at->near == 50 && at->far == 200,
       "synapses may be at random in some regions, in a range of distance");
    bosc_job_destroy(job);
    job = parse_at("{}");
    at = job != NULL ? &job->network.projections[2].at : NULL;
    ok(at != NULL && at->kind == BOSC_TARGET_LENGTH &&
           at->region.type[BOSC_SOMA] && at->region.type[BOSC_CUSTOM] &&
           at->near == 0 && isinf(at->far),
       "unless said anywhere, by length");
    bosc_job_destroy(job);
    job = parse_at("{region: dendrite}");
    at = job != NULL ? &job->network.projections[2].at : NULL;
    ok(at != NULL && at->region.type[BOSC_DENDRITE] &&
           !at->region.type[BOSC_SOMA],
       "or in one region");
    bosc_job_destroy(job);
    job = parse_at("\"dend[12](0.25)\", source: {at: \"axon[1](1)\", "
                   "threshold: -10}");
    at = job != NULL ? &job->network.projections[2].at : NULL;
    ok(at != NULL && at->kind == BOSC_TARGET_PLACE && at->place.number == 12 &&
           at->place.x == 0.25 &&
           job->network.projections[2].source_at.region == BOSC_AXON &&
           job->network.projections[2].source_threshold == -10,
       "or in one place, as spikes may be seen in any");
    bosc_job_destroy(job);
}

static void test_files(void)
{
    bosc_job *job = parse_changed("rule: ring, weight: 0.5,",
                                  "rule: list, file: edges.tsv,");

    ok(job != NULL &&
           strcmp(job->network.projections[2].file, "edges.tsv") == 0 &&
           isnan(job->network.projections[2].weight.a) &&
           strcmp(job->network.projections[2].file_where,
                  "dir/my job.yaml:23") == 0,
       "connections may come from a file, weights with them");
    bosc_job_destroy(job);
    job = parse_changed("type: regular, interval: 2",
                        "type: file, file: spikes.nc");
    ok(job != NULL && job->network.sources[0].type == BOSC_SOURCE_FILE &&
           strcmp(job->network.sources[0].file, "spikes.nc") == 0 &&
           strcmp(job->network.sources[0].where, "dir/my job.yaml:15") == 0,
       "so may the spikes of sources");
    bosc_job_destroy(job);
    job = parse_changed("{box: [100, 90 um, 0]}", "{file: where.tsv}");
    ok(job != NULL && bosc_has_positions(&job->populations[0]) &&
           strcmp(job->populations[0].positions, "where.tsv") == 0 &&
           strcmp(job->populations[0].positions_where, "dir/my job.yaml:6") ==
               0,
       "and positions");
    bosc_job_destroy(job);
}

static void test_probes(void)
{
    bosc_job *job = parse_changed("interval: 0.1", "variables: [v, g, "
                                                   "Exp2Syn.B]");

    ok(job != NULL && job->probes[0].variables.n == 3,
       "a probe may record synapses that projections bring");
    bosc_job_destroy(job);
}

static void test_set(void)
{
    static const char *const set[] = {
        "projections[0].weight=0.002",
        "projections.loop.weight={normal: [1, 0.25], max: 3}",
        "projections.loop.at.by=area",
        "sources.noise.rate=5",
        "synapses.exc.tau=3",
        "populations.others.positions.box=[1, 2, 3]",
    };
    bosc_error err;
    bosc_job *job = parse(network, (int)BOSC_LEN(set), set, &err);

    if (!ok(job != NULL, "--set is read in a network"))
        diag("%s", err.text);
    else
        ok(job->network.projections[0].weight.a == 0.002 &&
               job->network.projections[2].weight.high == 3 &&
               job->network.projections[2].at.kind == BOSC_TARGET_AREA &&
               job->network.sources[1].rate == 5 &&
               job->network.synapses[0].type.p[TAU] == 3 &&
               job->populations[1].box[2] == 3 &&
               strcmp(job->network.projections[0].weight.where,
                      "--set projections[0].weight=0.002") == 0,
           "and changes synapses, sources, projections, positions");
    bosc_job_destroy(job);
}

static void test_notes(void)
{
    static const struct {
        const char *what, *from, *to, *note;
    } cases[] = {
        {"a network without a slip has no note", "tstop", "tstop", NULL},
        {"a synapse without projection is noted", "synapses:\n",
         "synapses:\n  - {name: gaba, type: ExpSyn}\n",
         "my job.yaml:12: synapses: no projection uses 'gaba'"},
        {"a source without projection is noted", "sources:\n",
         "sources:\n  - {name: more, type: poisson, rate: 1}\n",
         "my job.yaml:15: sources: no projection is from 'more'"},
        {"a source that starts too late is noted", "interval: 2",
         "interval: 2, start: 10, stop: 20",
         "my job.yaml:15: start: 10 ms is not before tstop, 10 ms: 'pulses' "
         "sends nothing"},
    };

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        bosc_job *job = parse_changed(cases[i].from, cases[i].to);
        const int n = job != NULL ? job->notes.n : -1;

        if (!ok(cases[i].note == NULL ? n == 0
                                      : n == 1 && strstr(job->notes.text[0],
                                                         cases[i].note) != NULL,
                "%s", cases[i].what))
            diag("%s", n > 0 ? job->notes.text[0] : "no note");
        bosc_job_destroy(job);
    }
}

/* --- what is refused ------------------------------------------------------ */

static const broken_job broken[] = {
    /* synapses */
    {"a synapse without type", "type: ExpSyn, ", "",
     ":12: 'type' is missing; add it: ExpSyn"},
    {"a mistyped type", "type: ExpSyn", "type: Expsyn",
     ":12: type: unknown type 'Expsyn'; did you mean 'ExpSyn'?"},
    {"an unknown type of synapse", "type: ExpSyn", "type: alpha",
     ":12: type: unknown type 'alpha'; available: ExpSyn, Exp2Syn"},
    {"a membrane as a synapse", "type: ExpSyn", "type: hh",
     ":12: type: hh is part of the membrane and belongs into 'regions:'; "
     "synapses are of type ExpSyn, Exp2Syn"},
    {"a parameter of the other type", "tau: 2", "tau1: 2",
     ":12: tau1 has no effect: the type is ExpSyn, which takes tau, e"},
    {"a mistyped parameter", "tau: 2", "tua: 2",
     ":12: unknown key 'tua'; did you mean 'tau'?"},
    {"a time constant of 0", "tau: 2", "tau: 0",
     ":12: tau: '0' is out of range; allowed: 1e-09 to 1000000000 ms"},
    {"a rise slower than the decay", "e: -80", "tau2: 3, tau1: 3",
     ":13: tau1: 3 ms is not less than tau2, 3 ms; with one time constant the "
     "type is ExpSyn"},
    {"two synapses of one name", "name: inh", "name: exc",
     ":13: name: entry 0 of synapses is called 'exc' as well; give each its "
     "own name"},
    {"a synapse as part of the membrane", "soma: {hh: {}}",
     "soma: {ExpSyn: {}}",
     ":7: ExpSyn is a synapse and no part of the membrane; give it a name "
     "under 'synapses:', and connections under 'projections:'"},
    {"a synapse at the top", "tstop: 10", "tstop: 10\nExpSyn: {}",
     ":2: key 'ExpSyn' does not belong here; its path is 'synapses[].type: "
     "ExpSyn'"},
    /* sources */
    {"an unknown type of source", "type: regular", "type: NetStim",
     ":15: type: unknown type 'NetStim'; available: regular, poisson, file"},
    {"a rate of a regular source", "interval: 2", "interval: 2, rate: 5",
     ":15: rate has no effect: the type is regular, which takes start, stop, "
     "number, interval, noise; remove rate, or write 'type: poisson'"},
    {"a regular source without interval", ", interval: 2", "",
     ":15: 'interval' is missing: type regular needs it; add it: "},
    {"a Poisson source without rate", ", rate: 20 Hz", "",
     ":16: 'rate' is missing: type poisson needs it"},
    {"a source of a file without file", "type: regular, interval: 2",
     "type: file", ":15: 'file' is missing: type file needs it"},
    {"more noise than all", "interval: 2", "interval: 2, noise: 1.5",
     ":15: noise: '1.5' is out of range; allowed: 0 to 1"},
    {"a rate in kHz", "20 Hz", "20 kHz", "but rate is in Hz; write 20000"},
    {"a stop before the start", "interval: 2", "interval: 2, start: 3, stop: 2",
     ":15: stop: 2 ms is before start, 3 ms"},
    {"a source named like a population", "name: noise", "name: cells",
     ":16: name: entry 0 of populations is called 'cells' as well"},
    {"two sources of one name", "name: noise", "name: pulses",
     ":16: name: entry 0 of sources is called 'pulses' as well"},
    /* the ends of projections */
    {"a mistyped sender", "from: pulses", "from: pulse",
     ":18: from: unknown population or source 'pulse'; did you mean "
     "'pulses'?"},
    {"an unknown sender", "from: pulses", "from: thalamus",
     ":18: from: unknown population or source 'thalamus'; available: "
     "cells, others, pulses, noise"},
    {"an unknown receiver", "to: cells", "to: thalamus",
     ":18: to: unknown population 'thalamus'; available: cells, others"},
    {"a source that receives", "to: cells", "to: noise",
     ":18: to: 'noise' is a source, which only sends; name a population"},
    {"an unknown synapse", "synapse: exc", "synapse: gaba",
     ":18: synapse: unknown synapse 'gaba'; available: exc, inh"},
    {"a job without synapses",
     "synapses:\n"
     "  - {name: exc, type: ExpSyn, tau: 2}\n"
     "  - {name: inh, type: Exp2Syn, e: -80}\n",
     "",
     ":15: synapse: the job has no synapses; add 'synapses: [{name: exc, type: "
     "ExpSyn}]'"},
    {"two projections of one name", "name: loop", "name: pulses-cells",
     ":22: name: entry 0 of projections is called 'pulses-cells' as well"},
    {"a detector at a source", "rule: all_to_all",
     "rule: all_to_all, source: {threshold: 0}",
     ":18: source has no effect: 'pulses' has no voltage, but sends spikes "
     "by itself; remove it"},
    {"a detector everywhere", "rule: ring",
     "rule: ring, source: {at: everywhere}",
     ":23: at: a spike is seen in one place; write soma, or"},
    /* rules */
    {"a projection without rule", " rule: all_to_all,", "",
     ":18: 'rule' is missing; add it: one_to_one, all_to_all"},
    {"a mistyped rule", "all_to_all", "all-to-all",
     ":18: rule: unknown rule 'all-to-all'; did you mean 'all_to_all'?"},
    {"an unknown rule", "all_to_all", "pairwise_bernoulli",
     ":18: rule: unknown rule 'pairwise_bernoulli'; available: one_to_one, "
     "all_to_all, fixed_indegree, fixed_probability, ring, distance, list"},
    {"a key of another rule", "rule: ring", "rule: ring, indegree: 3",
     ":23: indegree has no effect: the rule is ring, which takes offset; "
     "remove "
     "indegree, or write 'rule: fixed_indegree'"},
    {"a key of a rule that has none", "rule: all_to_all",
     "rule: one_to_one, autapses: true",
     ":18: autapses has no effect: the rule is one_to_one; remove autapses, or "
     "write 'rule: all_to_all'"},
    {"an offset of another rule", "indegree: 3", "indegree: 3, offset: 2",
     ":21: offset has no effect: the rule is fixed_indegree, which takes "
     "indegree, autapses; remove offset, or write 'rule: ring'"},
    {"autapses of a ring", "rule: ring", "rule: ring, autapses: false",
     ":23: autapses has no effect: the rule is ring"},
    {"no indegree", ", indegree: 3", "",
     ":20: 'indegree' is missing: rule fixed_indegree needs it; add it: "
     "fixed_indegree, required: connections of each target"},
    {"no probability", "rule: ring", "rule: fixed_probability",
     ":22: 'probability' is missing: rule fixed_probability needs it"},
    {"no length", "rule: ring", "rule: distance",
     ":22: 'length' is missing: rule distance needs it"},
    {"no list", "rule: ring", "rule: list",
     ":22: 'file' is missing: rule list needs it"},
    {"no weight", "rule: ring, weight: 0.5", "rule: ring",
     ":22: 'weight' is missing: rule ring needs it"},
    {"a probability over 1", "rule: ring",
     "rule: fixed_probability, probability: 1.5",
     ":23: probability: '1.5' is out of range; allowed: 0 to 1"},
    {"half a source", "indegree: 3", "indegree: 2.5",
     ":21: indegree: '2.5' is not a whole number"},
    /* draws */
    {"a weight in nS", "0.5, delay", "0.5 nS, delay",
     ":23: weight: '0.5 nS' has the unit 'nS', but weight is in uS; write "
     "0.0005"},
    {"a negative delay", "delay: 2.5", "delay: -1",
     ":23: delay: '-1 ms' is out of range; allowed: 0 to 1000000 ms"},
    {"a weight that is a list", "weight: 0.5", "weight: [0.5, 1]",
     ":23: weight is one number, or drawn, not a list; write 'weight: {uni"},
    {"a mistyped distribution", "weight: 0.5", "weight: {norml: [1, 2]}",
     ":23: unknown key 'norml'; did you mean 'normal'?"},
    {"a draw that does not say how", "weight: 0.5", "weight: {min: 1}",
     ":23: weight: how is it drawn? give one of uniform, normal, lognormal "
     "and distance"},
    {"two distributions", "weight: 0.5",
     "weight: {normal: [1, 2], uniform: [1, 2]}",
     ":23: weight: both uniform and normal say how it is drawn; keep one"},
    {"a distribution of one number", "weight: 0.5", "weight: {normal: 3}",
     ":23: normal: write two numbers, 'normal: [mean, standard deviation]'"},
    {"a distribution of three", "weight: 0.5", "weight: {uniform: [1, 2, 3]}",
     ":23: uniform: write two numbers, 'uniform: [lower end, upper end]'"},
    {"a uniform range backwards", "weight: 0.5", "weight: {uniform: [2, 1]}",
     ":23: uniform: 2 is more than 1 uS; write the smaller number first"},
    {"a negative standard deviation", "weight: 0.5",
     "weight: {normal: [2, -1]}",
     ":23: standard deviation of normal: '-1' is out of range; allowed: 0 to "
     "1000000 uS"},
    {"a lognormal mean of 0", "weight: 0.5", "weight: {lognormal: [0, 1]}",
     ":23: lognormal: its numbers are positive, so a mean of 0 uS cannot be"},
    {"a word in a draw", "weight: 0.5", "weight: {normal: [a, 1]}",
     ":23: mean of normal: 'a' is not a number"},
    {"a change per um in uS", "weight: 0.5", "weight: {distance: [1, 2 uS]}",
     ":23: change per um: '2 uS' has the unit 'uS', but change per um is in "
     "uS/um"},
    {"a mean delay below 0", "delay: 2.5 ms", "delay: {normal: [-1, 1]}",
     ":23: mean of normal: '-1' is out of range; allowed: 0 to 1000000 ms"},
    {"min over max", "weight: 0.5", "weight: {normal: [2, 1], min: 3, max: 1}",
     ":23: weight: nothing is left, its least value would be 3 uS and its "
     "greatest 1 uS; change min or max"},
    {"limits beside the range", "weight: 0.5",
     "weight: {uniform: [2, 3], max: 1}",
     ":23: weight: nothing is left, its least value would be 2 uS and its "
     "greatest 1 uS"},
    /* targets */
    {"a target everywhere", "rule: ring", "rule: ring, at: everywhere",
     ":23: at: a synapse sits in one place; write '{region: all}' for one at "
     "random"},
    {"a region as target", "rule: ring", "rule: ring, at: dendrite",
     ":23: at: which section is meant by 'dendrite'? number it, such as "
     "\"dend[0](0.5)\", or write '{region: dendrite}' for places at random"},
    {"an unknown region", "rule: ring", "rule: ring, at: {region: dend}",
     ":23: region: unknown region 'dend'; available: all, soma, axon, "
     "dendrite, apical, custom"},
    {"a mistyped region", "rule: ring", "rule: ring, at: {region: dendrit}",
     ":23: region: unknown region 'dendrit'; did you mean 'dendrite'?"},
    {"no region", "rule: ring", "rule: ring, at: {region: []}",
     ":23: region: the list is empty"},
    {"commas for regions", "rule: ring", "rule: ring, at: {region: \",\"}",
     ":23: region: nothing is named"},
    {"a distance of one number", "rule: ring", "rule: ring, at: {distance: 50}",
     ":23: distance: write two numbers, 'distance: [nearest, farthest]'"},
    {"a distance backwards", "rule: ring",
     "rule: ring, at: {distance: [50, 10]}",
     ":23: distance: 50 is more than 10 um; write the smaller number first"},
    {"a measure that is none", "rule: ring", "rule: ring, at: {by: volume}",
     ":23: by: unknown measure 'volume'; available: length, area"},
    {"a mistyped key of a target", "rule: ring", "rule: ring, at: {regions: a}",
     ":23: unknown key 'regions'; did you mean 'region'?"},
    /* positions */
    {"a box of two sides", "[100, 90 um, 0]", "[100, 90]",
     ":6: box: write three numbers, 'box: [x, y, z]'"},
    {"a box of no size", "[100, 90 um, 0]", "[0, 0, 0]",
     ":6: positions: where are the somata? write 'box: [200, 200, 100]' with"},
    {"positions that say nothing", "{box: [100, 90 um, 0]}", "{}",
     ":6: positions: where are the somata?"},
    {"a negative side", "[100, 90 um, 0]", "[100, -1, 0]",
     ":6: box: '-1' is out of range; allowed: 0 to 10000000 um"},
    {"a box and a file", "90 um, 0]", "90, 0], file: where.tsv",
     ":6: positions: box and file both say where the somata are; keep one"},
    {"a weight by a distance without positions",
     "to: cells, synapse: inh,\n     rule: ring, weight: 0.5",
     "to: others, synapse: inh,\n     rule: ring, weight: {distance: [1, 1]}",
     ":23: weight: a distance needs positions, and population 'others' has "
     "none; give it 'positions: {box: [200, 200, 100]}'"},
    {"a delay by a distance from a source", "weight: 0.001",
     "weight: 0.001, delay: {distance: [1, 1]}",
     ":19: delay: there is no distance from source 'pulses', sources have no "
     "positions"},
    {"a rule by a distance from a source", "rule: all_to_all",
     "rule: distance, length: 50",
     ":18: rule: there is no distance from source 'pulses'"},
    /* probes */
    {"a synapse that no projection brings", "interval: 0.1",
     "population: others, variables: A",
     ":25: variables: probe 'soma' records A, a state of Exp2Syn, but no "
     "projection has such a synapse on its neurons; add one, or "
     "record v"},
};

int main(void)
{
    bosc_error err;
    bosc_job *job = parse(network, 0, NULL, &err);

    if (ok(job != NULL, "a small network is read")) {
        test_lists(job);
        test_projections(job);
    } else {
        diag("%s", err.text);
    }
    bosc_job_destroy(job);
    test_draws();
    test_targets();
    test_own_regions();
    test_files();
    test_probes();
    test_set();
    test_notes();
    refuses_all(network, BOSC_LEN(broken), broken);
    return done_testing();
}
