package org.restorej.redset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.restorej.comm.Communicator;
import org.restorej.redset.internal.erasure.ErasureKernels;
import org.restorej.redset.internal.protocol.EncodeOperation;
import org.restorej.redset.internal.protocol.RankFiles;
import org.restorej.redset.internal.protocol.RecoverOperation;
import org.restorej.redset.internal.protocol.RedsetChannel;
import org.restorej.redset.internal.protocol.RemoveOperation;

/**
 * Protects files that several processes have written, each its own, to disks that may be lost. What some processes
 * lose is rebuilt from what the others have. The files written are byte for byte those of LLNL's redset, with one more
 * beside them, for checksums.
 *
 * <pre>{@code
 * try (Redset redset = Redset.builder(communicator).scheme(Scheme.rs(2)).directory(localDisk).build()) {
 *     redset.apply(List.of(file1, file2));
 *     ...
 *     redset.recover(); // in a later run, on as many ranks
 * }
 * }</pre>
 *
 * <p>
 * {@link #apply}, {@link #recover} and {@link #unapply} are called by all ranks, and end in the same way on all. They
 * throw a {@link RedsetException} on all ranks when some rank can't read or write files. They throw
 * {@code ProcessFailedException} or {@code CommunicatorRevokedException} on all survivors when a process has failed;
 * the survivors shrink the application's communicator and go on with {@link #on}.
 *
 * <p>
 * What was protected stays recoverable until something new is complete on all ranks. When all processes die at once,
 * at whatever moment, {@link #recover} in the next run gives either all of the old files or all of the new ones. Each
 * rank's files are read and written by that rank only.
 *
 * <p>
 * Used by one thread. Owns a duplicate of the communicator, and must be closed. Memory: at most 64 MiB, whatever the
 * files' sizes, from the first operation until this is closed. Cost of {@code apply} in a set of p processes with n
 * bytes each: n bytes read; 0, k n, n / (p - 1) or k n / (p - k) bytes sent and written for SINGLE, PARTNER, XOR and
 * RS.
 */
public final class Redset implements AutoCloseable {
    private final RedsetBuilder settings;
    private final RedsetChannel channel;
    private final RankFiles files;

    Redset(RedsetBuilder settings, Communicator communicator) {
        this.settings = settings;
        channel = new RedsetChannel(communicator.duplicate());
        files = settings.filesOf(communicator.rank());
    }

    /**
     * Settings of a redset.
     *
     * @param communicator the processes whose files protect one another; stays the caller's
     */
    public static RedsetBuilder builder(Communicator communicator) {
        return new RedsetBuilder(communicator);
    }

    /**
     * The same settings on another communicator, such as that of the survivors of a failure. Called by all of its
     * ranks. This redset must be closed all the same. Files are named after ranks: what a rank has under a number that
     * it has no more stays where it is, since another rank of the same directory may have that number now.
     */
    public Redset on(Communicator communicator) {
        return new Redset(settings, communicator);
    }

    /**
     * Protects files, and replaces what was protected before. Called by all ranks, each with its own files: any number
     * of any sizes, also none. The files must not change during the call.
     *
     * @param paths in the order in which they count; recorded as given, relative ones start from the base directory.
     *        They are in that directory, in that of the files that protect, or in one that {@link RedsetBuilder#allow}
     *        names
     * @throws IllegalArgumentException on all ranks, when settings differ, a set is too small for the scheme, a file is
     *        in no such directory, a name has 1024 bytes or more, or the names of a rank and its neighbours have more
     *        than 64 MiB
     */
    public void apply(List<Path> paths) {
        new EncodeOperation(channel, files, settings.mostPieceBytes()).run(settings.protectionSettings(),
                ErasureKernels::preferred,
                paths);
    }

    /**
     * Finds what is missing or damaged on any rank, and rebuilds it: files with mode and times, redundancy,
     * descriptors, checksums. Reads everything, to find flipped bits. The other files of a set get the recorded mode
     * and times, too, as redset does it. Set-id bits are never restored; for owners see
     * {@link RedsetBuilder#restoreOwners}. Called by all ranks, as many as protected the files. Sets and schemes
     * are those of {@link #apply}, whatever the settings are now. When a recorded name leads out of the directories
     * where {@link #apply} takes files, all ranks refuse it, and nothing is changed.
     *
     * <p>
     * Where not all contents have checksums, as in files that redset itself wrote, the redundancy that the rebuild
     * leaves over is compared with the data. When they disagree, nothing tells which is wrong, and nothing is changed.
     *
     * <p>
     * Where no rank has files of redset, and some have XOR files that SCR itself has written, with the data beside them
     * as in SCR's cache, these are recovered in the same way. They have no checksums, so no file is replaced that is
     * there with its right size, unless a CRC recorded by SCR condemns it: the recovery fails if it would rebuild
     * another content. A file of another size is replaced, unless another member of the set has one of that name and
     * size. So is an XOR file with a damaged header, whatever its chunk is; not one that can't be read. All ranks must
     * have files of the same data set.
     *
     * @return what was found; the same on all ranks
     * @throws org.restorej.redset.IrrecoverableFilesException on all ranks, when more is lost than the scheme can
     *         bear, or redundancy and data disagree without checksums; nothing was changed
     */
    public FileRecovery recover() {
        return new RecoverOperation(channel, files, settings.mostPieceBytes()).run(ErasureKernels::preferred);
    }

    /** Removes all that protects the files, and leaves the files. Called by all ranks. */
    public void unapply() {
        new RemoveOperation(channel, files).run();
    }

    /** The files that protect, of this rank: redundancy, checksums, descriptor. Local. */
    public List<Path> redundancyFiles() {
        try {
            return files.protectingFiles();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * The files that are protected, of this rank, as its redundancy file records them; empty when there is none. Local.
     */
    public List<Path> originalFiles() {
        try {
            return files.protectedFiles();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Frees the duplicate of the communicator and memory. Never waits for others. After a failed process at most 64
     * MiB, which MPI may still use, are kept until the survivors have shrunk and made another redset.
     */
    @Override
    public void close() {
        channel.close();
    }
}
