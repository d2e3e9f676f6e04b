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
import org.restorej.internal.message.Completely;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.protocol.EncodeOperation;
import org.restorej.redset.internal.protocol.JobLocks;
import org.restorej.redset.internal.protocol.RankFiles;
import org.restorej.redset.internal.protocol.RankStatus;
import org.restorej.redset.internal.protocol.RecoverOperation;
import org.restorej.redset.internal.protocol.RedsetChannel;
import org.restorej.redset.internal.protocol.RemoveOperation;
import org.restorej.redset.internal.sets.ProtectionSettings;

/**
 * Protects files of several ranks, each with its own files, against the loss of disks. The files of lost ranks
 * are rebuilt from those of the others. The files written are byte for byte those of LLNL's redset, plus one for
 * checksums.
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
 * {@code ProcessFailedException} or {@code CommunicatorRevokedException} on all survivors when a rank has failed;
 * the survivors shrink the application's communicator and continue with {@link #on}.
 *
 * <p>
 * What was protected stays recoverable until the new protection is complete on all ranks. If all ranks fail at
 * once, at any time, {@link #recover} in the next run gives either all old files or all new ones. Each rank's files are
 * accessed by that rank only. From the first call until {@link #close} other jobs and other groups of the same job can't
 * use the directory with the same name prefix: their calls throw a {@link RedsetException} that names the process using
 * it. A job that was killed blocks no other.
 *
 * <p>
 * Not thread-safe. Owns a duplicate of the communicator, and must be closed. Memory: 8 MiB for pieces, for files of any
 * size and any number of ranks, from the first operation until this is closed. At most 64 files are open for reading.
 * Cost of {@code apply} in a set of p ranks with n bytes each: n bytes are read; 0, k n, n or n (p - 1) / (p - k)
 * bytes are sent, and 0, k n, n / (p - 1) or k n / (p - k) bytes are written, for SINGLE, PARTNER, XOR and RS.
 */
public final class Redset implements AutoCloseable {
    static final int DEFAULT_PIECE_BYTES = 512 << 10;

    private final ProtectionSettings settings;
    private final RedsetChannel channel;
    private final RankFiles files;
    private final JobLocks locks;
    private final int maxPieceBytes;

    private Redset(Communicator communicator, ProtectionSettings settings, RankFiles files, int maxPieceBytes) {
        this.settings = settings;
        this.files = files;
        this.maxPieceBytes = maxPieceBytes;
        channel = new RedsetChannel(communicator.duplicate());
        locks = new JobLocks(channel, List.of(files.lockFile()));
    }

    /**
     * Creates a builder.
     *
     * @param communicator the ranks whose files protect one another; stays the caller's
     */
    public static Builder builder(Communicator communicator) {
        return new Builder(communicator);
    }

    /**
     * The same settings on another communicator, such as that of the survivors of a failure. Called by all of its
     * ranks. This object must still be closed. Files are named after ranks. Files under a rank's former
     * number are left in place, because another rank of the same directory may now have that number.
     */
    public Redset on(Communicator communicator) {
        return new Redset(communicator, settings, files.ofRank(communicator.rank()), maxPieceBytes);
    }

    /**
     * Protects files, and replaces the previous protection. Called by all ranks, each with its own files: any number of
     * any sizes, or none. The files must not change during the call.
     *
     * @param paths in order; recorded as given, relative ones to the base directory. They must be in that directory, in
     *        that of the protecting files, or in one passed to {@link Builder#allow}
     * @throws IllegalArgumentException on all ranks, when settings differ, a set is too small for the scheme, a file is
     *         in another directory, a name has 1024 bytes or more, or the names of a rank and its neighbours have more
     *         than 64 MiB
     * @throws RedsetException on all ranks, when files can't be read or written, or another number of ranks was
     *         killed while protecting files here: ranks that are not present may have decided its outcome
     */
    public void apply(List<Path> paths) {
        channel.operation(() -> new EncodeOperation("apply", channel, files, locks, maxPieceBytes)
                .run("", settings, ErasureKernels::preferred, () -> paths));
    }

