/* cmd_inspect.c - 'bosc inspect': its command line. */
#include "src/cli/commands.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "src/cli/inspect_job.h"
#include "src/cli/script.h"
#include "src/morphology/inspect.h"
#include "src/text/options.h"

typedef struct request {
    bosc_inspect how;
    bosc_policy policy;    /* --policy */
    const char *chosen_by; /* the option that chose the policy, or NULL */
    double Ra, cm;         /* of all regions */
    double odd_per;
    const char *draw; /* a picture to be written; NULL: none */
    bosc_inspect_job job;
} request;

/* --policy chooses one, and so does each option of a policy. */
static bosc_status choose(request *r, bosc_policy policy, const char *option,
                          bosc_error *err)
{
    bosc_cable_spec *spec = &r->how.spec;

    if (r->chosen_by != NULL && spec->policy != policy)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--%s means policy %s, but --%s means %s; give one",
                         option, bosc_policy_names[policy], r->chosen_by,
                         bosc_policy_names[spec->policy]);
    spec->policy = policy;
    spec->file_counts = false;
    r->chosen_by = option;
    return BOSC_OK;
}

#define FIELD(member) offsetof(request, member)

static bosc_status choose_policy(const bosc_option *option, const char *text,
                                 void *out, bosc_error *err)
{
    const size_t field = option->field;

    (void)text;
    return choose(out,
                  field == FIELD(policy) ? ((request *)out)->policy
                  : field == FIELD(how.spec.max_length)  ? BOSC_MAX_LENGTH
                  : field == FIELD(how.spec.per_section) ? BOSC_PER_SECTION
                  : field == FIELD(odd_per)              ? BOSC_ODD_PER
                                                         : BOSC_D_LAMBDA,
                  option->name, err);
}

static bosc_status refuse_given(const bosc_option *option, const char *text,
                                void *out, bosc_error *err)
{
    (void)option;
    (void)text;
    if (((const request *)out)->how.spec.edit.axon.rule == BOSC_AXON_GIVEN)
        return bosc_fail(err, BOSC_EUSAGE,
                         "--axon given: lengths and diameters are keys of a "
                         "job; name another rule");
    return BOSC_OK;
}

