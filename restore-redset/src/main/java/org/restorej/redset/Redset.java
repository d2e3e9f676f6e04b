package org.restorej.redset;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.internal.host.HostName;
import org.restorej.internal.erasure.ErasureKernels;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.LockFile;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.protocol.EncodeOperation;
import org.restorej.redset.internal.protocol.RankFiles;
import org.restorej.redset.internal.protocol.RankStatus;
import org.restorej.redset.internal.protocol.RecoverOperation;
import org.restorej.redset.internal.protocol.RedsetChannel;
import org.restorej.redset.internal.protocol.RemoveOperation;
import org.restorej.redset.internal.sets.ProtectionSettings;

/**
 * Protects files that several processes have written, each its own, to disks that may be lost. What some processes
 * lose is rebuilt from what the others have. The files written are byte for byte those of LLNL's redset, with one more
 * beside them, for checksums.
 *
 * <pre>{@code
 * try (Redset redset = Redset.builder(communicator).scheme(Scheme.rs(2)).directory(localDisk).build()) {
 *     redset.apply(List.of(file1, file2));
 *     ...
 *     redset.recover(); // in a later run
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
 * What was protected stays recoverable until something new is complete on all ranks. When all processes fail at once,
 * at whatever moment, {@link #recover} in the next run gives either all of the old files or all of the new ones. Each
 * rank's files are read and written by that rank only. From the first call until {@link #close} other jobs are kept
 * away from them: their calls throw a {@link RedsetException} which names the process that uses the directory. A job
 * that was killed keeps nobody away.
 *
 * <p>
 * Used by one thread. Owns a duplicate of the communicator, and must be closed. Memory: 2 MiB for pieces, whatever the
 * files' sizes and the number of ranks, from the first operation until this is closed; at most 64 files are open at a
 * time to be read. Cost of {@code apply} in a set of p processes with n bytes each: n bytes read; 0, k n, n or
 * n (p - 1) / (p - k) bytes sent, and 0, k n, n / (p - 1) or k n / (p - k) bytes written, for SINGLE, PARTNER, XOR and
 * RS.
 */
public final class Redset implements AutoCloseable {
    static final int DEFAULT_PIECE_BYTES = 512 << 10;

    private final ProtectionSettings settings;
    private final RedsetChannel channel;
    private final RankFiles files;
    private final LockFile lock;
    private final int maxPieceBytes;

    private Redset(Communicator communicator, ProtectionSettings settings, RankFiles files, int maxPieceBytes) {
        this.settings = settings;
        this.files = files;
        this.maxPieceBytes = maxPieceBytes;
        lock = files.lock(communicator.originalRank().value());
        channel = new RedsetChannel(communicator.duplicate());
    }

    /**
     * Settings of a redset.
     *
     * @param communicator the processes whose files protect one another; stays the caller's
     */
    public static Builder builder(Communicator communicator) {
        return new Builder(communicator);
    }

    /**
     * The same settings on another communicator, such as that of the survivors of a failure. Called by all of its
     * ranks. This redset must be closed all the same. Files are named after ranks: what a rank has under a number that
     * it has no more stays where it is, since another rank of the same directory may have that number now.
     */
    public Redset on(Communicator communicator) {
        return new Redset(communicator, settings, files.ofRank(communicator.rank()), maxPieceBytes);
    }

    /**
     * Protects files, and replaces what was protected before. Called by all ranks, each with its own files: any number
     * of any sizes, also none. The files must not change during the call.
     *
     * @param paths in the order in which they count; recorded as given, relative ones start from the base directory.
     *        They are in that directory, in that of the files that protect, or in one that {@link Builder#allow}
     *        names
     * @throws IllegalArgumentException on all ranks, when settings differ, a set is too small for the scheme, a file is
     *        in no such directory, a name has 1024 bytes or more, or the names of a rank and its neighbours have more
     *        than 64 MiB
     * @throws RedsetException on all ranks, when files can't be read or written, or another number of processes was
     *         killed while it protected files here: ranks that are not here may have decided how that ends
     */
    public void apply(List<Path> paths) {
        new EncodeOperation(channel, files, lock, maxPieceBytes).run(settings, ErasureKernels::preferred, paths);
    }

