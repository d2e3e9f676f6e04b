package org.restorej.internal.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** What the events of all operations have. */
@Category("ReStore")
@StackTrace(false)
public abstract sealed class StoreEvent extends Event {
    /** Store rank of this PE, or -1. */
    @Label("Store rank")
    public int storeRank;

    /** Generation that could be read after the operation. */
    @Label("Generation")
    public long generation;

    /** Bytes that left this PE. */
    @Label("Bytes sent")
    @DataAmount
    public long bytesSent;

    /** Bytes that came to this PE. */
    @Label("Bytes received")
    @DataAmount
    public long bytesReceived;

    /** PEs that this one exchanged blocks with. */
    @Label("Peers")
    public int peers;

    /** Store ranks that have failed and that nobody has taken over. */
    @Label("Failed ranks")
    public String failedRanks = "";

    /** Replicas known to be damaged, on all PEs together. */
    @Label("Damaged replicas")
    public int damagedReplicas;

    /** What the operation threw, or empty. */
    @Label("Failure")
    @Description("What the operation threw on this PE; empty when it succeeded")
    public String failure = "";

    private StoreEvent() {}

    /** A new generation was submitted. */
    @Name("org.restorej.Submit")
    @Label("Submit")
    public static final class Submit extends StoreEvent {}

    /** Blocks were pulled. */
    @Name("org.restorej.Pull")
    @Label("Pull")
    public static final class Pull extends StoreEvent {}

    /** The store went on with the survivors. */
    @Name("org.restorej.Recover")
    @Label("Recover")
    public static final class Recover extends StoreEvent {}

    /** Lost and damaged replicas were re-replicated. */
    @Name("org.restorej.Replenish")
    @Label("Replenish")
    public static final class Replenish extends StoreEvent {}

    /** All replicas were checked. */
    @Name("org.restorej.Scrub")
    @Label("Scrub")
    public static final class Scrub extends StoreEvent {}
}
