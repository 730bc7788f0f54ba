/* model.c - from declarations to symbols. */
#include "src/nmodl/model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bosc_nm_symbol *add(bosc_nm_mechanism *m, bosc_nm_symbol_kind kind,
                           const char *name)
{
    bosc_nm_symbol *s = bosc_nm_symbol_create(m->arena, kind, name);

    bosc_nm_push(m->arena, &m->symbols, s);
    return s;
}

/* What a simulator gives to every mechanism, whether it is declared or not. */
static void add_given(bosc_nm_mechanism *m)
{
    static const struct {
        const char *name;
        bosc_nm_symbol_kind kind;
        const char *unit;
    } given[] = {
        {"v", BOSC_NM_VOLTAGE, "mV"},     {"t", BOSC_NM_TIME, "ms"},
        {"dt", BOSC_NM_STEP, "ms"},       {"celsius", BOSC_NM_CELSIUS, "degC"},
        {"diam", BOSC_NM_GEOMETRY, "um"}, {"area", BOSC_NM_GEOMETRY, "um2"}};

    for (size_t i = 0; i < BOSC_LEN(given); ++i)
        add(m, given[i].kind, given[i].name)->unit = given[i].unit;
}

/* ---- ions ---- */

static bosc_nm_symbol *ion_variable(bosc_nm_mechanism *m, bosc_nm_ion *ion,
                                    const char *name, bosc_nm_place place)
{
    const size_t n = strlen(ion->name), all = strlen(name);
    bosc_nm_symbol **at = NULL;
    bosc_nm_symbol *s;

    if (all == n + 1 && strcmp(name + 1, ion->name) == 0)
        at = name[0] == 'e' ? &ion->e : name[0] == 'i' ? &ion->i : NULL;
    if (at == NULL && all == n + 1 && strncmp(name, ion->name, n) == 0)
        at = name[n] == 'i'   ? &ion->inside
             : name[n] == 'o' ? &ion->outside
                              : NULL;
    if (at == NULL) {
        bosc_nm_refuse(m->problems, place, "",
                       "ion '%s' has no variable '%s'; it has e%s, i%s, %si "
                       "and %so",
                       ion->name, name, ion->name, ion->name, ion->name,
                       ion->name);
        return NULL;
    }
    if (*at == NULL && (s = bosc_nm_find(m, name)) == NULL) {
        *at = add(m, BOSC_NM_ION, name);
        (*at)->ion = ion;
        (*at)->unit = at == &ion->e ? "mV" : at == &ion->i ? "mA/cm2" : "mM";
    }
    if (*at == NULL)
        bosc_nm_refuse(m->problems, place, "", "'%s' belongs to two ions",
                       name);
    return *at;
}

static void use_ion_names(bosc_nm_mechanism *m, bosc_nm_ion *ion,
                          const bosc_nm_list *names, bool write)
{
    for (int i = 0; i < names->n; ++i) {
        const bosc_nm_item *item = names->item[i];
        const bosc_nm_symbol *s = ion_variable(m, ion, item->name, item->place);

        if (s == NULL)
            continue;
        if (s == ion->e)
            *(write ? &ion->writes_e : &ion->reads_e) = true;
        else if (s == ion->i)
            *(write ? &ion->writes_i : &ion->reads_i) = true;
        else if (s == ion->inside)
            *(write ? &ion->writes_inside : &ion->reads_inside) = true;
        else
            *(write ? &ion->writes_outside : &ion->reads_outside) = true;
    }
}

static void add_ions(bosc_nm_mechanism *m)
{
    for (int i = 0; i < m->file->ions.n; ++i) {
        const bosc_nm_use_ion *use = m->file->ions.item[i];
        bosc_nm_ion *ion = bosc_nm_new(m->arena, 1, sizeof *ion);

        ion->name = use->name;
        ion->valence = use->has_valence ? use->valence : NAN;
        use_ion_names(m, ion, &use->read, false);
        use_ion_names(m, ion, &use->write, true);
        bosc_nm_push(m->arena, &m->ions, ion);
    }
}

/* ---- variables ---- */

/* NEURON writes defaults of parameters into its C code with six digits. */
static double six_digits(double value)
{
    char text[32];

    snprintf(text, sizeof text, "%g", value);
    return strtod(text, NULL);
}

