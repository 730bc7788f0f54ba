/* emit.c - the header of a mechanism. */
#include "src/nmodl/emit/emit.h"

#include <ctype.h>
#include <string.h>

/* Powers of whole numbers are products, in one order everywhere. */
static const char power_text[] =
    "#ifndef BOSC_NM_POWER\n"
    "#define BOSC_NM_POWER\n"
    "BOSC_HD static inline double bosc_nm_power(double x, int n)\n"
    "{\n"
    "    const int m = n < 0 ? -n : n;\n"
    "    const double x2 = x * x, x4 = x2 * x2;\n"
    "    double y = m & 1 ? x : 1.0;\n"
    "\n"
    "    y = m & 2 ? y * x2 : y;\n"
    "    y = m & 4 ? y * x4 : y;\n"
    "    y = m & 8 ? y * (x4 * x4) : y;\n"
    "    return n < 0 ? 1.0 / y : y;\n"
    "}\n"
    "#endif\n\n";

/* What a call may leave to be sent.  More than fit are counted, so that the
 * caller sees it. */
static const char sent_text[] =
    "#ifndef BOSC_NM_SENT\n"
    "#define BOSC_NM_SENT 8\n"
    "typedef struct bosc_nm_sent {\n"
    "    int n, spikes;\n"
    "    double delay[BOSC_NM_SENT], flag[BOSC_NM_SENT]; /* ms; not 0 */\n"
    "} bosc_nm_sent;\n"
    "\n"
    "BOSC_HD static inline void bosc_nm_send(bosc_nm_sent *sent, double "
    "delay,\n"
    "                                        double flag)\n"
    "{\n"
    "    if (sent->n < BOSC_NM_SENT) {\n"
    "        sent->delay[sent->n] = delay;\n"
    "        sent->flag[sent->n] = flag;\n"
    "    }\n"
    "    ++sent->n;\n"
    "}\n"
    "\n"
    "BOSC_HD static inline void bosc_nm_spike(bosc_nm_sent *sent, double t)\n"
    "{\n"
    "    (void)t; /* it is now */\n"
    "    ++sent->spikes;\n"
    "}\n"
    "#endif\n\n";

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
        fprintf(out, ", \"%s parameter of %s\", ",
                s->range ? "RANGE" : "GLOBAL", p->m->name);
        bosc_nm_emit_number(out, s->value);
        fputs(", ", out);
        emit_limits(out, s);
        fputs("},\n", out);
    }
    fputs("};\n\n", out);
}

