package org.restorej.risk;

/**
 * How likely further failures lose something, from who holds it now: those alive fail at random, all sets of the same
 * size being equally likely, and nothing is made anew in between. Those that fail are PEs, or whole failure domains.
 *
 * <p>
 * The holders of something, as long as nobody else has it, are a <em>copyset</em>. A
 * {@link org.restorej.StoreRisk} has one for the PEs of a store, and makes others for failure domains. One thread.
 */
public interface CopysetRisk {
    /** How many may fail: all PEs, or domains, that are alive, whether they hold something or not. */
    int alive();

    /** Number of different sets that must not fail as a whole, those that contain others excepted. */
    int copysets();

    /** The least number of failures that can lose something; 0 when there is nothing to lose. */
    int fewestFailuresUntilLoss();

    /**
     * Probability that something more is lost when this many have failed:
     * <ul>
     * <li>{@link Probability.Exact} while no more fail than the smallest copyset has, where copysets are disjoint, as
     * they are where K divides P and nothing has been made anew elsewhere, and where at most 20 are alive;
     * <li>{@link Probability.Between} or {@link Probability.Estimated} otherwise, whichever interval is shorter.
     * </ul>
     * Takes less than about a second; the same arguments give the same result.
     *
     * @param failures number of failures, from 0 to {@link #alive}
     * @throws IllegalArgumentException when there are not as many
     */
    Probability afterFailures(int failures);
}
