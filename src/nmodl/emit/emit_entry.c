/* emit_entry.c - the body of one function: what it reads, its statements, what
 * it leaves. */
#include <math.h>
#include <string.h>

#include "src/nmodl/emit/emit.h"
#include "src/nmodl/passes/solve.h"

typedef struct emitter {
    FILE *out;
    const bosc_nm_program *p;
    bosc_nm_entry_kind kind;
    const bosc_nm_entry *entry;
    bool follows; /* it is a part of ADVANCE after the first */
} emitter;

static int index_in(const bosc_nm_list *list, const bosc_nm_symbol *s)
{
    for (int i = 0; i < list->n; ++i)
        if (list->item[i] == s)
            return i;
    return -1;
}

static void indent(FILE *out, int depth)
{
    fprintf(out, "%*s", 4 * depth, "");
}

/* ---- what it reads ---- */

/* What a state is before INITIAL: its x0 where the file has such a parameter,
 * the default of a parameter that is changed, else 0; of a POINTER what it
 * stands for. */
static void emit_start(const emitter *x, const bosc_nm_symbol *s)
{
    const bosc_nm_program *p = x->p;
    const int itself = index_in(&p->params, s);

    if (s->pointer) {
        fprintf(x->out, "s[%d]", index_in(&p->states, s));
        return;
    }
    if (itself >= 0) {
        fprintf(x->out, "p[%d]", itself);
        return;
    }
    for (int i = 0; i < p->params.n; ++i) {
        const bosc_nm_symbol *start = p->params.item[i];
        const size_t n = strlen(s->name);

        if (s->kind == BOSC_NM_STATE && strncmp(start->name, s->name, n) == 0 &&
            strcmp(start->name + n, "0") == 0) {
            fprintf(x->out, "p[%d]", i);
            return;
        }
    }
    bosc_nm_emit_number(x->out, s->has_value ? s->value : 0.0);
}

/* Where a symbol's value comes from at the beginning. */
static void emit_source(const emitter *x, const bosc_nm_symbol *s)
{
    static const char *const here[] = {"v", "t", "diam", "area"};
    const bosc_nm_program *p = x->p;
    const bool full = p->form == BOSC_NM_FULL;
    const int state = index_in(&p->states, s), param = index_in(&p->params, s);
    const int ion = index_in(&p->ions, s), weight = index_in(&p->weights, s);
    const int passed = x->follows ? index_in(&p->passed, s) : -1;

    if (passed >= 0)
        fprintf(x->out, "kept[%d][j]", passed);
    else if (state >= 0 && x->kind == BOSC_NM_INIT)
        emit_start(x, s);
    else if (state >= 0)
        fprintf(x->out, "s[%d]", state);
    else if (ion >= 0)
        fprintf(x->out, "ion[%d]", ion);
    else if (param >= 0)
        fprintf(x->out, "p[%d]", param);
    else if (weight >= 0)
        fprintf(x->out, full ? "weight[%d]" : "weight", weight);
    else if (s->kind == BOSC_NM_CELSIUS)
        fputs("celsius", x->out);
    else if (s->kind == BOSC_NM_FLAG)
        fputs("flag", x->out);
    else if (s->kind == BOSC_NM_VOLTAGE && !full)
        fputs("v", x->out);
    else if (s->kind == BOSC_NM_VOLTAGE || s->kind == BOSC_NM_TIME ||
             s->kind == BOSC_NM_GEOMETRY) {
        for (int i = 0; i < (int)BOSC_LEN(here); ++i)
            if (strcmp(here[i], s->name) == 0)
                fprintf(x->out, "here[%d]", i);
    } else
        fputs("0", x->out);
}

/* An array of which elements are chosen at run time; what nothing sets is 0. */
static void emit_array(const emitter *x, const bosc_nm_symbol *s, bool exposed)
{
    fprintf(x->out, "[%d] = {", s->size);
    for (int k = 0; k < s->size; ++k) {
        if (k > 0)
            fputs(", ", x->out);
        if (exposed && s->kind != BOSC_NM_LOCAL_OF)
            emit_source(x, s->element[k]);
        else
            fputc('0', x->out);
        if (!exposed || s->kind == BOSC_NM_LOCAL_OF)
            break;
    }
    fputc('}', x->out);
}

