package org.restorej.redset;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.PulledBlocks;
import org.restorej.ReStore;
import org.restorej.ReStoreBuilder.Fallback;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.internal.host.HostName;
import org.restorej.redset.internal.blocks.BlockFileWriter;
import org.restorej.redset.internal.blocks.CheckpointFiles;
import org.restorej.redset.internal.blocks.BlockFileHeader.Description;
import org.restorej.redset.internal.blocks.BlockFileHeader.Origin;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.protocol.RedsetChannel;

/**
 * Checkpoints of the blocks of a {@link ReStore}. Each rank writes a share of the blocks to a file on its node, and
 * {@link Datasets} protects the files. A later job, of any number of ranks, loads the blocks into a new store. While the
 * job runs, the files are the store's second tier: a pull reads from them blocks that no rank has in memory any more.
 *
 * <pre>{@code
 * try (RangeCheckpoint checkpoint = new RangeCheckpoint(world, configuration, "job");
 *         ReStore store = ReStore.builder(world)....fallback(checkpoint.fallback()).build()) {
 *     if (checkpoint.load(store).isEmpty()) {
 *         store.submit(...);
 *     }
 *     ...
 *     checkpoint.save(checkpoint.nextId(), store, mine);
 * }
 * }</pre>
 *
 * <p>
 * {@link #save}, {@link #load} and {@link #nextId} are called by all ranks and end in the same way on all, as the
 * operations of {@link Redset} and of the store do. After a failure the survivors continue with {@link #on}; the
 * fallback keeps working. Not thread-safe. Must be closed; after a failure, when the survivors have shrunk.
 */
public final class RangeCheckpoint implements AutoCloseable {
    /** Approximate number of bytes that a rank pulls at once, large enough to make the cost of a round negligible. */
    private static final long ROUND_BYTES = 8 << 20;
    private static final String SAVE = "save";
    private static final String DESCRIPTION = "description";
    /** In place of an id: no checkpoint. */
    private static final long NONE = -1;

    private final Settings settings;
    private final Datasets datasets;
    private final RedsetChannel channel;
    private final SecondTier tier;
    /** The checkpoint that was last saved or loaded; empty before the first. */
    private OptionalLong current;
    private Description description;

    private record Settings(RedundancyConfiguration configuration, String name, String host, boolean degradeSmallSets,
            FileOperations operations) {}

    /** The values that ranks agree on before a save: its time, and the number of rounds in which they pull. */
    private record Schedule(long savedMillis, long rounds) {}

    /** Checkpoints on this host that reject sets with too few ranks; see {@link Datasets} for the parameters. */
    public RangeCheckpoint(Communicator communicator, RedundancyConfiguration configuration, String name) {
        this(communicator, configuration, name, HostName.orLocalhost(), false);
    }

    /** Checkpoints; see {@link Datasets} for the parameters. Called by all ranks. */
    public RangeCheckpoint(Communicator communicator, RedundancyConfiguration configuration, String name, String host,
            boolean degradeSmallSets) {
        this(communicator, configuration, name, host, degradeSmallSets, FileOperations.system());
    }

    /** Checkpoints whose files of blocks are accessed through {@code operations}. */
    RangeCheckpoint(Communicator communicator, RedundancyConfiguration configuration, String name, String host,
            boolean degradeSmallSets, FileOperations operations) {
        this(communicator, new Settings(configuration, name, host, degradeSmallSets, operations),
                new SecondTier(operations), OptionalLong.empty(), Description.NONE);
    }

    private RangeCheckpoint(Communicator communicator, Settings settings, SecondTier tier, OptionalLong current,
            Description description) {
        this.settings = settings;
        this.tier = tier;
        this.current = current;
        this.description = description;
        datasets = new Datasets(communicator, settings.configuration(), settings.name(), settings.host(),
                settings.degradeSmallSets());
        channel = datasets.channel();
    }

    /**
     * The same checkpoints on another communicator, such as that of the survivors of a failure, with the same fallback.
     * Called by all of its ranks. This object must still be closed.
     */
    public RangeCheckpoint on(Communicator communicator) {
        datasets.stores().locks().handOver();
        return new RangeCheckpoint(communicator, settings, tier, current, description);
    }

    /**
     * Describes the blocks, for example by the names of all columns in order and a digest of the input. The description
     * is saved with the blocks, and {@link #load} rejects a checkpoint with another one: data of the same shape but of
     * another meaning would give wrong results without an error. Local; the same on all ranks, before the first save or
     * load.
     *
     * @param text at most 65,536 bytes in UTF-8; empty, the default, for none
     * @return this
     */
    public RangeCheckpoint describe(String text) {
        description = new Description(text);
        return this;
    }

    /**
     * A fallback with which the store reads lost blocks from the checkpoint last saved or loaded. Only the store that
     * was saved or loaded gets blocks, and only while it reads that generation. Any other pull reports the loss and the
     * reason, so that old and new blocks never mix.
     *
     * <p>
     * It searches the directories of all ranks, as far as this rank sees them, and rebuilds no files: {@link #load} does.
     */
    public Fallback fallback() {
        return tier;
    }

