# partition: who computes what.  A leaf: no MPI, no files.
EXTRA_DIST += partition/README.md

libbosc_a_SOURCES += partition/assign.c partition/assign.h \
	partition/assignment.c partition/assignment.h \
	partition/bins.c partition/bins.h \
	partition/capacity.c partition/capacity.h \
	partition/chunks.c partition/chunks.h \
	partition/exchange.c partition/exchange.h \
	partition/first_free.c partition/first_free.h \
	partition/gpu_assign.c partition/gpu_assign.h \
	partition/groups.c partition/groups.h \
	partition/order.c partition/order.h partition/parts.h \
	partition/refine.c partition/refine.h
