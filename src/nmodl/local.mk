# nmodl: the translator of NEURON's NMODL: text in, problems and text out.
nmodl_sources = \
	%D%/emit/emit.c %D%/emit/emit.h %D%/emit/emit_cost.c \
	%D%/emit/emit_cuda.c %D%/emit/emit_describe.c \
	%D%/emit/emit_entry.c %D%/emit/emit_expr.c %D%/emit/emit_loops.c \
	%D%/emit/emit_origin.c %D%/emit/emit_point.c %D%/emit/emit_set.c \
	%D%/emit/emit_set.h %D%/emit/emit_text.c %D%/emit/emit_text.h \
	%D%/model/bind.c %D%/model/c_code.h %D%/model/c_expression.c \
	%D%/model/c_parse.h %D%/model/c_statement.c %D%/model/c_text.c \
	%D%/model/function.c \
	%D%/model/function.h %D%/model/model.c %D%/model/model.h \
	%D%/model/idiom.c %D%/model/refuse.c %D%/model/symbol.c %D%/nmodl.c %D%/nmodl.h %D%/passes/additive.c %D%/passes/code.c \
	%D%/passes/code.h %D%/passes/draw.c %D%/passes/eliminate.c %D%/passes/fold.c \
	%D%/passes/fold.h %D%/passes/formula.c %D%/passes/hoist.c \
	%D%/passes/keep.c %D%/passes/kinetic.c \
	%D%/passes/lower.c %D%/passes/lower.h %D%/passes/program.c \
	%D%/passes/program.h %D%/passes/relax.c %D%/passes/rewrite.c %D%/passes/share.c %D%/passes/slope.c %D%/passes/solve.c \
	%D%/passes/solve.h %D%/passes/straighten.c %D%/passes/tangent.c %D%/passes/tangent.h \
	%D%/passes/variables.c %D%/passes/watch.c \
	%D%/report.c %D%/report.h %D%/syntax/arena.c %D%/syntax/arena.h \
	%D%/syntax/file.h %D%/syntax/lex.c %D%/syntax/lex.h \
	%D%/syntax/parse.c %D%/syntax/parse.h %D%/syntax/parse_declare.c \
	%D%/syntax/parse_expression.c %D%/syntax/parse_statement.c \
	%D%/syntax/parse_token.c \
	%D%/syntax/problem.c %D%/syntax/problem.h %D%/syntax/tree.c \
	%D%/syntax/tree.h
libbosc_a_SOURCES += $(nmodl_sources)

# It makes headers of kernels/mech.
noinst_PROGRAMS += src/nmodl/print
src_nmodl_print_LDADD = -lm
src_nmodl_print_SOURCES = %D%/print.c $(nmodl_sources) src/base/mem.c \
	src/base/status.c src/text/did_you_mean.c src/text/file_kind.c \
	src/text/number.c src/text/path.c src/text/wrap.c
