package org.restorej.comm;

import org.restorej.comm.Communicator.Agreement;
import static org.restorej.comm.testing.Messages.await;
import static org.restorej.comm.testing.Messages.gatherNumbers;
import static org.restorej.comm.testing.Messages.number;
import static org.restorej.comm.testing.Messages.receiveNumber;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.restorej.comm.testing.Checks;
import org.restorej.comm.testing.ContractProgram;

/** Programs of the contract about {@link Communicator#split}. */
public final class SplitPrograms {
    private static final int CALLS = 30;

    private SplitPrograms() {}

    static List<ContractProgram> all() {
        return List.of(new ContractProgram("groupsKeepTheOrderAndTheOriginalRanks", 1, SplitPrograms::groups),
                new ContractProgram("messagesOfGroupsAndOfAllDoNotMix", 2, SplitPrograms::messages),
                new ContractProgram("aPeWithoutAColorIsInNoGroup", 1, SplitPrograms::none),
                new ContractProgram("groupsAreSplitDuplicatedAndShrunkToo", 4, SplitPrograms::again),
                new ContractProgram("aRevokedCommunicatorCannotBeSplit", 1, SplitPrograms::revoked).ofSurvivors(),
                new ContractProgram("aGroupIsRevokedByItself", 4, SplitPrograms::revokedGroup).ofSurvivors());
    }

    /** Wherever failures can be simulated. */
    static List<ContractProgram> withFailures() {
        return List.of(new ContractProgram("aSplitWithAFailedPeFailsOnAll", 2, SplitPrograms::split),
                new ContractProgram("aFailureInAGroupDisturbsNoOther", 4, SplitPrograms::inAGroup).ofSurvivors(),
                new ContractProgram("aFailureAmongAllIsOneInItsGroup", 4, SplitPrograms::amongAll));
    }

    private static void groups(Communicator comm) {
        // Colors in another order than the ranks.
        int color = 1 - comm.rank() % 2;
        List<OriginalRank> members = new ArrayList<>();
        for (int rank = comm.rank() % 2; rank < comm.size(); rank += 2) {
            members.add(OriginalRank.of(rank));
        }
        try (Communicator group = comm.split(color).orElseThrow()) {
            Checks.equal(members.size(), group.size(), "size of the group");
            Checks.equal(comm.rank() / 2, group.rank(), "rank in the group");
            Checks.equal(comm.originalRank(), group.originalRank(), "original rank");
            Checks.equal(comm.size(), group.ranks().originalSize(), "original size");
            Checks.holds(group.failedRanks().isEmpty(), "nobody of the group has failed");
            long[] ranks = gatherNumbers(group, comm.rank());
            for (int rank = 0; rank < group.size(); rank++) {
                Checks.equal(members.get(rank), OriginalRank.of((int) ranks[rank]), "member " + rank);
                Checks.equal(members.get(rank).value(), group.ranks().originalRankOf(rank), "by the map, " + rank);
            }
        }
    }

    private static void messages(Communicator comm) {
        int next = (comm.rank() + 1) % comm.size();
        int before = (comm.rank() + comm.size() - 1) % comm.size();
        try (Communicator group = comm.split(7).orElseThrow()) {
            List<Request> sent = List.of(comm.iSend(number(1), next, 3), group.iSend(number(2), next, 3));
            Checks.equal(2L, receiveNumber(group, before, 3), "message of the group");
            Checks.equal(1L, receiveNumber(comm, before, 3), "message of all");
            await(sent);
        }
    }

    private static void none(Communicator comm) {
        boolean chosen = comm.rank() == comm.size() - 1;
        Optional<Communicator> group = comm.split(chosen ? 0 : Communicator.NO_COLOR);
        Checks.equal(chosen, group.isPresent(), "in a group");
        group.ifPresent(alone -> {
            Checks.equal(1, alone.size(), "size of the group");
            long[] sum = {comm.rank()};
            alone.allReduce(sum, Reduction.SUM);
            Checks.equal((long) comm.rank(), sum[0], "sum");
            alone.close();
        });
        Checks.equal(Optional.empty(), comm.split(Integer.MIN_VALUE), "group without a color");
    }

    private static void again(Communicator comm) {
        try (Communicator half = comm.split(comm.rank() * 2 / comm.size()).orElseThrow();
                Communicator odd = half.split(half.rank() % 2).orElseThrow();
                Communicator copy = odd.duplicate();
                Communicator shrunk = copy.shrink()) {
            Checks.equal(odd.ranks(), shrunk.ranks(), "ranks");
            Checks.equal(new Agreement(4, false), shrunk.agree(4), "agreement of the group");
            long[] sum = {1};
            shrunk.allReduce(sum, Reduction.SUM);
            Checks.equal((long) shrunk.size(), sum[0], "members");
            await(comm.iBarrier());
        }
    }

