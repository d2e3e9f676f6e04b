package org.restorej.internal.events;

import jdk.jfr.Label;
import jdk.jfr.Name;

/** The store went on with the survivors. */
@Name("org.restorej.Recover")
@Label("Recover")
public final class RecoverEvent extends StoreEvent {
    /** An event that has not begun. */
    public RecoverEvent() {}
}
