/* Sweeps: members, their names and values, their groups, and the job that they
 * become together.
 */
#include "src/sweep/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/mech/builtin.h"
#include "src/base/mem.h"
#include "tests/lib/mechs.h"
#include "tests/lib/tap.h"

static const char network[] =
    "tstop: 10\n"                                                       /* 1 */
    "populations:\n"                                                    /* 2 */
    "  - {name: a, synthetic: {compartments: 31, sections: 15},\n"      /* 3 */
    "     count: 4, regions: {all: {pas: {}}, soma: {hh: {}}}}\n"       /* 4 */
    "  - {name: b, synthetic: {compartments: 31, sections: 15},\n"      /* 5 */
    "     regions: {all: {pas: {}}}}\n"                                 /* 6 */
    "synapses:\n"                                                       /* 7 */
    "  - {name: exc, type: ExpSyn, tau: 2}\n"                           /* 8 */
    "  - {name: inh, type: Exp2Syn, e: -80}\n"                          /* 9 */
    "sources: [{name: noise, type: poisson, rate: 20, count: 7}]\n"     /* 10 */
    "projections:\n"                                                    /* 11 */
    "  - {from: noise, to: b, synapse: exc, rule: all_to_all,\n"        /* 12 */
    "     weight: 0.001}\n"                                             /* 13 */
    "  - {from: a, to: b, synapse: inh, rule: all_to_all, weight: 1}\n" /* 14 */
    "couplings: [{type: gap, from: b, to: a, rule: all_to_all,\n"       /* 15 */
    "    conductance: 0.001}]\n"                                        /* 16 */
    "clamps: [{population: a, duration: 5, amplitude: 0.5}]\n"          /* 17 */
    "probes: [{name: soma, interval: 0.1}]\n";                          /* 18 */

/* The network with a sweep; NULL, with the message in err, where it is
 * refused. */
static bosc_job *parse(const char *sweep, const char *members, int group,
                       bosc_error *err)
{
    char *text = bosc_format("%s%s", network, sweep);
    const bosc_texts set = {0};
    const bosc_sweep_request request = {test_mechs(), "dir/job.yaml", text,
                                        &set,         members,        group};
    bosc_job *job = NULL;

    err->text[0] = '\0';
    if (bosc_sweep_parse(&request, &job, err) != BOSC_OK)
        job = NULL;
    free(text);
    return job;
}

static bosc_job *accept(const char *sweep, const char *members, int group)
{
    bosc_error err;
    bosc_job *job = parse(sweep, members, group, &err);

    if (job == NULL)
        diag("%s", err.text);
    return job;
}

/* --- what members are ---------------------------------------------------- */

static void test_names(void)
{
    bosc_job *job =
        accept("sweep:\n"
               "  grid: {clamps.0.amplitude: [0.1, 0.2 nA]}\n"
               "  zip:\n"
               "    name: [p, q, r]\n"
               "    populations.a.regions.soma.hh.gnabar: [1, 2, 3]\n"
               "    populations.b.regions.all.pas: [{}, {g: 1e-3}, {}]\n",
               NULL, 0);
    const bosc_sweep *s = job != NULL ? job->sweep : NULL;

    ok(s != NULL && s->n_members == 6 && s->n_all == 6 && s->n_groups == 1,
       "each value goes with each of the other parts");
    ok(s != NULL && strcmp(s->members[4].name, "amplitude=0.2 nA, q") == 0,
       "the last part changes fastest, and members have names");
    ok(s != NULL && s->keys[0].numbers && s->members[4].x[0] == 0.2 &&
           strcmp(s->keys[0].unit, "nA") == 0 &&
           strcmp(s->keys[0].name, "amplitude") == 0 &&
           strcmp(s->keys[0].path, "clamps.0.amplitude") == 0,
       "numbers have the unit of their key");
    ok(s != NULL && strcmp(s->keys[1].unit, "S/cm2") == 0 &&
           strcmp(s->keys[1].name, "gnabar") == 0 && s->members[4].x[1] == 2,
       "also those of mechanisms");
    ok(s != NULL && !s->keys[2].numbers &&
           strcmp(s->members[4].value[2], "{g: 1e-3}") == 0,
       "others are texts");
    bosc_job_destroy(job);
    job = accept("sweep: {grid: {populations.a.count: [1, 2], "
                 "populations.b.count: [3]}}\n",
                 NULL, 0);
    s = job != NULL ? job->sweep : NULL;
    ok(s != NULL && strcmp(s->keys[0].name, "a_count") == 0 &&
           strcmp(s->keys[1].name, "b_count") == 0,
       "names are as long as they need be");
    bosc_job_destroy(job);
}

