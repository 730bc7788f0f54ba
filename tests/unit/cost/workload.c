/* What neurons cost, who gets them, and the file of a machine. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/mech/builtin.h"
#include "src/base/mem.h"
#include "src/cost/cost_fit.h"
#include "src/cost/machine.h"
#include "src/distribute/decompose.h"
#include "src/model/local_cells.h"
#include "src/plan/estimate.h"
#include "src/plan/memory.h"
#include "tests/lib/job.h"
#include "tests/lib/mechs.h"
#include "tests/lib/tap.h"

static const char job_text[] =
    "tstop: 10\n"
    "populations:\n"
    "  - name: a\n"
    "    synthetic: {compartments: [76, 691], sections: [7, 341]}\n"
    "    count: 300\n"
    "    regions: {all: {pas: {}}, soma: {hh: {}}}\n"
    "  - name: b\n"
    "    synthetic: {compartments: 319, sections: 157}\n"
    "    count: 100\n"
    "    regions: {all: {pas: {}}}\n"
    "synapses: [{name: s, type: ExpSyn}]\n"
    "projections:\n"
    "  - {from: a, to: b, synapse: s, rule: fixed_indegree, indegree: 50,\n"
    "     weight: 1e-4, delay: 1}\n";

/* A job, as far as its template table. */
typedef struct scene {
    bosc_job *job;
    bosc_gid_table *gid_table;
    bosc_template_table template_table;
    bosc_workload demand;
} scene;

static bool scene_create(scene *s)
{
    bosc_error err = {""};

    *s = (scene){0};
    return ok(
        bosc_job_parse(test_mechs(), "job", job_text, 0, NULL, &s->job, &err) ==
                BOSC_OK &&
            bosc_gid_table_create(s->job, &s->gid_table, &err) == BOSC_OK &&
            bosc_template_table_create(s->job, s->gid_table, &s->template_table,
                                       &err) == BOSC_OK &&
            bosc_workload_create(&s->template_table, 4, 10, bosc_memory_add_up,
                                 &s->demand, &err) == BOSC_OK,
        "a job has costs %s", err.text);
}

static void scene_clear(scene *s)
{
    bosc_workload_clear(&s->demand);
    bosc_template_table_clear(&s->template_table);
    bosc_gid_table_destroy(s->gid_table);
    bosc_job_destroy(s->job);
}

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static void test_sizes(const scene *s)
{
    bosc_acquired_cable loan;
    bosc_error err;
    const bosc_local_cells forest = {.n = 1,
                                     .gid = (int64_t[]){17},
                                     .population = (int32_t[]){0},
                                     .template_index = (int32_t[]){0},
                                     .cable = (bosc_cable *[]){NULL},
                                     .job = s->job,
                                     .gid_table = s->gid_table};
    const bosc_template_size drawn =
        bosc_template_table_size(&s->template_table, 0, 17);

    if (!ok(bosc_local_cells_acquire(&forest, 0, &loan, &err) == BOSC_OK,
            "a synthetic neuron is made"))
        return;

    const bosc_template_size made = bosc_template_size_of(loan.cable);
    int32_t a = 0, b = 0;

    for (int r = 0; r < BOSC_N_REGIONS; ++r) {
        a += drawn.membrane[r];
        b += made.membrane[r];
    }
    ok(drawn.compartments == made.compartments &&
           drawn.sections == made.sections && a == b &&
           drawn.membrane[BOSC_SOMA] == made.membrane[BOSC_SOMA],
       "and has the size that was drawn without making it");
    bosc_local_cells_release(&loan);
}

static bosc_rank_load share_of(const scene *s, int64_t from, int64_t n)
{
    bosc_rank_load share;
    int64_t *gid = bosc_alloc((size_t)n, sizeof *gid);

    for (int64_t i = 0; i < n; ++i)
        gid[i] = from + i;
    bosc_rank_load_of(&s->demand, test_costs(), n, gid, &share, NULL);
    free(gid);
    return share;
}

