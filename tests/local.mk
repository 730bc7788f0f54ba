# tests: TAP.  unit/*.c -> *.t, mpi/*.c -> *.mt (3 ranks), cli/ and others shell.
# Every test program is linked with lib/ and all of bosc.
EXTRA_DIST += tests/README.md
LDADD = tests/lib/libtests.a libbosc.a $(NETCDF_LIBS) $(YAML_LIBS) $(ZLIB_LIBS) $(EXPAT_LIBS)

include tests/lib/local.mk
# In the order in which they run: a machine that is too slow for all of them skips
# the last ones (.ci/run).
include tests/unit/base/local.mk
include tests/unit/bench/local.mk
include tests/unit/cost/local.mk
include tests/unit/distribute/local.mk
include tests/unit/io/local.mk
include tests/unit/job/local.mk
include tests/unit/kernels/local.mk
include tests/unit/model/local.mk
include tests/unit/morphology/local.mk
include tests/unit/mpi/local.mk
include tests/unit/network/local.mk
include tests/unit/sweep/local.mk
include tests/unit/mods/local.mk
include tests/unit/formula/local.mk
include tests/unit/nmodl/local.mk
include tests/unit/partition/local.mk
include tests/unit/select/local.mk
include tests/unit/slurm/local.mk
include tests/unit/text/local.mk
include tests/unit/tune/local.mk
include tests/mpi/local.mk
include tests/reference/local.mk
include tests/library/local.mk
include tests/science/local.mk
include tests/models/local.mk
include tests/shape/local.mk
include tests/batch/local.mk
include tests/cli/local.mk
include tests/random/local.mk
include tests/python/local.mk
include tests/tune/local.mk
include tests/figures/local.mk
include tests/submit/local.mk
include tests/slurm/local.mk
include tests/emulate/local.mk
include tests/bench/local.mk
