# partition: who computes what.  A leaf: no MPI, no files.

libbosc_a_SOURCES += partition/assign.c partition/assign.h \
	partition/bind.c partition/bind.h partition/bins.c partition/bins.h \
	partition/deal.c partition/deal.h \
	partition/devices.c partition/devices.h \
	partition/fit.c partition/fit.h \
	partition/level.c partition/polish.c partition/polish.h \
	partition/order.c partition/order.h partition/parts.h \
	partition/seats.c partition/seats.h partition/units.c partition/units.h
