package org.restorej.redset.internal.offline;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.sets.EncodingFacts;
import org.restorej.redset.internal.sets.RankPlaces;

/**
 * Determines the current files of one prefix. A new encoding replaces the descriptor file of each of its ranks. It may
 * leave redundancy files of earlier encodings, and all files of ranks that it doesn't have. So a file that contradicts
 * a descriptor file is older, or was never complete. The remaining files must be of one encoding. If they are not, none
 * is chosen: a rebuild from the wrong one would replace new data by old.
 *
 * @param live files of the current encoding; empty if it is unknown
 * @param stale files of other encodings
 */
record LiveEncoding(List<Claim> live, List<Claim> stale) {
    /** Determines the current encoding from all files of the prefix. */
    static LiveEncoding of(Collection<Claim> claims) {
        List<Claim> left = new ArrayList<>(claims);
        removeOfOtherSizes(left);
        EncodingFacts described = new EncodingFacts();
        for (Claim claim : left) {
            if (claim.isDescriptor() && !described.add(claim.facts())) {
                return new LiveEncoding(List.of(), List.of());
            }
        }
        left.removeIf(claim -> !described.agreesWith(claim.facts()));
        EncodingFacts all = new EncodingFacts();
        if (!left.stream().map(Claim::facts).allMatch(all::add)) {
            return new LiveEncoding(List.of(), List.of());
        }
        List<Claim> stale = new ArrayList<>(claims);
        stale.removeIf(new HashSet<>(left)::contains);
        return new LiveEncoding(left, stale);
    }

    /** Removes files of encodings if one of their ranks has a descriptor file for another number of ranks. */
    private static void removeOfOtherSizes(List<Claim> claims) {
        Map<Integer, BitSet> described = new HashMap<>();
        for (Claim claim : claims) {
            if (claim.isDescriptor()) {
                described.computeIfAbsent(claim.own().worldRanks(), first -> new BitSet())
                        .set(claim.own().worldRank());
            }
        }
        claims.removeIf(claim -> !RankPlaces.mayCount(claim.own().worldRanks(), described));
    }

    /** Whether files of several encodings may be current. */
    boolean isUndecided() {
        return live.isEmpty();
    }

    /** What the files of the current encoding tell of it. */
    EncodingFacts facts() {
        EncodingFacts facts = new EncodingFacts();
        live.forEach(claim -> facts.add(claim.facts()));
        return facts;
    }

    /**
     * The places of ranks in one file.
     *
     * @param prefix prefix of its name, with the directory
     * @param path the file
     * @param own the place of the file's own rank
     * @param facts the places of ranks in the file
     * @param header of a redundancy file; empty for a descriptor file, of which each rank has one that every encoding
     *        replaces
     */
    record Claim(String prefix, Path path, Descriptor own, EncodingFacts facts,
            Optional<DirectoryScan.FoundHeader> header) {
        static Claim of(DirectoryScan.FoundHeader found) {
            Descriptor own = found.header().own().descriptor();
            List<Descriptor> places = new ArrayList<>(
                    found.header().byRank().values().stream().map(RankRecord::descriptor).toList());
            List<Integer> worldRanks = found.header().worldRanks();
            for (int rank = 0; rank < worldRanks.size(); rank++) {
                places.add(own.ofMember(rank, worldRanks.get(rank)));
            }
            return new Claim(found.prefix(), found.path(), own, EncodingFacts.ofPlaces(places), Optional.of(found));
        }

        boolean isDescriptor() {
            return header.isEmpty();
        }

        /** Describes its encoding, for messages. */
        String encoding() {
            return own.scheme() + ", " + own.worldRanks() + (own.worldRanks() == 1 ? " rank in " : " ranks in ")
                    + own.groups() + (own.groups() == 1 ? " set" : " sets");
        }
    }
}