static void emit_states(FILE *out, const bosc_nm_program *p)
{
    if (p->states.n == 0)
        return;
    fprintf(out, "static const bosc_mech_state bosc_%s_states[] = {\n",
            p->m->name);
    for (int i = 0; i < p->states.n; ++i) {
        const bosc_nm_symbol *s = p->states.item[i];

        fprintf(out, "    {\"%s\", ", s->name);
        emit_quoted(out, unit_of(s));
        fprintf(out, ", \"%s of %s\"},\n",
                s->kind == BOSC_NM_STATE ? "state" : "hidden state",
                p->m->name);
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

static int count_calls(const bosc_nm_expr *e)
{
    int n = e->kind == BOSC_NM_CALL;

    for (int i = 0; i < e->n; ++i)
        n += count_calls(e->arg[i]);
    return n;
}

static int count_list(const bosc_nm_list *code)
{
    int n = 0;

    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        n += stmt->value == NULL ? 0 : count_calls(stmt->value);
        n += count_list(&stmt->body) + count_list(&stmt->otherwise);
    }
    return n;
}

/* A guess, in ns, for estimates: exponentials count. */
static int cost_of(const bosc_nm_program *p)
{
    return 4 + 3 * (count_list(&p->entry[BOSC_NM_CURRENT].code) +
                    count_list(&p->entry[BOSC_NM_ADVANCE].code));
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

        fprintf(out, "    k[%d] = ", i);
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
    [BOSC_NM_CONNECT] = {"connect", "void",
                         "const double *p, const double *k, const double "
                         "*here, double *weight, double *s"},
};

static void emit_entry(FILE *out, const bosc_nm_program *p,
                       bosc_nm_entry_kind kind)
{
    const bool receives = kind == BOSC_NM_RECEIVE;
    const bool sends = p->sends && (receives || kind == BOSC_NM_INIT);

    fprintf(out, "BOSC_HD static inline void bosc_%s_%s(%s%s%s)\n{\n",
            p->m->name, entries[kind].name,
            p->form == BOSC_NM_FULL ? entries[kind].full : entries[kind].plain,
            sends && receives ? ", double flag" : "",
            sends ? ", bosc_nm_sent *sent" : "");
    bosc_nm_emit_entry(out, p, kind);
    fputs("}\n\n", out);
}

/* A leak: CURRENT is what never changes. */
static void emit_static(FILE *out, const bosc_nm_program *p)
{
    fprintf(out,
            "BOSC_HD static inline void bosc_%s_constant(const double *p, "
            "double *g, double *ge)\n{\n",
            p->m->name);
    bosc_nm_emit_entry(out, p, BOSC_NM_CURRENT);
    fprintf(out, "}\n\nBOSC_MECH_DESCRIBE(%s, BOSC_MECH_STATIC(%s))\n",
            p->m->name, p->m->name);
}

static void emit_description(FILE *out, const bosc_nm_program *p)
{
    const char *name = p->m->name;

    fprintf(out,
            "BOSC_HD static inline void bosc_%s_constant(const double *p, "
            "double *g, double *ge)\n{\n    (void)p;\n    *g = *ge = 0;\n}\n\n",
            name);
    if (p->m->kind == BOSC_NM_POINT_PROCESS && p->m->receive != NULL)
        fprintf(out,
                "BOSC_MECH_RECEIVE(%s)\n"
                "BOSC_MECH_DESCRIBE(%s, BOSC_MECH_POINT_PROCESS(%s))\n",
                name, name, name);
    else
        fprintf(out, "BOSC_MECH_DESCRIBE(%s, BOSC_MECH_DYNAMIC(%s))\n", name,
                name);
}

/* Every mechanism has the first three. */
static bool is_there(const bosc_nm_program *p, int entry)
{
    return entry < BOSC_NM_RECEIVE ||
           (entry == BOSC_NM_RECEIVE && p->m->receive != NULL) ||
           p->entry[entry].code.n > 0;
}

void bosc_nm_emit(FILE *out, const bosc_nm_program *p)
{
    const char *name = p->m->name;

    fprintf(out, "/* %s - made of ", name);
    for (const char *c = p->m->file->source->name; *c != '\0'; ++c)
        fputc(isprint((unsigned char)*c) && *c != '*' ? *c : '_', out);
    fprintf(out,
            " by bosc; change that instead. */\n"
            "#ifndef BOSC_NMODL_%s\n#define BOSC_NMODL_%s\n\n"
            "#include \"kernels/mech/describe.h\"\n\n%s",
            name, name, power_text);
    if (p->sends)
        fputs(sent_text, out);
    fprintf(out,
            "enum {\n    BOSC_%s_STATES = %d,\n    BOSC_%s_CONSTANTS = %d,\n"
            "    BOSC_%s_PARAMS = %d,\n    BOSC_%s_IONS = %d,\n"
            "    BOSC_%s_WEIGHTS = %d,\n    BOSC_%s_LINEAR = %d,\n"
            "    BOSC_%s_NS = %d\n};\n\n",
            name, p->states.n, name, p->constants.n, name, p->params.n, name,
            p->ions.n, name, p->weights.n, name, p->linear, name, cost_of(p));
    emit_params(out, p);
    emit_states(out, p);
    emit_ions(out, p);
    if (p->form == BOSC_NM_STATIC) {
        emit_static(out, p);
    } else {
        emit_prepare(out, p);
        for (int e = 0; e < BOSC_NM_ENTRIES; ++e)
            if (is_there(p, e))
                emit_entry(out, p, (bosc_nm_entry_kind)e);
    }
    if (p->form == BOSC_NM_PLAIN)
        emit_description(out, p);
    fputs("\n#endif\n", out);
}
