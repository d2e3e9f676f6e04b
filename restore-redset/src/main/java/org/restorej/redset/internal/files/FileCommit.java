package org.restorej.redset.internal.files;

import org.restorej.redset.internal.files.PendingFile.PendingFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.format.CommitJournal;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RedsetFileNames;

/**
 * One rank's files in an atomic commit that replaces the files of many ranks. If all ranks are killed at any time,
 * either all old files or all new ones can be recovered. All of a rank's files are in one directory, and so is its
 * journal.
 *
 * <p>
 * The steps of a commit are:
 *
 * <ol>
 * <li>Each rank writes its new files under temporary names, then its journal: {@link Stage#STAGED}.</li>
 * <li>After all ranks have done so, each renames its journal to {@link Stage#DECIDED}, renames its old files, and
 * gives the new ones their names.</li>
 * <li>After all ranks have done so, the journals and the old files are deleted.</li>
 * </ol>
 *
 * <p>
 * Until the last step the commit can be rolled back. A rank records {@link Stage#ABORTED} and moves its files back; a
 * rank that has moved nothing records {@link Stage#DROPPED}. Every move can be repeated, since names show whether it
 * was made.
 *
 * <p>
 * After a crash the remaining journals decide. If one says {@code ABORTED} or {@code DROPPED}, all ranks roll back.
 * Otherwise, if one says {@code DECIDED}, all ranks have staged, and all complete the commit. Otherwise no rank has
 * moved a file. A journal is deleted only after all ranks have moved their files.
 *
 * <p>
 * The first file of a commit, its large one, overwrites the second to last one, which is kept as a spare: writing to a
 * file with allocated pages takes a third less time. The spare may come from another directory. Its content doesn't
 * matter, and no other name refers to it. A spare with another owner or mode than a new file is deleted instead. A
 * commit in progress needs space for both files in any case.
 *
 * <p>
 * Not thread-safe.
 */
public final class FileCommit implements PendingFiles {
    private static final String MARK = RedsetFileNames.MARK;
    private static final String NEW = MARK + "new.";
    private static final String OLD = MARK + "old.";
    private static final String UNFINISHED = MARK + "journal";
    private static final String SPARE = MARK + "spare";

    private final FileOperations operations;
    private final Path directory;
    private final String namePrefix;
    private final List<PendingFile> pending = new ArrayList<>();
    private @Nullable CommitJournal journal;
    private Stage stage = Stage.STAGED;
    /** All renames since the journal was read or written, in order. */
    private final List<Renamed> renamed = new ArrayList<>();

    private record Renamed(Path source, Path target, Stage before) {}

    /**
     * Creates a commit; changes nothing.
     *
     * @param directory the directory of all files
     * @param namePrefix prefix of the names of all files of the rank, and of no other; see
     *        {@link RedsetFileNames#isOfRank}
     */
    public FileCommit(FileOperations operations, Path directory, String namePrefix) {
        this.operations = operations;
        this.directory = directory.toAbsolutePath();
        this.namePrefix = namePrefix;
    }

    /** The path of the journal; meaningless if there is none. */
    public Path journalPath() {
        return path(stage.extension());
    }

    private Path path(String end) {
        return directory.resolve(namePrefix + end);
    }

    /**
     * Reads the journal of an interrupted commit, if there is one.
     *
     * @throws FormatException if it is damaged or names files of another rank: it is unknown which files were moved
     * @throws IOException if it can't be read
     */
    public void load() throws IOException {
        journal = null;
        renamed.clear();
        for (Stage each : Stage.values()) {
            Path path = path(each.extension());
            if (operations.isThere(path)) {
                stage = each;
                try {
                    journal = CommitJournal.read(operations.readHeader(path).tree(), namePrefix);
                } catch (FormatException damaged) {
                    journal = null;
                    throw new FormatException("the journal " + path + " is damaged, so it is unknown whether the files "
                            + "of this rank are the old or the new ones; nothing was changed. To count the rank as "
                            + "lost, move " + path(MARK) + "* and its redundancy files away: " + damaged.getMessage());
                }
            }
        }
    }

    /** The journal of the commit in progress or interrupted, or null. */
    public @Nullable CommitJournal journal() {
        return journal;
    }

    /** The stage of the commit; meaningless without a journal. */
    public Stage stage() {
        return stage;
    }

