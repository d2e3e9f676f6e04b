package org.restorej.internal.events;

import jdk.jfr.Label;
import jdk.jfr.Name;

/** Lost and damaged replicas were made anew. */
@Name("org.restorej.Replenish")
@Label("Replenish")
public final class ReplenishEvent extends StoreEvent {
    /** An event that has not begun. */
    public ReplenishEvent() {}
}
