# src: reads, packs, loops and writes.

noinst_LIBRARIES += src/libserial.a
src_libserial_a_SOURCES = \
	src/status.c src/status.h \
	src/mem.c src/mem.h
src_libserial_a_SOURCES += \
	src/generate.c src/generate.h \
	src/generate_cmd.c src/commands.h
src_libserial_a_SOURCES += \
	src/number.c src/number.h \
	src/swc.c src/swc.h src/swc_reader.h \
	src/swc_parse.c src/swc_link.c src/swc_radius.c
src_libserial_a_SOURCES += \
	src/section.c src/section.h \
	src/cable.c src/cable.h \
	src/cable_order.c src/cable_order.h
