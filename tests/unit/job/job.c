/* Job files that are read: defaults, regions, values, --set. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/mech/builtin.h"
#include "src/job/job_keys.h"
#include "tests/lib/job.h"
#include "tests/lib/mechs.h"
#include "tests/lib/tap.h"

static void test_defaults(void)
{
    bosc_error err;
    bosc_job *job = parse(base, 0, NULL, &err);

    if (!ok(job != NULL, "a small job is read")) {
        diag("%s", err.text);
        return;
    }
    ok(strcmp(job->name, "my job") == 0, "a job is named after its file");
    ok(strcmp(job->output.file, "my job.nc") == 0, "the result after the job");
    ok(strcmp(job->folder, "dir") == 0, "paths begin at the job's folder");
    ok(strcmp(job->text, base) == 0, "the text is kept as it was");
    ok(job->dt == 0.025 && job->n_steps == 400 && job->celsius == 6.3 &&
           job->v_init == -65 && !job->second_order && job->seed == 1 &&
           job->compute.threads == 0 && !job->strict &&
           job->spike_threshold == -20 && job->output.compression == 0 &&
           job->output.parallel == BOSC_PARALLEL_AUTO,
       "what is not said has its default");
    ok(strcmp(job->compute.backend, "auto") == 0 &&
           strcmp(job->compute.method, "auto") == 0,
       "backend and method are auto");

    const bosc_population_spec *cells = &job->populations[0];

    ok(job->n_populations == 1 && cells->line == 3 && cells->count == 20 &&
           cells->morphologies == NULL && cells->synthetic.sections[0] == 157 &&
           cells->synthetic.sections[1] == 157,
       "a synthetic population is read");
    ok(job->points.clamps[0].point.neurons.population == NULL &&
           job->points.clamps[0].point.neurons.n_ranges == 0 &&
           job->points.clamps[0].delay == 0 &&
           job->points.clamps[0].point.line == 10,
       "a clamp is for all neurons of all populations unless said");
    ok(job->probes[0].variables.n == 1 &&
           job->probes[0].variables.variable[0].mech == BOSC_COMPARTMENT &&
           job->probes[0].at.kind == BOSC_AT_SOMA,
       "a probe records the soma's voltage unless said");
    bosc_job_destroy(job);
}

static void test_regions(void)
{
    static const char regions[] =
        "all: {Ra: 120, pas: {g: 1e-4}, hh: {gl: 0.1}}\n"
        "      soma: {hh: {gnabar: 0.2}, pas: null}\n"
        "      axon: {cm: 2, pas: no, hh: true}\n"
        "      dendrite: {hh: ~, pas: {e: -60 mV}, cm: 3 uF/cm^2}\n"
        "      apical:\n";
    const int pas = bosc_mechs_find(test_mechs(), "pas"),
              hh = bosc_mechs_find(test_mechs(), "hh");
    char *text = changed("all: {Ra: 100, pas: {g: 1e-4}}\n"
                         "      soma: {hh: {}}\n",
                         regions);
    bosc_error err;
    bosc_job *job = text != NULL ? parse(text, 0, NULL, &err) : NULL;

    free(text);
    if (!ok(job != NULL, "regions are read")) {
        diag("%s", err.text);
        return;
    }
    const bosc_membrane *membrane = job->populations[0].membranes;
    const bosc_region_spec *soma = &membrane[BOSC_SOMA].spec,
                           *axon = &membrane[BOSC_AXON].spec,
                           *dendrite = &membrane[BOSC_DENDRITE].spec,
                           *apical = &membrane[BOSC_APICAL].spec,
                           *custom = &membrane[BOSC_CUSTOM].spec;

    ok(soma->mech[hh].has && soma->mech[hh].p[0] == 0.2 &&
           soma->mech[hh].p[2] == 0.1 && soma->mech[hh].p[1] == 0.036,
       "a region overrides a mechanism of all key by key");
    ok(!soma->mech[pas].has && !axon->mech[pas].has && !dendrite->mech[hh].has,
       "null, no and ~ remove an inherited mechanism");
    ok(axon->mech[hh].has && axon->mech[hh].p[2] == 0.1,
       "true keeps it as it is");
    ok(axon->cable[BOSC_RA] == 120 && axon->cable[BOSC_CM] == 2 &&
           soma->cable[BOSC_CM] == 1,
       "Ra and cm are inherited or overridden");
    ok(dendrite->mech[pas].p[1] == -60 && dendrite->mech[pas].p[0] == 1e-4 &&
           dendrite->cable[BOSC_CM] == 3,
       "units may be written, in their usual spellings");
    ok(apical->mech[pas].has && apical->mech[hh].has &&
           apical->mech[pas].p[1] == -70,
       "an empty region is as all");
    ok(!custom->mech[hh].has && custom->cable[BOSC_CM] == 3,
       "custom is as dendrite unless given");
    ok(job->populations[0].cable.Ra[BOSC_AXON] == 120 &&
           job->populations[0].cable.cm[BOSC_DENDRITE] == 3,
       "the discretisation knows Ra and cm");
    bosc_job_destroy(job);
}

/* Read base with one change and check it by 'right'. */
static void reads(const char *what, const char *from, const char *to,
                  bool (*right)(const bosc_job *))
{
    char *text = changed(from, to);
    bosc_error err = {"no such text"};
    bosc_job *job = text != NULL ? parse(text, 0, NULL, &err) : NULL;

    if (!ok(job != NULL && right(job), "%s", what))
        diag("%s", job != NULL ? "another value" : err.text);
    bosc_job_destroy(job);
    free(text);
}

