package org.restorej.redset.internal.coding;

import org.restorej.redset.internal.coding.ReductionChain.MemberExtent;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import org.restorej.redset.Scheme;
import org.restorej.internal.erasure.GaloisMatrix;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.format.ChunkLayout;

/**
 * The chains of a set: one for each row of a coded set, one for each copied logical file. Every member computes the
 * same chains without messages.
 */
public final class ReductionChains {
    /** Message if the results of {@link #rebuildAndCompare} differ from the members' bytes. */
    public static final String DISAGREES = "redundancy and data disagree, and without checksums it can't be told which is wrong";

    private ReductionChains() {}

    /** The chains that encode a set. Every data byte has one source, every redundancy byte one target. */
    public static List<ReductionChain> encode(SetDescription set) {
        if (set.scheme() instanceof Scheme.Coded coded) {
            GaloisMatrix parity = RowPlan.parity(coded, set.ranks());
            // The reducer is the member that stores the first checksum of a row.
            return rows(set, coded, row -> RowPlan.encode(coded, set.ranks(), parity, row), RowPlan::row);
        }
        List<ReductionChain> chains = new ArrayList<>();
        for (int rank = 0; rank < set.ranks(); rank++) {
            List<ReductionChain.Member> holders = new ArrayList<>();
            for (int distance = 1; distance <= set.scheme().neighbours(); distance++) {
                int holder = (rank + distance) % set.ranks();
                holders.add(new ReductionChain.Member(holder, MemberExtent.ofCopy(set, holder, distance)));
            }
            // Also without holders: the source reads its files to compute their checksums.
            chains.add(copy(set, rank, new ReductionChain.Member(rank, MemberExtent.inFiles(0)), holders));
        }
        return chains;
    }

    /** The chains that rebuild the missing members. The scheme must be able to rebuild them. */
    public static List<ReductionChain> rebuild(SetDescription set, BitSet missing) {
        return compute(set, missing, missing);
    }

    /**
     * As {@link #rebuild}, but uses remaining redundancy to recompute bytes of members that are not missing, for
     * comparison. If they differ and there are no checksums, it is unknown which bytes are wrong, and nothing may be
     * rebuilt.
     */
    public static List<ReductionChain> rebuildAndCompare(SetDescription set, BitSet missing) {
        return compute(set, missing, computedRanks(set, missing));
    }

    /** Only the comparisons of {@link #rebuildAndCompare}. */
    public static List<ReductionChain> compare(SetDescription set, BitSet missing) {
        List<ReductionChain> compared = new ArrayList<>();
        for (ReductionChain chain : rebuildAndCompare(set, missing)) {
            if (chain.targets().stream().anyMatch(target -> !missing.get(target.rank()))) {
                compared.add(chain.withTargets(target -> !missing.get(target.rank())));
            }
        }
        return compared;
    }

    /**
     * The missing ranks, and ranks whose bytes the remaining redundancy can recompute. In a coded set, these are as
     * many others as could be missing, since the remaining ranks determine the content of all of them. With PARTNER,
     * all ranks with copies of the same files.
     */
    private static BitSet computedRanks(SetDescription set, BitSet missing) {
        BitSet computed = (BitSet) missing.clone();
        if (set.scheme() instanceof Scheme.Coded coded) {
            while (computed.cardinality() < Math.min(coded.checksums(), set.ranks())) {
                computed.set(computed.nextClearBit(0));
            }
        } else if (set.scheme() instanceof Scheme.Partner) {
            computed.set(0, set.ranks());
        }
        return computed;
    }

