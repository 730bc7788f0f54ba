/* network.c - networks: who is connected to whom by each rule, and that no
 * division of the neurons changes it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/mech/builtin.h"
#include "tests/lib/netlist.h"
#include "tests/lib/tap.h"

enum {
    A = NETLIST_A,
    N_A = NETLIST_N_A,
    B = NETLIST_B,
    N_B = NETLIST_N_B,
    C = NETLIST_C,
    N_C = NETLIST_N_C,
    BEAT = NETLIST_BEAT,
    N_BEAT = NETLIST_N_BEAT
};

/* --- exact sets ----------------------------------------------------------- */

static int always(int64_t s, int64_t t)
{
    return s >= 0 && t >= 0;
}

static int equal(int64_t s, int64_t t)
{
    return s == t;
}

static int unequal(int64_t s, int64_t t)
{
    return s != t;
}

static int next(int64_t s, int64_t t)
{
    return (s + 1) % N_A == t % N_A;
}

static int two_before(int64_t s, int64_t t)
{
    return s == (t + 2) % N_A;
}

static int thirty_before(int64_t s, int64_t t)
{
    return (s + 30) % N_A == t;
}

static int beat_next(int64_t s, int64_t t)
{
    return s == (t + 5) % N_BEAT;
}

static const struct {
    const char *name, *line; /* of the job */
    int64_t source, n_source, target, n_target;
    int (*count)(int64_t s, int64_t t); /* numbers in their populations */
} exact[] = {
    {"one_to_one joins equal numbers", "{from: a, to: a, rule: one_to_one, ", A,
     N_A, A, N_A, equal},
    {"all_to_all joins all", "{from: a, to: b, rule: all_to_all, ", A, N_A, B,
     N_B, always},
    {"all_to_all joins a neuron to itself",
     "{from: b, to: b, rule: all_to_all, ", B, N_B, B, N_B, always},
    {"unless it has no autapses",
     "{from: b, to: b, rule: all_to_all, autapses: false, ", B, N_B, B, N_B,
     unequal},
    {"which mean nothing between populations",
     "{from: b, to: a, rule: all_to_all, autapses: false, ", B, N_B, A, N_A,
     always},
    {"sources reach all as well", "{from: beat, to: b, rule: all_to_all, ",
     BEAT, N_BEAT, B, N_B, always},
    {"a ring joins a neuron to the next", "{from: a, to: a, rule: ring, ", A,
     N_A, A, N_A, next},
    {"offset -2 to the last but one",
     "{from: a, to: a, rule: ring, offset: -2, ", A, N_A, A, N_A, two_before},
    {"offsets go round", "{from: a, to: a, rule: ring, offset: 30, ", A, N_A, A,
     N_A, thirty_before},
    {"far ones to itself", "{from: a, to: a, rule: ring, offset: -120, ", A,
     N_A, A, N_A, equal},
    {"a ring between populations repeats the smaller",
     "{from: beat, to: b, rule: ring, offset: 1, ", BEAT, N_BEAT, B, N_B,
     beat_next},
    {"a ring leaves out what has no target", "{from: a, to: b, rule: ring, ", A,
     N_A, B, N_B, next},
    {"probability 1 joins all",
     "{from: a, to: b, rule: fixed_probability, probability: 1, ", A, N_A, B,
     N_B, always},
};

/* Every pair that should be joined is, and nobody else. */
static bool is_exact(const netlist *list, size_t k)
{
    size_t total = 0;

    for (int64_t s = 0; s < exact[k].n_source; ++s)
        for (int64_t t = 0; t < exact[k].n_target; ++t) {
            const int want = exact[k].count(s, t);

            if (netlist_count(list, exact[k].source + s, exact[k].target + t) !=
                want) {
                diag("%d to %d", (int)s, (int)t);
                return false;
            }
            total += (size_t)want;
        }
    return total == list->n && list->made == (int64_t)total;
}

static void test_exact(void)
{
    for (size_t k = 0; k < BOSC_LEN(exact); ++k) {
        char line[200];

        snprintf(line, sizeof line,
                 "  - %ssynapse: ampa, weight: 0.25, delay: 1.5}\n",
                 exact[k].line);

        netlist list = netlist_create(line, 1, NULL);
        bool plain = true;

        for (size_t i = 0; i < list.n; ++i)
            plain = plain && list.arc[i].weight == 0.25 &&
                    list.arc[i].delay == 60 &&
                    list.arc[i].node == list.cable->soma &&
                    list.arc[i].mech == BOSC_MECH_ExpSyn;
        ok(is_exact(&list, k) && plain, "%s (%zu)", exact[k].name, list.n);
        netlist_clear(&list);
    }
}

