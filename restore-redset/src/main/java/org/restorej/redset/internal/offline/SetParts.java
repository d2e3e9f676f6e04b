package org.restorej.redset.internal.offline;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.io.IOException;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.SetFormat;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.protocol.OwnMember;
import org.restorej.redset.internal.protocol.ProtectedFiles;

/**
 * The files that were found of a set, of redset or of another program.
 *
 * @param name its name
 * @param place the place of one of its members
 * @param members members with a valid header, by rank in the set; at least one
 * @param lost files of the other members, for the directories given for them
 * @param unreadable redundancy files of other members that are damaged or can't be read, by rank in the set
 * @param doubts why nothing of the set may be rebuilt, as text; empty if it may
 * @param notes information that is no damage
 */
public record SetParts(SetInspection.SetName name, Descriptor place,
        SortedMap<Integer, OwnMember> members, ProtectedFiles lost, SortedMap<Integer, UnreadableFile> unreadable,
        List<String> doubts, List<String> notes) {
    /** Copies the collections. */
    public SetParts {
        members = new TreeMap<>(members);
        unreadable = new TreeMap<>(unreadable);
        doubts = List.copyOf(doubts);
        notes = new ArrayList<>(notes);
    }

    /** The ranks in the job of the members that its files describe: all members, if the scheme is coded. */
    SortedSet<Integer> describedRanks() {
        SortedSet<Integer> ranks = new TreeSet<>();
        for (OwnMember member : members.values()) {
            RedundancyHeader header = Objects.requireNonNull(member.found()).header();
            ranks.addAll(header.worldRanks());
            header.byRank().values().forEach(record -> ranks.add(record.descriptor().worldRank()));
        }
        return ranks;
    }

    /** Whether a rank of the job is one of its members, or may be one that no file describes. */
    boolean mayHave(int worldRank) {
        SortedSet<Integer> described = describedRanks();
        return described.contains(worldRank)
                || (described.size() < place.ranks() && worldRank >= 0 && worldRank < place.worldRanks());
    }

    /** Determines the paths of a member's files, also if it is lost. */
    @FunctionalInterface
    public interface Places {
        /**
         * The paths of a member's files.
         *
         * @throws IOException if a recorded name refers to a place that is not allowed, or a lost member may belong to
         *         several directories
         */
        MemberLocation locate(RankRecord member) throws IOException;
    }

    /** Finds missing and damaged files. */
    @FunctionalInterface
    interface Losses {
        /** As {@link ProtectedFiles#losses}, of these files. */
        List<String> of(ProtectedFiles files, ProtectedFiles.FoundHeader found, MemberLocation location)
                throws IOException;
    }

    /**
     * The files of a member, with paths or losses of their own.
     *
     * @param like files of the same member, or of another one of the set, in the same format
     * @param places determines their paths
     * @param losses finds missing and damaged ones
     */
    record PlacedFiles(ProtectedFiles like, Places places, Losses losses) implements ProtectedFiles {
        @Override
        public MemberLocation locate(RankRecord member) throws IOException {
            return places.locate(member);
        }

        @Override
        public FileOperations operations() {
            return like.operations();
        }

        @Override
        public RedundancyHeader read(KvTree header, int rank) throws IOException {
            return like.read(header, rank);
        }

        @Override
        public List<String> losses(FoundHeader found, MemberLocation location) throws IOException {
            return losses.of(like, found, location);
        }

        @Override
        public SetFormat format(SetDescription set, List<KvTree> headers) throws IOException {
            return like.format(set, headers);
        }
    }
}
