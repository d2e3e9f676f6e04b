package org.restorej.redset.internal.protocol;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.coding.MemberCheck;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.SetFormat;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileCommit;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.InterruptedCommit;
import org.restorej.redset.internal.files.JobLock;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.files.PendingFile;
import org.restorej.redset.internal.files.Unreachable;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.DescriptorFile;
import org.restorej.redset.internal.format.FileName;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.RankRecord.FileRecord;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedsetFileNames;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.format.SetDescription;

/**
 * The files of one rank: those of the application, and those that protect them and the files of its neighbours.
 *
 * @param operations the file system
 * @param directory directory of the protecting files
 * @param namePrefix prefix of their names, before the rank
 * @param policy allowed places of the application's files, and the directory to which relative names refer
 * @param worldRank the rank in the job
 */
public record RankFiles(FileOperations operations, Path directory, String namePrefix, PathPolicy policy,
        int worldRank) implements ProtectedFiles {
    private static final String CHANGED = " must not change while it is protected, but ";

    /** The prefix as text. Paths are concatenated as strings, since a prefix may be empty. */
    private String prefix() {
        String name = directory.toString();
        return (name.isEmpty() || name.endsWith("/") ? name : name + "/") + namePrefix;
    }

    /** The files of another rank. */
    public RankFiles ofRank(int otherRank) {
        return new RankFiles(operations, directory, namePrefix, policy, otherRank);
    }

    /** The file that locks the files of all ranks in this directory. */
    public Path lockFile() {
        return directory.resolve(namePrefix + JobLock.NAME);
    }

    private String rankPrefix() {
        return namePrefix + worldRank + ".";
    }

    @Override
    public MemberLocation locate(RankRecord member) throws IOException {
        return MemberLocation.of(prefix(), member, policy);
    }

    /** As {@link #locate}, of present files. */
    MemberLocation locate(Descriptor place, PresentFiles present) {
        return MemberLocation.of(prefix(), place, present.paths());
    }

    /** A commit that replaces all protecting files together. */
    public FileCommit commit() {
        return new FileCommit(operations, directory, rankPrefix());
    }

    /**
     * The interrupted operation in the journal of this rank or, if it has none, the first of another rank in the
     * directory.
     */
    public Optional<InterruptedCommit> interrupted() throws IOException {
        FileCommit commit = commit();
        commit.load();
        if (commit.journal() != null) {
            return Optional.of(new InterruptedCommit(List.of(commit)));
        }
        Map<Path, IOException> unreadable = new TreeMap<>();
        List<InterruptedCommit> ofOthers = InterruptedCommit.in(operations, List.of(directory), unreadable);
        if (!unreadable.isEmpty()) {
            throw new FormatException(String.valueOf(unreadable.values().iterator().next().getMessage()));
        }
        return ofOthers.stream().findFirst();
    }

    /**
     * Files to protect, as they are now.
     *
     * @param records of them, in the given order
     * @param paths of them
     * @param keys of them in the file system, null where it has none: a file that replaces another has its own
     * @param directories that hold them, or symbolic links to them
     */
    record PresentFiles(List<FileRecord> records, List<Path> paths, List<@Nullable Object> keys,
            Set<Path> directories) {
        /** Throws an exception if a file has another size than before, or was replaced by another file. */
        void requireUnchanged() throws IOException {
            for (int file = 0; file < paths.size(); file++) {
                Path path = paths.get(file);
                BasicFileAttributes attributes = Unreachable.attributes(path)
                        .orElseThrow(() -> new IOException(path + CHANGED + "is gone"));
                if (attributes.size() != records.get(file).sizeBytes()) {
                    throw new IOException(path + CHANGED + "had " + records.get(file).sizeBytes() + " bytes and has "
                            + attributes.size());
                }
                if (!Objects.equals(attributes.fileKey(), keys.get(file))) {
                    throw new IOException(path + CHANGED + "was replaced by another file");
                }
            }
        }
    }

    /**
     * Records the present files. Looks at each file, and at each of their directories, once: there may be thousands.
     *
     * @throws IllegalArgumentException if a path is invalid, or a recovery would reject it
     */
    PresentFiles record(@Nullable List<Path> files) throws IOException {
        if (files == null) {
            throw new IllegalArgumentException("paths must be a list: paths=null");
        }
        PresentFiles present = new PresentFiles(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(),
                new LinkedHashSet<>());
        PathPolicy.Resolver resolver = policy.new Resolver();
        Path realDirectory = resolver.realDirectory(directory.toAbsolutePath());
        for (int i = 0; i < files.size(); i++) {
            @Nullable
            Path file = files.get(i);
            if (file == null) {
                throw new IllegalArgumentException("paths must not hold null: paths[" + i + "]=null");
            }
            Path path = policy.base().resolve(file);
            BasicFileAttributes attributes = Unreachable.attributes(path)
                    .orElseThrow(() -> new IOException("no such file: " + path));
            if (!attributes.isRegularFile()) {
                throw new IOException("not a regular file: " + path);
            }
            String name = FilePaths.nameOf(file);
            Path real = resolver.real(path);
            requireData("paths[" + i + "]", path, real, realDirectory);
            present.paths().add(recoverable("paths[" + i + "]", path, name, resolver));
            present.keys().add(attributes.fileKey());
            present.records().add(new FileRecord(name, attributes.size(), operations.metadata(path)));
            for (Path each : List.of(path, real)) {
                present.directories().add(Objects.requireNonNull(each.toAbsolutePath().getParent()));
            }
        }
        return present;
    }

    /** Rejects a file that protects other files: it would change while it is protected, and be lost with them. */
    private void requireData(String argument, Path path, Path real, Path realDirectory) {
        String name = String.valueOf(real.getFileName());
        boolean isOwn = Objects.equals(real.getParent(), realDirectory)
                && RedsetFileNames.isOfSomeRank(namePrefix, name);
        if (isOwn || name.endsWith(PendingFile.EXTENSION)) {
            throw new IllegalArgumentException(
                    argument + " must be a file of the application, but is one of those that "
                            + "protect files: " + argument + "=" + path);
        }
    }

    /** The path where a file would be rebuilt. Rejects a file that can be protected but not rebuilt. */
    private static Path recoverable(String argument, Path path, String name, PathPolicy.Resolver resolver)
            throws IOException {
        Path found;
        try {
            found = resolver.resolve(name);
        } catch (IOException refused) {
            throw new IllegalArgumentException(argument + " must be in a directory that a recovery may write to "
                    + "(Redset.Builder.allow): " + refused.getMessage(), refused);
        }
        if (!path.equals(found) && (!Files.exists(found) || !Files.isSameFile(path, found))) {
            throw new IllegalArgumentException(
                    argument + " must not have .. behind a symbolic link: " + argument + "=" + FileName.shown(name));
        }
        return found;
    }

    Path descriptorPath() {
        return Path.of(RedsetFileNames.descriptor(prefix(), worldRank));
    }

    /**
     * The content of the descriptor file, or null if there is no valid one.
     *
     * @throws IOException if a permission is missing to read it
     */
    @Nullable
    DescriptorFile descriptorFile() throws IOException {
        try {
            return DescriptorFile.decode(operations.readBlock(descriptorPath()));
        } catch (IOException absentOrDamaged) {
            Unreachable.requirePermission(absentOrDamaged);
            return null;
        }
    }

    /**
     * The header of the redundancy file for a descriptor, or null if there is no valid one.
     *
     * @throws IOException if a permission is missing to read it
     */
    @Nullable
    FoundHeader header(Descriptor descriptor) throws IOException {
        Path path = Path.of(RedsetFileNames.redundancy(prefix(), descriptor));
        try {
            KvTreeBlock block = operations.readHeader(path);
            RedundancyHeader header = RedundancyHeader.read(block.tree(), descriptor.rank());
            if (!header.own().descriptor().equals(descriptor)) {
                return null;
            }
            return new FoundHeader(header, block.tree(), block.sizeBytes());
        } catch (IOException absentOrDamaged) {
            Unreachable.requirePermission(absentOrDamaged);
            return null;
        }
    }

    @Override
    public RedundancyHeader read(KvTree header, int rank) throws IOException {
        return RedundancyHeader.read(header, rank);
    }

    @Override
    public List<String> losses(FoundHeader found, MemberLocation location) throws IOException {
        return MemberCheck.presence(found.header(), found.headerBytes(), location);
    }

    @Override
    public SetFormat format(SetDescription set, List<KvTree> headers) {
        return new SetFormat.OfRedset(set);
    }

    /**
     * Protected and protecting files of this rank that are missing or have another size, as text; empty if none is.
     *
     * @throws IOException if a file's state can't be determined
     */
    public List<String> missing() throws IOException {
        Descriptor own = place();
        FoundHeader found = own == null ? null : header(own);
        return found == null
                ? List.of("the descriptor or the redundancy file is absent or damaged")
                : losses(found, locate(found.header().own()));
    }

    /** The protecting files of all encodings: redundancy, checksums, and the descriptor last. */
    public List<Path> protectingFiles() throws IOException {
        return protectingFiles(DirectoryEntries.of(directory));
    }

    /** As {@link #protectingFiles()}, of the entries of the directory. */
    List<Path> protectingFiles(List<Path> entries) {
        List<Path> found = new ArrayList<>();
        entries.stream().filter(this::protectsThisRank).forEach(found::add);
        if (entries.contains(descriptorPath())) {
            found.add(descriptorPath());
        }
        return found;
    }

    private boolean protectsThisRank(Path path) {
        String name = String.valueOf(path.getFileName());
        return RedsetFileNames.isOfRank(rankPrefix(), name)
                && !name.equals(RedsetFileNames.descriptor(namePrefix, worldRank));
    }

    /** The place of this rank in its descriptor file, or null if there is no valid one. */
    private @Nullable Descriptor place() throws IOException {
        DescriptorFile file = descriptorFile();
        return file == null ? null : file.byWorldRank().get(worldRank);
    }

    /**
     * Number of ranks that have protected files together, from this rank's descriptor file; 0 if there is no valid one.
     */
    public int writers() throws IOException {
        Descriptor own = place();
        return own == null ? 0 : own.worldRanks();
    }

    /** The application's protected files, from the existing descriptor and redundancy file; may be empty. */
    public List<Path> protectedFiles() throws IOException {
        Descriptor own = place();
        FoundHeader found = own == null ? null : header(own);
        return found == null ? List.of() : locate(found.header().own()).files();
    }
}
