/* job_where.c - 'where' of a region: what is read, and what is refused. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/mem.h"
#include "src/job/grammar/job_where.h"
#include "src/text/print.h"
#include "tests/lib/job.h"
#include "tests/lib/mechs.h"
#include "tests/lib/tap.h"

static const char *const names[] = {"hot", "hot-2", "this_one", "later"};
static const bosc_own_regions own = {BOSC_LEN(names), 2, names};

/* Read the 'where' of a text whose first line has it; its canonical text, or
 * the message. */
static char *read_where(const char *text, bosc_where *where)
{
    bosc_schema schema = bosc_job_schema;
    bosc_yaml *tree = NULL;
    bosc_error err = {{0}};
    bosc_print print;

    schema.mechs = test_mechs();
    *where = (bosc_where){0};

    bosc_status st = bosc_yaml_parse(text, "job.yaml", true, &tree, &err);

    if (st == BOSC_OK)
        st = bosc_where_read(&schema, bosc_yaml_get(tree, "where"), &own, where,
                             &err);
    bosc_yaml_destroy(tree);
    if (st != BOSC_OK)
        return where->n == 0 && where->node == NULL ? bosc_strdup(err.text)
                                                    : NULL;
    bosc_where_print(where, bosc_print_begin(&print));
    return bosc_print_end(&print);
}

static const struct {
    const char *name, *text, *is;
} reads[] = {
    {"a region", "where: {region: apical}", "apical"},
    {"all", "where: {region: all}", "(all)"},
    {"a list of regions", "where: {region: [apical, soma]}",
     "(apical or soma)"},
    {"regions in one text", "where: {region: \"apical, soma\"}",
     "(apical or soma)"},
    {"regions of the user's own", "where: {region: [hot-2, hot]}",
     "(region 1 or region 0)"},
    {"a list of one", "where: {region: [axon]}", "axon"},
    {"a type", "where: {type: 5}", "type 5"},
    {"types", "where: {type: [5, 16]}", "(type 5 or type 16)"},
    {"a section", "where: {sections: \"dend[3]\"}", "dend[3-3]"},
    {"a section without quotes", "where:\n  sections: dend[3]", "dend[3-3]"},
    {"sections",
     "where: {sections: [\"dend[0-12]\", \"apical[7-]\", axon, \"soma[0]\"]}",
     "(dend[0-12] or apic[7-] or axon[0-] or soma[0-0])"},
    {"a distance", "where: {distance: [685, 885.5 um]}",
     "distance 685 to 885.5"},
    {"a distance without end", "where: {distance: [0, .inf]}",
     "distance 0 to inf"},
    {"the distance of a point", "where: {distance: 620, from: \"dend[2](0)\"}",
     "at 620 from dend[2](0)"},
    {"a distance from a point",
     "where: {distance: [-0, 9], from: \"apic[36]\"}",
     "distance 0 to 9 from apic[36](0.5)"},
    {"a distance from the soma", "where: {distance: [1, 9], from: soma}",
     "distance 1 to 9"},
    {"a diameter", "where: {diameter: [0.5, 0.5]}", "diameter 0.5 to 0.5"},
    {"an order", "where: {order: 2}", "order 2 to 2"},
    {"orders", "where: {order: [2, .inf]}", "order 2 to inf"},
    {"a path", "where: {between: [soma, \"apic[36](1)\"]}",
     "between soma and apic[36](1)"},
    {"a tip", "where: {tip: true}", "tip"},
    {"no tip", "where: {tip: no}", "not (tip)"},
    {"several keys, in the order of the table",
     "where: {tip: true, distance: [1, 2], region: apical}",
     "(apical and distance 1 to 2 and tip)"},
    {"and, or and not",
     "where:\n  region: [hot, axon]\n  or:\n    - {tip: true, type: 7}\n"
     "    - {order: 0}\n  and: [{region: axon}, {diameter: [0, 1]}]\n"
     "  not: {region: hot, tip: false}",
     "((region 0 or axon) and (axon and diameter 0 to 1) and ((type 7 and "
     "tip) or order 0 to 0) and not ((region 0 and not (tip))))"},
    {"and, or and not of one", "where: {or: [{and: [{not: {tip: true}}]}]}",
     "not (tip)"},
};

