package org.restorej.redset.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.redset.internal.files.JobLock.InUseException;

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
            try (JobLock lock = lock(Path.of(arguments[0]).resolve(JobLock.NAME), Long.parseLong(arguments[1]), 0)) {
                lock.take();
                System.out.println("locked");
                Thread.sleep(Long.parseLong(arguments[2]));
            }
        }
    }

    private static JobLock lock(Path file, long job, long waitMillis) {
        JobLock lock = new JobLock(file, () -> false, TimeUnit.MILLISECONDS.toNanos(waitMillis));
        lock.setJob(job);
        return lock;
    }

    private Path file() {
        return directory.resolve(JobLock.NAME);
    }

    private static boolean isLockedForOthers(Path file) throws IOException {
        Object inode = Files.getAttribute(file, "unix:ino");
        try (Stream<String> locks = Files.lines(Path.of("/proc/locks"))) {
            return locks.anyMatch(line -> line.contains("POSIX") && line.contains(":" + inode + " "));
        }
    }

    private Process holdElsewhere(long job, long millis) throws IOException {
        return startElsewhere(Holder.class, directory.toString(), Long.toString(job), Long.toString(millis));
    }

    private static Process startElsewhere(Class<?> program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java")
                .toString(), "-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader output = process.inputReader();
        assertEquals("locked", output.readLine());
        return process;
    }

    @Test
    void anotherProcessIsRefusedUnlessItIsOfTheSameJob() throws Exception {
        Process holds = holdElsewhere(JOB, 60_000);
        try (JobLock other = lock(file(), OTHER_JOB, 0)) {
            InUseException refused = assertThrows(InUseException.class, other::take);
            assertTrue(refused.toString().contains("in use by process " + holds.pid()), refused::toString);
            assertTrue(JobLock.isInUse(file()));
        }
        try (JobLock same = lock(file(), JOB, 0)) {
            same.take();
            holds.destroyForcibly().waitFor();
            Process refused = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp", System.getProperty("java.class.path"), Holder.class.getName(), directory.toString(),
                    Long.toString(OTHER_JOB), "0").redirectErrorStream(true).start();
            String output = new String(refused.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(output.contains("is in use by process " + holds.pid()), output);
        }
        assertFalse(Files.exists(file()));
    }

    @Test
    void aJobThatWasKilledKeepsNobodyAway() throws Throwable {
        holdElsewhere(JOB, 60_000).destroyForcibly().waitFor();
        assertTrue(Files.exists(file()));
        assertFalse(JobLock.isInUse(file()));
        try (JobLock other = lock(file(), OTHER_JOB, 0)) {
            other.take();
            onAnotherThread(() -> {
                try (JobLock first = lock(file(), JOB, 0)) {
                    assertThrows(InUseException.class, first::take);
                }
            });
        }
    }

    @Test
    void aJobThatWasStartedAgainWaitsForTheLocksOfFailedNodes() throws Exception {
        Process holds = holdElsewhere(JOB, 500);
        try (JobLock again = lock(file(), OTHER_JOB, 60_000)) {
            again.take();
            assertTrue(JobLock.isInUse(file()));
        }
        holds.waitFor();
    }

    @Test
    void threadsOfOneJobShareADirectoryAndOthersAreRefused() throws Throwable {
        try (JobLock lock = lock(file(), JOB, 0)) {
            lock.take();
            onAnotherThread(() -> {
                try (JobLock same = lock(file(), JOB, 0)) {
                    same.take();
                }
                assertTrue(Files.exists(file()));
                try (JobLock other = lock(file(), OTHER_JOB, 60_000)) {
                    InUseException refused = assertThrows(InUseException.class, other::take);
                    assertTrue(refused.toString().contains("in use by the thread"), refused::toString);
                }
            });
        }
        assertFalse(Files.exists(file()));
    }

    @Test
    void theLocksOfAThreadThatHasEndedDoNotCount() throws Throwable {
        onAnotherThread(() -> lock(file(), JOB, 0).take());
        try (JobLock other = lock(file(), OTHER_JOB, 0)) {
            other.take();
        }
    }

    @Test
    void aDirectoryThatAppearsOrIsMadeAgainIsLockedThen() throws Exception {
        Path later = directory.resolve("later");
        try (JobLock lock = lock(later.resolve(JobLock.NAME), JOB, 0)) {
            for (int time = 0; time < 2; time++) {
                lock.take();
                assertFalse(Files.exists(later));
                Files.createDirectory(later);
                lock.take();
                assertTrue(JobLock.isInUse(later.resolve(JobLock.NAME)));
                DirectoryEntries.deleteTree(later);
            }
        }
    }

    private static void requireOnlyUse(JobLock lock) throws InUseException {
        try (lock) {
            lock.requireOnlyUse();
        }
    }

    @Test
    void aThreadUsesADirectoryOnceUnlessItHasFailedOrIsHandedOver() throws Exception {
        boolean[] failed = {false};
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
        Path other = link.resolve(".").resolve(JobLock.NAME);
        try (JobLock _ = new JobLock(file(), () -> failed[0])) {
            assertThrows(InUseException.class, () -> requireOnlyUse(lock(other, JOB, 0)));
            failed[0] = true;
            try (JobLock second = lock(other, JOB, 0)) {
                second.requireOnlyUse();
                assertThrows(InUseException.class, () -> requireOnlyUse(lock(file(), JOB, 0)));
                second.handOver();
                requireOnlyUse(lock(file(), JOB, 0));
            }
        }
    }

    /** Perhaps by another path, and with other ranks, which have another number. */
    @Test
    void aThreadTakesAgainWhatItHas() throws Throwable {
        try (JobLock lock = lock(file(), JOB, 0)) {
            lock.take();
            Path link = Files.createLink(directory.resolve("link"), file());
            try (JobLock second = lock(link, OTHER_JOB, 0)) {
                second.take();
                onAnotherThread(() -> {
                    try (JobLock other = lock(link, OTHER_JOB + 1, 0)) {
                        assertThrows(InUseException.class, other::take);
                    }
                });
            }
            assertTrue(JobLock.isInUse(link));
            System.gc();
            assertTrue(isLockedForOthers(file()));
        }
    }

    @Test
    void survivorsKeepTheNumberOfTheFailedUntilTheyHaveClosed() {
        long job;
        try (JobLock failed = new JobLock(file(), () -> true)) {
            failed.setJob(failed.proposal());
            job = failed.proposal();
        }
        try (JobLock survivor = new JobLock(file(), () -> false)) {
            assertEquals(job, survivor.proposal());
            survivor.setJob(job);
        }
        try (JobLock next = new JobLock(file(), () -> false)) {
            assertTrue(next.proposal() < job, "a rank without a number takes that of the others");
        }
    }

    @Test
    void aRankThatCanNotSayWhetherItHasFailedFreesTheLock() throws Exception {
        JobLock lock = new JobLock(file(), () -> {
            throw new IllegalStateException("meant");
        });
        lock.setJob(JOB);
        lock.take();
        assertThrows(IllegalStateException.class, lock::close);
        assertFalse(Files.exists(file()));
        try (JobLock next = lock(file(), OTHER_JOB, 0)) {
            next.requireOnlyUse();
            next.take();
        }
    }

    /** Another thread closes it when the file has been opened anew. */
    @Test
    void theLockOfAThreadThatHasEndedMayBeClosedLate() throws Throwable {
        List<JobLock> late = new ArrayList<>();
        onAnotherThread(() -> {
            late.add(lock(file(), JOB, 0));
            late.getFirst().take();
        });
        Process holds = holdElsewhere(JOB, 60_000);
        try (JobLock other = lock(file(), OTHER_JOB, 0)) {
            assertThrows(InUseException.class, other::take);
        }
        try (JobLock again = lock(file(), JOB, 0)) {
            again.take();
            late.getFirst().close();
            assertTrue(JobLock.isInUse(file()));
            assertTrue(isLockedForOthers(file()));
        } finally {
            holds.destroyForcibly().waitFor();
        }
    }

    @Test
    void aProcessThatOnlyLooksIsWaitedFor() throws Exception {
        Process looks = startElsewhere(Looking.class, file().toString());
        try (JobLock lock = lock(file(), JOB, 0)) {
            lock.take();
            assertTrue(isLockedForOthers(file()));
            assertTrue(Files.readString(file()).contains("process " + ProcessHandle.current().pid()));
        }
        looks.waitFor();
    }

    /** Another process that has its turn at a lock file for half a second. */
    static final class Looking {
        private Looking() {}

        /** The argument is the file. */
        public static void main(String[] arguments) throws Exception {
            try (FileChannel channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.READ,
                    StandardOpenOption.WRITE, StandardOpenOption.CREATE);
                    FileLock _ = channel.lock(1, 1, false)) {
                System.out.println("locked");
                Thread.sleep(500);
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
