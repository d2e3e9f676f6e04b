package org.restorej.balance;

import org.restorej.placement.FailedRanks;

/**
 * Gives every PE work in proportion to its speed, where blocks may differ in cost, and moves nothing but the blocks of
 * the dead; blocks of the living move only when it is given new speeds or costs.
 *
 * <p>
 * Words: the <em>load</em> of a PE is the cost of its blocks, its <em>share</em> that part of the cost of all blocks
 * which its speed is of the speed of all who are alive, and a <em>block</em>, where it measures a load, the cost of the
 * most expensive one. These bounds hold, but for rounding errors in the last digits of a double:
 * <ul>
 * <li>At first every load is within a block of the share: PEs get consecutive blocks in order of their ranks.
 * <li>No load is ever more than a block above the share.
 * <li>The living keep what they have, some of it above their shares, so there is a level, the highest load per speed to
 * which what is distributed can fill up those below it. Every load is less than a block from this level times the
 * speed, or above. With blocks of equal costs, who gets any then has this many blocks, rounded up or down.
 * </ul>
 * No balancer that leaves the blocks of the living where they are comes nearer by more than a block: what some of them
 * have above their shares is what the level lacks to the shares of the others.
 *
 * <p>
 * Time {@code O(P log P)} and linear in runs of blocks and of costs, memory linear in all three. One thread.
 */
public final class WeightedLoadBalancer extends LoadBalancer {
    private BlockCosts costs;
    private PeSpeeds speeds;
    private BlockCosts nextCosts;
    private PeSpeeds nextSpeeds;

    /**
     * A balancer with everybody alive.
     *
     * @param costs what each block costs, the same on every PE
     * @param speeds how fast each PE is, the same on every PE
     */
    public WeightedLoadBalancer(BlockCosts costs, PeSpeeds speeds) {
        this(ContiguousLoadBalancer.inOrderOfRanks(costs, speeds, FailedRanks.NONE), costs, speeds);
    }

    /**
     * A balancer with everybody alive, who work on what they have whatever their shares: of the bounds above the last
     * one holds, and the others from when new speeds or costs are measured on.
     *
     * @param first who works on what to begin with, the same on every PE
     * @param costs what each block costs, the same on every PE
     * @param speeds how fast each PE is, the same on every PE
     * @throws IllegalArgumentException when there are not as many blocks and PEs in all of them
     */
    public WeightedLoadBalancer(Assignment first, BlockCosts costs, PeSpeeds speeds) {
        super(Weights.checkFit(first, "costs", costs, "speeds", speeds));
        this.costs = costs;
        this.speeds = speeds;
        nextCosts = costs;
        nextSpeeds = speeds;
    }

    @Override
    public Assignment rebalance(FailedRanks failedRanks) {
        nextCosts = costs;
        nextSpeeds = speeds;
        return super.rebalance(failedRanks);
    }

    /**
     * Proposes an assignment by new speeds or costs, which come into force with it; a later proposal without them is by
     * the old ones again.
     *
     * <p>
     * Who is above its new share gives its first blocks away, as many as leave it at or above the share, and gets none;
     * this and the blocks of the dead are all that moves. The bounds of the class hold for the new shares; with the
     * speeds and equal costs that are in force already, only the blocks of the dead move.
     *
     * @param failedRanks all ranks that have failed since the beginning
     * @param newCosts what each block costs now, the same on every PE
     * @param newSpeeds how fast each PE is now, the same on every PE
     * @throws IllegalArgumentException when a rank is unknown, none is left alive, or there are more or fewer blocks or
     *         PEs than before
     */
    public Assignment rebalance(FailedRanks failedRanks, BlockCosts newCosts, PeSpeeds newSpeeds) {
        Weights.checkFit(assignment(), "newCosts", newCosts, "newSpeeds", newSpeeds);
        nextCosts = newCosts;
        nextSpeeds = newSpeeds;
        return super.rebalance(failedRanks);
    }

    @Override
    protected Assignment propose(Assignment inForce, FailedRanks failedRanks) {
        Redistribution redistribution = new Redistribution(inForce, failedRanks, nextCosts, nextSpeeds);
        boolean measuredAnew = nextCosts != costs || nextSpeeds != speeds;
        return measuredAnew ? redistribution.ofTheDeadAndOverloaded() : redistribution.ofTheDead();
    }

    @Override
    public void commit() {
        super.commit();
        costs = nextCosts;
        speeds = nextSpeeds;
    }
}
