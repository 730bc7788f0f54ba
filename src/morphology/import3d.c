/* import3d.c - how Import3d ends sections: mark_branch() and sectionify() of
 * NEURON's read_swc.hoc, the same in 8.2 and 9.0.
 *
 * Every sample counts its children: 1 a child, 0.01 more where the child is
 * not on the next line, 0.01 more where it has another type.  A section goes
 * on where that is exactly 1.  The count is set to 1 where the first sample of
 * a stem, or of a neuron without soma, has a child elsewhere, and where soma
 * is on the next line and (but for the first sample) no other soma hangs on
 * it.  Here the counts are in hundredths.
 */
#include "src/morphology/section.h"

const char *const bosc_import3d_names[BOSC_N_IMPORT3D_ROWS] = {
    [BOSC_LINE_ORDER] = "order of lines",
    [BOSC_SOMA_FORK] = "first soma sample forks",
    [BOSC_THREE_POINTS] = "three-point soma not on consecutive lines",
    [BOSC_NO_LENGTH] = "section without length",
    [BOSC_LONE_STEM] = "stem of one sample where the soma forks",
    [BOSC_NO_RADIUS] = "radius of zero",
    [BOSC_SECOND_ROOT] = "second root",
};

enum { GOES_ON = 100, A_LITTLE = 1 };

static bool is_soma(const bosc_swc *swc, int32_t i)
{
    return i >= 0 && swc->type[i] == BOSC_SWC_SOMA;
}

/* Where a child on another line does not end the section of p. */
static bool is_first_of_stem(const bosc_swc *swc, int32_t p)
{
    if (is_soma(swc, p))
        return false;
    return p == 0 || (p > 1 && is_soma(swc, swc->parent[p]));
}

void bosc_import3d_follow(const bosc_swc *swc, const int32_t *soma_children,
                          int32_t *next)
{
    int32_t *const count = next;

    for (int32_t i = 0; i < swc->n; ++i)
        count[i] = 0;
    for (int32_t i = 0; i < swc->n; ++i) {
        const int32_t p = swc->parent[i];

        if (p < 0)
            continue;
        count[p] += GOES_ON;
        if (p != i - 1)
            count[p] = is_first_of_stem(swc, p) ? GOES_ON : count[p] + A_LITTLE;
        if (swc->type[p] != swc->type[i])
            count[p] += A_LITTLE;
    }
    for (int32_t i = 0; i < swc->n; ++i) {
        const bool soma = is_soma(swc, i) && i + 1 < swc->n &&
                          is_soma(swc, i + 1) && swc->parent[i + 1] == i &&
                          (i == 0 || soma_children[i] == 1);

        next[i] = soma || count[i] == GOES_ON ? i + 1 : -1;
    }
}
