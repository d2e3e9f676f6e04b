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
 * What further failures would do to a store.
 *
 * <p>
 * It describes the store as it was when {@link ReStore#risk} was called. Failed are the PEs that the last
 * {@link ReStore#recover} knew of. Replicas that {@link ReStore#replenish} has made since count; damaged ones don't.
 *
 * <p>
 * The question is always the same: f of the PEs alive fail, all sets of f being equally likely, and nothing is
 * replenished in between. How likely is a block lost that is not lost yet? A {@link Probability} is the answer: it is
 * exact, or an upper bound. Ranges that have no blocks, or hardly any, count as others do. The same on every PE. Not
 * thread-safe.
 *
 * <p>
 * Those that fail are PEs, or whole failure domains ({@link #ofDomains}). All who hold the same blocks, or parts of the
 * same rows, are a <em>group</em>.
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

    /** The same store, of which something else fails. */
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
                // Beyond repair each part of data is by itself, and parity is of no use.
                if (holderOfPart[part] >= 0 && (sound >= layout.dataParts() || part < layout.dataParts())) {
                    holders[count++] = unitOf.applyAsInt(holderOfPart[part]);
                }
            }
            groups.add(holders, count, Math.max(1, sound - layout.dataParts() + 1));
        });
    }

    /** Adds what a single failure would lose. */
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

    /** How many may fail: all PEs, or domains, that are alive, whether they hold something or not. */
    public int alive() {
        return risk.alive();
    }

    /** Number of different groups of holders. */
    public int groups() {
        return risk.groups();
    }

    /** The least number of failures that can lose something; 0 when there is nothing to lose. */
    public int fewestFailuresUntilLoss() {
        return risk.fewestFailuresUntilLoss();
    }

    /**
     * The same store's risk from failures of whole domains, such as nodes. Domains in which nobody is alive don't
     * count. Takes time {@code O(P K + K^2 f g)} for f failed PEs and g ring points, as {@link ReStore#risk} does.
     *
     * @param domains of the P store ranks; those that the placement knows are
     *        {@code store.placement().domains()}
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
     * Probability that at least one more block is lost when some of those alive have failed: exact where K divides P
     * and nothing has been re-replicated elsewhere, and where only one group can be lost by so few failures; otherwise
     * an upper bound, the expected number of lost groups. Takes microseconds.
     *
     * @param failures number f of further failures, from 0 to {@link #alive}
     * @throws IllegalArgumentException when there are not as many
     */
    public Probability afterFailures(int failures) {
        return risk.afterFailures(failures);
    }

    /**
     * The block ranges, as {@link Placement} numbers them, that have a block with a single sound replica, ascending;
     * where K is 1, all that are not lost.
     */
    public SortedSet<Integer> rangesOneFailureFromLoss() {
        return Collections.unmodifiableSortedSet(rangesOneFailureFromLoss);
    }

    /** The blocks with a single sound replica. */
    public BlockRanges blocksOneFailureFromLoss() {
        return blocksOneFailureFromLoss;
    }

    /**
     * How many PEs are alive, what one further failure would lose, and the probabilities, a line for each f up to K +
     * 1.
     */
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
