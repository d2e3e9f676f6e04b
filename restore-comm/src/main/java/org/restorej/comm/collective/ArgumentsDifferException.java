package org.restorej.comm.collective;

import org.restorej.comm.Collective.KnownToAll;

/** Arguments are not the same on all PEs, and all PEs have seen that: each throws this, and nobody is waited for. */
final class ArgumentsDifferException extends IllegalArgumentException implements KnownToAll {
    private static final long serialVersionUID = 1L;

    ArgumentsDifferException(String message) {
        super(message);
    }
}
