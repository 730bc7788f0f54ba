/* job_population.c - entries of populations: which of their keys go together.
 */
#include "src/job/job_keys.h"

#include "src/morphology/synthetic.h"

static const bosc_yaml empty_map = {.kind = BOSC_YAML_MAP};

/* The policy that the other keys of the group belong to; keys of two policies
 * are an error. */
static bosc_status find_policy(const bosc_yaml *node,
                               bosc_population_spec *population,
                               bosc_error *err)
{
    static const struct {
        const char *key;
        bosc_policy policy;
    } owners[] = {{"d_lambda", BOSC_D_LAMBDA},
                  {"frequency", BOSC_D_LAMBDA},
                  {"max_length", BOSC_MAX_LENGTH},
                  {"per_section", BOSC_PER_SECTION},
                  {"odd_per", BOSC_ODD_PER}};
    bool found = bosc_yaml_get(node, "policy") != NULL;

    for (size_t i = 0; i < BOSC_LEN(owners); ++i) {
        const bosc_yaml *own = bosc_yaml_get(node, owners[i].key);

        if (own == NULL)
            continue;
        if (!found)
            population->cable.policy = owners[i].policy;
        found = true;
        if (population->cable.policy != owners[i].policy)
            return bosc_yaml_fail(
                err, own,
                "%s has no effect: the policy is %s; remove %s, or write "
                "'policy: %s'",
                own->key, bosc_policy_names[population->cable.policy], own->key,
                bosc_policy_names[owners[i].policy]);
    }
    return BOSC_OK;
}

/* Lengths and diameters are of a rule of their own, which they imply. */
static bosc_status check_axon(const bosc_yaml *node,
                              bosc_population_spec *population, bosc_error *err)
{
    static const char *const own[] = {"lengths", "diameters", "compartments"};
    bosc_axon_spec *axon = &population->cable.edit.axon;
    const bosc_yaml *attach = bosc_yaml_get(node, "attach");
    const int32_t n = axon->lengths.n, cuts = axon->compartments.n;

    for (size_t i = 0; i < BOSC_LEN(own); ++i) {
        const bosc_yaml *child = bosc_yaml_get(node, own[i]);

        if (child != NULL && bosc_yaml_get(node, "replace") == NULL)
            axon->rule = BOSC_AXON_GIVEN;
        if (child != NULL && axon->rule != BOSC_AXON_GIVEN)
            return bosc_yaml_fail(err, child,
                                  "%s has no effect: 'replace: %s' says what "
                                  "the axon is; remove one of them",
                                  own[i], bosc_axon_names[axon->rule]);
    }
    if (attach != NULL &&
        (axon->rule == BOSC_AXON_NONE || axon->rule == BOSC_AXON_REMOVE))
        return bosc_yaml_fail(err, attach,
                              "attach has no effect: 'replace: %s' has no "
                              "sections to attach; remove it",
                              bosc_axon_names[axon->rule]);
    if (axon->rule == BOSC_AXON_GIVEN &&
        (n == 0 || axon->diameters.n != n || (cuts != 0 && cuts != n)))
        return bosc_yaml_fail(err, node,
                              "axon: %d lengths, %d diameters, %d "
                              "compartments; give as many of each: 'lengths: "
                              "[30, 30], diameters: [1, 1]'",
                              (int)n, (int)axon->diameters.n, (int)cuts);
    return BOSC_OK;
}

/* A soma without membrane stands for an artificial cell. */
static bosc_status check_artificial(const bosc_yaml *node,
                                    bosc_population_spec *population,
                                    bosc_error *err)
{
    static const char *const others[] = {
        "morphologies", "synthetic", "regions",        "scale",
        "attach",       "axon",      "discretisation",
    };

    for (size_t i = 0; i < BOSC_LEN(others); ++i)
        if (bosc_yaml_get(node, others[i]) != NULL)
            return bosc_yaml_fail(err, bosc_yaml_get(node, others[i]),
                                  "%s has no effect: population '%s' is of "
                                  "artificial cells, which have no "
                                  "compartments; remove it",
                                  others[i], population->name);
    population->synthetic =
        (bosc_synthetic_range){.compartments = {3, 3}, .sections = {1, 1}};
    return BOSC_OK;
}

