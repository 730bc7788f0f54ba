# build-aux: what is installed for shells and for Lmod, recipes of packages, and
# what writes the documents of keys.
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
modulesdir = $(datadir)/modulefiles/bosc
bashcompletion_DATA = %D%/bosc %D%/bosc-bench
zshcompletion_DATA = %D%/_bosc
modules_DATA = %D%/$(VERSION).lua
CLEANFILES += $(bashcompletion_DATA) $(zshcompletion_DATA) $(modules_DATA)

%D%/bosc %D%/bosc-bench: %D%/completion.bash
	$(AM_V_GEN)$(MKDIR_P) %D% && cp $(srcdir)/%D%/completion.bash $@
%D%/_bosc: %D%/completion.zsh
	$(AM_V_GEN)$(MKDIR_P) %D% && cp $(srcdir)/%D%/completion.zsh $@
%D%/$(VERSION).lua: %D%/module.lua.in Makefile
	$(AM_V_GEN)$(MKDIR_P) %D% && sed -e 's,@VERSION[@],$(VERSION),' \
	    -e 's,@bindir[@],$(bindir),' -e 's,@mandir[@],$(mandir),' \
	    -e 's,@modulesdir[@],$(datadir)/modulefiles,' \
	    $(srcdir)/%D%/module.lua.in >$@

EXTRA_DIST += %D%/apptainer.def %D%/commit %D%/completion.bash %D%/completion.zsh \
	%D%/document-keys %D%/module.lua.in %D%/spack/packages/bosc/package.py %D%/spack/repo.yaml

# What the program says of each key of a job, in the reference and the manual page.
reference: bosc$(EXEEXT)
	@./bosc$(EXEEXT) run --help-keys >$@.keys
	@for file in jobs/reference.yaml src/bosc.1; do \
	  $(srcdir)/%D%/document-keys "$(srcdir)/$$file" \
	    <$@.keys >$@.new || exit 1; \
	  cmp -s $@.new "$(srcdir)/$$file" || \
	    cp $@.new "$(srcdir)/$$file" || exit 1; \
	done
	@rm -f $@.keys $@.new
.PHONY: reference
