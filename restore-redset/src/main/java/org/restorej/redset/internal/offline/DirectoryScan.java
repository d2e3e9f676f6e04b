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
import org.restorej.redset.internal.sets.EncodingFacts;

/**
 * Redundancy files that were found, of all encodings. {@link LiveEncoding} determines which ones of redset are current.
 *
 * @param headers headers of redundancy files, in order of file names
 * @param descriptors descriptor files beside them, in order of file names, without unreadable ones
 * @param unreadable redundancy files that are damaged or can't be read, with the reasons
 * @param alone descriptor files of encodings of which there is no redundancy file, with the place of their rank
 */
public record DirectoryScan(List<FoundHeader> headers, List<LiveEncoding.Claim> descriptors,
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
                scan.addDescriptor(operations, path, prefixes);
            }
        }
        return scan;
    }

    /** Adds a descriptor file. A damaged one counts as missing: the check of its rank tells it. */
    private void addDescriptor(FileOperations operations, Path path, SortedSet<String> prefixes) {
        Collection<Descriptor> places;
        try {
            places = DescriptorFile.decode(operations.readBlock(path)).byWorldRank().values();
        } catch (IOException damagedOrUnreachable) {
            return;
        }
        boolean isAlone = unreadable.isEmpty();
        for (Descriptor own : places) {
            for (String prefix : prefixes) {
                if (path.toString().equals(RedsetFileNames.descriptor(prefix, own.worldRank()))) {
                    descriptors.add(new LiveEncoding.Claim(prefix, path, own, EncodingFacts.ofPlaces(places),
                            Optional.empty()));
                    isAlone = false;
                }
            }
        }
        if (isAlone) {
            places.stream().filter(own -> path.toString().endsWith(RedsetFileNames.descriptor("", own.worldRank())))
                    .findFirst().ifPresent(own -> alone.put(path, own));
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
}
