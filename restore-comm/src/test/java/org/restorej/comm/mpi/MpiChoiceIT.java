package org.restorej.comm.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.testing.mpi.ProjectFiles;
import org.restorej.testing.Deep;
import org.restorej.testing.ProcessRun;
import org.restorej.testing.ProjectFolder;

/** {@code bin/mpirun-java --mpi}: which MPI starts ranks, and which libmpi they load. */
class MpiChoiceIT {
    private static final long END_SECONDS = 60;
    private static final int NOT_THERE = 1;
    private static final int TIMED_OUT = 124;

    @TempDir
    private Path folder;

    private final Map<String, String> environment = new HashMap<>(Map.of("RESTOREJ_AOT", "no"));

    private ProcessRun run(String script, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(ProjectFolder.script(script).toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeAll(List.of("MPICH_HOME", "RESTOREJ_MPI_LIBRARY"));
        builder.environment().put("CLASSPATH", ProjectFiles.classPath());
        builder.environment().putAll(environment);
        return ProcessRun.of(builder);
    }

    /** A cache folder in which nothing has been made. */
    private void useEmptyCache() {
        environment.put("XDG_CACHE_HOME", folder.resolve("cache").toString());
    }

    private static Optional<Path> onPath(String program) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator)).map(entry -> Path.of(entry, program))
                .filter(Files::isExecutable).findFirst();
    }

    /** An MPICH whose launcher is the shell script given. */
    private Path fakeMpich(String launcher) throws IOException {
        Path home = folder.resolve("another mpi");
        Files.createDirectories(home.resolve("bin"));
        Files.createFile(Files.createDirectories(home.resolve("lib")).resolve("libmpich.so.12"));
        for (Map.Entry<String, String> program : Map
                .of("mpiexec.hydra", launcher, "mpichversion", "echo 'MPICH Version: 4.9'").entrySet()) {
            ProcessRun.writeScript(home.resolve("bin").resolve(program.getKey()),
                    "#!/bin/sh\n" + program.getValue() + "\n");
        }
        environment.put("MPICH_HOME", home.toString());
        return home;
    }

    @ParameterizedTest
    @CsvSource(value = {"openmpi, --openmpi, Open MPI v", "mpich, --mpich, MPICH Version"})
    void ranksLoadTheLibraryOfTheMpiChosen(String name, String option, String version) throws Exception {
        ranksLoad(name, option, version);
    }

    @Deep
    @ParameterizedTest
    @CsvSource(
            value = {"ulfm, --ulfm, Open MPI v5", "openmpi6, --openmpi6, Open MPI v6", "ulfm6, --openmpi6, Open MPI v6",
                    "mpich5, --openmpi6, 'MPICH Version:      5'",
                    "abi-openmpi, --openmpi6, Open MPI v6", "abi-mpich, --openmpi6, 'MPICH Version:      5'"})
    void ranksLoadTheLibraryOfAnotherMpiThatIsChosen(String name, String option, String version) throws Exception {
        ranksLoad(name, option, version);
    }

    private void ranksLoad(String name, String option, String version) throws Exception {
        ProcessRun found = run("bootstrap", "--check", option);
        Assumptions.assumeTrue(found.exitCode() == 0, () -> "NOT TESTED on " + name + ": " + found.output());
        ProcessRun job = run("mpirun-java", "--mpi", name, "-n", "3", "--timeout", "200",
                MpiChoiceProgram.class.getName());
        assertEquals(0, job.exitCode(), job.output());
        List<String> ranks = job.output().lines().filter(line -> line.startsWith("error 0 of /")).toList();
        assertEquals(3, ranks.size(), job.output());
        boolean hasBindings = (name.equals("openmpi") || name.equals("ulfm"))
                && run("bootstrap", "--check", option, "--bindings").exitCode() == 0;
        for (String rank : ranks) {
            assertTrue(rank.replaceAll("\\s+", " ").contains(version.replaceAll("\\s+", " ")), rank);
            assertTrue(rank.endsWith("class path: " + hasBindings), rank);
        }
    }

    @ParameterizedTest
    @CsvSource({"mpich, --mpich", "openmpi6, --openmpi6", "abi-mpich, --openmpi6"})
    void theErrorNamesWhatMakesAnMpiThatIsNotThere(String name, String option) throws Exception {
        Assumptions.assumeFalse(name.equals("mpich") && onPath("mpiexec.hydra").isPresent(),
                "this machine has an MPICH");
        useEmptyCache();
        ProcessRun job = run("mpirun-java", "--mpi", name, "-n", "2", MpiChoiceProgram.class.getName());
        assertEquals(NOT_THERE, job.exitCode(), job.output());
        assertTrue(job.output().endsWith(" found: run bin/bootstrap " + option + "\n"), job.output());
        ProcessRun check = run("bootstrap", "--check", option);
        assertEquals(1, check.exitCode(), check.output());
        assertTrue(check.output().contains("bin/bootstrap " + option), check.output());
        assertFalse(Files.exists(folder.resolve("cache")), "a check has made something");
    }

    /** A PATH with what the scripts call, but with nothing that starts ranks. */
    private void hideLaunchers() throws IOException {
        Path programs = Files.createDirectory(folder.resolve("programs"));
        for (String name : List.of("bash", "env", "dirname", "readlink", "cat", "stat", "sort", "head", "sed", "grep",
                "tr",
                "find", "flock", "mktemp", "mkdir", "mv", "rm", "ldd", "setsid", "sleep", "dpkg", "fc-list")) {
            Optional<Path> file = onPath(name);
            if (file.isPresent()) {
                ProcessRun.writeScript(programs.resolve(name), "#!/bin/sh\nexec '" + file.get() + "' \"$@\"\n");
            }
        }
        environment.putAll(Map.of("PATH", programs.toString(), "OMPI_HOME", "", "OPAL_PREFIX", "", "RESTOREJ_JAVA_HOME",
                System.getProperty("java.home")));
    }

    @Deep // DemoMpiIT does so every day.
    @Test
    void mpichIsTakenWhereThatIsAllThereIs() throws Exception {
        hideLaunchers();
        useEmptyCache();
        ProcessRun none = run("mpirun-java", "-n", "2", "Program");
        assertEquals(NOT_THERE, none.exitCode(), none.output());
        assertEquals("mpirun-java: no MPI found: run bin/bootstrap\n", none.output());
        ProcessRun missing = run("bootstrap", "--check");
        assertEquals(NOT_THERE, missing.exitCode(), missing.output());
        assertTrue(missing.output().contains("missing: Open MPI: apt-get install openmpi-bin"), missing.output());

        Path library = fakeMpich("echo \"arguments: $*\"").resolve("lib/libmpich.so.12");
        ProcessRun job = run("mpirun-java", "-n", "2", "Program");
        assertTrue(job.output().contains(" RESTOREJ_MPI_LIBRARY=" + library + " "), job.output());
        ProcessRun check = run("bootstrap", "--check");
        assertEquals(0, check.exitCode(), check.output());
        assertTrue(check.output().contains(library.toString()), check.output());
        assertEquals(0, run("bootstrap").exitCode());
        assertFalse(Files.exists(folder.resolve("cache/restorej/openmpi.env")), "MPICH was recorded as Open MPI");
        ProcessRun wanted = run("mpirun-java", "--mpi", "openmpi", "-n", "2", "Program");
        assertEquals("mpirun-java: no MPI of the name openmpi found: run bin/bootstrap --openmpi\n", wanted.output());
        assertEquals(NOT_THERE, run("bootstrap", "--check", "--openmpi").exitCode());
        ProcessRun bindings = run("bootstrap", "--check", "--mpich", "--bindings");
        assertTrue(bindings.output().contains("missing: Open MPI"), bindings.output());
    }

    @Test
    void openMpi6StartsWithUlfmUnlessItHasNone() throws Exception {
        useEmptyCache();
        Path launcher = ProcessRun.writeScript(folder.resolve("mpirun"),
                "#!/bin/sh\necho \"arguments: $*, coll $OMPI_MCA_coll\"\n");
        Path library = Files.createFile(folder.resolve("libmpi.so.40"));
        for (String ulfm : List.of("", "yes", "no")) {
            writeRecord("openmpi6", launcher, "version=6.0.0", "library=" + library, "ulfm=" + ulfm);
            ProcessRun job = run("mpirun-java", "--mpi", "ulfm6", "-n", "2", "Program");
            if (ulfm.equals("no")) {
                assertTrue(job.output().endsWith("no MPI of the name ulfm6 found: run bin/bootstrap --openmpi6\n"),
                        job.output());
            } else {
                assertTrue(job.output().contains("arguments: --with-ft ulfm --oversubscribe "), job.output());
                assertTrue(job.output().contains("/bin/lib/rank "), job.output());
                assertTrue(job.output().contains(", coll ^han,cuda\n"), job.output());
            }
        }
        ProcessRun plain = run("mpirun-java", "--mpi", "openmpi6", "-n", "2", "Program");
        assertTrue(plain.output().contains("arguments: --oversubscribe "), plain.output());
    }

    /** What {@code bin/bootstrap} notes about an MPI, in the empty cache folder. */
    private void writeRecord(String name, Path launcher, String... lines) throws IOException, InterruptedException {
        Path record = folder.resolve("cache/restorej").resolve(name + ".env");
        Files.createDirectories(record.getParent());
        ProcessRun stat = ProcessRun.of(new ProcessBuilder("stat", "-L", "-c", "%i-%s-%Y", launcher.toString()));
        assertEquals(0, stat.exitCode(), stat::describe);
        String stamp = stat.output().strip();
        List<String> all = new ArrayList<>(List.of("mpirun=" + launcher, "stamp=" + stamp));
        all.addAll(List.of(lines));
        Files.write(record, all);
    }

    @Test
    void whatIsRecordedOfAnOpenMpiIsAskedAgainOnlyWhenSomethingIsNew() throws Exception {
        useEmptyCache();
        Path home = folder.resolve("an openmpi");
        Path launcher = Files.createDirectories(home.resolve("bin")).resolve("mpirun");
        Path library = Files.createFile(Files.createDirectories(home.resolve("lib")).resolve("libmpi.so.40"));
        ProcessRun.writeScript(launcher,
                "#!/bin/sh\n[ \"$1\" != --version ] || { echo 'mpirun (Open MPI) 4.1.9'; echo asked >> '"
                        + folder.resolve("asked") + "'; exit; }\necho \"arguments: $*\"\n");
        environment.put("OMPI_HOME", home.toString());
        // As it was written when an MPI without bindings was of no use.
        writeRecord("openmpi", launcher, "version=4.1.9", "library_folder=" + home.resolve("lib"),
                "mpi_jar=" + folder.resolve("gone.jar"));
        assertTrue(
                run("mpirun-java", "-n", "2", "Program").output().contains(" RESTOREJ_MPI_LIBRARY=" + library + " "));
        assertTrue(Files.exists(folder.resolve("asked")));

        writeRecord("openmpi", launcher, "version=4.1.9", "library=" + library, "mpi_jar=");
        Files.delete(folder.resolve("asked"));
        ProcessRun job = run("mpirun-java", "-n", "2", "Program");
        assertTrue(job.output().contains(" RESTOREJ_MPI_LIBRARY=" + library + " "), job.output());
        assertFalse(Files.exists(folder.resolve("asked")), "it was asked although everything is recorded");
        assertTrue(
                run("bootstrap", "--check", "--bindings").output().contains("missing: libmpi_java.so of " + launcher));

        Files.createFile(home.resolve("lib/libmpi_java.so"));
        Files.createFile(
                Files.createDirectories(folder.resolve("cache/restorej/openmpi/4.1.9")).resolve("mpi.jar"));
        ProcessRun bound = run("mpirun-java", "-n", "2", "Program");
        assertTrue(bound.output().contains("-Djava.library.path=" + home.resolve("lib")), bound.output());
    }

    @Test
    void mpichsLauncherGetsRanksPlacementAndLibrary() throws Exception {
        Path library = fakeMpich("echo \"arguments: $*, signals: <$UCX_ERROR_SIGNALS>\"").resolve("lib/libmpich.so.12");
        ProcessRun job = run("mpirun-java", "--mpi", "mpich", "-n", "3", "--cp", "some.jar", "Program", "word");
        assertEquals(0, job.exitCode(), job.output());
        assertTrue(job.output().contains("arguments: -bind-to none -n 3 env "), job.output());
        assertTrue(job.output().contains(" RESTOREJ_MPI_LIBRARY=" + library + " "), job.output());
        assertTrue(job.output().contains(" -cp some.jar Program word, signals: <>\n"), job.output());
        assertFalse(job.output().contains("java.library.path"), job.output());
        environment.put("RESTOREJ_MPI_LIBRARY", "/another/libmpi.so");
        ProcessRun other = run("mpirun-java", "--mpi", "mpich", "-n", "3", "--one-rank-per-core", "Program");
        assertTrue(other.output().contains("arguments: -bind-to core -n 3 env "), other.output());
        assertTrue(other.output().contains(" RESTOREJ_MPI_LIBRARY=/another/libmpi.so "), other.output());
    }

    @ParameterizedTest
    @ValueSource(strings = {"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"})
    void whatIsSetForEveryJvmReplacesADefaultThatFightsWithIt(String variable) throws Exception {
        fakeMpich("echo \"arguments: $*\"");
        String unset = run("mpirun-java", "--mpi", "mpich", "-n", "1", "Program").output();
        assertTrue(unset.contains("-XX:+UseSerialGC") && unset.contains("-Xmx256m"), unset);
        environment.put(variable, "-Dx=y -XX:+UseParallelGC\t-Xmx1g");
        String set = run("mpirun-java", "--mpi", "mpich", "-n", "1", "Program").output();
        assertFalse(set.contains("-XX:+UseSerialGC") || set.contains("-Xmx256m"), set);
    }

    @Test
    void withoutAHomeThereIsOne() throws Exception {
        fakeMpich("echo \"home: <$HOME>\"");
        environment.put("HOME", "");
        String output = run("mpirun-java", "--mpi", "mpich", "-n", "1", "Program").output();
        assertTrue(output.contains("home: <" + System.getProperty("user.home") + ">"), output);
    }

    @Test
    void aRelativeCacheFolderCountsAsNone() throws Exception {
        ProcessRun made = ProcessRun.of(new ProcessBuilder("bash", "-euc",
                "export HOME=$1 XDG_CACHE_HOME=cache; . \"$0/tools.sh\"; say \"$cache_folder\"",
                ProjectFolder.script("lib").toString(), folder.toString()));
        assertEquals(folder + "/.cache/restorej\n", made.output(), made::describe);
    }

    @Deep
    @Test
    void ranksInSessionsOfTheirOwnEndWithTheJob() throws Exception {
        fakeMpich("setsid sh -c 'echo rank $$; exec sleep 120' & wait");
        ProcessRun job = run("mpirun-java", "--mpi", "mpich", "-n", "1", "--timeout", "3", "Program");
        assertEquals(TIMED_OUT, job.exitCode(), job.output());
        long rank = Long
                .parseLong(job.output().lines().filter(line -> line.startsWith("rank ")).findFirst().orElseThrow()
                        .substring("rank ".length()));
        // Until somebody has asked for its exit code, a process counts as there.
        Optional<ProcessHandle> process = ProcessHandle.of(rank);
        if (process.isPresent()) {
            process.get().onExit().get(END_SECONDS, TimeUnit.SECONDS);
        }
    }
}
