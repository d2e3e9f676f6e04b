package org.restorej.redset;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.restorej.ReStore;
import org.restorej.comm.Communicator;
import org.restorej.loop.LoopStorage;
import org.restorej.loop.LoopStorage.Blocks;
import org.restorej.loop.LoopStorage.Saved;
import org.restorej.loop.LoopStorage.Unsaved;
import org.restorej.redset.internal.blocks.CheckpointFiles;
import org.restorej.redset.internal.blocks.BlockFileHeader.Description;
import org.restorej.redset.internal.protocol.RedsetChannel;

/**
 * The files of a loop, opened by the ranks of one communicator: two {@link Datasets}, the second for constant blocks. The
 * first checkpoint in a store writes the constant blocks, and all later ones there refer to them. Not thread-safe.
 */
final class OpenLoopFiles implements LoopStorage.Level {
    private static final System.Logger LOG = System.getLogger(OpenLoopFiles.class.getName());
    private static final String OPEN = "opening the files of a loop";
    private static final String SAVE = "saving a loop";
    private static final String LOAD = "loading a loop";
    /** Made by a user who requests the end of the job. */
    private static final String STOP = "stop";
    /** What {@link #STOP} is called when the job has ended by it. */
    private static final String STOPPED = "stopped";

    private final LoopFiles.Settings settings;
    private final Datasets datasets;
    private final Datasets constants;
    private final RedsetChannel channel;
    private final SkippedCheckpoints skipped;
    /** The same on all ranks; distinguishes their saves from those of other jobs. */
    private final long openedMillis;
    private final boolean isReadOnly;
    /** By store, the constant blocks written last. */
    private final Map<Path, Constants> constantIds = new HashMap<>();
    private @Nullable LoopFilesWriter writer;
    /** The manifest found last. */
    private @Nullable LoopManifest found;

    /**
     * Constant blocks in a store.
     *
     * @param id of the checkpoint that contains them
     * @param descriptor their protection
     */
    private record Constants(long id, RedundancyDescriptor descriptor) {
        /** Whether they survive what a checkpoint with another protection survives. */
        boolean bearAsMuchAs(RedundancyDescriptor other) {
            return other.scheme().equals(Scheme.single()) || (descriptor.scheme().equals(other.scheme())
                    && descriptor.group().equals(other.group()) && descriptor.setSize() == other.setSize());
        }
    }

    /**
     * Opens the files. Called by all ranks.
     *
     * @param former checkpoints that this rank has skipped before a failure, with the reasons
     */
    OpenLoopFiles(Communicator communicator, LoopFiles.Settings settings, Map<Long, String> former) {
        this.settings = settings;
        datasets = new Datasets(communicator, settings.configuration(), settings.name(), settings.host(),
                settings.degradesSmallSets());
        try {
            constants = new Datasets(communicator, settings.configuration(), settings.name() + ".constant",
                    settings.host(), settings.degradesSmallSets());
        } catch (RuntimeException failed) {
            datasets.close();
            throw failed;
        }
        channel = datasets.channel();
        skipped = new SkippedCheckpoints(LOAD, channel.rank());
        try {
            openedMillis = channel.compute(OPEN, () -> channel.max(Math.max(0, System.currentTimeMillis())));
            skipped.addFormer(ofAll(former));
            isReadOnly = checkReadOnly();
        } catch (RuntimeException failed) {
            datasets.close();
            constants.close();
            throw failed;
        }
    }

    /** What any rank has skipped: spare ranks may have taken part in nothing yet. */
    private Map<Long, String> ofAll(Map<Long, String> former) {
        List<String> own = former.entrySet().stream()
                .flatMap(each -> Stream.of(each.getKey().toString(), each.getValue()))
                .toList();
        Map<Long, String> all = new TreeMap<>();
        for (List<String> told : channel.compute(OPEN, () -> channel.allGather(own))) {
            for (int i = 0; i < told.size(); i += 2) {
                all.putIfAbsent(Long.valueOf(told.get(i)), told.get(i + 1));
            }
        }
        return all;
    }

