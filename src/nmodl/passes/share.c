/* share.c - exponentials as powers of one.
 *
 *     exp(-(v + 65) / 18), exp(-(v + 65) / 80)    e = exp(-v / 720)
 *                                           ->    exp(-65 / 18) e^40,
 *                                                 exp(-65 / 80) e^9
 *
 * where their arguments are linear in the voltage with factors that are whole
 * multiples of one.  That costs as many units in the last place as the power is
 * high.  Factors are such that no power leaves the range of doubles within 1 V.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/nmodl/passes/fold.h"
#include "src/nmodl/passes/program.h"

enum { HIGHEST_POWER = 96, MOST_SHARED = 32 };

static const double steepest = 0.6; /* 1/mV */

/* factor v + rest */
typedef struct line {
    double factor, rest;
} line;

/* A variable that is one, or an exponential of one. */
typedef struct known {
    const bosc_nm_symbol *symbol;
    line line;
} known;

typedef struct sharer {
    bosc_nm_program *p;
    bosc_nm_arena *arena;
    const bosc_nm_symbol *v;
    bosc_nm_list lines; /* known */
    /* the exponentials: factors; which group has them, and their powers */
    int n, n_groups;
    double factor[MOST_SHARED], unit[MOST_SHARED];
    int group[MOST_SHARED], power[MOST_SHARED];
    /* of each group the powers that there are */
    bosc_nm_symbol *made[MOST_SHARED][HIGHEST_POWER + 1];
    bosc_nm_list *out;
} sharer;

/* ---- lines ---- */

static bool find_line(const sharer *s, const bosc_nm_expr *e, line *out);

static bool find_sum(const sharer *s, const bosc_nm_expr *e, line *out)
{
    const double sign = e->op == BOSC_NM_ADD ? 1 : -1;
    line a, b;

    if (!find_line(s, e->arg[0], &a) || !find_line(s, e->arg[1], &b))
        return false;
    *out = (line){a.factor + sign * b.factor, a.rest + sign * b.rest};
    return true;
}

static bool find_product(const sharer *s, const bosc_nm_expr *e, line *out)
{
    line a, b;

    if (!find_line(s, e->arg[0], &a) || !find_line(s, e->arg[1], &b))
        return false;
    if (e->op == BOSC_NM_DIVIDE) {
        *out = (line){a.factor / b.rest, a.rest / b.rest};
        return b.factor == 0 && b.rest != 0;
    }
    if (a.factor != 0 && b.factor != 0)
        return false;
    *out = (line){a.factor * b.rest + b.factor * a.rest, a.rest * b.rest};
    return true;
}

static bool find_line(const sharer *s, const bosc_nm_expr *e, line *out)
{
    switch (e->kind) {
    case BOSC_NM_NUMBER:
        *out = (line){0, e->value};
        return true;
    case BOSC_NM_NAME:
        *out = (line){1, 0};
        if (e->symbol == s->v)
            return true;
        for (int i = 0; i < s->lines.n; ++i) {
            const known *one = s->lines.item[i];

            *out = one->line;
            if (one->symbol == e->symbol)
                return true;
        }
        return false;
    case BOSC_NM_NEGATE:
        if (!find_line(s, e->arg[0], out))
            return false;
        *out = (line){-out->factor, -out->rest};
        return true;
    case BOSC_NM_BINARY:
        if (e->op == BOSC_NM_ADD || e->op == BOSC_NM_SUBTRACT)
            return find_sum(s, e, out);
        return (e->op == BOSC_NM_MULTIPLY || e->op == BOSC_NM_DIVIDE) &&
               find_product(s, e, out);
    default:
        return false;
    }
}

static bool is_exponential(const sharer *s, const bosc_nm_expr *e, line *out)
{
    return e->kind == BOSC_NM_CALL && e->symbol == NULL &&
           strcmp(e->name, "exp") == 0 && find_line(s, e->arg[0], out) &&
           out->factor != 0 && fabs(out->factor) <= steepest &&
           fabs(out->rest) <= 300;
}

/* ---- groups ---- */

static void collect_expr(sharer *s, const bosc_nm_expr *e)
{
    line of;
    int i = 0;

    for (int k = 0; k < e->n; ++k)
        collect_expr(s, e->arg[k]);
    if (!is_exponential(s, e, &of))
        return;
    while (i < s->n && s->factor[i] != of.factor)
        ++i;
    if (i == s->n && s->n < MOST_SHARED)
        s->factor[s->n++] = of.factor;
}

