package org.restorej.redset.internal.scr;

import org.restorej.redset.internal.scr.ScrHeader.ScrFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.restorej.redset.internal.files.DirectoryEntries;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.PathPolicy;

/**
 * A folder that may contain XOR files of SCR. On a node this is the folder {@code .scr} in the folder of the data;
 * after a scavenge it is {@code .scr/scr.dataset.<id>} in the prefix directory. Before 2014 it was the folder of the
 * data.
 *
 * @param data the folder that contains the hidden one, or the folder itself if it is not hidden
 * @param hidden the rest of its path; empty if it is not hidden
 */
public record ScrFolder(Path data, String hidden) {
    private static final String HIDDEN = ".scr";
    private static final String DATASET = "scr.dataset.";

    /** Parses a path. */
    public static ScrFolder of(Path folder) {
        Path absolute = folder.toAbsolutePath().normalize();
        Path above = absolute.getParent();
        if (above != null && isHidden(absolute)) {
            return new ScrFolder(above, HIDDEN);
        }
        Path top = above == null ? null : above.getParent();
        return above != null && top != null && isHidden(above) && isDataset(absolute)
                ? new ScrFolder(top, HIDDEN + "/" + absolute.getFileName())
                : new ScrFolder(folder, "");
    }

    private static boolean isHidden(Path folder) {
        return String.valueOf(folder.getFileName()).equals(HIDDEN);
    }

    private static boolean isDataset(Path folder) {
        return String.valueOf(folder.getFileName()).startsWith(DATASET);
    }

    /** The XOR files of a given folder: those in it, and those in folders where SCR hides them. */
    public static List<Path> xorFiles(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path place : heldBy(folder)) {
            DirectoryEntries.of(place).stream()
                    .filter(path -> ScrFileName.parse(String.valueOf(path.getFileName())).isPresent())
                    .forEach(files::add);
        }
        return files;
    }

    private static List<Path> heldBy(Path folder) throws IOException {
        List<Path> folders = new ArrayList<>(List.of(folder));
        Path hidden = folder;
        if (!isHidden(folder.toAbsolutePath().normalize())) {
            hidden = folder.resolve(HIDDEN);
            folders.add(hidden);
        }
        DirectoryEntries.of(hidden).stream().filter(ScrFolder::isDataset).filter(Files::isDirectory)
                .forEach(folders::add);
        return folders;
    }

    /** The folder that is hidden in the same way in another folder, which may itself be hidden. */
    public Path in(Path other) {
        return hidden.isEmpty() ? other : of(other).data().resolve(hidden);
    }

    /** The places of data files. SCR's headers have names without directories, since SCR moves files. */
    public enum Layout {
        /** In the folder that contains the hidden one with the XOR file, or beside the XOR file: in SCR's cache. */
        CACHE,
        /** Beside the XOR file, although that is hidden: all files of a node were copied to one folder. */
        BESIDE,
        /** In the application's original place: after a scavenge. */
        ORIGINAL;

        /**
         * The path of a file.
         *
         * @param folder folder of the XOR file
         * @param policy allowed places of files with directories in their names
         * @throws IOException if it can't be determined
         */
        public Path place(Path folder, ScrFile file, PathPolicy policy) throws IOException {
            if (this != ORIGINAL) {
                return (this == CACHE ? of(folder).data() : folder).resolve(FilePaths.of(file.record().name()));
            }
            if (file.original() == null) {
                throw new IOException("no PATH is recorded for " + file.record().shownName());
            }
            return policy.resolve(file.original());
        }

        /** Whether a file exists with the right size. */
        public boolean isThere(Path folder, ScrFile file, PathPolicy policy) {
            try {
                Path path = place(folder, file, policy);
                return Files.isRegularFile(path) && Files.size(path) == file.record().sizeBytes();
            } catch (IOException nowhere) {
                return false;
            }
        }
    }
}
