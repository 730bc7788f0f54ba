/* parse_declare.c - the blocks that declare: NEURON, UNITS, PARAMETER and its
 * like. */
#include <math.h>
#include <string.h>

#include "src/nmodl/syntax/parse.h"
#include "src/text/number.h"

static bosc_nm_declared *declare(bosc_nm_parser *p, bosc_nm_where where)
{
    bosc_nm_declared *d = bosc_nm_new(p->arena, 1, sizeof *d);

    d->where = where;
    d->name = d->unit = "";
    d->place = bosc_nm_now(p)->place;
    return d;
}

/* "a, b[2], c": names with sizes, up to the first that has no comma behind. */
bool bosc_nm_parse_names(bosc_nm_parser *p, bosc_nm_list *names)
{
    do {
        bosc_nm_item *item = bosc_nm_new(p->arena, 1, sizeof *item);

        item->place = bosc_nm_now(p)->place;
        item->name = bosc_nm_take_name(p, "a name");
        if (item->name == NULL || !bosc_nm_take_size(p, &item->size))
            return false;
        bosc_nm_push(p->arena, names, item);
    } while (bosc_nm_take(p, ","));
    return true;
}

/* ---- NEURON ---- */

static bool parse_kind(bosc_nm_parser *p, bosc_nm_kind kind)
{
    const bosc_nm_place place = bosc_nm_now(p)->place;
    const char *name = bosc_nm_take_name(p, "the name of the mechanism");

    if (name == NULL)
        return false;
    if (p->file->kind != BOSC_NM_NO_KIND && p->file->kind != kind) {
        bosc_nm_refuse(p->problems, place, "a file has one mechanism",
                       "this is a second name, after '%s'", p->file->name);
        return true;
    }
    if (p->file->kind == kind)
        bosc_nm_warn(p->problems, place, "",
                     "a second name: as in NEURON it counts, and '%s' does not",
                     p->file->name);
    p->file->kind = kind;
    p->file->name = name;
    p->file->name_place = place;
    return true;
}

static bool parse_ion(bosc_nm_parser *p)
{
    bosc_nm_use_ion *ion = bosc_nm_new(p->arena, 1, sizeof *ion);

    ion->place = bosc_nm_now(p)->place;
    ion->name = bosc_nm_take_name(p, "the name of an ion");
    if (ion->name == NULL)
        return false;
    for (;;) {
        if (bosc_nm_take(p, "READ")) {
            if (!bosc_nm_parse_names(p, &ion->read))
                return false;
        } else if (bosc_nm_take(p, "WRITE")) {
            if (!bosc_nm_parse_names(p, &ion->write))
                return false;
        } else if (bosc_nm_take(p, "VALENCE") || bosc_nm_take(p, "CHARGE")) {
            ion->has_valence = true;
            if (!bosc_nm_take_number(p, &ion->valence))
                return false;
        } else {
            break;
        }
    }
    bosc_nm_push(p->arena, &p->file->ions, ion);
    return true;
}

static bool parse_list(bosc_nm_parser *p, bosc_nm_where where)
{
    bosc_nm_list names = {0};

    if (!bosc_nm_parse_names(p, &names))
        return false;
    for (int i = 0; i < names.n; ++i) {
        const bosc_nm_item *item = names.item[i];
        bosc_nm_declared *d = declare(p, where);

        d->name = item->name;
        d->place = item->place;
        bosc_nm_push(p->arena, &p->file->declared, d);
    }
    return true;
}

