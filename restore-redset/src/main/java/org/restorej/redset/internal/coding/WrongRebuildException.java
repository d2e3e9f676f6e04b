package org.restorej.redset.internal.coding;

import java.io.IOException;

/**
 * What was rebuilt doesn't have the checksum recorded: something that it was rebuilt from is damaged, and nobody knows
 * what. So the member can't be had again.
 */
public final class WrongRebuildException extends IOException {
    private static final long serialVersionUID = 1L;

    WrongRebuildException(String message) {
        super(message);
    }
}
