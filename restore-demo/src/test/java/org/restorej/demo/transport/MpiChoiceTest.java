package org.restorej.demo.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.cli.command.InvalidInputException;
import org.restorej.cli.command.ProcessAnswer;

class MpiChoiceTest {
    private static final String BINDINGS = "mpi_jar=/x/mpi.jar\nlibrary_folder=/x\n";

    private static MpiChoice choice(String name, String calls, boolean kill) {
        return choice(name, calls, kill, 0);
    }

    private static MpiChoice choice(String name, String calls, boolean kill, int restarts) {
        Optional<MpiName> mpi = name.isEmpty()
                ? Optional.empty()
                : List.of(MpiName.values()).stream().filter(value -> value.toString().equals(name)).findFirst();
        return new MpiChoice(mpi, calls.equals("bindings") ? MpiCalls.BINDINGS : MpiCalls.NATIVE, kill,
                restarts);
    }

    @ParameterizedTest
    @CsvSource({"'', openmpi mpich ulfm, openmpi", "'', ulfm mpich5 mpich, mpich", "'', abi-mpich ulfm, abi-mpich",
            "'', ulfm, ulfm", "mpich, openmpi mpich, mpich", "abi-openmpi, openmpi abi-openmpi, abi-openmpi"})
    void takesTheOneThatIsNamedOrTheFirstThatIsThere(String name, String available, String taken) {
        ProcessAnswer installed = ProcessAnswer.parsed("available=" + available + "\n");
        assertEquals(taken, choice(name, "native", false).of(installed).toString());
    }

    @Test
    void killsUnderUlfmOrWhereTheJobIsStartedAgain() {
        assertEquals(List.of(), choice("mpich", "native", true, 2).errors());
        assertEquals(MpiName.OPENMPI,
                choice("", "native", true, 1).of(ProcessAnswer.parsed("available=openmpi ulfm\n")));
        assertEquals(MpiName.ULFM, choice("", "native", true).of(ProcessAnswer.parsed("available=openmpi ulfm\n")));
        assertEquals(List.of("--kill needs --mpi ulfm, or --restarts: --mpi=mpich"),
                choice("mpich", "native", true).errors());
        assertEquals(List.of(), choice("ulfm", "native", true).errors());
        assertEquals("--kill needs an Open MPI that survives failures of processes (ULFM), and there is none: "
                + "'bin/bootstrap --ulfm' makes one; --restarts starts the job again, --fail simulates failures",
                refusal(choice("", "native", true), "available=openmpi\n"));
    }

    @Test
    void bindingsAreOpenMpis() {
        assertEquals(MpiName.OPENMPI,
                choice("", "bindings", false).of(ProcessAnswer.parsed("available=mpich openmpi\n" + BINDINGS)));
        assertEquals(MpiName.ULFM, choice("ulfm", "bindings", false).of(ProcessAnswer.parsed("available=ulfm\n")));
        assertEquals(List.of("--mpi-calls bindings needs --mpi openmpi or ulfm, others have none: --mpi=mpich"),
                choice("mpich", "bindings", false).errors());
        assertEquals(List.of(), choice("mpich", "native", false).errors());
        assertEquals("--mpi-calls bindings needs the Java bindings of Open MPI (mpi.jar and libmpi_java), and there "
                + "are none: bin/bootstrap makes them", refusal(choice("", "bindings", false), "available=openmpi\n"));
        assertEquals("--transport mpi needs an Open MPI with Java bindings, and there is none here: 'bin/bootstrap' "
                + "installs Open MPI, 'bin/bootstrap --mpich' gets MPICH; 'bin/restore doctor' tells what was looked "
                + "for", refusal(choice("", "bindings", false), "available=mpich\n"));
    }

    @Test
    void saysWhatMakesAnMpiAvailable() {
        assertEquals("--mpi=mpich5: there is no MPICH 5 here: 'bin/bootstrap --openmpi6' makes it available",
                refusal(choice("mpich5", "native", false), "available=mpich\n"));
        assertEquals("--transport mpi needs an MPI, and there is none here: 'bin/bootstrap' installs Open MPI, "
                + "'bin/bootstrap --mpich' gets MPICH; 'bin/restore doctor' tells what was looked for",
                refusal(choice("", "native", false), "available=\n"));
        assertEquals("which MPIs are there can't be found out: it is broken", String.valueOf(assertThrows(
                InvalidInputException.class,
                () -> choice("", "native", false).of(ProcessAnswer.troubled("it is broken"))).getMessage()));
    }

    private static String refusal(MpiChoice choice, String installed) {
        return String.valueOf(assertThrows(InvalidInputException.class,
                () -> choice.of(ProcessAnswer.parsed(installed))).getMessage());
    }
}
