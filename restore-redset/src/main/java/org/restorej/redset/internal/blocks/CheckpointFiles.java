package org.restorej.redset.internal.blocks;

import org.restorej.redset.internal.blocks.BlockFileHeader.Origin;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.Submission;
import org.restorej.block.BlockRange;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.format.RedsetFileNames;

/**
 * The block files of one checkpoint in any number of directories, as far as one process finds them. Opening reads only
 * headers, and keeps no file open. A file with a damaged header counts as lost, with a warning. Files of different
 * saves are kept apart; {@link #choose} selects one save. Local; not thread-safe.
 */
public final class CheckpointFiles {
    private static final System.Logger LOG = System.getLogger(CheckpointFiles.class.getName());
    /** Extension of files with the blocks of one store. */
    public static final String EXTENSION = ".blocks";

    private final FileOperations operations;
    private final List<Path> directories;
    private final String extension;
    private final ChunkReader reader;
    private final TreeMap<Origin.SaveId, SortedMap<Integer, BlockFile>> found = new TreeMap<>();
    private Origin.@Nullable SaveId chosen;
    /** Runs of the chosen files by first block. */
    private final TreeMap<Long, Run> runs = new TreeMap<>();

    /** A run of blocks and the file that contains it. */
    private record Run(BlockRange blocks, BlockFile file) {}

    private CheckpointFiles(FileOperations operations, Collection<Path> directories, String extension) {
        this.operations = operations;
        this.directories = List.copyOf(directories);
        this.extension = extension;
        reader = new ChunkReader(operations);
    }

    /** The name of the file of a rank. */
    public static String fileName(int writer) {
        return writer + EXTENSION;
    }

    /**
     * Reads the headers of all files. Skips directories that this process can't read.
     *
     * @param extension of the files
     */
    public static CheckpointFiles open(FileOperations operations, Collection<Path> directories, String extension) {
        CheckpointFiles files = new CheckpointFiles(operations, directories, extension);
        for (Path directory : files.directories) {
            files.blockFiles(directory).forEach(files::add);
        }
        return files;
    }

    private List<Path> blockFiles(Path directory) {
        try {
            return DirectoryEntries.of(directory).stream().filter(this::isNamedSo).toList();
        } catch (IOException unreadable) {
            LOG.log(System.Logger.Level.WARNING, "{0} can''t be read: {1}", directory, unreadable.getMessage());
            return List.of();
        }
    }

    private boolean isNamedSo(Path path) {
        return String.valueOf(path.getFileName()).endsWith(extension);
    }

    private void add(Path path) {
        try {
            BlockFile file = BlockFile.open(operations, path);
            found.computeIfAbsent(file.header().origin().save(), absent -> new TreeMap<>())
                    .putIfAbsent(file.header().origin().writer(), file);
        } catch (IOException damaged) {
            LOG.log(System.Logger.Level.WARNING, "passed over: {0}", damaged.getMessage());
        }
    }

    /** The last save of which this process finds a file. */
    public Optional<Origin.SaveId> newest() {
        return found.isEmpty() ? Optional.empty() : Optional.of(found.lastKey());
    }

    /**
     * Selects a save. From now on, files of other saves are ignored.
     *
     * @throws IllegalStateException if another one was selected before
     */
    public void choose(Origin.SaveId save) {
        if (chosen != null && !chosen.equals(save)) {
            throw new IllegalStateException("save must be the one chosen before, " + chosen + ": save=" + save);
        }
        chosen = save;
        index();
    }

    /** The save of {@link #choose}. */
    public Optional<Origin.SaveId> chosen() {
        return Optional.ofNullable(chosen);
    }

    private void index() {
        runs.clear();
        for (BlockFile file : byWriter().values()) {
            file.header().ranges().runs().forEach(run -> runs.put(run.first(), new Run(run, file)));
        }
    }

    /** The files of the selected save by the rank that wrote them; none before the selection. */
    public SortedMap<Integer, BlockFile> byWriter() {
        Origin.SaveId save = chosen;
        return save == null
                ? Collections.emptySortedMap()
                : Collections.unmodifiableSortedMap(found.getOrDefault(save, Collections.emptySortedMap()));
    }

    /** Number of redundancy files that this process finds. */
    public int redundancyFiles() {
        return redundancyFiles(directories);
    }

    /** Number of redundancy files in some directories; unreadable directories count as empty. */
    public static int redundancyFiles(Collection<Path> directories) {
        int files = 0;
        for (Path directory : directories) {
            try {
                files += (int) DirectoryEntries.namesOf(directory).stream()
                        .filter(name -> RedsetFileNames.parseRedundancy(name).isPresent()).count();
            } catch (IOException unreadable) {
                LOG.log(System.Logger.Level.DEBUG, "a directory that can''t be read", unreadable);
            }
        }
        return files;
    }

    /** A submission of all blocks of some of the selected files. They are read and checked when it is submitted. */
    public Submission submissionOf(Collection<BlockFile> files) {
        Submission submission = new Submission();
        files.forEach(file -> file.addTo(submission, reader));
        return submission;
    }

    /** Reads whole files. Returns the damaged ones. */
    public List<Path> damaged(Collection<BlockFile> files) {
        List<Path> damaged = new ArrayList<>();
        for (BlockFile file : files) {
            try {
                reader.verify(file);
            } catch (ChunkReader.DamagedBlocksException damage) {
                LOG.log(System.Logger.Level.WARNING, "counts as lost: {0}", damage.getMessage());
                damaged.add(file.path());
            }
        }
        return damaged;
    }

    /**
     * Reads blocks.
     *
     * @throws IOException if a block is in no intact file
     */
    public void read(BlockRange blocks, MemorySegment destination) throws IOException {
        long done = 0;
        for (long next = blocks.first(); next < blocks.end();) {
            Run run = requireRunWith(next);
            BlockRange wanted = BlockRange.between(next, Math.min(blocks.end(), run.blocks().end()));
            try {
                long bytes = run.file().bytesOf(wanted);
                run.file().read(reader, wanted, destination.asSlice(done, bytes));
                done += bytes;
                next = wanted.end();
            } catch (ChunkReader.DamagedBlocksException damage) {
                LOG.log(System.Logger.Level.WARNING, "counts as lost: {0}", damage.getMessage());
                drop(run.file());
            }
        }
    }

    /** The sizes of blocks, in order; see {@link #read}. */
    public long[] sizes(BlockRange blocks) throws IOException {
        long[] sizes = new long[Math.toIntExact(blocks.count())];
        for (long next = blocks.first(); next < blocks.end();) {
            Run run = requireRunWith(next);
            for (; next < Math.min(blocks.end(), run.blocks().end()); next++) {
                sizes[(int) (next - blocks.first())] = run.file().bytesOf(BlockRange.of(next, 1));
            }
        }
        return sizes;
    }

    private Run requireRunWith(long block) throws IOException {
        Map.Entry<Long, Run> run = runs.floorEntry(block);
        if (run == null || !run.getValue().blocks().contains(block)) {
            throw new IOException("block " + block + " is in no file of the checkpoint that can be read from here; "
                    + "looked in " + directories + "; a load by all ranks also rebuilds lost files");
        }
        return run.getValue();
    }

    private void drop(BlockFile file) {
        found.getOrDefault(file.header().origin().save(), new TreeMap<>()).remove(file.header().origin().writer());
        index();
    }
}
