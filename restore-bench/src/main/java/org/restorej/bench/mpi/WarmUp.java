package org.restorej.bench.mpi;

import java.util.concurrent.TimeUnit;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;

/**
 * How often an operation is called before it is measured, so that the JVM has compiled it: so many times, and until the
 * compilers have had nothing to do for a quarter of the given time; but no longer than that time, once there were
 * {@value #MIN_CALLS} calls.
 *
 * <p>
 * PEs decide together after each call, outside of it; so all of them call as often.
 *
 * @param calls how often, where time allows
 * @param nanos the time; with 0 nothing is called
 */
record WarmUp(int calls, long nanos) {
    /** Ten leave most of a submit to the interpreter; from about 60 on its times don't get shorter any more. */
    private static final int CALLS = 60;
    private static final int MIN_CALLS = 5;
    private static final int FIRST = 5;
    private static final int DEFAULT_MILLIS = 2000;

    /** What the launcher says. */
    static WarmUp ofThisJob() {
        return new WarmUp(CALLS,
                TimeUnit.MILLISECONDS.toNanos(Integer.getInteger(RankMain.WARM_UP_PROPERTY, DEFAULT_MILLIS)));
    }

    /** Five times as much: compilers share the cores with the ranks, and one operation warms up others. */
    WarmUp ofTheFirst() {
        return new WarmUp(FIRST * calls, FIRST * nanos);
    }

    /**
     * Calls an operation. Collective.
     *
     * @return how often
     */
    int run(Communicator communicator, Runnable call) {
        long start = System.nanoTime();
        CompilerActivity compilers = new CompilerActivity(nanos / 4);
        int done = 0;
        while (anyWants(communicator, isTooShort(done, System.nanoTime() - start, compilers.isBusy()))) {
            call.run();
            done++;
        }
        return done;
    }

    boolean isTooShort(int done, long elapsedNanos, boolean compilersAreBusy) {
        if (nanos == 0) {
            return false;
        }
        return done < MIN_CALLS || (elapsedNanos < nanos && (done < calls || compilersAreBusy));
    }

    private static boolean anyWants(Communicator communicator, boolean wanted) {
        long[] wanting = {wanted ? 1 : 0};
        communicator.allReduce(wanting, Reduction.MAX);
        return wanting[0] > 0;
    }
}