static void describe(bosc_nm_symbol *s, const bosc_nm_declared *d)
{
    s->declared = d;
    s->unit = d->unit;
    s->size = d->size;
    s->has_value = d->has_value;
    s->value = d->value;
    s->has_limits = d->has_limits;
    s->low = d->low;
    s->high = d->high;
    if (s->kind == BOSC_NM_PARAMETER)
        s->value = six_digits(s->value);
}

/* A name that is declared twice: an ion's concentration that is a STATE, the
 * voltage as an ASSIGNED, a PARAMETER as an ASSIGNED. */
static void declare_again(bosc_nm_mechanism *m, bosc_nm_symbol *s,
                          const bosc_nm_declared *d, bosc_nm_symbol_kind kind)
{
    switch (s->kind) {
    case BOSC_NM_ION:
        if (kind == BOSC_NM_STATE) {
            s->declared = d;
            s->kind = BOSC_NM_STATE; /* and s->ion */
        }
        if (d->unit[0] != '\0' && s->declared == NULL)
            s->unit = d->unit;
        break;
    case BOSC_NM_VOLTAGE:
    case BOSC_NM_TIME:
    case BOSC_NM_STEP:
    case BOSC_NM_CELSIUS:
    case BOSC_NM_GEOMETRY:
        if (kind == BOSC_NM_STATE && s->kind != BOSC_NM_VOLTAGE)
            bosc_nm_refuse(m->problems, d->place, "name the state otherwise",
                           "'%s' is given to a mechanism, and no state",
                           d->name);
        break;
    case BOSC_NM_VARIABLE:
        s->kind = kind;
        describe(s, d);
        break;
    default:
        if (kind == BOSC_NM_STATE) {
            s->kind = kind;
            describe(s, d);
        } else if (kind != BOSC_NM_VARIABLE && kind != s->kind) {
            bosc_nm_warn(m->problems, d->place, "",
                         "'%s' is declared twice; the first one counts",
                         d->name);
        }
    }
}

static void declare(bosc_nm_mechanism *m, const bosc_nm_declared *d)
{
    static const bosc_nm_symbol_kind kinds[] = {
        [BOSC_NM_IN_PARAMETER] = BOSC_NM_PARAMETER,
        [BOSC_NM_IN_CONSTANT] = BOSC_NM_CONSTANT,
        [BOSC_NM_IN_ASSIGNED] = BOSC_NM_VARIABLE,
        [BOSC_NM_IN_STATE] = BOSC_NM_STATE,
        [BOSC_NM_IN_UNITS] = BOSC_NM_CONSTANT,
        [BOSC_NM_IN_DEFINE] = BOSC_NM_CONSTANT,
        [BOSC_NM_IN_LOCAL] = BOSC_NM_VARIABLE,
    };
    bosc_nm_symbol *s = bosc_nm_find(m, d->name);

    if (d->where > BOSC_NM_IN_LOCAL)
        return;
    if (s != NULL)
        declare_again(m, s, d, kinds[d->where]);
    else
        describe(add(m, kinds[d->where], d->name), d);
}

/* RANGE, GLOBAL and so on: what kind of variable a declared one is. */
static void qualify(bosc_nm_mechanism *m, const bosc_nm_declared *d)
{
    bosc_nm_symbol *s = bosc_nm_find(m, d->name);

    if (d->where <= BOSC_NM_IN_LOCAL)
        return;
    if (s == NULL &&
        (d->where == BOSC_NM_IN_RANGE || d->where == BOSC_NM_IN_GLOBAL))
        return; /* declared nowhere, so used nowhere: else refused there */
    if (s == NULL) {
        s = add(m, BOSC_NM_VARIABLE, d->name);
        s->declared = d;
    }
    switch (d->where) {
    case BOSC_NM_IN_RANGE:
        s->range = true;
        break;
    case BOSC_NM_IN_GLOBAL:
        s->global = true;
        break;
    case BOSC_NM_IN_ELECTRODE:
        s->electrode = true;
        /* fall through */
    case BOSC_NM_IN_CURRENT:
        s->current = true;
        break;
    case BOSC_NM_IN_POINTER:
        if (s->size == 0 && !m->artificial) {
            s->kind = BOSC_NM_VARIABLE;
            s->pointer = true;
            break;
        }
        /* fall through */
    default:
        s->kind = BOSC_NM_FOREIGN;
        s->declared = d;
    }
}

bool bosc_nm_has_current(const bosc_nm_mechanism *m)
{
    for (int i = 0; i < m->symbols.n; ++i) {
        const bosc_nm_symbol *s = m->symbols.item[i];

        if (s->current ||
            (s->ion != NULL && s == s->ion->i && s->ion->writes_i))
            return true;
    }
    return false;
}

