# bosc.m4 - the probes of configure.ac, and the table they end in.

# An MPI compiler is wanted in CC.  Says which MPI it is, finds the launcher.
AC_DEFUN([BOSC_CHECK_MPI], [
AC_MSG_CHECKING([for MPI in $CC])
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
#if MPI_VERSION < 3
#error "MPI 3 needed"
#endif]], [[MPI_Init(0, 0); MPI_Finalize();]])],
  [AC_MSG_RESULT([yes])],
  [AC_MSG_RESULT([no])
   AC_MSG_ERROR([$CC does not build MPI 3 programs; install MPICH (Debian, Ubuntu: mpich libmpich-dev) and run configure with CC=mpicc.mpich])])
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
#ifndef MPICH_VERSION
#error
#endif]])], [bosc_mpi=MPICH], [
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
#ifndef OMPI_MAJOR_VERSION
#error
#endif]])], [bosc_mpi="Open MPI"], [bosc_mpi="unknown MPI"])])
AC_ARG_VAR([MPIEXEC], [launcher of MPI programs, for tests and the demo])
AS_IF([test -z "$MPIEXEC"], [
  AS_IF([test "$bosc_mpi" = MPICH],
    [AC_CHECK_PROGS([MPIEXEC], [mpiexec.mpich mpiexec.hydra mpiexec])],
    [AC_CHECK_PROGS([MPIEXEC], [mpiexec.openmpi mpiexec mpirun])])])
])

# Does the launcher start two ranks that find each other?  Some do not: Ubuntu
# 24.04's MPICH, or one MPI's launcher with another's library.  Only told, since
# a login node may have no right to start any.
AC_DEFUN([BOSC_CHECK_LAUNCHER], [
AC_MSG_CHECKING([whether two ranks of ${MPIEXEC:-no launcher} find each other])
bosc_launch=unknown
AS_IF([test -n "$MPIEXEC" && test "$cross_compiling" = no], [
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>]],
    [[int n; MPI_Init(0, 0); MPI_Comm_size(MPI_COMM_WORLD, &n); MPI_Finalize();
      return n == 2 ? 0 : 42;]])],
    [OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
     OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe \
     timeout 30 "$MPIEXEC" -n 2 ./conftest$EXEEXT >&AS_MESSAGE_LOG_FD 2>&1 </dev/null
     AS_CASE([$?], [0], [bosc_launch=yes], [42], [bosc_launch=no])])])
AC_MSG_RESULT([$bosc_launch])
AS_IF([test $bosc_launch = no],
  [AC_MSG_WARN([$MPIEXEC starts separate runs of one rank each; it does not match $CC, or its package is broken (MPICH in Ubuntu 24.04): choose others with CC and MPIEXEC])])
])

AC_DEFUN([BOSC_CHECK_OPENMP], [
AC_OPENMP
AS_IF([test "x$ac_cv_prog_c_openmp" = xunsupported],
  [AC_MSG_ERROR([$CC has no OpenMP; use GCC 10 or newer, or Clang with libomp])])
])