    /**
     * Whether these ranks can't save. The checkpoints of a job of other ranks can be read all the same.
     *
     * @throws IllegalArgumentException on all ranks, if there is nothing to read either
     */
    private boolean checkReadOnly() {
        Optional<String> misfit = datasets.misfit();
        if (misfit.isPresent() && datasets.stores().newestBelow(Long.MAX_VALUE).isEmpty()) {
            throw new IllegalArgumentException(misfit.get());
        }
        if (misfit.isPresent() && channel.rank() == 0) {
            LOG.log(System.Logger.Level.WARNING, "checkpoints in {0} are only read, and none is saved: {1}",
                    datasets.stores().places().stream().map(Path::toString).collect(Collectors.joining(", ")),
                    misfit.get());
        }
        return misfit.isPresent();
    }

    @Override
    public LoopStorage.Level open(Communicator survivors) {
        return new OpenLoopFiles(survivors, settings, skipped.reasons());
    }

    @Override
    public boolean isReadOnly() {
        return isReadOnly;
    }

    @Override
    public boolean startsFresh() {
        return settings.startsFresh();
    }

    @Override
    public OptionalLong newestBelow(long id) {
        return datasets.stores().newestBelow(id);
    }

    /** Runs an operation of several steps on the channels of both; see {@link RedsetChannel#operation}. */
    private <T> T operation(Supplier<T> steps) {
        return channel.operation(() -> constants.channel().operation(steps));
    }

    @Override
    public Optional<Saved> find(long id) {
        return operation(() -> findInSteps(id));
    }

    private Optional<Saved> findInSteps(long id) {
        Optional<String> interrupted = datasets.directories().settle(id).obstacle();
        List<Path> directories = directoriesOf(datasets, id);
        boolean complete = channel.compute(LOAD,
                () -> channel.max(CheckpointFiles.redundancyFiles(directories))) > 0;
        if (!complete) {
            interrupted.ifPresent(obstacle -> skipped.unreachable(id, datasets.stores().places(), obstacle));
            return Optional.empty();
        }
        Optional<LoopManifest> manifest = LoopManifest.find(channel, settings.operations(), directories, id);
        if (manifest.isEmpty() && datasets.directories().recover(id).isEmpty()) {
            manifest = LoopManifest.find(channel, settings.operations(), directories, id);
        }
        found = manifest.orElse(null);
        if (manifest.isEmpty()) {
            skipped.unreachable(id, datasets.stores().places(), "no rank sees a sound file that says what it has, *"
                    + LoopManifest.EXTENSION);
        }
        return manifest.map(there -> there.saved(datasets.stores().places()));
    }

    private List<Path> directoriesOf(Datasets of, long id) {
        return CheckpointLoader.gather(channel, LOAD, List.of(of.stores().directoriesOf(id)));
    }

    @Override
    public boolean load(long id, int index, ReStore store) {
        return operation(() -> loadInSteps(id, index, store));
    }

    private boolean loadInSteps(long id, int index, ReStore store) {
        LoopManifest manifest = found;
        if (manifest == null || manifest.id() != id) {
            throw new IllegalStateException("the checkpoint must be the one found last: id=" + id);
        }
        boolean constant = manifest.constantStores().contains(index);
        Datasets from = constant ? constants : datasets;
        long dataset = constant ? manifest.constantId() : id;
        boolean loaded = new CheckpointLoader(channel, settings.operations(), store, Description.NONE,
                directoriesOf(from, dataset), LoopFilesWriter.extension(index),
                Optional.of(manifest.save())).load(dataset, from, skipped)
                .isPresent();
        if (!loaded) {
            skipped.unreachable(id, datasets.stores().places(),
                    "the blocks of store " + index + ", saved as checkpoint "
                            + dataset + ", can't be had");
        }
        return loaded;
    }

    @Override
    public void requireNothingOutOfReach() {
        skipped.requireNoObstacle();
    }

    private RedundancyDescriptor descriptorOf(long id) {
        return settings.configuration().forCheckpoint(id);
    }