static void test_reads(void)
{
    for (size_t i = 0; i < BOSC_LEN(reads); ++i) {
        bosc_where where;
        char *got = read_where(reads[i].text, &where);

        if (!ok(got != NULL && strcmp(got, reads[i].is) == 0, "%s is read",
                reads[i].name))
            diag("%s", got != NULL ? got : "nothing");
        free(got);
        bosc_where_clear(&where);
    }
}

static const struct {
    const char *name, *text, *is;
} refused[] = {
    {"no group", "where: apical",
     "job.yaml:1: where is a group of keys, not 'apical'; write 'where: "
     "{region: apical}'"},
    {"a list", "where: [apical]",
     "job.yaml:1: where is a group of keys, not a list"},
    {"nothing", "where: {}",
     "job.yaml:1: where: nothing is said; name what holds"},
    {"an empty value", "where:", "job.yaml:1: where: nothing is said"},
    {"an unknown key", "where:\n  regoin: soma",
     "job.yaml:2: unknown key 'regoin'; did you mean 'region'?"},
    {"a key of a region", "where:\n  qqq: 1",
     "job.yaml:2: unknown key 'qqq'; allowed here: region, type, sections, "
     "distance, from, diameter, order, between, tip, and, or, not"},
    {"an unknown key within",
     "where:\n  or:\n    - {tip: true}\n"
     "    - {diamter: [0, 1]}",
     "job.yaml:4: unknown key 'diamter'; did you mean 'diameter'?"},
    {"an unknown region", "where: {region: [apical, dendrit]}",
     "job.yaml:1: region: unknown region 'dendrit'; did you mean 'dendrite'?"},
    {"an unknown region of the user's own", "where: {region: hut}",
     "job.yaml:1: region: unknown region 'hut'; did you mean 'hot'?"},
    {"a region far from all", "where: {region: qqqqqqqq}",
     "available: all, soma, axon, dendrite, apical, custom, hot, hot-2"},
    {"a region that stands below", "where:\n  region:\n  - hot\n  - later",
     "job.yaml:4: region: 'later' stands below; a region may only name those "
     "that stand before it, so move it up"},
    {"the region itself", "where: {region: this_one}",
     "job.yaml:1: region: 'this_one' is this region itself; a region may only "
     "name those that stand before it"},
    {"no region", "where: {region: []}",
     "job.yaml:1: region: the list is empty"},
    {"commas alone", "where: {region: \",\"}",
     "job.yaml:1: region: nothing is named"},
    {"a group as region", "where: {region: {soma: 1}}",
     "job.yaml:1: region takes one value"},
    {"a negative type", "where: {type: -1}",
     "job.yaml:1: type: '-1' is out of range; allowed: 0 to 2147483647"},
    {"half a type", "where: {type: [5, 1.5]}",
     "job.yaml:1: type: '1.5' is not a whole number"},
    {"a type as a word", "where: {type: apical}",
     "job.yaml:1: type: 'apical' is not a number"},
    {"no type", "where: {type: []}", "job.yaml:1: type: the list is empty"},
    {"no section", "where: {sections: []}",
     "job.yaml:1: sections: the list is empty"},
    {"an unknown section", "where: {sections: \"dand[3]\"}",
     "job.yaml:1: sections: 'dand[3]' names no section; write"},
    {"a section without a bracket", "where: {sections: dend3}",
     "job.yaml:1: sections: 'dend3' names no section"},
    {"a section with half a bracket", "where: {sections: \"dend[3\"}",
     "job.yaml:1: sections: 'dend[3' names no section"},
    {"a section with a text behind it", "where: {sections: \"dend[3]x\"}",
     "job.yaml:1: sections: 'dend[3]x' names no section"},
    {"a section with a large number",
     "where: {sections: \"dend[99999999999999999999]\"}", "names no section"},
    {"sections backwards", "where: {sections: \"dend[5-3]\"}",
     "job.yaml:1: sections: the range 'dend[5-3]' runs backwards; write the "
     "smaller number first"},
    {"a point as a section", "where: {sections: \"dend[5](0.5)\"}",
     "job.yaml:1: sections: 'dend[5](0.5)' is a point of a section; leave out "
     "'(0.5)'"},
    {"one distance that is none", "where: {distance: far}",
     "job.yaml:1: distance: 'far' is not a number"},
    {"three distances", "where: {distance: [1, 2, 3]}",
     "job.yaml:1: distance: write a number, or two numbers, 'distance: "
     "[nearest, farthest]'"},
    {"distances backwards", "where:\n  distance: [885, 685]",
     "job.yaml:2: distance: 885 is more than 685 um; write the smaller number "
     "first"},
    {"a negative distance", "where: {distance: [-1, 5]}",
     "job.yaml:1: distance: '-1' is out of range; allowed: 0 to 1000000000 um"},
    {"a distance in another unit", "where: {distance: [0, 1 mm]}",
     "job.yaml:1: distance: '1 mm' has the unit 'mm', but distance is in um; "
     "write 1000"},
    {"a distance that begins nowhere", "where: {distance: [.inf, .inf]}",
     "job.yaml:1: distance: '.inf' is not a"},
    {"from without distance", "where: {tip: true,\n  from: soma}",
     "job.yaml:2: from: it says where 'distance' counts from; add 'distance: "
     "[nearest, farthest]'"},
    {"from no point", "where: {distance: [0, 1], from: everywhere}",
     "job.yaml:1: from: 'everywhere' is no point of a neuron; write soma, or"},
    {"from beyond a section", "where: {distance: [0, 1], from: \"dend[0](2)\"}",
     "job.yaml:1: from: position 2 in 'dend[0](2)' is outside the section"},
    {"from a section without number", "where: {distance: [0, 1], from: axon}",
     "job.yaml:1: from: which section is meant by 'axon'? number it, such as "
     "\"axon[0](0.5)\""},
    {"diameters backwards", "where: {diameter: [3, 2]}",
     "job.yaml:1: diameter: 3 is more than 2 um"},
    {"one diameter", "where: {diameter: 3}",
     "job.yaml:1: diameter: write two numbers, 'diameter: [least, greatest]'"},
    {"orders backwards", "where: {order: [3, 2]}",
     "job.yaml:1: order: 3 is more than 2; write"},
    {"half an order", "where: {order: 0.5}",
     "job.yaml:1: order: '0.5' is not a whole number"},
    {"three orders", "where: {order: [1, 2, 3]}",
     "job.yaml:1: order: write a number, or two numbers, 'order: [least, "
     "greatest]'"},
    {"a path with one end", "where: {between: [soma]}",
     "job.yaml:1: between: write two points, 'between: [soma, "
     "\"apic[36](1)\"]'"},
    {"a path to nowhere", "where:\n  between: [soma, tip]",
     "job.yaml:2: between: 'tip' is no point of a neuron"},
    {"a tip of three", "where: {tip: 3}",
     "job.yaml:1: tip: '3' is neither true nor false"},
    {"and of a group", "where: {and: {tip: true}}",
     "job.yaml:1: and is a list of groups, not a group of keys; write 'and: "
     "[{region: apical}, {tip: true}]'"},
    {"or of nothing", "where: {or: []}",
     "job.yaml:1: or is a list of groups, not an empty one"},
    {"or of a word", "where:\n  or:\n  - apical",
     "job.yaml:3: an entry is a group of keys, not 'apical'; write '- {region: "
     "apical}'"},
    {"or of an empty group", "where:\n  or:\n  - {}\n",
     "job.yaml:3: an entry says nothing; name what holds"},
    {"not of a list", "where: {not: [{tip: true}]}",
     "job.yaml:1: not is a group of keys, not a list; write 'not: {region: "
     "apical}'"},
};

