package org.restorej.internal.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LibrarySearchTest {
    private static final String LINKER = "found by the dynamic linker";

    @TempDir
    private Path given = Path.of("");

    private Path folder = Path.of("");

    /** The folder of temporary files may be a link. */
    @BeforeEach
    void resolve() throws IOException {
        folder = given.toRealPath();
    }

    private Path file(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.createFile(file);
    }

    private static LibrarySearch search(Launcher launcher, Map<String, String> environment, Path... ancestors) {
        return new LibrarySearch(environment, launcher, List.of(), List.of(ancestors));
    }

    private static List<String> names(LibrarySearch search) {
        return search.candidates().stream().map(LibrarySearch.Candidate::name).toList();
    }

    private static List<LibrarySearch.Candidate> files(LibrarySearch search) {
        return search.candidates().stream().filter(candidate -> !candidate.reason().equals(LINKER)).toList();
    }

    @Test
    void looksBesideTheLauncherFirstThenWhereVariablesSayThenLetsTheLinkerLook() throws IOException {
        Path mpirun = file("opt/bin/orterun");
        Path beside = file("opt/lib/libmpi.so.40");
        Path named = file("home/lib64/libmpi.so.40");
        LibrarySearch search = search(Launcher.OPEN_MPI, Map.of("MPI_HOME", folder.resolve("home").toString()),
                Path.of("/bin/bash"), mpirun);
        assertEquals(List.of(beside.toString(), named.toString(), "libmpi.so.40", "libmpi.so.80", "libmpi.so",
                "libmpi_abi.so.1", "libmpi_abi_openmpi.so.1", "libmpi_abi_mpich.so.1", "libmpi_abi.so"), names(search));
        assertEquals(List.of("beside " + mpirun, "MPI_HOME"),
                files(search).stream().map(LibrarySearch.Candidate::reason).toList());
        assertEquals("in " + folder.resolve("opt") + " (beside " + mpirun + "), in " + folder.resolve("home")
                + " (MPI_HOME), and in the dynamic linker's folders (LD_LIBRARY_PATH first)", search.description());
    }

    @Test
    void theNearestLauncherComesFirst() throws IOException {
        Path inner = file("inner/bin/prted");
        Path outer = file("outer/bin/prterun");
        Path wanted = file("inner/lib/libmpi.so.40");
        Path other = file("outer/lib/libmpi.so.40");
        assertEquals(List.of(wanted.toString(), other.toString()),
                files(search(Launcher.PMIX, Map.of(), inner, outer)).stream().map(LibrarySearch.Candidate::name)
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "java", "slurmstepd", "env"})
    void looksBesideLaunchersOnly(String program) throws IOException {
        file("opt/lib/libmpi.so.40");
        assertEquals(List.of(), files(search(Launcher.OPEN_MPI, Map.of(), file("opt/bin/" + program))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"orted", "orterun", "prted", "prterun", "mpirun", "mpirun.openmpi", "mpiexec"})
    void knowsTheLaunchersOfOpenMpi(String program) throws IOException {
        Path library = file("opt/lib/x86_64-linux-gnu/libmpi.so.40");
        assertEquals(library.toString(),
                names(search(Launcher.OPEN_MPI, Map.of(), file("opt/bin/" + program))).getFirst());
    }

    @Test
    void knowsTheLaunchersOfHydra() throws IOException {
        Path library = file("opt/lib/libmpi.so.12");
        file("opt/lib/libmpi.so.40");
        LibrarySearch search = search(Launcher.PMI, Map.of(), file("opt/bin/hydra_pmi_proxy"));
        assertEquals(List.of(library.toString(), "libmpi.so.12", "libmpich.so.12", "libmpi_gnu.so.12", "libmpi.so",
                "libmpi_abi.so.1", "libmpi_abi_openmpi.so.1", "libmpi_abi_mpich.so.1", "libmpi_abi.so"), names(search));
    }

    @ParameterizedTest
    @CsvSource({"OPEN_MPI, libmpich.so.12.2.2", "PMI, libmpi.so.40.30.4"})
    void aNameThatLeadsToTheLibraryOfAnotherMpiIsNotLoaded(Launcher launcher, String real) throws IOException {
        Path library = file("opt/lib/" + real);
        Files.createSymbolicLink(folder.resolve("opt/lib/libmpi.so"), library);
        assertEquals(List.of(), files(search(launcher, Map.of("MPI_ROOT", folder.resolve("opt").toString()))));
        assertEquals(1,
                files(search(Launcher.PMIX, Map.of("MPI_ROOT", folder.resolve("opt").toString()))).size());
    }

    @Test
    void namesOfTheSameFileAreOneCandidate() throws IOException {
        Path library = file("opt/lib/libmpi.so.40.30.4");
        for (String name : List.of("libmpi.so.40", "libmpi.so")) {
            Files.createSymbolicLink(folder.resolve("opt/lib/" + name), library);
        }
        Files.createSymbolicLink(folder.resolve("opt/lib64"), folder.resolve("opt/lib"));
        assertEquals(List.of(new LibrarySearch.Candidate(folder.resolve("opt/lib/libmpi.so.40").toString(),
                "OPAL_PREFIX")),
                files(search(Launcher.OPEN_MPI, Map.of("OPAL_PREFIX", folder.resolve("opt").toString(), "MPI_HOME",
                        folder.resolve("opt").toString()))));
    }

    @Test
    void variablesThatAreEmptyOrLeadNowhereAreNoPlaces() {
        assertEquals(List.of(), files(search(Launcher.NONE, Map.of("MPI_HOME", "", "OMPI_HOME",
                folder.resolve("nothing").toString()))));
    }

    @Test
    void besideALoadedLibraryNoOtherIsLookedFor() throws IOException {
        Path mpirun = file("opt/bin/orterun");
        file("opt/lib/libmpi.so.40");
        Path loaded = Path.of("/usr/lib/libmpich.so.12.2.2");
        LibrarySearch search = new LibrarySearch(Map.of(), Launcher.OPEN_MPI,
                List.of(Path.of("/lib/libc.so.6"), loaded),
                List.of(mpirun));
        assertEquals(List.of(new LibrarySearch.Candidate(loaded.toString(), "already loaded")), search.candidates());
    }

    @ParameterizedTest
    @ValueSource(strings = {"libmpi.so.40.30.4", "libmpi.so.40", "libmpi.so", "libmpich.so.12.2.2", "libmpi.so.12",
            "libmpi_gnu_123.so.12.0.0", "libmpi_cray.so.12", "libmpi_abi.so.1", "libmpi_abi_openmpi.so.1.0.0"})
    void knowsMpiLibrariesAmongLoadedFiles(String name) {
        Path file = Path.of("/opt/lib", name);
        assertEquals(List.of(file), new LibrarySearch(Map.of(), Launcher.NONE, List.of(file, file), List.of())
                .loadedMpi());
    }

    @ParameterizedTest
    @ValueSource(strings = {"libmpi_java.so.40.30.0", "libmpi_cxx.so.40", "libmpi_mpifh.so.40", "libmpichcxx.so.12",
            "libopen-pal.so.40", "libmpifort.so.12", "mca_btl_self.so"})
    void knowsWhatIsNone(String name) {
        assertEquals(List.of(), new LibrarySearch(Map.of(), Launcher.NONE, List.of(Path.of("/opt/lib", name)),
                List.of()).loadedMpi());
    }

    @Test
    void seesWhatIsLoadedIntoThisProcess() {
        assertTrue(LibrarySearch.ofProcess().loaded().stream().anyMatch(file -> file.endsWith("libjvm.so")));
        assertFalse(LibrarySearch.ofProcess().ancestors().isEmpty());
    }
}
