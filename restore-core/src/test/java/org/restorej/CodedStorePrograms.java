package org.restorej;

import static org.restorej.CheckedStorePrograms.layout;
import static org.restorej.FailingStorePrograms.BLOCKS;
import static org.restorej.FailingStorePrograms.kill;
import static org.restorej.HealingStorePrograms.sumOverPes;
import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.block.InvalidSubmissionException;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.internal.placement.CodedLayout;

/** What a store promises whose blocks are coded. */
public final class CodedStorePrograms implements ContractSuite {
    /** In these PEs fail; each needs a job of its own, since it leaves failed PEs behind. */
    private static final List<ContractProgram> WITH_FAILURES = List.of(
            new ContractProgram("asManyPesMayFailAsThereAreParityParts", 3, CodedStorePrograms::parityPartsMayFail),
            new ContractProgram("blocksMayBeSubmittedInAnyPieces", 3, CodedStorePrograms::anyPieces),
            new ContractProgram("lostPartsAreMadeAnewAsLongAsTheyCan", 3, CodedStorePrograms::downToTheLast),
            new ContractProgram("rowsOfSeveralPermutationRangesAreCoded", 3, CodedStorePrograms::rowsOfSeveralRanges),
            new ContractProgram("aCellWithoutBlocksIsMadeAnewToo", 3, CodedStorePrograms::aCellWithoutBlocks),
            new ContractProgram("beyondParityOnlyWhatTheFailedHadIsLost", 3, CodedStorePrograms::beyondParity),
            new ContractProgram("damageBesideAFailureIsRepaired", 4, CodedStorePrograms::damageBesideAFailure),
            new ContractProgram("pendingSubmitsAreCodedToo", 3, CodedStorePrograms::pendingSubmits),
            new ContractProgram("aSpareGetsThePartsOfWhoseRankItTakes", 4, CodedStorePrograms::spares));

    /** In these all stay alive. */
    static final List<ContractProgram> WITHOUT_FAILURES = List.of(
            new ContractProgram("memoryIsThatOfDataAndParity", 3, CodedStorePrograms::memory),
            new ContractProgram("missingAndRepeatedBlocksAreNamed", 3, CodedStorePrograms::faultySubmissions),
            new ContractProgram("damageIsOnePartLess", 3, CodedStorePrograms::damage),
            new ContractProgram("changesAreRefused", 3, CodedStorePrograms::changes),
            new ContractProgram("wrongCodesAreRefusedOnAllPes", 2, CodedStorePrograms::wrongCodes));

    static final List<ContractProgram> ALL = Stream.concat(WITH_FAILURES.stream(), WITHOUT_FAILURES.stream()).toList();

    private static final TestBlocks CONTENT = new TestBlocks(24, 1);
    private static final BlockRanges EVERYTHING = BlockRanges.of(0, BLOCKS);

    @Override
    public List<ContractProgram> programs() {
        return WITH_FAILURES;
    }

    private static int parityParts(int pes) {
        return pes == 3 ? 1 : 2;
    }

    /** Of one part less than there are PEs, where these are many. */
    private static ReStoreBuilder builder(Communicator world, int pes) {
        int parts = pes > 5 ? pes - 2 : pes;
        return ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(CONTENT.blockSizeBytes())
                .coded(parts - parityParts(pes), parityParts(pes)).permutationRangeBlocks(7).ringPoints(5);
    }

    private static void says(RuntimeException refusal, String part) {
        holds(String.valueOf(refusal.getMessage()).contains(part), part + " is in " + refusal.getMessage());
    }

    private static ReStore store(Communicator world) {
        ReStore store = builder(world, world.size()).build();
        FailingStorePrograms.submit(world, store, CONTENT);
        return store;
    }

