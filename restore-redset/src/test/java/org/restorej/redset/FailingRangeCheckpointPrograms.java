package org.restorej.redset;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import it.unimi.dsi.fastutil.ints.IntSet;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.restorej.ReStore;
import org.restorej.block.IrrecoverableDataLossException;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;

/** What checkpoints of blocks promise when processes die: they are the second tier of the store. */
public final class FailingRangeCheckpointPrograms implements ContractSuite {
    /**
     * What processes do that threads don't: their disks and communicators are left behind. Each takes a job of its own.
     */
    private static final List<ContractProgram> OF_PROCESSES = List.of(
            new ContractProgram("a pull reads what all holders of a range took with them", 4,
                    FailingRangeCheckpointPrograms::pullsWhenAllHoldersHaveFailed),
            new ContractProgram("a pull of what files have lost too says that a load rebuilds them", 3,
                    FailingRangeCheckpointPrograms::pullsNothingThatFilesHaveLost),
            new ContractProgram("fewer PEs load what more have saved", 3,
                    FailingRangeCheckpointPrograms::loadsWithFewer));

    /** All programs, which run on threads. */
    public static final List<ContractProgram> ALL = Stream.concat(OF_PROCESSES.stream(), Stream.of(
            new ContractProgram("a pull reads what no memory has from the files", 2,
                    FailingRangeCheckpointPrograms::pullsFromFiles),
            new ContractProgram("blocks of different sizes are read from files", 3,
                    FailingRangeCheckpointPrograms::pullsDifferentSizes),
            new ContractProgram("blocks of an older generation are not mixed in", 2,
                    FailingRangeCheckpointPrograms::refusesOldBlocks),
            new ContractProgram("blocks of another store are not mixed in", 2,
                    FailingRangeCheckpointPrograms::refusesBlocksOfAnotherStore)))
            .toList();

    @Override
    public List<ContractProgram> programs() {
        return OF_PROCESSES;
    }

    private static void requireEverything(CheckpointJob survivors, ReStore store) {
        store.recover(survivors.world());
        holds(!store.lostBlocks().isEmpty(), "blocks are lost");
        CheckpointJob.CONTENT.pullAndCheck(store, CheckpointJob.EVERYTHING);
    }

    private static void pullsFromFiles(Communicator world) {
        CheckpointJob job = CheckpointJob.on(world);
        try (RangeCheckpoint checkpoint = job.checkpoint(Scheme.single()); ReStore store = job.store(checkpoint)) {
            job.submit(store);
            checkpoint.save(1, store, job.share());
            CheckpointJob survivors = job.kill(IntSet.of(world.size() - 1));
            requireEverything(survivors, store);
            survivors.end();
        }
    }

    private static void pullsWhenAllHoldersHaveFailed(Communicator world) {
        CheckpointJob job = CheckpointJob.on(world);
        int shift = world.size() / 2;
        try (RangeCheckpoint checkpoint = job.checkpoint(Scheme.rs(2)); ReStore store = job.store(checkpoint, 2)) {
            job.submit(store);
            checkpoint.save(1, store, job.share());
            CheckpointJob survivors = job.kill(IntSet.of(1, 1 + shift));
            requireEverything(survivors, store);
            survivors.end();
        }
    }

    private static void pullsNothingThatFilesHaveLost(Communicator world) {
        CheckpointJob job = CheckpointJob.on(world);
        int victim = world.size() - 2;
        try (RangeCheckpoint checkpoint = job.checkpoint(Scheme.xor()); ReStore store = job.store(checkpoint)) {
            job.submit(store);
            checkpoint.save(1, store, job.share());
            CheckpointJob survivors = job.kill(IntSet.of(victim));
            if (survivors.world().rank() == 0) {
                CheckpointJob.remove(job.disk(victim));
            }
            survivors.barrier();
            store.recover(survivors.world());
            requireReason(store, "a load by all ranks also rebuilds lost files");
            holds(!Files.exists(job.disk(victim)), "a pull only reads where checkpoints are");
            survivors.end();
        }
    }

    private static void pullsDifferentSizes(Communicator world) {
        CheckpointJob job = CheckpointJob.on(world);
        try (RangeCheckpoint checkpoint = job.checkpoint(Scheme.partner(1));
                ReStore store = RangeCheckpointPrograms.variableStore(world, checkpoint)) {
            RangeCheckpointPrograms.submitDifferentSizes(job, store);
            checkpoint.save(1, store, job.share());
            CheckpointJob survivors = job.kill(IntSet.of(world.size() - 1));
            store.recover(survivors.world());
            holds(!store.lostBlocks().isEmpty(), "blocks are lost");
            store.pull(store.lostBlocks(), RangeCheckpointPrograms::checkDifferentSize);
            survivors.end();
        }
    }

    private static void loadsWithFewer(Communicator world) {
        CheckpointJob job = CheckpointJob.on(world);
        try (RangeCheckpoint checkpoint = job.checkpoint(Scheme.xor()); ReStore store = job.store(checkpoint)) {
            job.submit(store);
            checkpoint.save(1, store, job.share());
            CheckpointJob fewer = job.kill(IntSet.of(world.size() - 1));
            if (fewer.world().rank() == 0) {
                CheckpointJob.remove(job.disk(1));
            }
            fewer.barrier();
            try (RangeCheckpoint restarted = fewer.restarted(world.size()); ReStore fresh = fewer.store(restarted)) {
                equal(1L, restarted.load(fresh).orElseThrow().id(), "loaded");
                CheckpointJob.CONTENT.pullAndCheck(fresh, CheckpointJob.EVERYTHING);
                fewer.end();
            }
        }
    }

    private static void requireReason(ReStore store, String reason) {
        IrrecoverableDataLossException loss = throwing(IrrecoverableDataLossException.class,
                () -> CheckpointJob.CONTENT.pullAndCheck(store, CheckpointJob.EVERYTHING), "a pull of lost blocks");
        holds(Arrays.stream(loss.getSuppressed()).anyMatch(told -> String.valueOf(told.getMessage()).contains(reason)),
                "the reason is told: " + List.of(loss.getSuppressed()));
    }

    private static void refusesOldBlocks(Communicator world) {
        CheckpointJob job = CheckpointJob.on(world);
        try (RangeCheckpoint checkpoint = job.checkpoint(Scheme.single()); ReStore store = job.store(checkpoint)) {
            job.submit(store);
            checkpoint.save(1, store, job.share());
            job.submit(store);
            CheckpointJob survivors = job.kill(IntSet.of(world.size() - 1));
            store.recover(survivors.world());
            requireReason(store, "generation 1, and the store is at 2");
            survivors.end();
        }
    }

    private static void refusesBlocksOfAnotherStore(Communicator world) {
        CheckpointJob job = CheckpointJob.on(world);
        try (RangeCheckpoint checkpoint = job.checkpoint(Scheme.single());
                ReStore saved = job.store(checkpoint);
                ReStore other = job.store(checkpoint)) {
            job.submit(saved);
            checkpoint.save(1, saved, job.share());
            job.submit(other);
            CheckpointJob survivors = job.kill(IntSet.of(world.size() - 1));
            other.recover(survivors.world());
            requireReason(other, "another store than the one that reads");
            requireEverything(survivors, saved);
            survivors.end();
        }
    }
}
