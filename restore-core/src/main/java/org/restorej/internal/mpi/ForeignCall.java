package org.restorej.internal.mpi;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.restorej.internal.foreign.CFunctions;

/** Calls functions of C whose arguments are all integers or addresses ({@link CFunctions}). Any thread. */
public final class ForeignCall {
    private static final MethodHandle CALL = CFunctions.handle();

    private ForeignCall() {}

    /** A function with up to eight arguments. */
    public static int call(MemorySegment function, long a, long b, long c, long d, long e, long f, long g, long h) {
        try {
            return (int) (long) CALL.invokeExact(function, a, b, c, d, e, f, g, h);
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable impossible) {
            throw new IllegalStateException("a foreign function can't throw an exception", impossible);
        }
    }

    /** A function with up to five arguments. */
    public static int call(MemorySegment function, long a, long b, long c, long d, long e) {
        return call(function, a, b, c, d, e, 0, 0, 0);
    }

    /** A function with up to three arguments. */
    public static int call(MemorySegment function, long a, long b, long c) {
        return call(function, a, b, c, 0, 0, 0, 0, 0);
    }

    /** A function with up to two arguments. */
    public static int call(MemorySegment function, long a, long b) {
        return call(function, a, b, 0, 0, 0, 0, 0, 0);
    }

    /** A function with one argument, or none. */
    public static int call(MemorySegment function, long a) {
        return call(function, a, 0, 0, 0, 0, 0, 0, 0);
    }
}