    @Override
    public PendingFile create(Path target, int permissions) throws IOException {
        Path absolute = target.toAbsolutePath();
        if (!directory.equals(absolute.getParent())) {
            throw new IOException("all files that are replaced together must be in " + directory + ": " + target);
        }
        if (pending.isEmpty()) {
            operations.createDirectories(directory);
        }
        Path temporary = path(NEW + pending.size());
        PendingFile file = pending.isEmpty() && Files.exists(path(SPARE), LinkOption.NOFOLLOW_LINKS)
                ? overSpare(absolute, temporary, permissions)
                : PendingFile.create(operations, absolute, temporary, permissions);
        pending.add(file);
        return file;
    }

    private PendingFile overSpare(Path target, Path temporary, int permissions) throws IOException {
        PendingFile file = PendingFile.create(operations, target, temporary, permissions);
        try {
            Optional<FileChannel> opened = operations.openToOverwrite(path(SPARE), temporary);
            if (opened.isPresent()) {
                file.closeBetweenUses();
                file = new PendingFile(operations, target, directory, temporary, opened.get());
                operations.replace(path(SPARE), temporary);
            } else {
                operations.delete(path(SPARE));
            }
            return file;
        } catch (IOException failure) {
            file.discard();
            throw failure;
        }
    }

    /**
     * Writes the journal, after all new files are complete.
     *
     * @param commit id that all ranks have in common
     * @param ranks number of ranks
     * @param obsolete files to remove when the new ones get their names
     */
    public void stage(UUID commit, int ranks, List<Path> obsolete) throws IOException {
        List<CommitJournal.Move> moves = new ArrayList<>();
        for (PendingFile file : pending) {
            moves.add(new CommitJournal.Move(String.valueOf(file.target().getFileName()), true));
        }
        for (Path path : obsolete) {
            moves.add(new CommitJournal.Move(String.valueOf(path.getFileName()), false));
        }
        CommitJournal complete = new CommitJournal(commit, ranks, moves);
        byte[] block = KvTreeBlock.encode(complete.toTree());
        Path target = path(Stage.STAGED.extension());
        try (PendingFile file = PendingFile.create(operations, target, path(UNFINISHED),
                FileOperations.READABLE)) {
            file.write(0, block);
            file.finish(block.length, null);
            for (PendingFile each : pending) {
                each.closeBetweenUses();
            }
            try {
                file.publish();
            } finally {
                stage = Stage.STAGED;
                // Also if it exists and only its directory could not be forced to the disk.
                if (!Files.notExists(target)) {
                    journal = complete;
                    pending.forEach(PendingFile::leave);
                }
            }
        }
    }

    /**
     * Gives the new files their names, as far as that is not done.
     *
     * @return whether anything was left to do
     */
    public boolean complete() throws IOException {
        List<CommitJournal.Move> moves = note(Stage.DECIDED);
        boolean oldMoved = false;
        boolean newMoved = false;
        for (int i = 0; i < moves.size(); i++) {
            boolean newIsLeft = moves.get(i).replaced() && operations.isThere(path(NEW + i));
            oldMoved |= (newIsLeft || !moves.get(i).replaced()) && moveIfThere(target(moves, i), path(OLD + i));
        }
        forceIf(oldMoved);
        for (int i = 0; i < moves.size(); i++) {
            newMoved |= moves.get(i).replaced() && moveIfThere(path(NEW + i), target(moves, i));
        }
        operations.forceDirectory(directory);
        return oldMoved || newMoved;
    }

    private Path target(List<CommitJournal.Move> moves, int index) {
        return directory.resolve(moves.get(index).name());
    }

    private boolean moveIfThere(Path source, Path target) throws IOException {
        if (!operations.isThere(source)) {
            return false;
        }
        rename(source, target);
        return true;
    }

    private void rename(Path source, Path target) throws IOException {
        operations.replace(source, target);
        renamed.add(new Renamed(source, target, stage));
    }

    /** Undoes all renames since the journal was read, in reverse order. A crash leaves a state that existed before. */
    void undo() throws IOException {
        for (Renamed last : renamed.reversed()) {
            operations.replace(last.target(), last.source());
            stage = last.before();
            operations.forceDirectory(directory);
        }
        renamed.clear();
    }