    /** An id for the next save: greater than all ids that any rank sees, and at least 1. Called by all ranks. */
    public long nextId() {
        long there = datasets.stores().newestBelow(Long.MAX_VALUE).orElse(NONE);
        return Math.max(0, Math.max(current.orElse(NONE), there)) + 1;
    }

    /**
     * Writes all blocks of a store to files, and protects them. Called by all ranks. The previous checkpoint stays until
     * this one is complete.
     *
     * @param id the same on all ranks; greater than that of the checkpoint last saved or loaded here, or, if there was
     *        none, than those of all existing ones. Remains of an interrupted save with this id, and a newer checkpoint
     *        that {@link #load} has skipped, are removed
     * @param share the blocks that this rank writes, best those that it works on; all ranks together have each block once.
     *        This is checked, by one sum over all ranks
     * @throws IllegalArgumentException on all ranks, when an argument is wrong on any; nothing was changed
     * @throws org.restorej.redset.RedsetException on all ranks, when files can't be written; they were removed
     */
    public void save(long id, ReStore store, BlockRanges share) {
        channel.operation(() -> saveInSteps(id, store, share));
    }

    private void saveInSteps(long id, ReStore store, BlockRanges share) {
        checkSave(id, store, share);
        datasets.removeUnfinished(SAVE, id);
        try {
            saveAs(id, store, share);
        } catch (RedsetException | IllegalArgumentException failed) {
            datasets.discard(id);
            throw failed;
        }
    }

    private void saveAs(long id, ReStore store, BlockRanges share) {
        long roundBlocks = Math.max(1, ROUND_BYTES / store.blockSizeBytes());
        Schedule schedule = channel.compute(SAVE, () -> new Schedule(channel.max(System.currentTimeMillis()),
                channel.max(Math.ceilDiv(share.blockCount(), roundBlocks))));
        channel.step(SAVE, () -> datasets.stores().of(id).remove(id));
        Path directory = channel.compute(SAVE, () -> datasets.create(settings.operations(), id).toAbsolutePath());
        List<Path> directories = CheckpointLoader.gather(channel, SAVE, List.of(directory));
        Path file = directory.resolve(CheckpointFiles.fileName(channel.rank()));
        Origin origin = new Origin(schedule.savedMillis(), channel.rank(), channel.size());
        try (ShareWriter writer = new ShareWriter()) {
            channel.step(SAVE, () -> writer.begin(settings.operations(), file, origin, store, share, description));
            for (long round = 0; round < schedule.rounds(); round++) {
                long from = Math.min(share.blockCount(), round * roundBlocks);
                long to = Math.min(share.blockCount(), from + roundBlocks);
                store.pull(share.slice(from, to), writer);
            }
            channel.step(SAVE, writer::publish);
        }
        datasets.complete(id, List.of(file));
        current = OptionalLong.of(id);
        tier.use(store, directories, origin.save());
    }

    private void checkSave(long id, ReStore store, BlockRanges share) {
        ArgumentCheck check = new ArgumentCheck(channel, SAVE);
        Map<String, String> values = new LinkedHashMap<>();
        values.put("id", "id=" + id);
        values.put(DESCRIPTION, description.text());
        check.require(values, mistakes(id, store, share));
        long newest = current.isPresent() ? current.getAsLong() : newestCompleted();
        if (id <= newest) {
            throw check
                    .refusal("id must be greater than that of the checkpoint that is there, " + newest + ": id=" + id);
        }
        if (!channel.compute(SAVE, () -> isPartition(channel, store.blockCount(), share))) {
            throw check.refusal("share must be such that the shares of all ranks have each of the "
                    + store.blockCount() + " blocks once");
        }
    }

    /**
     * Whether the shares of all ranks have each block once: then a run begins where another one ends, but for the first
     * and the last, and sums of hashes of begins and ends tell. Called by all ranks in a step.
     */
    static boolean isPartition(RedsetChannel channel, long blockCount, BlockRanges share) {
        long begins = 0;
        for (int run = 0; run < share.runCount(); run++) {
            begins += hash(share.runFirst(run)) - hash(share.runEnd(run));
        }
        return channel.sum(begins) == hash(0) - hash(blockCount);
    }

    private static long hash(long block) {
        return new SplittableRandom(block).nextLong();
    }

    /** Errors of this rank only, which are reported on all. */
    private List<String> mistakes(long id, @Nullable ReStore store, @Nullable BlockRanges share) {
        List<String> mistakes = new ArrayList<>(datasets.mistakesIn(id));
        if (store == null) {
            mistakes.add("store must not be null");
        } else if (store.generation() == 0) {
            mistakes.add("store must have blocks: nothing was submitted");
        }
        description.mistake().ifPresent(mistakes::add);
        if (share == null) {
            mistakes.add("share must not be null");
        } else if (store != null && !BlockRanges.of(0, store.blockCount()).intersect(share).equals(share)) {
            mistakes.add("share must be in [0, " + store.blockCount() + "): share=" + share);
        }
        return mistakes;
    }

