package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.FileMetadata.Timestamp;

/** The operations on a POSIX file system with Java. */
final class SystemFileOperations implements FileOperations {
    static final SystemFileOperations INSTANCE = new SystemFileOperations(false);
    static final SystemFileOperations RESTORING_OWNERS = new SystemFileOperations(true);

    private static final System.Logger LOG = System.getLogger(SystemFileOperations.class.getName());
    private static final String ATTRIBUTES = "unix:mode,uid,gid,lastAccessTime,lastModifiedTime,ctime";
    /** Attributes that a file to overwrite has in common with a new one, which has one name. */
    private static final String OVERWRITTEN = "unix:mode,uid,gid,nlink";
    private static final long ROOT = 0;

    private final boolean restoresOwners;

    private SystemFileOperations(boolean restoresOwners) {
        this.restoresOwners = restoresOwners;
    }

    @Override
    public FileChannel openForReading(Path path) throws IOException {
        // Opening a named pipe waits for a writer, perhaps forever.
        if (!Files.isRegularFile(path) && Files.exists(path)) {
            throw new FileSystemException(path.toString(), null, "not a regular file");
        }
        return FileChannel.open(path, StandardOpenOption.READ);
    }

    @Override
    public FileChannel createNew(Path path, int permissions) throws IOException {
        return FileChannel.open(path,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.READ),
                PosixFilePermissions.asFileAttribute(permissions(permissions)));
    }

    /** Converts permission bits, from the lowest, which allows others to execute. */
    private static Set<PosixFilePermission> permissions(int bits) {
        PosixFilePermission[] all = PosixFilePermission.values();
        return IntStream.range(0, all.length).filter(bit -> (bits >> bit & 1) != 0)
                .mapToObj(bit -> all[all.length - 1 - bit]).collect(Collectors.toSet());
    }

    @Override
    public FileChannel openAgain(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }

    @Override
    public Optional<FileChannel> openToOverwrite(Path path, Path fresh) throws IOException {
        try {
            // The mode includes the type of file.
            return Files.readAttributes(path, OVERWRITTEN, LinkOption.NOFOLLOW_LINKS)
                    .equals(Files.readAttributes(fresh, OVERWRITTEN, LinkOption.NOFOLLOW_LINKS))
                            ? Optional.of(FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.READ,
                                    LinkOption.NOFOLLOW_LINKS))
                            : Optional.empty();
        } catch (FileSystemException notOurs) {
            // Deleted meanwhile, or not writable.
            return Optional.empty();
        }
    }

    @Override
    public void write(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
        long at = position;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
    }

    @Override
    public void setSize(FileChannel channel, long sizeBytes) throws IOException {
        if (channel.size() > sizeBytes) {
            channel.truncate(sizeBytes);
        } else if (channel.size() < sizeBytes) {
            write(channel, ByteBuffer.allocate(1), sizeBytes - 1);
        }
    }

    @Override
    public void force(FileChannel channel) throws IOException {
        channel.force(true);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public void replace(Path source, Path target) throws IOException {
        Files.move(source, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        // Not Files.createDirectory, which fails if another process is first.
        Files.createDirectories(directory);
    }

    @Override
    public void delete(Path path) throws IOException {
        Files.deleteIfExists(path);
    }

    @Override
    public boolean isThere(Path path) throws IOException {
        try {
            Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return true;
        } catch (NoSuchFileException absent) {
            return false;
        }
    }

    @Override
    public FileMetadata metadata(Path path) throws IOException {
        Map<String, Object> attributes = Files.readAttributes(path, ATTRIBUTES);
        return new FileMetadata(unsigned(attributes, "mode"), unsigned(attributes, "uid"), unsigned(attributes, "gid"),
                time(attributes, "lastAccessTime"), time(attributes, "ctime"), time(attributes, "lastModifiedTime"));
    }

    private static long unsigned(Map<String, Object> attributes, String name) throws IOException {
        if (attributes.get(name) instanceof Integer number) {
            return Integer.toUnsignedLong(number);
        }
        throw new IOException("the file system has no attribute " + name);
    }

    private static Timestamp time(Map<String, Object> attributes, String name) throws IOException {
        if (attributes.get(name) instanceof FileTime time) {
            return Timestamp.of(time);
        }
        throw new IOException("the file system has no attribute " + name);
    }

    @Override
    public void restoreMetadata(Path path, FileMetadata metadata) throws IOException {
        restoreOwner(path, metadata);
        // Before the mode, which may prevent this process from opening the file.
        Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .setTimes(metadata.modificationTime().toFileTime(), metadata.accessTime().toFileTime(), null);
        restoreMode(path.toAbsolutePath(), permissions((int) metadata.mode()));
    }

    /**
     * Never follows a link, as {@link #restoreOwner}. Java supports that only within an open directory. Elsewhere it
     * changes the mode of the link's target, in spite of options.
     */
    private static void restoreMode(Path path, Set<PosixFilePermission> permissions) throws IOException {
        Path directory = Objects.requireNonNull(path.getParent(), "only directories have none");
        try (DirectoryStream<Path> opened = Files.newDirectoryStream(directory)) {
            if (opened instanceof SecureDirectoryStream<Path> secure) {
                secure.getFileAttributeView(path.getFileName(), PosixFileAttributeView.class,
                        LinkOption.NOFOLLOW_LINKS).setPermissions(permissions);
                return;
            }
        } catch (AccessDeniedException unreadable) {
            // Not for root, which may read everything: only for a file or directory of the user that is not
            // readable.
            if (Files.isSymbolicLink(path)) {
                throw unreadable;
            }
        }
        Files.setPosixFilePermissions(path, permissions);
    }

    @Override
    public void setAccessTime(Path path, Timestamp time) throws IOException {
        Files.getFileAttributeView(path, BasicFileAttributeView.class).setTimes(null, time.toFileTime(), null);
    }

    /**
     * Restores the owner. A failure is a warning, since the content matters more. Never follows a link, which any user
     * with write permission to the directory may put in place of the file.
     */
    private void restoreOwner(Path path, FileMetadata recorded) throws IOException {
        Map<String, Object> present = Files.readAttributes(path, "unix:uid,gid", LinkOption.NOFOLLOW_LINKS);
        long user = unsigned(present, "uid");
        long group = unsigned(present, "gid");
        if (user == recorded.userId() && group == recorded.groupId()) {
            return;
        }
        // As the system allows without privileges: the group of the user's own files, to one of the user's groups.
        if (!restoresOwners && (user == ROOT || user != recorded.userId())) {
            warn(path, recorded, "it stays with " + user + ":" + group
                    + ", which only root can change, by restoreOwners() or --restore-owners");
            return;
        }
        try {
            if (user != recorded.userId()) {
                Files.setAttribute(path, "unix:uid", (int) recorded.userId(), LinkOption.NOFOLLOW_LINKS);
            }
            if (group != recorded.groupId()) {
                Files.setAttribute(path, "unix:gid", (int) recorded.groupId(), LinkOption.NOFOLLOW_LINKS);
            }
        } catch (FileSystemException refused) {
            warn(path, recorded, String.valueOf(refused.getMessage()));
        }
    }

    private static void warn(Path path, FileMetadata recorded, String reason) {
        // The path may be a temporary one.
        LOG.log(System.Logger.Level.WARNING, "a file in {0} is not given to its recorded owner {1}:{2}: {3}",
                path.getParent(), Long.toString(recorded.userId()), Long.toString(recorded.groupId()), reason);
    }
}