static void test_refused(void)
{
    for (size_t i = 0; i < BOSC_LEN(refused); ++i) {
        bosc_where where;
        char *got = read_where(refused[i].text, &where);

        if (!ok(got != NULL && strstr(got, refused[i].is) != NULL,
                "%s is refused", refused[i].name)) {
            diag("wanted: %s", refused[i].is);
            diag("got:    %s", got != NULL ? got : "half a predicate");
        }
        free(got);
        bosc_where_clear(&where);
    }
}

/* "where: {not: {not: ... {tip: true}}}" of so many groups. */
static char *nested(int groups)
{
    char *text = bosc_strdup("{tip: true}");

    for (int i = 1; i < groups; ++i) {
        char *more = bosc_format("{not: %s}", text);

        free(text);
        text = more;
    }
    char *all = bosc_format("where: %s", text);

    free(text);
    return all;
}

static void test_depth(void)
{
    bosc_where where;
    char *text = nested(16), *got = read_where(text, &where);

    ok(got != NULL && where.n == 16, "16 groups within each other are read");
    free(text);
    free(got);
    bosc_where_clear(&where);
    text = nested(17);
    got = read_where(text, &where);
    if (!ok(got != NULL && strcmp(got, "job.yaml:1: where: more than 16 groups "
                                       "within each other; give inner ones a "
                                       "name as regions of their own") == 0,
            "17 are refused"))
        diag("%s", got != NULL ? got : "");
    free(text);
    free(got);
}