# A netCDF beside the system's one is to be found at run time, too; and may
# several ranks write one file with it?
AC_DEFUN([BOSC_CHECK_NETCDF], [
PKG_CHECK_MODULES([NETCDF], [netcdf >= 4.6], [bosc_netcdf=`$PKG_CONFIG --modversion netcdf`],
  [AC_MSG_ERROR([netCDF-C not found; install it (Debian, Ubuntu: libnetcdf-dev)])])
for bosc_flag in $NETCDF_LIBS; do
  AS_CASE([$bosc_flag],
    [-L/*], [NETCDF_LIBS="$NETCDF_LIBS -Wl,-rpath,"`AS_ECHO(["$bosc_flag"]) | sed 's/^-L//'`])
done
AC_MSG_CHECKING([whether several ranks can write one file of netCDF])
bosc_save_CPPFLAGS=$CPPFLAGS
bosc_save_LIBS=$LIBS
CPPFLAGS="$CPPFLAGS $NETCDF_CFLAGS"
LIBS="$NETCDF_LIBS $LIBS"
AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <mpi.h>
#include <netcdf.h>
#include <netcdf_meta.h>
#include <netcdf_par.h>
#if !NC_HAS_PARALLEL4
#error
#endif]], [[int nc; return nc_create_par("", NC_NETCDF4, MPI_COMM_SELF, MPI_INFO_NULL, &nc) +
  nc_open_par("", NC_WRITE, MPI_COMM_WORLD, MPI_INFO_NULL, &nc);]])],
  [bosc_parallel=yes], [bosc_parallel=no])
CPPFLAGS=$bosc_save_CPPFLAGS
LIBS=$bosc_save_LIBS
AC_MSG_RESULT([$bosc_parallel])
AS_IF([test $bosc_parallel = yes],
  [AC_DEFINE([PARALLEL_NETCDF], [1], [several ranks can write one file of netCDF])])
])

# libyaml and not libcyaml: libcyaml forgets the line of a value once it has
# accepted its type, and messages about ranges must name the line.
AC_DEFUN([BOSC_CHECK_YAML], [
PKG_CHECK_MODULES([YAML], [yaml-0.1], [bosc_yaml=`$PKG_CONFIG --modversion yaml-0.1`],
  [AC_MSG_ERROR([libyaml not found; install it (Debian, Ubuntu: libyaml-dev)])])
])

# What morphology files are compressed with, and what NeuroML is written in;
# bosc is built without the second where it is missing.
AC_DEFUN([BOSC_CHECK_FILES], [
PKG_CHECK_MODULES([ZLIB], [zlib], [bosc_zlib=`$PKG_CONFIG --modversion zlib`],
  [AC_MSG_ERROR([zlib not found; install it (Debian, Ubuntu: zlib1g-dev)])])
PKG_CHECK_MODULES([EXPAT], [expat >= 2.1],
  [bosc_expat="expat `$PKG_CONFIG --modversion expat`"
   AC_DEFINE([HAVE_EXPAT], [1], [NeuroML is read])],
  [bosc_expat="no (expat not found; Debian, Ubuntu: libexpat1-dev)"])
])

AC_DEFUN([BOSC_CHECK_RANDOM123], [
AC_CHECK_HEADER([Random123/philox.h], [],
  [AC_MSG_ERROR([Random123 not found; install it (Debian, Ubuntu: librandom123-dev)])])
])

# The vector kernels are compiled once for each of these and chosen at run time.
AC_DEFUN([BOSC_CHECK_FLAG], [
AC_MSG_CHECKING([whether $CC takes $2])
bosc_save_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS $2 -Werror"
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[]], [[]])], [$1=yes], [$1=no])
CFLAGS=$bosc_save_CFLAGS
AC_MSG_RESULT([$$1])
])
AC_DEFUN([BOSC_CHECK_VECTORS], [
BOSC_CHECK_FLAG([bosc_v3], [-march=x86-64-v3])
BOSC_CHECK_FLAG([bosc_v4], [-march=x86-64-v4])
AM_CONDITIONAL([HAVE_V3], [test $bosc_v3 = yes])
AM_CONDITIONAL([HAVE_V4], [test $bosc_v4 = yes])
AS_IF([test $bosc_v3 = yes], [AC_DEFINE([HAVE_V3], [1], [kernels for AVX2 are built])])
AS_IF([test $bosc_v4 = yes], [AC_DEFINE([HAVE_V4], [1], [kernels for AVX-512 are built])])
bosc_vectors=baseline
AS_IF([test $bosc_v3 = yes], [bosc_vectors="$bosc_vectors AVX2"])
AS_IF([test $bosc_v4 = yes], [bosc_vectors="$bosc_vectors AVX-512"])
])

# Mechanisms of users are compiled by the program, without MPI: by the compiler
# that the MPI compiler calls.
AC_DEFUN([BOSC_CHECK_MODS], [
AC_MSG_CHECKING([for the C compiler behind $CC])
bosc_mods_cc=`unset MPICH_CC OMPI_CC; $CC -show 2>/dev/null | sed 's/ .*//'`
AS_IF([test -n "$bosc_mods_cc" && command -v "$bosc_mods_cc" >/dev/null 2>&1], [],
  [bosc_mods_cc=$CC])
AC_MSG_RESULT([$bosc_mods_cc])
AC_DEFINE_UNQUOTED([MODS_CC], ["$bosc_mods_cc"], [builds the mechanisms of mod files])
BOSC_CHECK_FLAG([bosc_schedule], [-fschedule-insns -fsched-pressure --param=sched-pressure-algorithm=2])
AM_CONDITIONAL([HAVE_SCHEDULE], [test $bosc_schedule = yes])
AS_IF([test $bosc_schedule = yes], [AC_DEFINE([HAVE_SCHEDULE], [1], [it orders instructions before it chooses registers])])
])

# Optional: tests emulate a GPU with it, on stacks of their own.
AC_DEFUN([BOSC_CHECK_CXX], [
AC_MSG_CHECKING([whether $CXX can emulate a GPU])
AC_LANG_PUSH([C++])
AC_COMPILE_IFELSE([AC_LANG_PROGRAM([[#include <ucontext.h>]],
  [[auto to = [](ucontext_t *at) { return setcontext(at); };
    static_assert(sizeof to > 0); return to(0);]])],
  [have_cxx=yes], [have_cxx=no])
AC_LANG_POP([C++])
AC_MSG_RESULT([$have_cxx])
AM_CONDITIONAL([HAVE_CXX], [test "$have_cxx" = yes])
])

AC_DEFUN([BOSC_ASK_REPORTS], [
AC_ARG_WITH([reports],
    [AS_HELP_STRING([--with-reports=ADDRESS],
        [where users of this installation report problems, as 'bosc --help' and
         internal errors say @<:@the place you got bosc from@:>@])],
    [], [with_reports=])
AS_CASE([$with_reports],
    [no | yes | ''], [with_reports="the place you got bosc from"],
    [*\"* | *\\*], [AC_MSG_ERROR([--with-reports=$with_reports: write it without quotes and backslashes])])
AC_DEFINE_UNQUOTED([BOSC_REPORTS], ["$with_reports"],
    [Where users of this installation report problems.])
])

AC_DEFUN([BOSC_SUMMARY], [
AS_ECHO(["
  bosc $PACKAGE_VERSION
  ------------------------------------------------------------
  MPI           $bosc_mpi  ($CC; launcher ${MPIEXEC:-none}, works: $bosc_launch)
  OpenMP        yes  (${OPENMP_CFLAGS:-no flag needed})
  netCDF-C      $bosc_netcdf  (parallel: $bosc_parallel)
  YAML          libyaml $bosc_yaml
  gzip          zlib $bosc_zlib
  NeuroML       $bosc_expat
  Random123     yes
  vector code   $bosc_vectors
  CUDA          $bosc_cuda
  problems to   $with_reports
  ------------------------------------------------------------
  next: make, make check, make install
"])
])
