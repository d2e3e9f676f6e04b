package org.restorej.redset;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.restorej.comm.Communicator;
import org.restorej.redset.files.FileOperations;
import org.restorej.redset.protocol.IrrecoverableFilesException;
import org.restorej.redset.protocol.RankFiles;
import org.restorej.redset.protocol.RedsetChannel;
import org.restorej.redset.sets.RedundancyDescriptor;
import org.restorej.redset.sets.SmallSets;

/** The directories of checkpoints, each protected by a redset of its own. One thread; owns what redsets leave. */
final class ProtectedDirectories implements AutoCloseable {
    private static final String NAME_PREFIX = "rank.";

    private final Communicator communicator;
    private final RedsetChannel channel;
    private final SmallSets smallSets;
    /** Their memory may still be in use by MPI. */
    private final List<Redset> failed = new ArrayList<>();

    /**
     * Directories of the ranks of a communicator.
     *
     * @param communicator stays the caller's
     * @param channel stays the caller's
     */
    ProtectedDirectories(Communicator communicator, RedsetChannel channel, SmallSets smallSets) {
        this.communicator = communicator;
        this.channel = channel;
        this.smallSets = smallSets;
    }

    /** Name of the file that is there when this rank's files in a directory are protected. */
    String descriptorName() {
        return NAME_PREFIX + communicator.rank() + ".redset";
    }

    /** Protects files in a directory. Called by all ranks. */
    void protect(Path directory, RedundancyDescriptor descriptor, String failureGroup, List<Path> files) {
        Redset redset = redsetIn(directory).descriptor(descriptor).failureGroup(failureGroup).build();
        attempt(redset, () -> {
            redset.apply(files);
            return directory;
        });
    }

    /** What the ranks see of the files that protect a directory. Called by all ranks. */
    Protection look(Path directory) {
        return Protection.of(channel, filesIn(directory));
    }

    /**
     * Rebuilds what is missing in a directory. Called by all ranks, as many as protected it.
     *
     * @return the files of this rank that are protected there
     */
    List<Path> recover(Path directory) {
        Redset redset = redsetIn(directory).build();
        return attempt(redset, () -> {
            redset.recover();
            List<Path> files = new ArrayList<>();
            channel.step("restart", () -> files.addAll(filesIn(directory).protectedFiles()));
            return files;
        });
    }

    private RankFiles filesIn(Path directory) {
        return new RankFiles(FileOperations.system(), directory, NAME_PREFIX, Path.of(""), communicator.rank());
    }

    private RedsetBuilder redsetIn(Path directory) {
        return Redset.builder(communicator).directory(directory).namePrefix(NAME_PREFIX).smallSets(smallSets);
    }

    /** Redsets are used once. After a failure other than of files, one is kept until the end. */
    private <T> T attempt(Redset redset, Supplier<T> action) {
        boolean over = false;
        try {
            T result = action.get();
            over = true;
            return result;
        } catch (IrrecoverableFilesException lost) {
            over = true;
            throw lost;
        } finally {
            if (over) {
                redset.close();
            } else {
                failed.add(redset);
            }
        }
    }

    /** Lets go of what failures have left. Never waits for others. */
    @Override
    public void close() {
        failed.forEach(Redset::close);
        failed.clear();
    }
}
