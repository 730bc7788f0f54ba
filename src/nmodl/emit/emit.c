/* emit.c - the header of a mechanism. */
#include "src/nmodl/emit/emit.h"

#include <ctype.h>
#include <string.h>

/* A text of the file within quotes of C. */
static void emit_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; ++text)
        if (*text >= ' ' && *text <= '~' && *text != '"' && *text != '\\')
            fputc(*text, out);
    fputc('"', out);
}

static const char *unit_of(const bosc_nm_symbol *s)
{
    return s->unit[0] == '\0' ? "1" : s->unit;
}

/* Limits that hold the default: those of the file, or none. */
static void emit_limits(FILE *out, const bosc_nm_symbol *s)
{
    if (s->has_limits && s->low <= s->value && s->value <= s->high) {
        bosc_nm_emit_number(out, s->low);
        fputs(", ", out);
        bosc_nm_emit_number(out, s->high);
    } else {
        fputs("-1e300, 1e300", out);
    }
}

/* The comment at the end of the line that declares it, where it is a few plain
 * words; else "KIND of OWNER". */
static void emit_meaning(FILE *out, const bosc_nm_symbol *s, const char *kind,
                         const char *owner)
{
    const bosc_nm_source *source =
        s->declared == NULL ? NULL : s->declared->place.source;
    const char *c = source == NULL ? "" : source->text + s->declared->place.at;
    const char *end = source == NULL ? c : source->text + source->bytes, *text;

    while (c < end && *c != '\n' && *c != ':')
        ++c;
    while (c < end && (*c == ':' || *c == ' '))
        ++c;
    text = c;
    while (c < end && (isalnum((unsigned char)*c) || strchr(" ,.-()/", *c)))
        ++c;
    if (c > text && c - text < 60 && isalpha((unsigned char)*text) &&
        (c == end || *c == '\n' || *c == '\r'))
        fprintf(out, ", \"%.*s\"", (int)(c - text), text);
    else
        fprintf(out, ", \"%s %s\"", kind, owner);
}

static void emit_params(FILE *out, const bosc_nm_program *p)
{
    if (p->params.n == 0)
        return;
    fprintf(out, "static const bosc_mech_param bosc_%s_params[] = {\n",
            p->m->name);
    for (int i = 0; i < p->params.n; ++i) {
        const bosc_nm_symbol *s = p->params.item[i];

        fprintf(out, "    {\"%s\", ", s->name);
        emit_quoted(out, unit_of(s));
        emit_meaning(out, s,
                     s->range ? "RANGE parameter of" : "GLOBAL parameter of",
                     p->m->name);
        fputs(", ", out);
        bosc_nm_emit_number(out, s->value);
        fputs(", ", out);
        emit_limits(out, s);
        fputs("},\n", out);
    }
    fprintf(out, "};\n\nstatic const bool bosc_%s_global[] = {", p->m->name);
    for (int i = 0; i < p->params.n; ++i)
        fprintf(out, "%s%d", i > 0 ? ", " : "",
                !((const bosc_nm_symbol *)p->params.item[i])->range);
    fputs("};\n\n", out);
}

/* A current without an ion, or what the mechanism gives of an ion's. */
static bool is_current(const bosc_nm_symbol *s)
{
    return s->current || s->is_made;
}

/* Those of the file, hidden ones, and of a full mechanism what is kept of a
 * connection. */
static void emit_states(FILE *out, const bosc_nm_program *p)
{
    const int weights = p->form == BOSC_NM_FULL ? p->weights.n : 0;

    if (p->states.n + weights == 0)
        return;
    fprintf(out, "static const bosc_mech_state bosc_%s_states[] = {\n",
            p->m->name);
    for (int i = 0; i < p->states.n; ++i) {
        const bosc_nm_symbol *s = p->states.item[i];
        const bool shown = s->shown && !s->kept;

        fprintf(out, "    {\"%s\", ", s->name);
        emit_quoted(out, unit_of(s));
        emit_meaning(out, s,
                     s->pointer                 ? "pointer"
                     : s->kind == BOSC_NM_STATE ? "state"
                     : !shown                   ? "hidden state"
                     : is_current(s)            ? "current"
                                                : "variable",
                     s->name);
        fprintf(out, ", %s, %s, %s},\n",
                bosc_nm_is_injected(p, s) ? "true" : "false",
                shown ? "true" : "false",
                shown && is_current(s) ? "true" : "false");
    }
    for (int i = 0; i < weights; ++i) {
        const bosc_nm_symbol *s = p->weights.item[i];

        fprintf(out, "    {\"%s\", ", s->name);
        emit_quoted(out, unit_of(s));
        fprintf(out, ", \"%s of the connection\", false, false, false},\n",
                s->name);
    }
    fputs("};\n\n", out);
}

/* The names of ion[], for who fills it. */
static void emit_ions(FILE *out, const bosc_nm_program *p)
{
    if (p->ions.n == 0)
        return;
    fprintf(out, "static const char *const bosc_%s_ions[] = {", p->m->name);
    for (int i = 0; i < p->ions.n; ++i)
        fprintf(out, "%s\"%s\"", i > 0 ? ", " : "",
                ((const bosc_nm_symbol *)p->ions.item[i])->name);
    fputs("};\n\n", out);
}

