package org.restorej.comm.local;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs one PE at a time. At every communication call the next PE is chosen from a seed, so the same seed gives the same
 * run. PEs have random speeds, so that there are stragglers. PEs that poll without success are mostly skipped, since
 * otherwise nearly all steps of a run would be polls.
 *
 * <p>
 * PEs are virtual threads: a switch takes 0.2 to 0.5 microseconds, between platform threads 1.7 (8 PEs, 2 cores). All
 * state is used only by the PE whose turn it is.
 */
final class SingleStepping implements Scheduler {
    /** On average one step in this many may go to an idle PE, so that it notices changes that are not events. */
    private static final int STEPS_PER_IDLE_STEP = 16;

    /**
     * After this many steps for each PE without any change, all PEs wait for each other; a notice takes at most 64
     * steps.
     */
    private static final int STEPS_PER_PE_BEFORE_STUCK = 5_000;

    private static final int[] SPEEDS = {1, 4, 8, 8, 8};

    private final ClusterRun run;
    private final SplittableRandom random;
    private final List<Pe> active = new ArrayList<>();
    private final int[] speeds;
    private long stepsSinceChange;

    SingleStepping(ClusterRun run, int size, long seed) {
        this.run = run;
        random = new SplittableRandom(seed);
        speeds = random.ints(size, 0, SPEEDS.length).map(index -> SPEEDS[index]).toArray();
    }

    @Override
    public Thread newThread(Pe pe, Runnable program) {
        active.add(pe);
        return Thread.ofVirtual().name("pe-" + pe.originalRank()).unstarted(program);
    }

    @Override
    public void begin() {
        grant(choose());
    }

    @Override
    public void started(Pe pe) {
        awaitTurn(pe);
    }

    @Override
    public void step(Pe pe) {
        run.checkNotAborted();
        if (++stepsSinceChange > (long) STEPS_PER_PE_BEFORE_STUCK * active.size()) {
            run.abort("all PEs wait for each other: nothing has changed in " + stepsSinceChange + " steps");
            run.checkNotAborted();
        }
        Pe next = choose();
        if (next != pe) {
            grant(next);
            awaitTurn(pe);
        }
    }

    @Override
    public void signalled(Pe pe) {
        pe.turn().pollsInVain = 0;
        stepsSinceChange = 0;
    }

    @Override
    public void changed() {
        stepsSinceChange = 0;
    }

    @Override
    public void finished(Pe pe) {
        active.remove(pe);
        stepsSinceChange = 0;
        if (!active.isEmpty()) {
            grant(choose());
        }
    }

    /** Chooses a PE by weight: among those that are not idle, or sometimes, and if all are idle, among all. */
    private Pe choose() {
        boolean idleToo = random.nextInt(STEPS_PER_IDLE_STEP) == 0;
        int weight = weight(idleToo);
        if (weight == 0) {
            idleToo = true;
            weight = weight(true);
        }
        int ticket = random.nextInt(weight);
        for (Pe pe : active) {
            ticket -= weightOf(pe, idleToo);
            if (ticket < 0) {
                return pe;
            }
        }
        throw new IllegalStateException("the weights of " + active.size() + " PEs do not add up to " + weight);
    }

    private int weight(boolean idleToo) {
        int weight = 0;
        for (Pe pe : active) {
            weight += weightOf(pe, idleToo);
        }
        return weight;
    }

    private int weightOf(Pe pe, boolean idleToo) {
        return idleToo || !pe.turn().isIdle() ? speeds[pe.originalRank().value()] : 0;
    }

    private static void grant(Pe pe) {
        pe.turn().granted = true;
        LockSupport.unpark(pe.turn().thread);
    }

    private void awaitTurn(Pe pe) {
        Scheduler.Turn turn = pe.turn();
        turn.thread = Thread.currentThread();
        boolean interrupted = false;
        try {
            while (!turn.granted) {
                run.checkNotAborted();
                LockSupport.park(this);
                // Otherwise it would not park again, and occupy the carrier of the PE whose turn it is.
                interrupted |= Thread.interrupted();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        turn.granted = false;
    }
}
