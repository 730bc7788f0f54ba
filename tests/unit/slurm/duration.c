/* duration.c - how long, as people and SLURM write it. */
#include "src/slurm/duration.h"

#include <math.h>
#include <string.h>

#include "src/base/status.h"
#include "tests/lib/tap.h"

static const struct {
    const char *text;
    double seconds; /* 0: refused */
} cases[] = {
    {"90", 5400},       {"30:15", 1815},     {"2:00:15", 7215},
    {"1-12", 129600},   {"1-12:30", 131400}, {"1-12:30:15", 131415},
    {"90 s", 90},       {"90s", 90},         {"1.5 h", 5400},
    {"45 min", 2700},   {"2 d", 172800},     {"", 0},
    {"0", 0},           {"-5", 0},           {"-5 min", 0},
    {"soon", 0},        {"5 weeks", 0},      {"1:2:3:4", 0},
    {"1-", 0},          {"1:", 0},           {"5-5-5", 0},
    {"99999999999", 0}, {"nan h", 0},        {"1 s", 1},
    {"0.9 s", 0},       {"1e-300 h", 0},     {"99999-0", 86400. * 99999},
    {"100000-0", 0},    {"1e300 h", 0},
};

int main(void)
{
    char text[40];

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        double seconds = 0;
        const bool taken = bosc_duration_parse(cases[i].text, &seconds);

        ok(taken == (cases[i].seconds > 0) &&
               fabs(seconds - cases[i].seconds) < 1e-9,
           "'%s' is %g s", cases[i].text, cases[i].seconds);
    }
    ok(strcmp(bosc_duration_show(3725, text), "01:02:05") == 0,
       "an hour is shown");
    ok(strcmp(bosc_duration_show(90061, text), "1-01:01:01") == 0, "and a day");
    return done_testing();
}
