#include "kernels/cyclic_reduction/cuda_cyclic_plan.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/mem.h"

/* What is left of a tree; all arrays [rows of the longest tree]. */
typedef struct rest {
    int32_t n;
    int32_t *rows;   /* [n] that are left, descending */
    int32_t *parent; /* of each row */
    int32_t *n_children;
    int64_t *children; /* their sum: of one child, itself */
    int32_t *taken;    /* children that go in this round; then, where the next
                          of them goes among the sources */
    bool *goes;
} rest;

static void rest_clear(rest *r)
{
    free(r->rows);
    free(r->parent);
    free(r->n_children);
    free(r->children);
    free(r->taken);
    free(r->goes);
}

static bool rest_alloc(rest *r, int32_t longest)
{
    const size_t n = (size_t)longest;

    return BOSC_ARRAYS(BOSC_ARRAY(r->rows, n), BOSC_ARRAY(r->parent, n),
                       BOSC_ARRAY(r->n_children, n), BOSC_ARRAY(r->children, n),
                       BOSC_ARRAY(r->taken, n), BOSC_ARRAY(r->goes, n));
}

static void begin(rest *r, const bosc_tree *tree)
{
    r->n = tree->n;
    for (int32_t i = 0; i < tree->n; ++i) {
        r->rows[i] = tree->n - 1 - i;
        r->parent[i] = tree->parent[i];
        r->n_children[i] = r->taken[i] = 0;
        r->children[i] = 0;
        r->goes[i] = false;
    }
    for (int32_t i = 1; i < tree->n; ++i) {
        r->n_children[tree->parent[i]]++;
        r->children[tree->parent[i]] += i;
    }
}

/* Tips go, and rows whose only child does not.  Children come before their
 * parents. */
static void choose(rest *r)
{
    for (int32_t k = 0; k < r->n; ++k) {
        const int32_t i = r->rows[k];

        r->goes[i] =
            i > 0 && (r->n_children[i] == 0 ||
                      (r->n_children[i] == 1 && !r->goes[r->children[i]]));
        if (r->goes[i])
            r->taken[r->parent[i]]++;
    }
}

/* The rows that take in this round, and room for their sources. */
static void add_takers(rest *r, bosc_cyclic_tree *tree, bosc_cyclic_round *end,
                       bosc_cyclic_plan *plan)
{
    int32_t source = end->step;

    for (int32_t k = 0; k < r->n; ++k) {
        const int32_t i = r->rows[k], n = r->taken[i];
        const bool parent = i > 0 && r->goes[r->parent[i]];

        if (r->goes[i] || (n == 0 && !parent))
            continue;
        plan->takers[tree->taker + end->taker++] =
            (bosc_cyclic_taker){i, source, n, parent ? r->parent[i] : -1};
        r->taken[i] = source;
        source += n;
    }
}

/* The rows that go in this round, each also a source of its parent. */
static void add_steps(rest *r, bosc_cyclic_tree *tree, bosc_cyclic_round *end,
                      bosc_cyclic_plan *plan)
{
    for (int32_t k = 0; k < r->n; ++k) {
        const int32_t i = r->rows[k], p = r->parent[i];

        if (!r->goes[i])
            continue;
        plan->sources[tree->source + r->taken[p]++] = i;
        plan->steps[tree->step + end->step++] = (bosc_cyclic_step){
            i, p, r->n_children[i] == 0 ? -1 : (int32_t)r->children[i]};
    }
}

/* Take out those that go. */
static void contract(rest *r)
{
    int32_t left = 0;

    for (int32_t k = 0; k < r->n; ++k) {
        const int32_t i = r->rows[k], p = r->parent[i];

        if (!r->goes[i])
            continue;
        r->children[p] -= i;
        if (r->n_children[i] == 0) {
            r->n_children[p]--;
        } else {
            r->children[p] += r->children[i];
            r->parent[r->children[i]] = p;
        }
    }
    for (int32_t k = 0; k < r->n; ++k) {
        r->taken[r->rows[k]] = 0;
        if (!r->goes[r->rows[k]])
            r->rows[left++] = r->rows[k];
    }
    r->n = left;
}

/* What the threads of a block bring near. */
static int32_t count_words(const bosc_cyclic_tree *tree,
                           const bosc_cyclic_round *end)
{
    const size_t bytes =
        ((size_t)tree->n_rounds + 1) * sizeof(bosc_cyclic_round) +
        (size_t)end->step * (sizeof(bosc_cyclic_step) + sizeof(int32_t)) +
        (size_t)end->taker * sizeof(bosc_cyclic_taker);

    return (int32_t)(bytes / sizeof(int32_t));
}

/* The rounds of a tree, after what the plan has. */
static bool add_tree(const bosc_tree *tree, rest *r, size_t *capacity,
                     bosc_cyclic_tree *made, bosc_cyclic_plan *plan)
{
    bosc_cyclic_round end = {0, 0};

    *made = (bosc_cyclic_tree){.rows = tree->n,
                               .round = plan->n_rounds,
                               .step = plan->n_steps,
                               .taker = plan->n_takers,
                               .source = plan->n_steps};
    begin(r, tree);
    for (;;) {
        if (!bosc_grow(&plan->rounds, capacity, (size_t)plan->n_rounds + 1,
                       sizeof *plan->rounds))
            return false;
        plan->rounds[plan->n_rounds++] = end;
        if (r->n == 1)
            break;
        choose(r);
        add_takers(r, made, &end, plan);
        add_steps(r, made, &end, plan);
        contract(r);
        made->n_rounds++;
    }
    plan->n_steps += end.step;
    plan->n_takers += end.taker;
    if (count_words(made, &end) > plan->most_words)
        plan->most_words = count_words(made, &end);
    return true;
}

void bosc_cyclic_plan_clear(bosc_cyclic_plan *plan)
{
    free(plan->trees);
    free(plan->rounds);
    free(plan->steps);
    free(plan->takers);
    free(plan->sources);
    *plan = (bosc_cyclic_plan){0};
}

/* Each row but the root goes once, and hands on to two at most. */
static bool allocate(const bosc_systems *systems, bosc_cyclic_plan *plan)
{
    size_t rows = 0;

    for (int32_t t = 0; t < systems->n_trees; ++t) {
        rows += (size_t)systems->trees[t].n;
        if (systems->trees[t].n > plan->longest)
            plan->longest = systems->trees[t].n;
    }
    return BOSC_ARRAYS(BOSC_ARRAY(plan->trees, systems->n_trees),
                       BOSC_ARRAY(plan->steps, rows),
                       BOSC_ARRAY(plan->takers, 2 * rows),
                       BOSC_ARRAY(plan->sources, rows));
}

bosc_status bosc_cyclic_plan_create(const bosc_systems *systems,
                                    bosc_cyclic_plan *plan, bosc_error *err)
{
    bosc_cyclic_plan made = {.n_trees = systems->n_trees};
    rest r = {0};
    size_t capacity = 0;
    bool good = allocate(systems, &made) && rest_alloc(&r, made.longest);

    for (int32_t t = 0; good && t < systems->n_trees; ++t)
        good =
            add_tree(&systems->trees[t], &r, &capacity, &made.trees[t], &made);
    rest_clear(&r);
    if (!good) {
        bosc_cyclic_plan_clear(&made);
        return bosc_no_memory(err, "the plan of a solver");
    }
    *plan = made;
    return BOSC_OK;
}
