package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A machine that crashes at a chosen change of its disk. Then it has those names that were there when their directory
 * was last forced, with any of the changes since, in whatever order the disk took them; and of files that were not
 * forced it has the names without the contents.
 */
final class CrashingMachine extends ForwardingFileOperations {
    private final Path inodes;
    private final int crashAt;
    private int changes;
    private int files;
    private final Map<Path, Integer> names = new TreeMap<>();
    private final Map<Path, Integer> durable = new TreeMap<>();
    private final List<Change> unforced = new ArrayList<>();
    private final IdentityHashMap<FileChannel, Integer> open = new IdentityHashMap<>();
    private final Set<Integer> unforcedContents = new HashSet<>();

    /** A change of names in a directory; a file is created, renamed, or deleted. */
    private record Change(Path directory, @Nullable Path gone, @Nullable Path there, int file) {
        void applyTo(Map<Path, Integer> names) {
            if (gone != null && names.remove(gone) == null && there != null) {
                return;
            }
            if (there != null) {
                names.put(there, file);
            }
        }
    }

    /**
     * A machine with files on its disk.
     *
     * @param inodes an empty directory of the same file system, where contents are kept
     * @param crashAt number of the change at which it crashes
     */
    CrashingMachine(Path inodes, int crashAt, List<Path> present) throws IOException {
        this.inodes = inodes;
        this.crashAt = crashAt;
        for (Path file : present) {
            names.put(file, keep(file));
        }
        durable.putAll(names);
    }

    /** Whether it has crashed. */
    boolean hasCrashed() {
        return changes > crashAt;
    }

    /** Changes of names that a crash now may undo. */
    int unforcedChanges() {
        return unforced.size();
    }

    /** Whether such a change is one of names in a directory. */
    boolean isIn(int change, Path directory) {
        return directory.equals(unforced.get(change).directory());
    }

    private int keep(Path file) throws IOException {
        Files.createLink(inodes.resolve("inode" + files), file);
        return files++;
    }

    private void change() throws IOException {
        if (changes++ >= crashAt) {
            changes = crashAt + 1;
            throw new IOException("the machine has crashed");
        }
    }

    private void note(Path directory, @Nullable Path gone, @Nullable Path there, int file) {
        Change change = new Change(directory, gone, there, file);
        change.applyTo(names);
        unforced.add(change);
    }

    private static Path directoryOf(Path file) {
        return Objects.requireNonNull(file.getParent());
    }

    @Override
    public FileChannel createNew(Path path, int permissions) throws IOException {
        change();
        FileChannel channel = super.createNew(path, permissions);
        int file = keep(path);
        open.put(channel, file);
        note(directoryOf(path), null, path, file);
        return channel;
    }

    @Override
    public FileChannel openAgain(Path path) throws IOException {
        FileChannel channel = super.openAgain(path);
        open.put(channel, Objects.requireNonNull(names.get(path)));
        return channel;
    }

    /** Not as the system does it: each file here has a second name among the inodes. */
    @Override
    public Optional<FileChannel> openToOverwrite(Path path, Path fresh) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE);
        open.put(channel, Objects.requireNonNull(names.get(path)));
        return Optional.of(channel);
    }

    @Override
    public void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        change();
        super.write(channel, bytes, position);
        unforcedContents.add(Objects.requireNonNull(open.get(channel)));
    }

    @Override
    public void force(FileChannel channel) throws IOException {
        change();
        unforcedContents.remove(Objects.requireNonNull(open.get(channel)));
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        change();
        unforced.stream().filter(each -> directory.equals(each.directory())).forEach(each -> each.applyTo(durable));
        unforced.removeIf(each -> directory.equals(each.directory()));
    }

    @Override
    public void replace(Path source, Path target) throws IOException {
        change();
        super.replace(source, target);
        note(directoryOf(source), source, target, Objects.requireNonNull(names.get(source)));
    }

    @Override
    public void delete(Path path) throws IOException {
        if (names.containsKey(path)) {
            change();
            super.delete(path);
            note(directoryOf(path), path, null, -1);
        }
    }

    /** Leaves on the disk what a crash leaves. */
    void crash(IntPredicate survives) throws IOException {
        Map<Path, Integer> left = new TreeMap<>(durable);
        for (int change = 0; change < unforced.size(); change++) {
            if (survives.test(change)) {
                unforced.get(change).applyTo(left);
            }
        }
        for (Path name : names.keySet()) {
            Files.deleteIfExists(name);
        }
        for (Map.Entry<Path, Integer> file : left.entrySet()) {
            Files.deleteIfExists(file.getKey());
            Files.write(file.getKey(), unforcedContents.contains(file.getValue())
                    ? new byte[0]
                    : Files.readAllBytes(inodes.resolve("inode" + file.getValue())));
        }
    }
}
