#include <stdlib.h>

#include "src/formula/code.h"

bool bosc_formula_uses(const bosc_formula *f, int name)
{
    for (int i = 0; i < f->n; ++i)
        if (f->step[i].kind == BOSC_FORMULA_VALUE && f->step[i].name == name)
            return true;
    return false;
}

double bosc_formula_eval(const bosc_formula *f, const double *values)
{
    double stack[BOSC_FORMULA_STACK];
    int n = 0;

    for (const bosc_formula_step *s = f->step; s < f->step + f->n; ++s)
        switch (s->kind) {
        case BOSC_FORMULA_NUMBER:
            stack[n++] = s->number;
            break;
        case BOSC_FORMULA_VALUE:
            stack[n++] = values[s->name];
            break;
        case BOSC_FORMULA_ONE:
            stack[n - 1] = s->one(stack[n - 1]);
            break;
        case BOSC_FORMULA_TWO:
            --n;
            stack[n - 1] = s->two(stack[n - 1], stack[n]);
            break;
        case BOSC_FORMULA_IF:
            n -= 2;
            stack[n - 1] = stack[n - 1] != 0 ? stack[n] : stack[n + 1];
            break;
        case BOSC_FORMULA_IF_ELSE:
            n -= 2;
            stack[n - 1] = stack[n] != 0 ? stack[n - 1] : stack[n + 1];
            break;
        }
    return stack[0];
}

void bosc_formula_destroy(bosc_formula *f)
{
    free(f);
}
