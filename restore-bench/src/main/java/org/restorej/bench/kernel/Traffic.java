package org.restorej.bench.kernel;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Counts bytes of input, so that JMH reports them a second; of one thread. */
@AuxCounters
@State(Scope.Thread)
public class Traffic {
    /** Bytes read so far. */
    public long bytes;
}
