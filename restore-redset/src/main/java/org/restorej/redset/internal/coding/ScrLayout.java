package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.ScrFile;

/** Where data files are. Headers of SCR have their names without directories, since SCR moves files. */
public enum ScrLayout {
    /** In the folder that the XOR file is hidden in, or beside it: in SCR's cache. */
    CACHE {
        @Override
        public Path place(Path folder, ScrFile file, PathPolicy policy) throws IOException {
            return ScrFolder.of(folder).data().resolve(FilePaths.of(file.record().name()));
        }
    },
    /** Beside the XOR file, although that is hidden: all files of a node brought into one folder. */
    BESIDE {
        @Override
        public Path place(Path folder, ScrFile file, PathPolicy policy) throws IOException {
            return folder.resolve(FilePaths.of(file.record().name()));
        }
    },
    /** Where the application itself would have put it: after a scavenge. */
    ORIGINAL {
        @Override
        public Path place(Path folder, ScrFile file, PathPolicy policy) throws IOException {
            if (file.original() == null) {
                throw new IOException("no PATH is recorded for " + file.record().shownName());
            }
            return policy.resolve(file.original());
        }
    };

    /**
     * The place of a file.
     *
     * @param folder that holds the XOR file
     * @param policy where files may be that have directories in their names
     * @throws IOException when it can't be told
     */
    public abstract Path place(Path folder, ScrFile file, PathPolicy policy) throws IOException;

    /** Whether a file is there, with the right size. */
    public boolean isThere(Path folder, ScrFile file, PathPolicy policy) {
        try {
            Path path = place(folder, file, policy);
            return Files.isRegularFile(path) && Files.size(path) == file.record().sizeBytes();
        } catch (IOException nowhere) {
            return false;
        }
    }
}
