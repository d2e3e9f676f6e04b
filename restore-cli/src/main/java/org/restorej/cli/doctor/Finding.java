package org.restorej.cli.doctor;

import java.util.Locale;
import java.util.Optional;

/**
 * The result of one check.
 *
 * @param name of the thing that was checked
 * @param state whether it works
 * @param found what exists, or the reason why it can't be used
 * @param neededFor what doesn't work, or is slower, without it
 * @param fix the command that makes it work; empty if it works, or no command can
 */
record Finding(String name, State state, String found, String neededFor, Optional<String> fix) {
    /** State of the thing that was checked. */
    enum State {
        /** It works. */
        OK,
        /** It works with limitations. */
        LIMITED,
        /** It is missing, and few users need it. */
        OPTIONAL,
        /** It is missing or doesn't work. */
        MISSING,
        /** It could not be examined. */
        UNKNOWN;

        /** The name in reports. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Finding ok(String name, String found, String neededFor) {
        return new Finding(name, State.OK, found, neededFor, Optional.empty());
    }

    static Finding limited(String name, String found, String neededFor, String fix) {
        return new Finding(name, State.LIMITED, found, neededFor, Optional.of(fix));
    }

    static Finding optional(String name, String found, String neededFor, String fix) {
        return new Finding(name, State.OPTIONAL, found, neededFor, Optional.of(fix));
    }

    static Finding missing(String name, String found, String neededFor, String fix) {
        return new Finding(name, State.MISSING, found, neededFor, Optional.of(fix));
    }

    static Finding unknown(String name, String reason, String neededFor) {
        return new Finding(name, State.UNKNOWN, reason, neededFor, Optional.empty());
    }

    /** The same finding, with {@code command} in the fix replaced by {@code name}. */
    Finding fixedBy(String command, String name) {
        return new Finding(this.name, state, found, neededFor, fix.map(words -> words.replace(command, name)));
    }
}
