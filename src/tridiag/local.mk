# tridiag: libbosc-tridiag.so, the batched tridiagonal solvers for other programs
# (include/bosc_tridiag.h).  It has the loops of kernels/thomas/ and nothing else
# of bosc, and needs no MPI, netCDF or CUDA.
libbosc_a_SOURCES += %D%/tridiag.c
include_HEADERS += include/bosc_tridiag.h
pkgconfig_DATA += include/bosc-tridiag.pc
dist_doc_DATA = %D%/tridiag-example.c
dist_man3_MANS = %D%/bosc_tridiag.3
EXTRA_DIST += %D%/tridiag.map

libbosc_tridiag_soname = libbosc-tridiag.so.0
shared_libraries += $(libbosc_tridiag_soname)
$(libbosc_tridiag_soname): libbosc.a %D%/tridiag.map
	$(shared_link) -Wl,--version-script=$(srcdir)/%D%/tridiag.map \
	  -Wl,-u,bosc_tridiag_solve libbosc.a $(LIBS)
	$(AM_V_at)ln -sf $@ libbosc-tridiag.so