static const bosc_option rows[] = {
    {"tsv", 0, NULL, BOSC_OPTION_FLAG, FIELD(how.tsv),
     .help = "print tab-separated values, a line a file, with more columns"},
    {"sections", 0, NULL, BOSC_OPTION_FLAG, FIELD(how.sections),
     .help = "list the sections: name, SWC type, parent and where on it, "
             "length, diameter of the middle compartment, area, compartments, "
             "path length from the middle of the soma to its middle, branch "
             "points between them"},
    {"compartments", 0, NULL, BOSC_OPTION_FLAG, FIELD(how.compartments),
     .help = "list the compartments, tab-separated: where they are and, of a "
             "job, all numbers of their cables and mechanisms"},
    {"draw", 0, "PICTURE", BOSC_OPTION_TEXT, FIELD(draw),
     .help = "draw the neuron, coloured by regions, as .png, .svg or .pdf; "
             "needs Python, as 'bosc plot' does"},
    {"population", 0, "NAME", BOSC_OPTION_TEXT, FIELD(job.population),
     .help = "of a job: a neuron of this population (default: of each one)"},
    {"neuron", 0, "K", BOSC_OPTION_INT64, FIELD(job.neuron), 0, 9e18,
     .help = "of a job: neuron number K of the population, or else of the job "
             "(default: the first)"},
    {"set", 's', "KEY=VALUE", BOSC_OPTION_TEXTS, FIELD(job.set),
     .help = "of a job: override a key; may be repeated"},
    {"repairs", 0, NULL, BOSC_OPTION_FLAG, FIELD(how.all_repairs),
     .help = "list every repair, not only the first of each kind"},
    {"strict", 0, NULL, BOSC_OPTION_FLAG, FIELD(how.strict),
     .help = "refuse files that need repairs"},
    {"policy", 0, "NAME", BOSC_OPTION_CHOICE, FIELD(policy), 0,
     BOSC_N_POLICIES - 1, .choices = bosc_policy_names, .then = choose_policy,
     .help = "policy of discretisation: d_lambda, max_length, per_section, "
             "per_sample or odd_per"},
    {"d-lambda", 0, "X", BOSC_OPTION_REAL, FIELD(how.spec.d_lambda), 1e-4, 100,
     .then = choose_policy, .help = "longest compartment, in length constants"},
    {"frequency", 0, "HZ", BOSC_OPTION_REAL, FIELD(how.spec.frequency), 1e-3,
     1e6, .then = choose_policy, .help = "frequency of the length constant"},
    {"max-length", 0, "UM", BOSC_OPTION_REAL, FIELD(how.spec.max_length), 1e-3,
     1e6, .then = choose_policy, .help = "longest compartment, in um"},
    {"per-section", 0, "N", BOSC_OPTION_INT32, FIELD(how.spec.per_section), 1,
     32767, .then = choose_policy, .help = "compartments of each section"},
    {"odd-per", 0, "UM", BOSC_OPTION_REAL, FIELD(odd_per), 1e-3, 1e6,
     .then = choose_policy,
     .help = "1 + 2 int(L / UM) compartments of each section"},
    {"axon", 0, "RULE", BOSC_OPTION_CHOICE, FIELD(how.spec.edit.axon.rule), 0,
     BOSC_N_AXON_RULES - 1, .choices = bosc_axon_names, .then = refuse_given,
     .help = "what replaces the axon: none, remove, stub, allen_perisomatic, "
             "aibs_perisomatic, allen_truncated, aibs_allactive, bluepyopt, "
             "bbp_v5, bbp_v6, bbp_v6_nomyelin or thalamus"},
    {"attach", 0, "PLACE", BOSC_OPTION_CHOICE, FIELD(how.spec.edit.attach), 0,
     BOSC_N_ATTACH - 1, .choices = bosc_attach_names,
     .help = "where sections hang on the soma: file, soma(0), soma(0.5) or "
             "soma(1)"},
    {"Ra", 0, "OHM_CM", BOSC_OPTION_REAL, FIELD(Ra), 1e-3, 1e6,
     .help = "axial resistivity, in ohm cm"},
    {"cm", 0, "UF_CM2", BOSC_OPTION_REAL, FIELD(cm), 1e-6, 1e6,
     .help = "membrane capacitance, in uF/cm2"},
};

static const bosc_options options = {
    .command = "inspect",
    .argument = "FILE",
    .many = true,
    .about = "Show what files of morphologies contain (SWC; Neurolucida, .asc; "
             "NeuroML 2, .nml; each also compressed, .gz; tables of cylinders, "
             ".cylinders.tsv), edit and cut the neurons into compartments as "
             "'bosc run' does, and list the repairs and what NEURON reads "
             "differently.  Of a job (.yaml) list or draw neurons as they will "
             "be simulated: --compartments, --draw.  A file that cannot be "
             "repaired is refused with a "
             "message; the others are still shown, and the exit code is 65.",
    .notes = "Samples, roots, branch points, tips and length (without the "
             "edges inside the soma) describe the file as it stands; sections, "
             "levels, compartments, area and repairs describe the neuron made "
             "of it.  The column 'differs' (--tsv) counts the kinds of "
             "differences from NEURON; src/morphology/README.md has a table of "
             "them.",
    .n = BOSC_LEN(rows),
    .rows = rows,
};

