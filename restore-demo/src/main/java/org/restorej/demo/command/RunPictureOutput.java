package org.restorej.demo.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.restorej.cli.command.PictureFile;
import org.restorej.demo.picture.RunPicture;
import org.restorej.demo.run.RunTrace;

/**
 * Where the picture of a run goes. A process that has started ranks draws it itself, from what one of them leaves in a
 * file beside the picture: the systems that ranks run on have no fonts as a rule.
 *
 * @param file the picture
 * @param title what ran
 * @param valueName what shows how far it had come
 */
record RunPictureOutput(Path file, String title, String valueName) {
    static final String OPTION = "--picture";

    /** Names the file that a rank leaves its trace in. */
    private static final String TRACE_PROPERTY = "restorej.picture.trace";

    /** Whether another process draws what this one has seen. */
    static boolean isDrawnElsewhere() {
        return System.getProperty(TRACE_PROPERTY) != null;
    }

    /** Draws a run, or leaves the trace of it to the process that does. */
    void accept(RunTrace trace) {
        String handedOver = System.getProperty(TRACE_PROPERTY);
        if (handedOver == null) {
            PictureFile.write(OPTION, file, RunPicture.of(trace, title, valueName));
            return;
        }
        try {
            new ObjectMapper().writeValue(Path.of(handedOver).toFile(), trace);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    /**
     * Draws what a job of other processes leaves.
     *
     * @param job runs it, with these system properties for its ranks; returns its exit code
     */
    int ofJob(ToIntFunction<Map<String, String>> job) {
        try {
            Path folder = file.toAbsolutePath().getParent();
            Path trace = Files.createTempFile(folder, ".restorej-trace", ".json");
            try {
                int exitCode = job.applyAsInt(Map.of(TRACE_PROPERTY, trace.toString()));
                // A run that went wrong may have left nothing.
                if (Files.size(trace) > 0) {
                    accept(new ObjectMapper().readValue(trace.toFile(), RunTrace.class));
                }
                return exitCode;
            } finally {
                Files.deleteIfExists(trace);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