static void test_shares(const scene *s)
{
    const bosc_rank_load all = share_of(s, 0, 400), none = share_of(s, 0, 0);
    const bosc_rank_load some = share_of(s, 0, 300),
                         rest = share_of(s, 300, 100);
    const int exact[] = {BOSC_WORK_NEURON, BOSC_WORK_EVENT, BOSC_WORK_SAMPLE,
                         BOSC_WORK_MECH + BOSC_MECH_hh,
                         BOSC_WORK_MECH + BOSC_MECH_ExpSyn};
    bool additive = true;

    for (size_t i = 0; i < BOSC_LEN(exact); ++i)
        additive =
            additive && near(some.work.of[exact[i]] + rest.work.of[exact[i]],
                             all.work.of[exact[i]]);
    ok(additive && some.neurons + rest.neurons == all.neurons &&
           some.compartments + rest.compartments == all.compartments,
       "the work of two halves is that of the whole");
    ok(some.bytes + rest.bytes > 0.98 * all.bytes &&
           some.bytes + rest.bytes < 1.02 * all.bytes,
       "and so are their bytes, but for padding");
    ok(all.work.of[BOSC_WORK_MECH + BOSC_MECH_hh] == 300,
       "every soma with hh is an instance");
    ok(near(all.connections, 5000) &&
           near(all.work.of[BOSC_WORK_EVENT], 5000 * 10 * 0.025e-3),
       "connections bring events at the rate of their sources");
    ok(all.slots >= all.compartments && all.rows * 4 >= all.slots,
       "padding is not negative");
    ok(none.neurons == 0 && none.bytes == 0 &&
           bosc_rank_load_seconds(&none, test_costs(), 1, 1) == 0,
       "nobody costs nothing");
}

/* Threads take tiles: never more work than all, never less than a part. */
static void test_threads(scene *s)
{
    const bosc_costs *rates = test_costs();
    const bosc_rank_load one = share_of(s, 0, 400), single = share_of(s, 0, 1);
    double before = bosc_rank_load_seconds(&one, rates, 1, 1);
    bool sound = true;

    ok(near(one.span, 1) &&
           near(before, bosc_work_ns(&one.work, rates->rates.step) * 1e-9),
       "one thread does all");
    for (int threads = 2; threads <= 1024; threads *= 2) {
        s->demand.threads = threads;

        const bosc_rank_load share = share_of(s, 0, 400);
        const double cores = threads * share.span;

        sound = sound && cores >= 1 - 1e-9 && share.span <= 1 &&
                near(share.work.of[BOSC_WORK_MECH + BOSC_MECH_hh], 300);
    }
    ok(sound, "more threads have no less than their part, and the same work");
    ok(near(share_of(s, 0, 1).span, 1), "a neuron is not divided");
    s->demand.threads = 1;
    ok(single.work.of[BOSC_WORK_WAIT] > 0 &&
           one.work.of[BOSC_WORK_WAIT] < 0.2 * (double)one.rows,
       "one neuron waits for itself, many for each other");
}

/* Ranks end a step together, or take no part. */
static void test_paces(void)
{
    static const struct {
        const char *name;
        int32_t n;
        bosc_pace pace[3];
        double part[3];
    } cases[] = {
        {"equal ranks have equal parts", 2, {{0, 5}, {0, 5}}, {1, 1}},
        {"one three times as fast has three parts of four",
         2,
         {{0, 2}, {0, 6}},
         {1.5, 0.5}},
        {"a GPU that starts late has less",
         2,
         {{2, 4}, {0, 12}},
         {1.375, .625}},
        {"one that starts too late has nothing",
         3,
         {{0, 2}, {90, 0.1}, {0, 4}},
         {2, 0, 1}},
        {"one alone has it all", 1, {{1000, 3}}, {1}},
    };

    for (size_t c = 0; c < BOSC_LEN(cases); ++c) {
        double part[3];
        bool same = true;

        bosc_pace_parts(cases[c].n, cases[c].pace, part);
        for (int32_t r = 0; r < cases[c].n; ++r)
            same = same && near(part[r], cases[c].part[r]);
        ok(same, "%s: %g %g", cases[c].name, part[0],
           cases[c].n > 1 ? part[1] : 0);
    }
}

