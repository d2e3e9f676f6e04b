package org.restorej.redset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.ReStore;
import org.restorej.loop.LoopStorage.Blocks;
import org.restorej.redset.internal.blocks.BlockFileWriter;
import org.restorej.redset.internal.blocks.BlockFileHeader.Description;
import org.restorej.redset.internal.blocks.BlockFileHeader.Origin;
import org.restorej.redset.internal.files.FileOperations;

/**
 * Writes the files of one rank and one checkpoint of a loop: first into the page cache and then, in a thread of its
 * own, to the disk. Errors are stored until the other ranks can be told. Not thread-safe.
 */
final class LoopFilesWriter {
    private static final System.Logger LOG = System.getLogger(LoopFilesWriter.class.getName());
    /** Interval of progress messages. */
    private static final long REPORT_NANOS = 10_000_000_000L;

    private final FileOperations operations;
    private final LoopManifest manifest;
    private final int rank;
    private String digest = "";
    private final List<BlockFileWriter> begun = new ArrayList<>();
    private final List<Path> files = new ArrayList<>();
    private final List<Path> constantFiles = new ArrayList<>();
    private @Nullable Thread finishing;
    private volatile @Nullable Throwable failure;
    private volatile boolean givenUp;
    private long reportedNanos = System.nanoTime();
    private long written;

    LoopFilesWriter(FileOperations operations, LoopManifest manifest, int rank) {
        this.operations = operations;
        this.manifest = manifest;
        this.rank = rank;
    }

    /** Extension of the file name of a store. */
    static String extension(int index) {
        return ".store" + index;
    }

    LoopManifest manifest() {
        return manifest;
    }

    /** Digest of everything that must be equal on all ranks; empty if writing has failed before. */
    String digest() {
        return digest;
    }

    /** The files of this rank, once they are written. */
    List<Path> files() {
        return files;
    }

    /** The files of constant blocks; empty if these were written before. */
    List<Path> constantFiles() {
        return constantFiles;
    }

    /** Writes everything, and starts to flush it to the disk. Throws nothing. */
    void write(List<Blocks> blocks, Datasets datasets, Datasets constants) {
        try {
            digest = manifest.digest();
            Path directory = datasets.create(operations, manifest.id()).toAbsolutePath();
            for (int index = 0; index < blocks.size(); index++) {
                String name = rank + extension(index);
                if (!blocks.get(index).isConstant()) {
                    files.add(write(directory.resolve(name), blocks.get(index)));
                } else if (manifest.constantId() != manifest.id()) {
                    constants.directories().requireComplete(manifest.constantId());
                } else {
                    Path once = constants.create(operations, manifest.id()).toAbsolutePath();
                    constantFiles.add(write(once.resolve(name), blocks.get(index)));
                }
            }
            Path described = directory.resolve(rank + LoopManifest.EXTENSION);
            files.add(described);
            finishing = Thread.ofPlatform().daemon().name("checkpoint " + manifest.id() + " of rank " + rank)
                    .start(() -> finish(described));
        } catch (IOException | RuntimeException | Error met) {
            failure = met;
            discard();
        }
    }

    private Path write(Path path, Blocks blocks) throws IOException {
        ReStore store = blocks.store();
        BlockFileWriter writer = new BlockFileWriter(operations, path,
                new Origin(manifest.openedMillis(), rank, manifest.writers()), store.blockCount(),
                store.hasVariableBlockSizes() ? 0 : store.blockSizeBytes(), blocks.ids(), Description.NONE);
        begun.add(writer);
        blocks.writeTo((count, bytes) -> {
            writer.append(bytes, count);
            written += bytes.byteSize();
            report();
        });
        return path;
    }

    private void report() {
        long now = System.nanoTime();
        if (rank == 0 && now - reportedNanos > REPORT_NANOS) {
            reportedNanos = now;
            LOG.log(System.Logger.Level.INFO, "checkpoint {0} of iteration {1}: rank 0 has written {2} MiB",
                    Long.toString(manifest.id()), Long.toString(manifest.iteration()), Long.toString(written >> 20));
        }
    }

    private void finish(Path described) {
        try {
            for (BlockFileWriter writer : begun) {
                requireWanted();
                writer.publish();
            }
            requireWanted();
            manifest.write(operations, described);
        } catch (IOException | RuntimeException | Error met) {
            failure = met;
        } finally {
            discard();
        }
    }

    private void requireWanted() throws IOException {
        if (givenUp) {
            throw new IOException("nobody completes the checkpoint");
        }
    }

    /** Stops publishing files, because the checkpoint will not be completed. Doesn't wait; thread-safe. */
    void giveUp() {
        givenUp = true;
    }

    /** Removes files that were not published. */
    private void discard() {
        for (BlockFileWriter writer : begun) {
            try {
                writer.close();
            } catch (IOException kept) {
                LOG.log(System.Logger.Level.WARNING, "a temporary file stays behind: {0}", kept.toString());
            }
        }
    }

    /** Whether everything is on disk, or writing has failed. */
    boolean isDone() {
        Thread thread = finishing;
        return thread == null || !thread.isAlive();
    }

    void await() {
        boolean interrupted = false;
        while (!isDone()) {
            try {
                if (finishing != null) {
                    finishing.join();
                }
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Throws the error, if there was one. Called when it is done. */
    void throwFailure() throws IOException {
        switch (failure) {
            case null -> {
            }
            case IOException met -> throw met;
            case Throwable met -> throw new IOException("the files can't be written: " + met, met);
        }
    }
}
