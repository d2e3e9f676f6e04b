package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.erasure.ErasureKernels;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PathPolicy;

/**
 * All sets of some directories: those of redset, each in one directory, and those of another program, which may be
 * spread over the directories. Used by one thread; works with several.
 */
public final class OfflineDirectories {
    private final FileOperations operations;
    /** Absolute. */
    private final List<Path> directories;
    private final ForeignSets foreign;
    private final PathPolicy policy;
    private final int threads;
    private final List<OfflineRedset> ofRedset = new ArrayList<>();

    /**
     * Directories to work on.
     *
     * @param operations the file system
     * @param given hold redundancy files; those that are the same count once
     * @param foreign finds the sets of another program, which may be spread over the directories
     * @param policy where data files may be
     * @param threads how many work at once
     * @param encodings as {@link OfflineRedset} takes them, each one a directory given and a name
     * @throws IOException when a directory isn't there
     */
    public OfflineDirectories(FileOperations operations, List<Path> given, ForeignSets foreign, PathPolicy policy,
            int threads, Collection<Path> encodings) throws IOException {
        this.operations = operations;
        List<Path> distinct = distinct(given);
        List<Path> absolute = new ArrayList<>();
        for (Path directory : distinct) {
            absolute.add(absolute(directory));
        }
        this.directories = List.copyOf(absolute);
        this.foreign = foreign;
        this.policy = policy;
        this.threads = threads;
        for (Path directory : distinct) {
            ofRedset.add(new OfflineRedset(operations, directory, policy, threads, encodings.stream()
                    .filter(file -> file.equals(directory.resolve(String.valueOf(file.getFileName())))).toList()));
        }
    }

    /**
     * Directories without those that are the same as earlier ones, under another name or not.
     *
     * @throws IOException when one isn't there
     */
    public static List<Path> distinct(List<Path> directories) throws IOException {
        Map<Path, Path> byRealPath = new LinkedHashMap<>();
        for (Path directory : directories) {
            byRealPath.putIfAbsent(directory.toRealPath(), directory);
        }
        return List.copyOf(byRealPath.values());
    }

    /** One name for a directory; with links, unless {@code ..} behind a link makes it that of another. */
    public static Path absolute(Path directory) throws IOException {
        Path normalised = directory.toAbsolutePath().normalize();
        return Files.isDirectory(normalised) && Files.isSameFile(normalised, directory)
                ? normalised
                : directory.toRealPath();
    }

    /** Sets of another program than redset. */
    @FunctionalInterface
    public interface ForeignSets {
        /**
         * Adds those that are there.
         *
         * @param contents gives the arithmetic to compare contents, or null to look at names and sizes only
         */
        void look(OfflineDirectories directories, @Nullable ErasureKernel contents, Content content)
                throws IOException;
    }

    /** The file system. */
    public FileOperations operations() {
        return operations;
    }

    /** The directories, absolute. */
    public List<Path> directories() {
        return directories;
    }

    /** Where data files may be. */
    public PathPolicy policy() {
        return policy;
    }

    /** How many work at once. */
    public int threads() {
        return threads;
    }

    /**
     * What is in the directories.
     *
     * @param ofRedset which files of redset count, by directory
     * @param sets all sets
     * @param problems what is wrong with files of another program beside sets
     */
    public record Content(List<DirectoryContent> ofRedset, List<SetInspection> sets, List<String> problems) {}

    /** What is missing, by names and sizes. */
    public Content inspect() throws IOException {
        return look(null);
    }

    /** What is missing or damaged, by contents too: reads everything, writes nothing. */
    public Content verify() throws IOException {
        return look(ErasureKernels.preferred());
    }

    private Content look(@Nullable ErasureKernel contents) throws IOException {
        Content content = new Content(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (OfflineRedset redset : ofRedset) {
            DirectoryContent ofDirectory = redset.scan();
            content.ofRedset().add(ofDirectory);
            content.sets().addAll(redset.inspect(ofDirectory, contents));
        }
        foreign.look(this, contents, content);
        return content;
    }

    /** As {@link OfflineRedset#interruptedHere}, of all directories. */
    public List<Path> interruptedHere() throws IOException {
        List<Path> journals = new ArrayList<>();
        for (OfflineRedset redset : ofRedset) {
            journals.addAll(redset.interruptedHere());
        }
        return journals;
    }

    /** As {@link OfflineRedset#settleInterrupted}, of all directories. */
    public List<Path> settleInterrupted() throws IOException {
        List<Path> moved = new ArrayList<>();
        for (OfflineRedset redset : ofRedset) {
            moved.addAll(redset.settleInterrupted());
        }
        return moved;
    }

    /** Repairs what {@link #verify} has found. */
    public SetRepair repair() {
        return new SetRepair(operations, threads);
    }
}