    /** Id of the checkpoint with the constant blocks of a new one: itself, unless those written last survive as much. */
    private long constantIdFor(long id) {
        RedundancyDescriptor descriptor = descriptorOf(id);
        Constants there = constantIds.get(descriptor.store());
        return there != null && there.bearAsMuchAs(descriptor) ? there.id() : id;
    }

    @Override
    public void write(Saved saved, List<Blocks> blocks) {
        long constantId = constantIdFor(saved.id());
        List<Integer> constantStores = IntStream.range(0, blocks.size())
                .filter(index -> blocks.get(index).isConstant()).boxed().toList();
        LoopManifest manifest = LoopManifest.of(saved, openedMillis, constantId, constantStores, channel.size());
        LoopFilesWriter begun = new LoopFilesWriter(settings.operations(), manifest, channel.rank());
        writer = begun;
        begun.write(blocks, datasets, constants);
    }

    @Override
    public boolean isWritten() {
        LoopFilesWriter current = writer;
        return current == null || current.isDone();
    }

    @Override
    public Optional<Unsaved> complete() {
        return operation(this::completeInSteps);
    }

    private Optional<Unsaved> completeInSteps() {
        LoopFilesWriter current = writer;
        writer = null;
        try {
            complete(channel.compute(SAVE, () -> written(current)));
            return Optional.empty();
        } catch (RedsetException | IllegalArgumentException failed) {
            discard(current);
            return Optional.of(new Unsaved(String.valueOf(failed.getMessage()), false));
        }
    }

    private static LoopFilesWriter written(@Nullable LoopFilesWriter current) throws IOException {
        if (current == null) {
            throw new IOException("nothing was written");
        }
        current.await();
        current.throwFailure();
        return current;
    }

    private void complete(LoopFilesWriter written) {
        long id = written.manifest().id();
        new ArgumentCheck(channel, SAVE).require(Map.of("values that a loop saves",
                "values with the digest " + written.digest()), List.of());
        if (!written.constantFiles().isEmpty()) {
            constants.protect(id, written.constantFiles());
            constantIds.put(descriptorOf(id).store(), new Constants(id, descriptorOf(id)));
        }
        datasets.doNotKeep(skipped.reasons().keySet());
        datasets.complete(id, written.files());
        constants.removeUnneeded(datasets, id);
    }

    /**
     * Removes a save that could not be completed, and those that killed jobs have left, which would keep the disk full.
     * Collective.
     */
    private void discard(@Nullable LoopFilesWriter failed) {
        // The constant blocks may be lost.
        constantIds.clear();
        try {
            // Another job may have saved under the same id.
            datasets.requireNoOther(SAVE);
            if (failed != null) {
                discard(failed.manifest());
            }
            datasets.removeUnfinished(SAVE, Long.MAX_VALUE);
            constants.removeUnfinished(SAVE, Long.MAX_VALUE);
        } catch (RedsetException kept) {
            if (channel.rank() == 0) {
                LOG.log(System.Logger.Level.WARNING,
                        "what was not completed stays: {0}", kept.getMessage());
            }
        }
    }

    private void discard(LoopManifest failed) {
        datasets.discard(failed.id());
        if (failed.constantId() == failed.id()) {
            constants.discard(failed.id());
        }
    }

    @Override
    public boolean isStopRequested() {
        return datasets.stores().places().stream().anyMatch(place -> Files.exists(place.resolve(STOP)));
    }

    @Override
    public void acknowledgeStop(boolean ends) {
        for (Path place : datasets.stores().places()) {
            try {
                if (ends) {
                    Files.move(place.resolve(STOP), place.resolve(STOPPED), StandardCopyOption.REPLACE_EXISTING);
                } else {
                    Files.deleteIfExists(place.resolve(STOP));
                    Files.deleteIfExists(place.resolve(STOPPED));
                }
            } catch (NoSuchFileException elsewhere) {
                // In another place, or another rank was faster.
            } catch (IOException kept) {
                LOG.log(System.Logger.Level.WARNING,
                        "the next job will stop at once: {0}", kept.toString());
            }
        }
    }

    @Override
    public void close() {
        LoopFilesWriter begun = writer;
        if (begun != null) {
            begun.giveUp();
        }
        datasets.close();
        constants.close();
    }
}