    private long newestCompleted() {
        OptionalLong id = datasets.stores().newestBelow(Long.MAX_VALUE);
        while (id.isPresent() && !datasets.directories().settle(id.getAsLong()).isProtected()) {
            id = datasets.stores().newestBelow(id.getAsLong());
        }
        return id.orElse(NONE);
    }

    /**
     * Submits the newest checkpoint that can be loaded to a store that was built for the same blocks. Called by all
     * ranks; their number may differ from that of the save. Each file is read once, by a rank that sees its directory.
     * Missing and damaged files are rebuilt first, as in {@link Datasets#restart}. A checkpoint that still can't be
     * loaded is skipped, and logged.
     *
     * @return the loaded and the skipped checkpoints; empty on all ranks if there is no checkpoint
     * @throws IllegalArgumentException on all ranks, when its blocks have another number or other sizes than those of the
     *         store, or its description differs from that of {@link #describe}; the message has both
     * @throws org.restorej.redset.RedsetException on all ranks, when there are checkpoints but none can be loaded; the
     *         message says what the newest lacks
     */
    public Optional<Loaded> load(ReStore store) {
        return channel.operation(() -> loadInSteps(store));
    }

    private Optional<Loaded> loadInSteps(ReStore store) {
        new ArgumentCheck(channel, "load").require(Map.of(DESCRIPTION, description.text()),
                store == null ? List.of("store must not be null") : List.of());
        SkippedCheckpoints skipped = new SkippedCheckpoints("load", channel.rank());
        OptionalLong id = datasets.stores().newestBelow(Long.MAX_VALUE);
        while (id.isPresent()) {
            List<Path> directories = CheckpointLoader.gather(channel, "load",
                    List.of(datasets.stores().directoriesOf(id.getAsLong())));
            Optional<Origin.SaveId> loaded = new CheckpointLoader(channel, settings.operations(), store, description,
                    directories, CheckpointFiles.EXTENSION, Optional.empty())
                    .load(id.getAsLong(), datasets, skipped);
            if (loaded.isPresent()) {
                current = id;
                datasets.doNotKeep(skipped.reasons().keySet());
                tier.use(store, directories, loaded.get());
                return Optional.of(new Loaded(id.getAsLong(), skipped.reasons()));
            }
            id = datasets.stores().newestBelow(id.getAsLong());
        }
        skipped.requireNoObstacle();
        current = OptionalLong.of(NONE);
        return Optional.empty();
    }

    /** Frees communicators. Never waits for others. */
    @Override
    public void close() {
        datasets.close();
    }

    /**
     * A checkpoint that was loaded; the same on all ranks.
     *
     * @param id its number
     * @param skipped newer checkpoints that could not be recovered, each with the reason; empty if it is the newest
     */
    public record Loaded(long id, SortedMap<Long, String> skipped) {
        /** Copies the map. */
        public Loaded {
            skipped = Collections.unmodifiableSortedMap(new TreeMap<>(skipped));
        }
    }

    /**
     * Writes pulled blocks to a file, which it owns. An I/O error is stored until {@link #publish}, because the other
     * ranks are still pulling. Not thread-safe.
     */
    static final class ShareWriter implements PulledBlocks.Consumer, AutoCloseable {
        private static final System.Logger LOG = System.getLogger(ShareWriter.class.getName());

        private @Nullable BlockFileWriter file;
        private @Nullable Throwable failure;

        /** Creates the file. */
        void begin(FileOperations operations, Path path, Origin origin, ReStore store, BlockRanges share,
                Description description) throws IOException {
            file = new BlockFileWriter(operations, path, origin, store.blockCount(),
                    store.hasVariableBlockSizes() ? 0 : store.blockSizeBytes(), share, description);
        }

        private BlockFileWriter file() {
            BlockFileWriter begun = file;
            if (begun == null) {
                throw new IllegalStateException("the file has not been begun");
            }
            return begun;
        }

        @Override
        public void accept(long blockId, MemorySegment block) {
            if (failure == null) {
                try {
                    file().append(block);
                } catch (IOException | RuntimeException | Error thrown) {
                    // Any error: the other ranks are at the next pull.
                    failure = thrown;
                }
            }
        }

        /** Completes the file, or throws the first error. */
        void publish() throws IOException {
            switch (failure) {
                case null -> file().publish();
                case IOException thrown -> throw thrown;
                case Error thrown -> throw thrown;
                default -> throw new IllegalStateException("writing blocks failed", failure);
            }
        }

        /** Removes a file that was not completed, if there is one. */
        @Override
        public void close() {
            try {
                if (file != null) {
                    file.close();
                }
            } catch (IOException thrown) {
                LOG.log(System.Logger.Level.WARNING, "a temporary file stays behind: {0}", thrown.getMessage());
            }
        }
    }
}
