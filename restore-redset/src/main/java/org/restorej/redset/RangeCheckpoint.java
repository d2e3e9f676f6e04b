package org.restorej.redset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.restorej.BlockFallback;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.redset.blocks.BlockFileWriter;
import org.restorej.redset.blocks.CheckpointFiles;
import org.restorej.redset.blocks.Origin;
import org.restorej.redset.files.FileOperations;
import org.restorej.redset.protocol.RedsetChannel;
import org.restorej.redset.sets.RedundancyConfiguration;
import org.restorej.redset.sets.SmallSets;

/**
 * Checkpoints of the blocks of a {@link ReStore}: each PE writes a share of them to a file on its node, and
 * {@link Datasets} protects the files. A later job, of as many PEs or another number, loads them into a new store; and
 * while the job runs they are the store's second tier, from which a pull reads what no memory has any more.
 *
 * <pre>{@code
 * try (RangeCheckpoint checkpoint = new RangeCheckpoint(world, configuration, "job");
 *         ReStore store = ReStore.builder(world)....fallback(checkpoint.fallback()).build()) {
 *     if (checkpoint.load(store).isEmpty()) {
 *         store.submit(...);
 *         checkpoint.save(1, store, mine);
 *     }
 * }
 * }</pre>
 *
 * <p>
 * {@link #save} and {@link #load} are called by all PEs and end alike on all, as the operations of {@link Redset} and of
 * the store do. After a failed process the survivors go on with {@link #on}; the fallback stays what it is. One thread.
 * Must be closed, after a failure once the survivors have shrunk.
 */
public final class RangeCheckpoint implements AutoCloseable {
    /** Bytes of blocks, about, that a PE pulls at once: large enough for the round to cost little. */
    private static final long ROUND_BYTES = 8 << 20;

    private final Settings settings;
    private final Datasets datasets;
    private final RedsetChannel channel;
    private final SecondTier tier;

    private record Settings(RedundancyConfiguration configuration, String name, String host, SmallSets smallSets) {}

    /** Checkpoints on this host, with sets that are too small refused; parameters as of {@link Datasets}. */
    public RangeCheckpoint(Communicator communicator, RedundancyConfiguration configuration, String name) {
        this(communicator, configuration, name, HostName.get(), SmallSets.REFUSE);
    }

    /** Checkpoints; parameters as of {@link Datasets}. Called by all PEs. */
    public RangeCheckpoint(Communicator communicator, RedundancyConfiguration configuration, String name, String host,
            SmallSets smallSets) {
        this(communicator, new Settings(configuration, name, host, smallSets), new SecondTier());
    }

    private RangeCheckpoint(Communicator communicator, Settings settings, SecondTier tier) {
        this.settings = settings;
        this.tier = tier;
        datasets = new Datasets(communicator, settings.configuration(), settings.name(), settings.host(),
                settings.smallSets());
        channel = new RedsetChannel(communicator.duplicate());
    }

    /**
     * The same checkpoints on another communicator, such as that of the survivors of a failure, with the same fallback.
     * Called by all of its PEs. This one must be closed all the same.
     */
    public RangeCheckpoint on(Communicator communicator) {
        return new RangeCheckpoint(communicator, settings, tier);
    }

    /**
     * What the one store is built with that is to read lost blocks from the checkpoint last saved or loaded: a second store
     * with the same fallback would get blocks of the first. Works as long as the store that was saved has the generation
     * that was saved, so that its old blocks never mix with new ones; on a PE from which the
     * directories of the dead can be seen, it finds their files, and of files that are lost too it computes the content
     * anew, in a temporary directory, when enough of the redundancy set can be seen.
     */
    public BlockFallback fallback() {
        return tier;
    }

    /**
     * Writes all blocks of a store to files, and protects them. Called by all PEs. What was saved before stays until this
     * is complete.
     *
     * @param id greater than those before; what an interrupted save has left under it is removed
     * @param share the blocks that this PE writes, best those that it works on; all PEs together have each block once
     * @throws org.restorej.redset.protocol.RedsetException on all PEs, when files can't be written, or shares don't add up
     */
    public void save(long id, ReStore store, BlockRanges share) {
        long[] savedMillis = new long[1];
        long[] rounds = new long[1];
        long roundBlocks = Math.max(1, ROUND_BYTES / store.blockSizeBytes());
        channel.step("save", () -> {
            long saved = -channel.least(-System.currentTimeMillis());
            long blocks = channel.sum(share.blockCount());
            rounds[0] = -channel.least(-Math.ceilDiv(share.blockCount(), roundBlocks));
            if (blocks != store.blockCount() || !BlockRanges.of(0, blocks).intersect(share).equals(share)) {
                throw new IOException("the shares must be all of the " + store.blockCount()
                        + " blocks, each once; they have " + blocks + ", and this PE's are " + share);
            }
            savedMillis[0] = saved;
        });
        channel.step("save", () -> datasets.remove(id));
        List<Path> directories = new ArrayList<>();
        Path[] directory = new Path[1];
        channel.step("save", () -> directory[0] = begin(id));
        channel.step("save", () -> directories.addAll(gather(directory[0])));
        Path file = directory[0].resolve(CheckpointFiles.fileName(channel.rank()));
        write(file, new Origin(savedMillis[0], channel.rank(), channel.size()), store, share, roundBlocks, rounds[0]);
        datasets.complete(id, List.of(file));
        tier.use(store, directories, savedMillis[0]);
    }

