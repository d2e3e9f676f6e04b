package org.restorej.internal.mpi;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The places where an MPI library is searched, in this order: libraries that are already loaded; beside the launcher
 * that is an ancestor of this process; environment variables of MPI installations; the dynamic linker's path. If a
 * library is already loaded, no other is searched: two in one process would use each other's symbols and signals.
 *
 * @param environment of this process
 * @param launcher of this process
 * @param loaded files that are mapped into this process
 * @param ancestors programs of the ancestors of this process, nearest first
 */
record LibrarySearch(Map<String, String> environment, Launcher launcher, List<Path> loaded, List<Path> ancestors) {
    /** The environment variable that names a library. */
    static final String VARIABLE = "RESTOREJ_MPI_LIBRARY";

    private static final List<String> PREFIX_VARIABLES = List.of("OPAL_PREFIX", "OMPI_HOME", "MPI_HOME", "MPI_ROOT",
            "I_MPI_ROOT", "MPICH_HOME", "MPICH_DIR", "CRAY_MPICH_DIR", "EBROOTOPENMPI", "EBROOTMPICH");

    /** Folders below a prefix; the last two are Debian's, which has several MPIs. */
    private static final List<String> LIBRARY_FOLDERS = List.of("lib", "lib64", "lib/release", "lib/x86_64-linux-gnu",
            "lib/aarch64-linux-gnu");

    /**
     * A library that may exist.
     *
     * @param name path of a file, or a name for the dynamic linker
     * @param reason why it is a candidate
     */
    record Candidate(String name, String reason) {}

    /**
     * A folder of an MPI installation.
     *
     * @param prefix that contains the folders of libraries and programs
     * @param reason why it is searched
     */
    private record Place(Path prefix, String reason) {}

    /** The search of this process. If a library is named, the launcher's folder is not searched. */
    static LibrarySearch ofProcess() {
        Map<String, String> environment = System.getenv();
        return new LibrarySearch(environment, Launcher.of(environment), Ancestors.mappedFiles("self"),
                named(environment).isPresent() ? List.of() : programsOf(Ancestors.ofProcess()));
    }

    private static Optional<String> named(Map<String, String> environment) {
        return Optional.ofNullable(environment.get(VARIABLE)).filter(name -> !name.isEmpty());
    }

    /** The library named by the environment. */
    Optional<String> named() {
        return named(environment);
    }

    private static List<Path> programsOf(List<ProcessHandle> processes) {
        return processes.stream().flatMap(process -> process.info().command().stream()).map(Path::of).toList();
    }

    /** The MPI libraries among the loaded files, without duplicates. */
    List<Path> loadedMpi() {
        return loaded.stream().filter(LibrarySearch::isMpi).distinct().toList();
    }

    /** Whether a file is an MPI library, by its name. */
    static boolean isMpi(Path file) {
        return isOpenMpi(file) || isMpich(file) || fileName(file).matches("libmpi(_abi.*)?\\.so(\\.[0-9.]+)?");
    }

    /** Whether a file is Open MPI's library, by its name. */
    static boolean isOpenMpi(Path file) {
        return fileName(file).matches("libmpi\\.so\\.(40|80)(\\..*)?");
    }

    /** Whether a file is the library of MPICH or one of its family, by its name. */
    static boolean isMpich(Path file) {
        return fileName(file).matches("(libmpi|libmpich|libmpi_(gnu|cray|intel|amd|aocc|nvidia).*)\\.so\\.12(\\..*)?");
    }

    private static String fileName(Path file) {
        return String.valueOf(file.getFileName());
    }

    /** Candidates in the order in which they are tried if no option names one: only loaded ones, if there are any. */
    List<Candidate> candidates() {
        if (!loadedMpi().isEmpty()) {
            return loadedMpi().stream().map(file -> new Candidate(file.toString(), "already loaded")).toList();
        }
        // Several names often lead to the same file.
        Map<Path, Candidate> files = new LinkedHashMap<>();
        List<String> names = fileNames();
        for (Place place : places()) {
            for (String folder : LIBRARY_FOLDERS) {
                for (String name : names) {
                    addFile(files, place.prefix().resolve(folder).resolve(name), place.reason());
                }
            }
        }
        List<Candidate> candidates = new ArrayList<>(files.values());
        names.forEach(name -> candidates.add(new Candidate(name, "found by the dynamic linker")));
        return List.copyOf(candidates);
    }

    /** The places of the candidates, for messages. */
    String description() {
        List<String> descriptions = new ArrayList<>();
        places().forEach(place -> descriptions.add("in " + place.prefix() + " (" + place.reason() + ")"));
        descriptions.add("and in the dynamic linker's folders (LD_LIBRARY_PATH first)");
        return String.join(", ", descriptions);
    }

    private List<Place> places() {
        Set<Place> places = new LinkedHashSet<>();
        for (Path ancestor : ancestors) {
            Path folder = ancestor.getParent();
            // Shells and loggers in between are in system folders, which the dynamic linker searches anyway.
            if (folder != null && folder.getParent() != null && isLauncher(ancestor)) {
                places.add(new Place(folder.getParent(), "beside " + ancestor));
            }
        }
        for (String variable : PREFIX_VARIABLES) {
            String prefix = environment.get(variable);
            if (prefix != null && !prefix.isEmpty()) {
                places.add(new Place(Path.of(prefix), variable));
            }
        }
        return List.copyOf(places);
    }

    private void addFile(Map<Path, Candidate> files, Path file, String reason) {
        try {
            Path real = file.toRealPath();
            // libmpi.so may be the name of several libraries.
            boolean fits = switch (launcher) {
                case OPEN_MPI -> !isMpich(real);
                case PMI -> !isOpenMpi(real);
                default -> true;
            };
            if (fits) {
                files.putIfAbsent(real, new Candidate(file.toString(), reason));
            }
        } catch (IOException notThere) {
            // Most names don't exist.
        }
    }

    /** Whether a program starts ranks, by its name. */
    static boolean isLauncher(Path program) {
        return fileName(program)
                .matches(
                        "(orted|orterun|prted|prterun|mpirun|mpiexec|hydra_pmi_proxy|hydra_bstrap_proxy)(\\..*)?");
    }

    /** File names, those for the launcher first; the standard's library works with any. */
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
