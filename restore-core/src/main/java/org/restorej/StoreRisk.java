package org.restorej;

import java.util.SortedSet;
import java.util.Collections;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import it.unimi.dsi.fastutil.ints.IntRBTreeSet;
import it.unimi.dsi.fastutil.ints.IntSortedSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.CodedLayout;
import org.restorej.internal.risk.LossRisk;
import org.restorej.placement.FailedRanks;
import org.restorej.placement.FailureDomains;
import org.restorej.placement.Placement;
import org.restorej.report.Probability;

/**
 * The probability that further failures lose data of a store.
 *
 * <p>
 * It describes the store at the call of {@link ReStore#risk}, with the failed PEs of the last {@link ReStore#recover}.
 * Replicas that {@link ReStore#replenish} has made since are counted, damaged ones are not.
 *
 * <p>
 * The model: f of the PEs that have not failed fail, all sets of f being equally likely, and nothing is replenished in
 * between. A {@link Probability} that a block is lost that is not yet lost is exact or an upper bound. Ranges with few
 * or no blocks count as others do. The result is the same on every PE. Not thread-safe.
 *
 * <p>
 * The unit that fails is a PE, or a whole failure domain ({@link #ofDomains}). The holders of the same blocks, or of
 * parts of the same rows, are a <em>group</em>.
 */
public final class StoreRisk {
    private final BlockDirectory directory;
    private final FailedRanks failedRanks;
    private final LossRisk risk;
    private final String unit;
    private final IntSortedSet rangesOneFailureFromLoss;
    private final BlockRanges blocksOneFailureFromLoss;

    private StoreRisk(BlockDirectory directory, FailedRanks failedRanks) {
        this.directory = directory;
        this.failedRanks = failedRanks;
        LossRisk.Builder groups = new LossRisk.Builder();
        List<BlockRange> blocks = new ArrayList<>();
        IntSortedSet ranges = new IntRBTreeSet();
        Placement placement = placement();
        for (int i = 0; i < placement.peCount(); i++) {
            int range = i;
            if (directory.layout() != null) {
                addRows(directory.layout(), range, IntUnaryOperator.identity(), groups);
                addAtRisk(directory.layout(), range, ranges, blocks);
                continue;
            }
            directory.forEachPiece(range, (first, end, holders, count) -> {
                groups.add(holders, count, count);
                if (count == 1) {
                    ranges.add(range);
                    blocks.addAll(directory.permutation().blocksAt(first, end));
                }
            });
        }
        rangesOneFailureFromLoss = ranges;
        blocksOneFailureFromLoss = BlockRanges.of(blocks);
        risk = groups.build(placement.peCount() - failedRanks.size());
        unit = "PE";
    }

    /** The same store with another unit of failure. */
    private StoreRisk(StoreRisk same, LossRisk risk) {
        directory = same.directory;
        failedRanks = same.failedRanks;
        rangesOneFailureFromLoss = same.rangesOneFailureFromLoss;
        blocksOneFailureFromLoss = same.blocksOneFailureFromLoss;
        this.risk = risk;
        unit = "failure domain";
    }

    static StoreRisk of(BlockDirectory directory, FailedRanks failedRanks) {
        return new StoreRisk(directory, failedRanks);
    }

    /** Adds the holders of coded rows, which are lost when fewer than k parts are left. */
    private void addRows(CodedLayout layout, int range, IntUnaryOperator unitOf, LossRisk.Builder groups) {
        int[] holders = new int[layout.parts()];
        directory.forEachRows(layout, range, (firstRow, endRow, holderOfPart, sound) -> {
            int count = 0;
            for (int part = 0; part < layout.parts(); part++) {
                // If a row is beyond repair, each data part is a group of its own, and parity is useless.
                if (holderOfPart[part] >= 0 && (sound >= layout.dataParts() || part < layout.dataParts())) {
                    holders[count++] = unitOf.applyAsInt(holderOfPart[part]);
                }
            }
            groups.add(holders, count, Math.max(1, sound - layout.dataParts() + 1));
        });
    }

