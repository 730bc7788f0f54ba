# library: libbosc.so, the simulation for other programs (include/bosc.h), and
# beside it libbosc-mpi.so and libbosc-netcdf.so, which alone need those.
libbosc_a_SOURCES += \
	%D%/caller.c %D%/caller.h %D%/handle.c %D%/mpi_ranks.c %D%/netcdf.c %D%/readings.c %D%/simulation.c \
	%D%/simulation.h %D%/state.c
AM_CPPFLAGS += -I$(top_srcdir)/include
include_HEADERS = include/bosc.h include/bosc_mpi.h include/bosc_netcdf.h
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = include/bosc.pc
EXTRA_DIST += %D%/libbosc.map %D%/mpi.map %D%/netcdf.map

# A shared library takes from the archive what its functions need: one that
# needs MPI, say, does not link ("-z defs").
libbosc_soname = libbosc.so.0
shared_libraries = $(libbosc_soname) libbosc-mpi.so.0 libbosc-netcdf.so.0
shared_link = $(AM_V_CCLD)$(CC) -shared $(AM_CFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ \
	-Wl,-soname,$@ -Wl,-z,defs -Wl,--as-needed

$(libbosc_soname): libbosc.a %D%/libbosc.map
	$(shared_link) -Wl,--version-script=$(srcdir)/%D%/libbosc.map \
	  -Wl,-u,bosc_open -Wl,-u,bosc_read -Wl,-u,bosc_save \
	  -Wl,-u,bosc_version libbosc.a $(YAML_LIBS) $(ZLIB_LIBS) $(EXPAT_LIBS) $(LIBS)
	$(AM_V_at)ln -sf $@ libbosc.so
libbosc-mpi.so.0: libbosc.a %D%/mpi.map
	$(shared_link) -Wl,--version-script=$(srcdir)/%D%/mpi.map \
	  -Wl,-u,bosc_mpi_ranks libbosc.a
	$(AM_V_at)ln -sf $@ libbosc-mpi.so
libbosc-netcdf.so.0: libbosc.a %D%/netcdf.map
	$(shared_link) -Wl,--version-script=$(srcdir)/%D%/netcdf.map \
	  -Wl,-u,bosc_netcdf libbosc.a $(NETCDF_LIBS) $(LIBS)
	$(AM_V_at)ln -sf $@ libbosc-netcdf.so

all-local: $(shared_libraries)
CLEANFILES += $(shared_libraries) $(shared_libraries:.0=)

install-exec-local: $(shared_libraries)
	$(MKDIR_P) '$(DESTDIR)$(libdir)'
	for so in $(shared_libraries); do \
	  $(INSTALL_PROGRAM) $$so '$(DESTDIR)$(libdir)' && \
	  ln -sf $$so '$(DESTDIR)$(libdir)'/$${so%.0} || exit 1; \
	done
uninstall-local:
	for so in $(shared_libraries); do \
	  rm -f '$(DESTDIR)$(libdir)'/$$so '$(DESTDIR)$(libdir)'/$${so%.0}; \
	done