    /**
     * The chains that give ranks the bytes that others have or can compute. All missing ranks are among these ranks.
     */
    private static List<ReductionChain> compute(SetDescription set, BitSet missing, BitSet computed) {
        if (computed.isEmpty()) {
            return List.of();
        }
        if (set.scheme() instanceof Scheme.Coded coded) {
            GaloisMatrix parity = RowPlan.parity(coded, set.ranks());
            // Sources in turn: if a lost member computed all rows, it would receive as many bytes as all others
            // have.
            return rows(set, coded, row -> RowPlan.rebuild(coded, set.ranks(), parity, row, computed),
                    plan -> plan.sourceRanks()[plan.row() % plan.sourceRanks().length]);
        }
        if (!(set.scheme() instanceof Scheme.Partner partner)) {
            throw new IllegalArgumentException(set.scheme() + " can't rebuild ranks " + missing);
        }
        List<ReductionChain> chains = new ArrayList<>();
        for (int rank = 0; rank < set.ranks(); rank++) {
            ReductionChain.Member source = source(set, partner, rank, missing);
            List<ReductionChain.Member> targets = copies(set, partner, rank, computed);
            // A rank has at most one copy. Not by equals, for which the JVM would generate code in a first recovery.
            targets.removeIf(target -> target.rank() == source.rank());
            if (!targets.isEmpty()) {
                chains.add(copy(set, rank, source, targets));
            }
        }
        return chains;
    }

    /** The copies of a rank's files on some ranks: its own files, and the payload of its neighbours. */
    private static List<ReductionChain.Member> copies(SetDescription set, Scheme.Partner partner, int rank,
            BitSet holders) {
        List<ReductionChain.Member> copies = new ArrayList<>();
        if (holders.get(rank)) {
            copies.add(new ReductionChain.Member(rank, MemberExtent.inFiles(0)));
        }
        for (int distance = 1; distance <= partner.replicas(); distance++) {
            int holder = (rank + distance) % set.ranks();
            if (holders.get(holder)) {
                copies.add(new ReductionChain.Member(holder, MemberExtent.ofCopy(set, holder, distance)));
            }
        }
        return copies;
    }

    private static ReductionChain.Member source(SetDescription set, Scheme.Partner partner, int rank, BitSet missing) {
        if (!missing.get(rank)) {
            return new ReductionChain.Member(rank, MemberExtent.inFiles(0));
        }
        int holder = partner.holderOf(rank, missing, set.ranks());
        if (holder < 0) {
            throw new IllegalArgumentException(partner + " can't rebuild ranks " + missing + " of " + set.ranks());
        }
        return new ReductionChain.Member(holder,
                MemberExtent.ofCopy(set, holder, Math.floorMod(holder - rank, set.ranks())));
    }

    private static ReductionChain copy(SetDescription set, int rank, ReductionChain.Member source,
            List<ReductionChain.Member> targets) {
        return new ReductionChain(rank, set.member(rank).totalBytes(), List.of(source), targets,
                source.rank(), null);
    }

    /**
     * The chains of all rows.
     *
     * @param reducers chooses the reducer of a row, so that all members compute about equally many rows
     */
    private static List<ReductionChain> rows(SetDescription set, Scheme.Coded coded, IntFunction<RowPlan> plans,
            ToIntFunction<RowPlan> reducers) {
        ChunkLayout layout = ChunkLayout.of(coded, set.ranks());
        long chunkBytes = set.chunkBytes();
        List<ReductionChain> chains = new ArrayList<>();
        for (int row = 0; row < set.ranks(); row++) {
            RowPlan plan = plans.apply(row);
            chains.add(new ReductionChain(row, chunkBytes, cells(chunkBytes, layout, row, plan.sourceRanks()),
                    cells(chunkBytes, layout, row, plan.targetRanks()), reducers.applyAsInt(plan), plan.matrix()));
        }
        return chains;
    }

    private static List<ReductionChain.Member> cells(long chunkBytes, ChunkLayout layout, int row, int[] ranks) {
        List<ReductionChain.Member> cells = new ArrayList<>();
        for (int rank : ranks) {
            cells.add(new ReductionChain.Member(rank, MemberExtent.ofCell(chunkBytes, layout, row, rank)));
        }
        return cells;
    }
}
