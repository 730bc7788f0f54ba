/* Processors of a process, and what OMP_NUM_THREADS asks for. */
#include <string.h>

#include "src/comm/cpuset.h"
#include "tests/lib/tap.h"

static const struct {
    const char *what, *text;
    int threads;
    bosc_status status;
} cases[] = {
    {"no OMP_NUM_THREADS asks for nothing", NULL, 0, BOSC_OK},
    {"nor does an empty one", "", 0, BOSC_OK},
    {"a number is taken", "3", 3, BOSC_OK},
    {"blanks around it do not count", " 3\t", 3, BOSC_OK},
    {"of a list the first counts", "5,2", 5, BOSC_OK},
    {"zero is refused", "0", 0, BOSC_EVALUE},
    {"a negative number is refused", "-1", 0, BOSC_EVALUE},
    {"a word is refused", "abc", 0, BOSC_EVALUE},
    {"a fraction is refused", "2.5", 0, BOSC_EVALUE},
    {"letters behind the number are refused", "4x", 0, BOSC_EVALUE},
    {"too many are refused", "99999999999", 0, BOSC_EVALUE},
    {"a list without its first is refused", ",2", 0, BOSC_EVALUE},
};

int main(void)
{
    const bosc_cpuset mine = bosc_cpuset_mine();
    const bosc_cpuset low = {{0x6}}, next = {{0x38}}, high = {{0x4, 1}};

    for (size_t i = 0; i < BOSC_LEN(cases); ++i) {
        bosc_error err = {""};
        int threads = -1;
        const bosc_status st =
            bosc_threads_asked(cases[i].text, &threads, &err);

        ok(st == cases[i].status && threads == cases[i].threads &&
               (st == BOSC_OK || strstr(err.text, cases[i].text) != NULL),
           "%s", cases[i].what);
    }
    ok(bosc_cpuset_count(&mine) > 0, "there is a processor to run on");
    ok(bosc_cpuset_overlap(&mine, &mine), "a process shares with itself");
    ok(bosc_cpuset_count(&low) == 2 && bosc_cpuset_count(&high) == 2,
       "processors are counted in all words");
    ok(!bosc_cpuset_overlap(&low, &next), "processors side by side are apart");
    ok(bosc_cpuset_overlap(&low, &high), "one in common is an overlap");
    return done_testing();
}
