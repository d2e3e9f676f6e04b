package org.restorej.internal.access;

import org.restorej.internal.operation.StoreState;

/** What a store is to {@link StoreAccess}, which can't know the type of stores, since that is above. */
public abstract class StoreHandle {
    private final StoreState state;

    /** A store with this state. */
    protected StoreHandle(StoreState state) {
        this.state = state;
    }

    final StoreState behind() {
        return state;
    }
}