    private static void parityPartsMayFail(Communicator world) {
        try (ReStore store = store(world)) {
            CONTENT.pullAndCheck(store, EVERYTHING);
            Communicator comm = world;
            for (int failures = 1; failures <= parityParts(world.size()); failures++) {
                comm = kill(comm, comm.size() - failures);
                store.recover(comm);
                equal(BlockRanges.EMPTY, store.lostBlocks(), "lost blocks");
                CONTENT.pullAndCheck(store, EVERYTHING);
                CONTENT.pullAndCheck(store, BlockRanges.of(BlockRange.of(comm.rank(), 1), BlockRange.of(30, 9)));
            }
            equal(1L, (long) Long.signum(store.report().blocksAtRisk()), "blocks one failure from loss");
            // A generation of those that are left survives as many again, as long as there are enough.
            new TestBlocks(24, 2).pullAndCheck(resubmitted(comm, store), EVERYTHING);
        }
    }

    private static ReStore resubmitted(Communicator comm, ReStore store) {
        FailingStorePrograms.submit(comm, store, new TestBlocks(24, 2));
        return store;
    }

    private static void memory(Communicator world) {
        try (ReStore store = store(world)) {
            CodedLayout layout = layout(store);
            long cells = layout.rowCount() * layout.parts();
            equal(cells * layout.cellBlocks() * CONTENT.blockSizeBytes(), sumOverPes(world, store.replicaBytes()),
                    "bytes of all parts");
            holds(cells * layout.cellBlocks() < BLOCKS * 2L * layout.parts() / layout.dataParts(),
                    "little more than data and parity");
        }
    }

    private static void anyPieces(Communicator world) {
        try (ReStore store = builder(world, world.size()).build()) {
            Submission submission = new Submission();
            // Neighbouring blocks come from different PEs, in runs of up to three blocks.
            for (long first = 0; first < BLOCKS; first += 3) {
                if (first / 3 % world.size() == world.rank()) {
                    submission.add(BlockRange.of(first, Math.min(3, BLOCKS - first)), CONTENT::write);
                }
            }
            store.submit(submission);
            equal(0L, store.scrub().damagedReplicas(), "damaged parts");
            Communicator comm = kill(world, 0);
            store.recover(comm);
            CONTENT.pullAndCheck(store, EVERYTHING);
        }
    }

    private static void faultySubmissions(Communicator world) {
        try (ReStore store = store(world)) {
            InvalidSubmissionException refusal = throwing(InvalidSubmissionException.class,
                    () -> store.submit(world.rank() == 0
                            ? new Submission().add(BlockRange.of(0, 20), CONTENT::write)
                                    .add(BlockRange.of(19, BLOCKS - 20), CONTENT::write)
                            : new Submission()),
                    "one block twice and the last one missing");
            says(refusal, "{19}");
            says(refusal, "{" + (BLOCKS - 1) + "}");
            CONTENT.pullAndCheck(store, EVERYTHING);
        }
    }

    /** Where fewer PEs are alive than there are parts, some have several: until one of them has too many. */
    private static void downToTheLast(Communicator world) {
        try (ReStore store = store(world)) {
            Communicator comm = world;
            long bytes = sumOverPes(comm, store.replicaBytes());
            while (store.risk().fewestFailuresUntilLoss() > 1 && comm.size() > 1) {
                comm = kill(comm, comm.size() % 2 == 0 ? 0 : comm.size() - 1);
                store.recover(comm);
                CONTENT.pullAndCheck(store, EVERYTHING);
                long copied = sumOverPes(comm, store.replenish());
                holds(copied > 0, "something is made anew on " + comm.size() + " PEs");
                equal(bytes, sumOverPes(comm, store.replicaBytes()),
                        "bytes of all parts, those moved freed by the former holders");
                equal(0L, sumOverPes(comm, store.replenish()), "bytes received in a second replenishment");
                equal(0L, store.scrub().damagedReplicas(), "damaged parts");
                CONTENT.pullAndCheck(store, EVERYTHING);
                equal(0L, store.report().blocksLost(), "lost blocks");
                equal(store.risk().fewestFailuresUntilLoss() == 1, store.report().blocksAtRisk() > 0,
                        "some blocks are one failure from loss");
            }
            holds(comm.size() < layout(store).parts(), "fewer than parts are left: " + comm.size());
        }
    }

