package org.restorej.redset.internal.blocks;

import java.io.IOException;

/** The blocks in a file are not those that were written to it, or can't be read: the file counts as lost. */
final class DamagedBlocksException extends IOException {
    private static final long serialVersionUID = 1L;

    DamagedBlocksException(String message) {
        super(message);
    }

    DamagedBlocksException(String message, IOException cause) {
        super(message, cause);
    }
}
