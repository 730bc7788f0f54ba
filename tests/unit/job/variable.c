/* variable.c - the names of what can be recorded, for the whole table. */
#include <string.h>

#include "src/base/status.h"
#include "src/job/variable.h"
#include "tests/lib/mechs.h"
#include "tests/lib/tap.h"

/* The number that a job's name leads to, -1: none. */
static int number_of(const char *name)
{
    bosc_variable found, v;

    if (!bosc_variable_find(test_mechs(), name, &found))
        return -1;
    for (int i = 0; bosc_variable_at(test_mechs(), i, &v); ++i)
        if (bosc_variable_same(v, found))
            return i;
    return -2;
}

static void test_names(void)
{
    char job[BOSC_VARIABLE_NAME], file[BOSC_VARIABLE_NAME];
    char other[BOSC_VARIABLE_NAME];
    bool found = true, part = true, own = true;
    bosc_variable v, w;
    int n = 0;

    for (; bosc_variable_at(test_mechs(), n, &v); ++n) {
        found &= number_of(bosc_variable_name(test_mechs(), v, '.', job)) == n;
        part &= bosc_variable_is_part(
            test_mechs(), bosc_variable_name(test_mechs(), v, '_', file));
        own &= strlen(file) < BOSC_VARIABLE_NAME - 1;
        for (int k = 0; k < n && bosc_variable_at(test_mechs(), k, &w); ++k)
            own &= strcmp(bosc_variable_name(test_mechs(), w, '_', other),
                          file) != 0;
    }
    ok(n > 0, "there are variables");
    ok(found, "a job's name of a variable leads back to it");
    ok(own, "every variable has a name of its own in the file");
    ok(part, "which no probe may take");
    ok(!bosc_variable_at(test_mechs(), n, &v), "there are no more");
}

static void test_full_names(void)
{
    bool found = true;
    int n = BOSC_COMPARTMENT_potential; /* no probe asks for that one */

    for (int m = 0; m < test_mechs()->n; ++m)
        for (int s = 0; s < test_mechs()->mech[m]->n_states; ++s, ++n) {
            char name[BOSC_VARIABLE_NAME];

            snprintf(name, sizeof name, "%s.%s", test_mechs()->mech[m]->name,
                     test_mechs()->mech[m]->states[s].name);
            found &= number_of(name) == n;
        }
    ok(found, "every state is found by mechanism and name");
}

static void test_voltage(void)
{
    const bosc_variable v = {BOSC_COMPARTMENT, 0};
    const bosc_variable i_mem = {BOSC_COMPARTMENT, BOSC_COMPARTMENT_i_mem};
    char text[BOSC_VARIABLE_NAME];

    ok(number_of("i_mem") == BOSC_COMPARTMENT_i_mem &&
           strcmp(bosc_variable_unit(test_mechs(), i_mem), "nA") == 0,
       "i_mem is a current in nA");
    ok(number_of("v") == 0 &&
           strcmp(bosc_variable_unit(test_mechs(), v), "mV") == 0 &&
           strcmp(bosc_variable_meaning(test_mechs(), v, text, sizeof text),
                  "membrane voltage") == 0,
       "v is the membrane voltage in mV");
    ok(number_of("") == -1 && number_of("V") == -1 && number_of("hh.") == -1 &&
           number_of("pas.v") == -1,
       "other words are no variables");
    ok(bosc_variable_is_part(test_mechs(), "gid") &&
           bosc_variable_is_part(test_mechs(), "section") &&
           !bosc_variable_is_part(test_mechs(), "soma"),
       "columns of the file are parts of a probe as well");
}

int main(void)
{
    test_names();
    test_full_names();
    test_voltage();
    return done_testing();
}