    /** Of many stores, since it takes luck that neighbours meet in a row, and in the wrong order. */
    private static void rowsOfSeveralRanges(Communicator world) {
        int parts = Math.min(4, world.size());
        List<ReStore> stores = new ArrayList<>();
        for (long seed = 0; seed < 20; seed++) {
            stores.add(ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(CONTENT.blockSizeBytes())
                    .coded(parts - parityParts(parts), parityParts(parts)).permutationRangeBlocks(1).seed(seed)
                    .build());
            stores.getLast().submit(world.rank() == 0
                    ? new Submission().add(BlockRange.of(0, BLOCKS), CONTENT::write)
                    : new Submission());
        }
        Communicator comm = kill(world, IntStream.range(0, parityParts(parts)).toArray());
        for (ReStore store : stores) {
            store.recover(comm);
            CONTENT.pullAndCheck(store, EVERYTHING);
            store.close();
        }
    }

    /** The last row has a data cell without blocks. */
    private static void aCellWithoutBlocks(Communicator world) {
        TestBlocks content = new TestBlocks(8, 1);
        try (ReStore store = ReStore.builder(world).blocks(5).blockSizeBytes(8).coded(2, 1).permutationRangeBlocks(2)
                .build()) {
            store.submit(world.rank() == 0
                    ? new Submission().add(BlockRange.of(0, 5), content::write)
                    : new Submission());
            Communicator comm = world;
            while (store.risk().fewestFailuresUntilLoss() > 1) {
                comm = kill(comm, 0);
                store.recover(comm);
                content.pullAndCheck(store, BlockRanges.of(0, 5));
                store.replenish();
                equal(0L, store.scrub().damagedReplicas(), "damaged parts");
            }
        }
    }

    private static void beyondParity(Communicator world) {
        try (ReStore store = store(world)) {
            int failures = parityParts(world.size()) + 1;
            CodedLayout layout = layout(store);
            // All of them have parts of range 0.
            int[] victims = IntStream.range(0, failures).map(part -> layout.placement().holder(0, part)).toArray();
            Communicator comm = kill(world, victims);
            store.recover(comm);
            BlockRanges lost = store.lostBlocks();
            holds(lost.blockCount() > 0 && lost.blockCount() < BLOCKS, "some blocks are lost: " + lost);
            IrrecoverableDataLossException loss = throwing(IrrecoverableDataLossException.class,
                    () -> CONTENT.pullAndCheck(store, EVERYTHING), "a pull of lost blocks");
            equal(lost, loss.lostBlocks(), "lost blocks");
            CONTENT.pullAndCheck(store, EVERYTHING.minus(lost));
            store.replenish();
            equal(lost, store.lostBlocks(), "lost blocks");
            CONTENT.pullAndCheck(store, EVERYTHING.minus(lost));
            equal(0L, store.scrub().damagedReplicas(), "damaged parts");
        }
    }

    private static void damage(Communicator world) {
        try (ReStore store = store(world)) {
            CheckedStorePrograms.flip(store, 17, 0);
            CheckedStorePrograms.flip(store, 55, 0);
            CONTENT.pullAndCheck(store, BlockRanges.of(10, 30));
            CONTENT.pullAndCheck(store, EVERYTHING);
            equal(2, store.report().damagedReplicas(), "damaged parts");
            equal(BlockRanges.EMPTY, store.lostBlocks(), "lost blocks");
            store.replenish();
            equal(0, store.report().damagedReplicas(), "damaged parts after a repair");
            equal(0L, store.scrub().damagedReplicas(), "damaged parts after a repair");
            CONTENT.pullAndCheck(store, EVERYTHING);
        }
    }

    private static void damageBesideAFailure(Communicator world) {
        try (ReStore store = store(world)) {
            Communicator comm = kill(world, world.size() - 1);
            store.recover(comm);
            damageOnePartOfEachRow(store);
            CONTENT.pullAndCheck(store, EVERYTHING);
            store.replenish();
            equal(0L, store.scrub().damagedReplicas(), "damaged parts after a repair");
            equal(0L, store.report().blocksLost(), "lost blocks");
            comm = kill(comm, 0);
            store.recover(comm);
            CONTENT.pullAndCheck(store, EVERYTHING);
        }
    }