    private Path begin(long id) throws IOException {
        try {
            return datasets.begin(id).toAbsolutePath();
        } catch (UncheckedIOException failure) {
            throw new IOException(failure.getMessage(), failure);
        }
    }

    private Set<Path> gather(Path... own) {
        String names = String.join("\0", List.of(own).stream().map(Path::toString).toList());
        Set<Path> all = new LinkedHashSet<>();
        for (byte[] ofRank : channel.allGather(names.getBytes(StandardCharsets.UTF_8))) {
            for (String name : new String(ofRank, StandardCharsets.UTF_8).split("\0", -1)) {
                all.add(Path.of(name));
            }
        }
        return all;
    }

    private void write(Path path, Origin origin, ReStore store, BlockRanges share, long roundBlocks, long rounds) {
        ShareWriter[] writer = new ShareWriter[1];
        channel.step("save",
                () -> writer[0] = new ShareWriter(new BlockFileWriter(FileOperations.system(), path, origin,
                        store.blockCount(), store.hasVariableBlockSizes() ? 0 : store.blockSizeBytes(), share)));
        try {
            for (long round = 0; round < rounds; round++) {
                long from = Math.min(share.blockCount(), round * roundBlocks);
                long to = Math.min(share.blockCount(), from + roundBlocks);
                store.pull(share.slice(from, to), writer[0]);
            }
            channel.step("save", writer[0]::publish);
        } finally {
            writer[0].close();
        }
    }

    /**
     * Submits the newest checkpoint that can be had to a store that is built for the same blocks. Called by all PEs. As many
     * PEs as have saved it first rebuild what is lost together; with another number, or when PEs have come to other nodes,
     * each file is read by a PE that sees its directory, and one PE computes anew what is lost, from the directories that
     * it sees.
     *
     * @return id of the checkpoint, empty on all PEs when there is none
     * @throws org.restorej.redset.protocol.RedsetException on all PEs, when there are checkpoints and none can be had; it
     *         says what is missing of the newest
     */
    public OptionalLong load(ReStore store) {
        List<String> problems = new ArrayList<>();
        long bound = Long.MAX_VALUE;
        while (true) {
            OptionalLong id = datasets.newestBelow(bound);
            if (id.isEmpty()) {
                channel.step("load", () -> {
                    // The same on all ranks: said once.
                    if (!problems.isEmpty() && channel.rank() == 0) {
                        throw new IOException(problems.getFirst());
                    }
                });
                return id;
            }
            bound = id.getAsLong();
            if (load(id.getAsLong(), store, problems)) {
                return id;
            }
        }
    }

    private boolean load(long id, ReStore store, List<String> problems) {
        Set<Path> directories = new LinkedHashSet<>();
        channel.step("load", () -> directories.addAll(gather(datasets.directoriesOf(id))));
        // With as many PEs as wrote it this repairs the files; otherwise they are only read.
        datasets.recoverIfAsMany(id);
        try (CheckpointFiles files = CheckpointFiles.open(directories)) {
            ReaderChoice choice = ReaderChoice.of(channel, files);
            if (!choice.isComplete()) {
                if (choice.isProtectedAnywhere()) {
                    problems.add("checkpoint " + id + ": " + choice.problem());
                }
                return false;
            }
            channel.step("load", () -> choice.check(store.blockCount(), store.hasVariableBlockSizes(),
                    store.blockSizeBytes()));
            Submission submission = new Submission();
            choice.mine().forEach(file -> file.addTo(submission));
            store.submit(submission);
            tier.use(store, List.copyOf(directories), choice.savedMillis());
            return true;
        }
    }

    /** Lets go of communicators and temporary files. Never waits for others. */
    @Override
    public void close() {
        tier.close();
        datasets.close();
        channel.close();
    }
}