static void test_choice(void)
{
    static const char sweep[] =
        "sweep: {grid: {dt: [0.1, 0.05], clamps.0.amplitude: [1, 2, 3]}}\n";
    bosc_job *all = accept(sweep, NULL, 0), *second = accept(sweep, NULL, 1),
             *some = accept(sweep, "0,2-4", 0);
    bosc_error err;

    ok(all != NULL && all->sweep->n_groups == 2 && all->sweep->n_members == 3 &&
           all->dt == 0.1 && second != NULL && second->sweep->n_members == 3 &&
           second->dt == 0.05 && second->sweep->members[0].number == 3,
       "members of two steps are two groups");
    ok(some != NULL && some->sweep->n_members == 2 &&
           some->sweep->members[1].number == 2 && some->points.n_clamps == 2 &&
           some->points.clamps[1].amplitude == 3,
       "members are chosen by their numbers");
    ok(all != NULL && second != NULL && some != NULL &&
           all->sweep->checksum == second->sweep->checksum &&
           all->sweep->checksum == some->sweep->checksum,
       "each part knows the whole sweep");

    char *a = all != NULL ? bosc_job_values(all) : NULL,
         *b = some != NULL ? bosc_job_values(some) : NULL;

    ok(a != NULL && b != NULL && strcmp(a, b) != 0 &&
           strstr(a, "sweep.members[1].clamps.0.amplitude: 2\n") != NULL,
       "and is another job, with the values of its members");
    free(a);
    free(b);
    ok(parse(sweep, "6", 0, &err) == NULL &&
           strstr(err.text, "'6' is no member") != NULL,
       "a member that is not there is refused");
    ok(parse(sweep, NULL, 2, &err) == NULL &&
           strstr(err.text, "2 groups") != NULL,
       "and so is a group");
    bosc_job_destroy(all);
    bosc_job_destroy(second);
    bosc_job_destroy(some);
}

/* --- the job of all ------------------------------------------------------ */

static void test_join(void)
{
    bosc_job *job =
        accept("sweep:\n"
               "  zip: {seed: [5, 6, 7], synapses.exc.tau: [2, 3, 2],\n"
               "        populations.a.count: [4, 4, 5]}\n",
               NULL, 0);
    bool fine = job != NULL && job->n_populations == 6 &&
                job->points.n_clamps == 3 && job->network.n_sources == 3 &&
                job->network.n_projections == 6 &&
                job->network.n_couplings == 3 && job->n_probes == 1;

    ok(fine, "entries of members follow each other, and probes are common");
    if (!fine)
        return;
    for (int j = 0; j < 3; ++j) {
        const bosc_projection_spec *noise = &job->network.projections[2 * j],
                                   *own = &job->network.projections[2 * j + 1],
                                   *gap = &job->network.couplings[j].link;

        fine = fine && noise->from_index == -1 - j &&
               noise->to_index == 2 * j + 1 && own->from_index == 2 * j &&
               own->to_index == 2 * j + 1 && gap->from_index == 2 * j + 1 &&
               gap->to_index == 2 * j;
    }
    ok(fine, "connections are between populations of one member");
    fine = true;
    for (int j = 0; j < 3; ++j) {
        const uint64_t seed = 5 + (uint64_t)j;

        fine = fine && job->populations[2 * j].member == j &&
               job->populations[2 * j + 1].seed == seed &&
               job->network.sources[j].seed == seed &&
               job->network.projections[2 * j].seed == seed &&
               job->network.couplings[j].link.seed == seed &&
               bosc_selection_covers(&job->points.clamps[j].point.neurons,
                                     &job->populations[2 * j]) &&
               !bosc_selection_covers(&job->points.clamps[j].point.neurons,
                                      &job->populations[(2 * j + 2) % 6]);
    }
    ok(fine, "each has its seed, and its clamps");
    ok(job->populations[4].count == 5 &&
           strcmp(job->populations[4].name, "a") == 0,
       "names are the same in all");
    ok(job->network.n_synapses == 3 &&
           strcmp(job->network.synapses[0].name, "exc") == 0 &&
           strcmp(job->network.synapses[1].name, "exc") == 0 &&
           job->network.synapses[1].like == 1 &&
           job->network.synapses[1].type.p[0] == 3 &&
           job->network.projections[0].synapse_index == 0 &&
           job->network.projections[2].synapse_index == 1 &&
           job->network.projections[4].synapse_index == 0 &&
           job->network.projections[5].synapse_index == 2,
       "equal kinds of synapses are shared, in the order that each has");
    bosc_job_destroy(job);
}