    private static void revoked(Communicator comm) {
        comm.revoke();
        Checks.throwing(CommunicatorRevokedException.class, () -> comm.split(0), "split after revoke");
    }

    private static void revokedGroup(Communicator comm) {
        int color = comm.rank() * 2 / comm.size();
        try (Communicator group = comm.split(color).orElseThrow()) {
            if (color == 0) {
                group.revoke();
                Checks.throwing(CommunicatorRevokedException.class, () -> await(group.iBarrier()), "barrier");
            } else {
                reduceOften(group);
            }
            await(comm.iBarrier());
            Checks.holds(group.isRevoked() == (color == 0), "the other group is as it was");
        }
    }

    private static void reduceOften(Communicator group) {
        for (int call = 0; call < CALLS; call++) {
            long[] sum = {1};
            group.allReduce(sum, Reduction.SUM);
            Checks.equal((long) group.size(), sum[0], "members");
        }
    }

    private static void split(Communicator comm) {
        int failed = comm.size() - 1;
        ((FailureSimulation) comm).fail(failed);
        ProcessFailedException failure = Checks.throwing(ProcessFailedException.class, () -> comm.split(0), "split");
        SortedSet<OriginalRank> known = failure.failedRanks();
        known.remove(OriginalRank.of(failed));
        Checks.equal(new TreeSet<>(), known, "other failed original ranks");
        try (Communicator survivors = comm.shrink(); Communicator group = survivors.split(0).orElseThrow()) {
            Checks.equal(survivors.ranks(), group.ranks(), "ranks of the group");
            reduceOften(group);
        }
    }

    private static void failsHere(Communicator communicator) {
        RuntimeException met = Checks.throwing(RuntimeException.class, () -> await(communicator.iBarrier()), "barrier");
        Checks.holds(met instanceof ProcessFailedException || met instanceof CommunicatorRevokedException,
                "a failure: " + met);
    }

    /** Splits, and returns when all have their groups: a failure right behind would be one in the split to others. */
    public static Optional<Communicator> splitOnAll(Communicator comm, int color) {
        Optional<Communicator> group = comm.split(color);
        comm.agree(1);
        return group;
    }

    private static void inAGroup(Communicator comm) {
        int color = comm.rank() * 2 / comm.size();
        try (Communicator group = splitOnAll(comm, color).orElseThrow()) {
            if (color == 1) {
                int victim = group.ranks().originalRankOf(0);
                ((FailureSimulation) group).fail(0);
                failsHere(group);
                group.revoke();
                try (Communicator survivors = group.shrink()) {
                    Checks.holds(survivors.ranks().currentRankOf(victim) < 0, "the failed PE is left out");
                    reduceOften(survivors);
                }
            } else {
                reduceOften(group);
                Checks.equal(new TreeSet<>(), group.failedRanks(), "failed of this group");
            }
            goOnWithout(comm, (comm.size() + 1) / 2);
            if (color == 0) {
                reduceOften(group);
            }
        }
    }

    /** A failure that only some know of at first is one to all. */
    private static void goOnWithout(Communicator comm, int failed) {
        failsHere(comm);
        comm.revoke();
        Checks.equal(new Agreement(5, true), comm.agree(5), "agreement of all");
        try (Communicator survivors = comm.shrink()) {
            Checks.equal(comm.ranks().without(failed), survivors.ranks(), "survivors");
            reduceOften(survivors);
            Checks.equal(new Agreement(5, false), survivors.agree(5), "agreement of the survivors");
            await(survivors.iBarrier());
        }
    }

    private static void amongAll(Communicator comm) {
        int color = comm.rank() % 2;
        try (Communicator group = splitOnAll(comm, color).orElseThrow()) {
            ((FailureSimulation) comm).fail(0);
            if (color == 0) {
                failsHere(group);
                try (Communicator survivors = group.shrink()) {
                    Checks.equal(group.size() - 1, survivors.size(), "survivors");
                    reduceOften(survivors);
                }
            } else {
                reduceOften(group);
            }
            try (Communicator survivors = comm.shrink()) {
                Checks.equal(comm.size() - 1, survivors.size(), "survivors of all");
                reduceOften(survivors);
                await(survivors.iBarrier());
            }
        }
    }
}