    /** Adds the blocks that a single failure would lose. */
    private void addAtRisk(CodedLayout layout, int range, IntSortedSet ranges, List<BlockRange> blocks) {
        directory.forEachRows(layout, range, (firstRow, endRow, holderOfPart, sound) -> {
            for (int part = 0; part < layout.dataParts(); part++) {
                boolean lost = holderOfPart[part] == BlockDirectory.LOST && sound < layout.dataParts();
                if (!lost && BlockDirectory.failuresUntilLoss(layout, holderOfPart, sound) == 1
                        && layout.blocksIn(firstRow, endRow, part) > 0) {
                    ranges.add(range);
                    blocks.addAll(directory.permutation().blocksAt(layout.cell(firstRow, part),
                            layout.cellEnd(layout.cell(endRow - 1, part))));
                }
            }
        });
    }

    private Placement placement() {
        return directory.replicaMap().placement();
    }

    /** Number of PEs, or of failure domains, that have not failed, whether they hold data or not. */
    public int alive() {
        return risk.alive();
    }

    /** Number of different groups of holders. */
    public int groups() {
        return risk.groups();
    }

    /** The smallest number of failures that can lose data; 0 when there is nothing to lose. */
    public int fewestFailuresUntilLoss() {
        return risk.fewestFailuresUntilLoss();
    }

    /**
     * The same store's risk from failures of whole domains, such as nodes. Domains without survivors don't count. Takes
     * time {@code O(P K + K^2 f g)} for f failed PEs and g ring points, as {@link ReStore#risk} does.
     *
     * @param domains of the P store ranks; the store's own ones are {@code store.placement().domains()}
     */
    public StoreRisk ofDomains(FailureDomains domains) {
        domains.checkSamePes(placement());
        LossRisk.Builder groups = new LossRisk.Builder();
        int[] holderDomains = new int[placement().replication()];
        for (int range = 0; range < placement().peCount(); range++) {
            if (directory.layout() != null) {
                addRows(directory.layout(), range, domains::domainOf, groups);
                continue;
            }
            directory.forEachPiece(range, (first, end, holders, count) -> {
                for (int i = 0; i < count; i++) {
                    holderDomains[i] = domains.domainOf(holders[i]);
                }
                groups.add(holderDomains, count, count);
            });
        }
        IntOpenHashSet alive = new IntOpenHashSet();
        IntStream.range(0, domains.peCount()).filter(rank -> !failedRanks.contains(rank))
                .forEach(rank -> alive.add(domains.domainOf(rank)));
        return new StoreRisk(this, groups.build(alive.size()));
    }

    /**
     * Probability that at least one more block is lost after f further failures. It is exact if K divides P and nothing
     * has been re-replicated elsewhere, or if so few failures can lose only one group. Otherwise it is an upper bound:
     * the expected number of lost groups. Takes microseconds.
     *
     * @param failures number f of further failures, from 0 to {@link #alive}
     * @throws IllegalArgumentException when {@code failures} is out of range
     */
    public Probability afterFailures(int failures) {
        return risk.afterFailures(failures);
    }

    /**
     * The block ranges, as {@link Placement} numbers them, that have a block with a single sound replica, ascending; if
     * K is 1, all that are not lost.
     */
    public SortedSet<Integer> rangesOneFailureFromLoss() {
        return Collections.unmodifiableSortedSet(rangesOneFailureFromLoss);
    }

    /** The blocks with a single sound replica. */
    public BlockRanges blocksOneFailureFromLoss() {
        return blocksOneFailureFromLoss;
    }

    /** A line with the surviving PEs and the ranges at risk, and a line with the probability for each f up to K + 1. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(Locale.ROOT,
                        "%d of %d PEs alive; %d block ranges with %,d blocks one failure from loss%n",
                        placement().peCount() - failedRanks.size(), placement().peCount(),
                        rangesOneFailureFromLoss.size(),
                        blocksOneFailureFromLoss.blockCount()));
        addLines(text, directory.redundancy() + 1);
        if (unit.equals("PE") && !placement().domains().isEmpty()) {
            ofDomains(placement().domains().getLast()).addLines(text, directory.redundancy());
        }
        return text.toString();
    }

    private void addLines(StringBuilder text, int maxFailures) {
        for (int failures = 1; failures <= Math.min(maxFailures, alive()); failures++) {
            text.append(String.format(Locale.ROOT, "%d further %s%s: %s%n", failures, unit, failures == 1 ? "" : "s",
                    afterFailures(failures)));
        }
    }
}
