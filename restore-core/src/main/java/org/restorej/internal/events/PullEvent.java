package org.restorej.internal.events;

import jdk.jfr.Label;
import jdk.jfr.Name;

/** Blocks were pulled or pushed. */
@Name("org.restorej.Pull")
@Label("Pull")
public final class PullEvent extends StoreEvent {
    /** An event that has not begun. */
    public PullEvent() {}
}
