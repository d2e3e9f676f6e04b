package org.restorej.redset;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.TestBlocks;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.Checks;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.redset.internal.files.FailingFileOperations;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PendingFile;

/** What checkpoints of blocks promise while all processes live. */
public final class RangeCheckpointPrograms implements ContractSuite {
    /** All programs; they leave everybody alive. */
    public static final List<ContractProgram> ALL = List.of(
            new ContractProgram("as many PEs load what they saved, after losing a disk", 2,
                    RangeCheckpointPrograms::loadsWithAsMany),
            new ContractProgram("a job of another size loads what was saved, after losing a disk", 1,
                    RangeCheckpointPrograms::loadsWhatAnotherJobSaved),
            new ContractProgram("blocks of different sizes are loaded", 2,
                    RangeCheckpointPrograms::loadsDifferentSizes),
            new ContractProgram("damage that is found when blocks are read is repaired", 2,
                    RangeCheckpointPrograms::repairsDamage),
            new ContractProgram("a newest checkpoint that turns out to be damaged is passed over, and that is told", 2,
                    RangeCheckpointPrograms::passesOverTheDamaged),
            new ContractProgram("an id that is not new is refused, and nothing is lost", 2,
                    RangeCheckpointPrograms::refusesIds),
            new ContractProgram("arguments that are wrong on one PE are refused on all", 2,
                    RangeCheckpointPrograms::refusesWrongArguments),
            new ContractProgram("a checkpoint of data of another meaning is refused, and both are named", 2,
                    RangeCheckpointPrograms::refusesAnotherMeaning),
            new ContractProgram("shares that overlap are refused, and what was saved stays", 2,
                    RangeCheckpointPrograms::refusesSharesThatOverlap),
            new ContractProgram("a PE that can't write leaves nothing behind on the others", 2,
                    RangeCheckpointPrograms::leavesNothingBehind),
            new ContractProgram("what is missing is named", 3, RangeCheckpointPrograms::namesWhatIsMissing));

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static void loadsWithAsMany(Communicator world) {
        CheckpointJob job = CheckpointJob.on(world);
        try (RangeCheckpoint first = job.checkpoint(Scheme.xor()); ReStore store = job.store(first)) {
            equal(Optional.empty(), first.load(store), "loaded from nothing");
            job.submit(store);
            first.save(1, store, job.share());
            equal(2L, first.nextId(), "next id");
            first.save(2, store, job.share());
        }
        if (world.rank() == 1) {
            CheckpointJob.remove(job.disk(1));
        }
        job.barrier();
        try (RangeCheckpoint second = job.checkpoint(Scheme.xor()); ReStore store = job.store(second)) {
            RangeCheckpoint.Loaded loaded = second.load(store).orElseThrow();
            equal(2L, loaded.id(), "loaded");
            equal(Set.of(), loaded.skipped().keySet(), "passed over");
            CheckpointJob.CONTENT.pullAndCheck(store, CheckpointJob.EVERYTHING);
            holds(Files.exists(job.file(1, 2, "1.blocks")), "the lost file is there again");
        }
        job.end();
    }

    private static void loadsWhatAnotherJobSaved(Communicator world) {
        for (int writers : new int[]{Math.max(2, world.size() - 1), world.size() + 2}) {
            CheckpointJob job = CheckpointJob.on(world);
            job.saveAsAnotherJob(writers, 3);
            if (world.rank() == 0) {
                CheckpointJob.remove(job.disk(1));
            }
            job.barrier();
            try (RangeCheckpoint restarted = job.restarted(writers); ReStore store = job.store(restarted)) {
                equal(3L, restarted.load(store).orElseThrow().id(), "loaded");
                CheckpointJob.CONTENT.pullAndCheck(store, CheckpointJob.EVERYTHING);
                restarted.save(restarted.nextId(), store, job.share());
            }
            job.end();
        }
    }

    static ReStore variableStore(Communicator world, RangeCheckpoint checkpoint) {
        return ReStore.builder(world).blocks(CheckpointJob.BLOCKS).variableBlockSizes(6).replication(1)
                .permutationRangeBlocks(7).fallback(checkpoint.fallback()).build();
    }

