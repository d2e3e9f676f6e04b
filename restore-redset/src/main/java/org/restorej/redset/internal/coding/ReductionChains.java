package org.restorej.redset.internal.coding;

import org.restorej.redset.internal.coding.ReductionChain.MemberExtent;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;
import org.restorej.redset.Scheme;
import org.restorej.internal.erasure.GaloisMatrix;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.format.ChunkLayout;

/**
 * The chains of a set: one for each row of a coded set, one for each logical file that is copied. Pure; every member
 * computes the same.
 */
public final class ReductionChains {
    /** What there is to say of a set when what {@link #rebuildAndCompare} computes is not what members have. */
    public static final String DISAGREES = "redundancy and data disagree, and without checksums it can't be told which is wrong";

    private ReductionChains() {}

    /** What encoding a set takes: every data byte has one source, every redundancy byte one target. */
    public static List<ReductionChain> encode(SetDescription set) {
        if (set.scheme() instanceof Scheme.Coded coded) {
            GaloisMatrix parity = RowPlan.parity(coded, set.ranks());
            // The member that stores the first checksum of a row.
            return rows(set, coded, row -> RowPlan.encode(coded, set.ranks(), parity, row), RowPlan::row);
        }
        List<ReductionChain> chains = new ArrayList<>();
        for (int rank = 0; rank < set.ranks(); rank++) {
            List<ReductionChain.Member> holders = new ArrayList<>();
            for (int distance = 1; distance <= set.scheme().neighbours(); distance++) {
                int holder = (rank + distance) % set.ranks();
                holders.add(new ReductionChain.Member(holder, MemberExtent.ofCopy(set, holder, distance)));
            }
            // Also without holders: the source reads its files for their checksums.
            chains.add(copy(set, rank, new ReductionChain.Member(rank, MemberExtent.inFiles(0)), holders));
        }
        return chains;
    }

    /** What rebuilding everything of the missing members takes, which the scheme must be able to. */
    public static List<ReductionChain> rebuild(SetDescription set, BitSet missing) {
        return compute(set, missing, missing);
    }

    /**
     * As {@link #rebuild}; members that are there get what the redundancy that this leaves over tells of their bytes,
     * too, to compare it. Where no checksums tell whether contents are right and it differs, nothing tells who is
     * wrong, and nothing may be rebuilt.
     */
    public static List<ReductionChain> rebuildAndCompare(SetDescription set, BitSet missing) {
        return compute(set, missing, computedRanks(set, missing));
    }

    /** Of {@link #rebuildAndCompare} what is compared alone. */
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
     * The missing ranks, and those whose bytes the redundancy left over tells of, too. In a coded set as many others as
     * could be missing: the remaining ranks determine the content of all of these. With PARTNER all that have copies of
     * the same files.
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

    /** What bringing to ranks what the others have or know of them takes; all missing ranks are among them. */
    private static List<ReductionChain> compute(SetDescription set, BitSet missing, BitSet computed) {
        if (computed.isEmpty()) {
            return List.of();
        }
        if (set.scheme() instanceof Scheme.Coded coded) {
            GaloisMatrix parity = RowPlan.parity(coded, set.ranks());
            // Sources in turn: a lost member that computed all would get as many bytes as the others have together.
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
            // A rank has one copy at most. Not by equals, for which the JVM would generate code in a first recovery.
            targets.removeIf(target -> target.rank() == source.rank());
            if (!targets.isEmpty()) {
                chains.add(copy(set, rank, source, targets));
            }
        }
        return chains;
    }

    /** The copies of a rank's files that some ranks have: its own files, and the payload of its neighbours. */
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

    /** Who computes a row, so that all members have about as many rows to compute. */
    @FunctionalInterface
    private interface Reducers {
        int of(RowPlan plan);
    }

    private static List<ReductionChain> rows(SetDescription set, Scheme.Coded coded, IntFunction<RowPlan> plans,
            Reducers reducers) {
        ChunkLayout layout = ChunkLayout.of(coded, set.ranks());
        List<ReductionChain> chains = new ArrayList<>();
        for (int row = 0; row < set.ranks(); row++) {
            RowPlan plan = plans.apply(row);
            chains.add(new ReductionChain(row, set.chunkBytes(), cells(set, layout, row, plan.sourceRanks()),
                    cells(set, layout, row, plan.targetRanks()), reducers.of(plan), plan.matrix()));
        }
        return chains;
    }

    private static List<ReductionChain.Member> cells(SetDescription set, ChunkLayout layout, int row, int[] ranks) {
        List<ReductionChain.Member> cells = new ArrayList<>();
        for (int rank : ranks) {
            cells.add(new ReductionChain.Member(rank, MemberExtent.ofCell(set, layout, row, rank)));
        }
        return cells;
    }
}
