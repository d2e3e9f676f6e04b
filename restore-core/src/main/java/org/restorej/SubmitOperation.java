package org.restorej;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.restorej.block.BlockRange;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.exchange.Channel;
import org.restorej.exchange.Settlement;
import org.restorej.exchange.SourceRun;
import org.restorej.exchange.SubmitExchange;
import org.restorej.placement.RangePermutation;
import org.restorej.placement.Residency;
import org.restorej.storage.ReplicaMemory;

/**
 * One submission, from the application's memory to staged replicas that all PEs have agreed on.
 *
 * <p>
 * What is wrong on one PE, an id out of range or a writer that throws, keeps nobody waiting: that PE goes on without
 * contributing, and at the end all PEs learn what each had to complain of.
 */
final class SubmitOperation {
    /** A PE's complaint is cut to this many bytes. */
    private static final int COMPLAINT_BYTES = 512;

    /** How many PEs' complaints a message has. */
    private static final int SHOWN_COMPLAINTS = 4;

    private final String name;
    private final Channel channel;
    private final StoreConfiguration configuration;
    private final RangePermutation permutation;
    private final Residency residency;
    private final int originalRank;
    private @Nullable RuntimeException writerFailure;
    private @Nullable String complaint;
    private @Nullable ReplicaMemory staged;
    /** Whether the complaint is about what this PE contributed, and not about what came together from all. */
    private boolean ownFault;

    SubmitOperation(String name, Channel channel, StoreConfiguration configuration, RangePermutation permutation,
            Residency residency, int originalRank) {
        this.name = name;
        this.channel = channel;
        this.configuration = configuration;
        this.permutation = permutation;
        this.residency = residency;
        this.originalRank = originalRank;
    }

    /** Runs it. Collective. Returns this PE's replicas of the new generation, which every PE alive has then. */
    ReplicaMemory run(Submission submission) {
        complaint = wrongEntries(submission);
        ownFault = complaint != null;
        // Outlives the exchange, which may leave messages under way that are sent from its staging.
        SubmissionRounds rounds = new SubmissionRounds(complaint == null ? submission : new Submission(),
                configuration.blockSizeBytes(), pieceBlocks());
        try {
            int flags = channel.settle(name, () -> {
                // Taken in here, since a PE that has no memory left must tell the others.
                staged = ReplicaMemory.allocate(residency, originalRank, configuration.blockSizeBytes());
                stage(rounds, staged);
                return complaint == null ? Settlement.ALL : Settlement.ALL & ~Settlement.VALID;
            });
            if ((flags & Settlement.VALID) == 0) {
                throw refusal();
            }
            return Objects.requireNonNull(staged, "staged");
        } catch (RuntimeException | Error failure) {
            if (staged != null) {
                channel.release(staged::close);
            }
            throw failure;
        } finally {
            channel.release(rounds::close);
        }
    }

    /** About how many blocks have the same holders: no more than a block range, nor than a permutation range. */
    private long pieceBlocks() {
        long rangeBlocks = residency.placement().blocksIn(0);
        long permuted = configuration.permutationRangeBlocks();
        return Math.max(1, permuted == 0 ? rangeBlocks : Math.min(permuted, rangeBlocks));
    }

    private void stage(SubmissionRounds rounds, ReplicaMemory memory) {
        SubmitExchange exchange = new SubmitExchange(channel, permutation, residency, memory,
                configuration.blockSizeBytes(), originalRank);
        long[] anyMore = new long[1];
        do {
            exchange.round(nextRuns(rounds));
            anyMore[0] = writerFailure == null && rounds.hasNext() ? 1 : 0;
            channel.communicator().allReduce(anyMore, Reduction.MAX);
        } while (anyMore[0] != 0);
        if (complaint == null) {
            complaint = exchange.complaint().orElse(null);
        }
    }

    private List<SourceRun> nextRuns(SubmissionRounds rounds) {
        if (writerFailure != null) {
            return List.of();
        }
        try {
            return rounds.next();
        } catch (RuntimeException failure) {
            // Whatever the application's writer throws: the others are told and don't wait.
            writerFailure = failure;
            complaint = "a block writer threw " + failure;
            ownFault = true;
            return List.of();
        }
    }

    private @Nullable String wrongEntries(Submission submission) {
        StringJoiner errors = new StringJoiner("; ");
        for (Submission.Entry entry : submission.entries()) {
            BlockRange blocks = entry.blocks();
            if (blocks.end() > configuration.blocks()) {
                errors.add("blocks must be in 0.." + (configuration.blocks() - 1) + ": " + blocks);
            } else if (entry.source() instanceof Submission.Bytes(MemorySegment bytes)
                    && (!bytes.scope().isAlive() || !bytes.isAccessibleBy(Thread.currentThread()))) {
                errors.add(
                        "the bytes of blocks " + blocks + " must be memory that is alive and that this thread may use");
            } else if (entry.source() instanceof Submission.Bytes(MemorySegment bytes)
                    && bytes.byteSize() != blocks.count() * configuration.blockSizeBytes()) {
                errors.add("the bytes of blocks " + blocks + " must be " + blocks.count() + " times "
                        + configuration.blockSizeBytes() + ": byteSize=" + bytes.byteSize());
            }
        }
        return errors.length() == 0 ? null : errors.toString();
    }

    /**
     * What all PEs have to complain of, as an exception for each of them. When some contributed wrongly, that is all it
     * says: that blocks are missing then follows from it.
     */
    private RuntimeException refusal() {
        List<String> complaints = new ArrayList<>();
        for (boolean own : new boolean[]{true, false}) {
            if (complaints.isEmpty()) {
                complaints.addAll(complaintsOfAll(own));
            }
        }
        String shown = String.join(" | ", complaints.subList(0, Math.min(SHOWN_COMPLAINTS, complaints.size())));
        InvalidSubmissionException refusal = new InvalidSubmissionException(name + " refused: " + shown
                + (complaints.size() > SHOWN_COMPLAINTS ? " | and so on, on " + complaints.size() + " PEs" : ""));
        if (writerFailure != null) {
            refusal.initCause(writerFailure);
        }
        return refusal;
    }

    private List<String> complaintsOfAll(boolean own) {
        Communicator communicator = channel.communicator();
        List<String> complaints = new ArrayList<>();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment mine = arena.allocate(COMPLAINT_BYTES);
            MemorySegment all = arena.allocate((long) communicator.size() * COMPLAINT_BYTES);
            if (complaint != null && ownFault == own) {
                byte[] text = complaint.getBytes(StandardCharsets.UTF_8);
                MemorySegment.copy(text, 0, mine, ValueLayout.JAVA_BYTE, 0, Math.min(text.length, COMPLAINT_BYTES));
            }
            channel.settle("comparing submissions", () -> {
                communicator.allGather(mine, all);
                return Settlement.ALL;
            });
            for (int peer = 0; peer < communicator.size(); peer++) {
                String text = text(all.asSlice((long) peer * COMPLAINT_BYTES, COMPLAINT_BYTES));
                if (!text.isEmpty()) {
                    complaints.add("original rank " + communicator.ranks().originalRankOf(peer) + ": " + text);
                }
            }
        }
        return complaints;
    }

    private static String text(MemorySegment zeroPadded) {
        byte[] bytes = zeroPadded.toArray(ValueLayout.JAVA_BYTE);
        int length = 0;
        while (length < bytes.length && bytes[length] != 0) {
            length++;
        }
        return new String(Arrays.copyOf(bytes, length), StandardCharsets.UTF_8);
    }
}
