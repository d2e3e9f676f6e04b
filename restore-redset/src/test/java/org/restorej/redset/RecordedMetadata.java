package org.restorej.redset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.restorej.redset.internal.files.ForwardingFileOperations;
import org.restorej.redset.internal.format.FileMetadata;

/** The real file system, but for the metadata of some files: no program can set the time of a change of status. */
final class RecordedMetadata extends ForwardingFileOperations {
    private final Map<Path, FileMetadata> recorded;

    RecordedMetadata(Map<Path, FileMetadata> recorded) {
        this.recorded = recorded;
    }

    @Override
    public FileMetadata metadata(Path path) throws IOException {
        FileMetadata metadata = recorded.get(path.normalize());
        return metadata == null ? super.metadata(path) : metadata;
    }
}