bool bosc_nm_parse_neuron(bosc_nm_parser *p)
{
    static const struct {
        const char *word;
        bosc_nm_kind kind;
    } kinds[] = {{"SUFFIX", BOSC_NM_SUFFIX},
                 {"POINT_PROCESS", BOSC_NM_POINT_PROCESS},
                 {"ARTIFICIAL_CELL", BOSC_NM_ARTIFICIAL_CELL}};
    static const struct {
        const char *word;
        bosc_nm_where where;
    } lists[] = {{"RANGE", BOSC_NM_IN_RANGE},
                 {"GLOBAL", BOSC_NM_IN_GLOBAL},
                 {"POINTER", BOSC_NM_IN_POINTER},
                 {"BBCOREPOINTER", BOSC_NM_IN_POINTER},
                 {"EXTERNAL", BOSC_NM_IN_EXTERNAL},
                 {"NONSPECIFIC_CURRENT", BOSC_NM_IN_CURRENT},
                 {"ELECTRODE_CURRENT", BOSC_NM_IN_ELECTRODE},
                 {"RANDOM", BOSC_NM_IN_RANDOM}};

    if (!bosc_nm_expect(p, "NEURON") || !bosc_nm_expect(p, "{"))
        return false;
    while (!bosc_nm_take(p, "}")) {
        bool known = false, good = true;

        for (size_t i = 0; i < BOSC_LEN(kinds) && !known; ++i)
            if ((known = bosc_nm_take(p, kinds[i].word)))
                good = parse_kind(p, kinds[i].kind);
        for (size_t i = 0; i < BOSC_LEN(lists) && !known; ++i)
            if ((known = bosc_nm_take(p, lists[i].word)))
                good = parse_list(p, lists[i].where);
        if (!known && (known = bosc_nm_take(p, "USEION")))
            good = parse_ion(p);
        if (!known)
            good = bosc_nm_unexpected(
                p, "SUFFIX, RANGE, USEION or the like, or '}'");
        if (!good)
            return false;
    }
    return true;
}

/* ---- PARAMETER, CONSTANT, ASSIGNED, STATE ---- */

/* "<low, high>", or "<tolerance>" of a state. */
static bool parse_limits(bosc_nm_parser *p, bosc_nm_declared *d)
{
    if (!bosc_nm_take(p, "<"))
        return true;
    if (!bosc_nm_take_number(p, &d->low))
        return false;
    if (bosc_nm_take(p, ",")) {
        d->has_limits = true;
        if (!bosc_nm_take_number(p, &d->high))
            return false;
    }
    return bosc_nm_expect(p, ">");
}

static bool parse_variable(bosc_nm_parser *p, bosc_nm_where where)
{
    bosc_nm_declared *d = declare(p, where);
    double ignored;

    if ((d->name = bosc_nm_take_name(p, "a name")) == NULL ||
        !bosc_nm_take_size(p, &d->size))
        return false;
    if (bosc_nm_take(p, "=")) {
        d->has_value = true;
        if (!bosc_nm_take_number(p, &d->value))
            return false;
    }
    if (bosc_nm_take(p, "FROM") &&
        (!bosc_nm_take_number(p, &ignored) || !bosc_nm_expect(p, "TO") ||
         !bosc_nm_take_number(p, &ignored)))
        return false;
    if (bosc_nm_take(p, "START")) {
        d->has_value = true;
        if (!bosc_nm_take_number(p, &d->value))
            return false;
    }
    if ((d->unit = bosc_nm_take_unit(p)) == NULL || !parse_limits(p, d))
        return false;
    bosc_nm_take(p, ",");
    bosc_nm_push(p->arena, &p->file->declared, d);
    return true;
}

bool bosc_nm_parse_variables(bosc_nm_parser *p, bosc_nm_where where)
{
    if (!bosc_nm_expect(p, "{"))
        return false;
    while (!bosc_nm_take(p, "}"))
        if (!parse_variable(p, where))
            return false;
    return true;
}

/* ---- UNITS ---- */

/* The factor of "10-3 coulomb" or "kilocoulombs" over the unit, 0 where it is
 * another one. */
