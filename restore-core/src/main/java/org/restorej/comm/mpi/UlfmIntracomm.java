package org.restorej.comm.mpi;

import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** A communicator of the bindings that tells its handle, which they keep to their subclasses. Returns its errors. */
final class UlfmIntracomm extends Intracomm {
    private UlfmIntracomm() throws MPIException {
        setType(WORLD);
        setErrhandler(MPI.ERRORS_RETURN);
    }

    /** Takes over a communicator of the MPI library. */
    UlfmIntracomm(long handle) throws MPIException {
        super(handle);
        setErrhandler(MPI.ERRORS_RETURN);
    }

    static UlfmIntracomm world() throws MPIException {
        return new UlfmIntracomm();
    }

    long handle() {
        return handle;
    }

    UlfmIntracomm duplicate() throws MPIException {
        return new UlfmIntracomm(dup(handle));
    }
}