    private static void damageOnePartOfEachRow(ReStore store) {
        Set<Long> rows = new HashSet<>();
        for (long block = 3; block < BLOCKS; block++) {
            if (rows.add(layout(store).rowOf(store.state().layout().permutation().positionOf(block)))) {
                CheckedStorePrograms.flip(store, block, 0);
            }
        }
    }

    /** Parts of PE 0 have gone to others; where PE 5 had parts of the same rows, they go on to others again. */
    static void damagedPartsMove(Communicator world) {
        try (ReStore store = store(world)) {
            Communicator comm = kill(world, 0);
            store.recover(comm);
            store.replenish();
            damageOnePartOfEachRow(store);
            equal(layout(store).rowCount(), store.scrub().damagedReplicas(), "damaged parts");
            comm = kill(comm, 4);
            store.recover(comm);
            store.replenish();
            equal(0L, store.scrub().damagedReplicas(), "damaged parts after a repair");
            CONTENT.pullAndCheck(store, EVERYTHING);
        }
    }

    private static void pendingSubmits(Communicator world) {
        TestBlocks second = new TestBlocks(24, 2);
        try (ReStore store = store(world)) {
            long share = Math.ceilDiv(BLOCKS, world.size());
            long first = Math.min(BLOCKS, share * world.rank());
            BlockRange mine = BlockRange.of(first, Math.min(share, BLOCKS - first));
            List<PendingOperation<StagedSubmission>> pending = new ArrayList<>();
            pending.add(store.stageAsync(new Submission().add(mine, second::write)));
            StagedSubmission.commitTogether(pending.stream().map(PendingOperation::await).toList());
            Communicator comm = kill(world, 0);
            store.recover(comm);
            second.pullAndCheck(store, EVERYTHING);
        }
    }

    private static void spares(Communicator world) {
        try (ReStore store = builder(world, world.size() - 1).spares(1).build()) {
            FailingStorePrograms.submit(world, store, CONTENT);
            Communicator comm = kill(world, 1);
            store.recover(comm);
            CONTENT.pullAndCheck(store, EVERYTHING);
            store.replenish();
            equal(BLOCKS, store.report().blocksByReplicas().getLast(), "blocks with all parts");
            equal(0L, store.scrub().damagedReplicas(), "damaged parts");
            comm = kill(comm, 0);
            store.recover(comm);
            CONTENT.pullAndCheck(store, EVERYTHING);
        }
    }

    private static void changes(Communicator world) {
        TestBlocks changed = new TestBlocks(24, 2);
        try (ReStore store = store(world)) {
            IllegalStateException refusal = throwing(IllegalStateException.class,
                    () -> store.submitChanges(new Submission().add(BlockRange.of(world.rank(), 1), changed::write)),
                    "changes of coded blocks");
            says(refusal, "this store has coded blocks: submit all blocks");
            CONTENT.pullAndCheck(store, EVERYTHING);
        }
    }

    private static void wrongCodes(Communicator world) {
        refused(world, ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(8).coded(world.size(), 1),
                "together, the number of PEs: dataParts=" + world.size() + ", parityParts=1");
        refused(world, ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(8).coded(1, 0),
                "parityParts of coded must be at least 1: parityParts=0");
        refused(world, ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(8).coded(0, 1),
                "dataParts of coded must be at least 1: dataParts=0");
        refused(world, ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(8).coded(250, 6),
                "at most 255 together: dataParts=250, parityParts=6");
        refused(world, ReStore.builder(world).blocks(BLOCKS).variableBlockSizes(20).coded(1, 1),
                "coded needs blocks of one size (blockSizeBytes, rows, or objects whose serializer has a fixed size): "
                        + "coded(1, 1), variableBlockSizes(20)");
        refused(world, ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(8)
                .coded(1, 1).failureDomain("one for all"), "floor(P / (k + m)) = ");
    }

    private static void refused(Communicator world, ReStoreBuilder builder, String why) {
        IllegalArgumentException refusal = throwing(IllegalArgumentException.class, builder::build, why);
        says(refusal, why);
        sumOverPes(world, 1);
    }
}
