package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** What a log says of checkpoints that can't be had. */
class SkippedCheckpointsTest {
    @Test
    void theStoreIsNamedInTheLogOfOneRank() {
        Logger logger = Logger.getLogger(SkippedCheckpoints.class.getName());
        List<String> logged = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                logged.add(MessageFormat.format(entry.getMessage(), entry.getParameters()));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        try {
            new SkippedCheckpoints("restart", 0).lost(3, List.of(Path.of("store/job")), "it's lost");
            new SkippedCheckpoints("restart", 1).lost(3, List.of(Path.of("other/job")), "it's lost");
        } finally {
            logger.removeHandler(handler);
        }
        assertEquals(List.of("checkpoint 3 in store/job is passed over: it's lost"), logged);
    }
}
