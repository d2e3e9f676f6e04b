package org.restorej.redset.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.redset.internal.files.LockFile.InUseException;

class JobLockTest {
    private static final long JOB = 7;
    private static final long OTHER_JOB = 8;

    @TempDir
    Path directory;

    /** Another process that has a directory as a job. */
    static final class Holder {
        private Holder() {}

        /** The arguments are the directory, the number of the job, and for how many milliseconds. */
        public static void main(String[] arguments) throws Exception {
            try (JobLock lock = lock(Path.of(arguments[0]), Long.parseLong(arguments[1]), 0)) {
                lock.take();
                System.out.println("locked");
                Thread.sleep(Long.parseLong(arguments[2]));
            }
        }
    }

    private static JobLock lock(Path directory, long job, long waitMillis) throws IOException {
        JobLock lock = JobLock.open(directory, () -> false, TimeUnit.MILLISECONDS.toNanos(waitMillis));
        lock.setJob(job);
        return lock;
    }

    private Process holdElsewhere(long job, long millis) throws IOException {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), Holder.class.getName(), directory.toString(),
                Long.toString(job), Long.toString(millis))
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader output = process.inputReader();
        assertEquals("locked", output.readLine());
        return process;
    }

    @Test
    void anotherProcessIsRefusedUnlessItIsOfTheSameJob() throws Exception {
        Path file = directory.resolve(JobLock.NAME);
        Process holds = holdElsewhere(JOB, 60_000);
        try (JobLock other = lock(directory, OTHER_JOB, 0)) {
            InUseException refused = assertThrows(InUseException.class, other::take);
            assertTrue(refused.toString().contains("in use by process " + holds.pid()), refused::toString);
            assertTrue(LockFile.isInUse(file));
        }
        try (JobLock same = lock(directory, JOB, 0)) {
            same.take();
            holds.destroyForcibly().waitFor();
            Process refused = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp", System.getProperty("java.class.path"), Holder.class.getName(), directory.toString(),
                    Long.toString(OTHER_JOB), "0").redirectErrorStream(true).start();
            String output = new String(refused.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(output.contains("is in use by process " + holds.pid()), output);
        }
        assertFalse(Files.exists(file));
    }

    @Test
    void aJobThatWasKilledKeepsNobodyAway() throws Throwable {
        holdElsewhere(JOB, 60_000).destroyForcibly().waitFor();
        assertTrue(Files.exists(directory.resolve(JobLock.NAME)));
        assertFalse(LockFile.isInUse(directory.resolve(JobLock.NAME)));
        try (JobLock other = lock(directory, OTHER_JOB, 0)) {
            other.take();
            onAnotherThread(() -> {
                try (JobLock first = lock(directory, JOB, 0)) {
                    assertThrows(InUseException.class, first::take);
                }
            });
        }
    }

    @Test
    void aJobThatWasStartedAgainWaitsForTheLocksOfFailedNodes() throws Exception {
        Process holds = holdElsewhere(JOB, 500);
        try (JobLock again = lock(directory, OTHER_JOB, 60_000)) {
            again.take();
            assertTrue(LockFile.isInUse(directory.resolve(JobLock.NAME)));
        }
        holds.waitFor();
    }

    @Test
    void threadsOfOneJobShareADirectoryAndOthersAreRefused() throws Throwable {
        try (JobLock lock = lock(directory, JOB, 0)) {
            lock.take();
            onAnotherThread(() -> {
                try (JobLock same = lock(directory, JOB, 0)) {
                    same.take();
                }
                assertTrue(Files.exists(directory.resolve(JobLock.NAME)));
                try (JobLock other = lock(directory, OTHER_JOB, 60_000)) {
                    InUseException refused = assertThrows(InUseException.class, other::take);
                    assertTrue(refused.toString().contains("in use by the thread"), refused::toString);
                }
            });
        }
        assertFalse(Files.exists(directory.resolve(JobLock.NAME)));
    }

    @Test
    void theLocksOfAThreadThatHasEndedDoNotCount() throws Throwable {
        onAnotherThread(() -> lock(directory, JOB, 0).take());
        try (JobLock other = lock(directory, OTHER_JOB, 0)) {
            other.take();
        }
    }

    @Test
    void aDirectoryThatAppearsOrIsMadeAgainIsLockedThen() throws Exception {
        Path later = directory.resolve("later");
        try (JobLock lock = lock(later, JOB, 0)) {
            for (int time = 0; time < 2; time++) {
                lock.take();
                assertFalse(Files.exists(later));
                Files.createDirectory(later);
                lock.take();
                assertTrue(LockFile.isInUse(later.resolve(JobLock.NAME)));
                DirectoryEntries.deleteTree(later);
            }
        }
    }

    @Test
    void aThreadOpensADirectoryOnceUnlessItHasFailedOrIsHandedOver() throws Exception {
        boolean[] failed = {false};
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
        try (JobLock _ = JobLock.open(directory, () -> failed[0])) {
            assertThrows(InUseException.class, () -> JobLock.open(link.resolve("."), () -> false));
            failed[0] = true;
            try (JobLock second = JobLock.open(link, () -> false)) {
                assertThrows(InUseException.class, () -> JobLock.open(directory, () -> false));
                second.handOver();
                JobLock.open(directory, () -> false).close();
            }
        }
    }

    /** Throws whatever it likes. */
    @FunctionalInterface
    private interface Action {
        void run() throws Exception;
    }

    private static void onAnotherThread(Action action) throws Throwable {
        FutureTask<Boolean> done = new FutureTask<>(() -> {
            action.run();
            return true;
        });
        Thread thread = Thread.ofPlatform().start(done);
        try {
            done.get();
        } catch (ExecutionException failure) {
            throw Objects.requireNonNull(failure.getCause());
        } finally {
            thread.join();
        }
    }
}
