package org.restorej.risk;

import org.restorej.internal.placement.FailedRanks;
import org.restorej.internal.placement.Placement;

/**
 * The exact risk of further deaths after some, before anything was made anew, whether K divides P or not.
 *
 * <p>
 * Stepping by the shift leads around cycles of PEs, and the holders of a range are K neighbours on one of them
 * ({@link LossProbability}). Those that have lost their replicas are gone; of the others f random ones die. Whether the
 * next one on a cycle is among them is decided one by one, with the chance that hypergeometric sampling gives it; all
 * that matters of the past are how many have died, how long the run of gone or dead ones is, and how long the one is
 * that the cycle began with. Only positive numbers are added, those of the cases in which a range is lost among them,
 * so the result is right to some 12 digits however small it is. A range whose holders are all gone already can't be
 * lost again. Time {@code O(P f K^2)}. Immutable.
 */
final class WindowWalk {
    /** About a second. */
    private static final double MOST_STEPS = 3e8;

    private final Placement placement;
    private final FailedRanks gone;
    private final int population;

    /**
     * Walks of a placement.
     *
     * @param placement who holds what; every range has blocks
     * @param gone who has lost its replicas
     * @param dead those of them that nobody has taken the place of
     */
    WindowWalk(Placement placement, FailedRanks gone, FailedRanks dead) {
        this.placement = placement;
        this.gone = gone;
        population = placement.peCount() - dead.size();
    }

    /** Whether the time is worth it. */
    boolean isShort(int deaths) {
        double replication = placement.replication();
        return placement.peCount() * (double) deaths * replication * replication <= MOST_STEPS;
    }

    boolean isBeforeAnyLoss() {
        return gone.isEmpty();
    }

    /** Probability that so many deaths, the first ones, lose something; some milliseconds. */
    double probabilityBeforeAnyLoss(int deaths) {
        return new LossProbability(placement.peCount(), placement.replication()).afterFailures(deaths);
    }

    /** Probability that so many further deaths lose something. */
    double probability(int deaths) {
        int cycles = LossProbability.cycles(placement);
        Chances chances = new Chances(deaths, population, placement.replication());
        for (int cycle = 0; cycle < cycles; cycle++) {
            walk(cycle, placement.peCount() / cycles, chances);
        }
        return Math.min(1, chances.lost());
    }

    /** Begins behind a PE that may die, so that no range across the end is lost already. */
    private void walk(int cycle, int length, Chances chances) {
        int end = length - 1;
        while (end >= 0 && isGone(cycle, end)) {
            end--;
        }
        if (end < 0) {
            return;
        }
        int goneRun = 0;
        for (int step = 1; step <= length; step++) {
            if (isGone(cycle, (end + step) % length)) {
                goneRun++;
                chances.addGone(goneRun >= placement.replication());
            } else {
                goneRun = 0;
                chances.addAlive();
            }
        }
        chances.closeCycle();
    }

    private boolean isGone(int cycle, int step) {
        int seat = (int) ((cycle + (long) step * placement.shift()) % placement.peCount());
        return gone.contains(placement.rankAtSeat(seat));
    }

    /** Probabilities of all cases in which nothing is lost so far, by number of deaths. One thread. */
    private static final class Chances {
        private final int deaths;
        private final int population;
        private final int window;
        /** By deaths: nothing on the cycle has been alive yet; at index r so many were gone or have died. */
        private final double[][] open;
        /** By deaths: at index {@code b * window + r} the cycle began with b gone or dead, and the last r are. */
        private final double[][] closed;
        private int asked;
        private double lost;

        Chances(int deaths, int population, int window) {
            this.deaths = deaths;
            this.population = population;
            this.window = window;
            open = new double[deaths + 1][window];
            closed = new double[deaths + 1][window * window];
            open[0][0] = 1;
        }

        double lost() {
            return lost;
        }

        /** A PE that has nothing: every run becomes longer. */
        void addGone(boolean wholeWindowGone) {
            for (int dead = 0; dead <= Math.min(deaths, asked); dead++) {
                lengthen(open[dead], 0, wholeWindowGone);
                for (int begin = 0; begin < window; begin++) {
                    lengthen(closed[dead], begin * window, wholeWindowGone);
                }
            }
        }

        private void lengthen(double[] runs, int first, boolean wholeWindowGone) {
            double longest = runs[first + window - 1];
            System.arraycopy(runs, first, runs, first + 1, window - 1);
            runs[first] = 0;
            if (wholeWindowGone) {
                runs[first + window - 1] += longest;
            } else {
                lost += longest;
            }
        }

        /** A PE that dies or doesn't. From many deaths to few, so that nothing is moved twice. */
        void addAlive() {
            for (int dead = Math.min(deaths, asked); dead >= 0; dead--) {
                double dies = (double) (deaths - dead) / (population - asked);
                double lives = 1 - dies;
                for (int begin = 0; begin < window; begin++) {
                    double alive = lives * open[dead][begin];
                    for (int run = 0; run < window; run++) {
                        double chance = closed[dead][begin * window + run];
                        closed[dead][begin * window + run] = 0;
                        alive += lives * chance;
                        die(closed, dead, begin * window + run, run, dies * chance);
                    }
                    closed[dead][begin * window] = alive;
                }
                for (int run = 0; run < window; run++) {
                    double chance = open[dead][run];
                    open[dead][run] = 0;
                    die(open, dead, run, run, dies * chance);
                }
            }
            asked++;
        }

        private void die(double[][] runs, int dead, int index, int run, double chance) {
            if (run + 1 == window) {
                lost += chance;
            } else if (dead < deaths) {
                runs[dead + 1][index + 1] += chance;
            }
        }

        /** The run at the end goes on at the beginning. */
        void closeCycle() {
            for (int dead = 0; dead <= Math.min(deaths, asked); dead++) {
                double kept = 0;
                for (int begin = 0; begin < window; begin++) {
                    for (int run = 0; run < window; run++) {
                        if (begin + run < window) {
                            kept += closed[dead][begin * window + run];
                        } else {
                            lost += closed[dead][begin * window + run];
                        }
                        closed[dead][begin * window + run] = 0;
                    }
                }
                open[dead][0] = kept;
            }
        }
    }
}