static void emit_prepare(FILE *out, const bosc_nm_program *p)
{
    fprintf(out,
            "static inline void bosc_%s_prepare(const double *p, double "
            "celsius, double dt, double *k)\n{\n",
            p->m->name);
    for (int i = 0; i < p->params.n; ++i) {
        const bosc_nm_symbol *s = p->params.item[i];

        if (!bosc_nm_set_has(&p->prepared, s))
            continue;
        fputs("    const double ", out);
        bosc_nm_emit_name(out, p, s);
        fprintf(out, " = p[%d];\n", i);
    }
    fputs("    const double celsius_ = celsius, dt_ = dt;\n\n"
          "    (void)p, (void)celsius_, (void)dt_, (void)k;\n",
          out);
    for (int i = 0; i < p->constants.n; ++i) {
        const bosc_nm_constant *constant = p->constants.item[i];

        fprintf(out, "    %s", constant->slot < 0 ? "const double " : "");
        bosc_nm_emit_name(out, p, constant->symbol);
        fputs(" = ", out);
        bosc_nm_emit_expr(out, p, constant->value);
        fputs(";\n", out);
    }
    fputs("}\n\n", out);
}

static const struct {
    const char *name, *plain, *full;
} entries[BOSC_NM_ENTRIES] = {
    [BOSC_NM_INIT] = {"init",
                      "const double *p, double v, double celsius, double *s",
                      "const double *p, const double *k, const double *here, "
                      "double *ion, double *s"},
    [BOSC_NM_CURRENT] = {"current",
                         "const double *p, const double *s, double v, double "
                         "*g, double *ge",
                         "const double *p, const double *k, const double "
                         "*here, double *ion, double *s, double *g, double "
                         "*ge"},
    [BOSC_NM_ADVANCE] = {"advance",
                         "const double *p, const double *k, double v, double "
                         "*s",
                         "const double *p, const double *k, const double "
                         "*here, double *ion, double *s"},
    [BOSC_NM_RECEIVE] = {"receive", "const double *k, double weight, double *s",
                         "const double *p, const double *k, const double "
                         "*here, double *weight, double *s"},
    [BOSC_NM_WATCHES] = {"watch", "void",
                         "const double *p, const double *k, const double "
                         "*here, double *ion, double *s"},
    [BOSC_NM_CONNECT] = {"connect", "void",
                         "const double *p, const double *k, const double "
                         "*here, double *weight, double *s"},
};

/* The arguments of a function, those that few have last. */
static void emit_arguments(FILE *out, const bosc_nm_program *p,
                           bosc_nm_entry_kind kind)
{
    static const char here[] = "const double *here";
    const bool receives = kind == BOSC_NM_RECEIVE;
    const char *text =
        p->form == BOSC_NM_FULL ? entries[kind].full
        : kind == BOSC_NM_CURRENT && bosc_nm_uses_of(p).current_states
            ? "const double *p, double *s, double v, double *g, double *ge"
            : entries[kind].plain;
    const char *at = strstr(text, here);

    if (receives && p->sets_v && at != NULL) {
        fprintf(out, "%.*s%s", (int)(at - text), text, here + 6);
        text = at + strlen(here);
    }
    fprintf(out, "%s%s%s%s%s", text,
            p->m->drawn != NULL ? ", const uint32_t *stream" : "",
            receives && p->visits
                ? ", int n_connections, double *const *connection"
                : "",
            receives && p->form == BOSC_NM_FULL ? ", double flag" : "",
            bosc_nm_may_send(p, kind) ? ", bosc_mech_sent *sent" : "");
}

static void emit_function(FILE *out, const bosc_nm_program *p,
                          bosc_nm_entry_kind kind, const char *form)
{
    const bool near = strcmp(form, "_near") == 0;
    const bool wide = strcmp(form, "_wide") == 0;

    fputs("/* ", out);
    bosc_nm_emit_origin(out, p, kind);
    fprintf(out, " */\nBOSC_HD static inline void bosc_%s_%s%s(", p->m->name,
            entries[kind].name, form);
    emit_arguments(out, p, kind);
    fprintf(out, "%s)\n{\n", near || wide ? ", bosc_far *far" : "");
    bosc_nm_emit_entry(out, p, kind, near ? &p->near : wide ? &p->wide : NULL);
    fputs("}\n\n", out);
}

/* What is handed on to ADVANCE before the states. */
static const char *names_before(const bosc_nm_program *p)
{
    return p->form == BOSC_NM_FULL ? "p, k, here, ion" : "p, k, v";
}

