package org.restorej.redset.internal.offline;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.SetFormat;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.SetDescription;

/**
 * The state of a set on disk.
 *
 * @param name what it is called
 * @param place the place of one of its members
 * @param format all members and how their files are written, or null when there are members that no file describes
 * @param locations where the files of each member are; empty without a description
 * @param checksums what is known of the right content, by rank
 * @param missing ranks that have to be rebuilt
 * @param damages everything found, for people
 * @param notes what is no damage but worth knowing
 * @param state what it comes to
 */
public record SetInspection(SetName name, Descriptor place, @Nullable SetFormat format,
        List<MemberLocation> locations, SortedMap<Integer, RankChecksums> checksums, BitSet missing,
        List<Damage> damages,
        List<String> notes, State state) {
    /** All members, or null when there are members that no file describes. */
    public @Nullable SetDescription description() {
        return format == null ? null : format.set();
    }

    /** The same, not to be rebuilt for a reason. */
    public SetInspection lost(String reason) {
        List<Damage> more = new ArrayList<>(damages);
        more.add(new Damage(-1, reason));
        return new SetInspection(name, place, format, locations, checksums, missing, List.copyOf(more), notes,
                State.LOST);
    }

    /** The same with one more note. */
    public SetInspection noting(String note) {
        List<String> more = new ArrayList<>(notes);
        more.add(note);
        return new SetInspection(name, place, format, locations, checksums, missing, damages, List.copyOf(more),
                state);
    }

    /** Whether a set is damaged, and can be repaired. */
    public enum State {
        /** Nothing is damaged. */
        WHOLE,
        /** Damaged, and everything can be rebuilt. */
        REPAIRABLE,
        /** Damaged, and the scheme can't rebuild so much, or it is unknown what is damaged. */
        LOST
    }

    /**
     * Something that is wrong.
     *
     * @param rank rank in the set, or -1 for the set as a whole
     * @param message what is wrong
     */
    public record Damage(int rank, String message) {
        private static final String CHECKSUMS = "file of checksums";

        /** Of a rank's file of checksums. */
        static Damage ofChecksums(int rank, String what) {
            return new Damage(rank, CHECKSUMS + what);
        }

        boolean isOfChecksums() {
            return message.startsWith(CHECKSUMS);
        }
    }

    /** Whether a file of checksums is there that can't be read, or should be there and isn't. */
    boolean hasDamagedChecksums() {
        return damages.stream().anyMatch(Damage::isOfChecksums);
    }

    /** What a set is called. */
    public interface SetName {
        /** For people. */
        String shown();

        /** Its number, as in the names of its files. */
        long number();

        /**
         * A set of redset.
         *
         * @param prefixes what the names of its files begin with, directory included; several where its members lie in
         *        several directories
         * @param group id of the set, from 0
         * @param groups number of sets
         */
        record OfRedset(List<String> prefixes, int group, int groups) implements SetName {
            /** Copies the list. */
            public OfRedset {
                prefixes = List.copyOf(prefixes);
            }

            @Override
            public long number() {
                return group + 1L;
            }

            @Override
            public String shown() {
                return "set " + number() + " of " + groups + " of " + String.join("*, ", prefixes) + "*";
            }
        }
    }
}
