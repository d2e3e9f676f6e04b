package org.restorej.cli.redset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.restorej.cli.testing.CommandRun;
import org.restorej.redset.ProgramRun;
import org.restorej.redset.internal.offline.DirectorySnapshot;

/** Runs commands of {@code restore redset}. */
final class RedsetRun {
    private RedsetRun() {}

    /** Runs a command in this JVM. */
    static ProgramRun of(Object... arguments) {
        CommandRun run = CommandRun.of(Stream.concat(Stream.of("redset"), Stream.of(arguments)).map(Object::toString)
                .toArray(String[]::new));
        return new ProgramRun(run.exitCode(), run.output() + run.errors());
    }

    /** Fails unless a command ends with this exit code and leaves everything below a directory as it is. */
    static ProgramRun assertWritesNothing(Path directory, int exitCode, Object... command) throws IOException {
        DirectorySnapshot before = DirectorySnapshot.of(directory);
        ProgramRun run = of(command).assertExit(exitCode);
        before.assertUnchanged(run.text());
        return run;
    }
}
