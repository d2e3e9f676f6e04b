package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * Files that are renamed into their places together, after all of them are complete on the disk. They are renamed one
 * after another, in the order of creation. A crash between two renames leaves some new and some old files, and no file
 * that is half of each. Used by one thread.
 */
public final class FileTransaction implements PendingFiles {
    /** So many stay open. Others are opened for each use, which takes some microseconds. */
    private static final int MAX_OPEN = 64;

    private final FileOperations operations;
    private final List<PendingFile> files = new ArrayList<>();

    /** A transaction without files yet. */
    public FileTransaction(FileOperations operations) {
        this.operations = operations;
    }

    @Override
    public PendingFile create(Path target) throws IOException {
        if (Unreachable.attributes(target).filter(BasicFileAttributes::isDirectory).isPresent()) {
            throw new IOException(FilePaths.shown(target) + " is a directory in the place of a file that is to be "
                    + "rebuilt: move it away; nothing was replaced");
        }
        PendingFile file = PendingFile.create(operations, target);
        files.add(file);
        if (files.size() > MAX_OPEN) {
            file.closeBetweenUses();
        }
        return file;
    }

    /** The file system that the files are in. */
    public FileOperations operations() {
        return operations;
    }

    /** Removes a file which is of no use. */
    public void drop(PendingFile file) throws IOException {
        file.close();
        files.remove(file);
    }

    /** Publishes all files, which must be finished. */
    public void publish() throws IOException {
        for (PendingFile file : files) {
            file.publish();
        }
    }

    @Override
    public void close() {
        files.forEach(PendingFile::discard);
    }
}
