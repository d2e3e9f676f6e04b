package org.restorej.internal.mpi;

import java.lang.foreign.SymbolLookup;
import org.restorej.comm.Reduction;

/**
 * Values that {@code mpi.h} defines and libraries don't export: handles and numbers. Handles are passed as 64 bits;
 * functions with 32-bit handles read the lower half.
 *
 * @param world MPI_COMM_WORLD
 * @param errorsReturn MPI_ERRORS_RETURN
 * @param byteType MPI_BYTE
 * @param longType MPI_LONG
 * @param doubleType MPI_DOUBLE
 * @param sum MPI_SUM
 * @param min MPI_MIN
 * @param max MPI_MAX
 * @param and MPI_BAND
 * @param anySource MPI_ANY_SOURCE
 * @param anyTag MPI_ANY_TAG
 * @param undefined MPI_UNDEFINED
 * @param statusIgnore MPI_STATUS_IGNORE
 * @param sourceAt offset of MPI_SOURCE in a status, in bytes
 * @param tagAt offset of MPI_TAG in a status, in bytes
 * @param funneled MPI_THREAD_FUNNELED
 */
record Constants(long world, long errorsReturn, long byteType, long longType, long doubleType, long sum,
        long min, long max, long and, int anySource, int anyTag, int undefined, long statusIgnore, int sourceAt,
        int tagAt, int funneled) {
    /** Size of a status, over all libraries. */
    static final int MAX_STATUS_BYTES = 32;

    private static final int UNDEFINED = -32766;

    /** Open MPI's own ABI: handles are addresses of its variables. */
    static Constants openMpi(SymbolLookup library) {
        return new Constants(address(library, "ompi_mpi_comm_world"), address(library, "ompi_mpi_errors_return"),
                address(library, "ompi_mpi_byte"), address(library, "ompi_mpi_long"),
                address(library, "ompi_mpi_double"), address(library, "ompi_mpi_op_sum"),
                address(library, "ompi_mpi_op_min"), address(library, "ompi_mpi_op_max"),
                address(library, "ompi_mpi_op_band"), -1, -1, UNDEFINED, 0, 0, 4,
                1);
    }

    private static long address(SymbolLookup library, String variable) {
        return library.findOrThrow(variable).address();
    }

    /** The ABI of MPICH, Intel MPI, Cray MPICH and MVAPICH. */
    static Constants mpich() {
        return new Constants(0x44000000, 0x54000001, 0x4c00010d, 0x4c000807, 0x4c00080b, 0x58000003,
                0x58000002, 0x58000001, 0x58000006, -2, -1, UNDEFINED, 1, 8, 12, 1);
    }

    /** The standard ABI of MPI 5.0 (chapter 20). */
    static Constants standard() {
        return new Constants(257, 323, 583, 522, 532, 33, 34, 35, 40, -1, -2, UNDEFINED, 0, 0, 4, 1024);
    }

    /** A rank as an argument of functions. */
    int source(int source) {
        return source == MpiComm.ANY_SOURCE ? anySource : source;
    }

    /** A tag as an argument of functions. */
    int tag(int tag) {
        return tag == MpiComm.ANY_TAG ? anyTag : tag;
    }

    long datatype(MpiComm.ElementType type) {
        return switch (type) {
            case LONG -> longType;
            case DOUBLE -> doubleType;
        };
    }

    long operation(Reduction operation) {
        return switch (operation) {
            case SUM -> sum;
            case MIN -> min;
            case MAX -> max;
        };
    }

    /** The value of a thread level: 0, 1, 2, 3, or in the standard ABI 0, 1024, 2048, 4096. */
    int threadLevel(int level) {
        return level == MpiLibrary.THREAD_MULTIPLE && funneled != 1 ? 4 * funneled : level * funneled;
    }
}