/* Try a form of ADVANCE. */
static void emit_try(FILE *out, const bosc_nm_program *p, const char *form,
                     const char *test)
{
    const char *name = p->m->name;

    fprintf(out,
            "\n    BOSC_COPY(BOSC_%s_STATES, next, s)\n"
            "    bosc_%s_advance_%s(%s, next, &%s);\n"
            "    if (bosc_is_%s(&%s) == 0) {\n"
            "        BOSC_COPY(BOSC_%s_STATES, s, next)\n"
            "        return true;\n"
            "    }\n",
            name, name, form, names_before(p), form, test, form, name);
}

/* ADVANCE of one instance by the near form or the wide one; false where neither
 * holds, and nothing has changed. */
static void emit_either(FILE *out, const bosc_nm_program *p)
{
    const char *name = p->m->name;

    fprintf(out, "BOSC_HD static inline bool bosc_%s_advance_by(", name);
    emit_arguments(out, p, BOSC_NM_ADVANCE);
    fprintf(out,
            ", bool quick)\n{\n    double next[BOSC_%s_STATES + 1];\n"
            "    bosc_far near = {0, 0, 0, quick, false};\n"
            "    bosc_far wide = {0, 0, 0, quick, false};\n",
            name);
    emit_try(out, p, "near", "far");
    emit_try(out, p, "wide", "outside");
    fputs("    return false;\n}\n\n", out);
}

/* ADVANCE of one instance by the form that holds. */
static void emit_any(FILE *out, const bosc_nm_program *p)
{
    const char *name = p->m->name;

    fprintf(out, "BOSC_HD static inline void bosc_%s_advance(", name);
    emit_arguments(out, p, BOSC_NM_ADVANCE);
    fprintf(out,
            ")\n{\n    if (!bosc_%s_advance_by(%s, s, false))\n"
            "        bosc_%s_advance_far(%s, s);\n}\n\n",
            name, names_before(p), name, names_before(p));
}

static void emit_entry(FILE *out, const bosc_nm_program *p,
                       bosc_nm_entry_kind kind)
{
    if (kind != BOSC_NM_ADVANCE || !p->has_near) {
        emit_function(out, p, kind, "");
        return;
    }
    emit_function(out, p, kind, "_near");
    emit_function(out, p, kind, "_wide");
    emit_function(out, p, kind, "_far");
    emit_either(out, p);
    emit_any(out, p);
}

/* A leak: CURRENT is what never changes. */
static void emit_static(FILE *out, const bosc_nm_program *p)
{
    fprintf(out,
            "BOSC_HD static inline void bosc_%s_constant(const double *p, "
            "double *g, double *ge)\n{\n",
            p->m->name);
    bosc_nm_emit_entry(out, p, BOSC_NM_CURRENT, NULL);
    fputs("}\n\n", out);
}

/* Every mechanism has the first three. */
static bool is_there(const bosc_nm_program *p, int entry)
{
    return entry < BOSC_NM_RECEIVE ||
           (entry == BOSC_NM_RECEIVE && p->m->receive != NULL) ||
           p->entry[entry].code.n > 0;
}

static void emit_formulas(FILE *out, const bosc_nm_program *p)
{
    const char *name = p->m->name;

    fprintf(out, "/* %s - made of ", name);
    bosc_nm_emit_plain(out, p->m->file->source->name);
    fprintf(out,
            " by bosc; change that instead. */\n"
            "#ifndef BOSC_NMODL_%s\n#define BOSC_NMODL_%s\n\n"
            "#include \"kernels/mech/emitted.h\"\n\n",
            name, name);
    fprintf(out,
            "enum {\n    BOSC_%s_STATES = %d,\n    BOSC_%s_CONSTANTS = %d,\n"
            "    BOSC_%s_PARAMS = %d,\n    BOSC_%s_IONS = %d,\n"
            "    BOSC_%s_WEIGHTS = %d,\n    BOSC_%s_LINEAR = %d,\n"
            "    BOSC_%s_NS = %d\n};\n\n",
            name, p->states.n, name, p->n_slots, name, p->params.n, name,
            p->ions.n, name, p->weights.n, name, p->linear, name,
            bosc_nm_cost(p));
    emit_params(out, p);
    emit_states(out, p);
    emit_ions(out, p);
    bosc_nm_emit_uses(out, p);
    bosc_nm_emit_pointers(out, p);
    if (p->form == BOSC_NM_STATIC || p->leak != NULL)
        emit_static(out, p->leak != NULL ? p->leak : p);
    if (p->form != BOSC_NM_STATIC) {
        emit_prepare(out, p);
        for (int e = 0; e < BOSC_NM_ENTRIES; ++e)
            if (is_there(p, e))
                emit_entry(out, p, (bosc_nm_entry_kind)e);
    }
    if (p->form != BOSC_NM_STATIC) {
        bosc_nm_emit_loops(out, p);
    }
    bosc_nm_emit_description(out, p);
    fputs("\n", out);
}

void bosc_nm_emit_formulas(FILE *out, const bosc_nm_program *p)
{
    emit_formulas(out, p);
    fputs("#endif\n", out);
}

void bosc_nm_emit(FILE *out, const bosc_nm_program *p)
{
    emit_formulas(out, p);
    bosc_nm_emit_cuda(out, p);
    fputs("#endif\n", out);
}
