/* emit_expr.c - expressions as C. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/nmodl/emit/emit.h"
#include "src/nmodl/model/function.h"

enum { LARGEST_POWER = 8 };

/* How close an operator binds in C; operands that bind less need brackets. */
static int level_of(const bosc_nm_expr *e)
{
    static const int levels[] = {[BOSC_NM_ADD] = 6,
                                 [BOSC_NM_SUBTRACT] = 6,
                                 [BOSC_NM_MULTIPLY] = 7,
                                 [BOSC_NM_DIVIDE] = 7,
                                 [BOSC_NM_POWER] = 9,
                                 [BOSC_NM_LESS] = 5,
                                 [BOSC_NM_LESS_EQUAL] = 5,
                                 [BOSC_NM_GREATER] = 5,
                                 [BOSC_NM_GREATER_EQUAL] = 5,
                                 [BOSC_NM_EQUAL] = 4,
                                 [BOSC_NM_NOT_EQUAL] = 4,
                                 [BOSC_NM_AND] = 3,
                                 [BOSC_NM_OR] = 2};

    switch (e->kind) {
    case BOSC_NM_BINARY:
        return levels[e->op];
    case BOSC_NM_SELECT:
        return 1;
    case BOSC_NM_NUMBER:
        return e->value < 0 || signbit(e->value) ? 8 : 9;
    case BOSC_NM_NEGATE:
    case BOSC_NM_NOT:
        return 8;
    default:
        return 9;
    }
}

static void emit_operand(FILE *out, const bosc_nm_program *p,
                         const bosc_nm_expr *e, int level)
{
    const bool brackets = level_of(e) < level;

    if (brackets)
        fputc('(', out);
    bosc_nm_emit_expr(out, p, e);
    if (brackets)
        fputc(')', out);
}

void bosc_nm_emit_number(FILE *out, double value)
{
    char text[40];

    if (!isfinite(value)) {
        fprintf(out, value > 0 ? "HUGE_VAL" : value < 0 ? "-HUGE_VAL" : "NAN");
        return;
    }
    for (int digits = 6; digits <= 17; ++digits) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    fputs(text, out);
    if (strpbrk(text, ".e") == NULL)
        fputs(".0", out);
}

static void emit_power(FILE *out, const bosc_nm_program *p,
                       const bosc_nm_expr *e)
{
    const bosc_nm_expr *n = e->arg[1];

    if (bosc_nm_is_number(n) && fabs(n->value) <= LARGEST_POWER &&
        n->value == floor(n->value)) {
        fputs("bosc_nm_power(", out);
        bosc_nm_emit_expr(out, p, e->arg[0]);
        fprintf(out, ", %d)", (int)n->value);
        return;
    }
    fputs("bosc_pow(", out);
    bosc_nm_emit_expr(out, p, e->arg[0]);
    fputs(", ", out);
    bosc_nm_emit_expr(out, p, n);
    fputc(')', out);
}

static void emit_binary(FILE *out, const bosc_nm_program *p,
                        const bosc_nm_expr *e)
{
    const int level = level_of(e);

    if (e->op == BOSC_NM_POWER) {
        emit_power(out, p, e);
        return;
    }
    /* as gcc -Wall wants it: && within || in brackets */
    emit_operand(out, p, e->arg[0],
                 level == 2 || level == 5 || level == 4 ? 6 : level);
    fprintf(out, " %s ", bosc_nm_op_text(e->op));
    emit_operand(out, p, e->arg[1], level <= 5 ? 6 : level + 1);
}

static void emit_call(FILE *out, const bosc_nm_program *p,
                      const bosc_nm_expr *e)
{
    const bosc_nm_function *function = bosc_nm_function_find(e->name);

    fprintf(out, "%s(",
            function == NULL || function->text == NULL ? e->name
                                                       : function->text);
    if (function != NULL && function->kind == BOSC_NM_EVENT)
        fputs("sent, ", out);
    if (function != NULL && function->kind == BOSC_NM_DRAWN)
        fputs("stream, ", out);
    for (int i = 0; i < e->n; ++i) {
        if (i > 0)
            fputs(", ", out);
        bosc_nm_emit_expr(out, p, e->arg[i]);
    }
    if (function != NULL && function->kind == BOSC_NM_NEAR)
        fputs(", far", out);
    fputc(')', out);
}

void bosc_nm_emit_name(FILE *out, const bosc_nm_program *p,
                       const bosc_nm_symbol *s)
{
    for (int i = 0; i < p->constants.n; ++i) {
        const bosc_nm_constant *constant = p->constants.item[i];

        if (constant->symbol == s && constant->slot >= 0) {
            fprintf(out, "k[%d]", constant->slot);
            return;
        }
    }
    /* Names of a file may be words of C, so all end in a bar or a number. */
    if (s->kind == BOSC_NM_LOCAL_OF || s->is_made)
        fprintf(out, "%s_%d", s->name, s->number);
    else
        fprintf(out, "%s_", s->name);
}

void bosc_nm_emit_expr(FILE *out, const bosc_nm_program *p,
                       const bosc_nm_expr *e)
{
    switch (e->kind) {
    case BOSC_NM_NUMBER:
        bosc_nm_emit_number(out, e->value);
        break;
    case BOSC_NM_NAME:
        bosc_nm_emit_name(out, p, e->symbol);
        if (e->n > 0) {
            fputs("[bosc_nm_element(", out);
            bosc_nm_emit_expr(out, p, e->arg[0]);
            fprintf(out, ", %d)]", e->symbol->size);
        }
        break;
    case BOSC_NM_CALL:
        emit_call(out, p, e);
        break;
    case BOSC_NM_NEGATE:
        fputc('-', out);
        emit_operand(out, p, e->arg[0], 9);
        break;
    case BOSC_NM_NOT:
        fputc('!', out);
        emit_operand(out, p, e->arg[0], 9);
        break;
    case BOSC_NM_BINARY:
        emit_binary(out, p, e);
        break;
    case BOSC_NM_SELECT:
        emit_operand(out, p, e->arg[0], 2);
        fputs(" ? ", out);
        emit_operand(out, p, e->arg[1], 2);
        fputs(" : ", out);
        emit_operand(out, p, e->arg[2], 2);
        break;
    case BOSC_NM_STRING:
        break;
    }
}
