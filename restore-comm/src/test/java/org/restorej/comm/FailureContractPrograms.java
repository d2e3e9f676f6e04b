package org.restorej.comm;

import static org.restorej.comm.testing.Messages.await;
import static org.restorej.comm.testing.Messages.awaitEnvelope;
import static org.restorej.comm.testing.Messages.bytes;
import static org.restorej.comm.testing.Messages.gatherNumbers;
import static org.restorej.comm.testing.Messages.number;
import static org.restorej.comm.testing.Messages.receiveNumber;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.restorej.comm.Communicator.Agreement;
import org.restorej.comm.testing.Checks;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;

/**
 * What a {@link Communicator} promises when PEs die, for implementations that survive failures. PEs really die, so each
 * program needs a job of its own. They are made to by {@link FailureSimulation}, which such communicators implement.
 */
public final class FailureContractPrograms implements ContractSuite {
    /** All programs. */
    static final List<ContractProgram> ALL = Stream.concat(inGroupsAndTogether(), Stream.of(
            new ContractProgram("receiveFromAFailedPeNamesIt", 2, FailureContractPrograms::receive),
            new ContractProgram("synchronousSendToAFailedPeFails", 2, FailureContractPrograms::send),
            new ContractProgram("probeReportsAFailedPe", 2, FailureContractPrograms::probe),
            new ContractProgram("aBarrierWithAFailedPeFails", 2, FailureContractPrograms::barrier),
            new ContractProgram("aReductionWithAFailedPeFails", 2, FailureContractPrograms::reduce),
            new ContractProgram("messagesOfAFailedPeArriveInOrderAndWhole", 2, FailureContractPrograms::lastMessages),
            new ContractProgram("revokeWakesEverybody", 3, FailureContractPrograms::revoke).ofSurvivors(),
            new ContractProgram("agreementIsUniformDespiteAFailure", 2, FailureContractPrograms::agree).ofSurvivors(),
            new ContractProgram("shrinkExcludesSeveralAtOnce", 4, FailureContractPrograms::shrinkSeveral),
            new ContractProgram("aFailureEndsAHaloExchange", 3, FailureContractPrograms::halo),
            new ContractProgram("awaitAllGivesUpWhatIsPendingToo", 3, FailureContractPrograms::awaitAll),
            new ContractProgram("aFailureEndsEveryOperationOnArrays", 3, FailureContractPrograms::arrays),
            new ContractProgram("failuresOneAfterTheOtherAreSurvived", 3, FailureContractPrograms::repeatedly)))
            .toList();

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    /** On several communicators at once. */
    static Stream<ContractProgram> inGroupsAndTogether() {
        return Stream.concat(SplitPrograms.withFailures().stream(), SeveralAgreementsPrograms.withFailures().stream());
    }

    private static void fail(Communicator comm, int... currentRanks) {
        FailureSimulation.of(comm).fail(currentRanks);
    }

    private static void namesTheFailed(Communicator comm, int failed, Checks.Action action) {
        ProcessFailedException failure = Checks.throwing(ProcessFailedException.class, action, "use of a failed PE");
        SortedSet<OriginalRank> expected = new TreeSet<>(List.of(OriginalRank.of(failed)));
        Checks.equal(expected, failure.failedRanks(), "failed original ranks in the exception");
        Checks.equal(expected, comm.failedRanks(), "failed original ranks that the communicator knows");
    }

    private static void receive(Communicator comm) {
        int failed = comm.size() - 1;
        fail(comm, failed);
        namesTheFailed(comm, failed, () -> await(comm.iReceive(bytes(8), failed, 1)));
    }

    private static void send(Communicator comm) {
        fail(comm, 0);
        namesTheFailed(comm, 0, () -> await(comm.iSsend(bytes(100_000), 0, 1)));
    }

    private static void probe(Communicator comm) {
        fail(comm, 0);
        namesTheFailed(comm, 0, () -> awaitEnvelope(comm, 1));
    }

    private static void barrier(Communicator comm) {
        fail(comm, 0);
        namesTheFailed(comm, 0, () -> await(comm.iBarrier()));
    }

    private static void reduce(Communicator comm) {
        int failed = comm.size() - 1;
        fail(comm, failed);
        namesTheFailed(comm, failed, () -> comm.allReduce(new long[]{1}, Reduction.SUM));
    }

    private static void lastMessages(Communicator comm) {
        int failed = comm.size() - 1;
        if (comm.rank() == failed) {
            for (int index = 0; index < 30; index++) {
                for (int destination = 0; destination < failed; destination++) {
                    Request _ = comm.iSend(number(index), destination, 1);
                }
            }
        }
        fail(comm, failed);
        Checks.throwing(ProcessFailedException.class, () -> {
            for (int index = 0; index < 31; index++) {
                Checks.equal((long) index, receiveNumber(comm, failed, 1), "message of the failed PE");
            }
        }, "receive of a message never sent");
    }

    /** The last one receives from itself, which nothing but the news of the revocation ends. */
    private static void revoke(Communicator comm) {
        fail(comm, 0);
        int last = comm.size() - 1;
        if (comm.rank() == last) {
            comm.revoke();
        }
        // On a PE that is told late the receive waits when the news comes.
        Checks.throwing(CommunicatorRevokedException.class, () -> await(comm.iReceive(bytes(8), last, 1)), "receive");
        Checks.throwing(CommunicatorRevokedException.class, () -> await(comm.iBarrier()), "barrier after revoke");
        Checks.throwing(CommunicatorRevokedException.class, () -> awaitEnvelope(comm, 1), "probe after revoke");
        Checks.holds(comm.isRevoked(), "the communicator is revoked");
        Checks.equal(new Agreement(1, true), comm.agree(comm.rank() == last ? 1 : 3), "agreement after revoke");
        try (Communicator shrunk = comm.shrink()) {
            survives(comm, shrunk, 0);
            Checks.holds(!shrunk.isRevoked(), "the new communicator is not revoked");
            await(shrunk.iBarrier());
        }
    }

