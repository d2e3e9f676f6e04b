package org.restorej.comm.local;

/** What a PE of a local cluster waits for. */
interface LocalWait {
    /** Whether it can't end before another PE has done its part; any thread. */
    boolean needs(Pe other);
}