    static void submitDifferentSizes(CheckpointJob job, ReStore store) {
        Submission submission = new Submission();
        job.share().runs()
                .forEach(run -> submission.add(run, id -> id % 5 * 3, (id, block) -> block.fill((byte) id)));
        store.submit(submission);
    }

    static void checkDifferentSize(long id, MemorySegment block) {
        byte[] expected = new byte[(int) (id % 5 * 3)];
        Arrays.fill(expected, (byte) id);
        equal((long) expected.length, block.byteSize(), "size of block " + id);
        holds(block.mismatch(MemorySegment.ofArray(expected)) < 0, "content of block " + id);
    }

    private static void loadsDifferentSizes(Communicator world) {
        CheckpointJob job = CheckpointJob.on(world);
        try (RangeCheckpoint checkpoint = job.checkpoint(Scheme.partner(1));
                ReStore store = variableStore(world, checkpoint);
                ReStore other = variableStore(world, checkpoint)) {
            submitDifferentSizes(job, store);
            checkpoint.save(1, store, job.share());
            equal(1L, checkpoint.load(other).orElseThrow().id(), "loaded");
            long[] seen = new long[1];
            other.pull(CheckpointJob.EVERYTHING, (id, block) -> {
                checkDifferentSize(id, block);
                seen[0]++;
            });
            equal(CheckpointJob.BLOCKS, seen[0], "blocks");
        }
        job.end();
    }

