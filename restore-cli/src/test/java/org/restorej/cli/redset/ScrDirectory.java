package org.restorej.cli.redset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.restorej.redset.FileDamage;
import org.restorej.redset.ProgramRun;
import org.restorej.redset.ScrFiles;
import org.restorej.redset.internal.offline.DirectorySnapshot;

/**
 * A directory of SCR's cache with the files of one set, as on a node where all of its ranks ran.
 *
 * @param whole the directory above it when nothing was lost
 */
record ScrDirectory(ScrFiles set, Path path, DirectorySnapshot whole) {
    /** Writes a set to a folder of this one, which has nothing else. */
    static ScrDirectory write(ScrFiles set, Path above) throws IOException {
        Path path = above.resolve("scr.dataset.6");
        set.write(path);
        return new ScrDirectory(set, path, DirectorySnapshot.of(above));
    }

    Path resolve(String name) {
        return path.resolve(name);
    }

    /** The XOR file of a member. */
    Path xor(int rank) {
        return path.resolve(set.xorName(rank));
    }

    /** Deletes all files of a member. */
    void lose(int rank) throws IOException {
        set.delete(rank, path, path);
    }

    void flip(String name, int at) throws IOException {
        FileDamage.flip(path.resolve(name), at);
    }

    /** Runs a command on the directory. */
    ProgramRun run(String... command) {
        return RedsetRun.of(onPath(command));
    }

    /** Fails unless a command on the directory ends with this exit code and writes nothing. */
    ProgramRun assertWritesNothing(int exitCode, String... command) throws IOException {
        return RedsetRun.assertWritesNothing(whole.directory(), exitCode, onPath(command));
    }

    /** Fails unless a rebuild brings back what was there. */
    void assertRebuilds(String what) throws IOException {
        run("rebuild").assertExit(RedsetCommand.REPAIRABLE, what);
        whole.assertEquivalent(what);
    }

    private Object[] onPath(String... command) {
        return Stream.concat(Stream.of(command), Stream.of(path)).toArray();
    }
}