static void test_division(const scene *s)
{
    const int64_t n = s->gid_table->n_neurons;
    bosc_decomposition a = {0}, b = {0};
    int64_t count[7] = {0};
    bool inside = true;
    bosc_status st = bosc_decompose(&s->demand, test_costs(),
                                    &(bosc_resources){.ranks = 7}, &a, NULL);

    for (int64_t i = 0; st == BOSC_OK && i < n; ++i) {
        inside = inside && a.part[i] >= 0 && a.part[i] < 7;
        count[inside ? a.part[i] : 0]++;
    }
    ok(st == BOSC_OK && inside, "every neuron has one rank");
    ok(a.imbalance < 1.02, "400 neurons on 7 ranks are balanced (%g)",
       a.imbalance);
    bosc_decomposition_clear(&a);
    st = bosc_decompose(
        &s->demand, test_costs(),
        &(bosc_resources){.ranks = 2, .speed = (double[]){3, 1}}, &b, NULL);
    count[0] = count[1] = 0;
    for (int64_t i = 0; st == BOSC_OK && i < n; ++i)
        count[b.part[i]] +=
            bosc_template_table_size(&s->template_table, i < 300 ? 0 : 1,
                                     i < 300 ? i : i - 300)
                .compartments;
    ok(st == BOSC_OK && count[0] > 2.5 * (double)count[1] &&
           count[0] < 3.5 * (double)count[1],
       "a rank of threefold speed gets three times as much");
    bosc_decomposition_clear(&b);

    bosc_decomposition even = {0};

    bosc_decompose(&s->demand, test_costs(), &(bosc_resources){.ranks = 2},
                   &even, NULL);
    st = bosc_decompose(
        &s->demand, test_costs(),
        &(bosc_resources){.ranks = 2, .speed = (double[]){1.04, 1}}, &b, NULL);
    ok(st == BOSC_OK &&
           memcmp(even.part, b.part, (size_t)n * sizeof *b.part) == 0,
       "speeds that differ by noise are the same");
    bosc_decomposition_clear(&even);
    bosc_decomposition_clear(&b);
    ok(bosc_decompose(
           &s->demand, test_costs(),
           &(bosc_resources){
               .ranks = 2, .per_node = 1, .node = 8e6, .options = ""},
           &b, &(bosc_error){""}) == BOSC_ENOMEM,
       "too little room is refused");
    bosc_decomposition_clear(&b);
}

static void test_fit(void)
{
    double rate[BOSC_MAX_WORKS] = {0}, truth[BOSC_MAX_WORKS];
    bosc_measure m[40] = {{{{0}}, 0}};
    bool found = true;

    for (int k = 0; k < bosc_n_works(test_mechs()); ++k) {
        rate[k] = 1;
        truth[k] = 2 + k % 5;
    }
    rate[BOSC_WORK_LEVEL] = truth[BOSC_WORK_LEVEL] = 0;
    for (int r = 0; r < 40; ++r) {
        for (int k = 0; k < bosc_n_works(test_mechs()); ++k) {
            m[r].work.of[k] =
                k == r % bosc_n_works(test_mechs()) ? 100 : 1 + (r * k) % 3;
            m[r].ns += truth[k] * m[r].work.of[k];
        }
    }
    bosc_cost_fit(40, m, 1e-12, rate);
    for (int k = 0; k < bosc_n_works(test_mechs()); ++k)
        found = found && fabs(rate[k] - truth[k]) < 1e-3;
    ok(found, "rates are found again in what they add up to");
    for (int k = 0; k < bosc_n_works(test_mechs()); ++k)
        rate[k] = truth[k] / 3;
    ok(near(bosc_cost_scale(40, m, rate), 3) && near(rate[1], truth[1]),
       "one factor is found alone");
}

/* --- the file --------------------------------------------------------------
 */

static bosc_status read_text(const char *text, bosc_machine **out,
                             bosc_error *err)
{
    char path[] = "/tmp/bosc-machine-XXXXXX";
    const int handle = mkstemp(path);
    bosc_status st = BOSC_EIO;

    if (handle >= 0 && write(handle, text, strlen(text)) >= 0)
        st = bosc_machine_read(test_mechs(), path, out, err);
    close(handle);
    unlink(path);
    return st;
}