static void test_list(void)
{
    static bosc_edge edges[] = {/* by target, then row */
                                {0, 2, 11, NAN, NAN},
                                {3, 0, 3, 0.5, 2},
                                {3, 3, 3, 0.75, NAN},
                                {8, 1, 0, NAN, 0.0125}};
    /* half a step, and spikes of neurons are a little late */
    static const netlist_arc want[] = {
        {A + 0, B + 8, BOSC_MECH_Exp2Syn, 0, 1, 0.25},
        {A + 3, B + 3, BOSC_MECH_Exp2Syn, 0, 60, 0.75},
        {A + 3, B + 3, BOSC_MECH_Exp2Syn, 0, 80, 0.5},
        {A + 11, B + 0, BOSC_MECH_Exp2Syn, 0, 60, 0.25},
    };
    const bosc_network_files files = {(bosc_edge_list[]){{.n = BOSC_LEN(edges),
                                                          .edge = edges,
                                                          .line = -1,
                                                          .section = -1,
                                                          .x = -1,
                                                          .kind = -1}},
                                      (double *[]){NULL, NULL, NULL}};
    netlist list = netlist_create(
        "  - {from: a, to: b, rule: list, file: any.tsv, synapse: gaba, "
        "weight: 0.25, delay: 1.5}\n",
        1, &files);
    bool same = list.n == BOSC_LEN(want);

    for (size_t i = 0; same && i < list.n; ++i)
        same = list.arc[i].source == want[i].source &&
               list.arc[i].target == want[i].target &&
               list.arc[i].mech == want[i].mech &&
               list.arc[i].node == list.cable->soma &&
               list.arc[i].weight == want[i].weight &&
               list.arc[i].delay == want[i].delay;
    ok(same, "a list joins what it names, and says weights and delays or not");
    netlist_clear(&list);
}

/* --- drawn sources -------------------------------------------------------- */

static bool within(double got, double mean, double variance)
{
    if (fabs(got - mean) <= 5 * sqrt(variance))
        return true;
    diag("%g, not %g within %g", got, mean, 5 * sqrt(variance));
    return false;
}

static void test_indegree(bool autapses)
{
    enum { K = 300 };
    netlist list = netlist_create(
        autapses ? "  - {from: b, to: b, rule: fixed_indegree, indegree: 300, "
                   "synapse: ampa, weight: 1}\n"
                 : "  - {from: b, to: b, rule: fixed_indegree, indegree: 300, "
                   "autapses: false, synapse: ampa, weight: 1}\n",
        1, NULL);
    const double p = autapses ? 1.0 / N_B : 1.0 / (N_B - 1);
    bool all = list.n == (size_t)K * N_B, even = true;

    for (int64_t t = B; t < B + N_B; ++t) {
        int total = 0;

        for (int64_t s = B; s < B + N_B; ++s) {
            const int n = netlist_count(&list, s, t);

            total += n;
            even = even &&
                   (s == t && !autapses ? n == 0
                                        : within(n, K * p, K * p * (1 - p)));
        }
        all = all && total == K;
    }
    ok(all, "fixed_indegree %s autapses: exactly %d a target",
       autapses ? "with" : "without", K);
    ok(even, "all sources are drawn as often%s",
       autapses ? "" : ", but a neuron itself never");
    netlist_clear(&list);
}

/* Gaps between the sources of a target are geometric; 20 gaps and the rest:
 * chi-square above 70 would be 1 in a million. */
static double gaps_chi(const netlist *list, double p)
{
    enum { GAPS = 20 };
    double counts[GAPS + 1] = {0}, n = 0, chi = 0;

    for (int64_t t = C; t < C + N_C; ++t)
        for (int64_t s = C, last = C - 1; s < C + N_C; ++s) {
            if (netlist_count(list, s, t) == 0)
                continue;
            if (last < C + N_C - 80) { /* where the end cuts no gap short */
                ++counts[s - last - 1 < GAPS ? s - last - 1 : GAPS];
                ++n;
            }
            last = s;
        }
    for (int g = 0; g <= GAPS; ++g) {
        const double want = n * pow(1 - p, g) * (g < GAPS ? p : 1);

        chi += (counts[g] - want) * (counts[g] - want) / want;
    }
    return chi;
}

