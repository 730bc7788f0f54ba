# cuda.m4 - is there a CUDA compiler that works, and what linking needs.

# Flags of code for the GPUs that $NVCC knows of those in $2, and the last one's
# PTX for later ones, into $1.
AC_DEFUN([BOSC_CUDA_TARGETS], [
$1=
for bosc_arch in $2; do
  AS_IF(["$NVCC" --list-gpu-arch 2>&AS_MESSAGE_LOG_FD | grep -qx "compute_$bosc_arch"],
    [$1="$$1 -gencode=arch=compute_$bosc_arch,code=sm_$bosc_arch"
     bosc_newest=$bosc_arch])
done
AS_IF([test -n "$$1"],
  [$1="$$1 -gencode=arch=compute_$bosc_newest,code=compute_$bosc_newest"])
])

# Build a program of $NVCC's object and $CC's: yes, or why not, into $1.
AC_DEFUN([BOSC_CUDA_TRY], [
cat >conftest.cu <<'_BOSC_EOF'
#include <cuda_runtime.h>
template <typename real> __global__ void twice(real *x) { *x *= 2; }
extern "C" int conftest(double *x) { twice<<<1, 1>>>(x); return cudaGetLastError() != 0; }
_BOSC_EOF
bosc_save_LIBS=$LIBS
LIBS="conftest-cuda.$OBJEXT $LIBS $CUDA_LIBS"
AS_IF([test -z "$CUDA_TARGETS"], [$1="it does not run, or knows none of the GPUs wanted"],
  ["$NVCC" $BOSC_NVCCFLAGS $CUDA_TARGETS $NVCCFLAGS -c conftest.cu \
     -o conftest-cuda.$OBJEXT >&AS_MESSAGE_LOG_FD 2>&1],
  [AC_LINK_IFELSE([AC_LANG_PROGRAM([[int conftest(double *x);]],
     [[return conftest(0);]])],
     [$1=yes], [$1="$CC does not link what it compiles"])],
  [$1="it compiles no kernel"])
LIBS=$bosc_save_LIBS
rm -f conftest.cu conftest-cuda.$OBJEXT
])

# Optional: without it, everything but the CUDA solvers is built.
AC_DEFUN([BOSC_CHECK_CUDA], [
AC_ARG_VAR([NVCC], [CUDA compiler; no: build without CUDA])
AC_ARG_VAR([NVCCFLAGS], [flags for the CUDA compiler, default -O3])
NVCCFLAGS=${NVCCFLAGS--O3}
AS_IF([test "$NVCC" != no],
  [AC_PATH_PROG([NVCC], [nvcc], [no], [$PATH:/usr/local/cuda/bin])])
# No contraction: the bits of the host.  Without exceptions and guards of
# statics, a C compiler links it.
BOSC_NVCCFLAGS="-std=c++17 -fmad=false -Xcompiler=-Wall,-Wextra,-fPIC,-fno-exceptions,-fno-threadsafe-statics"
AS_IF([test "$NVCC" = no], [have_cuda=no bosc_cuda=no], [
  bosc_cuda=`"$NVCC" --version 2>&AS_MESSAGE_LOG_FD | sed -n 's/.*release \([[0-9.]]*\).*/\1/p'`
  CUDA_LIBS=`"$NVCC" --dryrun -o conftest x.cu 2>&1 |
    sed -n 's/^#\\$ LIBRARIES=//p' | tr ' ' '\n' | tr -d '"' | grep -v '/stubs$' | tr '\n' ' '`
  CUDA_LIBS="$CUDA_LIBS -lcudart_static -lrt -lpthread -ldl"
  BOSC_CUDA_TARGETS([CUDA_TARGETS], [80 90])
  AC_MSG_CHECKING([whether $NVCC works with $CC])
  BOSC_CUDA_TRY([have_cuda])
  AC_MSG_RESULT([$have_cuda])
  AS_IF([test "$have_cuda" = yes],
    [bosc_cuda="$bosc_cuda  ($NVCC)"],
    [AC_MSG_WARN([$NVCC is of no use: $have_cuda; config.log says more. Going on without CUDA])
     bosc_cuda="no  ($NVCC: $have_cuda)"])])
AS_IF([test "$have_cuda" = yes],
  [AC_DEFINE([HAVE_CUDA], [1], [the CUDA solvers are built])
   bosc_cuda_home=`readlink -f "$NVCC"`
   bosc_cuda_home=`dirname "$bosc_cuda_home"`
   AC_DEFINE_UNQUOTED([CUDA_HOME], ["`dirname "$bosc_cuda_home"`"], [where its libraries are])
   LIBS="$LIBS $CUDA_LIBS"])
AC_SUBST([BOSC_NVCCFLAGS])
AC_SUBST([CUDA_TARGETS])
AM_CONDITIONAL([HAVE_CUDA], [test "$have_cuda" = yes])
])