    /**
     * Finds what is missing or damaged on any rank, and rebuilds it: files with mode and times, redundancy,
     * descriptors, checksums. Reads everything, to find flipped bits. The other files of a set get the recorded mode
     * and times, too, as redset does it. Set-id bits are never restored; for owners see
     * {@link Builder#restoreOwners}. Called by all ranks. Sets and schemes
     * are those of {@link #apply}, whatever the settings are now. When a recorded name leads out of the directories
     * where {@link #apply} takes files, all ranks refuse it, and nothing is changed.
     *
     * <p>
     * As many ranks as protected the files recover each its own. Any other number of ranks, or ranks on other nodes than
     * before, act for those whose files they see in their directories; {@link Recovery#files} says for which. What none
     * sees is rebuilt by the rank that sees the fewest, in its directory, where no file of another content is replaced.
     * Journals of another number of ranks are left alone.
     *
     * <p>
     * Where not all contents have checksums, as in files that redset itself wrote, the redundancy that the rebuild
     * leaves over is compared with the data. When they disagree, nothing tells which is wrong, and nothing is changed.
     *
     * <p>
     * After a recovery by other processes than before, protect files in another directory: what protects the former ranks
     * stays where it is, and a later recovery in this directory may take it for the newest.
     *
     * @return what was found; the same on all ranks
     * @throws org.restorej.redset.IrrecoverableFilesException on all ranks, when more is lost than the scheme can
     *         bear, or redundancy and data disagree without checksums; nothing was changed
     */
    public Recovery recover() {
        return Recovery.of(new RecoverOperation(channel, List.of(files), lock::take, maxPieceBytes)
                .run(ErasureKernels::preferred));
    }