static bool is_100_steps(const bosc_job *job)
{
    return job->n_steps == 100;
}

static bool is_second_order(const bosc_job *job)
{
    return job->second_order;
}

static bool is_not_strict(const bosc_job *job)
{
    return !job->strict;
}

static bool has_1e5(const bosc_job *job)
{
    return job->populations[0].count == 100000;
}

static bool has_largest_seed(const bosc_job *job)
{
    return job->seed == UINT64_MAX;
}

static bool has_own_seed(const bosc_job *job)
{
    return job->populations[0].synthetic.seed == 7;
}

static bool is_at_dend_3(const bosc_job *job)
{
    const bosc_location *at = &job->points.clamps[0].point.at;

    return at->kind == BOSC_AT_SECTION && at->region == BOSC_DENDRITE &&
           at->number == 3 && at->x == 0.25;
}

static bool is_at_middle(const bosc_job *job)
{
    const bosc_location *at = &job->points.clamps[0].point.at;

    return at->kind == BOSC_AT_SECTION && at->region == BOSC_AXON &&
           at->number == 12 && at->x == 0.5;
}

static bool is_at_soma_end(const bosc_job *job)
{
    const bosc_location *at = &job->points.clamps[0].point.at;

    return at->kind == BOSC_AT_SECTION && at->region == BOSC_SOMA &&
           at->number == 0 && at->x == 1;
}

/* The probe has the variables of hh in this order, -1: v. */
static bool records(const bosc_job *job, int n, const int *states)
{
    const bosc_variables *list = &job->probes[0].variables;

    for (int i = 0; i < n && i < list->n; ++i) {
        const bosc_variable v = list->variable[i];

        if (states[i] < 0 ? v.mech != BOSC_COMPARTMENT
                          : v.mech != BOSC_MECH_hh || v.state != states[i])
            return false;
    }
    return list->n == n;
}

static bool has_all_gates(const bosc_job *job)
{
    return records(job, 4, (const int[]){-1, 0, 1, 2});
}

static bool has_n_and_v(const bosc_job *job)
{
    return records(job, 2, (const int[]){2, -1});
}

static bool is_every_step(const bosc_job *job)
{
    return job->probes[0].interval == job->dt;
}

static bool has_joined_ranges(const bosc_job *job)
{
    const bosc_selection *s = &job->points.clamps[0].point.neurons;

    return s->n_ranges == 2 && s->ranges[0].first == 0 &&
           s->ranges[0].last == 6 && s->ranges[1].first == 9 &&
           s->ranges[1].last == -1;
}

#define CELLS (&(bosc_population_spec){.name = "cells"})

static bool selects(const bosc_job *job)
{
    const bosc_selection *s = &job->points.clamps[0].point.neurons;
    int64_t first = -1, late;

    return bosc_n_selected(s, CELLS, 20, &first) == 18 && first == 0 &&
           bosc_n_selected(s, CELLS, 5, &first) == 5 &&
           bosc_n_selected(s, CELLS, INT64_MAX, &first) == INT64_MAX - 2 &&
           bosc_n_selected(
               &(bosc_selection){.n_ranges = 1, .ranges = &s->ranges[1]}, CELLS,
               20, &late) == 11 &&
           late == 9 && bosc_selected(s, CELLS, 0, 20) &&
           bosc_selected(s, CELLS, 6, 20) && !bosc_selected(s, CELLS, 7, 20) &&
           !bosc_selected(s, CELLS, 8, 20) && bosc_selected(s, CELLS, 19, 20) &&
           !bosc_selected(s, CELLS, 20, 20) && !bosc_selected(s, CELLS, -1, 20);
}

