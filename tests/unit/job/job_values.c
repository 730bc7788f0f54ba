/* The values that say whether two jobs are the same. */
#include "src/job/job_keys.h"
#include "tests/lib/job.h"
#include "tests/lib/tap.h"

/* The values of the small job with some assignments, NULL where it is refused;
 * the caller frees them. */
static char *values_with(int n, const char *const *set)
{
    bosc_error err;
    bosc_job *job = parse(base, n, set, &err);
    char *values = job != NULL ? bosc_job_values(job) : NULL;

    if (job == NULL)
        diag("%s", err.text);
    bosc_job_destroy(job);
    return values;
}

static void test_values(void)
{
    static const char *const lines[] = {
        "\ntstop: 10\n",
        "\ndt: 0.025\n",
        "\npopulations: 1\n",
        "\npopulations[cells].synthetic.compartments: 319 319\n",
        "\npopulations[cells].regions.soma.hh.gnabar: 0.12\n",
        "\nclamps[0].amplitude: 0.5\n",
        "\nprobes[soma].variables: v\n",
        "\nspikes.threshold: -20\n",
    };
    char *values = values_with(0, NULL);

    if (!ok(values != NULL, "a job has values"))
        return;
    for (size_t i = 0; i < BOSC_LEN(lines); ++i)
        ok(strstr(values, lines[i]) != NULL, "among them is %.*s",
           (int)strlen(lines[i]) - 2, lines[i] + 1);
    ok(strstr(values, "regions.dendrite.hh") == NULL,
       "a mechanism that is not there is not");
    free(values);
}

/* Edits of morphologies are values of a job; of one without them they are not,
 * as in earlier versions. */
static void test_edits(void)
{
    static const struct {
        const char *keys, *line;
    } edits[] = {
        {"axon: {replace: bbp_v6}", "axon.replace: bbp_v6\n"},
        {"axon: {lengths: [30, 20], diameters: [1, 2]}",
         "axon.replace: given\npopulations[c].axon.lengths: 30 20\n"
         "populations[c].axon.diameters: 1 2\n"},
        {"axon: {replace: stub, attach: soma(1)}", "axon.attach: soma(1)\n"},
        {"attach: soma(0.5)", "attach: soma(0.5)\n"},
        {"scale: {all: {diameter: 2}, apical: {length: 1.2}}",
         "scale: 1 1 1 1.2 1 2 2 2 2 2\n"},
        {"discretisation: {odd_per: {all: 30, axon: 10}}",
         "discretisation.odd_per: 30 10 30 30 30\n"},
        {"discretisation: {odd_per: {soma: 20}}",
         "discretisation.odd_per: 20 40 40 40 40\n"},
    };
    static const char form[] = "tstop: 1\npopulations:\n  - name: c\n    "
                               "morphologies: a.swc\n    %s\n    regions: "
                               "{all: {pas: {}}}\n";
    char text[400], line[200];

    for (size_t i = 0; i < BOSC_LEN(edits); ++i) {
        bosc_error err = {.text = ""};
        bosc_job *job;
        char *values = NULL;

        snprintf(text, sizeof text, form, edits[i].keys);
        snprintf(line, sizeof line, "\npopulations[c].%s", edits[i].line);
        if ((job = parse(text, 0, NULL, &err)) != NULL)
            values = bosc_job_values(job);
        if (!ok(values != NULL && strstr(values, line) != NULL,
                "%s is among the values", edits[i].keys))
            diag("%s%s", err.text, values != NULL ? values : "");
        bosc_job_destroy(job);
        free(values);
    }

    char *values = values_with(0, NULL);

    ok(values != NULL && strstr(values, "axon.replace") == NULL &&
           strstr(values, ".attach") == NULL &&
           strstr(values, ".scale") == NULL &&
           strstr(values, "odd_per") == NULL,
       "without edits the values are as before");
    free(values);
}

/* What each assignment makes of it, beside the job as it is; "": the same. */
static const struct {
    const char *set, *difference;
} cases[] = {
    {"dt=0.025", ""},
    {"backend=ref", ""},
    {"threads=3", ""},
    {"verify=3", ""},
    {"output.file=x.nc", ""},
    {"output.compression=4", ""},
    {"clamps[0].delay=0", ""},
    {"tstop=20", "tstop is 20, there 10"},
    {"dt=0.0125", "dt is 0.0125, there 0.025"},
    {"clamps[0].amplitude=0.1", "clamps[0].amplitude is 0.1, there 0.5"},
    {"populations.cells.regions.soma.hh.gl=1e-3",
     "populations[cells].regions.soma.hh.gl is 0.001, there 0.0003"},
    {"populations.cells.regions.soma={pas: false}",
     "populations[cells].regions.soma.pas is only there, and 9 more values"},
    {"probes.soma.neurons=0-4", "probes[soma].neurons is 0-4, there all"},
    {"probes.soma.at=dend[2](0.25)",
     "probes[soma].at is dend[2](0.25), there soma"},
    {"celsius=37", "celsius is 37, there 6.3"},
    {"sources=[{name: s, type: poisson, rate: 5}]",
     "sources is not there, and 10 more values"},
};

static void test_differences(void)
{
    char *there = values_with(0, NULL), text[300];

    for (size_t i = 0; there != NULL && i < BOSC_LEN(cases); ++i) {
        char *mine = values_with(1, &cases[i].set);

        text[0] = '\0';
        if (mine != NULL)
            bosc_job_difference(mine, there, text, sizeof text);
        if (!ok(mine != NULL && strcmp(text, cases[i].difference) == 0,
                "%s: %s", cases[i].set,
                cases[i].difference[0] != '\0' ? cases[i].difference
                                               : "the same job"))
            diag("got: %s", text);
        free(mine);
    }
    bosc_job_difference("contents of a: 1\nb: 2\n", "contents of a: 3\nb: 2\n",
                        text, sizeof text);
    ok(strcmp(text, "the contents of a differ") == 0,
       "of contents it is said that they differ");
    free(there);
}

/* No key is forgotten: each that a job says for itself is in the values or
 * known to be without effect. */
static void test_all_keys(void)
{
    static const char *const without[] = {
        "backend",    "method",     "threads", "verify", "cost_from", "output",
        "checkpoint", "mechanisms", "sweep",   "tune",   "block",     "levels"};
    char *values = values_with(0, NULL);
    int missing = 0;

    for (int i = 0; values != NULL && i < bosc_job_schema.n_keys; ++i) {
        const bosc_key *key = &bosc_job_schema.keys[i];
        char line[100];
        bool known = strpbrk(key->path, "[") != NULL ||
                     key->type == BOSC_KEY_GROUP ||
                     key->type == BOSC_KEY_LIST; /* without entries */

        for (size_t k = 0; k < BOSC_LEN(without); ++k)
            known = known ||
                    strncmp(key->path, without[k], strlen(without[k])) == 0;
        snprintf(line, sizeof line, "%s: ", key->path);
        if (!known && strstr(values, line) == NULL) {
            diag("%s is missing", key->path);
            ++missing;
        }
    }
    ok(values != NULL && missing == 0, "every key of the top is there");
    free(values);
}

int main(void)
{
    test_values();
    test_edits();
    test_differences();
    test_all_keys();
    return done_testing();
}