static void test_draws(void)
{
    static const char sweep[] =
        "sweep: {draws: {n: 50, keys: {clamps.0.amplitude: {uniform: [1, 2]},\n"
        "  clamps.0.delay: {normal: [5, 1], max: 6}}}}\n";
    bosc_job *a = accept(sweep, NULL, 0), *b = accept(sweep, "7", 0);
    bool within = a != NULL && a->points.n_clamps == 50, differ = false;

    for (int i = 0; within && i < 50; ++i) {
        within = a->points.clamps[i].amplitude >= 1 &&
                 a->points.clamps[i].amplitude <= 2 &&
                 a->points.clamps[i].delay <= 6;
        differ = differ ||
                 a->points.clamps[i].amplitude != a->points.clamps[0].amplitude;
    }
    ok(within && differ, "values are drawn as the sweep says");
    ok(within && b != NULL && b->points.n_clamps == 1 &&
           b->points.clamps[0].amplitude == a->points.clamps[7].amplitude,
       "those of a member are the same without the others");
    bosc_job_destroy(a);
    bosc_job_destroy(b);
}

static void test_none(void)
{
    bosc_job *job = accept("sweep: null\n", NULL, 0);

    ok(job != NULL && job->sweep == NULL && job->n_populations == 2,
       "a job without a sweep is as always");
    bosc_job_destroy(job);
}

/* --- refused ------------------------------------------------------------- */

static const struct {
    const char *what, *sweep, *message;
} broken[] = {
    {"a member out of range",
     "sweep:\n  grid:\n    clamps.0.amplitude: [1, 1e9]\n",
     "dir/job.yaml:21: member 1, clamps.0.amplitude=1e9: amplitude: '1e9' is "
     "out of range"},
    {"a key that does not exist",
     "sweep: {grid: {populations.a.regions.soma.hh.gnabr: [1]}}\n",
     "dir/job.yaml:19: member 0, populations.a.regions.soma.hh.gnabr=1: "
     "unknown "
     "key 'gnabr'; did you mean 'gnabar'?"},
    {"an entry that does not exist",
     "sweep: {grid: {populations.c.count: [1]}}\n",
     "no entry 'c' in populations"},
    {"an empty list", "sweep: {grid: {dt: []}}\n",
     "dir/job.yaml:19: sweep: the list of dt is empty"},
    {"a key within another that is swept",
     "sweep: {grid: {clamps: [[]], clamps.0.delay: [1]}}\n",
     "'clamps.0.delay' is swept already, by 'clamps'"},
    {"more members than any machine runs",
     "sweep: {draws: {n: 1000000, keys: {dt: {uniform: [0.1, 0.2]}}},\n"
     "  grid: {tstop: [1, 2]}}\n",
     "more than 1000000 members"},
    {"a part that there is not", "sweep: {gird: {dt: [1]}}\n",
     "unknown key 'gird'; did you mean 'grid'?"},
};

static void test_refused(void)
{
    bosc_error err;

    for (size_t i = 0; i < BOSC_LEN(broken); ++i) {
        bosc_job *job = parse(broken[i].sweep, NULL, 0, &err);

        if (!ok(job == NULL && strstr(err.text, broken[i].message) != NULL,
                "%s is refused", broken[i].what))
            diag("got: %s", job != NULL ? "a job" : err.text);
        bosc_job_destroy(job);
    }
}

int main(void)
{
    test_names();
    test_choice();
    test_join();
    test_draws();
    test_none();
    test_refused();
    return done_testing();
}
