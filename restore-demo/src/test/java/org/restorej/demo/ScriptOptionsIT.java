package org.restorej.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.testing.ProcessRun;

/** What scripts say to command lines that nobody means, before they look for anything. */
class ScriptOptionsIT {
    /** NOTHING stands for an empty word; messages have semicolons in between. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "mpirun-java --bogus -n 99999999999999999999 --timeout x NOTHING | unknown option: --bogus;-n must be;"
                    + "--timeout must be;no main class given",
            "mpirun-java -n ١٢ --vm NOTHING --timeout 99999999999 A | -n must be;--vm must not be empty;"
                    + "--timeout must be",
            "mpirun-java --mpi mpi -n 2 A | --mpi must be one of openmpi ulfm mpich openmpi6 ulfm6 mpich5 abi-openmpi "
                    + "abi-mpich: 'mpi'",
            "mpirun-java --hosts a:0 -n 1 A | --hosts must be HOST or HOST:RANKS",
            "mpirun-java --hosts a,,b:x -n 1 A | --hosts must be HOST or HOST:RANKS",
            "mpirun-java --mpi NOTHING -n 2 A | --mpi must not be empty", "mpirun-java --mpi | --mpi needs a value",
            "bootstrap --bogus --check NOTHING | '--bogus' ''"})
    void reportWhatIsWrongAtOnceAndEndWithTwo(String line, String messages) throws IOException, InterruptedException {
        String[] words = line.split(" ", -1);
        ProcessRun run = ProcessRun.script(words[0], Arrays.stream(words).skip(1)
                .map(word -> word.equals("NOTHING") ? "" : word).toArray(String[]::new));
        assertEquals(2, run.exitCode(), run::describe);
        assertEquals("", run.output());
        for (String message : List.of(messages.split(";", -1))) {
            assertTrue(run.errors().contains(message), run::describe);
        }
    }
}