static bool selects_cells_only(const bosc_job *job)
{
    const bosc_selection *s = &job->points.clamps[0].point.neurons;

    int64_t first;

    return bosc_selected(s, CELLS, 3, 20) &&
           !bosc_selected(s, &(bosc_population_spec){.name = "others"}, 3,
                          20) &&
           bosc_n_selected(s, &(bosc_population_spec){.name = "others"}, 20,
                           &first) == 0 &&
           bosc_n_selected(s, CELLS, 20, &first) > 0;
}

static bool is_max_length(const bosc_job *job)
{
    const bosc_cable_spec *cable = &job->populations[0].cable;

    return cable->policy == BOSC_MAX_LENGTH && cable->max_length == 12.5;
}

static bool is_per_sample(const bosc_job *job)
{
    return job->populations[0].cable.policy == BOSC_PER_SAMPLE;
}

static bool is_d_lambda(const bosc_job *job)
{
    const bosc_cable_spec *cable = &job->populations[0].cable;

    return cable->policy == BOSC_D_LAMBDA && cable->d_lambda == 0.1 &&
           cable->frequency == 100;
}

static bool has_sizes(const bosc_job *job)
{
    const bosc_synthetic_range *range = &job->populations[0].synthetic;

    return range->compartments[0] == 76 && range->compartments[1] == 691 &&
           range->sections[0] == 7 && range->sections[1] == 341;
}

static bool has_no_clamp(const bosc_job *job)
{
    return job->points.n_clamps == 0;
}

static bool has_flat_output(const bosc_job *job)
{
    return strcmp(job->output.file, "a-b-c.nc") == 0 &&
           strcmp(job->name, "a/b\\c") == 0;
}

static bool any(const bosc_job *job)
{
    return job->n_steps > 0;
}

static void test_values(void)
{
    static const char *const synthetic =
        "synthetic: {compartments: 319, sections: 157}\n";
    static const struct {
        const char *what, *from, *to;
        bool (*right)(const bosc_job *);
    } good[] = {
        {"a number may carry its unit", "tstop: 10", "tstop: 2.5 ms",
         is_100_steps},
        {"and lean on it", "tstop: 10", "tstop: 2.5ms", is_100_steps},
        {"a number may have an exponent", "tstop: 10", "tstop: 25e-1",
         is_100_steps},
        {"multiples of dt are forgiven their rounding", "tstop: 10",
         "dt: 0.1\ntstop: 10.000000000000002", is_100_steps},
        {"on is true", "tstop: 10", "tstop: 10\nsecond_order: on",
         is_second_order},
        {"Yes is true", "tstop: 10", "tstop: 10\nsecond_order: Yes",
         is_second_order},
        {"TRUE is true", "tstop: 10", "tstop: 10\nsecond_order: TRUE",
         is_second_order},
        {"off is false", "tstop: 10", "tstop: 10\nstrict: off", is_not_strict},
        {"a whole number may be written 1e5", "count: 20", "count: 1e5",
         has_1e5},
        {"a seed has 64 bits", "tstop: 10",
         "tstop: 10\nseed: 18446744073709551615", has_largest_seed},
        {"a synthetic population may have its own seed", "sections: 157",
         "sections: 157, seed: 7", has_own_seed},
        {"a synthetic population may have a range of sizes",
         "compartments: 319, sections: 157",
         "compartments: [76, 691], sections: [7, 341]", has_sizes},
        {"of one end each", "compartments: 319, sections: 157",
         "compartments: 76, sections: [7, 7]", any},
        {"a place is a section, a number and a position", "at: soma",
         "at: \"dend[3](0.25)\"", is_at_dend_3},
        {"the position is the middle unless said", "at: soma",
         "at: \"axon[12]\"", is_at_middle},
        {"the soma needs no number", "at: soma", "at: soma(1)", is_at_soma_end},
        {"variables may be a list", "interval: 0.1", "variables: [v, m, h, n]",
         has_all_gates},
        {"variables may be one text", "interval: 0.1",
         "variables: \"v, m,h n\"", has_all_gates},
        {"a state may name its mechanism", "interval: 0.1",
         "variables: [v, hh.m, h, hh.n]", has_all_gates},
        {"variables keep their order", "interval: 0.1", "variables: [n, v]",
         has_n_and_v},
        {"without interval every step is recorded", "interval: 0.1", "at: soma",
         is_every_step},
        {"neurons are sorted and joined", "at: soma",
         "neurons: \"9-, 4-6,0-3, 5\"", has_joined_ranges},
        {"neurons may be a list", "at: soma", "neurons: [12, 9-, 0-6]",
         has_joined_ranges},
        {"a selection knows its neurons", "at: soma", "neurons: \"0-6,9-\"",
         selects},
        {"a selection knows its population", "at: soma", "population: cells",
         selects_cells_only},
        {"max_length alone is a policy", synthetic,
         "morphologies: a.swc\n    discretisation: {max_length: 12.5 "
         "\u00b5m}\n",
         is_max_length},
        {"per_sample is a policy", synthetic,
         "morphologies: a.swc\n    discretisation: {policy: per_sample}\n",
         is_per_sample},
        {"d_lambda is the policy unless said", synthetic,
         "morphologies: a.swc\n", is_d_lambda},
        {"an empty list is no entry",
         "clamps:\n"
         "  - {at: soma, duration: 5, amplitude: 0.5}",
         "clamps:", has_no_clamp},
        {"a slash in the name makes no folder", "tstop: 10",
         "tstop: 10\nname: a/b\\c", has_flat_output},
        {"a byte order mark is nothing", "tstop", "\xef\xbb\xbftstop", any},
        {"other letters are text", "tstop: 10", "tstop: 10\nname: \u6a39\u6728",
         any},
        {"one document may be marked", "tstop: 10", "---\ntstop: 10", any},
    };

    for (size_t i = 0; i < BOSC_LEN(good); ++i)
        reads(good[i].what, good[i].from, good[i].to, good[i].right);
}

