# base: what every folder may use: no MPI, no files of ours.
libbosc_a_SOURCES += \
	%D%/checksum.c %D%/checksum.h %D%/first_error.h %D%/history.c %D%/history.h \
	%D%/key_sort.h %D%/lock.c %D%/lock.h %D%/mem.c %D%/mem.h \
	%D%/progress.c %D%/progress.h %D%/random.c %D%/random.h %D%/search.h %D%/signals.c \
	%D%/signals.h %D%/status.c %D%/status.h %D%/team.h %D%/version.c %D%/version.h %D%/warning.c %D%/warning.h

# The commit of the checkout, or that of the tarball; asked for in each build, of
# which two may run at once (tests install).
BUILT_SOURCES += %D%/commit.h
CLEANFILES += %D%/commit.h
%D%/version.$(OBJEXT): %D%/commit.h
%D%/commit.h: always-asked
	$(AM_V_at)$(MKDIR_P) %D% && new=$@.$$$$ && $(SHELL) $(srcdir)/build-aux/commit '$(srcdir)' >$$new && \
	  if cmp -s $$new $@; then rm -f $$new; else mv $$new $@; fi
always-asked:
.PHONY: always-asked