static bosc_status check_source(const bosc_yaml *node,
                                bosc_population_spec *population,
                                bosc_error *err)
{
    const bosc_yaml *synthetic = bosc_yaml_get(node, "synthetic"),
                    *count = bosc_yaml_get(node, "count");
    static const char *const edits[] = {"scale", "attach", "axon"};
    const char *name = population->name;
    const bosc_yaml *cut = bosc_yaml_get(node, "discretisation");
    bosc_error why;

    if (population->is_artificial)
        return check_artificial(node, population, err);
    if ((synthetic == NULL) == (population->morphologies == NULL))
        return bosc_yaml_fail(err, synthetic != NULL ? synthetic : node,
                              "population '%s' has %s; give one: "
                              "'morphologies: cells.tsv', 'model: fit.json', "
                              "'synthetic: {compartments: 319, sections: "
                              "157}' or "
                              "'artificial: {type: IntFire1}'",
                              name,
                              synthetic != NULL
                                  ? "both morphologies and synthetic"
                                  : "neither morphologies nor synthetic");
    if (count != NULL && synthetic == NULL &&
        bosc_is_list(population->morphologies))
        return bosc_yaml_fail(err, count,
                              "count: '%s' is a list and has its own counts, "
                              "in its second column; remove this one",
                              population->morphologies);
    if (cut != NULL && synthetic != NULL)
        return bosc_yaml_fail(err, cut,
                              "discretisation has no effect on synthetic "
                              "neurons: they have the compartments asked for; "
                              "remove it");
    for (size_t i = 0; synthetic != NULL && i < BOSC_LEN(edits); ++i)
        if (bosc_yaml_get(node, edits[i]) != NULL)
            return bosc_yaml_fail(err, bosc_yaml_get(node, edits[i]),
                                  "%s has no effect on synthetic neurons: it "
                                  "edits the sections of files; remove it",
                                  edits[i]);
    if (synthetic != NULL &&
        bosc_synthetic_check_range(&population->synthetic, &why) != BOSC_OK)
        return bosc_yaml_fail(err, synthetic, "synthetic: %s", why.text);
    return BOSC_OK;
}

static bosc_status check_model(const bosc_yaml *node,
                               const bosc_population_spec *population,
                               bosc_error *err)
{
    const char *const others[] = {"model_values", "model_name"};

    for (size_t i = 0; population->model == NULL && i < BOSC_LEN(others); ++i) {
        const bosc_yaml *own = bosc_yaml_get(node, others[i]);

        if (own != NULL)
            return bosc_yaml_fail(err, own,
                                  "%s has no effect without a model; write "
                                  "'model: FILE' beside it, or remove it",
                                  others[i]);
    }
    return BOSC_OK;
}

static bosc_status check_positions(const bosc_yaml *node,
                                   const bosc_population_spec *population,
                                   bosc_error *err)
{
    const bosc_yaml *positions = bosc_yaml_get(node, "positions");

    if (positions == NULL)
        return BOSC_OK;
    if (population->positions != NULL &&
        bosc_yaml_get(positions, "box") != NULL)
        return bosc_yaml_fail(err, positions,
                              "positions: box and file both say where the "
                              "somata are; keep one");
    if (!bosc_has_positions(population))
        return bosc_yaml_fail(err, positions,
                              "positions: where are the somata? write 'box: "
                              "[200, 200, 100]' with a positive side, or "
                              "'file: positions.tsv'");
    return BOSC_OK;
}

bosc_status bosc_population_complete(const bosc_schema *schema,
                                     const bosc_yaml *node, void *entry,
                                     bosc_error *err)
{
    bosc_population_spec *population = entry;
    const bosc_yaml *cut = bosc_yaml_get(node, "discretisation"),
                    *files = bosc_yaml_get(node, "morphologies"),
                    *artificial = bosc_yaml_get(node, "artificial"),
                    *axon = bosc_yaml_get(node, "axon");

    population->cable.file_counts = cut == NULL;
    population->morphologies_line = files != NULL ? files->line : 0;
    bosc_status st =
        find_policy(cut != NULL ? cut : &empty_map, population, err);

    if (st == BOSC_OK)
        st = check_axon(axon != NULL ? axon : &empty_map, population, err);
    if (st == BOSC_OK && artificial != NULL)
        st = bosc_artificial_complete(schema, artificial, population, err);
    if (st == BOSC_OK)
        st = check_model(node, population, err);
    if (st == BOSC_OK)
        st = check_positions(node, population, err);
    return st == BOSC_OK ? check_source(node, population, err) : st;
}