static void test_line_ends(void)
{
    char *crlf = calloc(2, sizeof base), *end = crlf;
    bosc_error err;

    for (const char *p = base; *p != '\0'; ++p) {
        if (*p == '\n')
            *end++ = '\r';
        *end++ = *p;
    }
    bosc_job *job = parse(crlf, 0, NULL, &err);

    ok(job != NULL && job->n_steps == 400, "CRLF ends lines as well");
    bosc_job_destroy(job);
    free(crlf);
}

static void test_anchors(void)
{
    char *text =
        changed("clamps:", "  - name: more\n"
                           "    synthetic: {compartments: 319, sections: 157}\n"
                           "    regions: *r\n"
                           "clamps:");
    char *at = text != NULL ? strstr(text, "regions:") : NULL;
    bosc_error err = {""};
    bosc_job *job = NULL;

    if (at != NULL) {
        char *anchored =
            bosc_format("%.*s &r%s", (int)(at - text) + 8, text, at + 8);

        job = parse(anchored, 0, NULL, &err);
        free(anchored);
    }
    ok(job != NULL && job->n_populations == 2 &&
           job->populations[1]
               .membranes[BOSC_SOMA]
               .spec.mech[bosc_mechs_find(test_mechs(), "hh")]
               .has,
       "an anchor and its alias share a group");
    ok(job != NULL && job->populations[0].synthetic.seed !=
                          job->populations[1].synthetic.seed,
       "two synthetic populations have shapes of their own");
    if (job == NULL)
        diag("%s", err.text);
    bosc_job_destroy(job);
    free(text);
}

static void test_locale(void)
{
    const char *set = setlocale(LC_ALL, "de_DE.UTF-8");
    bosc_error err;

    if (set == NULL)
        set = setlocale(LC_ALL, "fr_FR.UTF-8");
    if (set == NULL) {
        skip("no locale with a decimal comma is installed");
        return;
    }
    bosc_job *job = parse(base, 0, NULL, &err);

    setlocale(LC_ALL, "C");
    ok(job != NULL && job->probes[0].interval == 0.1,
       "numbers mean the same in a locale with a decimal comma");
    bosc_job_destroy(job);
}

/* --- the command line ---------------------------------------------------- */

