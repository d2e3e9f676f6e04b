package org.restorej.redset.internal.protocol;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.coding.Place;
import org.restorej.redset.internal.erasure.GaloisMatrix;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.scheme.CodedLayout;
import org.restorej.redset.internal.scheme.RowPlan;

/**
 * The strands of a set: a row of a coded set is one, and so is the logical file of a member that is copied. Pure; every
 * member computes the same.
 */
public final class Strands {
    private Strands() {}

    /** What encoding a set takes: every data byte has one source, every redundancy byte one target. */
    public static List<Strand> encode(SetDescription set) {
        if (set.scheme() instanceof Scheme.Coded coded) {
            GaloisMatrix parity = RowPlan.parity(coded, set.ranks());
            return rows(set, coded, row -> RowPlan.encode(coded, set.ranks(), parity, row));
        }
        List<Strand> strands = new ArrayList<>();
        for (int rank = 0; rank < set.ranks(); rank++) {
            List<Station> holders = new ArrayList<>();
            for (int distance = 1; distance <= set.scheme().neighbours(); distance++) {
                int holder = (rank + distance) % set.ranks();
                holders.add(new Station(holder, Place.ofCopy(set, holder, distance)));
            }
            // Without holders, too: the source reads its files for their checksums.
            strands.add(copy(set, rank, new Station(rank, Place.inFiles(0)), holders));
        }
        return strands;
    }

    /** What rebuilding everything of the missing members takes, which the scheme must be able to. */
    public static List<Strand> rebuild(SetDescription set, BitSet missing) {
        if (missing.isEmpty()) {
            return List.of();
        }
        if (set.scheme() instanceof Scheme.Coded coded) {
            GaloisMatrix parity = RowPlan.parity(coded, set.ranks());
            return rows(set, coded, row -> RowPlan.rebuild(coded, set.ranks(), parity, row, missing));
        }
        if (!(set.scheme() instanceof Scheme.Partner partner)) {
            throw new IllegalArgumentException(set.scheme() + " can't rebuild ranks " + missing);
        }
        List<Strand> strands = new ArrayList<>();
        for (int rank = 0; rank < set.ranks(); rank++) {
            List<Station> targets = lostCopies(set, partner, rank, missing);
            if (!targets.isEmpty()) {
                strands.add(copy(set, rank, source(set, partner, rank, missing), targets));
            }
        }
        return strands;
    }

    /** Where the files of a rank are missing: in its own place, and in the payload of missing neighbours. */
    private static List<Station> lostCopies(SetDescription set, Scheme.Partner partner, int rank, BitSet missing) {
        List<Station> lost = new ArrayList<>();
        if (missing.get(rank)) {
            lost.add(new Station(rank, Place.inFiles(0)));
        }
        for (int distance = 1; distance <= partner.replicas(); distance++) {
            int holder = (rank + distance) % set.ranks();
            if (missing.get(holder)) {
                lost.add(new Station(holder, Place.ofCopy(set, holder, distance)));
            }
        }
        return lost;
    }

    private static Station source(SetDescription set, Scheme.Partner partner, int rank, BitSet missing) {
        if (!missing.get(rank)) {
            return new Station(rank, Place.inFiles(0));
        }
        int holder = partner.holderOf(rank, missing, set.ranks());
        if (holder < 0) {
            throw new IllegalArgumentException(partner + " can't rebuild ranks " + missing + " of " + set.ranks());
        }
        return new Station(holder, Place.ofCopy(set, holder, Math.floorMod(holder - rank, set.ranks())));
    }

    private static Strand copy(SetDescription set, int rank, Station source, List<Station> targets) {
        return new Strand(rank, set.member(rank).totalBytes(), List.of(source), targets, null);
    }

    /** Gives the plan of a row. */
    @FunctionalInterface
    private interface RowPlans {
        RowPlan of(int row);
    }

    private static List<Strand> rows(SetDescription set, Scheme.Coded coded, RowPlans plans) {
        CodedLayout layout = CodedLayout.of(coded, set.ranks());
        List<Strand> strands = new ArrayList<>();
        for (int row = 0; row < set.ranks(); row++) {
            strands.add(row(set, layout, plans.of(row)));
        }
        return strands;
    }

    /** Rows begin their ways at different members, so that at every step all members have something to do. */
    private static Strand row(SetDescription set, CodedLayout layout, RowPlan plan) {
        int[] ranks = plan.sourceRanks();
        int[] way = IntStream.range(0, ranks.length).boxed()
                .sorted(Comparator.comparingInt(column -> Math.floorMod(ranks[column] - plan.row() - 1, set.ranks())))
                .mapToInt(Integer::intValue).toArray();
        GaloisMatrix matrix = plan.matrix().select(IntStream.range(0, plan.matrix().rows()).toArray(), way);
        List<Station> sources = new ArrayList<>();
        for (int column : way) {
            sources.add(new Station(ranks[column], Place.ofCell(set, layout, plan.row(), ranks[column])));
        }
        List<Station> targets = new ArrayList<>();
        for (int rank : plan.targetRanks()) {
            targets.add(new Station(rank, Place.ofCell(set, layout, plan.row(), rank)));
        }
        return new Strand(plan.row(), set.chunkBytes(), sources, targets, matrix);
    }
}