    private static void agree(Communicator comm) {
        fail(comm, 0);
        Agreement agreement = comm.agree(comm.rank() == 1 ? 0b101 : 0b111);
        Checks.equal(new Agreement(0b101, true), agreement, "agreement of the survivors");
        try (Communicator shrunk = comm.shrink()) {
            Checks.equal(new Agreement(1, false), shrunk.agree(1), "agreement after shrink");
        }
    }

    private static void shrinkSeveral(Communicator comm) {
        fail(comm, 0, 2);
        try (Communicator shrunk = comm.shrink()) {
            survives(comm, shrunk, 0, 2);
        }
    }

    /** Only the second PE exchanges with the failed one; nobody calls {@code revoke}. */
    private static void halo(Communicator comm) {
        fail(comm, 0);
        int up = comm.rank() - 1;
        int down = comm.rank() == comm.size() - 1 ? Communicator.NO_RANK : comm.rank() + 1;
        Checks.throwing(CommunicationFailedException.class, () -> {
            for (int step = 0; step < comm.size() + 5; step++) {
                comm.sendReceive(new double[3000], up, new double[3000], down, 1);
                comm.sendReceive(new double[3000], down, new double[3000], up, 2);
            }
        }, "a halo exchange");
        try (Communicator survivors = comm.shrink()) {
            Checks.equal(comm.size() - 1, survivors.size(), "survivors");
            survivors.barrier();
        }
    }

    /** The first request is one that nobody would ever end, the second one fails. */
    private static void awaitAll(Communicator comm) {
        if (comm.rank() == 0) {
            letGo(comm, 0);
            fail(comm, 0);
        }
        Request never = comm.iReceive(bytes(8), comm.rank() % (comm.size() - 1) + 1, 1);
        letGo(comm, 0);
        fail(comm, 0);
        Checks.throwing(CommunicationFailedException.class, () -> comm.awaitAll(never, comm.iReceive(bytes(8), 0, 1)),
                "a wait for a failed PE");
        try {
            Checks.holds(never.test(), "the communicator has let go of the other request");
        } catch (CommunicationFailedException ended) {
            // By the revocation, before it was cancelled.
        }
        comm.shrink().close();
    }

    /** Each on a communicator of its own, since it is revoked afterwards. */
    private static void arrays(Communicator comm) {
        int failed = comm.size() - 1;
        List<Consumer<Communicator>> operations = List.of(copy -> copy.broadcast(new double[3000], failed),
                copy -> copy.gather(new int[3], 0), copy -> copy.allGather(new long[3]),
                copy -> copy.allToAll(new byte[copy.size()][1]), copy -> copy.allReduce(1, Reduction.MAX));
        List<Communicator> copies = operations.stream().map(operation -> comm.duplicate()).toList();
        letGo(comm, failed);
        fail(comm, failed);
        for (int i = 0; i < copies.size(); i++) {
            Consumer<Communicator> operation = operations.get(i);
            Communicator copy = copies.get(i);
            Checks.throwing(CommunicationFailedException.class, () -> operation.accept(copy), "operation " + i);
        }
        comm.revoke();
        try (Communicator survivors = comm.shrink()) {
            Checks.equal(Arrays.toString(new int[]{7, 8}), Arrays.toString(survivors.allGather(new int[]{7, 8})[0]),
                    "what the survivors gather");
        }
        copies.forEach(Communicator::close);
    }

    private static void repeatedly(Communicator comm) {
        int last = comm.size() - 1;
        fail(comm, last);
        try (Communicator once = comm.shrink()) {
            survives(comm, once, last);
            // A collective call may still fail on a PE when another has completed it and fails.
            letGo(once, 0);
            fail(once, 0);
            Checks.throwing(ProcessFailedException.class, () -> await(once.iReceive(bytes(1), 0, 1)), "receive");
            try (Communicator twice = once.shrink()) {
                survives(comm, twice, 0, last);
            }
        }
    }

    /** Returns on this rank when all others have called it too: then it may die without taking anything from them. */
    private static void letGo(Communicator comm, int rank) {
        if (comm.rank() != rank) {
            await(comm.iSsend(number(0), rank, 9));
            return;
        }
        for (int other = 0; other < comm.size(); other++) {
            if (other != rank) {
                receiveNumber(comm, other, 9);
            }
        }
    }

    private static void survives(Communicator before, Communicator shrunk, int... failed) {
        RankMap expected = before.ranks().without(failed);
        Checks.equal(expected, shrunk.ranks(), "ranks after shrink");
        Checks.equal(before.originalRank(), shrunk.originalRank(), "original rank");
        // Before the gather, since afterwards the next PE may die.
        Checks.holds(shrunk.failedRanks().isEmpty(), "nobody in the new communicator has failed");
        List<Integer> originalRanks = new ArrayList<>();
        Arrays.stream(gatherNumbers(shrunk, before.rank())).forEach(rank -> originalRanks.add((int) rank));
        for (int rank = 0; rank < shrunk.size(); rank++) {
            Checks.equal(expected.originalRankOf(rank), originalRanks.get(rank), "original rank of " + rank);
        }
    }
}