/* The lines and exponentials of statements that are always done. */
static void collect(sharer *s, const bosc_nm_list *code,
                    const bosc_nm_set *single)
{
    for (int i = 0; i < code->n; ++i) {
        const bosc_nm_stmt *stmt = code->item[i];
        known *one;
        line of;

        if (stmt->kind != BOSC_NM_ASSIGN)
            continue;
        collect_expr(s, stmt->value);
        if (stmt->target->n > 0 || !find_line(s, stmt->value, &of) ||
            !bosc_nm_set_has(single, stmt->target->symbol))
            continue;
        one = bosc_nm_new(s->arena, 1, sizeof *one);
        *one = (known){stmt->target->symbol, of};
        bosc_nm_push(s->arena, &s->lines, one);
    }
}

/* Is x a whole multiple of the unit, and not too large a one? */
static int power_of(double x, double unit)
{
    const double n = nearbyint(x / unit);

    return n != 0 && fabs(n) <= HIGHEST_POWER &&
                   fabs(x - n * unit) <= 1e-14 * fabs(x)
               ? (int)n
               : 0;
}

/* The largest unit of two factors; 0: there is none. */
static double unit_of(double x, double y)
{
    for (int n = 1; n <= HIGHEST_POWER; ++n)
        if (power_of(y, x / n) != 0)
            return fabs(x) / n;
    return 0;
}

/* Would all members of a group, and one more, have that unit? */
static bool fits(const sharer *s, int group, double unit)
{
    for (int i = 0; i < s->n; ++i)
        if (s->group[i] == group && power_of(s->factor[i], unit) == 0)
            return false;
    return true;
}

static void make_groups(sharer *s)
{
    for (int i = 0; i < s->n; ++i)
        s->group[i] = -1;
    for (int i = 0; i < s->n; ++i) {
        for (int g = 0; s->group[i] < 0 && g < s->n_groups; ++g) {
            const double unit = unit_of(s->unit[g], s->factor[i]);

            if (unit == 0 || !fits(s, g, unit))
                continue;
            s->unit[g] = unit;
            s->group[i] = g;
        }
        if (s->group[i] < 0) {
            s->unit[s->n_groups] = fabs(s->factor[i]);
            s->group[i] = s->n_groups++;
        }
    }
    for (int i = 0; i < s->n; ++i)
        s->power[i] = power_of(s->factor[i], s->unit[s->group[i]]);
}

/* Does a group save more than its powers cost?  In products, of which an
 * exponential takes about twenty and a division sixteen. */
static bool is_worth(const sharer *s, int group)
{
    int saved = -20, cost = 0, highest = 1, rising = 0, falling = 0;

    for (int i = 0; i < s->n; ++i) {
        const int n = abs(s->power[i]);

        if (s->group[i] != group)
            continue;
        saved += 20;
        cost += n > 2 ? 2 : n - 1;
        highest = n > highest ? n : highest;
        *(s->power[i] > 0 ? &rising : &falling) += 1;
    }
    for (; highest > 2; highest /= 2)
        ++cost;
    return saved > cost + 16 * (rising < falling ? rising : falling);
}

/* ---- powers ---- */

static bosc_nm_symbol *keep(sharer *s, const char *name, bosc_nm_expr *value)
{
    bosc_nm_symbol *kept = bosc_nm_fresh(s->arena, name);

    bosc_nm_assign(s->arena, s->out, kept, value);
    return kept;
}

/* e^n of a group, n > 0. */
static bosc_nm_symbol *power(sharer *s, int group, int n)
{
    bosc_nm_symbol **made = &s->made[group][n];
    int k = 1;

    if (*made != NULL)
        return *made;
    while (2 * k <= n)
        k *= 2;
    if (k == n)
        k = n / 2;

    bosc_nm_expr *a = bosc_nm_use(s->arena, power(s, group, k));
    bosc_nm_expr *b = bosc_nm_use(s->arena, power(s, group, n - k));

    *made = keep(s, "power", bosc_nm_fold(s->arena, BOSC_NM_MULTIPLY, a, b));
    return *made;
}

/* Do more members have powers below 0? */
static bool is_falling(const sharer *s, int group)
{
    int sum = 0;

    for (int i = 0; i < s->n; ++i)
        if (s->group[i] == group)
            sum += s->power[i] > 0 ? 1 : -1;
    return sum < 0;
}

