package org.restorej.redset;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.internal.host.HostName;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.protocol.RankFiles;
import org.restorej.redset.internal.sets.ProtectionSettings;

/**
 * Settings of a {@link Redset}. Scheme, set size and small sets must be the same on all ranks; directories and failure
 * groups may differ. One thread. A redset that was built keeps its settings when the builder changes.
 */
public final class RedsetBuilder {
    private static final int DEFAULT_PIECE_BYTES = 512 << 10;
    private static final String DEFAULT_NAME_PREFIX = "rank.";

    private final Communicator communicator;
    private Scheme scheme = Scheme.xor();
    private int setSize = RedundancyDescriptor.DEFAULT_SET_SIZE;
    private SmallSets smallSets = SmallSets.REFUSE;
    private @Nullable String failureGroup;
    private Path directory = Path.of("");
    private String namePrefix = DEFAULT_NAME_PREFIX;
    private Path base = Path.of("");
    private final List<Path> allowed = new ArrayList<>();
    private boolean anywhere;
    private int mostPieceBytes = DEFAULT_PIECE_BYTES;
    private FileOperations operations = FileOperations.system();

    RedsetBuilder(Communicator communicator) {
        this.communicator = communicator;
    }

    private RedsetBuilder(RedsetBuilder other) {
        communicator = other.communicator;
        scheme = other.scheme;
        setSize = other.setSize;
        smallSets = other.smallSets;
        failureGroup = other.failureGroup;
        directory = other.directory;
        namePrefix = other.namePrefix;
        base = other.base;
        allowed.addAll(other.allowed);
        anywhere = other.anywhere;
        mostPieceBytes = other.mostPieceBytes;
        operations = other.operations;
    }

    /** How files are protected; XOR unless said otherwise. */
    public RedsetBuilder scheme(Scheme redundancyScheme) {
        scheme = Objects.requireNonNull(redundancyScheme);
        return this;
    }

    /** Scheme and set size of a descriptor. Its kind of failure group and its store are for {@link Datasets}. */
    public RedsetBuilder descriptor(RedundancyDescriptor descriptor) {
        return scheme(descriptor.scheme()).setSize(descriptor.setSize());
    }

    /**
     * Least number of processes in a set, where there are as many failure groups; 8 unless said otherwise.
     *
     * @param processes at least 1
     */
    public RedsetBuilder setSize(int processes) {
        if (processes < 1) {
            throw new IllegalArgumentException("setSize must be at least 1: setSize=" + processes);
        }
        setSize = processes;
        return this;
    }

    /** What becomes of sets with too few processes for the scheme; refused unless said otherwise. */
    public RedsetBuilder smallSets(SmallSets treatment) {
        smallSets = Objects.requireNonNull(treatment);
        return this;
    }

    /**
     * What this process fails together with: processes of the same failure group are never in one set. The host unless
     * said otherwise.
     *
     * @param label any name: of a node, a switch, a rack
     */
    public RedsetBuilder failureGroup(String label) {
        failureGroup = Objects.requireNonNull(label);
        return this;
    }

    /** Where the files that protect go, on a disk that fails with this process; created when it is missing. */
    public RedsetBuilder directory(Path local) {
        if (!FilePaths.canBeSaid(local)) {
            throw new IllegalArgumentException("directory=" + FilePaths.unsayable(local));
        }
        directory = local;
        return this;
    }

    /** What the names of the files that protect begin with, before the rank; {@code rank.} unless said otherwise. */
    public RedsetBuilder namePrefix(String prefix) {
        if (prefix.indexOf('/') >= 0) {
            throw new IllegalArgumentException("namePrefix must be part of a name: namePrefix=" + prefix);
        }
        namePrefix = prefix;
        return this;
    }

    /**
     * Directory that relative names of the application's files start from, and that these files may be in; the working
     * directory unless said otherwise.
     */
    public RedsetBuilder base(Path start) {
        base = Objects.requireNonNull(start);
        return this;
    }

    /**
     * Adds a directory that the application's files may be in, besides {@link #base} and {@link #directory}.
     * {@link Redset#recover} writes to the names that are recorded beside the files, and others may have written those
     * records. So it refuses names that lead elsewhere, by themselves or through symbolic links. {@link Redset#apply}
     * refuses files that could not be recovered.
     */
    public RedsetBuilder allow(Path further) {
        allowed.add(Objects.requireNonNull(further));
        return this;
    }

    /** Lets recorded names lead everywhere. Safe only when nobody else can write to {@link #directory}. */
    public RedsetBuilder trustRecordedNames() {
        anywhere = true;
        return this;
    }

    /**
     * Most bytes that are read, sent and written at once; 512 KiB unless said otherwise. The least value of all ranks
     * counts. The files written don't depend on it.
     *
     * @param bytes at least 1
     */
    public RedsetBuilder pieceBytes(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("pieceBytes must be at least 1: pieceBytes=" + bytes);
        }
        mostPieceBytes = bytes;
        return this;
    }

    /**
     * Lets {@link Redset#recover} give files to the owner and group recorded, which only root may. Safe only when nobody
     * else can write to {@link #directory}: others may have written those records. Without it, files that are rebuilt
     * belong to who rebuilds them, and those that are not lost stay with their owners; the group recorded is restored
     * where the file belongs to the user recorded, who is not root. Set-id bits are never restored.
     */
    public RedsetBuilder restoreOwners() {
        operations = FileOperations.restoringOwners();
        return this;
    }

    RedsetBuilder operations(FileOperations fileSystem) {
        operations = fileSystem;
        return this;
    }

    /** A redset with these settings. Called by all ranks of the communicator. */
    public Redset build() {
        return new Redset(new RedsetBuilder(this), communicator);
    }

    RankFiles filesOf(int rank) {
        List<Path> directories = new ArrayList<>(allowed);
        directories.add(directory);
        PathPolicy policy = anywhere
                ? PathPolicy.trusted(base)
                : PathPolicy.within(base, directories.toArray(Path[]::new));
        return new RankFiles(operations, directory, namePrefix, policy, rank);
    }

    ProtectionSettings protectionSettings() {
        return new ProtectionSettings(scheme, setSize, smallSets,
                failureGroup == null ? HostName.orLocalhost() : failureGroup);
    }

    int mostPieceBytes() {
        return mostPieceBytes;
    }
}