    /**
     * Finds missing files of all ranks, by names and sizes, and rebuilds them: files with mode and times, redundancy,
     * descriptors, checksums. Reads only what the rebuild needs. Compares with checksums what it rebuilds, and the files
     * that it reads completely: damaged files that it finds so are rebuilt too. Flipped bits elsewhere are found by
     * {@link #verifyAndRecover}. Other files are not touched; redset also resets their modes and times. Set-id bits are
     * never restored; for owners see {@link Builder#restoreOwners}. Called by all ranks. Uses the sets and schemes of
     * {@link #apply}, not the present settings. If a recorded name leaves the directories in which {@link #apply} accepts
     * files, all ranks throw, and nothing is changed.
     *
     * <p>
     * If as many ranks as protected the files call this, each recovers its own. Any other number of ranks, or ranks on
     * other nodes than before, act for those ranks whose files they find in their directories; see
     * {@link Recovery#files}. Files of ranks that no rank finds are rebuilt by the rank that finds the fewest, in its
     * directory, where no file of another content is replaced. Journals of another number of ranks are not changed.
     *
     * <p>
     * If contents have no checksums, as in files that redset itself wrote, redundancy that the rebuild doesn't need is
     * compared with the data. If they disagree, it is unknown which is wrong, and nothing is changed.
     *
     * <p>
     * After a recovery by other ranks than before, protect files in another directory: the files that protect the
     * former ranks stay, and a later recovery in this directory may take them for the newest.
     *
     * @return the result; the same on all ranks
     * @throws org.restorej.redset.IrrecoverableFilesException on all ranks, when a set has lost more than its scheme
     *         can rebuild, or redundancy and data disagree without checksums; nothing was changed
     */
    public Recovery recover() {
        return recover(false);
    }

    /**
     * As {@link #recover}, but first reads everything that is there, and also rebuilds files with flipped bits. Called
     * by all ranks.
     *
     * @return the result; the same on all ranks
     * @throws org.restorej.redset.IrrecoverableFilesException as {@link #recover}
     */
    public Recovery verifyAndRecover() {
        return recover(true);
    }

    private Recovery recover(boolean verifies) {
        return channel.operation(() -> Recovery.of(new RecoverOperation(channel, List.of(files), locks,
                maxPieceBytes, verifies).run(ErasureKernels::preferred)));
    }

    /** Removes all files that protect, and keeps the protected files. Called by all ranks. */
    public void unapply() {
        channel.operation(() -> new RemoveOperation(channel, files, locks).run());
    }

