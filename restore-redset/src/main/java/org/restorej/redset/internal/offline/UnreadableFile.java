package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.nio.file.Path;
import org.restorej.redset.internal.files.Unreachable;

/**
 * A redundancy file or a journal that is damaged or can't be read.
 *
 * @param path the file
 * @param reason why it can't be read
 */
public record UnreadableFile(Path path, IOException reason) {
    /** Whether it only can't be read at the moment, as without a permission. */
    public boolean mayBeIntact() {
        return Unreachable.mayBeIntact(path, reason);
    }

    /** Of a redundancy file of no known set. */
    static OfflineRedset.Problem problem(Path path, IOException reason) {
        UnreadableFile file = new UnreadableFile(path, reason);
        return OfflineRedset.Problem.of(file, file.toString(), ": no other file tells of its set: move it away");
    }

    @Override
    public String toString() {
        return path + ": " + Unreachable.reason(reason);
    }
}