static void test_set(void)
{
    static const char *const set[] = {
        "dt=0.05 ms",
        "populations[0].count=5",
        "populations.cells.regions.soma.hh.gnabar=0.5",
        "populations.0.regions.axon.cm=2",
        "spikes.threshold=-10",
        "output.file=other.nc",
        "clamps[1]={neurons: 3, duration: 1, amplitude: 1}",
        "probes.soma.variables=[v, n]",
        "probes[0].name=tip",
    };
    bosc_error err;
    bosc_job *job = parse(base, (int)BOSC_LEN(set), set, &err);

    if (!ok(job != NULL, "--set is read")) {
        diag("%s", err.text);
        return;
    }
    ok(job->n_steps == 200 && job->populations[0].count == 5,
       "--set overrides keys, in lists by index");
    ok(job->populations[0]
               .membranes[BOSC_SOMA]
               .spec.mech[bosc_mechs_find(test_mechs(), "hh")]
               .p[0] == 0.5,
       "--set finds an entry by its name");
    ok(job->populations[0].membranes[BOSC_AXON].spec.cable[BOSC_CM] == 2 &&
           job->spike_threshold == -10 &&
           strcmp(job->output.file, "other.nc") == 0,
       "--set makes groups that are not there");
    ok(job->points.n_clamps == 2 &&
           job->points.clamps[1].point.neurons.ranges[0].first == 3 &&
           job->points.clamps[1].point.line == 0,
       "--set appends to a list");
    ok(records(job, 2, (const int[]){-1, 2}) &&
           strcmp(job->probes[0].name, "tip") == 0,
       "--set takes values in YAML");
    ok(strstr(job->text, "interval: 0.1}\n# --set dt=0.05 ms\n# --set pop") !=
           NULL,
       "the kept text tells every --set");
    ok(strcmp(job->points.clamps[0].point.at.where, "dir/my job.yaml:10") ==
               0 &&
           strcmp(job->points.clamps[0].point.neurons.where,
                  "dir/my job.yaml:10") == 0,
       "a job remembers in which line a place is");
    ok(strcmp(job->probes[0].variables.where,
              "--set probes.soma.variables=[v, n]") == 0 &&
           strcmp(job->points.clamps[1].point.neurons.where,
                  "--set clamps[1]={neurons: 3, duration: 1, amplitude: 1}") ==
               0,
       "or in which --set");
    bosc_job_destroy(job);

    static const char *const lines[] = {"output.file=\n  other.nc"};

    job = parse(base, 1, lines, &err);
    ok(job != NULL &&
           strstr(job->text, "# --set output.file=   other.nc\n") != NULL,
       "a line break in --set does not end the comment");
    bosc_job_destroy(job);
}

static void test_files(void)
{
    bosc_error err;
    char *text = NULL;

    ok(bosc_job_load_text("no/such/job.yaml", &text, &err) == BOSC_ENOINPUT &&
           strcmp(err.text, "no/such/job.yaml: No such file or directory; "
                            "check the path") == 0,
       "a job file that is not there is named");
    ok(bosc_job_load_text("/", &text, &err) == BOSC_ENOINPUT && text == NULL,
       "a folder is no job file");
    ok(bosc_job_load_text("/dev/zero", &text, &err) == BOSC_EFORMAT,
       "an endless file is no job file");
}

static void test_notes(void)
{
    static const struct {
        const char *what, *from, *to, *note;
    } cases[] = {
        {"a job without a slip has no note", "tstop: 10", "tstop: 20", NULL},
        {"an interval of tstop is as meant", "interval: 0.1", "interval: 10",
         NULL},
        {"an interval past tstop is noted", "interval: 0.1", "interval: 200",
         "my job.yaml:12: interval: 200 ms is longer than tstop, 10 ms: "
         "probe 'soma' has one sample, at t = 0"},
        {"a current after tstop is noted", "at: soma, dur", "delay: 10, dur",
         "my job.yaml:10: delay: 10 ms is not before tstop, 10 ms: no "
         "current flows"},
    };

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        char *text = changed(cases[i].from, cases[i].to);
        bosc_error err;
        bosc_job *job = parse(text, 0, NULL, &err);
        const bool noted = job != NULL && job->notes.n == 1;

        if (!ok(cases[i].note != NULL
                    ? noted && strstr(job->notes.text[0], cases[i].note) != NULL
                    : job != NULL && job->notes.n == 0,
                "%s", cases[i].what))
            diag("%s", noted ? job->notes.text[0] : err.text);
        bosc_job_destroy(job);
        free(text);
    }
}

static void test_keys(void)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    int missing = 0, wide = 0;

    bosc_job_print_keys(test_mechs(), NULL, file);
    fclose(file);
    for (int i = 0; i < bosc_job_schema.n_keys; ++i)
        missing += strstr(text, bosc_job_schema.keys[i].path) == NULL;
    ok(missing == 0 && strstr(text, "REGION.hh.gnabar: 0.12  (number, 0 to "
                                    "1000 S/cm2)\n    largest") != NULL,
       "the printed table has every key");
    for (const char *line = text; *line != '\0';) {
        const size_t n = strcspn(line, "\n");

        wide += n > 80;
        line += n + 1;
    }
    ok(wide == 0, "in lines of 80 columns");
    free(text);
}

int main(void)
{
    test_defaults();
    test_regions();
    test_values();
    test_line_ends();
    test_anchors();
    test_locale();
    test_set();
    test_files();
    test_notes();
    test_keys();
    return done_testing();
}