static void test_lines(void)
{
    bosc_where where;
    char *got = read_where("where:\n  region: apical\n  or:\n"
                           "  - {tip: true}\n  - sections:\n"
                           "    - dend[1]\n    - dend[2]\n",
                           &where);

    if (!ok(got != NULL &&
                strcmp(got, "(apical and (tip or (dend[1-1] or dend[2-2])))") ==
                    0 &&
                strcmp(where.source, "job.yaml") == 0 && where.n == 7 &&
                where.node[1].line == 2 && where.node[3].line == 4 &&
                where.node[5].line == 6 && where.node[6].line == 7,
            "each test knows its line"))
        diag("%s", got);
    free(got);
    bosc_where_clear(&where);
}

/* --- keys of several regions --------------------------------------------- */

static bosc_status collect(const bosc_yaml *node, const char *word,
                           size_t length, void *to, bosc_error *err)
{
    (void)node;
    (void)err;
    strncat(to, word, length);
    strcat(to, ";");
    return BOSC_OK;
}

static const struct {
    const char *key, *is;
} region_keys[] = {
    {"apical", "apical;"},
    {"\"apical, dendrite\"", "apical;dendrite;"},
    {"\"a ,b,c-d_2\"", "a;b;c-d_2;"},
    {"\"apical dendrite\"",
     "job.yaml:1: regions: 'apical dendrite' names no regions; write names"},
    {"\"apical,\"", "names no regions"},
    {"\",apical\"", "names no regions"},
    {"\"\"", "names no regions"},
    {"\"2hot\"", "names no regions"},
    {"\"dend[3]\"", "names no regions"},
    {"\"ab, a, ab\"",
     "job.yaml:1: regions: 'ab' stands twice in 'ab, a, ab'; remove one"},
};

static void test_region_keys(void)
{
    for (size_t i = 0; i < BOSC_LEN(region_keys); ++i) {
        char *text = bosc_format("%s: {}", region_keys[i].key), got[100] = "";
        bosc_yaml *tree = NULL;
        bosc_error err = {{0}};
        bosc_status st = bosc_yaml_parse(text, "job.yaml", true, &tree, &err);

        if (st == BOSC_OK)
            st = bosc_region_key_read(tree->child[0], collect, got, &err);
        if (!ok(st == BOSC_OK ? strcmp(got, region_keys[i].is) == 0
                              : strstr(err.text, region_keys[i].is) != NULL,
                "the key %s", region_keys[i].key))
            diag("%s %s", got, err.text);
        free(text);
        bosc_yaml_destroy(tree);
    }
}

/* Each names the one before it twice: 2^50 ways from the last to the first. */
static void test_chain(void)
{
    char *regions = bosc_strdup("      soma: {hh: {}}\n"
                                "      r0: {where: {tip: true}}\n");
    bosc_error err;

    for (int k = 1; k <= 50; ++k) {
        char *more = bosc_format("%s      r%d: {where: {region: r%d, "
                                 "not: {region: r%d}}}\n",
                                 regions, k, k - 1, k - 1);

        free(regions);
        regions = more;
    }
    char *text = changed("      soma: {hh: {}}\n", regions);

    alarm(60); /* else it would not end */
    bosc_job *job = parse(text, 0, NULL, &err);

    alarm(0);
    if (!ok(job != NULL && job->populations[0].n_regions == 53,
            "regions that name earlier ones twice are read once each"))
        diag("%s", err.text);
    bosc_job_destroy(job);
    free(text);
    free(regions);
}

int main(void)
{
    test_reads();
    test_refused();
    test_depth();
    test_lines();
    test_region_keys();
    test_chain();
    return done_testing();
}
