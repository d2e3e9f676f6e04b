package org.restorej.cli.risk;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.objects.ObjectOpenCustomHashSet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.restorej.placement.FailureDomains;
import org.restorej.placement.Placement;
import org.restorej.report.Probability;

/**
 * The probability that the failure of whole domains, nodes or racks, loses a block range, without replenishment.
 *
 * <p>
 * A set of domains that together have all replicas of a range is a <em>copyset</em>. There is an exact answer
 * <ul>
 * <li>in the regular layout, m consecutive ranks in each domain (or m neighbours in the placement's own order), where m
 * divides the shift {@code floor(P / K)}: whole domains then hold the ranges as PEs do, so it is that of
 * {@link LossProbability} for {@code P / m} PEs;
 * <li>where the different copysets have no domain in common and are of the same size, by the formula for disjoint
 * groups;
 * <li>while no more domains fail than the smallest copyset has, since then only one copyset can be lost at a time.
 * </ul>
 * Otherwise the answer is an upper bound, the expected number of lost copysets; {@link LossSimulator} estimates how
 * much less it is.
 *
 * <p>
 * Takes every range to have blocks. Immutable; to make one takes time {@code O(P K^2)} and, where the layout is not
 * regular, memory {@code O(K)} for each copyset.
 */
public final class DomainLossProbability {
    private final int domainCount;
    /** Number of different copysets of each size. */
    private final int[] copysetsBySize;
    private final int smallest;
    private final @Nullable CyclicRuns disjoint;
    private final @Nullable LossProbability regular;

    /**
     * The risk of a placement in a layout.
     *
     * @param placement who holds what
     * @param domains what fails together; of the same PEs
     */
    public DomainLossProbability(Placement placement, FailureDomains domains) {
        domains.checkSamePes(placement);
        domainCount = domains.domainCount();
        int together = domains.neighboursIn(placement);
        copysetsBySize = new int[placement.replication() + 1];
        if (together > 0 && placement.shift() % together == 0) {
            regular = new LossProbability(domainCount, placement.replication());
            smallest = placement.replication();
            disjoint = null;
            return;
        }
        regular = null;
        ObjectOpenCustomHashSet<int[]> copysets = copysets(placement, domains);
        IntOpenHashSet used = new IntOpenHashSet();
        int total = 0;
        for (int[] copyset : copysets) {
            copysetsBySize[copyset.length]++;
            used.addAll(IntArrayList.wrap(copyset));
            total += copyset.length;
        }
        int size = 1;
        while (copysetsBySize[size] == 0) {
            size++;
        }
        smallest = size;
        boolean alike = copysetsBySize[size] == copysets.size();
        disjoint = alike && total == used.size() ? new CyclicRuns(domainCount, copysets.size(), size, size) : null;
    }

    private static ObjectOpenCustomHashSet<int[]> copysets(Placement placement, FailureDomains domains) {
        ObjectOpenCustomHashSet<int[]> copysets = new ObjectOpenCustomHashSet<>(IntArrays.HASH_STRATEGY);
        int[] before = {};
        for (int range = 0; range < placement.peCount(); range++) {
            int[] copyset = domains.domainsOf(placement, range);
            // Neighbouring ranges mostly have the same one.
            if (!Arrays.equals(copyset, before)) {
                copysets.add(copyset);
                before = copyset;
            }
        }
        return copysets;
    }

    /**
     * Probability that something is lost when this many random domains have failed, at once or one after the other.
     *
     * @param failures number of failed domains, from 0 to all of them
     */
    public Probability afterFailures(int failures) {
        if (failures < 0 || failures > domainCount) {
            throw new IllegalArgumentException(
                    "the number of failures must be in 0.." + domainCount + ": it is " + failures);
        }
        if (regular != null) {
            return new Probability.Exact(regular.afterFailures(failures));
        }
        if (disjoint != null) {
            return new Probability.Exact(disjoint.probability(failures));
        }
        double expected = Math.min(1, expectedLostCopysets(failures));
        return failures <= smallest ? new Probability.Exact(expected) : new Probability.Between(0, expected);
    }

    private double expectedLostCopysets(int failures) {
        double expected = 0;
        double allOfThem = 1;
        for (int size = 1; size < copysetsBySize.length && size <= failures; size++) {
            allOfThem *= (failures - size + 1.0) / (domainCount - size + 1.0);
            expected += copysetsBySize[size] * allOfThem;
        }
        return expected;
    }
}