/* exp(v unit) of a group, or its inverse, whichever more members use. */
static void begin_group(sharer *s, int group)
{
    const bool falling = is_falling(s, group);
    const double unit = falling ? -s->unit[group] : s->unit[group];
    bosc_nm_expr *v = bosc_nm_use(s->arena, (bosc_nm_symbol *)s->v);

    s->made[group][1] =
        keep(s, "shared",
             bosc_nm_call(s->arena, "exp",
                          bosc_nm_fold(s->arena, BOSC_NM_MULTIPLY, v,
                                       bosc_nm_number(s->arena, unit))));
    for (int i = 0; falling && i < s->n; ++i)
        if (s->group[i] == group)
            s->power[i] = -s->power[i];
}

/* e^n, also for n < 0. */
static bosc_nm_expr *any_power(sharer *s, int i)
{
    const int n = s->power[i];
    bosc_nm_expr *e =
        bosc_nm_use(s->arena, power(s, s->group[i], n < 0 ? -n : n));

    return n > 0 ? e
                 : bosc_nm_use(
                       s->arena,
                       keep(s, "inverse",
                            bosc_nm_fold(s->arena, BOSC_NM_DIVIDE,
                                         bosc_nm_number(s->arena, 1), e)));
}

/* ---- what takes their place ---- */

static bosc_nm_expr *replace(sharer *s, bosc_nm_expr *const *value,
                             bosc_nm_expr *e)
{
    bosc_nm_expr **arg;
    line of;

    if (e->n == 0)
        return e;
    if (is_exponential(s, e, &of))
        for (int i = 0; i < s->n; ++i)
            if (s->factor[i] == of.factor && value[i] != NULL)
                return bosc_nm_fold(
                    s->arena, BOSC_NM_MULTIPLY,
                    of.rest == 0
                        ? bosc_nm_number(s->arena, 1)
                        : bosc_nm_call(s->arena, "exp",
                                       bosc_nm_number(s->arena, of.rest)),
                    value[i]);
    arg = bosc_nm_new(s->arena, (size_t)e->n, sizeof *arg);
    for (int i = 0; i < e->n; ++i)
        arg[i] = replace(s, value, e->arg[i]);
    return bosc_nm_rebuild(s->arena, e, arg);
}

/* Share the exponentials of the base that is known after statement 'from' - 1.
 */
static void share_base(bosc_nm_program *p, bosc_nm_entry *entry,
                       const bosc_nm_symbol *base, int from)
{
    bosc_nm_arena *arena = p->m->arena;
    sharer *s = bosc_nm_new(arena, 1, sizeof *s);
    bosc_nm_expr *value[MOST_SHARED] = {NULL};
    bosc_nm_list shared = {0}, out = {0};

    *s = (sharer){.p = p, .arena = arena, .v = base, .out = &shared};
    collect(s, &entry->code, &entry->single);
    make_groups(s);
    for (int g = 0; g < s->n_groups; ++g)
        if (is_worth(s, g)) {
            begin_group(s, g);
            for (int i = 0; i < s->n; ++i)
                if (s->group[i] == g)
                    value[i] = any_power(s, i);
        }
    if (shared.n == 0)
        return;
    for (int i = 0; i < entry->code.n; ++i) {
        bosc_nm_stmt *stmt = entry->code.item[i];

        if (i == from)
            bosc_nm_append(arena, &out, &shared);
        if (stmt->kind == BOSC_NM_ASSIGN)
            stmt->value = replace(s, value, stmt->value);
        bosc_nm_push(arena, &out, stmt);
    }
    entry->code = out;
}

/* The voltage, and what a file makes of it: IF (v == -40) { v = v + 0.0001 }.
 */
static void share_entry(bosc_nm_program *p, bosc_nm_entry *entry)
{
    const bosc_nm_symbol *v = bosc_nm_find(p->m, "v");
    const bosc_nm_list before = entry->code;

    if (!bosc_nm_set_has(&entry->written, v))
        share_base(p, entry, v, 0);
    for (int i = 0; i < before.n; ++i) {
        const bosc_nm_stmt *stmt = before.item[i];
        const bosc_nm_symbol *s =
            stmt->kind == BOSC_NM_ASSIGN ? stmt->target->symbol : NULL;
        int at = 0;

        if (s == NULL || strcmp(s->name, v->name) != 0 ||
            stmt->value->kind != BOSC_NM_SELECT ||
            !bosc_nm_set_has(&entry->single, s))
            continue;
        while (entry->code.item[at] != stmt)
            ++at;
        share_base(p, entry, s, at + 1);
    }
}

void bosc_nm_share(bosc_nm_program *p)
{
    for (int e = BOSC_NM_CURRENT; e <= BOSC_NM_ADVANCE; ++e)
        share_entry(p, &p->entry[e]);
}