    private static void repairsDamage(Communicator world) {
        CheckpointJob job = CheckpointJob.on(world);
        try (RangeCheckpoint checkpoint = job.checkpoint(Scheme.xor()); ReStore store = job.store(checkpoint)) {
            job.submit(store);
            checkpoint.save(1, store, job.share());
            Path file = job.file(1, 1, "1.blocks");
            byte[] sound = read(file);
            job.barrier();
            if (world.rank() == 1) {
                job.damageBlocks(1, 1);
            }
            job.barrier();
            equal(1L, checkpoint.load(store).orElseThrow().id(), "loaded");
            CheckpointJob.CONTENT.pullAndCheck(store, CheckpointJob.EVERYTHING);
            holds(Arrays.equals(sound, read(file)), "the damaged file is as it was");
        }
        job.end();
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void passesOverTheDamaged(Communicator world) {
        CheckpointJob job = CheckpointJob.on(world);
        TestBlocks newer = new TestBlocks(CheckpointJob.CONTENT.blockSizeBytes(), 2);
        try (RangeCheckpoint checkpoint = job.checkpoint(Scheme.xor()); ReStore store = job.store(checkpoint)) {
            job.submit(store);
            checkpoint.save(1, store, job.share());
            job.submit(store, newer);
            checkpoint.save(2, store, job.share());
        }
        job.barrier();
        if (world.rank() < 2) {
            job.damageBlocks(world.rank(), 2);
        }
        job.barrier();
        try (RangeCheckpoint checkpoint = job.checkpoint(Scheme.xor()); ReStore store = job.store(checkpoint)) {
            RangeCheckpoint.Loaded loaded = checkpoint.load(store).orElseThrow();
            equal(1L, loaded.id(), "loaded");
            equal(Set.of(2L), loaded.skipped().keySet(), "passed over");
            String reason = String.valueOf(loaded.skipped().get(2L));
            holds(reason.contains("can't rebuild all of these")
                    && reason.contains(job.file(0, 2, "0.blocks").toString())
                    && reason.contains(job.file(1, 2, "1.blocks").toString()), "the reason is told: " + reason);
            CheckpointJob.CONTENT.pullAndCheck(store, CheckpointJob.EVERYTHING);
            checkpoint.save(2, store, job.share());
            equal(2L, checkpoint.load(store).orElseThrow().id(), "loaded after it was saved anew");
        }
        job.end();
    }

    private static void requireRefusal(String text, Checks.Action action) {
        IllegalArgumentException refused = throwing(IllegalArgumentException.class, action, text);
        holds(String.valueOf(refused.getMessage()).contains(text), "says \"" + text + "\": " + refused);
    }

    private static void refusesIds(Communicator world) {
        CheckpointJob job = CheckpointJob.on(world);
        try (RangeCheckpoint checkpoint = job.checkpoint(Scheme.xor()); ReStore store = job.store(checkpoint)) {
            job.submit(store);
            checkpoint.save(5, store, job.share());
            for (long id : new long[]{5, 4}) {
                requireRefusal("id must be greater than that of the checkpoint that is there, 5: id=" + id,
                        () -> checkpoint.save(id, store, job.share()));
            }
            requireRefusal("id must be the same on all ranks: id=6 on ranks [0], id=7 on ranks [1]",
                    () -> checkpoint.save(6L + world.rank(), store, job.share()));
            requireRefusal("id must be in [0, 10^18): id=-1", () -> checkpoint.save(-1, store, job.share()));
        }
        // A job that has not looked for checkpoints: one that is complete stays, one that is not may go.
        try {
            Files.createDirectories(job.disk(world.rank()).resolve("job/checkpoint.9"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        job.barrier();
        try (RangeCheckpoint checkpoint = job.checkpoint(Scheme.xor()); ReStore store = job.store(checkpoint)) {
            job.submit(store);
            requireRefusal("there, 5: id=5", () -> checkpoint.save(5, store, job.share()));
            equal(5L, checkpoint.load(store).orElseThrow().id(), "what was there");
            requireRefusal("there, 5: id=5", () -> checkpoint.save(5, store, job.share()));
            equal(10L, checkpoint.nextId(), "next id");
            checkpoint.save(9, store, job.share());
        }
        job.end();
    }

    private static <T> T onlyOn(int rank, Communicator world, T there, Supplier<T> elsewhere) {
        return world.rank() == rank ? there : elsewhere.get();
    }

    @SuppressWarnings("NullAway") // What a program without its checks may do.
    private static void refusesWrongArguments(Communicator world) {
        CheckpointJob job = CheckpointJob.on(world);
        try (RangeCheckpoint checkpoint = job.checkpoint(Scheme.xor()); ReStore store = job.store(checkpoint)) {
            requireRefusal("on rank 0: store must have blocks: nothing was submitted",
                    () -> checkpoint.save(1, store, job.share()));
            job.submit(store);
            requireRefusal("on rank 1: store must not be null",
                    () -> checkpoint.save(1, onlyOn(1, world, null, () -> store), job.share()));
            requireRefusal("on rank 1: share must not be null",
                    () -> checkpoint.save(1, store, onlyOn(1, world, null, job::share)));
            requireRefusal("on rank 1: share must be in [0, 300)", () -> checkpoint.save(1, store,
                    onlyOn(1, world, BlockRanges.of(299, 2), job::share)));
            requireRefusal(
                    "each of the 300 blocks once",
                    () -> checkpoint.save(1, store, BlockRanges.of(BlockRange.of(0, 1))));
            requireRefusal("on rank 1: store must not be null",
                    () -> checkpoint.load(onlyOn(1, world, null, () -> store)));
            checkpoint.save(1, store, job.share());
            try (ReStore larger = ReStore.builder(world).blocks(CheckpointJob.BLOCKS + 1).blockSizeBytes(24)
                    .replication(1).build()) {
                requireRefusal("the checkpoint has 300 blocks of 24 bytes, and the store is for 301 of 24 bytes",
                        () -> checkpoint.load(larger));
            }
        }
        job.end();
    }

    private static void refusesAnotherMeaning(Communicator world) {
        CheckpointJob job = CheckpointJob.on(world);
        String taxa = "taxa: cat, dog, cow";
        String others = "taxa: cat, cow, dog";
        try (RangeCheckpoint checkpoint = job.checkpoint(Scheme.xor()).describe(taxa);
                ReStore store = job.store(checkpoint)) {
            job.submit(store);
            checkpoint.describe(onlyOn(1, world, others, () -> taxa));
            requireRefusal("description must be the same on all ranks: " + others + " on ranks [1], " + taxa
                    + " on ranks [0", () -> checkpoint.save(1, store, job.share()));
            checkpoint.describe(onlyOn(1, world, "x".repeat(65_537), () -> taxa));
            requireRefusal("on rank 1: description must have at most 65536 bytes in UTF-8",
                    () -> checkpoint.save(1, store, job.share()));
            checkpoint.describe(taxa).save(1, store, job.share());
        }
        try (RangeCheckpoint another = job.checkpoint(Scheme.xor()).describe(others);
                ReStore store = job.store(another)) {
            requireRefusal("the checkpoint's blocks are described as \"dog, cow\", and this program describes them as "
                    + "\"cow, dog\", from character 11 on", () -> another.load(store));
            requireRefusal("this program describes them as \"\"", () -> another.describe("").load(store));
            equal(1L, another.describe(taxa).load(store).orElseThrow().id(), "loaded");
            CheckpointJob.CONTENT.pullAndCheck(store, CheckpointJob.EVERYTHING);
        }
        job.end();
    }

    private static void refusesSharesThatOverlap(Communicator world) {
        CheckpointJob job = CheckpointJob.on(world);
        try (RangeCheckpoint checkpoint = job.checkpoint(Scheme.xor()); ReStore store = job.store(checkpoint)) {
            job.submit(store);
            checkpoint.save(1, store, job.share());
            BlockRanges moved = world.rank() == 0
                    ? job.share().union(BlockRanges.of(299, 1)).minus(BlockRanges.of(5, 1))
                    : job.share();
            requireRefusal("each of the 300 blocks once", () -> checkpoint.save(2, store, moved));
            BlockRanges doubled = world.rank() == 0 ? moved.union(BlockRanges.of(5, 1)) : moved;
            requireRefusal("each of the 300 blocks once", () -> checkpoint.save(2, store, doubled));
            equal(1L, checkpoint.load(store).orElseThrow().id(), "what is there");
        }
        job.end();
    }

    private static void leavesNothingBehind(Communicator world) {
        CheckpointJob job = CheckpointJob.on(world);
        // Directories, the file, what it holds.
        for (int change = 0; change < 6; change++) {
            FailingFileOperations failing = new FailingFileOperations(change, false);
            FileOperations operations = onlyOn(1, world, failing, FileOperations::system);
            try (RangeCheckpoint checkpoint = job.checkpoint(Scheme.xor(), operations);
                    ReStore store = job.store(checkpoint)) {
                job.submit(store);
                RedsetException failure = throwing(RedsetException.class,
                        () -> checkpoint.save(1, store, job.share()), "a save without a disk");
                equal(Set.of(1), failure.failures().keySet(), "who complains");
                holds(world.rank() != 1 || failing.hasFailed(), "the disk has failed");
                requireNothingPending(job);
                checkpoint.save(1, store, job.share());
            }
            job.end();
            job.barrier();
        }
    }

    private static void requireNothingPending(CheckpointJob job) {
        job.barrier();
        Path disk = job.disk(job.world().rank());
        try (Stream<Path> files = Files.exists(disk) ? Files.walk(disk) : Stream.empty()) {
            equal(List.of(), files.filter(file -> file.toString().endsWith(PendingFile.EXTENSION)).toList(),
                    "temporary files");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void namesWhatIsMissing(Communicator world) {
        CheckpointJob job = CheckpointJob.on(world);
        try (RangeCheckpoint checkpoint = job.checkpoint(Scheme.xor()); ReStore store = job.store(checkpoint)) {
            job.submit(store);
            checkpoint.save(1, store, job.share());
            job.barrier();
            if (world.rank() < 2) {
                CheckpointJob.remove(job.disk(world.rank()));
            }
            job.barrier();
            RedsetException lost = throwing(RedsetException.class, () -> checkpoint.load(store), "a load");
            holds(String.valueOf(lost.getMessage()).contains("checkpoint 1: of the files of " + world.size()
                    + " ranks, none sees those of [0, 1] whole"), lost.toString());
        }
        job.end();
    }
}
