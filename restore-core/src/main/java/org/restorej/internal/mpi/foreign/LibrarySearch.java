package org.restorej.internal.mpi.foreign;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Where an MPI library may be. In this order: what is loaded already; beside the launcher whose child this process is; where
 * environment variables of MPI installations say; where the dynamic linker looks.
 *
 * @param environment of this process
 * @param launcher of this process
 * @param loaded files that are mapped into this process
 * @param ancestors programs that have started this one, the nearest first
 */
record LibrarySearch(Map<String, String> environment, Launcher launcher, List<Path> loaded, List<Path> ancestors) {
    /** The variable that names a library. */
    static final String VARIABLE = "RESTOREJ_MPI_LIBRARY";

    /** The system property that names a library, and comes before the variable. */
    static final String PROPERTY = "restorej.mpi.library";

    private static final List<String> PREFIX_VARIABLES = List.of("OPAL_PREFIX", "OMPI_HOME", "MPI_HOME", "MPI_ROOT",
            "I_MPI_ROOT", "MPICH_HOME", "MPICH_DIR", "CRAY_MPICH_DIR", "EBROOTOPENMPI");

    /** Of a prefix; the last two are how Debian keeps several MPIs apart. */
    private static final List<String> LIBRARY_FOLDERS = List.of("lib", "lib64", "lib/release", "lib/x86_64-linux-gnu",
            "lib/aarch64-linux-gnu");

    /**
     * A library that may be there.
     *
     * @param name path of a file, or a name for the dynamic linker
     * @param reason why it is looked for
     */
    record Candidate(String name, String reason) {}

    /** Of this process. */
    static LibrarySearch ofProcess() {
        Map<String, String> environment = System.getenv();
        List<Path> ancestors = new ArrayList<>();
        Optional<ProcessHandle> parent = ProcessHandle.current().parent();
        while (parent.isPresent()) {
            parent.get().info().command().map(Path::of).ifPresent(ancestors::add);
            parent = parent.get().parent();
        }
        return new LibrarySearch(environment, Launcher.of(environment), mappedFiles(), ancestors);
    }

    private static List<Path> mappedFiles() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.map(line -> line.indexOf('/') < 0 ? "" : line.substring(line.indexOf('/')))
                    .filter(file -> file.contains(".so")).distinct().map(Path::of).toList();
        } catch (IOException e) {
            // Another system than Linux.
            return List.of();
        }
    }

    /** The MPI libraries among the loaded ones, each once. */
    List<Path> loadedMpi() {
        return loaded.stream().filter(file -> file.getFileName().toString()
                .matches("lib(mpi|mpich|mpi_gnu.*|mpi_abi.*)\\.so(\\.[0-9.]+)?")).distinct().toList();
    }

    /** Candidates in the order in which they are to be tried, when no option names one. */
    List<Candidate> candidates() {
        Set<Candidate> candidates = new LinkedHashSet<>();
        for (Path file : loadedMpi()) {
            candidates.add(new Candidate(file.toString(), "already loaded"));
        }
        List<String> names = fileNames();
        for (Path ancestor : ancestors) {
            Path folder = ancestor.getParent();
            // Shells and loggers in between are in folders of the system, which are the dynamic linker's.
            if (folder != null && folder.getParent() != null && isLauncher(ancestor)) {
                addFiles(candidates, folder.getParent(), names, "beside " + ancestor);
            }
        }
        for (String variable : PREFIX_VARIABLES) {
            String prefix = environment.get(variable);
            if (prefix != null && !prefix.isEmpty()) {
                addFiles(candidates, Path.of(prefix), names, variable);
            }
        }
        for (String name : names) {
            candidates.add(new Candidate(name, "the dynamic linker's folders, LD_LIBRARY_PATH first"));
        }
        return List.copyOf(candidates);
    }

    private static boolean isLauncher(Path program) {
        return program.getFileName().toString()
                .matches("(orted|orterun|prted|prterun|mpirun|mpiexec|hydra_pmi_proxy|hydra_bstrap_proxy)(\\..*)?");
    }

    private static void addFiles(Set<Candidate> candidates, Path prefix, List<String> names, String reason) {
        for (String folder : LIBRARY_FOLDERS) {
            for (String name : names) {
                Path file = prefix.resolve(folder).resolve(name);
                if (Files.exists(file)) {
                    candidates.add(new Candidate(file.toString(), reason));
                }
            }
        }
    }

    /** Names that go with the launcher first; the standard's library serves any. */
    private List<String> fileNames() {
        List<String> names = new ArrayList<>();
        if (launcher != Launcher.PMI) {
            names.addAll(MpiFamily.OPEN_MPI.fileNames());
        }
        if (launcher != Launcher.OPEN_MPI) {
            names.addAll(MpiFamily.MPICH.fileNames());
        }
        names.addAll(MpiFamily.STANDARD.fileNames());
        return names.stream().distinct().toList();
    }
}