    /** Removes all that protects the files, and leaves the files. Called by all ranks. */
    public void unapply() {
        new RemoveOperation(channel, files, lock).run();
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
     * Frees the duplicate of the communicator and memory. Never waits for others. After a failed process its
     * memory, which MPI may still use, is kept until the survivors have shrunk and made another redset.
     */
    @Override
    public void close() {
        lock.close();
        channel.close();
    }

    /**
     * What a recovery found and did. Ranks are those that protected the files.
     *
     * @param rebuiltRanks ranks whose files were rebuilt, ascending; empty when all were whole; the same on all
     * @param unverifiedRanks ranks whose contents could not be compared with checksums, since none are recorded, as of
     *        files that redset wrote; the same on all
     * @param files the files of the ranks that this process has acted for, by rank: its own, or with another number of
     *        processes those of several or none. All processes together have each rank once
     */
    public record Recovery(SortedSet<Integer> rebuiltRanks, SortedSet<Integer> unverifiedRanks,
            SortedMap<Integer, List<Path>> files) {
        /** Copies the collections. */
        public Recovery {
            rebuiltRanks = Collections.unmodifiableSortedSet(new TreeSet<>(rebuiltRanks));
            unverifiedRanks = Collections.unmodifiableSortedSet(new TreeSet<>(unverifiedRanks));
            files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
        }

        private static Recovery of(RecoverOperation.Outcome outcome) {
            return new Recovery(RankStatus.ranksOf(outcome.statuses(), RankStatus::missing),
                    RankStatus.ranksOf(outcome.statuses(), status -> !status.verified()), outcome.files());
        }
    }

    /**
     * Settings of a {@link Redset}. Scheme, set size and what becomes of small sets must be the same on all ranks;
     * directories and failure groups may differ. One thread. A redset that was built keeps its settings when the
     * builder changes.
     */
    public static final class Builder {
        private static final String DEFAULT_NAME_PREFIX = "rank.";

        private final Communicator communicator;
        private Scheme scheme = Scheme.xor();
        private int setSize = RedundancyDescriptor.DEFAULT_SET_SIZE;
        private boolean degradesSmallSets;
        private @Nullable String failureGroup;
        private Path directory = Path.of("");
        private String namePrefix = DEFAULT_NAME_PREFIX;
        private Path base = Path.of("");
        private final List<Path> allowed = new ArrayList<>();
        private boolean anywhere;
        private int maxPieceBytes = DEFAULT_PIECE_BYTES;
        private FileOperations operations = FileOperations.system();

        Builder(Communicator communicator) {
            this.communicator = communicator;
        }

        /** How files are protected; XOR unless said otherwise. */
        public Builder scheme(Scheme redundancyScheme) {
            scheme = Objects.requireNonNull(redundancyScheme);
            return this;
        }

        /** Scheme and set size of a descriptor. Its kind of failure group and its store are for {@link Datasets}. */
        public Builder descriptor(RedundancyDescriptor descriptor) {
            return scheme(descriptor.scheme()).setSize(descriptor.setSize());
        }

        /**
         * Least number of processes in a set, where there are as many failure groups; 8 unless said otherwise.
         *
         * @param processes at least 1
         */
        public Builder setSize(int processes) {
            if (processes < 1) {
                throw new IllegalArgumentException("setSize must be at least 1: setSize=" + processes);
            }
            setSize = processes;
            return this;
        }

        /**
         * Whether a set with too few processes for the scheme gets as much as it can have: a set of {@code p} processes
         * at most {@code p - 1} replicas or checksums, and one process alone SINGLE, which describes its files and
         * can't rebuild any. Otherwise, and unless said, it is an error, which names the set.
         */
        public Builder degradeSmallSets(boolean degrade) {
            degradesSmallSets = degrade;
            return this;
        }

        /**
         * What this process fails together with: processes of the same failure group are never in one set. The host
         * unless said otherwise.
         *
         * @param label any name: of a node, a switch, a rack
         */
        public Builder failureGroup(String label) {
            failureGroup = Objects.requireNonNull(label);
            return this;
        }

        /** Where the files that protect go, on a disk that fails with this process; created when it is missing. */
        public Builder directory(Path local) {
            if (!FilePaths.canBeSaid(local)) {
                throw new IllegalArgumentException("directory=" + FilePaths.unsayable(local));
            }
            directory = local;
            return this;
        }

        /**
         * What the names of the files that protect begin with, before the rank; {@code rank.} unless said otherwise.
         */
        public Builder namePrefix(String prefix) {
            if (prefix.indexOf('/') >= 0) {
                throw new IllegalArgumentException("namePrefix must be part of a name: namePrefix=" + prefix);
            }
            namePrefix = prefix;
            return this;
        }

        /**
         * Directory that relative names of the application's files start from, and that these files may be in; the
         * working directory unless said otherwise.
         */
        public Builder base(Path start) {
            base = Objects.requireNonNull(start);
            return this;
        }

        /**
         * Adds a directory that the application's files may be in, besides {@link #base} and {@link #directory}.
         * {@link Redset#recover} writes to the names that are recorded beside the files, and others may have written
         * those records. So it refuses names that lead elsewhere, by themselves or through symbolic links. {@link
         * Redset#apply} refuses files that could not be recovered.
         */
        public Builder allow(Path further) {
            allowed.add(Objects.requireNonNull(further));
            return this;
        }

        /** Lets recorded names lead everywhere. Safe only when nobody else can write to {@link #directory}. */
        public Builder trustRecordedNames() {
            anywhere = true;
            return this;
        }

        /**
         * Most bytes that are read, sent and written at once; 512 KiB unless said otherwise. The least value of all
         * ranks counts. The files written don't depend on it.
         *
         * @param bytes at least 1
         */
        public Builder pieceBytes(int bytes) {
            if (bytes < 1) {
                throw new IllegalArgumentException("pieceBytes must be at least 1: pieceBytes=" + bytes);
            }
            maxPieceBytes = bytes;
            return this;
        }

        /**
         * Lets {@link Redset#recover} give files to the owner and group recorded, which only root may. Safe only when
         * nobody else can write to {@link #directory}: others may have written those records. Without it, files that
         * are rebuilt
         * belong to who rebuilds them, and those that are not lost stay with their owners; the group recorded is
         * restored where the file belongs to the user recorded, who is not root. Set-id bits are never restored.
         */
        public Builder restoreOwners() {
            operations = FileOperations.restoringOwners();
            return this;
        }

        Builder operations(FileOperations fileSystem) {
            operations = fileSystem;
            return this;
        }

        /** A redset with these settings. Called by all ranks of the communicator. */
        public Redset build() {
            ProtectionSettings settings = new ProtectionSettings(scheme, setSize, degradesSmallSets,
                    failureGroup == null ? HostName.orLocalhost() : failureGroup);
            return new Redset(communicator, settings, filesOf(communicator.rank()), maxPieceBytes);
        }

        RankFiles filesOf(int rank) {
            List<Path> directories = new ArrayList<>(allowed);
            directories.add(directory);
            PathPolicy policy = anywhere
                    ? PathPolicy.trusted(base)
                    : PathPolicy.within(base, directories.toArray(Path[]::new));
            return new RankFiles(operations, directory, namePrefix, policy, rank);
        }
    }
}