/* Declare the variables of the entry: what it reads first with its value, but
 * those that are assigned once where that is. */
static void emit_variables(const emitter *x)
{
    for (int i = 0; i < x->entry->variables.n; ++i) {
        const bosc_nm_symbol *s = x->entry->variables.item[i];
        const bool exposed = bosc_nm_set_has(&x->entry->exposed, s);

        if (bosc_nm_set_has(&x->entry->single, s))
            continue;
        indent(x->out, 1);
        if (!bosc_nm_set_has(&x->entry->written, s))
            fputs("const ", x->out);
        fputs("double ", x->out);
        bosc_nm_emit_name(x->out, x->p, s);
        if (s->size > 0) {
            emit_array(x, s, exposed);
        } else if (exposed) {
            fputs(" = ", x->out);
            emit_source(x, s);
        }
        fputs(";\n", x->out);
    }
}

/* ---- its statements ---- */

static void emit_code(const emitter *x, const bosc_nm_list *code, int depth);

static void emit_block(const emitter *x, const bosc_nm_list *code, int depth)
{
    fputs(" {\n", x->out);
    emit_code(x, code, depth + 1);
    indent(x->out, depth);
    fputc('}', x->out);
}

/* The values of an event between its variables and its memory. */
static void emit_weights(const emitter *x, const bosc_nm_list *items, bool load,
                         int depth)
{
    for (int i = 0; i < items->n; ++i) {
        const bosc_nm_item *item = items->item[i];

        indent(x->out, depth);
        if (!load)
            fprintf(x->out, "weight[%d] = ", i);
        bosc_nm_emit_name(x->out, x->p, item->symbol);
        if (load)
            fprintf(x->out, " = weight[%d]", i);
        fputs(";\n", x->out);
    }
}

/* Weights of the event may be those of the connection that is visited. */
static void emit_netcons(const emitter *x, const bosc_nm_stmt *stmt, int depth)
{
    const bosc_nm_list *names = &stmt->names;

    emit_weights(x, &stmt->right, false, 0);
    indent(x->out, depth);
    fputs("for (int c = 0; c < n_connections; ++c) {\n", x->out);
    for (int i = 0; i < names->n; ++i) {
        indent(x->out, depth + 1);
        fputs("double ", x->out);
        bosc_nm_emit_name(x->out, x->p,
                          ((const bosc_nm_item *)names->item[i])->symbol);
        fprintf(x->out, " = connection[c][%d];\n", i);
    }
    emit_code(x, &stmt->body, depth + 1);
    for (int i = 0; i < names->n; ++i) {
        indent(x->out, depth + 1);
        fprintf(x->out, "connection[c][%d] = ", i);
        bosc_nm_emit_name(x->out, x->p,
                          ((const bosc_nm_item *)names->item[i])->symbol);
        fputs(";\n", x->out);
    }
    indent(x->out, depth);
    fputs("}\n", x->out);
    emit_weights(x, &stmt->right, true, depth);
    indent(x->out, depth);
}

static void emit_loop(const emitter *x, const bosc_nm_stmt *stmt, int depth)
{
    if (bosc_nm_is(stmt->to, INFINITY)) { /* a WHILE */
        fputs("for (;;)", x->out);
        emit_block(x, &stmt->body, depth);
        return;
    }
    fputs("for (double ", x->out);
    bosc_nm_emit_name(x->out, x->p, stmt->symbol);
    fputs(" = bosc_nm_bound(", x->out);
    bosc_nm_emit_expr(x->out, x->p, stmt->value);
    fputs("), last = bosc_nm_bound(", x->out);
    bosc_nm_emit_expr(x->out, x->p, stmt->to);
    fputs("); ", x->out);
    bosc_nm_emit_name(x->out, x->p, stmt->symbol);
    fputs(" <= last; ++", x->out);
    bosc_nm_emit_name(x->out, x->p, stmt->symbol);
    fputc(')', x->out);
    emit_block(x, &stmt->body, depth);
}