static void test_probability(void)
{
    const double p = 0.13, pairs = (double)N_C * N_C;
    netlist list = netlist_create("  - {from: c, to: c, rule: "
                                  "fixed_probability, probability: 0.13, "
                                  "synapse: ampa, weight: 1}\n",
                                  1, NULL);
    bool once = true, even = true, self = false;
    const double chi = gaps_chi(&list, p);

    for (int64_t s = C; s < C + N_C; ++s) {
        int out = 0;

        for (int64_t t = C; t < C + N_C; ++t) {
            const int n = netlist_count(&list, s, t);

            once = once && n <= 1;
            out += n;
        }
        even = even && within(out, N_C * p, N_C * p * (1 - p));
        self = self || netlist_count(&list, s, s) > 0;
    }
    ok(within((double)list.n, pairs * p, pairs * p * (1 - p)) && once,
       "fixed_probability joins its share of pairs, each at most once");
    ok(even && self, "every source has its share, itself included");
    ok(chi < 70, "the gaps between sources are geometric (chi-square %.1f)",
       chi);
    netlist_clear(&list);
    list = netlist_create("  - {from: c, to: c, rule: fixed_probability, "
                          "probability: 0.13, autapses: false, "
                          "synapse: ampa, weight: 1}\n"
                          "  - {name: none, from: a, to: a, "
                          "rule: fixed_probability, probability: 0, "
                          "synapse: ampa, weight: 1}\n",
                          1, NULL);
    self = false;
    for (int64_t s = C; s < C + N_C; ++s)
        self = self || netlist_count(&list, s, s) > 0;
    ok(!self && list.n > 1000, "without autapses nobody is joined to itself");
    ok(netlist_count(&list, A, A) == 0 && list.arc[0].source >= C,
       "probability 0 joins nobody");
    netlist_clear(&list);
}

static double distance(const netlist *list, int64_t s, int64_t t)
{
    const bosc_model scene = {list->job, list->gid_table, NULL, NULL};
    double a[3], b[3];

    bosc_model_position(&scene, 2, s - C, a);
    bosc_model_position(&scene, 2, t - C, b);
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) +
                pow(a[2] - b[2], 2));
}

static void test_distance(void)
{
    enum { BINS = 12, WIDTH = 30 };
    netlist list = netlist_create(
        "  - {from: c, to: c, rule: distance, probability: 0.8, length: 70, "
        "synapse: ampa, weight: 1}\n",
        1, NULL);
    double got[BINS] = {0}, want[BINS] = {0}, variance[BINS] = {0};
    bool right = true;

    for (int64_t s = C; s < C + N_C; ++s)
        for (int64_t t = C; t < C + N_C; ++t) {
            const double d = distance(&list, s, t), p = 0.8 * exp(-d / 70);
            const int bin = fmin(d / WIDTH, BINS - 1);

            got[bin] += netlist_count(&list, s, t);
            want[bin] += p;
            variance[bin] += p * (1 - p);
        }
    for (int k = 0; k < BINS; ++k)
        right = right && within(got[k], want[k], variance[k]);
    ok(right && list.n > 2000,
       "the chance of two neurons falls with their "
       "distance as the rule says (%zu)",
       list.n);
    netlist_clear(&list);
}

/* --- the same network however it is divided ------------------------------- */

static const char much[] =
    "  - {from: a, to: a, rule: ring, synapse: ampa, weight: 1, delay: 3}\n"
    "  - {from: a, to: c, rule: all_to_all, synapse: gaba,\n"
    "     weight: {normal: [1, 0.2]}, delay: {distance: [1, 0.01]},\n"
    "     at: {region: [dendrite, axon]}}\n"
    "  - {from: c, to: c, rule: fixed_indegree, indegree: 20, synapse: ampa,\n"
    "     weight: {lognormal: [1, 0.4]}, delay: {uniform: [1, 4]},\n"
    "     at: {region: all, by: area, distance: [0, 60]}}\n"
    "  - {from: c, to: b, rule: fixed_probability, probability: 0.2,\n"
    "     synapse: ampa, weight: {uniform: [0, 1]}, at: {region: dendrite},\n"
    "     source: {at: \"axon[0](1)\", threshold: -10}}\n"
    "  - {from: b, to: c, rule: distance, length: 80, synapse: gaba,\n"
    "     weight: {distance: [1, -0.002]}}\n"
    "  - {from: beat, to: c, rule: fixed_indegree, indegree: 3,\n"
    "     synapse: ampa, weight: 0.5, delay: 0, at: \"dend[1](0.3)\"}\n";

static void test_division(void)
{
    netlist one = netlist_create(much, 1, NULL);

    ok(one.n > 7000 && one.made == (int64_t)one.n,
       "a network by many rules is made (%zu connections)", one.n);
    for (int parts = 2; parts <= 7; parts += parts < 3 ? 1 : 4) {
        netlist many = netlist_create(much, parts, NULL);

        ok(netlist_same(&one, &many), "in %d parts it is the same", parts);
        netlist_clear(&many);
    }
    netlist_clear(&one);
}

