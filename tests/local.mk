# tests: TAP.  t_*.c -> *.t, m_*.c -> *.mt (3 ranks), e_*.t shell jobs.
EXTRA_DIST += tests/tap.h tests/ranks.sh tests/tally.sh tests/valgrind.supp

# The whole repository: layers, style, set-up.
repository_tests = tests/layers.t tests/style.t tests/e_quickstart.t
dist_check_SCRIPTS += $(repository_tests)
TESTS += $(repository_tests)

# A job under a private SLURM.
dist_check_SCRIPTS += tests/slurm-up.sh tests/slurm-down.sh tests/e_slurm.t
TESTS += tests/e_slurm.t
