package org.restorej.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.cli.testing.CommandRun;

class DoctorCommandTest {
    private static final Path SCRIPT = Path.of("..", "bin", "lib", "openmpi-facts").toAbsolutePath().normalize();

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
    void examinesThisMachineAndEndsWell() throws IOException {
        JsonNode findings = CommandRun.of("doctor --json").json().get("findings");
        assertEquals(8, findings.size());
        assertEquals("Java 25", findings.get(0).get("name").asText());
        assertEquals("ok", findings.get(0).get("state").asText());
        assertTrue(findings.get(0).get("found").asText().startsWith("25"), findings::toString);
        CommandRun text = CommandRun.of("doctor");
        assertEquals(0, text.exitCode(), text::errors);
        for (JsonNode finding : findings) {
            assertTrue(text.output().contains(finding.get("name").asText()), text::output);
        }
    }

    @Test
    void saysWhatMendsAMachineWhereEverythingIsMissing() throws IOException {
        List<Finding> findings = new Machine(new SystemFiles(root.resolve("nothing")), OpenMpiFacts.parsed(""),
                "libisal-of-nobody.so.2").examine();
        assertEquals(Finding.State.OK, findings.getFirst().state());
        for (Finding finding : findings.subList(1, findings.size())) {
            assertFalse(finding.state() == Finding.State.OK, finding::toString);
        }
        assertEquals(Optional.of("bin/bootstrap"), named(findings, "Open MPI").mend());
        assertEquals("no libmpi_java.so and no mpi.jar", named(findings, "Java bindings").found());
        assertEquals(Optional.of("bin/bootstrap --bindings"), named(findings, "Java bindings").mend());
        assertEquals(Optional.of("bin/bootstrap --ulfm"), named(findings, "ULFM").mend());
        assertEquals("no libisal-of-nobody.so.2", named(findings, "ISA-L").found());
        assertTrue(named(findings, "shared memory").mend().orElseThrow().contains("mount -t tmpfs"));
        String text = DoctorCommand.text(findings);
        assertTrue(text.contains("mend: bin/bootstrap --ulfm"), text);
    }

    @ParameterizedTest
    @CsvSource({"[always] madvise never, OK, ''", "never [never] madvise, LIMITED, echo madvise >",
            "always [madvise] never, LIMITED, export GLIBC_TUNABLES=glibc.malloc.hugetlb=1"})
    void tellsWhetherHugePagesAreUsed(String modes, Finding.State state, String mend) throws IOException {
        file("sys/kernel/mm/transparent_hugepage/enabled", modes + "\n");
        Finding finding = new SystemFiles(root).hugePages();
        assertEquals(state, finding.state());
        assertTrue(finding.mend().orElse("").startsWith(mend), finding::toString);
    }

    @ParameterizedTest
    @CsvSource({"unlimited, OK, unlimited", "8388608, LIMITED, at most 8388608 bytes"})
    void tellsHowMuchMemoryMayBeLocked(String limit, Finding.State state, String found) throws IOException {
        file("proc/self/limits", "Limit                     Soft Limit           Hard Limit           Units\n"
                + "Max locked memory         " + limit + "            unlimited            bytes\n");
        assertEquals(state, new SystemFiles(root).lockedMemory().state());
        assertEquals(found, new SystemFiles(root).lockedMemory().found());
    }

    @Test
    void tellsWhetherSharedMemorySuffices() throws IOException {
        Files.createDirectories(root.resolve("dev/shm"));
        assertEquals(Finding.State.OK, new SystemFiles(root).sharedMemory(0).state());
        Finding tooLittle = new SystemFiles(root).sharedMemory(Integer.MAX_VALUE);
        assertEquals(Finding.State.LIMITED, tooLittle.state());
        assertTrue(tooLittle.mend().orElseThrow().startsWith("mount -o remount,size=34359738352M /dev/shm"),
                tooLittle::toString);
    }

    @Test
    void mpichDoesInThePlaceOfOpenMpi() {
        List<Finding> findings = OpenMpiFacts.parsed("mpich_mpirun=/opt/mpich/bin/mpiexec.hydra\nmpich_version=4.2.0\n")
                .findings();
        assertEquals("4.2.0, /opt/mpich/bin/mpiexec.hydra", named(findings, "MPICH").found());
        assertEquals(List.of("MPICH", "Java bindings", "ULFM"), findings.stream().map(Finding::name).toList());
    }

    @Test
    void knowsWhatTheScriptsFind() {
        List<Finding> findings = OpenMpiFacts.parsed("""
                mpirun=/opt/mpi/bin/mpirun
                version=5.0.7
                library_folder=/opt/mpi/lib
                mpi_jar=
                ulfm_version=5.0.7
                ulfm_mpirun=/opt/mpi/bin/mpirun
                """).findings();
        assertEquals("5.0.7, /opt/mpi/bin/mpirun", named(findings, "Open MPI").found());
        assertEquals("no mpi.jar", named(findings, "Java bindings").found());
        assertEquals(Finding.State.OK, named(findings, "ULFM").state());
    }

    @Test
    void asksTheScriptOnAMachineWithoutOpenMpi() throws IOException {
        Path tools = Files.createDirectories(root.resolve("tools"));
        for (String tool : List.of("bash", "dirname", "readlink", "stat", "sort", "head")) {
            Files.createSymbolicLink(tools.resolve(tool), where(tool));
        }
        OpenMpiFacts facts = OpenMpiFacts.ask(SCRIPT, Map.of("PATH", tools.toString(), "XDG_CACHE_HOME",
                root.toString(), "OMPI_HOME", "", "OPAL_PREFIX", ""));
        assertEquals(Optional.empty(), facts.trouble());
        assertEquals(Map.of(), facts.values());
    }

    private static Path where(String tool) {
        return List.of("/bin/", "/usr/bin/").stream().map(folder -> Path.of(folder + tool)).filter(Files::isExecutable)
                .findFirst().orElseThrow();
    }

    @Test
    void reportsTroubleAsAFinding() throws IOException {
        OpenMpiFacts noScript = OpenMpiFacts.ask(root.resolve("none"), Map.of());
        assertTrue(noScript.trouble().orElseThrow().contains("can't be run"), noScript::toString);
        file("broken", "#!/bin/sh\necho it is broken\nexit 3\n");
        assertTrue(root.resolve("broken").toFile().setExecutable(true));
        OpenMpiFacts broken = OpenMpiFacts.ask(root.resolve("broken"), Map.of());
        assertEquals(Optional.of("it is broken"), broken.trouble());
        for (Finding finding : broken.findings()) {
            assertEquals(Finding.State.UNKNOWN, finding.state());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--json"})
    void saysSoWhereThereIsNoJava(String option) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(SCRIPT.resolveSibling("../restore").toString(), "doctor"));
        command.addAll(option.isEmpty() ? List.of() : List.of(option));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(root.resolve("report").toFile());
        builder.environment().put("RESTOREJ_JAVA_HOME", root.toString());
        Process process = builder.start();
        assertTrue(process.waitFor(1, TimeUnit.MINUTES));
        String report = Files.readString(root.resolve("report"));
        assertEquals(0, process.exitValue(), report);
        assertTrue(report.contains("is not a JDK 25") && report.contains("bin/bootstrap"), report);
        if (!option.isEmpty()) {
            assertEquals("missing", new ObjectMapper().readTree(report).at("/findings/0/state").asText());
        }
    }

    @Test
    void refusesWrongOptions() {
        CommandRun run = CommandRun.of("doctor --yaml");
        assertEquals(2, run.exitCode());
        assertTrue(run.errors().contains("--yaml"), run::errors);
    }
}
