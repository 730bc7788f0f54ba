/* header.cpp - the headers are good for C++, which need not know more. */
#include <bosc.h>
#include <bosc_mpi.h>
#include <bosc_netcdf.h>
#include <bosc_tridiag.h>

int main()
{
    bosc_simulation *sim = nullptr;
    bosc_status st = bosc_open("", &sim);

    bosc_close(sim);
    return st == BOSC_ENOINPUT ? 0 : 1;
}
