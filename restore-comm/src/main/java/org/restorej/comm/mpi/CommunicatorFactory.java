package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
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
 * Makes communicators of one on MPI: for all its PEs, for groups, for its survivors, and for attempts of a program. What
 * it makes belongs to the same attempt.
 */
final class CommunicatorFactory {
    private final MpiCommunicator own;
    private final Ulfm ulfm;
    private final WaitLimit waitLimit;
    private final @Nullable UlfmAttempt attempt;

    CommunicatorFactory(MpiCommunicator own, Ulfm ulfm, WaitLimit waitLimit, @Nullable UlfmAttempt attempt) {
        this.own = own;
        this.ulfm = ulfm;
        this.waitLimit = waitLimit;
        this.attempt = attempt;
    }

    private MpiCommunicator take(MpiComm made, RankMap ranks) {
        return new MpiCommunicator(made, ranks, ulfm, waitLimit, attempt);
    }

    /**
     * See {@link Communicator#duplicate}. Returns when all PEs have it: Open MPI 6.0.0rc2 crashes when a revocation of
     * the new communicator comes to one that is still in MPI_Comm_dup.
     */
    Communicator duplicate() {
        Communicator made;
        try {
            // MPI_Comm_dup blocks: until all have come, what they have in the background goes on.
            own.barrier();
            made = take(waitLimit.limit("duplicate", own.ranks(), own.mpi()::duplicate), own.ranks());
        } catch (MpiException | RuntimeException | Error met) {
            throw own.left("duplicate", met);
        }
        GroupCommunicators.confirm(own, made);
        return made;
    }

    /** See {@link Communicator#split}. */
    Optional<Communicator> split(int color) {
        try {
            RankMap group = group(color);
            MpiComm groupMpi = waitLimit.<@Nullable MpiComm>limit("split", own.ranks(),
                    () -> own.mpi().split(group == null ? MpiComm.NO_COLOR : color));
            if (group == null || groupMpi == null) {
                own.barrier();
                return Optional.empty();
            }
            MpiCommunicator made = take(groupMpi, group);
            if (attempt != null) {
                attempt.usedByProgram(made);
            }
            GroupCommunicators.confirm(own, made);
            return Optional.of(made);
        } catch (MpiException | RuntimeException | Error met) {
            throw own.left("split", met);
        }
    }

    /** The ranks of those who have the same color; null without one. */
    private @Nullable RankMap group(int color) {
        int[] colors = new int[own.size()];
        own.allGather(MemorySegment.ofArray(new int[]{color}), MemorySegment.ofArray(colors));
        if (color < 0) {
            return null;
        }
        IntList others = new IntArrayList();
        for (int other = 0; other < own.size(); other++) {
            if (colors[other] != color) {
                others.add(other);
            }
        }
        return own.ranks().without(others.toIntArray());
    }

    /** An MPI communicator of the same PEs for calls of the program's own. Called by all PEs; blocks. */
    MpiComm ofProgram() {
        own.barrier();
        try {
            return waitLimit.limit("duplicate", own.ranks(), () -> own.mpi().duplicate());
        } catch (MpiException e) {
            throw own.failure("duplicate", e);
        }
    }

    /** See {@link Communicator#shrink}. */
    MpiCommunicator shrink() {
        if (attempt != null && (own.agree(UlfmAttempt.SHRINKS).flags() & UlfmAttempt.SHRINKS) == 0) {
            throw new ProgramAbandonedError();
        }
        if (ulfm.survivesFailures()) {
            MpiAgreement.endAll();
        }
        try {
            MpiComm fresh = waitLimit.limit("shrink", own.ranks(), () -> ulfm.shrink(own.mpi()));
            MpiCommunicator survivors = take(fresh,
                    own.ranks().without(ulfm.missingRanks(own.mpi(), fresh).toIntArray()));
            if (attempt != null) {
                attempt.replaced(own, survivors);
            }
            GroupCommunicators.succeeds(survivors, own);
            NativeMemory.freeRetired(rank -> own.ranks().currentRankOf(rank) >= 0);
            return survivors;
        } catch (MpiException e) {
            throw own.failure("shrink", e);
        }
    }

    /** A duplicate for an attempt of a program. Called by all PEs. */
    MpiCommunicator duplicateFor(UlfmAttempt fresh) {
        try {
            return new MpiCommunicator(own.mpi().duplicate(), own.ranks(), ulfm, waitLimit, fresh);
        } catch (MpiException e) {
            throw own.failure("duplicate", e);
        }
    }
}
