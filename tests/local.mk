# tests: TAP.  t_*.c -> *.t, m_*.c -> *.mt (3 ranks), e_*.t shell jobs.
EXTRA_DIST += tests/tap.h tests/ranks.sh
