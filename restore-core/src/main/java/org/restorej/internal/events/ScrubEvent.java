package org.restorej.internal.events;

import jdk.jfr.Label;
import jdk.jfr.Name;

/** All replicas were checked. */
@Name("org.restorej.Scrub")
@Label("Scrub")
public final class ScrubEvent extends StoreEvent {
    /** An event that has not begun. */
    public ScrubEvent() {}
}
