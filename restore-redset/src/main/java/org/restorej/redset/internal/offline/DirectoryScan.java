package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.DescriptorFile;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RedsetFileNames;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.protocol.ProtectedFiles;

/**
 * Redundancy files that were found, of all encodings. {@link LiveEncoding} determines which ones of redset are current.
 *
 * @param headers headers of redundancy files, in order of file names
 * @param descriptors descriptor files beside them, in order of file names, without unreadable ones
 * @param unreadable redundancy files that are damaged or can't be read, with the reasons
 * @param alone descriptor files of encodings of which there is no redundancy file, with the place of their rank
 */
public record DirectoryScan(List<FoundHeader> headers, List<FoundDescriptor> descriptors,
        Map<Path, IOException> unreadable, Map<Path, Descriptor> alone) {
    /**
     * A valid header.
     *
     * @param prefix prefix of the file names of its encoding, with the directory; redset's only
     * @param path its file
     * @param found the header
     */
    public record FoundHeader(String prefix, Path path, ProtectedFiles.FoundHeader found) {
        /** The header in redset's form. */
        public RedundancyHeader header() {
            return found.header();
        }

        /** The directory of its file. */
        public Path directory() {
            return path.resolveSibling("");
        }
    }

    /** Reads headers of redundancy files, of redset or of another program. */
    @FunctionalInterface
    public interface HeaderReader {
        /**
         * Reads a header.
         *
         * @return empty if the name is not that of a redundancy file
         * @throws IOException if the file is damaged or can't be read
         */
        Optional<FoundHeader> read(FileOperations operations, Path path) throws IOException;
    }

    /**
     * A valid descriptor file.
     *
     * @param prefix prefix of its name, with the directory
     * @param path the file
     * @param own the place of the file's own rank
     * @param places all places in the file
     */
    public record FoundDescriptor(String prefix, Path path, Descriptor own, List<Descriptor> places) {}

    /** Reads the headers of files. */
    static DirectoryScan of(FileOperations operations, Collection<Path> files, HeaderReader reader) {
        DirectoryScan scan = new DirectoryScan(new ArrayList<>(), new ArrayList<>(), new TreeMap<>(), new TreeMap<>());
        for (Path path : files) {
            try {
                reader.read(operations, path).ifPresent(scan.headers::add);
            } catch (IOException damagedOrUnreachable) {
                scan.unreadable.put(path, damagedOrUnreachable);
            }
        }
        return scan;
    }

    /** Reads the headers and descriptors of all files of redset in a directory, without subdirectories. */
    public static DirectoryScan of(FileOperations operations, Path directory) throws IOException {
        List<Path> files = DirectoryEntries.of(directory);
        DirectoryScan scan = of(operations, files, DirectoryScan::readHeader);
        // Only headers tell where a prefix ends that ends with a digit.
        SortedSet<String> prefixes = new TreeSet<>();
        scan.headers.forEach(header -> prefixes.add(header.prefix()));
        for (Path path : files) {
            if (RedsetFileNames.isDescriptor(String.valueOf(path.getFileName()))) {
                List<FoundDescriptor> found = readDescriptor(operations, path, prefixes);
                scan.descriptors.addAll(found);
                if (found.isEmpty() && scan.unreadable.isEmpty()) {
                    describedAlone(operations, path).ifPresent(own -> scan.alone.put(path, own));
                }
            }
        }
        return scan;
    }

    private static Optional<Descriptor> describedAlone(FileOperations operations, Path path) {
        try {
            return DescriptorFile.decode(operations.readBlock(path)).byWorldRank().values().stream()
                    .filter(own -> path.toString().endsWith(RedsetFileNames.descriptor("", own.worldRank())))
                    .findFirst();
        } catch (IOException noDescriptor) {
            return Optional.empty();
        }
    }

    private static Optional<FoundHeader> readHeader(FileOperations operations, Path path) throws IOException {
        Optional<RedsetFileNames.Redundancy> parsed = RedsetFileNames
                .parseRedundancy(String.valueOf(path.getFileName()));
        if (parsed.isEmpty()) {
            return Optional.empty();
        }
        KvTreeBlock block = operations.readHeader(path);
        RedundancyHeader header = RedundancyHeader.read(block.tree(), parsed.get().rank());
        String standardName = RedsetFileNames.redundancy("", header.own().descriptor());
        if (!FilePaths.isEncodable(path)) {
            throw new FormatException(FilePaths.notEncodable(path));
        }
        String name = path.toString();
        if (!name.endsWith(standardName)) {
            throw new FormatException(
                    "the name doesn't fit to the header, which would be called ..." + standardName);
        }
        return Optional.of(new FoundHeader(name.substring(0, name.length() - standardName.length()), path,
                new ProtectedFiles.FoundHeader(header, header.toTree(), block.sizeBytes())));
    }

    private static List<FoundDescriptor> readDescriptor(FileOperations operations, Path path,
            SortedSet<String> prefixes) {
        List<FoundDescriptor> found = new ArrayList<>();
        try {
            DescriptorFile file = DescriptorFile.decode(operations.readBlock(path));
            for (String prefix : prefixes) {
                for (Descriptor own : file.byWorldRank().values()) {
                    if (path.toString().equals(RedsetFileNames.descriptor(prefix, own.worldRank()))) {
                        found.add(new FoundDescriptor(prefix, path, own, List.copyOf(file.byWorldRank().values())));
                    }
                }
            }
        } catch (IOException damagedOrUnreachable) {
            // Treated as missing: the check of its rank reports it, and a rebuild replaces it.
            return List.of();
        }
        return found;
    }
}
