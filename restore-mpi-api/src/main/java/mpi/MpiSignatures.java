package mpi;

/** The one answer of every signature. */
final class MpiSignatures {
    private MpiSignatures() {}

    static UnsupportedOperationException absent() {
        return new UnsupportedOperationException(
                "restore-mpi-api holds signatures only: put the mpi.jar of the MPI installation on the class path");
    }
}