/* Two jobs that differ in one word. */
static void test_keys(void)
{
#define RULE                                                                   \
    "from: c, to: c, rule: fixed_indegree, indegree: 5, synapse: ampa, "       \
    "weight: 1}\n"
    netlist one = netlist_create("  - {name: one, " RULE, 1, NULL);
    netlist again = netlist_create("  - {name: one, " RULE, 1, NULL);
    netlist two = netlist_create("  - {name: two, " RULE, 1, NULL);
    netlist seed = netlist_create("  - {name: one, " RULE "seed: 2\n", 1, NULL);
#undef RULE

    ok(netlist_same(&one, &again), "the same job makes the same network");
    ok(!netlist_same(&one, &two), "another name of a projection another");
    ok(!netlist_same(&one, &seed), "so does another seed");
    netlist_clear(&one);
    netlist_clear(&again);
    netlist_clear(&two);
    netlist_clear(&seed);
}

static void test_bytes(void)
{
    static const char thousand[] =
        "  - {from: c, to: c, rule: fixed_indegree, indegree: 1000, "
        "synapse: ampa, weight: 1, at: {region: all}}\n";

    for (int parts = 1; parts <= 4; parts *= 2) {
        netlist list = netlist_create(thousand, parts, NULL);
        const double each = (double)list.bytes / (double)list.n;

        ok(list.n == 200000 && each >= 16 && each < 24,
           "1,000 connections a neuron, %d parts: %.1f bytes each", parts,
           each);
        netlist_clear(&list);
    }
}

static void test_refused(void)
{
    static const struct {
        const char *name, *lines, *says;
    } cases[] = {
        {"one_to_one between unequal populations",
         "  - {from: a, to: b, rule: one_to_one, synapse: ampa, weight: 1}\n",
         "net.yaml:15: 'a-b': one_to_one needs equal sizes: "
         "'a' has 12 sources, 'b' 9 targets"},
        {"a region that the target has not",
         "  - {from: a, to: b, rule: ring, synapse: ampa, weight: 1,\n"
         "     at: {region: apical}}\n",
         "net.yaml:16: neuron 12 (population b) has no compartment of these "
         "regions for the synapses of projection 'a-b'; choose others"},
        {"a distance beyond the target's tips",
         "  - {from: a, to: b, rule: ring, synapse: ampa, weight: 1,\n"
         "     at: {region: all, distance: [121, 900]}}\n",
         "these regions between 121 and 900 um from its soma for"},
        {"a section that the target has not",
         "  - {from: a, to: b, rule: ring, synapse: ampa, weight: 1,\n"
         "     at: \"dend[3](0.5)\"}\n",
         "dend[3]"},
        {"a section to be watched that the source has not",
         "  - {from: a, to: b, rule: ring, synapse: ampa, weight: 1,\n"
         "     source: {at: \"axon[1](1)\"}}\n",
         "axon[1]"},
        {"a delay of 2^31 - 1 steps",
         "  - {from: beat, to: b, rule: ring, synapse: ampa, weight: 1,\n"
         "     delay: 2147.483647}\n"
         "dt: 1e-6\n",
         "net.yaml:16: projection 'beat-b': a delay of 2147.48 ms to neuron 12 "
         "is 2147483647 steps of 1e-06 ms or more; give shorter delays, or a "
         "larger dt"},
        {"a drawn delay of more steps",
         "  - {from: beat, to: b, rule: ring, synapse: ampa, weight: 1,\n"
         "     delay: {uniform: [2200, 2300]}}\n"
         "dt: 1e-6\n",
         "net.yaml:16: projection 'beat-b': a delay of 22"},
        {"a delay by distance of more steps",
         "  - {from: a, to: b, rule: ring, synapse: ampa, weight: 1,\n"
         "     delay: {distance: [1, 1e6]}}\n"
         "dt: 1e-6\n",
         "net.yaml:16: projection 'a-b': a delay of 1e+06 ms to neuron 12 is"},
    };

    for (size_t k = 0; k < BOSC_LEN(cases); ++k) {
        const bosc_error err = netlist_refused(cases[k].lines);

        ok(strstr(err.text, cases[k].says) != NULL, "%s is refused: %s",
           cases[k].name, err.text);
    }
}

int main(void)
{
    test_exact();
    test_list();
    test_indegree(true);
    test_indegree(false);
    test_probability();
    test_distance();
    test_division();
    test_keys();
    test_bytes();
    test_refused();
    return done_testing();
}
