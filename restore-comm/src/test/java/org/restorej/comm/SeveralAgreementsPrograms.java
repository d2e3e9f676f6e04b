package org.restorej.comm;

import static org.restorej.comm.testing.Messages.await;

import java.util.List;
import org.restorej.comm.Communicator.Agreement;
import org.restorej.comm.Communicator.PendingAgreement;
import org.restorej.comm.testing.Checks;
import org.restorej.comm.testing.ContractProgram;

/** Programs of the contract about agreements on several communicators of the same PEs that are pending at once. */
final class SeveralAgreementsPrograms {
    private static final int ROUNDS = 20;

    private SeveralAgreementsPrograms() {}

    static List<ContractProgram> all() {
        return List.of(
                new ContractProgram("agreementsOnTwoCommunicatorsAreBegunInAnyOrder", 1,
                        SeveralAgreementsPrograms::anyOrder),
                new ContractProgram("anAgreementIsBegunWhileOthersAreDecided", 2, SeveralAgreementsPrograms::behind),
                new ContractProgram("anAgreementIsPendingOverAShrinkOfAnother", 2, SeveralAgreementsPrograms::over),
                new ContractProgram("anAgreementGoesOnOnAClosedCommunicator", 2, SeveralAgreementsPrograms::closed));
    }

    /** Wherever failures can be simulated. */
    static List<ContractProgram> withFailures() {
        return List.of(
                new ContractProgram("agreementsAreBegunInAnyOrderAfterAFailure", 3, comm -> afterAFailure(comm, 0)),
                new ContractProgram("agreementsAreBegunInAnyOrderAfterAFailureOfTheLast", 3,
                        comm -> afterAFailure(comm, comm.size() - 1)),
                new ContractProgram("anotherThreadEndsAnAgreement", 2, SeveralAgreementsPrograms::endedByAnotherThread),
                new ContractProgram("anAgreementIsPendingOverEachFailure", 3, comm -> overEach(comm, false)),
                new ContractProgram("anAgreementIsPendingOverEachFailureOfTheFirst", 3, comm -> overEach(comm, true)))
                .stream().map(ContractProgram::ofSurvivors).toList();
    }

    /** Without one bit for each PE. */
    private static int own(Communicator comm) {
        return ~(1 << comm.originalRank().value());
    }

    private static int common(RankMap ranks) {
        int flags = -1;
        for (int rank = 0; rank < ranks.size(); rank++) {
            flags &= ~(1 << ranks.originalRankOf(rank));
        }
        return flags;
    }

    private static boolean isEven(Communicator comm) {
        return comm.originalRank().value() % 2 == 0;
    }

    /** Each PE has begun one of the two before any has begun both. */
    private static void anyOrder(Communicator comm) {
        try (Communicator left = comm.duplicate(); Communicator right = comm.duplicate()) {
            for (int round = 0; round < ROUNDS; round++) {
                PendingAgreement onLeft;
                PendingAgreement onRight;
                if (isEven(comm)) {
                    onLeft = left.iAgree(own(comm));
                    comm.barrier();
                    onRight = right.iAgree(round);
                } else {
                    onRight = right.iAgree(round);
                    comm.barrier();
                    onLeft = left.iAgree(own(comm));
                }
                onRight.await();
                Checks.equal(new Agreement(5, false), comm.agree(5), "agreement on a third");
                onLeft.await();
                Checks.equal(new Agreement(common(comm.ranks()), false), onLeft.agreement(), "left, round " + round);
                Checks.equal(new Agreement(round, false), onRight.agreement(), "right, round " + round);
            }
        }
    }

    /** The last PE begins one when the others have come to many agreements on another communicator. */
    private static void behind(Communicator comm) {
        boolean late = comm.rank() == comm.size() - 1;
        try (Communicator slow = comm.duplicate()) {
            PendingAgreement pending = late ? null : slow.iAgree(own(comm));
            for (int round = 0; round < ROUNDS; round++) {
                Checks.holds(pending == null || !pending.test(), "nobody has agreed without the last PE");
                Checks.equal(new Agreement(round, false), comm.agree(round), "agreement meanwhile");
            }
            if (pending == null) {
                pending = slow.iAgree(own(comm));
            }
            pending.await();
            Checks.equal(new Agreement(common(comm.ranks()), false), pending.agreement(), "the one that was pending");
        }
    }