    /** The files of this rank that protect: redundancy, checksums, descriptor. Local. */
    public List<Path> redundancyFiles() {
        try {
            return files.protectingFiles();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The protected files of this rank, as its redundancy file records them; empty if there is none. Local. */
    public List<Path> originalFiles() {
        try {
            return files.protectedFiles();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * Frees the duplicate of the communicator and memory. Never waits for other ranks. After a failure, MPI may still
     * use the memory, so it is kept until the survivors have shrunk and created another redset.
     */
    @Override
    public void close() {
        Completely.forEach(List.<Runnable>of(locks::close, channel::close), Runnable::run);
    }

    /**
     * The result of a recovery. Ranks are those that protected the files.
     *
     * @param rebuiltRanks ranks whose files were rebuilt, ascending; empty if none was damaged; the same on all
     * @param unverifiedRanks ranks whose contents could not be compared with checksums, since none are recorded, as of
     *        files that redset wrote; the same on all
     * @param files the files of the former ranks that this rank has acted for, by former rank: its own, or with another
     *        number of ranks those of several or none. All ranks together have each former rank once
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
     * Settings of a {@link Redset}. Scheme, set size and the treatment of small sets must be equal on all ranks;
     * directories and failure groups may differ. Later changes of the builder don't affect a redset that was built. Not
     * thread-safe.
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

        /** The redundancy scheme; XOR by default. */
        public Builder scheme(Scheme redundancyScheme) {
            scheme = Objects.requireNonNull(redundancyScheme);
            return this;
        }

        /**
         * Scheme and set size of a descriptor. Its kind of failure group and its store are used only by
         * {@link Datasets}.
         */
        public Builder descriptor(RedundancyDescriptor descriptor) {
            return scheme(descriptor.scheme()).setSize(descriptor.setSize());
        }

        /**
         * Minimum number of ranks in a set, if there are as many failure groups; 8 by default.
         *
         * @param ranks at least 1
         */
        public Builder setSize(int ranks) {
            if (ranks < 1) {
                throw new IllegalArgumentException("setSize must be at least 1: setSize=" + ranks);
            }
            setSize = ranks;
            return this;
        }

        /**
         * Whether a set with too few ranks for the scheme gets as much redundancy as possible: a set of {@code p}
         * ranks at most {@code p - 1} replicas or checksums, and a single rank SINGLE, which describes its files
         * and can't rebuild any. By default such a set is an error, which names it.
         */
        public Builder degradeSmallSets(boolean degrade) {
            degradesSmallSets = degrade;
            return this;
        }

        /**
         * The failure group of this rank: ranks of one failure group fail together, and are never in one set.
         * The host by default.
         *
         * @param label any name: of a node, a switch, a rack
         */
        public Builder failureGroup(String label) {
            failureGroup = Objects.requireNonNull(label);
            return this;
        }

        /** The directory of the protecting files, on a disk that fails with the node; created if missing. */
        public Builder directory(Path local) {
            if (!FilePaths.isEncodable(local)) {
                throw new IllegalArgumentException("directory=" + FilePaths.notEncodable(local));
            }
            directory = local;
            return this;
        }

        /** Prefix of the names of the protecting files, before the rank; {@code rank.} by default. */
        public Builder namePrefix(String prefix) {
            if (prefix.indexOf('/') >= 0) {
                throw new IllegalArgumentException("namePrefix must be part of a name: namePrefix=" + prefix);
            }
            namePrefix = prefix;
            return this;
        }

        /**
         * The directory to which relative names of the application's files refer, and which may contain these files;
         * the working directory by default.
         */
        public Builder base(Path start) {
            base = Objects.requireNonNull(start);
            return this;
        }

        /**
         * Adds a directory that may contain the application's files, besides {@link #base} and {@link #directory}.
         * {@link Redset#recover} writes to recorded names, and others may have written these records. So it rejects
         * names that lead elsewhere, directly or through symbolic links, and {@link Redset#apply} rejects files that
         * could not be recovered.
         */
        public Builder allow(Path further) {
            allowed.add(Objects.requireNonNull(further));
            return this;
        }

        /** Accepts recorded names in any directory. Safe only if nobody else can write to {@link #directory}. */
        public Builder trustRecordedNames() {
            anywhere = true;
            return this;
        }

        /**
         * Maximum number of bytes that are read, sent and written at once; 512 KiB by default. The minimum of all ranks
         * is used. The files written don't depend on it.
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
         * Lets {@link Redset#recover} restore the recorded owner and group, which only root can do. Safe only if nobody
         * else can write to {@link #directory}, because others may have written these records. Without it, rebuilt
         * files belong to the user that rebuilds them, and files that are not lost keep their owners; the recorded
         * group is restored if the file belongs to the recorded user, who is not root. Set-id bits are never restored.
         */
        public Builder restoreOwners() {
            operations = FileOperations.restoringOwners();
            return this;
        }

        Builder operations(FileOperations fileSystem) {
            operations = fileSystem;
            return this;
        }

        /** Builds a redset with these settings. Called by all ranks of the communicator. */
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