static double factor_of(const char *text, const char *unit)
{
    static const struct {
        const char *name;
        double factor;
    } prefixes[] = {{"", 1},         {"mega", 1e6},   {"kilo", 1e3},
                    {"milli", 1e-3}, {"micro", 1e-6}, {"nano", 1e-9},
                    {"k", 1e3},      {"m", 1e-3},     {"u", 1e-6}};
    double factor = 1;
    const char *after;

    text += strspn(text, " \t");
    after = bosc_number_parse(text, text + strlen(text), &factor);
    if (after == NULL) {
        factor = 1;
    } else {
        double power;

        text = after;
        if (*text == '-' || *text == '+') { /* 10-3 is a thousandth */
            after = bosc_number_parse(text, text + strlen(text), &power);
            if (after == NULL)
                return 0;
            factor = pow(factor, power);
            text = after;
        }
    }
    text += strspn(text, " \t-");
    for (size_t i = 0; i < BOSC_LEN(prefixes); ++i) {
        const size_t n = strlen(prefixes[i].name), m = strlen(unit);

        if (strncmp(text, prefixes[i].name, n) == 0 &&
            strncmp(text + n, unit, m) == 0) {
            const char *rest = text + n + m;

            rest += *rest == 's';
            rest += strspn(rest, " \t");
            if (*rest == '\0' || *rest == '/')
                return factor * prefixes[i].factor;
        }
    }
    return 0;
}

/* "FARADAY = (faraday) (coulomb)": the first unit in those of the second, with
 * the constants of CODATA 2018, as NEURON 9. */
static bool parse_physical(bosc_nm_parser *p, bosc_nm_declared *d)
{
    static const struct {
        const char *name;
        double value;
        const char *unit;
    } constants[] = {{"faraday", 96485.3321233100184, "coulomb"},
                     {"faraday", 96485.3321233100184, "coul"},
                     {"k-mole", 8.31446261815324, "joule"},
                     {"mole-k", 8.31446261815324, "joule"},
                     {"mole k", 8.31446261815324, "joule"},
                     {"mole k", 8314.46261815324, "mV-coulomb"},
                     {"k", 1.380649e-23, "joule"},
                     {"pi", 3.14159265358979323846, "1"},
                     {"e", 1.602176634e-19, "coulomb"}};
    const char *from = bosc_nm_take_unit(p);
    const char *to = from == NULL ? NULL : bosc_nm_take_unit(p);

    if (to == NULL)
        return false;
    d->unit = to;
    d->has_value = true;
    from += strspn(from, " \t");
    for (size_t i = 0; i < BOSC_LEN(constants); ++i) {
        const size_t n = strlen(constants[i].name);

        if (strncmp(from, constants[i].name, n) != 0 ||
            from[n + strspn(from + n, " \t")] != '\0')
            continue;

        const double factor = strcmp(constants[i].unit, "1") == 0
                                  ? 1
                                  : factor_of(to, constants[i].unit);
        if (factor > 0) {
            d->value = constants[i].value / factor;
            return true;
        }
    }
    bosc_nm_refuse(
        p->problems, d->place, "give the number: NAME = 96485.3 (coulomb)",
        "the conversion of (%.40s) to (%.40s) is not known", from, to);
    return true;
}

bool bosc_nm_parse_units(bosc_nm_parser *p)
{
    if (!bosc_nm_expect(p, "UNITS") || !bosc_nm_expect(p, "{"))
        return false;
    while (!bosc_nm_take(p, "}")) {
        bosc_nm_declared *d = declare(p, BOSC_NM_IN_UNITS);

        if (bosc_nm_at(p, "(")) { /* (mV) = (millivolt): only a name */
            if (bosc_nm_take_unit(p) == NULL || !bosc_nm_expect(p, "=") ||
                bosc_nm_take_unit(p) == NULL)
                return false;
            continue;
        }
        if ((d->name = bosc_nm_take_name(p, "a unit or a name")) == NULL ||
            !bosc_nm_expect(p, "="))
            return false;
        if (bosc_nm_at(p, "(")) {
            if (!parse_physical(p, d))
                return false;
        } else {
            d->has_value = true;
            if (!bosc_nm_take_number(p, &d->value) ||
                (d->unit = bosc_nm_take_unit(p)) == NULL)
                return false;
        }
        bosc_nm_push(p->arena, &p->file->declared, d);
    }
    return true;
}
