package org.restorej.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What is logged while this is open. Any thread. */
public final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger;
    private final Level before;
    private final boolean handsOn;
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    /** Of a logger, and those below it, from this level on; nobody else is told. */
    public LogLines(String name, Level level) {
        logger = Logger.getLogger(name);
        before = logger.getLevel();
        handsOn = logger.getUseParentHandlers();
        logger.setLevel(level);
        logger.setUseParentHandlers(false);
        logger.addHandler(this);
    }

    /** All so far. */
    public List<LogRecord> records() {
        return List.copyOf(records);
    }

    /** Their messages. */
    public List<String> lines() {
        return records.stream().map(new SimpleFormatter()::formatMessage).toList();
    }

    @Override
    public void publish(LogRecord entry) {
        records.add(entry);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
        logger.setUseParentHandlers(handsOn);
        logger.setLevel(before);
    }
}
