package org.restorej.comm.collective;

import java.util.function.LongFunction;
import org.restorej.comm.Collective.KnownToAll;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;

/** Arguments differ between PEs. Thrown on all PEs, which have all compared them, so no PE waits. */
final class ArgumentsDifferException extends IllegalArgumentException implements KnownToAll {
    private static final long serialVersionUID = 1L;

    ArgumentsDifferException(String message) {
        super(message);
    }

    /**
     * A number that must be the same on all PEs.
     *
     * @param argument name of the argument that it describes
     * @param number at least -1
     * @param description the number as text, for messages
     */
    record Compared(String argument, long number, LongFunction<String> description) {
        /** The type of an array, as a number. */
        static Compared type(String argument, int type) {
            return new Compared("the type of " + argument, type, number -> PrimitiveArrays.describe((int) number));
        }

        static Compared root(int root) {
            return new Compared("root", root, number -> "root=" + number);
        }
    }

    /**
     * Compares numbers by one reduction. It returns when all PEs have called it, so no PE is in an earlier operation
     * any more.
     */
    static void requireSame(Communicator communicator, Compared... all) {
        long[] extremes = new long[2 * all.length];
        for (int i = 0; i < all.length; i++) {
            extremes[2 * i] = all[i].number();
            extremes[2 * i + 1] = -all[i].number();
        }
        communicator.allReduce(extremes, Reduction.MAX);
        for (int i = 0; i < all.length; i++) {
            long max = extremes[2 * i];
            long min = -extremes[2 * i + 1];
            if (min != max) {
                throw new ArgumentsDifferException(all[i].argument() + " must be the same on all PEs: "
                        + all[i].description().apply(min) + " on one, " + all[i].description().apply(max)
                        + " on another");
            }
        }
    }
}
