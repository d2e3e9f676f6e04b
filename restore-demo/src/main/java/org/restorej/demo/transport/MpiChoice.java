package org.restorej.demo.transport;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.restorej.cli.command.InvalidInputException;
import org.restorej.cli.command.ProcessAnswer;

/**
 * Under which MPI ranks are to run, and how they call it.
 *
 * @param name which; nothing for the first that is there
 * @param calls how
 * @param kills whether processes are killed, which it must survive where the job isn't started again
 * @param restarts how often the job is started again at most
 */
public record MpiChoice(Optional<MpiName> name, MpiCalls calls, boolean kills, int restarts) {
    /** Whether it must survive the failure of processes. */
    boolean mustSurvive() {
        return kills && restarts == 0;
    }

    /** Says which options don't go together. */
    public List<String> errors() {
        if (mustSurvive() && name.isPresent() && name.get() != MpiName.ULFM) {
            return List.of("--kill needs --mpi ulfm, or --restarts: --mpi=" + name.get());
        }
        if (calls == MpiCalls.BINDINGS && name.isPresent() && !name.get().hasBindings()) {
            return List.of("--mpi-calls bindings needs --mpi openmpi or ulfm, others have none: --mpi=" + name.get());
        }
        return List.of();
    }

    /**
     * The MPI to take.
     *
     * @param installed what {@code bin/lib/mpi-facts} says
     * @throws InvalidInputException when it isn't there
     */
    MpiName of(ProcessAnswer installed) {
        installed.trouble().ifPresent(trouble -> {
            throw new InvalidInputException("which MPIs are there can't be found out: " + trouble);
        });
        List<String> words = List.of(installed.value("available").orElse("").split(" "));
        List<MpiName> available = Arrays.stream(MpiName.values()).filter(mpi -> words.contains(mpi.toString()))
                .toList();
        if (mustSurvive()) {
            return requireUlfm(available);
        }
        MpiName taken = name.map(wanted -> require(wanted, available)).orElseGet(() -> firstOf(available));
        if (calls == MpiCalls.BINDINGS && taken == MpiName.OPENMPI
                && (installed.value("mpi_jar").isEmpty() || installed.value("library_folder").isEmpty())) {
            throw new InvalidInputException("--mpi-calls bindings needs the Java bindings of Open MPI (mpi.jar and "
                    + "libmpi_java), and there are none: " + taken.remedy() + " makes them");
        }
        return taken;
    }

    private static MpiName requireUlfm(List<MpiName> available) {
        if (!available.contains(MpiName.ULFM)) {
            throw new InvalidInputException("--kill needs an Open MPI that survives failures of processes (ULFM), and "
                    + "there is none: '" + MpiName.ULFM.remedy()
                    + "' makes one; --restarts starts the job again, --fail "
                    + "simulates failures");
        }
        return MpiName.ULFM;
    }

    private static MpiName require(MpiName wanted, List<MpiName> available) {
        if (!available.contains(wanted)) {
            throw new InvalidInputException("--mpi=" + wanted + ": there is no " + wanted.title() + " here: '"
                    + wanted.remedy() + "' makes it available");
        }
        return wanted;
    }

    private MpiName firstOf(List<MpiName> available) {
        return available.stream().filter(mpi -> calls == MpiCalls.NATIVE || mpi.hasBindings()).findFirst()
                .orElseThrow(() -> new InvalidInputException("--transport mpi needs "
                        + (calls == MpiCalls.NATIVE ? "an MPI" : "an Open MPI with Java bindings")
                        + ", and there is none here: 'bin/bootstrap' installs Open MPI, 'bin/bootstrap --mpich' gets "
                        + "MPICH; 'bin/restore doctor' tells what was looked for"));
    }
}
