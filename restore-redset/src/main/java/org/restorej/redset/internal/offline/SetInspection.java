package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.erasure.ErasureKernels;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.files.FileTransaction;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.ChecksumFile.RankChecksums;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.protocol.PostponedFailure;
import org.restorej.redset.internal.protocol.SetRecovery;

/**
 * The state of a set on disk.
 *
 * @param name its name
 * @param place the place of one of its members
 * @param members those whose files are known, by rank; all, if the set can be rebuilt
 * @param damages all damage, as text
 * @param notes information that is no damage, as text
 * @param state the resulting state
 * @param recovery rebuilds missing members, or null if the set can't be rebuilt
 */
public record SetInspection(SetName name, Descriptor place, SortedMap<Integer, Member> members, List<Damage> damages,
        List<String> notes, State state, @Nullable SetRecovery recovery) {
    /** Large enough that a disk reads it at once and the cost of calls is negligible. */
    static final long PIECE_BYTES = 1 << 20;

    /** A member whose files are known. */
    public Member member(int rank) {
        return Objects.requireNonNull(members.get(rank));
    }

    /** This set with another state, for a reason. */
    SetInspection because(String reason, State otherState) {
        List<Damage> more = new ArrayList<>(damages);
        more.add(new Damage(-1, reason));
        return new SetInspection(name, place, members, List.copyOf(more), notes, otherState, recovery);
    }

    /**
     * Repairs all damage of a set, or none. Data files with the right content are not touched; redset also resets their
     * modes and times.
     *
     * @param progress gets the number of bytes to rebuild, then the progress
     * @throws IOException if a file can't be read or written, or the rebuild would replace a file that may be intact;
     *         nothing was replaced
     */
    public void rebuild(Progress progress) throws IOException {
        if (recovery == null || state == State.LOST || state == State.UNREACHABLE) {
            throw new IllegalArgumentException(name.shown() + " can't be rebuilt: " + damages);
        }
        try (FileTransaction transaction = new FileTransaction(recovery.operations())) {
            recovery.begin(transaction);
            PostponedFailure failure = new PostponedFailure();
            boolean further = recovery.exchange(failure, ErasureKernels::preferred, PIECE_BYTES,
                    progress.of(recovery.workBytes()));
            failure.throwIfAny();
            if (further) {
                throw new IOException(name.shown() + " has changed since it was verified; nothing was replaced");
            }
            recovery.finish();
            transaction.publish();
        }
    }

    /** Observes the progress of a rebuild. */
    @FunctionalInterface
    public interface Progress {
        /** Gets the total number of bytes, and returns a consumer of the numbers of further bytes done. */
        LongConsumer of(long totalBytes);
    }

    /** Whether a set is damaged and can be repaired. */
    public enum State {
        /** Nothing is damaged. */
        WHOLE,
        /** Damaged, and can be rebuilt completely. */
        REPAIRABLE,
        /** Damaged, and can be rebuilt when the user has said where the files of a lost member go. */
        UNPLACED,
        /** Damaged, and the scheme can't rebuild it, or it is unknown what is damaged. */
        LOST,
        /** Unknown: a file can't be reached, for example without a permission, and may be intact. */
        UNREACHABLE
    }

    /**
     * A member of a set.
     *
     * @param record its files as recorded
     * @param location their paths
     * @param checksums of their right contents, or null if unknown
     * @param missing whether it has to be rebuilt
     */
    public record Member(RankRecord record, MemberLocation location, @Nullable RankChecksums checksums,
            boolean missing) {}

    /**
     * A damage.
     *
     * @param rank rank in the set, or -1 for the set as a whole
     * @param message description
     */
    public record Damage(int rank, String message) {}

    /** The name of a set. */
    public interface SetName {
        /** The name for messages. */
        String shown();

        /** The number of the set, as in the names of its files. */
        long number();

        /**
         * The name of a set of redset.
         *
         * @param prefixes prefixes of its file names, with the directory; several if its members are in several
         *        directories
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
