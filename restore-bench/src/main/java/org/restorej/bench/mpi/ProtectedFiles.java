package org.restorej.bench.mpi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.restorej.bench.bytes.KnownFile;
import org.restorej.redset.Redset;

/** One file of each rank, protected by redset with all others, and rebuilt after the first ranks have lost theirs. */
final class ProtectedFiles implements Exchange {
    private final RankWorld ranks;
    private final Path directory;
    private final KnownFile file;
    private final FileScheme scheme;
    private final boolean rebuilds;
    private final Redset redset;
    private boolean isProtected;

    /**
     * Files that are written now, and not protected yet. Collective.
     *
     * @param bytes of each rank's file
     * @param rebuilds whether ranks lose everything before each run, which then rebuilds it; otherwise a run protects
     */
    ProtectedFiles(RankWorld ranks, FileScheme scheme, long bytes, boolean rebuilds) {
        this.ranks = ranks;
        this.scheme = scheme;
        this.rebuilds = rebuilds;
        directory = ranks.folder("redset");
        file = new KnownFile(directory.resolve("file"), bytes, ranks.rank(), 0);
        file.write();
        redset = Redset.builder(ranks.communicator()).scheme(scheme.scheme()).setSize(ranks.size())
                .directory(directory).failureGroup("rank " + ranks.rank()).build();
    }

    @Override
    public long bytes() {
        return file.bytes();
    }

    @Override
    public void clear() {
        if (isProtected) {
            redset.unapply();
            isProtected = false;
        }
    }

    @Override
    public void prepare() {
        if (rebuilds) {
            if (!isProtected) {
                protect();
            }
            lose();
        }
    }

    /** Protects the files. Collective. */
    void protect() {
        redset.apply(List.of(file.path()));
        isProtected = true;
    }

    /** The first ranks lose all that they have. */
    void lose() {
        if (ranks.rank() < scheme.lostRanks()) {
            delete();
        }
    }

    /** Rebuilds what was lost. Collective. */
    void recover() {
        redset.recover();
    }

    @Override
    public void run() {
        if (rebuilds) {
            recover();
        } else {
            protect();
        }
    }

    /** After an encoding, loses something too, and rebuilds it: nothing else says that it was right. */
    @Override
    public void check() {
        if (!rebuilds) {
            lose();
            ranks.barrier();
            recover();
        }
        file.require();
    }

    private void delete() {
        try {
            for (Path each : redset.redundancyFiles()) {
                Files.deleteIfExists(each);
            }
            Files.deleteIfExists(file.path());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        redset.unapply();
        redset.close();
        delete();
        try {
            Files.deleteIfExists(directory);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