    /**
     * Forces the directory between moving files away and moving others to their names. Names show which moves were made
     * only if no crash of the machine undoes the first move and keeps the second.
     */
    private void forceIf(boolean moved) throws IOException {
        if (moved) {
            operations.forceDirectory(directory);
        }
    }

    /**
     * Moves the old files back, as far as that is not done. Does nothing if nothing was staged.
     *
     * @return whether anything was left to do
     */
    public boolean abort() throws IOException {
        if (journal == null) {
            return false;
        }
        if (stage == Stage.STAGED || stage == Stage.DROPPED) {
            // Nothing was moved, so a missing new file was lost, and the file with its target's name is the old one.
            note(Stage.DROPPED);
            return false;
        }
        List<CommitJournal.Move> moves = note(Stage.ABORTED);
        boolean newMoved = false;
        boolean oldMoved = false;
        for (int i = 0; i < moves.size(); i++) {
            newMoved |= moves.get(i).replaced() && !operations.isThere(path(NEW + i))
                    && moveIfThere(target(moves, i), path(NEW + i));
        }
        forceIf(newMoved);
        for (int i = 0; i < moves.size(); i++) {
            oldMoved |= moveIfThere(path(OLD + i), target(moves, i));
        }
        operations.forceDirectory(directory);
        return newMoved || oldMoved;
    }

    private List<CommitJournal.Move> note(Stage reached) throws IOException {
        CommitJournal noted = journal;
        if (noted == null) {
            throw new IllegalStateException("nothing was staged");
        }
        if (stage != reached) {
            rename(path(stage.extension()), path(reached.extension()));
            stage = reached;
            // Before any file moves: a crash of the machine must not leave moves without a journal of them.
            operations.forceDirectory(directory);
        }
        return noted.moves();
    }

    /** Deletes the journal, then the old files except the spare. Called only after all ranks have moved their files. */
    public void end() throws IOException {
        CommitJournal over = journal;
        if (over == null) {
            return;
        }
        operations.delete(path(stage.extension()));
        journal = null;
        // Moves must never be repeated without the files that show which of them were made.
        operations.forceDirectory(directory);
        for (int i = 0; i < over.moves().size(); i++) {
            operations.delete(path(NEW + i));
            if (i > 0 || !over.moves().get(i).replaced() || !moveIfThere(path(OLD + i), path(SPARE))) {
                operations.delete(path(OLD + i));
            }
        }
    }

    /** Keeps an unneeded file as the spare that the next commit overwrites. */
    public void keepSpare(Path file) throws IOException {
        operations.replace(file, path(SPARE));
    }

    /** Takes the spare of a commit of another directory, if there is one. */
    public void takeSpareOf(FileCommit other) throws IOException {
        moveIfThere(other.path(SPARE), path(SPARE));
    }

    /** Deletes the spare. */
    public void removeSpare() throws IOException {
        operations.delete(path(SPARE));
    }

    /**
     * Deletes files that a crash has left and no journal needs, including an unreadable journal.
     *
     * @param entries of the directory
     */
    public void removeLeftovers(List<Path> entries) throws IOException {
        if (journal != null) {
            throw new IllegalStateException("a journal needs what is there: " + journal);
        }
        for (Path entry : entries) {
            String name = String.valueOf(entry.getFileName());
            if (name.startsWith(namePrefix + MARK) && !name.equals(namePrefix + SPARE)) {
                operations.delete(directory.resolve(name));
            }
        }
    }

    /** Deletes the new files if they were not staged. */
    @Override
    public void close() {
        pending.forEach(PendingFile::discard);
        pending.clear();
    }

    /** The stage of a rank in a commit. The name of its journal ends with it. */
    public enum Stage {
        /** The new files of this rank are complete, under temporary names. No file was moved. */
        STAGED,
        /** The new files of all ranks are complete. Files are being moved, or were. */
        DECIDED,
        /** The commit was rolled back. Files are being moved back, or were. Overrides {@link #DECIDED}. */
        ABORTED,
        /**
         * The commit was rolled back before this rank had moved a file; its new files are only deleted. Means the same
         * as {@link #ABORTED} for other ranks.
         */
        DROPPED;

        /** Whether this stage makes all ranks roll back. */
        boolean isAborted() {
            return this == ABORTED || this == DROPPED;
        }

        String extension() {
            return MARK + name().toLowerCase(Locale.ROOT);
        }
    }
}
