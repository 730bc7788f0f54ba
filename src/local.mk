# src: reads, packs, loops and writes.  Folders in the order in which data flows.

include src/base/local.mk
include src/text/local.mk
include src/comm/local.mk
include src/mpi/local.mk
include src/morphology/local.mk
include src/nmodl/local.mk
include src/formula/local.mk
include src/select/local.mk
include src/mods/local.mk
include src/job/local.mk
include src/import/local.mk
include src/sweep/local.mk
include src/table/local.mk
include src/io/local.mk
include src/model/local.mk
include src/network/local.mk
include src/cost/local.mk
include src/distribute/local.mk
include src/batch/local.mk
include src/calibrate/local.mk
include src/checkpoint/local.mk
include src/output/local.mk
include src/verify/local.mk
include src/sim/local.mk
include src/plan/local.mk
include src/merge/local.mk
include src/run/local.mk
include src/slurm/local.mk
include src/library/local.mk
include src/tridiag/local.mk
include src/cli/local.mk

dist_man1_MANS += src/bosc.1
EXTRA_DIST += src/README.md src/cost/README.md src/select/README.md \
	src/morphology/README.md \
	src/nmodl/README.md
