package org.restorej.testing;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Checks that an error says what its reader needs. */
public final class ErrorMessages {
    private ErrorMessages() {}

    /** Fails unless the message contains every part. */
    public static void assertSays(Throwable error, String... parts) {
        String message = String.valueOf(error.getMessage());
        for (String part : parts) {
            assertTrue(message.contains(part), () -> "\"" + message + "\" does not say \"" + part + "\"");
        }
    }
}