    private static void over(Communicator comm) {
        try (Communicator other = comm.duplicate()) {
            PendingAgreement pending = isEven(comm) ? comm.iAgree(own(comm)) : null;
            try (Communicator shrunk = other.shrink()) {
                if (pending == null) {
                    pending = comm.iAgree(own(comm));
                }
                Checks.equal(new Agreement(5, false), shrunk.agree(5), "agreement on the new one");
                pending.await();
                Checks.equal(new Agreement(common(comm.ranks()), false), pending.agreement(), "pending agreement");
                await(shrunk.iBarrier());
            }
        }
    }

    /** One PE closes it at once, and another one later. */
    private static void closed(Communicator comm) {
        Communicator closed = comm.duplicate();
        PendingAgreement pending = closed.iAgree(own(comm));
        if (isEven(comm)) {
            closed.close();
        }
        Checks.equal(new Agreement(5, false), comm.agree(5), "agreement on another");
        pending.await();
        Checks.equal(new Agreement(common(comm.ranks()), false), pending.agreement(), "agreement on the closed one");
        closed.close();
    }

    /** Returns when all have it: a failure right behind would be one in the duplication to others. */
    private static Communicator duplicateOnAll(Communicator comm) {
        Communicator copy = comm.duplicate();
        comm.agree(1);
        return copy;
    }

    /** One communicator has lost the PE that has failed, the other one has it still. */
    private static void afterAFailure(Communicator comm, int failed) {
        try (Communicator before = duplicateOnAll(comm)) {
            FailureSimulation.of(comm).fail(failed);
            comm.revoke();
            try (Communicator after = comm.shrink()) {
                for (int round = 0; round < ROUNDS; round++) {
                    PendingAgreement onBefore;
                    PendingAgreement onAfter;
                    if (isEven(comm)) {
                        onBefore = before.iAgree(own(comm));
                        onAfter = after.iAgree(round);
                    } else {
                        onAfter = after.iAgree(round);
                        onBefore = before.iAgree(own(comm));
                    }
                    onBefore.await();
                    onAfter.await();
                    Checks.equal(new Agreement(common(after.ranks()), true), onBefore.agreement(),
                            "with the failed one");
                    Checks.equal(new Agreement(round, false), onAfter.agreement(), "without it");
                }
                await(after.iBarrier());
            }
        }
    }

    /** Each of two threads begins an agreement that the other one ends, before a failure and after it. */
    private static void endedByAnotherThread(Communicator comm) {
        PendingAgreement before = comm.iAgree(own(comm));
        Checks.inAnotherThread(() -> {
            before.await();
            Checks.equal(new Agreement(common(comm.ranks()), false), before.agreement(), "before a failure");
        });
        FailureSimulation.of(comm).fail(0);
        PendingAgreement[] after = new PendingAgreement[1];
        Checks.inAnotherThread(() -> after[0] = comm.iAgree(5));
        after[0].await();
        Checks.equal(5, after[0].agreement().flags(), "after a failure");
    }

    /** Until two are left: the PEs that began early are told of each failure by the shrink, before or after their own. */
    private static void overEach(Communicator world, boolean first) {
        Communicator comm = world;
        while (comm.size() > 2) {
            Communicator other = duplicateOnAll(comm);
            int failed = first ? 0 : comm.size() - 1;
            PendingAgreement pending = isEven(comm) && comm.rank() != failed ? other.iAgree(own(comm)) : null;
            FailureSimulation.of(comm).fail(failed);
            comm.revoke();
            Communicator survivors = comm.shrink();
            if (pending == null) {
                pending = other.iAgree(own(comm));
            }
            Checks.equal(new Agreement(5, false), survivors.agree(5), "agreement of the survivors");
            pending.await();
            Checks.equal(new Agreement(common(survivors.ranks()), true), pending.agreement(), "pending agreement");
            other.close();
            await(survivors.iBarrier());
            comm = survivors;
        }
    }
}
