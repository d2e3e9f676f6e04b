package org.restorej.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.MpiJob;
import org.restorej.comm.testing.mpi.MpiResult;
import org.restorej.testing.Deep;
import org.restorej.testing.ProcessRun;
import org.restorej.testing.ProjectFolder;

/** Ranks start with a cache of the library's classes: told by their JVMs, which log where each class comes from. */
class AotCacheIT {
    private static final String FROM_CACHE = "source: shared objects file";
    /** Another job may be making the cache, and then this one starts without. */
    private static final int JOBS = 30;

    private static MpiJob.Launch launch(int ranks) {
        return MpiJob.of(AotCacheProgram.class, ranks).environment("RESTOREJ_AOT", "yes");
    }

    private static MpiResult run(MpiFlavour flavour, String... vmOptions) {
        MpiJob.Launch launch = launch(2).on(flavour).vmOption("-Xlog:class+load:stdout");
        for (String option : vmOptions) {
            launch.vmOption(option);
        }
        return launch.run().requireSuccess();
    }

    private static List<String> loaded(MpiResult result, String className) {
        return result.describe().lines().filter(line -> line.contains(" " + className + " source: ")).toList();
    }

    private static boolean isFromCache(MpiResult result, String className) {
        List<String> lines = loaded(result, className);
        assertFalse(lines.isEmpty(), () -> className + " was not loaded: " + result.describe());
        return lines.stream().allMatch(line -> line.contains(FROM_CACHE));
    }

    private static MpiResult runWithCache(MpiFlavour flavour, String... vmOptions) throws InterruptedException {
        MpiResult result = run(flavour, vmOptions);
        for (int job = 1; job < JOBS && !isFromCache(result, "org.restorej.ReStore"); job++) {
            Thread.sleep(1000);
            result = run(flavour, vmOptions);
        }
        return result;
    }

    @Deep
    @Test
    void theLibraryComesFromTheCacheAndTheApplicationDoesNot() throws InterruptedException {
        MpiFlavour.OPEN_MPI.require();
        MpiResult result = runWithCache(MpiFlavour.OPEN_MPI);
        assertTrue(isFromCache(result, "org.restorej.ReStore"), result::describe);
        assertFalse(isFromCache(result, AotCacheProgram.class.getName()), result::describe);
    }

    /** What of a JVM's options a cache depends on, by the scripts' own function, which fails where there is to be none. */
    private static ProcessRun chooseOptions(String options) throws IOException, InterruptedException {
        return ProcessRun.of(new ProcessBuilder("bash", "-euc",
                ". \"$0/tools.sh\"; . \"$0/aot.sh\"; "
                        + "read -r -a java_options <<< \"$1\"; choose_aot_vm_options \"${java_options[@]}\"; "
                        + "echo \" ${aot_vm_options[*]} \"",
                ProjectFolder.script("lib").toString(), "-XX:+UseSerialGC " + options));
    }

    /** There the JVM finds what calls the dynamic linker's functions at another time. */
    @Deep
    @Test
    void theReasonWhyALibraryCantBeLoadedIsToldWithTheCacheToo() throws InterruptedException {
        MpiFlavour.OPEN_MPI.require();
        runWithCache(MpiFlavour.OPEN_MPI);
        MpiResult result = launch(1).environment("RESTOREJ_MPI_LIBRARY", "/nowhere/libmpi.so.40").run();
        assertTrue(result.describe().contains("/nowhere/libmpi.so.40: cannot open shared object file: No such file"),
                result::describe);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xshare:auto", "-XX:AOTCache=another.aot", "-XX:-AOTClassLinking",
            "-XX:SharedArchiveFile=another.jsa", "-Xmx40g", "-Xmx40960m", "-XX:MaxRAMPercentage=50"})
    void optionsThatGoWithNoCacheAreLeftAlone(String option) throws IOException, InterruptedException {
        ProcessRun script = chooseOptions(option);
        assertEquals(1, script.exitCode(), script::describe);
        assertEquals("", script.everything());
    }

    @Deep
    @Test
    void aCacheThatDoesNotFitIsPassedOverWithoutAWord(@TempDir Path folder) throws InterruptedException {
        MpiFlavour.OPEN_MPI.require();
        runWithCache(MpiFlavour.OPEN_MPI);
        // Of this option the JVM says that it goes with no cache.
        MpiResult result = run(MpiFlavour.OPEN_MPI, "--upgrade-module-path=" + folder);
        assertFalse(isFromCache(result, "org.restorej.ReStore"), result::describe);
        assertEquals(List.of(), result.log().lines()
                .filter(line -> line.contains("[warning]") || line.contains("[error")).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xmx256m", "-Xms29g", "-Xmx20g"})
    void heapsOfShortReferencesGoWithTheCache(String option) throws IOException, InterruptedException {
        ProcessRun script = chooseOptions(option);
        assertEquals(" -XX:+UseSerialGC \n", script.everything());
    }

    private static ProcessRun script(Path folder, String commands) throws IOException, InterruptedException {
        return ProcessRun
                .of(new ProcessBuilder("bash", "-euc", ". \"$0/tools.sh\"; . \"$0/aot.sh\"; cd \"$1\"; " + commands,
                        ProjectFolder.script("lib").toString(), folder.toString()));
    }

    @Test
    void aFileThatChangesHasAnotherCacheThoughSizeAndTimeStay(@TempDir Path folder) throws Exception {
        ProcessRun run = script(folder, "echo one > a.jar; library_entries=(a.jar); aot_stamp a.jar; first=$stamp; "
                + "aot_stamp a.jar; [[ $first == $stamp ]]; touch -r a.jar time; sleep 1.1; echo two > a.jar; "
                + "touch -r time a.jar; aot_stamp a.jar; [[ $first != $stamp ]]");
        assertEquals(0, run.exitCode(), run::describe);
    }

    @Test
    void whatCouldNotBeMadeIsTriedAgainLaterAndEachTrySaysSo(@TempDir Path folder) throws Exception {
        ProcessRun run = script(folder, "unset RESTOREJ_AOT; try() { find_or_make_aot_cache \"$PWD/a.aot\" make; }; "
                + "make() { : > \"$1\"; }; try; try; [[ -e a.aot && ! -s a.aot ]]; "
                + "make() { echo made > \"$1\"; }; try; [[ ! -s a.aot ]]; touch -d '-11 minutes' a.aot; try; [[ -s a.aot ]]; try");
        assertEquals(0, run.exitCode(), run::describe);
        assertEquals(List.of("making", "no", "making"), run.errors().lines()
                .map(line -> line.replaceFirst("^[^:]*: ", "").split(" ", 2)[0]).toList(), run::describe);
    }

    @Test
    void onlyTheLatestCachesAreKept(@TempDir Path folder) throws IOException, InterruptedException {
        for (int age = 0; age < 10; age++) {
            for (String kind : List.of(".aot", ".jar")) {
                Path file = Files.createFile(folder.resolve(age + kind));
                Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60L * age)));
            }
        }
        ProcessRun script = ProcessRun
                .of(new ProcessBuilder("bash", "-c", ". \"$0/tools.sh\"; . \"$0/aot.sh\"; aot_folder=$1; "
                        + "remove_old_aot_caches", ProjectFolder.script("lib").toString(), folder.toString()));
        assertEquals(0, script.exitCode(), script::describe);
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(
                    IntStream.range(0, 8).boxed()
                            .flatMap(age -> Stream.of(age + ".aot", age + ".jar")).toList(),
                    files.map(file -> file.getFileName().toString()).sorted().toList());
        }
    }
}
