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
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.format.CommitJournal;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RedsetFileNames;

/**
 * One rank's files in an atomic commit, which replaces the files of many ranks. Whenever all ranks are killed,
 * either all old files or all new ones can be recovered. All of a rank's files are in one directory, and so is its
 * journal.
 *
 * <p>
 * The steps of a commit are:
 *
 * <ol>
 * <li>Each rank writes its new files under other names, then its journal: {@link Stage#STAGED}.</li>
 * <li>When all ranks have done so, each renames its journal to {@link Stage#DECIDED}, moves old files aside and
 * new ones into their places.</li>
 * <li>When all ranks have done so, the journals and the old files are deleted.</li>
 * </ol>
 *
 * <p>
 * Until the last step the commit can be aborted. A rank notes {@link Stage#ABORTED} and moves its files
 * back; one that has moved nothing notes {@link Stage#DROPPED}. Every move can be repeated, since names show
 * whether it was made.
 *
 * <p>
 * After a crash the journals that are left decide. If one says {@code ABORTED} or {@code DROPPED}, all ranks move
 * back. Otherwise, if one says {@code DECIDED}, all ranks have staged, and all move on. Otherwise no rank has moved
 * anything. A journal is deleted only after all ranks have moved.
 *
 * <p>
 * The first file of a commit, its large one, is written over the one before the last, which is kept for that: a file
 * whose pages are there already takes a third less time. It may come from another directory. Nothing depends on its content, and nothing else has its name.
 * One that doesn't have the owner and mode of a new file is deleted instead.
 * A commit needs the room of both while it is under way in any case.
 *
 * <p>
 * Used by one thread.
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
    /** In order, since the journal was loaded or written. */
    private final List<Renamed> renamed = new ArrayList<>();

    private record Renamed(Path source, Path target, Stage before) {}

    /**
     * The files of a rank; changes nothing yet.
     *
     * @param directory where everything is
     * @param namePrefix begins the names of all files of the rank, and of no other; see
     *        {@link RedsetFileNames#isOfRank}
     */
    public FileCommit(FileOperations operations, Path directory, String namePrefix) {
        this.operations = operations;
        this.directory = directory.toAbsolutePath();
        this.namePrefix = namePrefix;
    }

    /**
     * Reads all journals in a directory.
     *
     * @throws IOException when one is damaged or can't be read
     */
    public static List<FileCommit> interruptedIn(FileOperations operations, Path directory) throws IOException {
        SortedSet<String> prefixes = new TreeSet<>();
        for (String name : DirectoryEntries.namesOf(directory)) {
            for (Stage each : Stage.values()) {
                String prefix = name.substring(0, Math.max(0, name.length() - each.extension().length()));
                if (name.endsWith("." + each.extension()) && RedsetFileNames.isRankPrefix(prefix)) {
                    prefixes.add(prefix);
                }
            }
        }
        List<FileCommit> interrupted = new ArrayList<>();
        for (String prefix : prefixes) {
            FileCommit commit = new FileCommit(operations, directory, prefix);
            commit.load();
            if (commit.journal != null) {
                interrupted.add(commit);
            }
        }
        return interrupted;
    }

    /** The file of the journal; meaningless when there is none. */
    public Path journalPath() {
        return path(stage.extension());
    }

    private Path path(String end) {
        return directory.resolve(namePrefix + end);
    }

    /**
     * Reads the journal of an interrupted commit, if there is one.
     *
     * @throws FormatException when it is damaged or names files that are not of this rank: nobody knows what was moved
     * @throws IOException when it can't be read
     */
    public void load() throws IOException {
        journal = null;
        renamed.clear();
        for (Stage each : Stage.values()) {
            Path path = path(each.extension());
            if (operations.isThere(path)) {
                try {
                    journal = CommitJournal.read(operations.readHeader(path).tree(), namePrefix);
                    stage = each;
                } catch (FormatException damaged) {
                    journal = null;
                    throw new FormatException("the journal " + path + " is damaged, so nobody knows whether the files "
                            + "of this rank are the old or the new ones; nothing was changed. To count the rank as "
                            + "lost, remove " + path(MARK) + "* and its redundancy: " + damaged.getMessage());
                }
            }
        }
    }

    /** The journal of the commit that is under way or was interrupted, or null. */
    public @Nullable CommitJournal journal() {
        return journal;
    }

    /** How far the commit has come; meaningless without a journal. */
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
                file.leave();
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
     * Writes the journal: all new files are complete.
     *
     * @param commit what all ranks have in common
     * @param ranks number of them
     * @param obsolete files that go when the new ones come
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
                each.leave();
            }
            try {
                file.publish();
            } finally {
                // Also when it is there and only its directory could not be forced to the disk.
                stage = Stage.STAGED;
                journal = Files.notExists(target) ? null : complete;
            }
        }
    }

    /**
     * Moves the new files into their places, as far as that is not done yet.
     *
     * @return whether anything was left
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

    /** Takes back all that was renamed since the journal was loaded, in reverse: what a crash leaves was there before. */
    void undo() throws IOException {
        for (Renamed last : renamed.reversed()) {
            operations.replace(last.target(), last.source());
            stage = last.before();
            operations.forceDirectory(directory);
        }
        renamed.clear();
    }

    /**
     * Between the moves of files away from their places and those of others to these places. Names tell which moves
     * were made only if no crash of the machine undoes the first move and leaves the second.
     */
    private void forceIf(boolean moved) throws IOException {
        if (moved) {
            operations.forceDirectory(directory);
        }
    }

    /**
     * Moves the old files back, as far as that is not done yet. Does nothing when nothing was staged.
     *
     * @return whether anything was left to do
     */
    public boolean abort() throws IOException {
        if (journal == null) {
            return false;
        }
        if (stage == Stage.STAGED || stage == Stage.DROPPED) {
            // Nothing was moved, so a new file that is missing was lost, and what has its target's name is the old one.
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
            // Before any file moves, or a crash of the machine could show moves that no journal tells of.
            operations.forceDirectory(directory);
        }
        return noted.moves();
    }

    /** Deletes the journal, then the old files but the spare one. Called only after all ranks have moved. */
    public void end() throws IOException {
        CommitJournal over = journal;
        if (over == null) {
            return;
        }
        operations.delete(path(stage.extension()));
        journal = null;
        // Moves must never be repeated without the files that tell which of them were made.
        operations.forceDirectory(directory);
        for (int i = 0; i < over.moves().size(); i++) {
            operations.delete(path(NEW + i));
            if (i > 0 || !over.moves().get(i).replaced() || !moveIfThere(path(OLD + i), path(SPARE))) {
                operations.delete(path(OLD + i));
            }
        }
    }

    /** Keeps a file that nothing needs any more, as the one that the next commit writes over. */
    public void keepSpare(Path file) throws IOException {
        operations.replace(file, path(SPARE));
    }

    /** Takes over the file that the next commit of another directory would write over, if there is one. */
    public void takeSpareOf(FileCommit other) throws IOException {
        moveIfThere(other.path(SPARE), path(SPARE));
    }

    /** Deletes the file that the next commit would write over. */
    public void removeSpare() throws IOException {
        operations.delete(path(SPARE));
    }

    /** Deletes files that a crash has left and that no journal needs, also a journal that can't be read. */
    public void removeLeftovers() throws IOException {
        if (journal != null) {
            throw new IllegalStateException("a journal needs what is there: " + journal);
        }
        for (String name : DirectoryEntries.namesOf(directory)) {
            if (name.startsWith(namePrefix + MARK) && !name.equals(namePrefix + SPARE)
                    && !name.endsWith(LockFile.EXTENSION)) {
                operations.delete(directory.resolve(name));
            }
        }
    }

    /** Removes the new files when they were not staged. */
    @Override
    public void close() {
        pending.forEach(PendingFile::discard);
        pending.clear();
    }

    /** How far a rank has come in a commit; the name of its journal ends in the stage. */
    public enum Stage {
        /** The new files of this rank are complete, under other names. Nothing was moved. */
        STAGED,
        /** The new files of all ranks are complete. Files are being moved, or were. */
        DECIDED,
        /** The commit was aborted. Files are being moved back, or were. Overrides {@link #DECIDED}. */
        ABORTED,
        /**
         * The commit was aborted before this rank had moved anything; its new files are only deleted. For other ranks
         * it means the same as {@link #ABORTED}.
         */
        DROPPED;

        /** Whether it follows from this stage that all ranks move back. */
        boolean isAborted() {
            return this == ABORTED || this == DROPPED;
        }

        String extension() {
            return MARK + name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * How an interrupted commit ends, by the journals that are left.
     *
     * @param stages of the ranks whose journals are there
     */
    public record Decision(List<Stage> stages) {
        /** Copies the list. */
        public Decision {
            stages = List.copyOf(stages);
        }

        /** Whether all ranks move on to the new files; otherwise all move back to the old ones. */
        public boolean completes() {
            return stages.contains(Stage.DECIDED) && stages.stream().noneMatch(Stage::isAborted);
        }

        /** Whether some rank may have moved files; otherwise all old files are still in their places. */
        public boolean mayHaveMoved() {
            return stages.stream().anyMatch(stage -> stage != Stage.STAGED);
        }

        /**
         * Completes or aborts the commit on one rank.
         *
         * @return whether anything was left to do
         */
        public boolean apply(FileCommit ofRank) throws IOException {
            return completes() ? ofRank.complete() : ofRank.abort();
        }
    }
}