static void emit_assign(const emitter *x, const bosc_nm_stmt *stmt)
{
    if (bosc_nm_set_has(&x->entry->single, stmt->target->symbol))
        fputs("const double ", x->out);
    bosc_nm_emit_expr(x->out, x->p, stmt->target);
    fputs(" = ", x->out);
    bosc_nm_emit_expr(x->out, x->p, stmt->value);
    fputc(';', x->out);
}

static void emit_if(const emitter *x, const bosc_nm_stmt *stmt, int depth)
{
    fputs("if (", x->out);
    bosc_nm_emit_expr(x->out, x->p, stmt->value);
    fputc(')', x->out);
    emit_block(x, &stmt->body, depth);
    if (stmt->otherwise.n > 0) {
        fputs(" else", x->out);
        emit_block(x, &stmt->otherwise, depth);
    }
}

static void emit_code(const emitter *x, const bosc_nm_list *code, int depth)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];

        indent(x->out, depth);
        if (stmt->kind == BOSC_NM_ASSIGN) {
            emit_assign(x, stmt);
        } else if (stmt->kind == BOSC_NM_IF) {
            emit_if(x, stmt, depth);
        } else if (stmt->kind == BOSC_NM_DO) {
            bosc_nm_emit_expr(x->out, x->p, stmt->value);
            fputc(';', x->out);
        } else if (stmt->kind == BOSC_NM_BLOCK) {
            fprintf(x->out, "for (int round = 0; round < %d; ++round)",
                    BOSC_NM_ROUNDS);
            emit_block(x, &stmt->body, depth);
        } else if (stmt->kind == BOSC_NM_FROM) {
            emit_loop(x, stmt, depth);
        } else if (stmt->kind == BOSC_NM_FOR_NETCONS) {
            emit_netcons(x, stmt, depth);
        } else if (stmt->kind == BOSC_NM_BREAK) {
            fputs("break;", x->out);
        }
        fputc('\n', x->out);
    }
}

/* ---- what it leaves ---- */

/* The value of a state that the entry writes. */
static void emit_value(const emitter *x, const bosc_nm_symbol *s)
{
    if (s->array == NULL || !s->array->indexed) {
        bosc_nm_emit_name(x->out, x->p, s);
        return;
    }
    bosc_nm_emit_name(x->out, x->p, s->array);
    for (int k = 0; k < s->array->size; ++k)
        if (s->array->element[k] == s)
            fprintf(x->out, "[%d]", k);
}

static void emit_outputs(const emitter *x, const bosc_nm_list *symbols,
                         const char *array)
{
    for (int i = 0; i < symbols->n; ++i) {
        const bosc_nm_symbol *s = symbols->item[i];
        const bool known = bosc_nm_set_has(
            &x->entry->written,
            s->array != NULL && s->array->indexed ? s->array : s);

        if (!known &&
            (x->kind != BOSC_NM_INIT || array[0] != 's' || s->pointer))
            continue;
        indent(x->out, 1);
        fprintf(x->out, "%s[%d] = ", array, i);
        if (known)
            emit_value(x, s);
        else
            emit_start(x, s);
        fputs(";\n", x->out);
    }
}

static void emit_current(const emitter *x)
{
    const bosc_nm_symbol *const of[] = {x->p->g, x->p->ge};
    static const char *const names[] = {"g", "ge"};

    for (int i = 0; i < 2; ++i) {
        indent(x->out, 1);
        fprintf(x->out, "*%s = ", names[i]);
        if (of[i] != NULL)
            bosc_nm_emit_name(x->out, x->p, of[i]);
        else
            fputc('0', x->out);
        fputs(";\n", x->out);
    }
}

