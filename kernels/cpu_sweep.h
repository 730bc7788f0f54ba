/* cpu_sweep.h - solve a group whose lanes all have one tree.
 *
 * Included by cpu_isa.c for each 'real': define REAL, ROW, ELIMINATE,
 * SUBSTITUTE (kernels/hines.h) and SWEEP, the name of the function.
 *
 * On entry d and b are the system, on return b is the solution and d the f of
 * each row.  The pair that a row hands on stays in registers while the next
 * row is its parent.
 */
static void SWEEP(const int32_t *parent, int32_t n, const REAL *u, REAL *d,
                  REAL *b)
{
    REAL pair_d = {0}, pair_b = {0}, v;

    for (int32_t i = n - 1; i > 0; --i) {
        const ROW row = ELIMINATE(d[i] - pair_d, u[i], b[i] - pair_b);
        const int32_t p = parent[i];

        d[i] = row.f;
        b[i] = row.w;
        if (p == i - 1) {
            pair_d = row.d;
            pair_b = row.b;
        } else {
            d[p] -= row.d;
            b[p] -= row.b;
            pair_d = pair_b = (REAL){0};
        }
    }
    v = b[0] = ELIMINATE(d[0] - pair_d, u[0], b[0] - pair_b).w;
    for (int32_t i = 1; i < n; ++i) {
        if (parent[i] != i - 1)
            v = b[parent[i]];
        v = b[i] = SUBSTITUTE(d[i], b[i], v);
    }
}

#undef REAL
#undef ROW
#undef ELIMINATE
#undef SUBSTITUTE
#undef SWEEP
