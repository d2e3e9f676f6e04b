package org.restorej.internal.events;

import jdk.jfr.Label;
import jdk.jfr.Name;

/** A new generation was submitted. */
@Name("org.restorej.Submit")
@Label("Submit")
public final class SubmitEvent extends StoreEvent {
    /** An event that has not begun. */
    public SubmitEvent() {}
}
