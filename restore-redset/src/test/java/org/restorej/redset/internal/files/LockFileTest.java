package org.restorej.redset.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.redset.internal.files.LockFile.InUseException;

class LockFileTest {
    @TempDir
    Path directory;

    /** Another process that locks a file for some time. */
    static final class Holder {
        private Holder() {}

        /** The arguments are the file, whether the lock is shared, and for how many milliseconds. */
        public static void main(String[] arguments) throws Exception {
            try (FileChannel channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.READ,
                    StandardOpenOption.WRITE, StandardOpenOption.CREATE);
                    FileLock _ = channel.lock(0, Long.MAX_VALUE, Boolean.parseBoolean(arguments[1]))) {
                System.out.println("locked");
                Thread.sleep(Long.parseLong(arguments[2]));
            }
        }
    }

    private static Process lockElsewhere(Path file, boolean shared, int millis) throws IOException {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), Holder.class.getName(), file.toString(),
                Boolean.toString(shared), Integer.toString(millis))
                .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader output = process.inputReader()) {
            assertEquals("locked", output.readLine());
        }
        return process;
    }

    @Test
    void aProcessThatOnlyLooksKeepsNobodyAway() throws IOException, InterruptedException {
        Path file = directory.resolve("lock");
        Process looks = lockElsewhere(file, true, 500);
        try (LockFile lock = new LockFile(file)) {
            lock.take();
            assertTrue(Files.readString(file).contains("process " + ProcessHandle.current().pid()));
        }
        looks.waitFor();
    }

    @Test
    void aProcessThatHasTheLockKeepsOthersAway() throws IOException, InterruptedException {
        Path file = directory.resolve("lock");
        Process holds = lockElsewhere(file, false, 60_000);
        try (LockFile lock = new LockFile(file)) {
            assertThrows(InUseException.class, lock::take);
            holds.destroyForcibly().waitFor();
            lock.take();
        }
    }

    @Test
    void aSecondPathToAFileLeavesItsHolderTheLock() throws IOException {
        Path file = directory.resolve("lock");
        try (LockFile lock = new LockFile(file)) {
            lock.take();
            Path link = Files.createLink(directory.resolve("link"), file);
            try (LockFile second = new LockFile(link)) {
                assertThrows(InUseException.class, () -> onAnotherThread(second));
                assertTrue(LockFile.isInUse(link));
            }
            System.gc();
            assertTrue(isLockedForOthers(file));
        }
    }

    private static void onAnotherThread(LockFile lock) throws Throwable {
        FutureTask<Boolean> taken = new FutureTask<>(() -> {
            lock.take();
            return true;
        });
        Thread.ofPlatform().start(taken);
        try {
            taken.get();
        } catch (ExecutionException failure) {
            throw Objects.requireNonNull(failure.getCause());
        }
    }

    private static boolean isLockedForOthers(Path file) throws IOException {
        Object inode = Files.getAttribute(file, "unix:ino");
        try (Stream<String> locks = Files.lines(Path.of("/proc/locks"))) {
            return locks.anyMatch(line -> line.contains("POSIX") && line.contains(":" + inode + " "));
        }
    }
}
