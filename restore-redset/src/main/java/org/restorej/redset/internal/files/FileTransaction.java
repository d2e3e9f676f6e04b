package org.restorej.redset.internal.files;

import org.restorej.redset.internal.files.PendingFile.PendingFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files that get their names together, after all of them are complete on the disk. They are renamed one after another,
 * in the order of creation. A crash between two renames leaves some new and some old files, but no incomplete file.
 *
 * <p>
 * Each transaction locks the directories that it writes to. It removes remains of transactions of killed processes from
 * these directories. Not thread-safe.
 */
public final class FileTransaction implements PendingFiles {
    private static final System.Logger LOG = System.getLogger(FileTransaction.class.getName());
    private static final Pattern OF_TRANSACTION = Pattern.compile(
            "(\\.[0-9a-f-]{36}\\.)(\\d+" + Pattern.quote(PendingFile.EXTENSION) + "|" + JobLock.EXTENSION + ")");
    /** Number of files that stay open. Others are opened for each use, which takes some microseconds. */
    private static final int MAX_OPEN = 64;

    private final FileOperations operations;
    private final String namePrefix = "." + PendingFile.uniqueId() + ".";
    private final List<PendingFile> files = new ArrayList<>();
    private final Map<Path, JobLock> locks = new HashMap<>();
    private int created;

    /** Creates a transaction without files. */
    public FileTransaction(FileOperations operations) {
        this.operations = operations;
    }

    @Override
    public PendingFile create(Path target, int permissions) throws IOException {
        Path absolute = target.toAbsolutePath();
        if (Unreachable.attributes(absolute).filter(BasicFileAttributes::isDirectory).isPresent()) {
            throw new IOException(FilePaths.shown(target) + " is a directory in the place of a file that is to be "
                    + "rebuilt: move it away; nothing was replaced");
        }
        Path directory = Objects.requireNonNull(absolute.getParent(), "only directories have none");
        if (!locks.containsKey(directory)) {
            operations.createDirectories(directory);
            removeAbandoned(directory);
            locks.put(directory, JobLock.ofThisProcess(directory.resolve(namePrefix + JobLock.EXTENSION)));
        }
        // Not derived from the target's name, which may have the maximum length.
        PendingFile file = PendingFile.create(operations, absolute,
                directory.resolve(namePrefix + created++ + PendingFile.EXTENSION), permissions);
        files.add(file);
        if (files.size() > MAX_OPEN) {
            file.closeBetweenUses();
        }
        return file;
    }

    /** Removes remains of killed processes. A failure is only logged: the files may belong to another user. */
    private void removeAbandoned(Path directory) {
        List<String> names = List.of();
        try {
            names = DirectoryEntries.namesOf(directory);
        } catch (IOException failure) {
            warn(directory, failure);
        }
        for (String name : names) {
            Matcher matcher = OF_TRANSACTION.matcher(name);
            try {
                if (matcher.matches()
                        && !JobLock.isInUse(directory.resolve(matcher.group(1) + JobLock.EXTENSION))) {
                    operations.delete(directory.resolve(name));
                }
            } catch (IOException failure) {
                warn(directory.resolve(name), failure);
            }
        }
    }

    private static void warn(Path place, IOException failure) {
        LOG.log(System.Logger.Level.WARNING, "incomplete files of a process that was killed may stay: {0}: {1}", place,
                failure.getMessage());
    }

    /** The file system of the files. */
    public FileOperations operations() {
        return operations;
    }

    /** Removes an unneeded file. */
    public void drop(PendingFile file) throws IOException {
        file.close();
        files.remove(file);
    }

    /** Renames all files to their targets. They must be finished. */
    public void publish() throws IOException {
        for (PendingFile file : files) {
            file.publish();
        }
    }

    @Override
    public void close() {
        files.forEach(PendingFile::discard);
        locks.values().forEach(JobLock::close);
        locks.clear();
    }
}