/* Options of files with a job, and of a job with files. */
static bosc_status check(const request *r, const bosc_arguments *files,
                         bosc_error *err)
{
    const bosc_cable_spec usual = bosc_cable_defaults();
    const bosc_inspect *how = &r->how;
    const bool of_files = r->chosen_by != NULL || how->strict ||
                          how->sections || how->all_repairs ||
                          !bosc_edit_is_none(&how->spec.edit) ||
                          r->Ra != usual.Ra[0] || r->cm != usual.cm[0];
    const bool of_job =
        r->job.population != NULL || r->job.neuron >= 0 || r->job.set.n > 0;
    int n_jobs = 0;

    for (int i = 0; i < files->n; ++i)
        n_jobs += bosc_is_job(files->word[i]);
    if ((n_jobs > 0 || r->draw != NULL) && files->n > 1)
        return bosc_fail(err, BOSC_EUSAGE,
                         "%d files; give one with --draw, or one job",
                         files->n);
    if (how->compartments + (r->draw != NULL) + how->sections > 1)
        return bosc_fail(err, BOSC_EUSAGE,
                         "give one of --sections, --compartments and --draw");
    if (n_jobs > 0 && !how->compartments && r->draw == NULL)
        return bosc_fail(err, BOSC_EUSAGE,
                         "%s is a job; list the compartments of its neurons "
                         "with --compartments, or draw one with --draw",
                         files->word[0]);
    if (n_jobs > 0 && of_files)
        return bosc_fail(err, BOSC_EUSAGE,
                         "%s is a job, which says itself how neurons are cut; "
                         "only --population, --neuron and --set go with it",
                         files->word[0]);
    return n_jobs == 0 && of_job
               ? bosc_fail(err, BOSC_EUSAGE,
                           "--population, --neuron and --set are of a job; "
                           "'%s' is none (.yaml)",
                           files->word[0])
               : BOSC_OK;
}

static bosc_status print(request *r, const bosc_arguments *files,
                         bosc_error *err)
{
    if (!bosc_is_job(files->word[0]))
        return bosc_inspect_files(&r->how, files->n, files->word, err);
    r->job.path = files->word[0];
    return bosc_inspect_job_print(&r->job, err);
}

/* Let the script of 'bosc plot' draw what is printed, on its standard input. */
static bosc_status draw(request *r, const bosc_arguments *files,
                        bosc_error *err)
{
    char *const words[] = {"-", "--tree", "-o", (char *)r->draw};
    FILE *table = tmpfile();
    const int out = dup(STDOUT_FILENO);
    bosc_status st;

    if (table == NULL || out < 0)
        return bosc_fail(err, BOSC_EIO,
                         "no file for the list of compartments in the folder "
                         "for temporary ones; is it full?");
    fflush(stdout);
    dup2(fileno(table), STDOUT_FILENO);
    st = print(r, files, err);
    if (fflush(stdout) != 0 && st == BOSC_OK)
        st = bosc_fail(err, BOSC_EIO,
                       "the list of compartments cannot be written; is the "
                       "folder for temporary files full?");
    dup2(out, STDOUT_FILENO);
    close(out);
    if (st != BOSC_OK)
        return st;
    lseek(fileno(table), 0, SEEK_SET);
    dup2(fileno(table), STDIN_FILENO);
    return bosc_script_become("jobs/plot-run", "bosc inspect",
                              (int)BOSC_LEN(words), words, err);
}

bosc_status bosc_cmd_inspect(int argc, char **argv, bosc_error *err)
{
    request r = {.how.spec = bosc_cable_defaults(), .job.neuron = -1};
    bosc_arguments files;
    bosc_status st;

    r.policy = r.how.spec.policy;
    r.Ra = r.how.spec.Ra[0];
    r.cm = r.how.spec.cm[0];
    r.odd_per = r.how.spec.odd_per[0];
    st = bosc_options_parse(&options, argc, argv, &r, &files, err);
    if (st == BOSC_OK && !files.done)
        st = check(&r, &files, err);
    if (st == BOSC_OK && !files.done) {
        for (int k = 0; k < BOSC_N_REGIONS; ++k) {
            r.how.spec.Ra[k] = r.Ra;
            r.how.spec.cm[k] = r.cm;
            r.how.spec.odd_per[k] = r.odd_per;
        }
        if (r.draw != NULL)
            r.how.compartments = true;
        if (r.how.compartments)
            r.how.tsv = r.how.spec.points = true;
        st = r.draw != NULL ? draw(&r, &files, err) : print(&r, &files, err);
    }
    free(r.job.set.text);
    return st;
}