/* Arguments that a function does not use, for compilers that warn. */
static void emit_unused(const emitter *x)
{
    static const char *const plain[] = {
        "p, (void)v, (void)celsius", "p, (void)s, (void)v",
        "p, (void)k, (void)v, (void)s", "k, (void)weight, (void)s"};
    static const char *const full[] = {
        "p, (void)k, (void)here, (void)ion, (void)s",
        "p, (void)k, (void)here, (void)ion, (void)s",
        "p, (void)k, (void)here, (void)ion, (void)s",
        "p, (void)k, (void)here, (void)weight, (void)s",
        "p, (void)k, (void)here, (void)weight, (void)s",
        "p, (void)k, (void)here, (void)ion, (void)s"};

    indent(x->out, 1);
    fprintf(x->out, "(void)%s;\n",
            x->p->form == BOSC_NM_STATIC ? "p"
            : x->p->form == BOSC_NM_FULL ? full[x->kind]
                                         : plain[x->kind]);
    if (x->p->m->drawn != NULL)
        fputs("    (void)stream;\n", x->out);
    if (x->p->form == BOSC_NM_FULL && x->kind == BOSC_NM_RECEIVE)
        fputs("    (void)flag;\n", x->out);
    if (bosc_nm_may_send(x->p, x->kind))
        fputs("    (void)sent;\n", x->out);
    if (x->p->visits && x->kind == BOSC_NM_RECEIVE)
        fputs("    (void)n_connections, (void)connection;\n", x->out);
}

void bosc_nm_emit_entry(FILE *out, const bosc_nm_program *p,
                        bosc_nm_entry_kind kind, const bosc_nm_list *form)
{
    const emitter x = {
        .out = out, .p = p, .kind = kind, .entry = &p->entry[kind]};

    emit_variables(&x);
    emit_unused(&x);
    if (form != NULL && p->near_checks_v)
        fputs("    bosc_near(v_, BOSC_NEAR_V, far);\n", out);
    emit_code(&x, form != NULL ? form : &x.entry->code, 1);
    if (kind == BOSC_NM_CURRENT)
        emit_current(&x);
    emit_outputs(&x, &p->states, "s");
    emit_outputs(&x, &p->ions, "ion");
    if (kind == BOSC_NM_RECEIVE && p->sets_v)
        fputs("    here[0] = v_;\n", out);
    if (p->form == BOSC_NM_FULL)
        emit_outputs(&x, &p->weights, "weight");
}

/* What a part leaves to those after it; where rounds are done for an instance,
 * its values stay. */
static void emit_passed(const emitter *x, const bosc_nm_part *part)
{
    for (int i = 0; i < x->p->passed.n; ++i) {
        const bosc_nm_symbol *s = x->p->passed.item[i];

        if (!bosc_nm_set_has(&part->stored, s))
            continue;
        fprintf(x->out, "    kept[%d][j] = ", i);
        if (part->moved != NULL)
            fputs("go != 0 ? ", x->out);
        bosc_nm_emit_name(x->out, x->p, s);
        if (part->moved != NULL)
            fprintf(x->out, " : kept[%d][j]", i);
        fputs(";\n", x->out);
    }
    if (part->moved != NULL) {
        fputs("    return go != 0 ? ", x->out);
        bosc_nm_emit_name(x->out, x->p, part->moved);
        fputs(" : 0;\n", x->out);
    }
}

void bosc_nm_emit_part(FILE *out, const bosc_nm_program *p, int k)
{
    const bosc_nm_part *part = p->parts.item[k];
    const emitter x = {.out = out,
                       .p = p,
                       .kind = BOSC_NM_ADVANCE,
                       .entry = &part->entry,
                       .follows = k > 0};

    emit_variables(&x);
    emit_unused(&x);
    emit_code(&x, &part->entry.code, 1);
    emit_passed(&x, part);
    if (k < p->parts.n - 1)
        return;
    emit_outputs(&x, &p->states, "s");
    emit_outputs(&x, &p->ions, "ion");
}
