#include "tests/lib/mechs.h"

#include <stdio.h>
#include <stdlib.h>

bosc_mechs *test_mechs(void)
{
    static bosc_mechs *mechs;

    if (mechs == NULL && bosc_mechs_create(&mechs, NULL) != BOSC_OK) {
        puts("Bail out! no memory");
        exit(1);
    }
    return mechs;
}

const bosc_costs *test_costs(void)
{
    static bosc_costs costs;

    if (costs.n_works == 0)
        costs = bosc_costs_standard(test_mechs());
    return &costs;
}