/* The file that 'machine' is written to, as a text, or NULL; free() it. */
static void write_text(bosc_machine *machine, char **text)
{
    char path[] = "/tmp/bosc-machine-XXXXXX";
    const int handle = mkstemp(path);

    *text = NULL;
    if (handle >= 0 && bosc_machine_write(machine, path, NULL) == BOSC_OK)
        bosc_job_load_text(path, text, NULL);
    close(handle);
    unlink(path);
}

static const struct {
    const char *what, *from, *to, *says;
} slips[] = {
    {"a misspelt key", "speedup:", "spedup:", "did you mean 'speedup'"},
    {"a misspelt rate", "section:", "sectoin:", "did you mean 'section'"},
    {"a word for a number", "speedup: ", "speedup: fast #", "not a number"},
    {"a negative rate", "section: ", "section: -1 #", "out of range"},
    {"a missing rate", "      equal", "      # equal", "'equal' is missing"},
    {"an unknown backend", "backend: \"cpu", "backend: \"abacus", "abacus"},
    {"an unknown method", "method: \"depth-first", "method: \"river",
     "unknown method 'river' of backend cpu; available: auto, depth-first, "
     "hines-flat, hines-interleaved, hines-block"},
    {"the name of a method of before", "method: \"depth-first",
     "method: \"stream", "'stream' is now called 'depth-first'; measure anew"},
    {"no devices", "devices:", "devices: []\nhost2:", "host2"},
    {"no YAML", "devices:", "devices: [", "not valid YAML"},
};

static void test_file(void)
{
    bosc_machine *machine = NULL, *again = NULL;
    bosc_error err = {""};
    bool same = true;

    if (!ok(bosc_machine_here(test_mechs(), &machine, &err) == BOSC_OK,
            "there are built-in numbers"))
        return;
    machine->devices[0].costs.rates.step[BOSC_WORK_SECTION] = 2.385;
    machine->devices[0].costs.rates.latency[BOSC_WORK_WAY] = 974.5;

    char *text;

    write_text(machine, &text);
    ok(text != NULL && read_text(text, &again, &err) == BOSC_OK,
       "a file that was written is read %s", err.text);
    for (int k = 0; again != NULL && k < bosc_n_works(test_mechs()); ++k)
        same = same && fabs(again->devices[0].costs.rates.step[k] -
                            machine->devices[0].costs.rates.step[k]) < 1e-4;
    ok(again != NULL && same && again->n_devices == 1 &&
           again->devices[0].costs.rates.latency[BOSC_WORK_WAY] == 974.5 &&
           strcmp(again->host, machine->host) == 0,
       "with the same numbers");
    bosc_machine_destroy(again);
    for (size_t i = 0; text != NULL && i < BOSC_LEN(slips); ++i) {
        char *bad = replaced(text, slips[i].from, slips[i].to);

        err.text[0] = '\0';
        ok(bad != NULL && read_text(bad, &again, &err) != BOSC_OK &&
               strstr(err.text, slips[i].says) != NULL &&
               strstr(err.text, "/tmp/bosc-machine-") == err.text,
           "%s is refused with file and reason", slips[i].what);
        if (bad == NULL || strstr(err.text, slips[i].says) == NULL)
            diag("%s", err.text);
        free(bad);
    }
    ok(bosc_machine_write(machine, "/dev/null/a/b.yaml", &err) == BOSC_EIO &&
           strstr(err.text, "-o FILE") != NULL,
       "a file that cannot be written is told, with the remedy");
    free(text);
    bosc_machine_destroy(machine);
}

/* --- a machine that nobody has measured ------------------------------------
 */

