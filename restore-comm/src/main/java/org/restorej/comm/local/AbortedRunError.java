package org.restorej.comm.local;

/** Unwinds the PEs of a run that was given up; the reason is reported once, by the run. */
final class AbortedRunError extends Error {
    private static final long serialVersionUID = 1L;

    AbortedRunError() {
        super("the run of the local cluster was given up", null, false, false);
    }
}