/* ---- blocks ---- */

/* As NEURON: a second INITIAL or BREAKPOINT, or block of a moment, runs after
 * the first, each with its own LOCAL. */
static void join(bosc_nm_mechanism *m, bosc_nm_block *first,
                 const bosc_nm_block *second)
{
    const bosc_nm_block *const parts[] = {first, second};
    bosc_nm_list both = {0};

    for (size_t i = 0; i < BOSC_LEN(parts); ++i) {
        bosc_nm_stmt *part =
            bosc_nm_stmt_create(m->arena, BOSC_NM_BLOCK, parts[i]->place);

        part->body = parts[i]->body;
        bosc_nm_push(m->arena, &both, part);
    }
    first->body = both;
}

/* Where the block of a moment goes; NULL: NEURON has no such moment. */
static bosc_nm_symbol **find_moment(bosc_nm_mechanism *m,
                                    const bosc_nm_block *block)
{
    static const char *const names[BOSC_NM_MOMENTS] = {
        [BOSC_NM_BEFORE_INITIAL] = "BEFORE INITIAL",
        [BOSC_NM_AFTER_INITIAL] = "AFTER INITIAL",
        [BOSC_NM_BEFORE_BREAKPOINT] = "BEFORE BREAKPOINT",
        [BOSC_NM_AFTER_SOLVE] = "AFTER SOLVE",
        [BOSC_NM_BEFORE_STEP] = "BEFORE STEP",
    };

    for (int k = 0; k < BOSC_NM_MOMENTS; ++k)
        if (strcmp(block->moment, names[k]) == 0)
            return &m->at[k];
    bosc_nm_refuse(m->problems, block->place,
                   "use BEFORE or AFTER INITIAL, BEFORE BREAKPOINT, AFTER "
                   "SOLVE or BEFORE STEP",
                   "there is no moment '%s'", block->moment);
    return NULL;
}

static void add_block(bosc_nm_mechanism *m, bosc_nm_block *block)
{
    bosc_nm_symbol **entry =
        block->kind == BOSC_NM_BLOCK_INITIAL       ? &m->initial
        : block->kind == BOSC_NM_BLOCK_BREAKPOINT  ? &m->breakpoint
        : block->kind == BOSC_NM_BLOCK_NET_RECEIVE ? &m->receive
        : block->moment != NULL                    ? find_moment(m, block)
                                                   : NULL;
    bosc_nm_symbol *s;

    if (entry != NULL && *entry != NULL &&
        (entry == &m->initial || entry == &m->breakpoint ||
         block->moment != NULL)) {
        join(m, (*entry)->def.block, block);
        return;
    }
    if (entry != NULL && *entry != NULL) {
        bosc_nm_refuse(m->problems, block->place, "make one block of both",
                       "a second block of this kind");
        return;
    }
    if (entry != NULL) {
        *entry = bosc_nm_symbol_create(m->arena, BOSC_NM_ROUTINE, block->name);
        (*entry)->def.block = block;
        return;
    }
    if (block->name[0] == '\0')
        return;
    s = bosc_nm_find(m, block->name);
    if (s != NULL) {
        bosc_nm_refuse(m->problems, block->place, "rename one",
                       "the name '%s' is taken", block->name);
        return;
    }
    add(m, BOSC_NM_ROUTINE, block->name)->def.block = block;
}

bosc_nm_mechanism *bosc_nm_model(bosc_nm_arena *arena,
                                 bosc_nm_problems *problems,
                                 const bosc_nm_file *file)
{
    bosc_nm_mechanism *m = bosc_nm_new(arena, 1, sizeof *m);

    m->arena = arena;
    m->problems = problems;
    m->file = file;
    m->name = file->name;
    m->artificial = file->kind == BOSC_NM_ARTIFICIAL_CELL;
    m->kind = m->artificial ? BOSC_NM_POINT_PROCESS : file->kind;
    add_given(m);
    add_ions(m);
    for (int i = 0; i < file->declared.n; ++i)
        declare(m, file->declared.item[i]);
    for (int i = 0; i < file->declared.n; ++i)
        qualify(m, file->declared.item[i]);
    for (int i = 0; i < file->blocks.n; ++i)
        add_block(m, file->blocks.item[i]);
    bosc_nm_refuse_declared(m);
    bosc_nm_bind(m);
    return m;
}
