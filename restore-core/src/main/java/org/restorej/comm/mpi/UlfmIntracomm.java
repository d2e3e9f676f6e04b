package org.restorej.comm.mpi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/** A communicator of the bindings that tells its handle, which they keep to their subclasses. Returns its errors. */
final class UlfmIntracomm extends Intracomm {
    /** The bindings tell the handle of a communicator only to itself. */
    private static final VarHandle HANDLE = handleField();

    private static VarHandle handleField() {
        try {
            return MethodHandles.privateLookupIn(Comm.class, MethodHandles.lookup()).findVarHandle(Comm.class, "handle",
                    long.class);
        } catch (ReflectiveOperationException e) {
            throw new MpiUnavailableException("the Java bindings of this Open MPI are of an unknown kind: their "
                    + "communicators have no accessible handle", e);
        }
    }

    private UlfmIntracomm() throws MPIException {
        setType(WORLD);
        setErrhandler(MPI.ERRORS_RETURN);
    }

    /** Takes over a communicator of the MPI library. */
    UlfmIntracomm(long handle) throws MPIException {
        super(handle);
        setErrhandler(MPI.ERRORS_RETURN);
    }

    /** Takes over a communicator of the bindings. */
    static UlfmIntracomm of(Intracomm intracomm) throws MPIException {
        return new UlfmIntracomm((long) HANDLE.get(intracomm));
    }

    /** A duplicate of a communicator of the bindings. Called by all its processes. */
    static UlfmIntracomm duplicateOf(Intracomm intracomm) throws MPIException {
        return of(intracomm.dup());
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
