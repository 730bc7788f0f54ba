# src: reads, packs, loops and writes.

noinst_LIBRARIES += src/libserial.a
src_libserial_a_SOURCES = \
	src/status.c src/status.h \
	src/mem.c src/mem.h
src_libserial_a_SOURCES += \
	src/generate.c src/generate.h \
	src/generate_cmd.c src/commands.h
