/* tree_walk.h - the plain Hines algorithm for one neuron.
 *
 * Included by hines_tree.c for each kind of numbers, after order.h.
 *
 * tree->parent[i] < i, so that one pass from the last row to the first meets
 * all children before their parent.  of_u, of_d and of_b are arrays of 'real',
 * [tree->n], in uS and nA; u of the root is not read.  On return b has the
 * solution (mV) and d the f of each row; u is as it was.
 */
static void REAL(walk)(const bosc_tree *tree, const void *of_u, void *of_d,
                       void *of_b)
{
    const int32_t *parent = tree->parent;
    const real *u = of_u;
    real *d = of_d, *b = of_b;
    REAL(row_after) next = REAL(row_nothing)();

    for (int32_t i = tree->n - 1; i >= 0; --i) {
        const int32_t p = parent[i];

        next = REAL(row_eliminate)(d[i], i > 0 ? u[i] : 0, b[i], next);
        d[i] = next.f;
        b[i] = next.w;
        if (p == i - 1) {
            next = REAL(row_rescale)(next);
            continue;
        }
        d[p] += REAL(row_branch)(next);
        b[p] -= next.f * next.b;
        next = REAL(row_leave)(next);
    }
    b[0] *= REAL(row_check)(next);
    for (int32_t i = 1; i < tree->n; ++i)
        b[i] = REAL(row_substitute)(d[i], b[i], b[parent[i]]);
}
