package org.restorej.bench.mpi;

import java.util.Arrays;
import java.util.List;
import org.restorej.redset.Scheme;

/** How the files of a job are protected that {@link FileLife} or redset measures; RS with one to three checksums. */
public enum FileScheme {
    /** One checksum, by exclusive or. */
    XOR(Scheme.xor(), 1),
    /** A copy on a neighbour. */
    PARTNER(Scheme.partner(1), 1),
    /** Reed-Solomon with one checksum. */
    RS1(Scheme.rs(1), 1),
    /** Reed-Solomon with two checksums. */
    RS2(Scheme.rs(2), 2),
    /** Reed-Solomon with three checksums. */
    RS3(Scheme.rs(3), 3);

    @SuppressWarnings("ImmutableEnumChecker") // Schemes are records.
    private final Scheme scheme;
    private final int lostRanks;

    FileScheme(Scheme scheme, int lostRanks) {
        this.scheme = scheme;
        this.lostRanks = lostRanks;
    }

    /** Those that so many ranks can have, all in one set. */
    public static List<FileScheme> of(int ranks) {
        return Arrays.stream(values()).filter(each -> each.lostRanks < ranks).toList();
    }

    Scheme scheme() {
        return scheme;
    }

    /** How many ranks lose all that they have: as many as the scheme can bear for certain. */
    int lostRanks() {
        return lostRanks;
    }

    /** What {@code redset_life.c} needs to know of it: redset's scheme, checksums, and ranks that lose their files. */
    public List<String> redsetArguments() {
        return List.of(scheme instanceof Scheme.ReedSolomon ? "RS" : name(), Integer.toString(lostRanks),
                Integer.toString(lostRanks));
    }
}
