package org.restorej.bench.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.restorej.bench.c.CompiledNbx;
import org.restorej.bench.mpi.MpiTransport;

/**
 * What the ranks of a job are told besides what they are to measure.
 *
 * @param transport how they call MPI
 * @param nbx the sparse all-to-all in C, where it could be compiled
 */
record RankSettings(MpiTransport transport, Optional<Path> nbx) {
    /** Options of {@code bin/mpirun-java}. */
    List<String> options() {
        List<String> options = new ArrayList<>(List.of("--vm", transport.vmOption()));
        nbx.ifPresent(library -> options.addAll(List.of("--vm", "-D" + CompiledNbx.PROPERTY + "=" + library)));
        return options;
    }
}
