package org.restorej.cli.doctor;

import java.util.Locale;
import java.util.Optional;

/**
 * What was found out about one thing.
 *
 * @param name of the thing
 * @param state whether it works
 * @param found what is there, or why it can't be used
 * @param neededFor what doesn't work, or not as fast, without it
 * @param fix the command that makes it work; nothing when it does, or no command can
 */
record Finding(String name, State state, String found, String neededFor, Optional<String> fix) {
    /** How well it works. */
    enum State {
        /** As it should. */
        OK,
        /** It does, but something is less than it could be. */
        LIMITED,
        /** It isn't there, and few need it. */
        OPTIONAL,
        /** It doesn't. */
        MISSING,
        /** Nobody could tell. */
        UNKNOWN;

        /** As it is written in reports. */
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

    /** The same, where the command has another name. */
    Finding fixedBy(String command, String name) {
        return new Finding(this.name, state, found, neededFor, fix.map(words -> words.replace(command, name)));
    }
}
