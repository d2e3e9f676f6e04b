package org.restorej.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.cli.command.ProcessAnswer;
import org.restorej.cli.testing.CommandRun;
import org.restorej.testing.ProjectFolder;

class DoctorCommandTest {
    private static final Path SCRIPT = ProjectFolder.script("lib/mpi-facts");

    private static final Path HOME = Path.of(System.getProperty("java.home"));
    private static final JavaOnPath THIS_JDK = new JavaOnPath(HOME, HOME.resolve("bin").toString());

    @TempDir
    private Path root = Path.of("");

    private void file(String name, String content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private static Finding named(List<Finding> findings, String name) {
        return findings.stream().filter(finding -> finding.name().equals(name)).findFirst().orElseThrow();
    }

    @Test
    void examinesThisMachineAndEndsWell() {
        CommandRun run = CommandRun.of("doctor");
        assertEquals(0, run.exitCode(), run::errors);
        for (String line : List.of("ok        Java 25            25", "Open MPI", "MPICH", "Java bindings", "ULFM",
                "ULFM Java bindings", "ISA-L", "shared memory")) {
            assertTrue(run.output().contains(" " + line) || run.output().startsWith(line), run::output);
        }
    }

    @Test
    void saysWhatMendsAMachineWhereEverythingIsMissing() throws IOException {
        List<Finding> findings = new Machine(new SharedMemory(root.resolve("nothing")), findings(""), THIS_JDK,
                "libisal-of-nobody.so.2").examine();
        assertEquals(Finding.State.OK, findings.getFirst().state());
        for (Finding finding : findings.subList(1, findings.size())) {
            assertFalse(finding.state() == Finding.State.OK, finding::toString);
        }
        assertEquals(Optional.of("bin/bootstrap"), named(findings, "Open MPI").fix());
        assertEquals(Finding.State.OPTIONAL, named(findings, "MPICH").state());
        assertEquals(Optional.of("bin/bootstrap --mpich"), named(findings, "MPICH").fix());
        assertEquals(Finding.State.OPTIONAL, named(findings, "Java bindings").state());
        assertEquals(Optional.of("bin/bootstrap --bindings"), named(findings, "Java bindings").fix());
        assertEquals("no Open MPI 5 that survives failures of processes", named(findings, "ULFM").found());
        assertEquals(Optional.of("bin/bootstrap --ulfm"), named(findings, "ULFM").fix());
        assertEquals("no libisal-of-nobody.so.2", named(findings, "ISA-L").found());
        assertTrue(named(findings, "shared memory").fix().orElseThrow().contains("mount -t tmpfs"));
        String text = DoctorCommand.text(findings);
        assertTrue(text.contains("fix: bin/bootstrap --ulfm"), text);
    }

    @Test
    void tellsWhetherSharedMemorySuffices() throws IOException {
        assertEquals(Finding.State.OK, new SharedMemory(root).finding(0).state());
        Finding tooLittle = new SharedMemory(root).finding(Integer.MAX_VALUE);
        assertEquals(Finding.State.LIMITED, tooLittle.state());
        assertTrue(tooLittle.fix().orElseThrow().startsWith("mount -o remount,size=34359738352M /dev/shm"),
                tooLittle::toString);
    }

    /** What follows from the scripts' answer, where ranks find a library under every launcher. */
    private static MpiFindings findings(String installed) {
        return new MpiFindings(ProcessAnswer.parsed(installed), (launcher, program, environment) -> ProcessAnswer
                .parsed("file=/opt/lib/libmpi.so\nfamily=Family\nversion=V 1, of today\nreason=beside " + launcher + " "
                        + program
                        + " " + environment.getOrDefault("LD_LIBRARY_PATH", "") + "\n"));
    }

    @Test
    void knowsWhatTheScriptsFind() {
        List<Finding> findings = findings("""
                mpirun=/opt/mpi/bin/mpirun
                version=5.0.7
                library_folder=/opt/mpi/lib
                mpi_jar=
                ulfm_version=5.0.7
                ulfm_mpirun=/opt/mpi/bin/mpirun
                mpich_mpirun=/opt/mpich/bin/mpiexec.hydra
                mpich_version=4.0.2
                mpich_library_path=/opt/mpich/lib
                """).findings();
        assertEquals(
                "5.0.7, /opt/mpi/bin/mpirun; ranks call /opt/lib/libmpi.so (beside OPEN_MPI /opt/mpi/bin/mpirun ): "
                        + "V 1, with the interface of Family",
                named(findings, "Open MPI").found());
        assertTrue(named(findings, "MPICH").found().startsWith("4.0.2, /opt/mpich/bin/mpiexec.hydra; ranks call "
                + "/opt/lib/libmpi.so (beside PMI /opt/mpich/bin/mpiexec.hydra /opt/mpich/lib"), findings::toString);
        assertEquals("no mpi.jar", named(findings, "Java bindings").found());
        assertEquals(Finding.State.OK, named(findings, "ULFM").state());
        assertEquals("no libmpi_java.so and no mpi.jar", named(findings, "ULFM Java bindings").found());
        assertEquals(Optional.of("bin/bootstrap --ulfm --bindings"), named(findings, "ULFM Java bindings").fix());
    }

    @Test
    void tellsTheBindingsOfEachOpenMpiApart() {
        List<Finding> findings = findings("""
                mpirun=/opt/mpi/bin/mpirun
                version=4.1.4
                ulfm_version=5.0.7
                ulfm_mpirun=/root/of/it/bin/mpirun
                ulfm_library_folder=/root/of/it/lib
                ulfm_mpi_jar=/cache/5.0.7/mpi.jar
                """).findings();
        assertEquals(Finding.State.OPTIONAL, named(findings, "Java bindings").state());
        assertEquals(Finding.State.OK, named(findings, "ULFM Java bindings").state());
        assertEquals("/cache/5.0.7/mpi.jar, /root/of/it/lib", named(findings, "ULFM Java bindings").found());
    }

    @Test
    void isContentWithTheCommandsOfAJdk25() {
        assertEquals(Finding.State.OK, THIS_JDK.finding().state());
        assertEquals(Runtime.version() + ", " + HOME, THIS_JDK.finding().found());
    }

    @Test
    void saysWhatToExportWhereAnotherJavaIsFirstOnThePath() throws IOException {
        for (String program : List.of("java", "javac")) {
            file("java-11/bin/" + program, "");
            assertTrue(root.resolve("java-11/bin/" + program).toFile().setExecutable(true));
        }
        file("java-11/release", "IMPLEMENTOR=\"Somebody\"\nJAVA_VERSION=\"11.0.2\"\n");
        Path old = root.resolve("java-11/bin");
        Finding finding = new JavaOnPath(HOME, ":" + root.resolve("nowhere") + ":" + old + ":" + THIS_JDK.path())
                .finding();
        assertEquals(Finding.State.LIMITED, finding.state());
        assertEquals(Runtime.version() + ", " + HOME + "; but java on the PATH is " + old.resolve("java")
                + ", version 11.0.2, and javac on the PATH is " + old.resolve("javac") + ", version 11.0.2",
                finding.found());
        assertEquals(Optional.of("export JAVA_HOME=" + HOME + " && export PATH=\"$JAVA_HOME/bin:$PATH\""),
                finding.fix());
        Files.delete(root.resolve("java-11/release"));
        assertTrue(new JavaOnPath(HOME, old.toString()).finding().found().endsWith("javac on the PATH is "
                + old.resolve("javac")), "a version that nobody tells");
    }

    @Test
    void saysWhatToExportWhereNoJavaIsOnThePath() {
        Finding finding = new JavaOnPath(Path.of("/it's here"), "").finding();
        assertTrue(finding.found().endsWith("but there is no java on the PATH, and there is no javac on the PATH"),
                finding::found);
        assertEquals(Optional.of("export JAVA_HOME='/it'\\''s here' && export PATH=\"$JAVA_HOME/bin:$PATH\""),
                finding.fix());
    }

    @ParameterizedTest
    @CsvSource({"4.1.4, is too old", "5.0.7, was built without fault tolerance"})
    void saysWhyThereIsNoUlfm(String version, String reason) {
        List<Finding> findings = findings("mpirun=/bin/mpirun\nversion=" + version + "\n").findings();
        assertEquals("no Open MPI 5 that survives failures of processes: Open MPI " + version + " " + reason,
                named(findings, "ULFM").found());
        assertEquals("no libmpi_java.so and no mpi.jar", named(findings, "Java bindings").found());
    }

    @Test
    void oneMpiIsEnough() {
        List<Finding> findings = findings("mpich_mpirun=/bin/mpiexec.hydra\n").findings();
        assertEquals(Finding.State.OK, named(findings, "MPICH").state());
        assertEquals(Finding.State.OPTIONAL, named(findings, "Open MPI").state());
    }

    @Test
    void saysWhyRanksFindNoLibrary() {
        ProcessAnswer installed = ProcessAnswer.parsed("mpirun=/bin/mpirun\nversion=4.1.4\n");
        Finding refused = new MpiFindings(installed,
                (launcher, program, environment) -> ProcessAnswer.parsed("error=it lacks MPI_Test")).findings()
                .getFirst();
        assertEquals(Finding.State.MISSING, refused.state());
        assertEquals("4.1.4, /bin/mpirun; but ranks can't call it: it lacks MPI_Test", refused.found());
        Finding crashed = new MpiFindings(installed,
                (launcher, program, environment) -> ProcessAnswer.troubled("java ended with exit code 134")).findings()
                .getFirst();
        assertTrue(crashed.found().endsWith("can't call it: java ended with exit code 134"), crashed::found);
    }

    @Test
    void asksAnotherJvmWhichLibraryRanksTake() {
        ProcessAnswer answer = LibraryQuestion.ofJvm("OPEN_MPI", "/bin/mpirun", Map.of("RESTOREJ_MPI_LIBRARY",
                "libm.so.6"));
        assertEquals(
                Optional.of("RESTOREJ_MPI_LIBRARY=libm.so.6: it is no MPI library, or older than MPI 3.0: it has no "
                        + "MPI_Get_library_version"),
                answer.value("error"), answer::toString);
    }

    @Test
    void asksTheScriptOnAMachineWithoutOpenMpi() throws IOException {
        Path tools = Files.createDirectories(root.resolve("tools"));
        for (String tool : List.of("bash", "dirname", "readlink", "stat", "sort", "head")) {
            Files.createSymbolicLink(tools.resolve(tool), where(tool));
        }
        ProcessAnswer facts = ProcessAnswer.of(List.of(SCRIPT.toString()), Map.of("PATH", tools.toString(),
                "XDG_CACHE_HOME", root.toString(), "OMPI_HOME", "", "OPAL_PREFIX", "", "MPICH_HOME", ""));
        assertEquals(Optional.empty(), facts.trouble());
        assertEquals(Map.of(), facts.values());
    }

    private static Path where(String tool) {
        return List.of("/bin/", "/usr/bin/").stream().map(folder -> Path.of(folder + tool)).filter(Files::isExecutable)
                .findFirst().orElseThrow();
    }

    @Test
    void reportsTroubleAsAFinding() throws IOException {
        ProcessAnswer noScript = ProcessAnswer.of(List.of(root.resolve("none").toString()), Map.of());
        assertTrue(noScript.trouble().orElseThrow().contains("can't be run"), noScript::toString);
        file("broken", "#!/bin/sh\necho it is broken\nexit 3\n");
        assertTrue(root.resolve("broken").toFile().setExecutable(true));
        ProcessAnswer broken = ProcessAnswer.of(List.of(root.resolve("broken").toString()), Map.of());
        assertEquals(Optional.of("it is broken"), broken.trouble());
        for (Finding finding : new MpiFindings(broken, LibraryQuestion::ofJvm).findings()) {
            assertEquals(Finding.State.UNKNOWN, finding.state());
        }
    }

    @Test
    void refusesWrongOptions() {
        CommandRun run = CommandRun.of("doctor --yaml");
        assertEquals(2, run.exitCode());
        assertTrue(run.errors().contains("--yaml"), run::errors);
    }
}
