package org.restorej.bench.kernel;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What JMH writes down beside the time of a call: its input, for a rate. Of one thread. */
@AuxCounters(AuxCounters.Type.EVENTS)
@State(Scope.Thread)
public class Traffic {
    /** Bytes that one call reads. */
    public long bytes;
}