static void test_unmeasured(void)
{
    static const char *const of_gpus[] = {"cell-blocks", "depth-first"};
    bosc_machine *machine = NULL;
    bosc_error err = {""};
    bosc_step_work work = {0};
    bosc_costs cpu;

    setenv("BOSC_MACHINE", "", 1);
    setenv("XDG_CONFIG_HOME", "/proc/none", 1);
    if (!ok(bosc_machine_read(test_mechs(), NULL, &machine, &err) == BOSC_OK &&
                machine->built_in &&
                bosc_machine_rates(machine, 0, &bosc_methods[0], &cpu),
            "a machine that is not measured has costs %s", err.text))
        return;
    work.all.of[BOSC_WORK_DIFFERENT] = 1e8;
    work.longest.of[BOSC_WORK_DIFFERENT] = 700;
    for (int i = 0; i < 2; ++i) {
        const bosc_method *method = bosc_method_find("cuda", of_gpus[i]);
        bosc_costs gpu;

        if (method->engine.ops == NULL) {
            skip("%s: built without CUDA", of_gpus[i]);
            continue;
        }
        const bool known = bosc_machine_rates(machine, 0, method, &gpu);
        const bool lone = method->engine.limits == NULL;
        const bosc_pace pace[] = {bosc_costs_pace(&gpu, &work, 16, 16),
                                  bosc_costs_pace(&cpu, &work, 16, 16)};
        double part[2];

        bosc_pace_parts(2, pace, part);
        ok(known && gpu.on_gpu && part[0] > 1 && part[1] > 0 && part[1] < 1,
           "%s on its GPU gets more than 16 threads: %g and %g of two parts",
           of_gpus[i], part[0], part[1]);

        /* one H100: 165 us for 64 neurons, 10.4 us on the chip; of 131,072 that
         * are streamed, 1.15 ms, 0.57 ms on the chip */
        const bosc_step_work few = {.all.of[BOSC_WORK_DIFFERENT] = 34048,
                                    .all.of[BOSC_WORK_SECTION] = 6688,
                                    .longest = work.longest};
        const bosc_step_work many = {.all.of[BOSC_WORK_DIFFERENT] = 50225184,
                                     .all.of[BOSC_WORK_SECTION] = 12944859,
                                     .longest = work.longest};
        const double expected[2] = {lone ? 165e3 : 10.4e3,
                                    lone ? 1145e3 : 572e3};
        const double ns[2] = {bosc_step_ns(&few, &gpu.rates),
                              bosc_step_ns(&many, &gpu.rates)};

        ok(fabs(ns[0] / expected[0] - 1) < 0.2 &&
               fabs(ns[1] / expected[1] - 1) < 0.2,
           "few neurons wait, many fill it: %.3g and %.3g us a step",
           1e-3 * ns[0], 1e-3 * ns[1]);
        ok(gpu.streamed.latency[BOSC_WORK_DIFFERENT] > 100,
           "what it streams waits as neurons that all are streamed");
    }
    bosc_machine_destroy(machine);
}

/* --- words of the command --------------------------------------------------
 */

static const struct {
    const char *text;
    int n;
    int32_t last;
} lists[] = {{"1", 1, 1},
             {"3,1", 2, 1},
             {"1,2,4,...,4096", 13, 4096},
             {"2,4,6,...,10", 5, 10},
             {"1,3,...,81", 5, 81},
             {"4,7,...,13", 4, 13},
             {"", 0, 0},
             {"0", 0, 0},
             {"a", 0, 0},
             {"1,...,4", 0, 0},
             {"1,2,...", 0, 0},
             {"1,2,...,9", 0, 0},
             {"2,1,...,9", 0, 0},
             {"1,2,...,...,8", 0, 0},
             {"1e9", 0, 0},
             {"1,2,...,1000000000", 0, 0}};

static void test_words(void)
{
    bosc_error err;

    for (size_t i = 0; i < BOSC_LEN(lists); ++i) {
        bosc_estimate_request r = {0};
        const bosc_status st =
            bosc_estimate_parse_ranks(lists[i].text, &r, &err);

        ok(lists[i].n == 0 ? st == BOSC_EUSAGE
                           : st == BOSC_OK && r.n_sizes == lists[i].n &&
                                 r.ranks[r.n_sizes - 1] == lists[i].last,
           "--ranks '%s' is %s", lists[i].text,
           lists[i].n == 0 ? "refused" : "understood");
    }
}

int main(void)
{
    scene s;

    if (scene_create(&s)) {
        test_paces();
        test_sizes(&s);
        test_shares(&s);
        test_threads(&s);
        test_division(&s);
    }
    scene_clear(&s);
    test_fit();
    test_file();
    test_unmeasured();
    test_words();
    return done_testing();
}
