package org.restorej.internal.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said when no library can be had; no MPI library is loaded here. */
class ForeignLibrariesTest {
    @TempDir
    private Path folder = Path.of("");

    private static String failure(LibrarySearch search) {
        return String.valueOf(assertThrows(MpiNotFoundException.class,
                () -> new ForeignLibraries(search).find()).getMessage());
    }

    private static LibrarySearch search(Map<String, String> environment, Path... loaded) {
        return new LibrarySearch(environment, Launcher.OPEN_MPI, List.of(loaded), List.of());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "/nowhere/libmpi.so.40 | it can't be loaded: /nowhere/libmpi.so.40: cannot open shared object file: "
                    + "No such file or directory",
            "libmpi-of-nobody.so | it can't be loaded: libmpi-of-nobody.so: cannot open shared object file: "
                    + "No such file or directory",
            "libm.so.6 | it is no MPI library, or older than MPI 3.0: it has no MPI_Get_library_version"})
    void saysWhatIsWrongWithTheLibraryThatIsNamed(String name, String reason) {
        assertEquals("RESTOREJ_MPI_LIBRARY=" + name + ": " + reason,
                failure(search(Map.of("RESTOREJ_MPI_LIBRARY", name))));
    }

    @Test
    void saysThatAFileIsNoLibrary() throws IOException {
        Path text = Files.writeString(folder.resolve("libmpi.so.40"), "no library");
        String message = failure(search(Map.of("RESTOREJ_MPI_LIBRARY", text.toString())));
        assertTrue(message.contains("it can't be loaded: " + text + ": file too short")
                || message.contains("it can't be loaded: " + text + ": invalid ELF header"), message);
    }

    @Test
    void refusesTwoThatAreLoaded() {
        assertEquals("two MPI libraries are loaded into this process, which no process survives: "
                + "[/usr/lib/libmpi.so.40.30.4, /opt/libmpi_gnu_123.so.12]",
                failure(search(Map.of(), Path.of("/usr/lib/libmpi.so.40.30.4"), Path.of("/opt/libmpi_gnu_123.so.12"))));
    }

    @Test
    void theOneThatIsLoadedIsTakenOrNone() {
        assertEquals("the MPI library that is loaded into this process can't be used: /nowhere/libmpi.so.40: "
                + "cannot open shared object file: No such file or directory",
                failure(search(Map.of(), Path.of("/nowhere/libmpi.so.40"))));
    }
}
