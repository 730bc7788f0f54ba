/* emit_cost.c - how long a step of an instance takes, for estimates. */
#include <math.h>
#include <string.h>

#include "src/nmodl/emit/emit.h"

/* Is it a call that takes long? */
static bool is_long(const bosc_nm_expr *e)
{
    static const char *const short_ones[] = {"#fma", "fabs", "#per", "#over",
                                             "#moved"};

    for (size_t i = 0; i < BOSC_LEN(short_ones) && e->kind == BOSC_NM_CALL; ++i)
        if (strcmp(e->name, short_ones[i]) == 0)
            return false;
    return e->kind == BOSC_NM_CALL;
}

static int count_calls(const bosc_nm_expr *e)
{
    int n = is_long(e);

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

/* A guess, in ns, for estimates: exponentials count, and half where the near
 * form has polynomials for them. */
int bosc_nm_cost(const bosc_nm_program *p)
{
    const int advance = p->has_near
                            ? count_list(&p->near)
                            : 2 * count_list(&p->entry[BOSC_NM_ADVANCE].code);

    return 4 +
           (6 * count_list(&p->entry[BOSC_NM_CURRENT].code) + 3 * advance) / 2;
}
