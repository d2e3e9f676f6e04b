package org.restorej.internal.access;

import org.restorej.internal.operation.StoreState;

/**
 * The superclass of stores as {@link StoreAccess} sees them. This package can't refer to their type, which is in a
 * package above.
 */
public abstract class StoreHandle {
    protected final StoreState state;

    /** Creates a store with this state. */
    protected StoreHandle(StoreState state) {
        this.state = state;
    }
}
