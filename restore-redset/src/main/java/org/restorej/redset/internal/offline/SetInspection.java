package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.erasure.ErasureKernels;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.files.FileTransaction;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.ChecksumFile.RankChecksums;
import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.protocol.PostponedFailure;
import org.restorej.redset.internal.protocol.SetRecovery;

/**
 * The state of a set on disk.
 *
 * @param name what it is called
 * @param place the place of one of its members
 * @param description all members, or null when there are members that no file describes
 * @param locations where the files of each member are; empty without a description
 * @param checksums what is known of the right content, by rank
 * @param missing ranks that have to be rebuilt
 * @param damages everything found, for people
 * @param notes what is no damage but worth knowing
 * @param state what it comes to
 * @param recovery rebuilds what is missing, or null without a description
 */
public record SetInspection(SetName name, Descriptor place, @Nullable SetDescription description,
        List<MemberLocation> locations, SortedMap<Integer, RankChecksums> checksums, BitSet missing,
        List<Damage> damages, List<String> notes, State state, @Nullable SetRecovery recovery) {
    /** Large enough that a disk reads it in one go, and that calls cost nothing. */
    static final long PIECE_BYTES = 1 << 20;

    /** The same, not to be rebuilt for a reason. */
    public SetInspection lost(String reason) {
        List<Damage> more = new ArrayList<>(damages);
        more.add(new Damage(-1, reason));
        return with(more, State.LOST);
    }

    /** The same with other damages and another state. */
    public SetInspection with(List<Damage> otherDamages, State otherState) {
        return new SetInspection(name, place, description, locations, checksums, missing, List.copyOf(otherDamages),
                notes, otherState, recovery);
    }

    /** The same with one more note. */
    public SetInspection noting(String note) {
        List<String> more = new ArrayList<>(notes);
        more.add(note);
        return new SetInspection(name, place, description, locations, checksums, missing, damages, List.copyOf(more),
                state, recovery);
    }

    /**
     * Repairs all damages of a set, or none. When files of redset are rebuilt, those of the other members get the
     * recorded mode and times, too, as redset does it.
     *
     * @param progress gets how many bytes there are to rebuild, and then a progress
     * @throws IOException when something can't be read or written, or would replace what may be good; nothing is worse
     *         than before then
     */
    public void rebuild(Progress progress) throws IOException {
        if (recovery == null || state == State.LOST) {
            throw new IllegalArgumentException(name.shown() + " can't be rebuilt: " + damages);
        }
        try (FileTransaction transaction = new FileTransaction(recovery.operations())) {
            recovery.begin(transaction);
            PostponedFailure failure = new PostponedFailure();
            boolean further = recovery.exchange(failure, ErasureKernels.preferred(), PIECE_BYTES,
                    progress.of(recovery.workBytes()));
            failure.throwIfAny();
            if (further) {
                throw new IOException(name.shown() + " has changed since it was verified; nothing was replaced");
            }
            recovery.finish();
            transaction.publish();
        }
        recovery.restoreMetadata(!missing.isEmpty());
    }

    /** Somebody who wants to know how far a rebuild is. */
    @FunctionalInterface
    public interface Progress {
        /** Gets to know how many bytes there are, and returns who takes the numbers of further bytes done. */
        LongConsumer of(long totalBytes);
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
    public record Damage(int rank, String message) {}

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
