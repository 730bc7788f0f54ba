# formula: arithmetic that a job writes instead of numbers.
libbosc_a_SOURCES += \
	%D%/code.h %D%/evaluate.c %D%/formula.h %D%/functions.c %D%/parse.c
