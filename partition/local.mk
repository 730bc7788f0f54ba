# partition: who computes what.  A leaf: no MPI, no files.

noinst_LIBRARIES += partition/libpartition.a
partition_libpartition_a_SOURCES = partition/assign.c partition/assign.h
