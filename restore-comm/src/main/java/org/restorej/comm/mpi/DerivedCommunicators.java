package org.restorej.comm.mpi;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.comm.RankMap;
import org.restorej.internal.memory.NativeMemory;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.Ulfm;
import org.restorej.internal.program.GroupCommunicators;
import org.restorej.internal.program.ProgramAbandonedError;

/**
 * Creates communicators from one on MPI: duplicates, groups, and that of the survivors. They belong to the same attempt
 * of a program.
 */
final class DerivedCommunicators {
    private final MpiCommunicator origin;
    private final MpiComm mpi;
    private final RankMap ranks;
    private final Ulfm ulfm;
    private final WaitLimit waitLimit;
    private final @Nullable UlfmAttempt attempt;

    DerivedCommunicators(MpiCommunicator origin, Ulfm ulfm, WaitLimit waitLimit, @Nullable UlfmAttempt attempt) {
        this.origin = origin;
        this.ulfm = ulfm;
        this.waitLimit = waitLimit;
        this.attempt = attempt;
        mpi = origin.mpi();
        ranks = origin.ranks();
    }

    private MpiCommunicator take(MpiComm made, RankMap itsRanks) {
        return new MpiCommunicator(made, itsRanks, ulfm, waitLimit, attempt);
    }

    /** Duplicates the communicator for an attempt of a program. Called by all PEs. */
    MpiCommunicator duplicateFor(UlfmAttempt fresh) {
        try {
            return new MpiCommunicator(mpi.duplicate(), ranks, ulfm, waitLimit, fresh);
        } catch (MpiException e) {
            throw origin.failure("duplicate", e);
        }
    }

    /** MPI_Comm_dup blocks, so a barrier comes first: in it, background operations progress until all PEs arrive. */
    private MpiComm duplicated() throws MpiException {
        origin.barrier();
        try (WaitLimit _ = origin.waits("duplicate")) {
            return mpi.duplicate();
        }
    }

    /**
     * Duplicates the communicator, and returns after all PEs have created the duplicate: Open MPI 6.0.0rc2 crashes when
     * a revocation of the new communicator reaches a PE that is still in MPI_Comm_dup.
     */
    MpiCommunicator duplicate() {
        MpiCommunicator made;
        try {
            made = take(duplicated(), ranks);
        } catch (MpiException | RuntimeException | Error met) {
            throw origin.left("duplicate", met);
        }
        GroupCommunicators.confirm(origin, made);
        return made;
    }

    /**
     * Creates an MPI communicator of the same PEs for the program's own calls, which is revoked together with the
     * origin if MPI can do that. Called by all PEs; blocks.
     */
    MpiComm giveOut() {
        MpiComm made;
        try {
            made = duplicated();
        } catch (MpiException e) {
            throw origin.failure("duplicate", e);
        }
        origin.failures().gaveOut(made);
        // All PEs must have created it before this one returns; see duplicate.
        origin.barrier();
        return made;
    }

    /** See {@link Communicator#split}. */
    Optional<Communicator> split(int color) {
        try {
            RankMap group = group(color);
            MpiComm groupMpi;
            try (WaitLimit _ = origin.waits("split")) {
                groupMpi = mpi.split(group == null ? MpiComm.NO_COLOR : color);
            }
            if (group == null || groupMpi == null) {
                origin.barrier();
                return Optional.empty();
            }
            MpiCommunicator made = take(groupMpi, group);
            if (attempt != null) {
                attempt.usedByProgram(made);
            }
            GroupCommunicators.confirm(origin, made);
            return Optional.of(made);
        } catch (MpiException | RuntimeException | Error met) {
            throw origin.left("split", met);
        }
    }

    /** The ranks of the same color; null without a color. */
    private @Nullable RankMap group(int color) {
        int[] colors = new int[ranks.size()];
        origin.allGather(MemorySegment.ofArray(new int[]{color}), MemorySegment.ofArray(colors));
        return color < 0
                ? null
                : ranks.without(IntStream.range(0, colors.length).filter(other -> colors[other] != color).toArray());
    }

    /** See {@link Communicator#shrink}. */
    MpiCommunicator shrink() {
        if (attempt != null && (origin.agree(UlfmAttempt.SHRINKS).flags() & UlfmAttempt.SHRINKS) == 0) {
            throw new ProgramAbandonedError();
        }
        if (ulfm.survivesFailures()) {
            MpiAgreement.endAll();
        }
        try {
            MpiComm fresh;
            try (WaitLimit _ = origin.waits("shrink")) {
                fresh = ulfm.shrink(mpi, ranks);
            }
            MpiCommunicator survivors = take(fresh, ranks.without(ulfm.missingRanks(mpi, ranks, fresh).toIntArray()));
            if (attempt != null) {
                attempt.replaced(origin, survivors);
            }
            GroupCommunicators.succeeds(survivors, origin);
            NativeMemory.freeRetired(originalRank -> ranks.currentRankOf(originalRank) >= 0);
            return survivors;
        } catch (MpiException e) {
            throw origin.failure("shrink", e);
        }
    }
}
